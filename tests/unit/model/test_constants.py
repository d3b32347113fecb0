"""The arithmetic of constants gives what NumPy computes in the same types, and what C says of divisions and shifts."""

import math
import random
from typing import Any

import numpy as np
import pytest

from rewright.model.simt import constants
from rewright.model.simt.constants import NoValue
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator

INTEGERS = [scalar for scalar in Scalar if scalar.is_integer]
FLOATS = [Scalar.F16, Scalar.F32, Scalar.F64]
DTYPES: dict[Scalar, Any] = {scalar: np.dtype(f"{'iu'[not scalar.is_signed]}{scalar.bytes}") for scalar in INTEGERS}
DTYPES |= {scalar: np.dtype(f"f{scalar.bytes}") for scalar in FLOATS}
FUNCTIONS: dict[BinaryOperator, Any] = {
    BinaryOperator.ADD: np.add,
    BinaryOperator.SUBTRACT: np.subtract,
    BinaryOperator.MULTIPLY: np.multiply,
    BinaryOperator.MINIMUM: np.minimum,
    BinaryOperator.MAXIMUM: np.maximum,
    BinaryOperator.LESS: np.less,
    BinaryOperator.LESS_EQUAL: np.less_equal,
    BinaryOperator.GREATER: np.greater,
    BinaryOperator.GREATER_EQUAL: np.greater_equal,
    BinaryOperator.EQUAL: np.equal,
    BinaryOperator.NOT_EQUAL: np.not_equal,
}
BITWISE = {BinaryOperator.AND: np.bitwise_and, BinaryOperator.OR: np.bitwise_or, BinaryOperator.XOR: np.bitwise_xor}
ROUNDS = 60


def _integers(scalar: Scalar, source: random.Random) -> list[int]:
    least, most = constants.limits(scalar)
    edges = [each for each in (least, least + 1, -1, 0, 1, 2, 7, most - 1, most) if least <= each <= most]
    return edges + [source.randint(least, most) for _ in range(ROUNDS)]


def _floats(scalar: Scalar, source: random.Random) -> list[float]:
    drawn = [source.choice([1, -1]) * source.random() * 2.0 ** source.randint(-20, 16) for _ in range(ROUNDS)]
    edges = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 0.1, 3.0]
    return [float(DTYPES[scalar].type(each)) for each in edges + drawn]


def _same(found: float, expected: Any) -> bool:
    return math.isnan(found) if math.isnan(expected) else found == expected


@pytest.mark.parametrize("scalar", INTEGERS)
def test_limits_are_those_of_numpy(scalar: Scalar) -> None:
    known = np.iinfo(DTYPES[scalar])
    assert constants.limits(scalar) == (known.min, known.max)


@pytest.mark.parametrize("scalar", INTEGERS)
@pytest.mark.parametrize("of", [*FUNCTIONS, *BITWISE])
def test_integers_are_as_in_numpy(scalar: Scalar, of: BinaryOperator) -> None:
    source, made = random.Random(f"{scalar} {of}"), DTYPES[scalar].type
    for left, right in zip(_integers(scalar, source), reversed(_integers(scalar, source)), strict=True):
        with np.errstate(all="ignore"):
            expected = (FUNCTIONS | BITWISE)[of](made(left), made(right))
        assert constants.binary(of, left, right, scalar) == int(expected), (left, right)


@pytest.mark.parametrize("scalar", FLOATS)
@pytest.mark.parametrize("of", [of for of in FUNCTIONS if of not in (BinaryOperator.MINIMUM, BinaryOperator.MAXIMUM)])
def test_floats_are_as_in_numpy(scalar: Scalar, of: BinaryOperator) -> None:
    source, made = random.Random(f"{scalar} {of}"), DTYPES[scalar].type
    for left, right in zip(_floats(scalar, source), reversed(_floats(scalar, source)), strict=True):
        with np.errstate(all="ignore"):
            expected = FUNCTIONS[of](made(left), made(right))
        assert _same(constants.binary(of, left, right, scalar), expected), (left, right)


@pytest.mark.parametrize("scalar", FLOATS)
def test_quotients_of_floats_are_as_in_numpy(scalar: Scalar) -> None:
    source, made = random.Random(scalar), DTYPES[scalar].type
    for left, right in zip(_floats(scalar, source), reversed(_floats(scalar, source)), strict=True):
        with np.errstate(all="ignore"):
            quotient, rest = np.divide(made(left), made(right)), np.fmod(made(left), made(right))
        assert _same(constants.binary(BinaryOperator.DIVIDE, left, right, scalar), quotient), (left, right)
        assert _same(constants.binary(BinaryOperator.REMAINDER, left, right, scalar), rest), (left, right)


@pytest.mark.parametrize("scalar", INTEGERS)
def test_division_truncates_and_the_remainder_fits(scalar: Scalar) -> None:
    source = random.Random(scalar)
    for left, right in zip(_integers(scalar, source), reversed(_integers(scalar, source)), strict=True):
        if right == 0:
            with pytest.raises(NoValue):
                constants.binary(BinaryOperator.DIVIDE, left, right, scalar)
            continue
        quotient = int(constants.binary(BinaryOperator.DIVIDE, left, right, scalar))
        rest = int(constants.binary(BinaryOperator.REMAINDER, left, right, scalar))
        assert abs(rest) < abs(right) and rest * left >= 0
        assert quotient == constants.wrapped((left - rest) // right, scalar)


@pytest.mark.parametrize("scalar", INTEGERS)
def test_shifts_lose_all_bits_at_the_width(scalar: Scalar) -> None:
    for value in _integers(scalar, random.Random(scalar)):
        for amount in (0, 1, scalar.bits - 1):
            expected = constants.wrapped(value * 2**amount, scalar)
            assert constants.binary(BinaryOperator.SHIFT_LEFT, value, amount, scalar) == expected
            assert constants.binary(BinaryOperator.SHIFT_RIGHT, value, amount, scalar) == value // 2**amount
        for amount in (scalar.bits, scalar.bits + 1, -1):
            assert constants.binary(BinaryOperator.SHIFT_LEFT, value, amount, scalar) == 0
            assert constants.binary(BinaryOperator.SHIFT_RIGHT, value, amount, scalar) == (-1 if value < 0 else 0)


@pytest.mark.parametrize("scalar", INTEGERS)
def test_bits_are_counted_in_the_pattern(scalar: Scalar) -> None:
    for value in _integers(scalar, random.Random(scalar)):
        written = np.binary_repr(value, scalar.bits) if value < 0 else f"{value:0{scalar.bits}b}"
        found = {of: constants.unary(of, value, scalar) for of in UnaryOperator}
        assert found[UnaryOperator.COUNT_ONES] == written.count("1")
        assert found[UnaryOperator.LEADING_ZEROS] == (written + "1").index("1")
        assert found[UnaryOperator.FIRST_ONE] == ((written[::-1] + "1").index("1") + 1 if value else 0)
        assert int(found[UnaryOperator.REVERSE_BITS]) % 2**scalar.bits == int(written[::-1], 2)
        assert int(found[UnaryOperator.COMPLEMENT]) + value == (-1 if scalar.is_signed else 2**scalar.bits - 1)


@pytest.mark.parametrize("value", [1.0, 1.0039, 1.00390625, 1.01171875, -3.39e38, 3.4e38, 1e-40, math.inf, 0.1, 257.0])
def test_a_bf16_is_the_nearest_with_eight_digits(value: float) -> None:
    found = constants.rounded(value, Scalar.BF16)
    single = float(np.float32(value))
    bits = int(np.float32(found).view(np.uint32))
    assert bits & 0xFFFF == 0
    for step in (-0x10000, 0x10000):
        beside = float(np.uint32((bits + step) % 2**32).view(np.float32))
        if math.isfinite(found) and math.isfinite(beside):
            assert abs(single - found) <= abs(single - beside)


@pytest.mark.parametrize("scalar", FLOATS)
def test_integers_become_the_nearest_float(scalar: Scalar) -> None:
    for value in (0, 1, -1, 2**11 + 1, 2**24 + 1, -(2**24) - 3, 2**31 - 1, 2**53 + 1):
        with np.errstate(over="ignore"):
            assert constants.converted(value, scalar) == float(np.float64(value).astype(DTYPES[scalar]))


def test_what_is_not_finite_is_no_integer() -> None:
    for value in (math.inf, -math.inf, math.nan):
        with pytest.raises(NoValue):
            constants.converted(value, Scalar.S32)
