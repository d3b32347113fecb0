"""Operators, conversions and functions, against Python's integers and floats of the right width."""

from __future__ import annotations

import itertools
import math
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from assembler import PRED, Assembler, number

from rewright.model.simt.functions import ARITY
from rewright.model.simt.instructions import Constant, Register
from rewright.model.simt.types import BinaryOperator, Scalar, UnaryOperator
from rewright.model.simt.violation import FailedAssertion, Violation
from rewright.verdict import Place

INTEGERS = [scalar for scalar in Scalar if scalar.is_integer]
FLOATS = [scalar for scalar in Scalar if scalar.is_float]


def wrapped(value: int, scalar: Scalar) -> int:
    """A number in two's complement."""
    low = value & ((1 << scalar.bits) - 1)
    return low - (1 << scalar.bits) if scalar.is_signed and low >> (scalar.bits - 1) else low


def interesting(scalar: Scalar) -> list[int]:
    """Small numbers, the ends of the range, and what is near them."""
    top = 1 << (scalar.bits - 1)
    near = {0, 1, 2, 3, 5, 7, 100, -1, -2, -7, top - 1, top, top + 1, 2 * top - 1, top // 3, 0x55 % top}
    return sorted({wrapped(value, scalar) for value in near})


def bits(value: int, scalar: Scalar) -> int:
    """As an unsigned number."""
    return value & ((1 << scalar.bits) - 1)


def shifted(value: int, amount: int, scalar: Scalar, by: Scalar) -> tuple[int, int]:
    """Left and right; the amount counts as unsigned."""
    if bits(amount, by) >= scalar.bits:
        return 0, -1 if value < 0 else 0
    return value << amount, value >> amount


def truncated(left: int, right: int) -> int:
    """The quotient towards zero."""
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


PYTHON: dict[BinaryOperator, Callable[[int, int], int]] = {
    BinaryOperator.ADD: lambda x, y: x + y,
    BinaryOperator.SUBTRACT: lambda x, y: x - y,
    BinaryOperator.MULTIPLY: lambda x, y: x * y,
    BinaryOperator.DIVIDE: truncated,
    BinaryOperator.REMAINDER: lambda x, y: x - truncated(x, y) * y,
    BinaryOperator.AND: lambda x, y: x & y,
    BinaryOperator.OR: lambda x, y: x | y,
    BinaryOperator.XOR: lambda x, y: x ^ y,
    BinaryOperator.MINIMUM: min,
    BinaryOperator.MAXIMUM: max,
    BinaryOperator.LESS: lambda x, y: x < y,
    BinaryOperator.LESS_EQUAL: lambda x, y: x <= y,
    BinaryOperator.GREATER: lambda x, y: x > y,
    BinaryOperator.GREATER_EQUAL: lambda x, y: x >= y,
    BinaryOperator.EQUAL: lambda x, y: x == y,
    BinaryOperator.NOT_EQUAL: lambda x, y: x != y,
}


def divisors(operator: BinaryOperator, scalar: Scalar) -> list[int]:
    """Right operands of which nothing is claimed."""
    return [
        value
        for value in interesting(scalar)
        if value or operator not in (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)
    ]


def expected(operator: BinaryOperator, left: int, right: int, scalar: Scalar) -> int:
    """What a binary operator of integers gives."""
    if operator is BinaryOperator.SHIFT_LEFT:
        return wrapped(shifted(left, right, scalar, scalar)[0], scalar)
    if operator is BinaryOperator.SHIFT_RIGHT:
        return wrapped(shifted(left, right, scalar, scalar)[1], scalar)
    if operator is BinaryOperator.MULTIPLY_HIGH:
        return wrapped(left * right >> scalar.bits, scalar)
    if operator.is_comparison:
        return int(PYTHON[operator](left, right))
    return wrapped(PYTHON[operator](left, right), scalar)


Compute = Callable[[Assembler, tuple[Register, ...]], Register]


def of_both(operator: str) -> Compute:
    """A binary operator of two columns."""
    return lambda a, v: a.binary(operator, v[0], v[1])


def by(operator: str, right: int) -> Compute:
    """A binary operator of one column and a number."""
    return lambda a, v: a.binary(operator, v[0], right)


def of_one(operator: UnaryOperator) -> Compute:
    """A unary operator of one column."""
    return lambda a, v: a.unary(operator, v[0])


def check(compute: Compute, columns: list[list[Any]], types: list[Scalar]) -> None:
    """`compute` of all columns but the last is the last."""
    lanes = len(columns[0])
    for first in range(0, lanes, 256):
        rows = [column[first : first + 256] for column in columns]
        a = Assembler()
        arrays = [a.input(f"a{i}", scalar, row) for i, (row, scalar) in enumerate(zip(rows, types, strict=True))]
        thread = a.thread()
        *values, results = [a.load(array, thread) for array in arrays]
        a.claim(a.binary("==", compute(a, tuple(values)), results))
        outcome = a.run(len(rows[0]))
        assert outcome.undecided is None and not outcome.dropped
        assert not outcome.violations, [row[thread_of(outcome.violations[0])] for row in rows]


def thread_of(violation: Violation) -> int:
    """The thread whose assertion fails."""
    assert isinstance(violation, FailedAssertion)
    return violation.thread.index[0]


@pytest.mark.parametrize("scalar", INTEGERS)
@pytest.mark.parametrize("operator", BinaryOperator)
def test_binary_operators_of_integers(operator: BinaryOperator, scalar: Scalar) -> None:
    pairs = list(itertools.product(interesting(scalar), divisors(operator, scalar)))
    columns = [[x for x, _ in pairs], [y for _, y in pairs], [expected(operator, x, y, scalar) for x, y in pairs]]
    result = PRED if operator.is_comparison else scalar
    check(of_both(operator), columns, [scalar, scalar, result])
    for right in divisors(operator, scalar):
        chosen = [interesting(scalar), [expected(operator, x, right, scalar) for x in interesting(scalar)]]
        check(by(operator, right), chosen, [scalar, result])


@pytest.mark.parametrize("scalar", INTEGERS)
@pytest.mark.parametrize("operator", BinaryOperator)
def test_binary_operators_of_uniform_integers(operator: BinaryOperator, scalar: Scalar) -> None:
    a = Assembler()
    result = PRED if operator.is_comparison else scalar
    places: dict[Place, tuple[int, int]] = {}
    for x, y in itertools.product(interesting(scalar), divisors(operator, scalar)):
        left, right = a.move(a.register(scalar), number(x, scalar)), a.move(a.register(scalar), number(y, scalar))
        results = number(expected(operator, x, y, scalar), result)
        places[a.claim(a.binary("==", a.binary(operator, left, right), results))] = x, y
    outcome = a.run(2, steps=10**7)
    assert not [places[v.place] for v in outcome.violations if isinstance(v, FailedAssertion)]
    assert not outcome.dropped


UNARY: dict[UnaryOperator, Callable[[int, Scalar], int]] = {
    UnaryOperator.NEGATE: lambda x, t: -x,
    UnaryOperator.COMPLEMENT: lambda x, t: ~x,
    UnaryOperator.ABSOLUTE: lambda x, t: abs(x),
    UnaryOperator.COUNT_ONES: lambda x, t: bits(x, t).bit_count(),
    UnaryOperator.LEADING_ZEROS: lambda x, t: t.bits - bits(x, t).bit_length(),
    UnaryOperator.FIRST_ONE: lambda x, t: (bits(x, t) & -bits(x, t)).bit_length(),
    UnaryOperator.REVERSE_BITS: lambda x, t: int(f"{bits(x, t):0{t.bits}b}"[::-1], 2),
}


@pytest.mark.parametrize("scalar", INTEGERS)
@pytest.mark.parametrize("operator", UNARY)
def test_unary_operators_of_integers(operator: UnaryOperator, scalar: Scalar) -> None:
    values = interesting(scalar)
    results = [wrapped(UNARY[operator](x, scalar), scalar) for x in values]
    check(of_one(operator), [values, results], [scalar, scalar])
    for value, result in zip(values, results, strict=True):
        check(of_one(operator), [[value], [result]], [scalar, scalar])


def test_truths() -> None:
    rows = list(itertools.product((0, 1), (0, 1)))
    left, right = [x for x, _ in rows], [y for _, y in rows]
    for operator in ("&", "|", "^", "==", "!="):
        results = [int(PYTHON[BinaryOperator(operator)](x, y)) for x, y in rows]
        check(of_both(operator), [left, right, results], [PRED, PRED, PRED])
    for operator in (UnaryOperator.NOT, UnaryOperator.COMPLEMENT):
        check(of_one(operator), [[0, 1], [1, 0]], [PRED, PRED])


@pytest.mark.parametrize("by", [Scalar.S32, Scalar.U32, Scalar.U64])
@pytest.mark.parametrize("scalar", INTEGERS)
def test_shifts_by_another_type(scalar: Scalar, by: Scalar) -> None:
    pairs = list(itertools.product(interesting(scalar), interesting(by)))
    both = [shifted(x, y, scalar, by) for x, y in pairs]
    for side, operator in enumerate(("<<", ">>")):
        results = [wrapped(result[side], scalar) for result in both]
        columns = [[x for x, _ in pairs], [y for _, y in pairs], results]
        check(of_both(operator), columns, [scalar, by, scalar])


@pytest.mark.parametrize("target", [*INTEGERS, PRED])
@pytest.mark.parametrize("source", [*INTEGERS, PRED])
def test_conversions_of_integers(source: Scalar, target: Scalar) -> None:
    values = [0, 1] if source is PRED else interesting(source)
    results = [int(x != 0) if target is PRED else wrapped(x, target) for x in values]
    check(lambda a, v: a.convert(v[0], target), [values, results], [source, target])


# ------------------------------------------------------------------------------------------------------------ floats

FORMATS = {Scalar.F16: "<e", Scalar.F32: "<f", Scalar.F64: "<d"}


def nearest(value: float, scalar: Scalar) -> float:
    """A double rounded to a type."""
    if scalar is Scalar.BF16:
        pattern = struct.unpack("<I", struct.pack("<f", nearest(value, Scalar.F32)))[0]
        if math.isnan(value):
            return value
        low, high = pattern & 0xFFFF, pattern >> 16
        high += low > 0x8000 or (low == 0x8000 and high & 1)
        return float(struct.unpack("<f", struct.pack("<I", high << 16))[0])
    try:
        return float(struct.unpack(FORMATS[scalar], struct.pack(FORMATS[scalar], value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


NUMBERS = [0.0, 1.0, -1.0, 0.5, 2.5, -3.75, 1 / 3, 100.0, 1e-3, -0.0]


@pytest.mark.parametrize("scalar", FLOATS)
@pytest.mark.parametrize("operator", ["+", "-", "*", "/", "%", "min", "max", "<", "<=", ">", ">=", "==", "!="])
def test_binary_operators_of_floats(operator: str, scalar: Scalar) -> None:
    values = [nearest(value, scalar) for value in NUMBERS]
    python: dict[str, Callable[[float, float], float]] = {
        "+": lambda x, y: x + y,
        "-": lambda x, y: x - y,
        "*": lambda x, y: x * y,
        "/": lambda x, y: x / y,
        "%": math.fmod,
        "min": min,
        "max": max,
    }
    pairs = [(x, y) for x in values for y in values if y or operator not in "/%"]
    if operator in python:
        results: list[float] = [nearest(python[operator](x, y), scalar) for x, y in pairs]
        result = scalar
    else:
        results, result = [int(PYTHON[BinaryOperator(operator)](x, y)) for x, y in pairs], PRED  # type: ignore[arg-type]
    columns = [[x for x, _ in pairs], [y for _, y in pairs], results]
    check(of_both(operator), columns, [scalar, scalar, result])


def test_floats_that_are_no_numbers() -> None:
    nan, inf = math.nan, math.inf
    for operator, left, right, results in (
        ("min", nan, 1.0, 1.0),
        ("max", 1.0, nan, 1.0),
        ("/", 1.0, 0.0, inf),
        ("/", -1.0, 0.0, -inf),
        ("-", inf, 1e30, inf),
    ):
        check(of_both(operator), [[left] * 2, [right] * 2, [results] * 2], [Scalar.F32] * 3)
    for left, right in ((0.0, 0.0), (inf, inf)):
        check(
            lambda a, v: a.binary("!=", *[a.binary("/", v[0], v[1])] * 2),
            [[left], [right], [1]],
            [*[Scalar.F64] * 2, PRED],
        )


@pytest.mark.parametrize("scalar", FLOATS)
@pytest.mark.parametrize("target", INTEGERS)
def test_floats_become_integers(scalar: Scalar, target: Scalar) -> None:
    low = -(1 << target.bits - 1) if target.is_signed else 0
    high = (1 << (target.bits - 1 if target.is_signed else target.bits)) - 1
    values = [nearest(x, scalar) for x in (0.0, 0.9, -0.9, 1.5, -1.5, 100.7, 3e4, -3e4, math.inf, -math.inf)]
    results = [(high if x > 0 else low) if math.isinf(x) else min(max(math.trunc(x), low), high) for x in values]
    check(lambda a, v: a.convert(v[0], target), [[*values, math.nan], [*results, 0]], [scalar, target])


@pytest.mark.parametrize("scalar", FLOATS)
@pytest.mark.parametrize("source", [Scalar.S32, Scalar.U8, Scalar.S64])
def test_integers_become_floats(source: Scalar, scalar: Scalar) -> None:
    values = [0, 1, 2, 100, 127]
    check(lambda a, v: a.convert(v[0], scalar), [values, [nearest(float(x), scalar) for x in values]], [source, scalar])


@pytest.mark.parametrize("target", FLOATS)
@pytest.mark.parametrize("source", FLOATS)
def test_floats_become_floats(source: Scalar, target: Scalar) -> None:
    values = [nearest(x, source) for x in [*NUMBERS, 1.00390625, 1.01171875, 65504.0]]
    results = [nearest(x, target) for x in values]
    check(lambda a, v: a.convert(v[0], target), [values, results], [source, target])
    check(lambda a, v: a.convert(v[0], PRED), [values, [int(x != 0) for x in values]], [source, PRED])


@pytest.mark.parametrize(
    ("source", "target"),
    [(Scalar.F16, Scalar.U16), (Scalar.BF16, Scalar.U16), (Scalar.F32, Scalar.S32), (Scalar.F64, Scalar.U64)],
)
def test_bits_are_kept(source: Scalar, target: Scalar) -> None:
    values = [nearest(x, source) for x in [*NUMBERS, math.inf]]
    pattern = "<f" if source is Scalar.BF16 else FORMATS[source]
    packed = [struct.pack(pattern, x) for x in values]
    results = [int.from_bytes(data[2:] if source is Scalar.BF16 else data, "little") for data in packed]
    results = [wrapped(x, target) for x in results]
    check(lambda a, v: a.reinterpret(v[0], target), [values, results], [source, target])
    check(lambda a, v: a.reinterpret(v[0], source), [results, values], [target, source])


MATHEMATICS: dict[str, Callable[..., float]] = {
    "exp": math.exp,
    "exp2": lambda x: 2.0**x,
    "exp10": lambda x: 10.0**x,
    "expm1": math.expm1,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "log1p": math.log1p,
    "sqrt": math.sqrt,
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "cbrt": lambda x: x ** (1 / 3),
    "reciprocal": lambda x: 1 / x,
    "erf": math.erf,
    "erfc": math.erfc,
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan")},
    **{name: getattr(math, name) for name in ("asinh", "atanh", "atan2", "hypot", "copysign", "fmod", "pow", "trunc")},
    "acosh": lambda x: math.acosh(x),
    "floor": math.floor,
    "ceil": math.ceil,
    "round_even": round,
    "round_away": lambda x: math.floor(x + 0.5),
    "fma": lambda x, y, z: float(Fraction(x) * Fraction(y) + Fraction(z)),
}


@pytest.mark.parametrize("scalar", FLOATS)
@pytest.mark.parametrize("name", ARITY)
def test_functions(name: str, scalar: Scalar) -> None:
    values = [[1.0, 1.5, 2.5], [0.25, 0.5, 0.75]][name in ("asin", "acos", "atanh")]
    others = [[0.5, 2.0, -1.0], [3.0, 0.25, 1.0]][: ARITY[name] - 1]
    results = [float(MATHEMATICS[name](*row)) for row in zip(values, *others, strict=True)]
    tolerance = Constant({Scalar.F16: 2e-3, Scalar.BF16: 1e-2, Scalar.F32: 1e-6, Scalar.F64: 1e-14}[scalar], scalar)

    def close(a: Assembler, given: tuple[Register, ...]) -> Register:
        *operands, result = given
        away = a.unary(UnaryOperator.ABSOLUTE, a.binary("-", a.function(name, *operands), result))
        size = a.binary("max", a.unary(UnaryOperator.ABSOLUTE, result), Constant(1.0, scalar))
        return a.binary("<=", away, a.binary("*", size, tolerance))

    check(close, [values, *others, results, [1] * 3], [*[scalar] * (ARITY[name] + 1), PRED])
    row = [[column[0]] for column in (values, *others, results)]
    check(close, [*row, [1]], [*[scalar] * (ARITY[name] + 1), PRED])


@pytest.mark.parametrize("scalar", FLOATS)
def test_rounding(scalar: Scalar) -> None:
    values = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.75, -0.25, 3.0]
    even = [0.0, 2.0, 2.0, 0.0, -2.0, -2.0, 1.0, 0.0, 3.0]
    away = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0, 1.0, 0.0, 3.0]
    check(lambda a, v: a.function("round_even", v[0]), [values, even], [scalar, scalar])
    check(lambda a, v: a.function("round_away", v[0]), [values, away], [scalar, scalar])
    check(lambda a, v: a.function("round_away", v[0]), [[math.inf], [math.inf]], [scalar, scalar])
