"""A nest in our own syntax that is to be written in another order."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from rewright.fixes.generating.own_text import OwnStatements, transform_text
from rewright.fixes.generating.question import DeclaredLoops, NotWritten
from rewright.fixes.loops.texts import ReadLoops, read
from rewright.loops.generation.written import WrittenBody
from rewright.loops.guessing import looped
from rewright.model.nest import Nest, TiledTransformation, Transformation


class OwnNest(Struct, frozen=True):
    """The nest, the text of its declaration, and the names that are taken."""

    nest: Nest
    loops: DeclaredLoops
    statements: OwnStatements

    @property
    def taken(self) -> frozenset[str]:
        """The names that another declaration must not have."""
        return frozenset(self.loops.taken)

    @property
    def at(self) -> int:
        """Where a transform of it belongs in its text: after it."""
        return len(self.loops.texts[-1].encode())

    def texts(self, name: str, body: WrittenBody) -> Iterator[str]:
        """Ways to write a transform, with what sets it apart from the nest."""
        newline = "\r\n" if "\r\n" in self.loops.texts[-1] else "\n"
        text = transform_text(name, self.nest.name, body, self.statements)
        yield f"\n\n{text}".replace("\n", newline)

    def read_again(self, name: str, text: str) -> Transformation | None:
        """The transform of a text, None if it has errors."""
        made = read((*self.loops.texts, text))
        value = made.value if made is not None else None
        return value if isinstance(value, Transformation) and value.transformed.name == name else None


def own_nest(loops: DeclaredLoops) -> OwnNest | NotWritten:
    """The nest of a declaration, and how its statements are written."""
    found = read(loops.texts)
    if found is None:
        return NotWritten("its declaration has errors", complete=True)
    match found.value:
        case Nest() as nest:
            return OwnNest(nest, loops, _statements(found, nest))
        case Transformation(transformed=nest):
            return OwnNest(nest, loops, _statements(found, nest))
        case TiledTransformation():
            return NotWritten("it has tile sizes as parameters, so its loops are several", complete=True)


def _statements(found: ReadLoops, nest: Nest) -> OwnStatements:
    written = [
        (each.statement, found.text.slice(found.sites[each.statement.site]), each.iterators)
        for each in looped(nest.body)
    ]
    arrays = {str(each.name) for each in nest.arrays}
    called = {str(each) for one in written for each in _called(one[0].signature)}
    return OwnStatements(written, frozenset(arrays | set(nest.parameters) | called))


def _called(signature: str) -> Iterator[str]:
    yield from re.findall(r"\b([A-Za-z_]\w*)\(", signature)
    yield from ("and", "or", "not")
