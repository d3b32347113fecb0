"""The memory of a block as bytes: arrays of the launch, shared ones, and those that each thread has for itself.

Invariant: bytes that nothing was written to are 0 and marked as such. An object without a known size grows as it is
touched. Must not know instructions or threads.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import prod

from rewright.model.index import Name
from rewright.model.simt.program import Object
from rewright.model.simt.types import Scalar, Space
from rewright.replay.kernel.conversions import encoding, size, typed
from rewright.replay.kernel.numbers import Number

_LARGEST = 1 << 28
"""Bytes to which an object of unknown size grows at most; what lies beyond is not remembered."""


@dataclass(slots=True)
class Cells:
    """The bytes of an object; `known` has a 1 for each that has a value. `size` is None where it is not known.

    What is `constant` is not written by a kernel.
    """

    data: bytearray
    known: bytearray
    size: int | None
    input: bool
    constant: bool = False

    def reaches(self, offset: int, width: int) -> bool:
        """Whether so many bytes from an offset on lie in the object; makes room for them if need be."""
        if offset < 0:
            return False
        end = offset + width
        if self.size is not None:
            return end <= self.size
        missing = end - len(self.data)
        if missing > 0:
            if end > _LARGEST:
                return False
            self.data.extend(bytes(missing))
            self.known.extend((b"\1" if self.input else b"\0") * missing)
        return True

    def read(self, offset: int, width: int) -> bytes:
        """The bytes that `reaches` has found to be there."""
        return bytes(self.data[offset : offset + width])

    def write(self, offset: int, data: bytes) -> None:
        """Puts bytes where `reaches` has found room."""
        end = offset + len(data)
        self.data[offset:end] = data
        self.known[offset:end] = b"\1" * len(data)

    def forget(self) -> None:
        """No byte has a value any more."""
        self.known[:] = bytes(len(self.known))

    def is_known(self, offset: int, width: int) -> bool:
        """Whether all of these bytes have a value."""
        return 0 not in self.known[offset : offset + width]


def cells(made: Object, extents: Sequence[int] | None, contents: Mapping[Name, tuple[Number, ...]]) -> Cells:
    """An object at the start: the contents of an input, those that a variable is declared with, else nothing."""
    count = None if extents is None else prod(extents) * size(made.type)
    is_input = made.space is Space.GLOBAL and made.is_input
    declared = made.variable.initial if made.variable is not None else None
    elements = contents.get(made.name, declared or ()) if is_input else ()
    data = _structs(made, contents) if is_input and made.fields else bytearray(_encoded(elements, made.type))
    if count is not None:
        data = data[:count].ljust(count, b"\0")
    is_constant = made.variable is not None and made.variable.memory.is_read_only
    return Cells(data, bytearray((b"\1" if is_input else b"\0") * len(data)), count, is_input, is_constant)


def _structs(made: Object, contents: Mapping[Name, tuple[Number, ...]]) -> bytearray:
    """An array of structs: the elements of each field put where they lie, one struct after the other."""
    data = bytearray()
    for field in made.fields:
        values, width = contents.get(field.name, ()), size(field.type)
        for number in range(len(values) // field.count):
            group = values[number * field.count : (number + 1) * field.count]
            end = (number + 1) * field.size
            data.extend(bytes(max(0, end - len(data))))
            begin = number * field.size + field.offset
            data[begin : begin + field.count * width] = _encoded(group, field.type)
    return data


def _encoded(elements: tuple[Number, ...], scalar: Scalar) -> bytes:
    """Numbers as they are in memory; nearly all of them lie in their type, where packing rounds as it should."""
    encode = encoding(scalar, len(elements))
    if scalar not in (Scalar.PRED, Scalar.BF16):
        with suppress(struct.error, OverflowError):
            return encode(elements)
    return encode(tuple(typed(each, scalar) for each in elements))
