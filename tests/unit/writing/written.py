"""Text with a cursor, and what is offered there."""

from __future__ import annotations

from rewright.model.declared import Symbol
from rewright.model.file import FileModel, check_file
from rewright.model.imports import NoDeclarations
from rewright.syntax.parsed import Parsed, parse
from rewright.syntax.text import Text
from rewright.writing.around import Around
from rewright.writing.completion import offers
from rewright.writing.offer import Offer
from rewright.writing.place import Cursor, place_at
from rewright.writing.scope import EMPTY, RuleNames, scope_of

CURSOR = "|"


def read(text: str) -> tuple[Parsed, FileModel]:
    """A text with its model."""
    parsed = parse(Text.of("a.rw", text))
    return parsed, check_file(parsed, lambda _: NoDeclarations())


def problems(text: str) -> list[str]:
    """What is wrong with a text: its syntax, names, types and groups."""
    parsed, model = read(text)
    found = [finding for declared in model.declarations for finding in declared.findings]
    return [repr(problem) for problem in parsed.problems] + [repr(each.diagnosis) for each in found]


def cursor_in(text: str) -> tuple[Cursor, RuleNames]:
    """The place of the cursor of a text, and the names of its rule."""
    place, around = around_cursor(text)
    return place, around.scope


def offered(text: str) -> dict[str, Offer]:
    """What is offered at the cursor of a text, by label."""
    return {offer.label: offer for offer in offers(*around_cursor(text))}


def around_cursor(text: str) -> tuple[Cursor, Around]:
    """The place of the cursor of a text, and what stands around it."""
    before, _, after = text.partition(CURSOR)
    parsed, model = read(before + after)
    offset = len(before.encode())
    start, piece = max((each for each in parsed.pieces if each[0] <= offset), key=lambda each: each[0])
    place = place_at(parsed.text.data[start:offset].decode())
    scope, symbols = EMPTY, tuple[Symbol, ...]()
    if place.declaration and piece.declaration is not None:
        pairs = zip(parsed.file.declarations, model.declarations, strict=True)
        placed, declared = next(pair for pair in pairs if pair[0].start == start)
        scope, symbols = scope_of(placed, declared, parsed.text), declared.symbols
    return place, Around(
        scope, symbols, model.declarations, lambda typed, endings: [f"{typed}…{endings[0]}"], (".rw",), (".cu",)
    )
