"""What is known of the values of variables where an expression stands: the bounds of loops, and guards.

Owns only when a sum is certainly not negative, so that C's division, which rounds towards 0, is the one that rounds
down. That nothing is known is never wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rewright.frontends.c.sums import Sum, minus, number, plus, scaled, sum_of, variable
from rewright.model.index import Name
from rewright.model.nest import (
    AffineComparison,
    AffineNumber,
    AffineOperation,
    AffineVariable,
    BothHold,
    ComparisonOperator,
    Condition,
    DoesNotHold,
    EitherHolds,
)

STEPS = 200
"""Bounds that are put in the place of variables for one question."""


class IteratorBounds(Struct, frozen=True):
    """That an iterator is at least each of `low`, and at most each of `high`."""

    iterator: Name
    low: tuple[Sum, ...]
    high: tuple[Sum, ...]


class Known(Struct, frozen=True):
    """Parameters that are at least 1, iterators of the loops around, the outermost first, and sums of at least 0.

    `natural` are parameters that are at least 0 by their type.
    """

    positive: frozenset[Name]
    iterators: tuple[IteratorBounds, ...] = ()
    assumed: tuple[Sum, ...] = ()
    natural: frozenset[Name] = frozenset()

    def inside(self, bounds: IteratorBounds) -> Known:
        """What is known inside a loop, too."""
        return replace(self, iterators=(*self.iterators, bounds))

    def where(self, condition: Condition) -> Known:
        """What is known where a condition holds, too."""
        return replace(self, assumed=(*self.assumed, *_sums(condition)))

    def is_not_negative(self, found: Sum) -> bool:
        """Whether a sum is certainly at least 0."""
        steps = [STEPS]
        tried = (_least(each, self, steps) for each in (found, *(minus(found, each) for each in self.assumed)))
        return any(least is not None and least >= 0 for least in tried)


def _least(found: Sum, known: Known, steps: list[int]) -> int | None:
    """A number that the sum is never below, None if none is known."""
    steps[0] -= 1
    if steps[0] < 0:
        return None
    for bounds in reversed(known.iterators):
        factor = dict(found.terms).get(AffineVariable(bounds.iterator))
        if factor is not None:
            rest = minus(found, scaled(variable(bounds.iterator), factor))
            instead = bounds.low if factor > 0 else bounds.high
            tried = (_least(plus(rest, scaled(each, factor)), known, steps) for each in instead)
            return max((each for each in tried if each is not None), default=None)
    total = found.constant
    for atom, factor in found.terms:
        least = _least_of(atom, factor, known, steps)
        if least is None:
            return None
        total += least
    return total


def _least_of(atom: AffineVariable | AffineOperation, factor: int, known: Known, steps: list[int]) -> int | None:
    """A number that a multiple of an atom is never below."""
    match atom:
        case AffineVariable(name=name):
            if factor > 0 and name in known.positive:
                return factor
            return 0 if factor > 0 and name in known.natural else None
        case AffineOperation(operator="//", left=left, right=AffineNumber(value=by)):
            # With a negative factor it is the greatest value that counts: minus the least of what is negated.
            sign = 1 if factor > 0 else -1
            least = _least(scaled(sum_of(left), sign), known, steps)
            return None if least is None else abs(factor) * (least // by if sign > 0 else -(-least // by))
        case AffineOperation(operator="min" | "max" as kind, left=left, right=right):
            both = [_least(scaled(sum_of(each), factor), known, steps) for each in (left, right)]
            if (kind == "min") == (factor > 0):
                return None if None in both else min(each for each in both if each is not None)
            return max((each for each in both if each is not None), default=None)
        case _:
            return None


def _sums(condition: Condition) -> Iterator[Sum]:
    """Sums that are at least 0 where a condition holds."""
    match condition:
        case AffineComparison(operator=operator, left=left, right=right):
            yield from _compared(operator, minus(sum_of(left), sum_of(right)))
        case BothHold(left=one, right=other):
            yield from _sums(one)
            yield from _sums(other)
        case DoesNotHold(operand=AffineComparison(operator=operator, left=left, right=right)):
            yield from _compared(_OPPOSITE[operator], minus(sum_of(left), sum_of(right)))
        case EitherHolds() | DoesNotHold():
            return


def _compared(operator: ComparisonOperator, difference: Sum) -> Iterator[Sum]:
    if operator in (">", ">=", "=="):
        yield plus(difference, number(-1 if operator == ">" else 0))
    if operator in ("<", "<=", "=="):
        yield plus(scaled(difference, -1), number(-1 if operator == "<" else 0))


_OPPOSITE: dict[ComparisonOperator, ComparisonOperator] = {
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
    "==": "!=",
    "!=": "==",
}
