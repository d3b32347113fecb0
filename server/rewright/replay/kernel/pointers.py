"""Pointers as the SIMT form numbers them (`model.simt.instructions`), read and written by code of the replay's own.

A pointer is 2⁴⁰ times the number of its object, counted from 1, plus 2³⁹ plus the offset in bytes: offsets reach as far
below the object as above. 0 is the null pointer, and lies in no object.
"""

from __future__ import annotations

SPAN = 0x100_0000_0000
"""Bytes from one object to the next, 2^40; no offset of a 32-bit index reaches the next one."""

MIDDLE = 0x80_0000_0000
"""Where an object begins in its span, so that a negative offset stays in it, too."""


def pointer_to(number: int) -> int:
    """The pointer to the first byte of the object with this number, counted from 0."""
    return SPAN * (number + 1) + MIDDLE


def position(pointer: int) -> tuple[int, int]:
    """The number of the object, counted from 1 (0 for none), and the offset in bytes."""
    number, above = divmod(pointer, SPAN)
    return number, above - MIDDLE
