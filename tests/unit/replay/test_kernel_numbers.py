"""Numbers of machine types one at a time: functions beyond their domains, rounding, conversions, against NumPy."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from rewright.kernels.execution import functions as by_lanes
from rewright.model.simt.functions import ARITY
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.replay.kernel.conversions import converted, decoding, encoding, holds_all, reinterpreted, typed
from rewright.replay.kernel.floats import function, of_integer, rounding
from rewright.replay.kernel.numbers import binary

POINTS = (0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -2.5, 3.0, 0.1, 88.0, -1e3, 1e30, -1e30, 7e-5)
SPECIAL = (*POINTS, math.inf, -math.inf, math.nan)
FLOATS: dict[Scalar, type[np.floating]] = {Scalar.F16: np.float16, Scalar.F32: np.float32, Scalar.F64: np.float64}
INTEGERS = tuple(scalar for scalar in Scalar if scalar.is_integer)


def near(mine: float, other: float, scalar: Scalar) -> bool:
    """Whether two results are the same but for the last bits."""
    if math.isnan(mine) or math.isnan(other):
        return math.isnan(mine) and math.isnan(other)
    if math.isinf(mine) or math.isinf(other):
        return mine == other
    epsilon = {Scalar.F16: 2**-9, Scalar.F32: 2**-21, Scalar.F64: 2**-49}[scalar]
    return math.isclose(mine, other, rel_tol=epsilon, abs_tol=epsilon * 2**-10)


@pytest.mark.parametrize("scalar", FLOATS)
@pytest.mark.parametrize("name", ARITY)
def test_functions_are_near_those_of_numpy(name: str, scalar: Scalar) -> None:
    mine, other, make = function(name, scalar), by_lanes.function(name, scalar), FLOATS[scalar]
    trigonometric = name in ("sin", "cos", "tan")
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for point in product(SPECIAL, repeat=ARITY[name]):
            operands = [float(make(number)) for number in point]
            if trigonometric and 1e3 < abs(operands[0]) < math.inf:
                continue
            expected = other(*(make(number) for number in point))
            if name == "fma" and scalar is Scalar.F64:
                expected = fused(operands, expected)
            if name == "pow" and operands[0] == -math.inf:
                expected = math.pow(*operands)
            assert near(mine(*operands), float(expected), scalar), (name, point, mine(*operands), expected)


def fused(operands: list[float], rounded_twice: Any) -> Any:
    """The product and sum rounded once, where all are finite."""
    if not all(map(math.isfinite, operands)):
        return rounded_twice
    left, right, addend = map(Fraction, operands)
    exact = left * right + addend
    return float(exact) if exact else rounded_twice


def test_a_product_is_not_rounded_before_the_sum() -> None:
    step = 2.0**-30
    assert function("fma", Scalar.F64)(1 + step, 1 - step, -1.0) == -(step**2)


def test_a_power_that_overflows_has_the_sign_of_its_base_if_it_is_odd() -> None:
    power = function("pow", Scalar.F64)
    assert [power(-1e200, number) for number in (2.0, 3.0)] == [math.inf, -math.inf]
    assert [power(1e200, number) for number in (2.0, 3.0)] == [math.inf, math.inf]


@pytest.mark.parametrize("scalar", [Scalar.F32, Scalar.F64])
def test_the_lesser_and_the_greater_of_two_floats(scalar: Scalar) -> None:
    lesser, greater = binary(BinaryOperator.MINIMUM, scalar), binary(BinaryOperator.MAXIMUM, scalar)
    assert (lesser(1.0, 2.0), lesser(2.0, 1.0), greater(1.0, 2.0), greater(2.0, 1.0)) == (1.0, 1.0, 2.0, 2.0)
    for of in (lesser, greater):
        assert (of(math.nan, 1.0), of(1.0, math.nan)) == (1.0, 1.0)
        assert math.isnan(of(math.nan, math.nan))


@pytest.mark.parametrize("scalar", [Scalar.F16, Scalar.F32])
def test_integers_are_rounded_once(scalar: Scalar) -> None:
    near_half = [(1 << 60) + (1 << 36) + bit for bit in (-1, 0, 1)] + [(1 << 24) + 1, (1 << 24) + 3, 2049, 2051, 65520]
    for number in (*near_half, *(-n for n in near_half), 0, 1, (1 << 63) - 1):
        with np.errstate(over="ignore"):
            assert of_integer(number, scalar) == float(FLOATS[scalar](np.int64(number))), number


def test_a_bf16_is_the_nearest_to_even() -> None:
    rounded = rounding(Scalar.BF16)
    assert rounded(1 + 2**-8) == 1.0
    assert rounded(1 + 3 * 2**-8) == 1 + 2**-6
    assert rounded(1 + 2**-8 + 2**-20) == 1 + 2**-7
    assert rounded(3.4e38) == math.inf
    assert math.isnan(rounded(math.nan))
    assert decoding(Scalar.BF16, 2)(encoding(Scalar.BF16, 2)((1.0, -2.5)), 0) == (1.0, -2.5)


def test_floats_become_the_nearest_integer_towards_zero() -> None:
    for number, target, expected in (
        (2.9, Scalar.S32, 2),
        (-2.9, Scalar.S32, -2),
        (-2.9, Scalar.U32, 0),
        (300.0, Scalar.U8, 255),
        (-300.0, Scalar.S8, -128),
        (math.inf, Scalar.S64, (1 << 63) - 1),
        (-math.inf, Scalar.S16, -(1 << 15)),
        (math.nan, Scalar.S32, 0),
    ):
        assert converted(Scalar.F64, target)(number) == expected
    assert converted(Scalar.F32, Scalar.PRED)(math.nan) is True
    assert converted(Scalar.F32, Scalar.PRED)(-0.0) is False


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", INTEGERS)
def test_conversions_that_are_copies(source: Scalar, target: Scalar) -> None:
    low = -(1 << (source.bits - 1)) if source.is_signed else 0
    ends = (low, low + (1 << source.bits) - 1)
    assert holds_all(source, target) == all(converted(source, target)(end) == end for end in ends)


def test_bits_are_kept() -> None:
    assert reinterpreted(Scalar.F32, Scalar.U32)(1.0) == 0x3F800000
    assert reinterpreted(Scalar.S32, Scalar.F32)(-1082130432) == -1.0
    assert reinterpreted(Scalar.BF16, Scalar.U16)(1.0) == 0x3F80
    assert reinterpreted(Scalar.S8, Scalar.U8)(-1) == 255


def test_numbers_are_fitted_to_their_type() -> None:
    assert typed(300, Scalar.U8) == 44
    assert typed(-1, Scalar.U32) == 0xFFFFFFFF
    assert typed(0.1, Scalar.F32) == float(np.float32(0.1))
    assert typed(7, Scalar.PRED) is True
    assert typed((1 << 24) + 1, Scalar.F32) == float(1 << 24)
