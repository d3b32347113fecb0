"""The terms of reductions in a counterexample: which are told, and in which words."""

from __future__ import annotations

from test_checks_rule import ask

from rewright.report import intermediate
from rewright.report.json_view import counterexample
from rewright.verdict import RuleWitness, SideTerms, Verdict

ITEMS = "axes A\naxis d\nint k\nmap n on A\nmap m on d\nscalar c: T\ntensor X: T[A: n]\n"


def witness(sides: str) -> RuleWitness:
    found = ask(ITEMS + sides, "T: int")
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RuleWitness)
    return found.witness


def text(found: SideTerms) -> str:
    terms = ", ".join(
        ("no partner: " if term.alone else "") + f"{intermediate.place(term)} {intermediate.term(term)}".strip()
        for term in found.terms
    )
    return f"{intermediate.heading(found)}: {terms}"


def test_a_term_too_few() -> None:
    left, right = map(
        text, witness("c * reduce(add, X, A) => reduce(add, c * slice(X, A: (1, n)), A)\nwhere n >= 1").terms
    )
    assert left == "left, the sum of 1: no partner: [0] c * X[0] = 1"
    assert right == "right, the sum of 0: "


def test_an_initial_value_has_no_index() -> None:
    left, _ = map(text, witness("reduce(max, X, A, init = c) => reduce(max, X, A)").terms)
    assert left.startswith("left, the maximum of 2: no partner: init c = ")


def test_a_dozen_terms_are_reported_and_those_without_a_partner_are_among_them() -> None:
    sides = "reduce(add, pad(broadcast(c, d: 20), 7, d: (high = 1)), d) => reduce(add, broadcast(c, d: 20), d)"
    left, right = witness(sides).terms
    assert [len(left.terms), left.more, len(right.terms), right.more] == [12, 9, 12, 8]
    assert [term.index for term in left.terms if term.alone] == [(20,)]
    assert text(left).endswith("no partner: [20] 7")
    assert not any(term.alone for term in right.terms)


def test_the_terms_are_in_the_json_document() -> None:
    found = counterexample(witness("reduce(add, X, A) => 2 * reduce(add, X, A)"))
    one = {"index": [], "source": "X", "value": "1", "alone": True}
    assert found["terms"][0] == {"side": "left", "reducer": "add", "terms": [one], "more": 0}


def test_parentheses_stand_where_an_infix_operator_is_an_operand_of_another() -> None:
    left, _ = map(text, witness("reduce(add, (X - max(X + c, 1)) * -(X + c), A) => reduce(add, X, A)").terms)
    assert "(X - max(X + c, 1)) * (-(X + c))" in left.replace("X[0]", "X")


def test_what_no_reduction_takes_apart_has_no_terms() -> None:
    """Neither side is a maximum: each is a difference or a product that has one in it."""
    sides = "X - broadcast(reduce(max, X, A), A: n) => (X - broadcast(reduce(max, X, A), A: n)) * 2"
    assert witness(sides).terms == ()


def test_data_that_is_moved_has_no_terms() -> None:
    assert witness("reverse(X, A) => X").terms == ()
