"""Operations that were done before, on operands that are the same but for where they begin.

Owns the law: what acts alike at all indices along a dimension gives of operands that are moved along it what it gave
before, moved as far. So ranks that hold parts of one tensor share the work of the first of them. Must not know what the
operations are; who asks says along which dimensions they act alike.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from msgspec import Struct, field

from rewright.graphs.blocks import SPREAD, Combination, RootPart
from rewright.graphs.roots import Roots
from rewright.graphs.sizes import ZERO, at_most, less_size, plus_size
from rewright.terms import Term

MovedOperand = tuple[Combination, Sequence[int | None]]
"""A combination in a box that begins at 0, and for each dimension that of the result along which the operation acts
alike; None for one along which it does not."""

Begins = dict[int, Term]
"""For dimensions of a result where operands begin along them."""


class Translations(Struct):
    """Results so far, by the operation and its operands, with where these began."""

    roots: Roots
    _known: dict[Hashable, tuple[Begins, Combination]] = field(default_factory=dict)

    def applied(
        self,
        operation: Hashable,
        operands: Sequence[MovedOperand],
        shape: Sequence[Term],
        apply: Callable[[], Combination],
    ) -> Combination:
        """What `apply` gives in a box of this shape; `operation` is all that it depends on but the operands."""
        begins = _begins(operands)
        key = operation, tuple([_at_zero(total, to, begins) for total, to in operands])
        known = self._known.get(key)
        if known is not None:
            before, result = known
            by = {d: less_size(at, before[d]) for d, at in begins.items() if at is not before[d]}
            if not by:
                return result
            moved = frozenset([(_moved(part, by), factor) for part, factor in result])
            if all(self._lies_within(part, shape) for part, _ in moved):
                return moved
        found = apply()
        self._known[key] = begins, found
        return found

    def _lies_within(self, part: RootPart, shape: Sequence[Term]) -> bool:
        """Whether a part is in a box of this shape one of its root, whose table names no others."""
        return all(
            d == SPREAD or (at_most(ZERO, low) and at_most(plus_size(low, shape[d]), size))
            for (d, low), size in zip(part.axes, self.roots.all[part.root].shape, strict=True)
        )


def _begins(operands: Sequence[MovedOperand]) -> Begins:
    """Where the first part begins that varies along a dimension, in an order that offsets have no say in."""
    found: Begins = {}
    for total, to in operands:
        for part, _ in total if len(total) == 1 else sorted(total, key=_order):
            for d, low in part.axes:
                place = to[d] if d != SPREAD else None
                if place is not None:
                    found.setdefault(place, low)
    return found


def _order(term: tuple[RootPart, object]) -> tuple[object, ...]:
    """The offsets decide only between parts that are alike but for them, so that a run is like another."""
    part, _ = term
    return part.root, [d for d, _ in part.axes], len(part.restrictions), [low.digest for _, low in part.axes]


def _at_zero(total: Combination, to: Sequence[int | None], begins: Begins) -> Combination:
    """A combination that is moved to where the operands of all that are alike begin."""
    by = {d: less_size(ZERO, begins[at]) for d, at in enumerate(to) if at in begins and begins[at] is not ZERO}
    return frozenset([(_moved(part, by), factor) for part, factor in total]) if by else total


def _moved(part: RootPart, by: Begins) -> RootPart:
    axes = tuple([(d, plus_size(low, by[d])) if d in by else (d, low) for d, low in part.axes])
    return RootPart(part.root, axes, part.restrictions)
