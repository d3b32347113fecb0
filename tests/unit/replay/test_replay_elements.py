"""Elements by themselves: division and its kin in exact arithmetic, enclosures of what has no exact value."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction as F

import pytest

from rewright.replay import enclosures
from rewright.replay.elements import UNDECIDED, UNDEFINED, Element, element_text, equal, pointwise
from rewright.replay.enclosures import Enclosure, ends
from rewright.replay.real_functions import LARGEST_POWER


def exp(number: int | F) -> Element:
    return pointwise("exponential", (F(number),))


@pytest.mark.parametrize("dividend", range(-7, 8))
@pytest.mark.parametrize("divisor", range(-3, 4))
def test_integers_truncate_and_the_remainder_has_the_sign_of_the_dividend(dividend: int, divisor: int) -> None:
    quotient, rest = (pointwise(name, (dividend, divisor)) for name in ("divide", "remainder"))
    if divisor == 0:
        assert (quotient, rest) == (UNDEFINED, UNDEFINED)
        return
    assert quotient == math.trunc(F(dividend, divisor))
    assert isinstance(rest, int)
    assert quotient * divisor + rest == dividend
    assert abs(rest) < abs(divisor) and rest * dividend >= 0


def test_integers_beyond_floating_point_divide_exactly() -> None:
    assert pointwise("divide", (-(10**40) - 1, 10**20)) == -(10**20)
    assert pointwise("remainder", (-(10**40) - 1, 10**20)) == -1


@pytest.mark.parametrize(
    ("name", "operands", "value"),
    [
        ("divide", (F(1), F(3)), F(1, 3)),
        ("divide", (F(-7), F(2)), F(-7, 2)),
        ("divide", (F(0), F(0)), UNDEFINED),
        ("remainder", (F(-7, 2), F(1)), F(-1, 2)),
        ("remainder", (F(7, 2), F(-3, 2)), F(1, 2)),
        ("remainder", (F(1), F(0)), UNDEFINED),
        ("abs", (-3,), 3),
        ("abs", (F(-1, 2),), F(1, 2)),
        ("sign", (-3,), -1),
        ("sign", (0,), 0),
        ("sign", (F(1, 9),), F(1)),
        ("exponential", (F(0),), F(1)),
    ],
)
def test_exact_values(name: str, operands: tuple[Element, ...], value: Element) -> None:
    found = pointwise(name, operands)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("name", ["divide", "remainder", "abs", "sign", "exponential"])
def test_infinities_and_undefined_operands_have_no_result(name: str) -> None:
    others = (F(1),) if name in {"divide", "remainder"} else ()
    for operand in (math.inf, -math.inf, UNDEFINED):
        assert pointwise(name, (operand, *others)) is UNDEFINED


@pytest.mark.parametrize("power", [F(1), F(-1), F(1, 3), F(-7, 2), F(50), F(-50), F(123456, 789), F(1, 10**9)])
def test_powers_lie_within_their_enclosure_which_is_narrow(power: F) -> None:
    found = exp(power)
    assert isinstance(found, Enclosure)
    with localcontext() as context:
        context.prec = 100
        value = F((Decimal(power.numerator) / Decimal(power.denominator)).exp())
    assert found.low < value < found.high
    assert (found.high - found.low) / value < F(1, 10**30)


def test_powers_beyond_what_is_enclosed() -> None:
    assert exp(LARGEST_POWER + 1) is UNDECIDED
    low, high = ends(exp(-LARGEST_POWER - 1))  # type: ignore[arg-type]
    assert low == 0 < high < F(1, 10**1000)


@pytest.mark.parametrize("left", [F(-3), F(-1, 2), F(0), F(2)])
@pytest.mark.parametrize("right", [F(-2), F(1, 3), F(3)])
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder"])
def test_arithmetic_on_enclosures_encloses_arithmetic_on_what_they_hold(name: str, left: F, right: F) -> None:
    width = F(1, 100)
    enclosed = [Enclosure(number - width, number + width) for number in (left, right)]
    found = pointwise(name, (enclosed[0], enclosed[1]))
    jumps = name == "remainder" and (left % right == 0)
    assert (found is UNDECIDED) == (jumps and left != 0)
    if found is UNDECIDED:
        return
    low, high = ends(found)  # type: ignore[arg-type]
    for first in (left - width, left, left + width):
        for second in (right - width, right, right + width):
            exact = pointwise(name, (first, second))
            assert isinstance(exact, F)
            assert low <= exact <= high


@pytest.mark.parametrize("name", ["abs", "negate", "sign", "exponential"])
@pytest.mark.parametrize("middle", [F(-2), F(0), F(1)])
def test_functions_of_enclosures_enclose_those_of_what_they_hold(name: str, middle: F) -> None:
    width = F(1, 100)
    found = pointwise(name, (Enclosure(middle - width, middle + width),))
    if name == "sign" and middle == 0:
        assert found is UNDECIDED
        return
    low, high = ends(found)  # type: ignore[arg-type]
    for number in (middle - width, middle, middle + width):
        first, last = ends(pointwise(name, (number,)))  # type: ignore[arg-type]
        assert low <= first and last <= high


def test_what_may_divide_by_zero_is_undecided() -> None:
    around_zero = Enclosure(F(-1), F(1))
    assert pointwise("divide", (F(1), around_zero)) is UNDECIDED
    assert pointwise("remainder", (F(1), around_zero)) is UNDECIDED
    assert pointwise("divide", (around_zero, F(0))) is UNDEFINED


def test_comparisons_are_decided_by_disjoint_enclosures_only() -> None:
    apart, overlapping = Enclosure(F(3), F(4)), Enclosure(F(1), F(5, 2))
    number = Enclosure(F(1), F(2))
    assert [pointwise(name, (number, apart)) for name in ("lt", "le", "gt", "ge", "eq", "ne")] == [
        *(True, True, False, False, False, True)
    ]
    assert {pointwise(name, (number, overlapping)) for name in ("lt", "le", "gt", "ge", "eq", "ne")} == {UNDECIDED}
    assert pointwise("le", (number, F(2))) is True
    assert pointwise("lt", (number, F(2))) is UNDECIDED
    assert pointwise("lt", (number, math.inf)) is True
    assert pointwise("maximum", (number, -math.inf)) is number
    assert pointwise("clamp", (F(3), number, math.inf)) == F(3)


def test_one_object_is_one_number() -> None:
    number, other = Enclosure(F(1), F(2)), Enclosure(F(1), F(2))
    assert equal(number, number) is True
    assert equal(number, other) is None
    assert pointwise("subtract", (number, number)) == F(0)
    assert pointwise("divide", (number, number)) == F(1)
    assert equal(exp(3), exp(3)) is True
    assert equal(pointwise("add", (exp(1), F(2))), pointwise("add", (exp(1), F(2)))) is True


def test_undecided_elements_decide_nothing_but_what_is_undefined_anyway() -> None:
    assert pointwise("add", (UNDECIDED, F(1))) is UNDECIDED
    assert pointwise("add", (UNDECIDED, UNDEFINED)) is UNDEFINED
    assert pointwise("add", (UNDECIDED, math.inf)) is UNDEFINED
    assert pointwise("select", (UNDECIDED, F(1), F(2))) is UNDECIDED
    assert pointwise("select", (True, F(1), UNDECIDED)) == F(1)


def test_zero_times_an_enclosure_is_zero() -> None:
    assert enclosures.multiply(F(0), Enclosure(F(1), F(2))) == F(0)


def test_enclosures_are_shown_as_decimals() -> None:
    assert element_text(exp(1)) == "≈2.71828183"
    assert element_text(exp(LARGEST_POWER)).endswith("E+1778")
