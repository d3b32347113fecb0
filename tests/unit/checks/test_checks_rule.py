"""Answers to rules: minimal replayed counterexamples, the facts a sentence needs, what a proof covers."""

from __future__ import annotations

import pytest

from rewright.checks import counterexample as minimising
from rewright.checks import rule as checks
from rewright.checks.counterexample import NotExact, NotReproduced, reproduce
from rewright.checks.looked import Contradiction
from rewright.checks.rule import answer
from rewright.model.file import check_file
from rewright.model.index import Name
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decision import Budget, Mode, Proved, Unknown, Vacuous
from rewright.rules.models import Model, Quantity, QuantityRole, TensorEntry
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Diagnosis, Failure, Method, RuleWitness, Severity, Site, Verdict
from rewright.verdict.diagnostics.rules import (
    ElementOrigin,
    ExampleNotReplayed,
    GivenInput,
    NothingSatisfies,
    NotNeeded,
    RuleNotDecided,
    ShapesDiffer,
    SideElement,
    SideNotValid,
    ValuesDiffer,
)
from rewright.verdict.undecided import UnknownReason


def question(items: str, parameter: str = "T: any", direction: str = "=>") -> RuleQuestion:
    text = f"rule asked<{parameter}> {{\n{items}\n}}\n" if parameter else f"rule asked {{\n{items}\n}}\n"
    declared = check_file(parse(Text.of("asked.rw", text)), lambda path: None).declarations[0]
    assert isinstance(declared.value, Rule), declared.findings
    return RuleQuestion(declared.value, declared.value.domains[0], "=>" if direction == "=>" else "<=")


def ask(items: str, parameter: str = "T: any", direction: str = "=>") -> Answer:
    return answer(question(items, parameter, direction), Budget(), Mode.NORMAL_FORMS)


def refuted(items: str, parameter: str = "T: any", direction: str = "=>") -> tuple[RuleWitness, Diagnosis]:
    found = ask(items, parameter, direction)
    assert found.verdict is Verdict.REFUTED, found
    assert isinstance(found.witness, RuleWitness)
    assert found.witness.replayed
    (finding,) = found.findings
    return found.witness, finding.diagnosis


ONE = "axes A\nmap n, s, e, p on A\nscalar v: T\ntensor X: T[A: n]\n"


def test_the_update_of_a_strided_slice_fails_at_rank_two_and_nothing_smaller() -> None:
    half = "let k = (n + 1) / 2\nlet b = broadcast(v, A: k - 1)\n"
    sides = "dynamic_update_slice(slice(X, 0, k), b, 1) => dynamic_update_slice(slice(X, 0, n, 2), b, 1)"
    witness, diagnosis = refuted(ONE + half + sides)
    assert witness.instance.ranks == (("A", 2),)
    assert sorted(dict(witness.instance.maps)["n"]) == [1, 3]
    assert isinstance(diagnosis, ValuesDiffer)
    assert diagnosis.left.source.startswith("X[") and diagnosis.right.source.startswith("X[")


def test_a_value_failure_has_what_its_sentence_needs() -> None:
    witness, diagnosis = refuted(ONE + "X => reverse(X, A)")
    assert witness.fails is Failure.VALUE
    assert dict(witness.instance.maps)["n"] == (2,)
    assert isinstance(diagnosis, ValuesDiffer)
    assert diagnosis == ValuesDiffer(
        direction="=>",
        at=(("A", (0,)),),
        left=SideElement("1", ElementOrigin.READ, "X[0]"),
        right=SideElement("2", ElementOrigin.READ, "X[1]"),
        given=GivenInput((("A", 1),), diagnosis.given.values),
    )
    assert ("n", "2") in diagnosis.given.values


def test_entries_are_distinct_so_that_a_transposition_is_visible() -> None:
    items = "axes I ~ J\nmap n on I\ntensor X: T[I: n, J: n]\nX => transpose(X, I -> J, J -> I)"
    witness, _ = refuted(items)
    ((_, tensor),) = witness.instance.tensors
    assert tensor.shape == (2, 2)
    assert len(set(tensor.data)) == 4


def test_contents_come_from_the_model_where_distinct_entries_show_nothing() -> None:
    items = "axes A\nmap n on A\ntensor X, Y: T[A: n]\nmin(X, Y) => X"
    witness, _ = refuted(items, "T: int")
    (_, x), (_, y) = witness.instance.tensors
    assert int(x.data[0]) > int(y.data[0])


def test_assumptions_hold_in_the_counterexample() -> None:
    items = "axes A\nmap n on A\ntensor X, Y: T[A: n]\nmin(X, Y) => reverse(X, A)\nassume forall i on A: X[i] < Y[i]"
    witness, _ = refuted(items, "T: int")
    (_, x), (_, y) = witness.instance.tensors
    assert all(int(a) < int(b) for a, b in zip(x.data, y.data, strict=True))


def test_an_assumption_that_is_refused_ends_unknown() -> None:
    """No search for inputs fails on it, either."""
    items = "axes A, B\nmap n on A\nmap q on B\ntensor X: T[A: n]\ntensor M: T[A: n, B: q]\n"
    items += (
        "max(reduce(max, M, A, B), reduce(max, broadcast(X, B: q), A, B)) => reduce(max, broadcast(X, B: q), A, B)\n"
    )
    items += "assume forall i on A: forall j on B: M[i, j] <= X[i]"
    found = answer(question(items, "T: int"), Budget(), Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason is not None and "different axis groups" in found.reason


def test_a_scalar_used_as_a_size_keeps_the_value_of_the_model() -> None:
    items = "axes A\nscalar d: int\nbroadcast(d, A: d) + broadcast(0, A: 1) => broadcast(1, A: 1)"
    witness, _ = refuted(items, "")
    assert witness.instance.ranks == (("A", 0),)
    assert dict(witness.instance.scalars)["d"] != "1"


def test_a_shape_failure_names_the_shapes() -> None:
    witness, diagnosis = refuted(ONE + "slice(broadcast(v, A: n), s, e, p) => broadcast(v, A: (e - s) / p)")
    assert witness.fails is Failure.SHAPE
    assert (witness.left, witness.right, witness.at) == ("[1]", "[0]", ())
    assert isinstance(diagnosis, ShapesDiffer)
    assert (diagnosis.axis, diagnosis.left, diagnosis.right) == ("axis 0 of A", 1, 0)


def test_a_precondition_that_is_not_needed_is_a_hint() -> None:
    asked = question(
        ONE + "slice(X, s, n) => slice(X, s)\nwhere s <= n, n == n\nassume forall i on A: X[i] == X[i]", "T: num"
    )
    found = answer(asked, Budget(), Mode.NORMAL_FORMS)
    sites = [*(each.site for each in asked.rule.where), *(each.site for each in asked.rule.assumptions)]
    assert [finding.place for finding in found.findings] == [Site(site) for site in sites]
    assert {(finding.code, finding.severity) for finding in found.findings} == {("RW206", Severity.HINT)}
    assert [finding.diagnosis for finding in found.findings] == [
        *[NotNeeded("precondition")] * 2,
        NotNeeded("assumption"),
    ]
    assert found.verdict is Verdict.PROVED


def test_the_solver_alone_is_not_asked_what_is_needed() -> None:
    asked = question(ONE + "slice(X, s, n) => slice(X, s)\nwhere s <= n")
    assert answer(asked, Budget(), Mode.SOLVER_ONLY).findings == ()


def test_an_invalid_right_side_says_why_and_points_at_the_operator() -> None:
    asked = question(ONE + "slice(reverse(X, A), s, s) => reverse(slice(X, s + 1, s + 1), A)")
    found = answer(asked, Budget(), Mode.NORMAL_FORMS)
    (finding,) = found.findings
    assert isinstance(finding.diagnosis, SideNotValid)
    assert finding.diagnosis.side == "right"
    assert finding.diagnosis.reason == "`slice` limit 1 exceeds the size 0 on axis 0 of A"
    assert finding.place.number == asked.rule.right.operand.site  # type: ignore[union-attr]


def test_the_reverse_direction_shows_the_sides_as_written() -> None:
    witness, _ = refuted(ONE + "slice(X, s, s) <=> slice(X, s + 1, s + 1)", direction="<=")
    assert (witness.direction, witness.fails, witness.right) == ("<=", Failure.VALIDITY, "[0]")
    assert "start -1" in witness.left


def test_vacuous() -> None:
    witness, diagnosis = refuted(ONE + "X => X; where s < 0, s > 0")
    assert witness.fails is Failure.VACUOUS
    assert diagnosis == NothingSatisfies()


def test_a_rule_called_vacuous_that_has_an_input_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "decide", lambda *_: Vacuous(Method.SOLVER))
    with pytest.raises(Contradiction):
        ask(ONE + "X => X")


def test_only_empty_results_are_a_warning() -> None:
    found = ask(ONE + "X => reverse(X, A); where n == 0")
    assert found.verdict is Verdict.PROVED
    assert [(finding.code, finding.severity) for finding in found.findings] == [("RW207", Severity.WARNING)]


def test_unknown_has_its_reason_as_a_finding() -> None:
    found = ask(ONE + "X + v => v + X", "T: s32")
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason
    (said,) = (each.diagnosis for each in found.findings)
    assert isinstance(said, RuleNotDecided)
    assert (said.reason, said.why) == (found.reason, UnknownReason.CONSTRUCT)


@pytest.mark.parametrize(
    ("items", "text", "assumptions"),
    [
        (ONE + "X => X", "all ranks and sizes", ()),
        ("axes A+, B\nmap n on A\ntensor X: T[A: n]\nX => X", "all ranks (A from 1) and sizes", ()),
        (
            "axis d\nmap n on d\ntensor X: T[d: n]\nconcatenate(X, X, X, d) => concatenate(X, X, X, d)",
            "all ranks and sizes",
            ("concatenate of 3 operands, as written",),
        ),
    ],
)
def test_what_a_proof_covers(items: str, text: str, assumptions: tuple[str, ...]) -> None:
    coverage = ask(items).coverage
    assert (coverage.text, coverage.bounded, coverage.assumptions) == (text, False, assumptions)


def test_a_model_that_does_not_replay_is_reported_with_its_details() -> None:
    asked = question("axes A\nmap n on A\ntensor X: T[A: n]\nX => X")
    model = Model(
        Failure.VALUE, ((Quantity(QuantityRole.SIZE, Name("n"), 0), 1),), (), (TensorEntry(Name("X"), (0,), "1"),), ()
    )
    with pytest.raises(NotReproduced, match="from the model: Holds"):
        reproduce(asked, {Name("A"): 1}, model)


@pytest.mark.parametrize(
    "known", ["log(exp(X)) == 5", "sqrt(X) * sqrt(X) == 2", "exp(X) * exp(3 - X) == exp(X - X) * X"]
)
def test_what_only_a_law_makes_equal_is_no_error_of_ours(known: str) -> None:
    """The terms of both sides are the same, the enclosures of the replay only overlap."""
    answer = ask(f"axes A\nmap n on A\ntensor X, Y: T[A: n]\nselect({known}, X, Y) => Y", "T: real")
    assert answer.verdict is Verdict.UNKNOWN
    assert any("the laws of `" in str(finding) for finding in answer.findings)


def test_a_model_of_laws_that_does_not_replay_is_no_error_of_ours() -> None:
    asked = question("axes A\nmap n on A\ntensor X: T[A: n]\nexp(X) => exp(X)", "T: real")
    model = Model(Failure.VALUE, ((Quantity(QuantityRole.SIZE, Name("n"), 0), 1),), (), (), (), exact=False)
    with pytest.raises(NotExact, match="the laws of `exp` do not decide this"):
        reproduce(asked, {Name("A"): 1}, model)
    with pytest.raises(NotExact, match="irrational"):
        reproduce(question("axes A\nmap n on A\ntensor X: T[A: n]\nX => X", "T: real"), {Name("A"): 1}, model)


def test_what_only_the_laws_of_exp_refute_is_unknown() -> None:
    found = ask("axes A\nmap n on A\ntensor X: T[A: n]\nexp(X) >= 1 + X + X * X / 2 => X >= 0", "T: real")
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason and "the laws of `exp` do not decide this" in found.reason


def test_a_counterexample_to_exponentials_is_replayed_by_enclosures() -> None:
    witness, diagnosis = refuted("axes A\nmap n on A\ntensor X, Y: T[A: n]\nexp(X * Y) => exp(X) * exp(Y)", "T: real")
    assert witness.left.startswith("≈") and witness.right.startswith("≈")
    assert isinstance(diagnosis, ValuesDiffer)
    assert (diagnosis.left.how, diagnosis.left.source[:4]) == (ElementOrigin.COMPUTED, "exp(")


def test_a_counterexample_to_a_function_lists_its_table() -> None:
    witness, diagnosis = refuted("axes A\nmap n on A\ntensor X, Y: T[A: n]\nfn f: (T, T) -> T\nf(X, Y) => f(Y, X)")
    ((_, table),) = witness.instance.functions
    assert {operands for operands, _ in table} == {("1", "2"), ("2", "1")}
    assert isinstance(diagnosis, ValuesDiffer) and diagnosis.left.source == "f(1, 2)"


def test_a_drawn_input_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "decide", lambda *_: Unknown("too hard"))
    found = ask("axes A\nmap n on A\ntensor X, Y: T[A: n]\n(X + Y) / 2 => X / 2 + Y / 2", "T: int")
    assert isinstance(found.witness, RuleWitness)
    assert found.witness.instance.ranks == (("A", 0),)
    assert all(abs(int(tensor.data[0])) <= 3 for _, tensor in found.witness.instance.tensors)


def test_every_expression_has_its_shape_and_contents() -> None:
    witness, _ = refuted("axes A\nmap n on A\nscalar v: T\ntensor X: T[A: n]\npad(reverse(X, A), v, 1) => pad(X, v, 1)")
    assert [(step.side, step.value.shape, step.value.data) for step in witness.steps] == [
        ("left", (2,), ("1", "2")),
        ("left", (2,), ("2", "1")),
        ("left", (), ("0",)),
        ("left", (3,), ("0", "2", "1")),
        ("right", (2,), ("1", "2")),
        ("right", (), ("0",)),
        ("right", (3,), ("0", "1", "2")),
    ]


def test_smaller_ranks_go_by_their_sum_and_keep_to_what_a_class_allows() -> None:
    asked = question("axes A+, B\naxis d\nmap n on A\nmap m on B\nmap k on d\ntensor X: T[A: n, B: m, d: k]\nX => X")
    found = list(minimising.smaller_ranks(asked, {Name("A"): 2, Name("B"): 1, Name("d"): 1}))
    assert [(ranks[Name("A")], ranks[Name("B")], ranks[Name("d")]) for ranks in found] == [
        (1, 0, 1),
        (1, 1, 1),
        (2, 0, 1),
    ]


EXAMPLE = "\nexample { A = 1; n = 2; s = %s }"


def test_an_example_that_holds_changes_nothing() -> None:
    found = ask(ONE + "slice(X, s, n) => slice(X, s, n)" + EXAMPLE % "[1]")
    assert (found.verdict, found.findings) == (Verdict.PROVED, ())


def test_an_example_that_no_input_fits_is_a_warning_at_its_place() -> None:
    asked = question(ONE + "slice(X, s, n) => slice(X, s, n)" + EXAMPLE % "[3]")
    found = answer(asked, Budget(), Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.PROVED
    assert [(f.code, f.severity, f.place) for f in found.findings] == [
        ("RW208", Severity.WARNING, Site(asked.rule.examples[0].site))
    ]


def test_an_example_that_enclosures_do_not_decide_is_reported() -> None:
    items = "axes A\nmap n on A\ntensor X: T[A: n]\nexp(X) * exp(X) => exp(X + X)\nexample { A = 1; n = 1; X = [%s] }"
    (finding,) = ask(items % "1", "T: real").findings
    assert isinstance(finding.diagnosis, ExampleNotReplayed) and "enclosures" in finding.diagnosis.reason
    assert ask(items % "0", "T: real").findings == ()


def test_a_failing_example_refutes_what_was_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "decide", lambda *_: Unknown("too hard"))
    found = ask(ONE + "X => reverse(X, A)" + EXAMPLE % "[0]")
    assert (found.verdict, found.by) == (Verdict.REFUTED, Method.REPLAY)
    assert isinstance(found.witness, RuleWitness)
    assert dict(found.witness.instance.maps)["n"] == (2,)


def test_a_drawn_input_refutes_what_was_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "decide", lambda *_: Unknown("too hard"))
    found = ask("axes A\nmap n on A\ntensor X: T[A: n]\nX => reverse(X, A)")
    assert (found.verdict, found.by) == (Verdict.REFUTED, Method.REPLAY)
    assert isinstance(found.witness, RuleWitness)
    assert found.witness.instance.ranks == (("A", 1),)
    assert dict(found.witness.instance.maps)["n"] == (2,)


def test_what_was_not_decided_and_does_not_fail_stays_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "decide", lambda *_: Unknown("too hard"))
    assert ask(ONE + "reverse(reverse(X, A), A) => X").verdict is Verdict.UNKNOWN


def test_a_failing_example_contradicts_a_proof() -> None:
    proved = Proved(Method.NORMAL_FORM, None, (), only_empty=False)
    with pytest.raises(Contradiction):
        checks.answer_to(question(ONE + "X => reverse(X, A)" + EXAMPLE % "[0]"), proved, Budget())


def test_an_example_that_fails_refutes_before_anything_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(checks, "decide")
    found = ask(ONE + "X => reverse(X, A)" + EXAMPLE % "[0]")
    assert (found.verdict, found.by) == (Verdict.REFUTED, Method.REPLAY)
