"""Pointers as numbers: the object in the upper bits, below it the offset in bytes, biased so that it may be negative.

Arithmetic on pointers is arithmetic on u64. The null pointer is 0 and lies in no object.
"""

from __future__ import annotations

OFFSET_BITS = 40
"""Bits of a pointer that are the offset; what is above is the object, so no offset leads from one into another."""

BIAS = 1 << (OFFSET_BITS - 1)


def pointer(number: int, offset: int = 0) -> int:
    """The pointer to a byte of the object with this number."""
    return ((number + 1) << OFFSET_BITS) + BIAS + offset


def decoded(address: int) -> tuple[int, int]:
    """The number of the object (-1 for none) and the offset in bytes."""
    return (address >> OFFSET_BITS) - 1, (address & ((1 << OFFSET_BITS) - 1)) - BIAS
