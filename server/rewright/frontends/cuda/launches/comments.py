"""Comments that say how a kernel is launched: `// rewright: launch grid(4), block(256); n = 1024; x: in f32[n]`.

Owns where such a comment stands (directly above its kernel, other comments and blank lines aside) and what its entries
are. Offsets are bytes of the document. Must not know what an entry's expressions mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct, field

from rewright.frontends.cuda.launches.text import NAME

MARK = "rewright:"
_LINE = re.compile(rb"[ \t]*///?[ \t]*" + MARK.encode() + rb"(?P<text>[^\n\r]*)")
_PASSED = re.compile(rb"[ \t]*(?://[^\n]*|/\*(?:[^*]|\*(?!/))*\*/[ \t\r]*|\*[^\n]*|/\*[^\n]*|[^\n]*\*/[ \t\r]*)?\r?")
_ENTRY = re.compile(
    r"(?P<launch>launch\b(?!\s*=(?!=)).*)|(?P<budget>@budget\b.*)"
    r"|(?P<requires>requires\b(?!\s*=(?!=)).*)|(?P<define>define\b(?!\s*=(?!=)).*)"
    r"|(?P<forall>forall\b(?!\s*=(?!=)).*)"
    r"|(?P<array>NAME)\s*:(?!:)(?P<shape>.*)|(?P<value>NAME)\s*=(?!=)(?P<given>.*)".replace("NAME", NAME.pattern),
    re.DOTALL,
)


class EntryKind(StrEnum):
    """What an entry says: launch, precondition, macro, budget, names of which any value counts, and so on."""

    LAUNCH = "launch"
    REQUIRES = "requires"
    DEFINE = "define"
    BUDGET = "budget"
    FORALL = "forall"
    ARRAY = "array"
    VALUE = "value"
    UNKNOWN = "unknown"


class CommentEntry(NamedTuple):
    """One entry: what it speaks of (for an array or a value), the text that says it, and where that begins.

    `line` counts the comments of the kernel: a launch goes with the other entries of its line.
    """

    kind: EntryKind
    name: str
    text: str
    start: int
    name_start: int
    line: int = 0

    @property
    def end(self) -> int:
        """The byte after the text."""
        return self.start + len(self.text.encode())


class LaunchComment(Struct, frozen=True):
    """The comments of one kernel, from the first byte to the last, with all their entries.

    `constants` are names of the document that the entries use, with what they stand for.
    """

    start: int
    end: int
    entries: tuple[CommentEntry, ...]
    constants: Mapping[str, int] = field(default_factory=dict)


def comment_above(data: bytes, at: int) -> LaunchComment | None:
    """The comment for the kernel whose definition begins at a byte, None if there is none."""
    end = data.rfind(b"\n", 0, at) + 1
    found: list[re.Match[bytes]] = []
    while end > 0:
        start = data.rfind(b"\n", 0, end - 1) + 1
        line = data[start : end - 1]
        if match := _LINE.fullmatch(line.rstrip(b"\r")):
            found.insert(0, _LINE.match(data, start) or match)
        elif _PASSED.fullmatch(line) is None:
            break
        end = start
    if not found:
        return None
    entries = [
        entry._replace(line=line)
        for line, match in enumerate(found)
        for entry in _entries(match["text"], match.start("text"))
    ]
    return LaunchComment(found[0].start(), found[-1].end(), tuple(entries))


def _entries(text: bytes, start: int) -> list[CommentEntry]:
    """The entries of one line, between semicolons; what follows `//` is a comment again."""
    made: list[CommentEntry] = []
    for part in re.finditer(rb"[^;]+", text.partition(b"//")[0]):
        stripped = part[0].strip()
        if stripped:
            made.append(_entry(stripped.decode(errors="replace"), start + part.start() + part[0].index(stripped)))
    return made


def _entry(text: str, start: int) -> CommentEntry:
    match = _ENTRY.fullmatch(text)
    if match is None:
        return CommentEntry(EntryKind.UNKNOWN, "", text, start, start)
    for kind in (EntryKind.LAUNCH, EntryKind.REQUIRES, EntryKind.DEFINE, EntryKind.BUDGET, EntryKind.FORALL):
        if match[kind.value] is not None:
            return CommentEntry(kind, "", text, start, start)
    kind, named, said = (
        (EntryKind.ARRAY, "array", "shape") if match["array"] is not None else (EntryKind.VALUE, "value", "given")
    )
    written = match[said]
    begin = match.start(said) + len(written) - len(written.lstrip())
    return CommentEntry(kind, match[named], written.strip(), start + len(text[:begin].encode()), start)
