"""The memory of a block as bytes: arrays of the launch, shared ones, and those that each thread has for itself.

Invariant: bytes that nothing was written to are 0 and marked as such. An object without a known size grows as it is
touched. Must not know instructions or threads.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import prod

from msgspec import Struct, field

from rewright.model.index import Name
from rewright.model.simt.program import Object
from rewright.model.simt.types import Scalar, Space
from rewright.replay.kernel.conversions import encoding, size, typed
from rewright.replay.kernel.numbers import Number

_LARGEST = 1 << 36
"""Bytes to which an object of unknown size reaches at most; what lies beyond is not remembered."""

_MOST_HELD = 1 << 28
"""Bytes that are held of one; those of further chunks are not remembered."""

_CHUNK = 1 << 12
"""Bytes of such an object that are held together, a multiple of every access."""


class Cells(Struct):
    """The bytes of an object; `known` has a 1 for each that has a value. `size` is None where it is not known.

    Of an object without a size, the chunks that were touched are held in the order in which that happened: `chunks`
    says by number where one begins in `data`. What is `constant` is not written by a kernel.
    """

    data: bytearray
    known: bytearray
    size: int | None
    input: bool
    constant: bool = False
    chunks: dict[int, int] = field(default_factory=dict)

    def reaches(self, offset: int, width: int) -> bool:
        """Whether so many bytes from an offset on lie in the object."""
        end = offset + width
        if self.size is not None:
            return offset >= 0 and end <= self.size
        return offset >= 0 and end <= _LARGEST and (len(self.data) < _MOST_HELD or offset // _CHUNK in self.chunks)

    def at(self, offset: int) -> int:
        """Where the bytes of an aligned access, which the object reaches, are in `data`; makes room for them."""
        if self.size is not None:
            return offset
        chunk, inside = divmod(offset, _CHUNK)
        begin = self.chunks.get(chunk)
        if begin is None:
            begin = self.chunks[chunk] = len(self.data)
            self.data.extend(bytes(_CHUNK))
            self.known.extend((b"\1" if self.input else b"\0") * _CHUNK)
        return begin + inside

    def write(self, place: int, data: bytes) -> None:
        """Puts bytes at a place in `data`."""
        end = place + len(data)
        self.data[place:end] = data
        self.known[place:end] = b"\1" * len(data)

    def forget(self) -> None:
        """No byte has a value any more."""
        self.known[:] = bytes(len(self.known))

    def is_known(self, place: int, width: int) -> bool:
        """Whether all of these bytes, from a place in `data` on, have a value."""
        return 0 not in self.known[place : place + width]


def cells(made: Object, extents: Sequence[int] | None, contents: Mapping[Name, tuple[Number, ...]]) -> Cells:
    """An object at the start: the contents of an input, those that a variable is declared with, else nothing."""
    count = None if extents is None else prod(extents) * size(made.type)
    is_input = made.space is Space.GLOBAL and made.is_input
    declared = made.variable.initial if made.variable is not None else None
    elements = contents.get(made.name, declared or ()) if is_input else ()
    data = _structs(made, contents) if is_input and made.fields else bytearray(_encoded(elements, made.type))
    if count is not None:
        data = data[:count].ljust(count, b"\0")
    else:
        data.extend(bytes(-len(data) % _CHUNK))
    is_constant = made.variable is not None and made.variable.memory.is_read_only
    known = bytearray((b"\1" if is_input else b"\0") * len(data))
    chunks = {} if count is not None else {begin // _CHUNK: begin for begin in range(0, len(data), _CHUNK)}
    return Cells(data, known, count, is_input, is_constant, chunks)


def _structs(made: Object, contents: Mapping[Name, tuple[Number, ...]]) -> bytearray:
    """An array of structs: the elements of each field put where they lie, one struct after the other."""
    data = bytearray()
    for part in made.fields:
        values, width = contents.get(part.name, ()), size(part.type)
        for number in range(len(values) // part.count):
            group = values[number * part.count : (number + 1) * part.count]
            end = (number + 1) * part.size
            data.extend(bytes(max(0, end - len(data))))
            begin = number * part.size + part.offset
            data[begin : begin + part.count * width] = _encoded(group, part.type)
    return data


def _encoded(elements: tuple[Number, ...], scalar: Scalar) -> bytes:
    """Numbers as they are in memory; nearly all of them lie in their type, where packing rounds as it should."""
    encode = encoding(scalar, len(elements))
    if scalar not in (Scalar.PRED, Scalar.BF16):
        with suppress(struct.error, OverflowError):
            return encode(elements)
    return encode(tuple(typed(each, scalar) for each in elements))
