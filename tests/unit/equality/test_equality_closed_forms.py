"""Closed forms against sums that are added up: sizes from 0, bases on either side of 0, powers up to the limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rewright.equality import Facts, closed_forms
from rewright.equality.closed_forms import LARGEST, LARGEST_BESIDE_A_BASE, beside_a_base, exact_quotient, sum_of_powers
from rewright.equality.distribution import distributed
from rewright.equality.whole_powers import whole_power
from rewright.terms import (
    INDEX,
    INT,
    REAL,
    OpenReduce,
    Range,
    Term,
    add,
    close_reduce,
    complement,
    element_of,
    equal,
    multiply,
    negate,
    non_negative,
    number,
    opened_indices,
    plus,
    power,
    reciprocal,
    subtract,
    variable,
)
from rewright.terms import node as t

M, N = variable("m", None), variable("n", None)
R = variable("r", None, REAL)


def _number(value: Fraction | int) -> Term:
    return number(value, REAL)


@pytest.mark.parametrize("degree", range(LARGEST + 1))
def test_sums_of_powers(degree: int) -> None:
    for size in range(-1, 7):
        found = sum_of_powers(degree, number(size, INDEX))
        assert found is number(sum(k**degree for k in range(size + 1)), INDEX)


def test_a_greater_power_has_no_closed_form() -> None:
    assert sum_of_powers(LARGEST + 1, N) is None


def test_a_wrong_formula_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_forms, "comb", lambda n, k: 1)
    closed_forms._coefficients.cache_clear()
    with pytest.raises(ArithmeticError, match="not the sum of powers 2"):
        sum_of_powers(2, N)


@pytest.mark.parametrize("degree", range(LARGEST_BESIDE_A_BASE + 1))
@pytest.mark.parametrize("base", [Fraction(-2), Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(2), Fraction(3)])
def test_sums_of_powers_beside_a_base(degree: int, base: Fraction) -> None:
    inverse = _number(1 / (base - 1))
    for size in range(7):
        last, first = (beside_a_base(degree, _number(base), inverse, _number(at)) for at in (size, 0))
        assert last is not None and first is not None
        found = subtract(multiply(_number(base**size), last), first)
        assert found is _number(sum(k**degree * base**k for k in range(size)))


@pytest.mark.parametrize("sort", [INDEX, INT, REAL])
def test_quotients_that_leave_nothing(sort: str) -> None:
    n = N if sort == INDEX else element_of(N, REAL if sort == REAL else INT)
    one_less, one_more = plus(n, -1), plus(n, 1)
    two, six = number(2, n.sort), number(6, n.sort)
    assert exact_quotient(multiply(n, one_less), two) is not None
    assert exact_quotient(multiply(multiply(n, one_less), one_more), six) is not None
    assert exact_quotient(multiply(n, one_less), six) is None
    assert exact_quotient(n, two) is None
    assert exact_quotient(n, number(0, n.sort)) is None


def test_a_quotient_of_several_unknowns() -> None:
    square = multiply(N, N)
    mixed = add(multiply(M, square), multiply(M, N))  # m · n · (n + 1)
    assert exact_quotient(mixed, number(2)) is not None
    assert exact_quotient(add(mixed, M), number(2)) is None


WHOLE = Facts.of([], frozenset())


@pytest.mark.parametrize(("base", "size"), list(product([-2, -1, 0, 1, 3], range(-2, 4))))
def test_a_power_is_one_at_every_base_and_exponent(base: int, size: int) -> None:
    """Of 1 / 0 as 0, and 0 to the power of 0 as 1: laws that fail at 0 are not used where it is not excluded."""

    def value(at: int) -> Fraction:
        return Fraction(base) ** at if base or at >= 0 else Fraction(0)

    n = element_of(N, REAL)
    formed = whole_power(multiply(number(-1, REAL), reciprocal(R)), plus(n, 1), WHOLE)
    expected = Fraction(-1) ** (size + 1) * (1 / value(size + 1) if value(size + 1) else 0)
    assert _at(formed, {"r": Fraction(base), "n": Fraction(size)}) == expected


def test_exponents_are_split_where_that_is_right() -> None:
    n = element_of(N, REAL)
    known = Facts.of([("", _at_least_zero(N))], frozenset())
    apart = multiply(R, power(R, n))
    assert whole_power(R, plus(n, 1), known) is apart
    assert whole_power(R, plus(n, 1), WHOLE) is not apart
    assert whole_power(R, plus(n, -1), known) is not multiply(reciprocal(R), power(R, n))
    assert whole_power(R, negate(n), known) is not reciprocal(power(R, n))


def test_a_base_that_may_be_one_is_not_divided_by() -> None:
    ranges = (Range(None, N),)
    (k,) = opened_indices(ranges, 0)
    total = close_reduce(OpenReduce("add", (k,), ranges, power(R, element_of(k, REAL))))
    other = complement(equal(R, number(1, REAL)))
    n = element_of(N, REAL)
    divided = multiply(plus(power(R, n), -1), reciprocal(plus(R, -1)))
    assert distributed(total, Facts.of([("", _at_least_zero(N))], frozenset())) is total
    assert distributed(total, Facts.of([("", _at_least_zero(N)), ("", other)], frozenset())) is divided
    assert distributed(total, Facts.of([("", other)], frozenset())) is total


def _at_least_zero(index: Term) -> Term:
    return non_negative(index)


def _at(term: Term, values: dict[str, Fraction]) -> Fraction:
    match term:
        case t.Number(value=value):
            return Fraction(value)
        case t.Variable(name=name):
            return values[name]
        case t.ElementOf(index=index):
            return _at(index, values)
        case t.Polynomial(monomials=monomials):
            total = Fraction(0)
            for monomial, factor in monomials:
                part = Fraction(factor)
                for atom, times in monomial:
                    part *= _at(atom, values) ** times
                total += part
            return total
        case t.Reciprocal(operand=operand):
            value = _at(operand, values)
            return 1 / value if value else Fraction(0)
        case t.Special(operands=(base, exponent)):
            below, above = _at(base, values), int(_at(exponent, values))
            return below**above if below or above >= 0 else Fraction(0)
        case _:
            raise TypeError(term)
