"""A declaration by itself: its words, the text of it that is changed, and what is found in it then.

Invariant: nothing but the declaration's own text is looked at. Must not know why it is changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rewright.model.check_declaration import check_declaration
from rewright.model.declared import Declared
from rewright.model.surroundings import Surroundings
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text

Change = tuple[Span, str]
"""A stretch of a text and what stands in its place."""

WORD: Final = re.compile(rb'//[^\r\n]*|"(?:[^"\\\r\n]|\\[^\r\n])*"?|[\w\x80-\xff]+')
"""A word of UTF-8 text; a comment and a string are one, so that no word is found in them."""


def changed(data: bytes, changes: Iterable[Change]) -> bytes:
    """The text with changes that do not overlap."""
    for span, new in sorted(changes, reverse=True):
        data = data[: span.start] + new.encode() + data[span.end :]
    return data


def checked(data: bytes) -> Declared | None:
    """What a text declares, None if it is not exactly one declaration."""
    declarations = parse(Text.of("", data.decode(errors="replace"))).file.declarations
    if len(declarations) != 1:
        return None
    return check_declaration(declarations[0].node, declarations[0].problems, Surroundings())
