"""The fold of answers into results: verdicts, expectations, failures of the engine, places."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from rewright.engine.jobs import FailureKind, JobFailure, Outcome, Reply
from rewright.report.document import Progress, Result
from rewright.rules.decision import Mode
from rewright.verdict import Answer, Coverage, Finding, InDeclaration, Method, Severity, Site, Verdict
from rewright.verdict.codec import encode
from rewright.verdict.diagnostics.graphs import NoCleanExpression
from rewright.verdict.diagnostics.rules import (
    ElementOrigin,
    GivenInput,
    NotNeeded,
    SideElement,
    SideNotValid,
    ValuesDiffer,
)
from rewright.workspace.fold import KnownAnswers, result
from rewright.workspace.jobs import How, Planned, job
from rewright.workspace.lowering import Lowerings
from rewright.workspace.sources import Sources
from rewright.workspace.tracked import Tracked, track
from rewright.workspace.views import Folder

RULE = """rule r<T: num> {
  axes A
  map n on A
  tensor X: T[A: n]
  X + X => 2 * X
}
"""
ALL = Coverage("all ranks and sizes", bounded=False)
PROVED = Answer(Verdict.PROVED, ALL, Method.NORMAL_FORM)


ONE, ZERO = (SideElement(value, ElementOrigin.COMPUTED, "") for value in "10")
REFUTED = {
    "RW201": ValuesDiffer("=>", (), ONE, ZERO, GivenInput((), ())),
    "RW203": SideNotValid("right", "0", GivenInput((), ())),
}


def refuted(code: str) -> Answer:
    finding = Finding(REFUTED[code], Severity.ERROR, Site(0))
    return Answer(Verdict.REFUTED, ALL, Method.SOLVER, findings=(finding,))


def tracked(tmp_path: Path, text: str, previous: Tracked | None = None) -> Tracked:
    path = tmp_path / "a.rw"
    path.write_text(text)
    file = track(str(path), Sources(tmp_path), How(Mode.NORMAL_FORMS, Lowerings()), previous)
    assert isinstance(file, Tracked)
    return file


def folded(file: Tracked, outcome: Callable[[str, str], Outcome | None], *running: str) -> Result:
    """The result of the first declaration when each question (key, domain) has the outcome given for it."""
    (planned, *_) = file.planned
    found = {key: outcome(key, asked.domain) for key, asked in zip(planned.keys, planned.asked, strict=True)}
    outcomes = {key: each for key, each in found.items() if each is not None}
    return result(file.path, file.parsed.file.declarations[0], planned, KnownAnswers(outcomes, running))


def reply(key: str, answer: Answer) -> Reply:
    return Reply(key, encode(answer), definite=True, milliseconds=1.0, cached=False)


def test_the_worst_question_counts(tmp_path: Path) -> None:
    file = tracked(tmp_path, RULE)
    assert folded(file, lambda key, _: reply(key, PROVED)).verdict is Verdict.PROVED
    mixed = folded(file, lambda key, domain: reply(key, PROVED if domain == "int" else refuted("RW201")))
    assert (mixed.verdict, mixed.as_expected) == (Verdict.REFUTED, False)
    assert mixed.leading is not None
    assert mixed.leading.domain == "real"


def without(*sites: int) -> Answer:
    hints = (Finding(NotNeeded("precondition"), Severity.HINT, Site(site)) for site in sites)
    return replace(PROVED, findings=tuple(hints))


@pytest.mark.parametrize(
    ("over_int", "over_real", "sites"),
    [((1, 2), (2, 3), [2]), ((1, 2), (1, 2), [1, 2]), ((1,), (2,), []), ((1,), (), []), ((), (1,), [])],
)
def test_what_no_question_needs_is_reported_once(
    tmp_path: Path, over_int: tuple[int, ...], over_real: tuple[int, ...], sites: list[int]
) -> None:
    file = tracked(tmp_path, RULE)
    unneeded = {"int": without(*over_int), "real": without(*over_real)}
    found = folded(file, lambda key, domain: reply(key, unneeded[domain]))
    spans = file.planned[0].declared.sites
    assert [diagnostic.at.span for diagnostic in found.found] == [spans[site] for site in sites]
    assert {diagnostic.severity for diagnostic in found.found} <= {Severity.HINT}
    assert (found.verdict, found.as_expected) == (Verdict.PROVED, True)


@pytest.mark.parametrize("other", [refuted("RW201"), None])
def test_what_is_not_needed_is_reported_only_of_what_is_proved(tmp_path: Path, other: Answer | None) -> None:
    file = tracked(tmp_path, RULE)
    answers = {"int": without(1), "real": other}
    outcomes = {domain: answer for domain, answer in answers.items() if answer is not None}
    found = folded(file, lambda key, domain: reply(key, outcomes[domain]) if domain in outcomes else None)
    assert "RW206" not in {diagnostic.code for diagnostic in found.found}


def test_there_is_no_verdict_while_a_question_is_open(tmp_path: Path) -> None:
    file = tracked(tmp_path, RULE)
    keys = file.planned[0].keys
    some = folded(file, lambda key, domain: reply(key, PROVED) if domain == "int" else None, keys[1])
    assert (some.verdict, some.as_expected) == (None, False)
    assert [question.progress for question in some.questions] == [Progress.UNCHECKED, Progress.CHECKING]


@pytest.mark.parametrize(
    ("expectation", "code", "as_expected"),
    [
        ("@expect(refuted)", "RW201", True),
        ("@expect(refuted, code = RW203)", "RW201", False),
        ("@expect(refuted, code = RW203)", "RW203", True),
        ("@expect(unknown)", "RW201", False),
        ("@expect(proved, refuted)", "RW201", True),
    ],
)
def test_what_is_expected(tmp_path: Path, expectation: str, code: str, as_expected: bool) -> None:
    file = tracked(tmp_path, f"{expectation}\n{RULE}")
    assert folded(file, lambda key, _: reply(key, refuted(code))).as_expected is as_expected


def test_an_expectation_over_one_domain(tmp_path: Path) -> None:
    file = tracked(tmp_path, f"@expect(refuted, over = real)\n{RULE}")
    fitting = folded(file, lambda key, domain: reply(key, PROVED if domain == "int" else refuted("RW201")))
    assert fitting.as_expected
    assert not folded(file, lambda key, _: reply(key, PROVED)).as_expected


@pytest.mark.parametrize(
    ("kind", "verdict", "code"),
    [
        (FailureKind.CRASHED, Verdict.ERROR, "RW901"),
        (FailureKind.TIME, Verdict.UNKNOWN, "RW205"),
        (FailureKind.MEMORY, Verdict.UNKNOWN, "RW205"),
        (FailureKind.CANCELLED, None, None),
    ],
)
def test_a_failure_of_the_engine_is_never_a_success(
    tmp_path: Path, kind: FailureKind, verdict: Verdict | None, code: str | None
) -> None:
    file = tracked(tmp_path, RULE)
    found = folded(file, lambda key, _: JobFailure(key, kind, "first line\nlast line"))
    assert (found.verdict, found.as_expected) == (verdict, False)
    assert [diagnostic.code for diagnostic in found.diagnostics] == ([code] if code else [])


def test_an_invalid_declaration_asks_nothing(tmp_path: Path) -> None:
    file = tracked(tmp_path, RULE.replace("2 * X", "2 * Y"))
    found = folded(file, lambda key, _: None)
    assert (found.verdict, found.questions, found.as_expected) == (Verdict.INVALID, (), False)
    assert [diagnostic.code for diagnostic in found.static] == ["RW101"]


def test_places_follow_the_declaration(tmp_path: Path) -> None:
    moved = tracked(tmp_path, f"// a comment\n\n{RULE}")
    found = folded(moved, lambda key, _: reply(key, refuted("RW201")))
    assert moved.text.slice(found.found[0].at.span) == "r"


def test_keys_hold_the_meaning_and_nothing_else(tmp_path: Path) -> None:
    first = tracked(tmp_path, RULE).planned[0]
    renamed = RULE.replace("X", "Größe").replace("rule r", "// why\nrule other").replace("  axes", "      axes")
    assert tracked(tmp_path, renamed).planned[0].keys == first.keys
    assert not set(tracked(tmp_path, RULE.replace("2 *", "3 *")).planned[0].keys) & set(first.keys)


def test_a_declaration_that_did_not_change_is_not_planned_again(tmp_path: Path) -> None:
    before = tracked(tmp_path, RULE + RULE.replace("rule r", "rule s"))
    sources = Sources(tmp_path)
    sources.open(before.path, RULE.replace("2 *", "3 *") + RULE.replace("rule r", "rule s"))
    after = track(before.path, sources, How(Mode.NORMAL_FORMS, Lowerings()), before)
    assert isinstance(after, Tracked)
    assert after.planned[1] is before.planned[1]
    assert after.planned[0] is not before.planned[0]


def test_the_budget_of_a_declaration_multiplies(tmp_path: Path) -> None:
    planned: Planned = tracked(tmp_path, f"@budget(3)\n{RULE}").planned[0]
    assert job(planned, "a.rw", 2, 0).budget == 6


GRAPHS = """graph a(X: f32[n]) -> Y { Y = X }
graph b(X: f32[n]) -> Y { Y = X }
refine b of a { }
"""


def test_a_finding_may_stand_in_another_declaration(tmp_path: Path) -> None:
    """The graph moves and the refinement does not, or the other way round: the finding stays at the graph's name."""
    folder, file = Folder(), None
    finding = Finding(NoCleanExpression("Y", None, is_never_summed=False), Severity.ERROR, InDeclaration("b", 0))
    answer = Answer(Verdict.REFUTED, ALL, findings=(finding,))
    for text in (GRAPHS, GRAPHS.replace("graph b", "// moved\ngraph b"), GRAPHS.replace("refine", "\n\nrefine")):
        file = tracked(tmp_path, text, file)
        (key,) = file.planned[-1].keys
        known = KnownAnswers({key: reply(key, answer)}, ())
        (found,) = folder.file(file, known).results[-1].found
        assert text[found.at.span.start :].startswith("b(X")
        assert file.text.uri == found.at.path
