"""Arithmetic on constants, and on numbers that each rank computes of its own, done while a graph is made.

Owns what StableHLO's operators give on them: integers wrap, sums and products of truth values are truth values. Must
not know nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

from rewright.frontends.tensor_programs.attributes import MOST_LISTED
from rewright.frontends.tensor_programs.values import Listed, NotTaken, RankNumbers, Splat, Tensor, Value

TRUTH = frozenset({"i1", "pred"})
"""Element types of truth values, 1 and 0."""


def is_integral(element: str) -> bool:
    """Whether an element type holds integers or truth values."""
    return element.lstrip("usi").isdecimal() or element == "pred"


def signed(element: str) -> str:
    """An element type as graphs write it: MLIR's `i32` is `s32`."""
    return f"s{element[1:]}" if element[:1] == "i" and element[1:].isdecimal() and element not in TRUTH else element


def folded(name: str, given: Sequence[Value], integral: bool) -> Value | None:
    """The number that an operator on numbers gives, None if it is on tensors."""
    if all(isinstance(each, Splat) for each in given):
        numbers = [each.number for each in given if isinstance(each, Splat)]
        if any(isinstance(each, str) for each in numbers):
            return None
        made = _arithmetic(name, [each for each in numbers if isinstance(each, Fraction)], integral)
        return Splat(made, given[0].shape) if made is not None and isinstance(given[0], Splat) else None
    if any(isinstance(each, Listed) for each in given):
        return _folded_lists(name, given, integral)
    rows = [by_rank(each, given) for each in given]
    if any(row is None for row in rows):
        return None
    found = [_arithmetic(name, list(each), integral) for each in zip(*(row for row in rows if row), strict=True)]
    numbers_ = tuple(each for each in found if each is not None)
    return RankNumbers(numbers_, each_shape(given[0])) if len(numbers_) == len(found) else None


def _folded_lists(name: str, given: Sequence[Value], integral: bool) -> Value | None:
    """The constant that an operator on constants gives, None if it is on others."""
    shapes = {each.shape for each in given if isinstance(each, Listed)}
    if len(shapes) != 1:
        return None
    (shape,) = shapes
    rows = [listed(each, shape) for each in given]
    if any(row is None for row in rows):
        return None
    found = [_arithmetic(name, list(each), integral) for each in zip(*(row for row in rows if row), strict=True)]
    numbers = tuple(each for each in found if each is not None)
    return constant_of(numbers, shape) if len(numbers) == len(found) else None


def listed(value: Value, shape: tuple[int, ...]) -> tuple[Fraction, ...] | None:
    """The elements of a constant of this shape, row-major, None if it is no constant or too large."""
    match value:
        case Listed(numbers=numbers, shape=own) if own == shape:
            return numbers
        case Splat(number=Fraction() as number, shape=own) if own == shape and prod(shape) <= MOST_LISTED:
            return (number,) * prod(shape)
        case _:
            return None


def constant_of(numbers: tuple[Fraction, ...], shape: tuple[int, ...]) -> Value:
    """The constant of these elements, of which there are some."""
    return Splat(numbers[0], shape) if len(set(numbers)) == 1 else Listed(numbers, shape)


def by_rank(value: Value, given: Sequence[Value]) -> tuple[Fraction, ...] | None:
    """The number that each rank has of a value, None if it is no number; the ranks are those of the `given`."""
    count = next((len(each.numbers) for each in given if isinstance(each, RankNumbers)), 0)
    match value:
        case RankNumbers(numbers=numbers):
            return numbers
        case Splat(number=Fraction() as number) if count:
            return (number,) * count
        case _:
            return None


def _arithmetic(name: str, numbers: list[Fraction], integral: bool) -> Fraction | None:
    match name, numbers:
        case "add", [one, other]:
            return one + other
        case "subtract", [one, other]:
            return one - other
        case "multiply", [one, other]:
            return one * other
        case "divide", [one, other] if other:
            quotient = one / other
            return Fraction(int(quotient)) if integral else quotient
        case "remainder", [one, other] if other:
            return one - other * int(one / other)
        case "maximum", [one, other]:
            return max(one, other)
        case "minimum", [one, other]:
            return min(one, other)
        case "negate", [one]:
            return -one
        case "abs", [one]:
            return abs(one)
        case "and", [one, other] if integral and min(one, other) >= 0:
            return Fraction(int(one) & int(other))
        case "or", [one, other] if integral and min(one, other) >= 0:
            return Fraction(int(one) | int(other))
        case "not", [one] if one in (0, 1):
            return 1 - one
        case _:
            return None


def as_type(value: Value, element: str) -> Value:
    """The numbers that an integer type, or that of truth values, holds in the place of these."""
    if element in TRUTH:
        return _mapped(value, lambda number: Fraction(number != 0))
    digits = element.lstrip("usi")
    if not digits.isdecimal():
        return value
    size = Fraction(1 << int(digits))
    low = Fraction(0) if element.startswith("u") else -size / 2
    return _mapped(value, lambda number: (number - low) % size + low)


def _mapped(value: Value, change: Callable[[Fraction], Fraction]) -> Value:
    """A value of which each number is changed; itself if it has none."""
    match value:
        case Splat(number=Fraction() as number, shape=shape):
            return Splat(change(number), shape)
        case RankNumbers(numbers=numbers, shape=shape):
            return RankNumbers(tuple(map(change, numbers)), shape)
        case Listed(numbers=numbers, shape=shape):
            return constant_of(tuple(map(change, numbers)), shape)
        case _:
            return value


def each_shape(value: Value) -> tuple[int, ...]:
    """The shape of a value that is taken. Raises `NotTaken`."""
    if isinstance(value, Tensor | Splat | RankNumbers | Listed):
        return value.shape
    raise NotTaken("")
