"""Canonical weights: elimination, counts, quotients, digits, and conditions that keep their class."""

import pytest

from rewright.equality.facts import EVERYWHERE, Fact, Facts
from rewright.equality.sums.addresses import Dead, Fibre
from rewright.equality.sums.canonical import Canonizer
from rewright.equality.sums.entailment import Entailment, Solver
from rewright.terms import (
    FALSE,
    Term,
    Variable,
    add,
    at_most,
    equal,
    less,
    multiply,
    non_negative,
    number,
    plus,
    variable,
)
from rewright.terms.polynomial import scale, subtract

K = "K"
N, PLACE = variable("n", K), variable("[A]", K)
H, Q = variable("#1", K), variable("#2", K)
AT, OTHER = variable("@0.0", K), variable("@0.1", K)


def simplified(hidden: list[Variable], conditions: list[Fact], facts: list[Fact], weights: dict[str, Term]) -> Fibre:
    fibre = Fibre(1, ("read X",), hidden, conditions, weights)
    Canonizer(Entailment(Facts.of(facts, frozenset()), Solver(None)), frozenset({PLACE})).simplify(fibre)
    return fibre


def ranged(unknown: Term, size: Term) -> list[Fact]:
    return [(K, non_negative(unknown)), (K, less(unknown, size))]


def test_a_binder_that_an_address_pins_is_gone() -> None:
    fibre = simplified([H], [(K, equal(AT, plus(H, 2))), *ranged(H, N)], [], {})
    assert fibre.hidden == []
    assert set(fibre.conditions) == {(K, at_most(number(2), AT)), (K, less(AT, plus(N, 2)))}
    assert fibre.pinned == {H: plus(AT, -2)}


def test_a_binder_that_nothing_reads_is_counted() -> None:
    fibre = simplified([H], ranged(H, N), [(K, non_negative(N))], {})
    assert (fibre.hidden, fibre.conditions, fibre.weights) == ([], [], {K: N})


def test_a_range_that_may_be_less_than_empty_keeps_its_condition() -> None:
    fibre = simplified([H], ranged(H, N), [], {})
    assert (fibre.conditions, fibre.weights) == ([(K, at_most(number(1), N))], {K: N})


def test_a_quotient_is_one_value() -> None:
    rest = subtract(AT, scale(3, H))
    fibre = simplified([H], [(K, non_negative(rest)), (K, less(rest, number(3))), *ranged(H, N)], [], {})
    assert fibre.hidden == []
    assert set(fibre.conditions) == {(K, non_negative(AT)), (K, less(AT, scale(3, N)))}


def test_a_quotient_by_a_size() -> None:
    both = equal(add(multiply(H, N), Q), add(multiply(AT, N), PLACE))
    fibre = simplified([H, Q], [(K, both), *ranged(Q, N)], ranged(PLACE, N), {})
    assert (fibre.hidden, fibre.conditions) == ([], [])


def test_digits() -> None:
    both = equal(add(multiply(AT, N), PLACE), multiply(OTHER, N))
    fibre = simplified([], [(K, both)], ranged(PLACE, N), {})
    assert set(fibre.conditions) == {(K, equal(AT, OTHER)), (K, equal(PLACE, number(0)))}


def test_a_false_condition_of_a_class_leaves_rank_0() -> None:
    fibre = simplified([H], [*ranged(H, number(0)), (K, equal(AT, H))], [], {K: N})
    assert (fibre.conditions, fibre.hidden, fibre.weights) == ([(K, FALSE)], [], {})


def test_a_false_condition_on_single_unknowns_kills() -> None:
    single = variable("#1", None)
    conditions = [(EVERYWHERE, non_negative(single)), (EVERYWHERE, less(single, number(0)))]
    with pytest.raises(Dead):
        simplified([single], conditions, [], {})
