"""Whether an index is out of reach in a run because sizes that were chosen are large together, or contents are large.

Four names at 513 each make products beyond 32 bits. Nobody launches that, so such a run says nothing of the kernel.
Neither does one in which an index of 2^31 - 1 is multiplied and comes out before an array of which no length is
declared: what it means is beyond the end of any array, and accesses are assumed to stay below that.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import prod

from rewright.kernels.execution.bounds import MOST_BYTES
from rewright.kernels.execution.pages import MOST_REACHED
from rewright.kernels.reasons import Cause, Reason
from rewright.model.index import Name
from rewright.model.simt.constants import Number
from rewright.model.simt.violation import OutOfBounds, Setting, Violation

OVERFLOWS = "an index overflows at the sizes that were chosen; give them values"

MODERATE_INDEX = 1 << 20
"""An index whose products with usual sizes do not overflow."""

_LARGE_PRODUCT = 1 << 28
"""A product of sizes from which on an index made of them, with a small factor, may be beyond 32 bits."""

_LARGE_SQUARE = 1 << 15
"""A product of sizes from which on its square, as of a row and its length, is close to 32 bits."""

_SMALL_PRODUCT = 1 << 10
"""Sizes whose product is at most this reach no far index by themselves: an element would have 64 KiB."""


def overflow(free: Collection[Name], setting: Setting, violations: Iterable[Violation]) -> Reason | None:
    """Why a run does not count: an access lies far before its array, or in none, and no array there has a size."""
    if _product(free, setting.values) < _LARGE_PRODUCT:
        return None
    outside = (each for each in violations if isinstance(each, OutOfBounds) and not each.extents)
    far = (each for each in outside if not each.array or each.access.offset < -MOST_BYTES)
    first = next(far, None)
    if first is None:
        return None
    return Reason(OVERFLOWS, first.access.place, Cause.SIZE)


def may_overflow(free: Collection[Name], setting: Setting, violations: Iterable[Violation]) -> bool:
    """Whether signed arithmetic on what is chosen may overflow: sooner where an access lies before its array."""
    before = (each for each in violations if isinstance(each, OutOfBounds) and each.access.offset < 0)
    is_before = any(not each.extents for each in before)
    if is_before and any(max(cells, default=0) > MODERATE_INDEX for _, cells in setting.contents):
        return True
    return _product(free, setting.values) >= (_LARGE_SQUARE if is_before else _LARGE_PRODUCT)


def most_reached(free: Collection[Name], values: Sequence[tuple[Name, Number]]) -> int:
    """Past which byte of an array of unknown size a run stops: sooner where what is chosen may be why it is there."""
    return MOST_BYTES if reaches_far(free, values) else MOST_REACHED


def reaches_far(free: Collection[Name], values: Sequence[tuple[Name, Number]]) -> bool:
    """Whether what is chosen may be why an index is far behind the start of its array."""
    return _product(free, values) > _SMALL_PRODUCT


def _product(free: Collection[Name], values: Sequence[tuple[Name, Number]]) -> int:
    return prod(abs(value) for name, value in values if name in free and isinstance(value, int) and value)
