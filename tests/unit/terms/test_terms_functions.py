"""The laws of quotients, absolute values, exponentials and comparisons of them, as equal terms."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rewright.terms import (
    FALSE,
    INT,
    REAL,
    TRUE,
    Term,
    absolute,
    add,
    applied,
    at_most,
    complement,
    conjoin,
    disjoin,
    element_of,
    equal,
    exponential,
    less,
    multiply,
    negate,
    number,
    plus,
    reciprocal,
    scale,
    sign,
    subtract,
    truncated_divide,
    truncated_remainder,
    variable,
    zero,
)

X, Y, Z = (variable(name, None, REAL) for name in "xyz")
A, B, C = (variable(name, None, INT) for name in "abc")
NONE, ONE = number(0, REAL), number(1, REAL)


def over(left: Term, right: Term) -> Term:
    return multiply(left, reciprocal(right))


def power(term: Term, exponent: int) -> Term:
    return ONE if exponent == 0 else multiply(term, power(term, exponent - 1))


def test_reciprocals_are_multiplicative_and_involutive() -> None:
    assert reciprocal(reciprocal(X)) is X
    assert reciprocal(multiply(X, Y)) is multiply(reciprocal(X), reciprocal(Y))
    assert reciprocal(scale(2, X)) is scale(Fraction(1, 2), reciprocal(X))
    assert reciprocal(scale(-4, add(X, Y))) is scale(Fraction(-1, 4), reciprocal(add(X, Y)))
    assert reciprocal(add(multiply(X, Y), multiply(X, Z))) is multiply(reciprocal(X), reciprocal(add(Y, Z)))
    assert reciprocal(NONE) is NONE
    assert reciprocal(number(4, REAL)) is number(Fraction(1, 4), REAL)


def test_quotients_of_quotients() -> None:
    w = variable("w", None, REAL)
    assert over(over(X, Y), over(Z, w)) is over(multiply(X, w), multiply(Y, Z))
    assert over(X, over(Y, Z)) is over(multiply(X, Z), Y)


def test_nothing_is_cancelled_that_may_be_zero() -> None:
    assert over(X, X) is not ONE
    assert multiply(over(X, X), over(X, X)) is over(X, X)
    assert multiply(X, over(X, X)) is X
    assert over(over(X, X), X) is reciprocal(X)


@pytest.mark.parametrize(("above", "below"), [(above, below) for above in range(4) for below in range(4)])
def test_powers_of_a_number_and_of_its_reciprocal(above: int, below: int) -> None:
    left = multiply(power(X, above), power(reciprocal(X), below))
    if above > below:
        assert left is power(X, above - below) or below == 0
    elif above < below:
        assert left is power(reciprocal(X), below - above) or above == 0
    else:
        assert left is (over(X, X) if above else ONE)


def test_absolute_values_are_multiplicative() -> None:
    assert multiply(absolute(X), absolute(X)) is multiply(X, X)
    assert absolute(negate(X)) is absolute(X)
    assert absolute(multiply(X, Y)) is multiply(absolute(X), absolute(Y))
    assert absolute(subtract(X, Y)) is absolute(subtract(Y, X))
    assert absolute(absolute(X)) is absolute(X)
    assert absolute(over(X, Y)) is over(absolute(X), absolute(Y))
    assert over(X, absolute(X)) is over(absolute(X), X)
    assert absolute(number(-3, INT)) is number(3, INT)
    assert absolute(multiply(add(A, B), C)) is multiply(absolute(add(A, B)), absolute(C))


def test_exponentials_of_sums_are_products() -> None:
    assert multiply(exponential(X), exponential(Y)) is exponential(add(X, Y))
    assert multiply(exponential(X), exponential(X)) is exponential(scale(2, X))
    assert over(ONE, exponential(X)) is exponential(negate(X))
    assert over(exponential(X), exponential(X)) is ONE
    assert exponential(NONE) is ONE
    assert absolute(exponential(X)) is exponential(X)


def test_exponentials_are_compared_by_their_exponents() -> None:
    assert less(exponential(X), exponential(Y)) is less(X, Y)
    assert equal(scale(3, exponential(X)), number(3, REAL)) is equal(X, NONE)
    assert less(NONE, exponential(X)) is TRUE
    assert zero(exponential(X)) is FALSE
    assert zero(multiply(Y, exponential(X))) is zero(Y)


def test_a_product_is_zero_where_a_factor_is() -> None:
    assert zero(multiply(X, Y)) is disjoin(zero(X), zero(Y))
    assert complement(zero(over(X, Y))) is conjoin(complement(zero(X)), complement(zero(Y)))
    assert zero(reciprocal(X)) is zero(X)
    assert zero(absolute(A)) is zero(A)
    assert zero(plus(multiply(X, X), 1)) is FALSE
    assert zero(multiply(A, element_of(variable("k", None), INT))) is disjoin(zero(A), zero(variable("k", None)))


def test_comparisons_of_absolute_values() -> None:
    assert less(absolute(X), Y) is conjoin(less(X, Y), less(negate(X), Y))
    assert at_most(number(0, INT), absolute(A)) is TRUE
    assert less(absolute(A), number(0, INT)) is FALSE


def test_truncated_quotients() -> None:
    assert truncated_divide(A, number(1, INT)) is A
    assert truncated_divide(A, number(-1, INT)) is negate(A)
    assert truncated_divide(negate(A), B) is negate(truncated_divide(A, B))
    assert truncated_divide(A, negate(B)) is negate(truncated_divide(A, B))
    assert truncated_divide(truncated_divide(A, B), C) is truncated_divide(A, multiply(B, C))
    assert truncated_divide(scale(6, A), scale(4, B)) is truncated_divide(scale(3, A), scale(2, B))
    assert truncated_divide(A, number(0, INT)) is number(0, INT)
    assert truncated_divide(A, A) is not number(1, INT)


@pytest.mark.parametrize(
    ("left", "right", "quotient", "rest"),
    [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1), (1, 2, 0, 1), (7, 0, 0, 7)],
)
def test_truncated_quotients_of_numbers(left: int, right: int, quotient: int, rest: int) -> None:
    assert truncated_divide(number(left, INT), number(right, INT)) is number(quotient, INT)
    assert truncated_remainder(number(left, INT), number(right, INT)) is number(rest, INT)


def test_remainders() -> None:
    rest = truncated_remainder(A, B)
    assert truncated_remainder(rest, B) is rest
    assert truncated_remainder(negate(A), B) is negate(rest)
    assert truncated_remainder(A, negate(B)) is rest
    assert add(multiply(B, truncated_divide(A, B)), rest) is A
    assert truncated_remainder(truncated_remainder(scale(4, A), scale(6, B)), scale(6, B)) is truncated_remainder(
        scale(4, A), scale(6, B)
    )


def test_signs_are_choices() -> None:
    assert sign(number(-3, REAL)) is number(-1, REAL)
    assert sign(number(0, INT)) is number(0, INT)
    assert sign(number(Fraction(1, 2), REAL)) is ONE


def test_functions_have_one_value_at_the_same_operands() -> None:
    assert applied("f", (add(X, Y),), REAL) is applied("f", (add(Y, X),), REAL)
    assert applied("f", (X,), REAL) is not applied("f", (Y,), REAL)
    assert applied("f", (X,), REAL) is not applied("g", (X,), REAL)
