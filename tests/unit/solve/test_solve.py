"""What terms mean to the solver, in every encoding, and what a budget does."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rewright.solve import (
    PORTFOLIO,
    AnyOf,
    Attempt,
    Differ,
    Encoding,
    Oracle,
    Query,
    SolverOutcome,
    TruthFails,
    TruthHolds,
    open_session,
)
from rewright.solve.query import Quotients, ReadEncoding
from rewright.terms import (
    FALSE,
    INT,
    REAL,
    OpenReduce,
    Range,
    Slot,
    Sort,
    Term,
    access,
    add,
    close_reduce,
    complement,
    conjoin,
    element_of,
    equal,
    every_axis,
    floor_divide,
    less,
    maximum,
    minimum,
    multiply,
    negate,
    non_negative,
    number,
    opened_indices,
    plus,
    remainder,
    some_axis,
    subtract,
    variable,
)
from rewright.terms.evaluation import evaluate
from rewright.terms.interning import intern
from rewright.terms.node import Infinity

n, i, j = variable("n", "A"), variable("i", "A"), variable("j", "A")
k = variable("k", None)
ENCODINGS = [Encoding(quotients, reads) for quotients, reads in product(Quotients, ReadEncoding)]
EVERY = pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda e: f"{e.quotients.value}-{e.reads.value}")


def ask(
    *assertions: object, ranks: tuple[tuple[str, int], ...] = (), encoding: Encoding | None = None
) -> SolverOutcome:
    attempt = Attempt(1_000_000, encoding or Encoding())
    return Oracle(2_000_000, 5.0).ask(Query(ranks, assertions), (attempt,))  # type: ignore[arg-type]


def read(index: Term, sort: Sort = INT) -> Term:
    return access("X", (Slot("A", "A", index),), sort)


@EVERY
@pytest.mark.parametrize(("left", "right"), list(product((-7, -6, 0, 6, 7), (-3, -1, 0, 1, 3))))
def test_division_floors_for_every_sign(left: int, right: int, encoding: Encoding) -> None:
    a, b = variable("a", None), variable("b", None)
    known = (TruthHolds(equal(a, number(left))), TruthHolds(equal(b, number(right))))
    quotient = evaluate(floor_divide(a, b), {a: left, b: right})
    right_answer = equal(floor_divide(a, b), number(quotient))
    assert ask(*known, TruthHolds(right_answer), encoding=encoding) is SolverOutcome.SATISFIABLE
    assert ask(*known, TruthFails(right_answer), encoding=encoding) is SolverOutcome.UNSATISFIABLE


@EVERY
def test_equal_indices_read_equal_entries(encoding: Encoding) -> None:
    same = every_axis("A", equal(i, j))
    ranks = (("A", 2),)
    assert (
        ask(TruthHolds(same), Differ(read(i), read(j)), ranks=ranks, encoding=encoding) is SolverOutcome.UNSATISFIABLE
    )
    assert ask(TruthFails(same), Differ(read(i), read(j)), ranks=ranks, encoding=encoding) is SolverOutcome.SATISFIABLE


def test_folds_are_conjunctions_over_the_axes() -> None:
    test = every_axis("A", FALSE)
    assert ask(TruthHolds(test), ranks=(("A", 0),)) is SolverOutcome.SATISFIABLE
    assert ask(TruthHolds(test), ranks=(("A", 1),)) is SolverOutcome.UNSATISFIABLE
    low, high = less(i, number(0)), less(number(0), i)
    both = conjoin(some_axis("A", low), some_axis("A", high))
    assert ask(TruthHolds(both), ranks=(("A", 1),)) is SolverOutcome.UNSATISFIABLE
    assert ask(TruthHolds(both), ranks=(("A", 2),)) is SolverOutcome.SATISFIABLE


def test_a_fact_is_asserted_on_the_axis_it_names() -> None:
    on = [TruthHolds(less(i, number(0)), (("A", 0),)), TruthHolds(less(number(0), i), (("A", 1),))]
    assert ask(*on, ranks=(("A", 2),)) is SolverOutcome.SATISFIABLE


def test_reals_are_no_integers() -> None:
    x = variable("x", None, REAL)
    between = conjoin(less(number(0, REAL), x), less(x, number(1, REAL)))
    assert ask(TruthHolds(between)) is SolverOutcome.SATISFIABLE
    assert ask(TruthHolds(between), TruthHolds(equal(x, element_of(k, REAL)))) is SolverOutcome.UNSATISFIABLE


def test_infinities_bound_nothing_but_each_other() -> None:
    low, high = intern(Infinity, False, INT), intern(Infinity, True, INT)
    assert ask(Differ(low, high)) is SolverOutcome.SATISFIABLE
    assert ask(AnyOf((Differ(low, low), Differ(high, high)))) is SolverOutcome.UNSATISFIABLE


def test_an_uninterpreted_sort_has_equality_only() -> None:
    anything = Sort("any T")
    assert ask(Differ(read(i, anything), read(j, anything)), ranks=(("A", 1),)) is SolverOutcome.SATISFIABLE


def total(body: Term, above: int = 0) -> Term:
    bound = opened_indices((Range("A", n),), above)
    return close_reduce(OpenReduce("add", bound, (Range("A", n),), add(body, read(bound[0]))))


def test_reductions_are_unknowns_that_equal_themselves() -> None:
    one, other = total(number(0, INT)), total(number(1, INT))
    ranks = (("A", 1),)
    assert ask(Differ(one, one), ranks=ranks) is SolverOutcome.UNSATISFIABLE
    assert ask(Differ(one, other), ranks=ranks) is SolverOutcome.SATISFIABLE


@pytest.mark.parametrize("rank", [0, 1, 2])
@pytest.mark.parametrize("size", [0, 1, 2])
def test_reductions_are_spelled_out(rank: int, size: int) -> None:
    """The sum of X + 1 is the sum of X and the number of terms."""
    plain, shifted = total(number(0, INT)), total(number(1, INT))
    sizes = tuple(TruthHolds(equal(n, number(size)), (("A", axis),)) for axis in range(rank))
    terms = size**rank
    wrong = TruthFails(equal(shifted, plus(plain, terms)))
    query = Query((("A", rank),), (*sizes, wrong), expand_to=2)
    assert Oracle(1_000_000, 5.0).ask(query) is SolverOutcome.UNSATISFIABLE


@pytest.mark.parametrize(("monoid", "expected"), [("maximum", maximum), ("minimum", minimum), ("multiply", multiply)])
def test_other_monoids_are_spelled_out(monoid: str, expected: object) -> None:
    bound = opened_indices((Range("A", n),), 0)
    term = close_reduce(OpenReduce(monoid, bound, (Range("A", n),), read(bound[0])))
    two = TruthHolds(equal(n, number(2)), (("A", 0),))
    right = expected(read(number(0)), read(number(1)))  # type: ignore[operator]
    query = Query((("A", 1),), (two, TruthFails(equal(term, right))), expand_to=2)
    assert Oracle(1_000_000, 5.0).ask(query) is SolverOutcome.UNSATISFIABLE


def test_models_are_read_back() -> None:
    session = open_session(Query((("A", 2),), (TruthFails(every_axis("A", equal(i, j))), Differ(read(i), read(j)))))
    assert session.check(1_000_000, 5.0) is SolverOutcome.SATISFIABLE
    first, second = ([session.integer((index, axis)) for axis in (0, 1)] for index in (i, j))
    entries = {at: element for _, at, element in session.reads()}
    assert entries[tuple(first)] != entries[tuple(second)]


def test_narrowing_is_taken_back() -> None:
    session = open_session(Query((), (TruthHolds(less(number(3), k)),)))
    session.push()
    session.limit(3)
    assert session.check(1_000_000, 5.0) is SolverOutcome.UNSATISFIABLE
    session.pop()
    session.push()
    session.limit(4)
    assert session.check(1_000_000, 5.0) is SolverOutcome.SATISFIABLE
    assert session.integer((k, None)) == 4


def cubes() -> Query:
    """A question that no solver answers soon: 114 as a sum of three cubes."""
    cube = [multiply(multiply(x, x), x) for x in (variable(name, None) for name in "xyz")]
    return Query((), (TruthHolds(equal(add(*cube), number(114))),))


def test_the_budget_is_in_steps() -> None:
    oracle = Oracle(300_000, 60.0)
    start = time.monotonic()
    assert oracle.ask(cubes()) is SolverOutcome.GAVE_UP
    assert oracle.exhausted
    assert time.monotonic() - start < 20
    assert oracle.ask(Query((), (TruthHolds(non_negative(k)),))) is SolverOutcome.GAVE_UP


def test_the_clock_is_a_guard() -> None:
    start = time.monotonic()
    assert Oracle(10**9, 0.3).ask(cubes(), (Attempt(10**9, Encoding()),)) is SolverOutcome.GAVE_UP
    assert time.monotonic() - start < 10


def test_waiting_takes_nothing_from_a_budget() -> None:
    """Only processor time counts: a machine that is busy with other things decides nothing."""
    oracle = Oracle(1_000_000, 0.2)
    time.sleep(0.25)
    assert not oracle.exhausted
    assert (
        oracle.ask(Query((), (TruthHolds(less(k, number(0))), TruthHolds(non_negative(k)))))
        is SolverOutcome.UNSATISFIABLE
    )


def test_a_text_can_be_asked_elsewhere() -> None:
    text = open_session(Query((), (TruthHolds(less(k, number(0))), TruthHolds(non_negative(k))))).text()
    assert "(check-sat)" in text
    assert "(declare-fun k () Int)" in text


def test_z3_is_imported_only_when_it_is_asked() -> None:
    server = str(Path(__file__).parents[3] / "server")
    code = (
        f"import sys; sys.path.insert(0, {server!r}); import rewright.solve, rewright.rules.decide,"
        " rewright.rules.models; assert 'z3' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_portfolio_tries_every_encoding() -> None:
    assert {attempt.encoding.quotients for attempt in PORTFOLIO} == set(Quotients)
    assert {attempt.encoding.reads for attempt in PORTFOLIO} == set(ReadEncoding)


unknowns: list[Term] = [variable(name, None) for name in "abc"]
terms = st.recursive(
    st.one_of(st.sampled_from(unknowns), st.integers(-3, 3).map(number)),
    lambda inner: st.one_of(
        st.builds(add, inner, inner),
        st.builds(multiply, inner, inner),
        st.builds(maximum, inner, inner),
        st.builds(floor_divide, inner, inner),
        st.builds(remainder, inner, inner),
        st.builds(negate, inner),
        st.builds(lambda x, y: minimum(x, subtract(y, x)), inner, inner),
    ),
    max_leaves=5,
)


@settings(max_examples=40)
@given(terms, st.lists(st.integers(-3, 3), min_size=3, max_size=3), st.sampled_from(ENCODINGS))
def test_terms_mean_to_the_solver_what_they_mean(term: Term, values: list[int], encoding: Encoding) -> None:
    point = dict(zip(unknowns, values, strict=True))
    known = [TruthHolds(equal(unknown, number(value))) for unknown, value in point.items()]
    same = equal(term, number(evaluate(term, point)))
    assert ask(*known, TruthFails(same), encoding=encoding) is SolverOutcome.UNSATISFIABLE


def test_complements_mean_the_opposite() -> None:
    for truth in (less(i, n), equal(i, n), every_axis("A", less(i, n))):
        axes = (("A", 0),)
        assert (
            ask(TruthHolds(truth, axes), TruthHolds(complement(truth), axes), ranks=(("A", 1),))
            is SolverOutcome.UNSATISFIABLE
        )


@pytest.mark.parametrize(("said", "outcome"), [("canceled", SolverOutcome.GAVE_UP), ("out of memory", None)])
def test_a_clock_that_strikes_while_the_solver_prepares_is_no_error(
    said: str, outcome: SolverOutcome | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    import z3

    def stopped(self: object) -> None:
        raise z3.Z3Exception(said.encode())

    monkeypatch.setattr(z3.Solver, "check", stopped)
    session = open_session(Query((), (TruthHolds(non_negative(variable("k", None))),)))
    if outcome is None:
        with pytest.raises(z3.Z3Exception):
            session.check(1000, 1.0)
    else:
        assert session.check(1000, 1.0) is outcome


def test_an_answer_whose_model_is_gone_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock may strike between the two."""
    import z3

    def gone(self: object) -> None:
        raise z3.Z3Exception("model is not available")

    monkeypatch.setattr(z3.Solver, "model", gone)
    session = open_session(Query((), (TruthHolds(non_negative(variable("k", None))),)))
    assert session.check(1000, 1.0) is SolverOutcome.GAVE_UP
