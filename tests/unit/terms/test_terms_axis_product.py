"""Products over the axes of a class: their law, and what they are not."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest

from rewright.equality import Facts, simplify
from rewright.solve import Oracle, Query, SolverOutcome, TruthFails, TruthHolds
from rewright.terms import (
    Term,
    add,
    at_most,
    axis_product,
    equal,
    multiply,
    negate,
    number,
    plus,
    scale,
    substitute,
    subtract,
    variable,
)
from rewright.terms.evaluation import evaluate
from rewright.terms.interning import intern
from rewright.terms.node import AxisProduct, FloorDivide

N, M, K = variable("n", "A"), variable("m", "A"), variable("k", None)

FACTORS = [
    number(0),
    number(-12),
    number(2 * 3 * 3 * 1009),
    K,
    multiply(N, N),
    scale(6, multiply(N, K)),
    scale(-4, N),
    scale(6, add(multiply(N, M), N)),
    subtract(N, M),
    plus(scale(2, N), 1),
    negate(add(multiply(K, N), K)),
]


def at_rank(term: Term, axes: list[dict[Term, int]], k: int) -> int:
    """The value of a product over A, spelled out."""
    total = 0
    for monomial, factor in getattr(term, "monomials", (((((term, 1),), 1)),)):
        for atom, power in monomial:
            factor *= _atom(atom, axes, k) ** power
        total += factor
    return total


def _atom(atom: Term, axes: list[dict[Term, int]], k: int) -> int:
    if isinstance(atom, AxisProduct):
        return prod(int(evaluate(atom.factor, {**axis, K: k})) for axis in axes)
    return int(evaluate(atom, {K: k}))


@pytest.mark.parametrize("factor", FACTORS, ids=repr)
@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_taking_factors_out_keeps_the_value_at_every_rank(factor: Term, rank: int) -> None:
    term = axis_product("A", factor)
    for values in product((-2, 0, 3), repeat=rank):
        axes: list[dict[Term, int]] = [{N: value, M: 1 - value} for value in values]
        for k in (-1, 0, 2):
            assert at_rank(term, axes, k) == prod(int(evaluate(factor, {**axis, K: k})) for axis in axes)


def test_the_product_of_a_number_is_not_the_number() -> None:
    assert axis_product("A", number(1)) is number(1)
    assert axis_product("A", number(3)) is intern(AxisProduct, "A", number(3), number(3).sort)
    assert axis_product("A", K) is not K


def test_over_a_single_axis_it_is_the_term() -> None:
    assert axis_product(None, K) is K


def test_products_of_products_are_one_term_however_they_are_written() -> None:
    left = axis_product("A", scale(6, multiply(N, add(N, M))))
    right = multiply(axis_product("A", scale(2, N)), axis_product("A", scale(3, add(N, M))))
    assert left is right


def test_it_speaks_of_no_axis() -> None:
    assert axis_product("A", N).classes == frozenset()


def test_substitution_goes_below_it() -> None:
    assert substitute(axis_product("A", N), {N: scale(2, M)}) is multiply(
        axis_product("A", number(2)), axis_product("A", M)
    )


def test_facts_of_the_class_hold_for_its_factors() -> None:
    facts = Facts.of([("A", equal(N, number(1))), ("A", at_most(number(2), M))], frozenset())
    assert simplify(axis_product("A", multiply(plus(M, 5), K)), facts) is axis_product("A", multiply(plus(M, 5), K))
    assert facts.non_negative(plus(axis_product("A", M), -1))
    assert not facts.non_negative(plus(axis_product("A", M), -2)), "at rank 0 it is 1"


def test_what_is_known_of_an_axis_says_nothing_where_there_is_none() -> None:
    """k is at least 1 wherever A has an axis; below the product that may be used, beside it not."""
    facts = Facts.of([("A", at_most(number(1), K)), ("A", at_most(number(0), N))], frozenset())
    below = axis_product("A", intern(FloorDivide, N, K, N.sort))
    assert facts.non_negative(below)
    assert not facts.non_negative(add(below, K))


@pytest.mark.parametrize(("rank", "value"), [(0, 1), (1, 3), (2, 9)])
def test_the_solver_reads_it_at_the_rank_of_the_query(rank: int, value: int) -> None:
    ranks = (("A", rank),)
    known = [TruthHolds(equal(N, number(3)), (("A", axis),)) for axis in range(rank)]
    said = equal(axis_product("A", N), number(value))
    assert Oracle(1_000_000, 5.0).ask(Query(ranks, (*known, TruthFails(said)))) is SolverOutcome.UNSATISFIABLE
