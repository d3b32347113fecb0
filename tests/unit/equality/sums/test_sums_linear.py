"""Contradictions of inequalities: found by the simplex method, in integers."""

import random
from fractions import Fraction
from itertools import product

from rewright.equality.sums.linear import contradictory
from rewright.terms import variable
from rewright.terms.polynomial import Sum

X, Y = (variable(name, None) for name in "xy")


def affine(x: int, y: int, constant: int) -> Sum:
    return {m: value for m, value in ((((X, 1),), x), (((Y, 1),), y), ((), constant)) if value}


def test_opposite_bounds() -> None:
    assert contradictory([affine(1, 0, -1), affine(-1, 0, 0)], [])
    assert not contradictory([affine(1, 0, 0), affine(-1, 0, 0)], [])


def test_an_equation_may_be_used_with_any_sign() -> None:
    assert contradictory([affine(0, 1, -3)], [affine(2, 1, 0), affine(1, 0, 1)])


def test_rational_coefficients() -> None:
    half: Sum = {((X, 1),): Fraction(1, 2), (): Fraction(-1, 3)}
    assert contradictory([half, affine(-3, 0, 1)], [])
    assert not contradictory([half, affine(-3, 0, 2)], [])


def test_what_has_a_solution_is_no_contradiction() -> None:
    rng = random.Random(5)
    found = 0
    for _ in range(300):
        sums = [affine(rng.randint(-2, 2), rng.randint(-2, 2), rng.randint(-3, 3)) for _ in range(rng.randint(2, 6))]
        solvable = any(
            all(s.get(((X, 1),), 0) * x + s.get(((Y, 1),), 0) * y + s.get((), 0) >= 0 for s in sums)
            for x, y in product(range(-4, 5), repeat=2)
        )
        refuted = contradictory([s for s in sums if s], [])
        assert not (solvable and refuted)
        found += refuted
    assert found > 30
