"""What can be written among the statements of a kernel, or of what is written like one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rewright.model.check_kernel.calls import KNOWN, SCALARS
from rewright.model.simt.types import Coordinate
from rewright.writing.around import Around, element_types, names, words
from rewright.writing.offer import Offer, Sort
from rewright.writing.place import Cursor
from rewright.writing.scope import RuleNames
from rewright.writing.words import JOINTS

_TRIPLES: Final = frozenset({Coordinate.THREAD, Coordinate.BLOCK, Coordinate.BLOCK_DIM, Coordinate.GRID_DIM})


def in_statements(place: Cursor, around: Around) -> Iterator[Offer]:
    """What can be written at a place in the body of such a declaration."""
    item, inner = place.item, place.inner
    if inner.last == ".":
        before = inner.tokens[-2:-1]
        if before and before[0] in _TRIPLES:
            yield from (Offer(axis, Sort.NAME, f"{before[0]}.{axis}", axis) for axis in "xyz")
        return
    match item[:1]:
        case ["shared" | "array" | "var" | "let"] if ":" in item and "=" not in item and inner.opening != "[":
            yield from element_types(SCALARS, Around(RuleNames()))
            return
        case ["let" | "var" | "define" | "shared" | "array" | "for"] if not {"=", ":", "in"} & set(item):
            if item[:1] == ["for"] and len(item) > 1:
                yield from words((JOINTS["in"],))
            return
        case ["launch"] if inner.opening == "{":
            for name in ("grid", "block", "shared"):
                yield Offer(name, Sort.WORD, "", f"{name}(${{1:1}})")
            return
    yield from names(dict.fromkeys(symbol.name for symbol in around.symbols), around)
    if item[:1] in (["launch"], ["define"], ["requires"]):
        return
    for coordinate in Coordinate:
        yield Offer(coordinate.value, Sort.WORD, "a coordinate of the thread", coordinate.value)
    if place.declaration == "kernel":
        yield Offer("barrier", Sort.WORD, "", "barrier()", "", "All threads of the block wait here for each other.")
        for name in KNOWN:
            yield Offer(name, Sort.OPERATOR, "", f"{name}($1)")
