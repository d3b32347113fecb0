"""The second solver's meaning of terms against the first one's, and against plain evaluation."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

from rewright.solve import Attempt, Differ, Oracle, Query, SolverOutcome, TruthFails, TruthHolds, second
from rewright.solve.second import second_answer, second_text
from rewright.solve.second_meaning import SecondMeaning
from rewright.terms import (
    INDEX,
    INT,
    REAL,
    OpenReduce,
    Range,
    Slot,
    Sort,
    Term,
    access,
    add,
    at_most,
    choose,
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
    subtract,
    variable,
)
from rewright.terms.evaluation import evaluate
from rewright.terms.interning import intern
from rewright.terms.node import (
    Absolute,
    Applied,
    AxisProduct,
    Exponential,
    Infinity,
    Reciprocal,
    Special,
    SpecialFunction,
    TruncatedDivide,
)

n, i = variable("n", "A"), variable("i", "A")
k, j = variable("k", None), variable("j", None)
a, b = variable("a", None, INT), variable("b", None, INT)
x, y = variable("x", None, REAL), variable("y", None, REAL)
LOWEST, HIGHEST = intern(Infinity, False, INT), intern(Infinity, True, INT)


def said(*assertions: object, ranks: tuple[tuple[str, int], ...] = (), expand_to: int | None = None) -> SolverOutcome:
    return second_answer(Query(ranks, assertions, expand_to)).outcome  # type: ignore[arg-type]


def holds(truth: Term, *given: Term, ranks: tuple[tuple[str, int], ...] = (), expand_to: int | None = None) -> bool:
    """Whether a truth follows; the given truths must have a model with it."""
    known = [TruthHolds(each) for each in given]
    assert said(*known, TruthHolds(truth), ranks=ranks, expand_to=expand_to) is SolverOutcome.SATISFIABLE
    return said(*known, TruthFails(truth), ranks=ranks, expand_to=expand_to) is SolverOutcome.UNSATISFIABLE


@pytest.mark.parametrize(("left", "right"), list(product((-7, -6, 0, 6, 7), (-3, -1, 0, 1, 3))))
def test_division_floors_and_truncates_for_every_sign(left: int, right: int) -> None:
    given = (equal(k, number(left)), equal(j, number(right)))
    assert holds(equal(floor_divide(k, j), number(evaluate(floor_divide(k, j), {k: left, j: right}))), *given)
    truncated = abs(left) // abs(right) * (1 if (left < 0) is (right < 0) else -1) if right else 0
    elements = (equal(a, number(left, INT)), equal(b, number(right, INT)))
    assert holds(equal(intern(TruncatedDivide, a, b, INT), number(truncated, INT)), *elements)


def test_tests_hold_on_every_axis_there_is() -> None:
    below = every_axis("A", less(i, n))
    assert said(TruthFails(below), ranks=(("A", 0),)) is SolverOutcome.UNSATISFIABLE
    low, high = complement(every_axis("A", non_negative(i))), complement(every_axis("A", non_negative(negate(i))))
    assert said(TruthHolds(conjoin(low, high)), ranks=(("A", 1),)) is SolverOutcome.UNSATISFIABLE
    assert said(TruthHolds(conjoin(low, high)), ranks=(("A", 2),)) is SolverOutcome.SATISFIABLE


def test_a_product_over_no_axis_is_one() -> None:
    whole = intern(AxisProduct, "A", n, INDEX)
    assert holds(equal(whole, number(1)), ranks=(("A", 0),))
    assert holds(equal(whole, number(4)), every_axis("A", equal(n, number(2))), ranks=(("A", 2),))


def test_infinities_are_beyond_every_number() -> None:
    assert holds(less(a, b), less(maximum(LOWEST, a), minimum(b, HIGHEST)))
    assert said(Differ(maximum(a, LOWEST), a)) is SolverOutcome.UNSATISFIABLE
    chosen = choose(less(k, j), LOWEST, a)
    assert said(Differ(negate(negate(chosen)), chosen)) is SolverOutcome.UNSATISFIABLE
    assert said(Differ(chosen, a)) is SolverOutcome.SATISFIABLE
    assert said(Differ(LOWEST, HIGHEST)) is SolverOutcome.SATISFIABLE


def test_a_reduction_is_spelled_out() -> None:
    assert holds(equal(reduced("add"), number(0, INT)), at_most(k, number(0)), expand_to=2)
    first = access("X", (Slot("d", None, number(0)),), INT)
    assert holds(equal(reduced("maximum"), first), equal(k, number(1)), expand_to=2)
    assert (
        said(TruthHolds(equal(k, number(3))), Differ(reduced("add"), first), expand_to=2) is SolverOutcome.UNSATISFIABLE
    )
    nothing = (TruthHolds(equal(k, number(0))), Differ(reduced("maximum"), LOWEST))
    assert said(*nothing, expand_to=2) is SolverOutcome.UNSATISFIABLE
    assert said(*nothing) is SolverOutcome.SATISFIABLE


def test_functions_of_elements() -> None:
    inverse = intern(Reciprocal, x, REAL)
    assert holds(equal(inverse, number(0, REAL)), equal(x, number(0, REAL)))
    assert holds(equal(multiply(x, inverse), number(1, REAL)), equal(x, number(3, REAL)))
    size = intern(Absolute, x, REAL)
    assert said(TruthHolds(less(size, x))) is SolverOutcome.UNSATISFIABLE
    f = intern(Applied, "f", (x,), INT)
    assert said(TruthHolds(equal(x, y)), Differ(f, intern(Applied, "f", (y,), INT))) is SolverOutcome.UNSATISFIABLE
    assert said(Differ(f, intern(Applied, "g", (x,), INT))) is SolverOutcome.SATISFIABLE


def test_the_exponential_is_that_of_the_reals() -> None:
    power = intern(Exponential, x, REAL)
    assert said(TruthHolds(less(power, number(0, REAL)))) is SolverOutcome.UNSATISFIABLE
    assert (
        said(TruthHolds(less(number(0, REAL), x)), TruthHolds(less(power, plus(x, 1)))) is SolverOutcome.UNSATISFIABLE
    )


@pytest.mark.parametrize("name", ["sine", "cosine", "erf"])
def test_of_a_function_with_few_laws_only_the_lack_of_a_model_is_an_answer(name: SpecialFunction) -> None:
    one, other = (intern(Special, name, (each,), REAL) for each in (x, y))
    assert said(TruthHolds(equal(x, y)), Differ(one, other)) is SolverOutcome.UNSATISFIABLE
    found = second_answer(Query((), (Differ(one, negate(one)),)))
    assert (found.outcome, found.why) == (SolverOutcome.GAVE_UP, f"no second meaning: {name}")


def test_a_query_ends_by_its_resources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second, "RESOURCES", 5_000)
    found = second_answer(Query((), (TruthHolds(equal(intern(Exponential, x, REAL), number(2, REAL))),)))
    assert (found.outcome, found.why) == (SolverOutcome.GAVE_UP, "resourceout")
    assert 5_000 <= found.resources < 50_000


def test_what_it_has_no_meaning_for_is_left_unanswered() -> None:
    found = second_answer(Query((), (TruthHolds(equal(multiply(LOWEST, LOWEST), a)),)))
    assert found.outcome is SolverOutcome.GAVE_UP
    assert found.why.startswith("no second meaning")


def test_the_text_is_the_whole_question() -> None:
    element = access("X", (Slot("A", "A", i),), Sort("T"))
    text = second_text(Query((("A", 2),), (Differ(element, variable("c", None, Sort("T"))),)))
    assert text.count("declare-sort") == 1
    assert text.count("declare-fun") == 4
    assert text.endswith("(check-sat)\n")


def reduced(monoid: str) -> Term:
    """The reduction of `X` over 0 up to k."""
    ranges = (Range(None, k),)
    (index,) = opened_indices(ranges, 0)
    return close_reduce(OpenReduce(monoid, (index,), ranges, access("X", (Slot("d", None, index),), INT)))


COUNT = 120


class Random:
    """Random terms over few unknowns, of little height."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def index(self, height: int, axis: bool) -> Term:
        leaves = [k, j, number(self.rng.randint(-2, 3)), *([n, i] if axis else [])]
        if height == 0 or self.rng.random() < 0.3:
            return self.rng.choice(leaves)
        left, right = self.index(height - 1, axis), self.index(height - 1, axis)
        chosen: Callable[[], Term] = self.rng.choice(
            [
                lambda: add(left, right),
                lambda: subtract(left, right),
                lambda: minimum(left, right),
                lambda: floor_divide(left, self.rng.choice([number(2), number(-2), number(3), k])),
                lambda: choose(self.truth(height - 1, axis), left, right),
                lambda: multiply(number(2), left),
            ]
        )
        return chosen()

    def element(self, height: int, sort: Sort) -> Term:
        index = self.index(1, axis=True)
        leaves = [variable("a", None, sort), access("X", (Slot("A", "A", index),), sort), number(1, sort)]
        leaves += [element_of(self.index(1, axis=False), sort), intern(Infinity, self.rng.random() < 0.5, sort)]
        if sort == INT:
            leaves += [reduced("add"), reduced("maximum")]
        if height == 0 or self.rng.random() < 0.3:
            return self.rng.choice(leaves)
        left, right = self.element(height - 1, sort), self.element(height - 1, sort)
        return self.rng.choice(
            [maximum(left, right), minimum(left, right), choose(self.truth(height - 1, False), left, right)]
        )

    def truth(self, height: int, axis: bool) -> Term:
        left, right = self.index(height, axis), self.index(height, axis)
        test = self.rng.choice([less, at_most, equal])(left, right)
        draw = self.rng.random()
        if draw < 0.25:
            return complement(test)
        if draw < 0.5 and height:
            return conjoin(test, self.truth(height - 1, axis))
        if draw < 0.8 and not axis:
            return every_axis("A", self.truth(max(0, height - 1), True))
        return test

    def query(self) -> Query:
        """A few truths and two elements that differ, at rank 0, 1 or 2."""
        sort = self.rng.choice([INT, REAL])
        sides: list[type[TruthHolds] | type[TruthFails]] = [TruthHolds, TruthFails]
        known = [self.rng.choice(sides)(self.truth(2, False)) for _ in range(self.rng.randint(1, 3))]
        limits = [TruthHolds(conjoin(at_most(number(-3), each), at_most(each, number(3)))) for each in (k, j)]
        differ = [Differ(self.element(2, sort), self.element(2, sort))] if self.rng.random() < 0.7 else []
        return Query((("A", self.rng.randint(0, 2)),), (*known, *limits, *differ), 2)


def test_both_solvers_say_the_same_to_random_queries() -> None:
    outcomes = []
    for seed in range(COUNT):
        query = Random(seed).query()
        first = Oracle(2_000_000, 5.0).ask(query, (Attempt(1_000_000),))
        second = second_answer(query).outcome
        outcomes.append(second)
        assert SolverOutcome.GAVE_UP in (first, second) or first is second, seed
    assert min(outcomes.count(SolverOutcome.SATISFIABLE), outcomes.count(SolverOutcome.UNSATISFIABLE)) > COUNT / 8
    assert outcomes.count(SolverOutcome.GAVE_UP) < COUNT / 10


def test_random_queries_notice_a_wrong_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    right = SecondMeaning._less
    monkeypatch.setattr(SecondMeaning, "_less", lambda self, one, other: right(self, other, one))
    for seed in range(COUNT):
        query = Random(seed).query()
        first = Oracle(2_000_000, 5.0).ask(query, (Attempt(1_000_000),))
        if {first, second_answer(query).outcome} == {SolverOutcome.SATISFIABLE, SolverOutcome.UNSATISFIABLE}:
            return
    pytest.fail("no disagreement was noticed")
