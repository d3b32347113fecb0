"""Functions of real numbers: enclosures of decimal values, exact values, domains, and what is not decided."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction as F

import pytest

from rewright.replay.elements import UNDECIDED, UNDEFINED, Element, element_text, equal, pointwise
from rewright.replay.enclosures import Enclosure, ends
from rewright.replay.real_functions import LARGEST_ANGLE, LARGEST_POWER

FUNCTIONS: dict[str, Callable[[Decimal], Decimal]] = {
    "exponential": Decimal.exp,
    "exponential_minus_one": lambda x: x.exp() - 1,
    "log": Decimal.ln,
    "log_plus_one": lambda x: (x + 1).ln(),
    "sqrt": Decimal.sqrt,
    "rsqrt": lambda x: 1 / x.sqrt(),
    "logistic": lambda x: 1 / (1 + (-x).exp()),
    "tanh": lambda x: (x.exp() - (-x).exp()) / (x.exp() + (-x).exp()),
}
WAVES: dict[str, Callable[[float], float]] = {"sine": math.sin, "cosine": math.cos, "erf": math.erf}
ABOVE_ZERO = {"log", "rsqrt"}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("operand", [F(2), F(1, 3), F(-1, 3), F(-7, 2), F(30), F(1, 10**9), F(12345, 678)])
def test_values_lie_within_their_enclosure_which_is_narrow(name: str, operand: F) -> None:
    found = pointwise(name, (operand,))
    least = {"log": 0, "rsqrt": 0, "sqrt": 0, "log_plus_one": -1}.get(name)
    if least is not None and operand < least:
        assert found is UNDEFINED
        return
    with localcontext() as context:
        context.prec = 100
        value = F(FUNCTIONS[name](Decimal(operand.numerator) / Decimal(operand.denominator)))
    assert isinstance(found, Enclosure)
    assert found.low < value < found.high
    assert found.high - found.low < F(1, 10**30) * max(F(1), abs(value))


@pytest.mark.parametrize("name", WAVES)
@pytest.mark.parametrize("operand", [F(2), F(-1, 3), F(-7, 2), F(100), F(1, 10**9)])
def test_waves_and_the_error_function_are_near_their_floats(name: str, operand: F) -> None:
    low, high = ends(pointwise(name, (operand,)))  # type: ignore[arg-type]
    assert high - low < F(1, 10**30)
    assert math.isclose(float(low), WAVES[name](float(operand)), rel_tol=1e-12)


@pytest.mark.parametrize(
    ("name", "operands", "value"),
    [
        ("log", (F(1),), F(0)),
        ("log_plus_one", (F(0),), F(0)),
        ("exponential_minus_one", (F(0),), F(0)),
        ("sqrt", (F(9, 4),), F(3, 2)),
        ("sqrt", (F(0),), F(0)),
        ("rsqrt", (F(9, 4),), F(2, 3)),
        ("logistic", (F(0),), F(1, 2)),
        ("tanh", (F(0),), F(0)),
        ("sine", (F(0),), F(0)),
        ("cosine", (F(0),), F(1)),
        ("erf", (F(0),), F(0)),
        ("floor", (F(-5, 2),), F(-3)),
        ("ceil", (F(-5, 2),), F(-2)),
        ("power", (F(-2), F(3)), F(-8)),
        ("power", (F(-2), F(-1)), F(-1, 2)),
        ("power", (F(9, 4), F(-3, 2)), F(8, 27)),
        ("power", (F(0), F(0)), F(1)),
        ("power", (F(0), F(1, 3)), F(0)),
        ("power", (F(1), F(1, 3)), F(1)),
        ("power", (-2, 5), -32),
        ("power", (0, 0), 1),
        ("log", (F(0),), UNDEFINED),
        ("log", (F(-1),), UNDEFINED),
        ("log_plus_one", (F(-1),), UNDEFINED),
        ("sqrt", (F(-1),), UNDEFINED),
        ("rsqrt", (F(0),), UNDEFINED),
        ("power", (F(0), F(-1)), UNDEFINED),
        ("power", (F(0), F(-1, 2)), UNDEFINED),
        ("power", (F(-1), F(1, 2)), UNDEFINED),
        ("power", (2, -1), UNDEFINED),
    ],
)
def test_exact_values_and_domains(name: str, operands: tuple[Element, ...], value: Element) -> None:
    found = pointwise(name, operands)
    assert found == value
    assert type(found) is type(value)


AROUND = Enclosure(F(-1, 8), F(1, 8))
BELOW = Enclosure(F(-2), F(-1))


@pytest.mark.parametrize("name", ["log", "sqrt", "rsqrt"])
def test_an_operand_that_may_be_on_either_side_of_a_domain_is_undecided(name: str) -> None:
    assert pointwise(name, (AROUND,)) is UNDECIDED
    assert pointwise(name, (BELOW,)) is UNDEFINED
    assert pointwise("log_plus_one", (Enclosure(F(-2), F(0)),)) is UNDECIDED


def test_powers_whose_definedness_is_not_known_are_undecided() -> None:
    assert pointwise("power", (AROUND, F(1, 2))) is UNDECIDED
    assert pointwise("power", (AROUND, F(-1))) is UNDECIDED
    assert pointwise("power", (BELOW, F(1, 2))) is UNDEFINED
    assert pointwise("power", (BELOW, AROUND)) is UNDECIDED
    assert pointwise("power", (F(0), AROUND)) is UNDECIDED
    assert ends(pointwise("power", (AROUND, F(2)))) == (F(0), F(1, 64))  # type: ignore[arg-type]
    assert pointwise("power", (F(3), F(10**9))) is UNDECIDED
    assert pointwise("power", (3, 10**9)) is UNDECIDED


@pytest.mark.parametrize("name", [*FUNCTIONS, *WAVES])
@pytest.mark.parametrize("middle", [F(1, 2), F(3), F(40)])
def test_functions_of_enclosures_enclose_those_of_what_they_hold(name: str, middle: F) -> None:
    width = F(1, 100)
    low, high = ends(pointwise(name, (Enclosure(middle - width, middle + width),)))  # type: ignore[arg-type]
    for number in (middle - width, middle, middle + width):
        first, last = ends(pointwise(name, (number,)))  # type: ignore[arg-type]
        assert low <= first and last <= high
    assert high - low < 1 or name in {"exponential", "exponential_minus_one"}


@pytest.mark.parametrize("name", ["logistic", "tanh", "erf", "exponential"])
def test_far_from_zero_functions_stay_within_their_bounds(name: str) -> None:
    least = {"tanh": -1, "erf": -1}.get(name, 0)
    low, high = ends(pointwise(name, (F(-LARGEST_POWER - 5),)))  # type: ignore[arg-type]
    assert low == least < high < least + F(1, 10**30)
    if name != "exponential":
        low, high = ends(pointwise(name, (F(LARGEST_POWER + 5),)))  # type: ignore[arg-type]
        assert 1 - F(1, 10**30) < low < high == 1
    low, high = ends(pointwise("sine", (F(2 * LARGEST_ANGLE),)))  # type: ignore[arg-type]
    assert (low, high) == (F(-1), F(1))


def test_rounding_is_decided_where_both_ends_round_alike() -> None:
    assert pointwise("floor", (Enclosure(F(1, 3), F(1, 2)),)) == F(0)
    assert pointwise("ceil", (Enclosure(F(1, 3), F(1, 2)),)) == F(1)
    assert pointwise("floor", (AROUND,)) is UNDECIDED


def test_one_object_is_one_number() -> None:
    assert equal(pointwise("log", (F(2),)), pointwise("log", (F(2),))) is True
    root = pointwise("sqrt", (F(2),))
    assert pointwise("subtract", (root, root)) == F(0)


def test_what_is_left_of_equal_numbers_is_shown_as_zero() -> None:
    residue = pointwise("subtract", (F(1), pointwise("log", (pointwise("exponential", (F(1),)),))))
    assert isinstance(residue, Enclosure)
    assert element_text(residue) == "≈0"
    assert element_text(pointwise("log", (F(2),))) == "≈0.693147181"
