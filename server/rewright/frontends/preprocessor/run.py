"""What one run of the preprocessor has at hand: texts, macros, the output so far, notes.

Mutable, and owned by one run. Must not know directives.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct, field

from rewright.frontends.preprocessor.conditionals import Conditionals
from rewright.frontends.preprocessor.expanded import IncludedText, Missing, Note, Pragma
from rewright.frontends.preprocessor.expansion import Expansion, Feed, TooLong
from rewright.frontends.preprocessor.macros import Macro
from rewright.frontends.preprocessor.output import Output
from rewright.frontends.preprocessor.predefined import defined, predefined
from rewright.frontends.preprocessor.tokens import Token
from rewright.frontends.preset import Preset
from rewright.verdict import InSource

_JOINT = re.compile(rb"\\[ \t]*\r?\n")
_DEFINED = re.compile(rb"#[ \t]*define[ \t]+([A-Za-z_]\w*)")


class SourceReading(Struct):
    """One source while it is read: its number, its bytes as they are, and with continued lines joined."""

    number: int
    source: IncludedText
    raw: bytes
    text: bytes
    conditionals: Conditionals = field(default_factory=Conditionals)


class Run:
    """The state that all sources of a document share.

    `texts` are those that may be included, from `folders`, from those `nearby` and from `elsewhere`, too. `readings`
    are the sources that are being read, each included by the one before; `sources` all so far, `read` their bytes by
    path, `once` those that are not read again. Of included files, `missing` have no text, and under the paths in
    `sought` there was none. `stand_ins` are the places of directives by the texts that stand there. `given` are macros
    that no text defines anew, `names` those that some text defines.
    """

    def __init__(self, texts: Mapping[str, str], defines: Mapping[str, int], preset: Preset) -> None:
        self.texts = texts
        self.folders = preset.include
        self.nearby = preset.nearby
        self.elsewhere = dict(preset.elsewhere)
        self.output = Output()
        self.sources: list[IncludedText] = []
        self.notes: list[Note] = []
        self.missing: list[Missing] = []
        self.sought: dict[str, None] = {}
        self.read: dict[str, bytes] = {}
        self.once: set[str] = set()
        self.given = dict(defined(name, str(value)) for name, value in defines.items())
        preset_macros = dict(defined(name, text) for name, text in preset.defines)
        self.expansion = Expansion({**predefined(), **preset_macros, **self.given}, {}, self.note_token)
        self.expansion.computed = {b"__LINE__": self._line, b"__FILE__": self._file, b"__COUNTER__": self._count}
        self.names = {*self.expansion.macros, *self.expansion.computed}
        self.readings: list[SourceReading] = []
        self.pragmas: list[Pragma] = []
        self.counted = 0
        self.stand_ins: dict[str, InSource] = {}

    @property
    def macros(self) -> dict[bytes, Macro]:
        """The macros that are defined at this point."""
        return self.expansion.macros

    def begin(self, path: str, includer: SourceReading | None, at: tuple[int, int]) -> SourceReading:
        """Starts to read a source, for the directive at a range of the one that includes it."""
        raw = self.bytes_of(path)
        text, joints, gaps = _joined(raw)
        number = None if includer is None else includer.number
        source = IncludedText(path, number, *at, joints, gaps)
        self.sources.append(source)
        self.readings.append(SourceReading(len(self.sources) - 1, source, raw, text))
        return self.readings[-1]

    def bytes_of(self, path: str) -> bytes:
        """The text of a source, a mark of its encoding and null characters left blank."""
        if path not in self.read:
            raw = self.texts[path].encode("utf-8", "surrogatepass").replace(b"\0", b" ")
            raw = b"   " + raw[3:] if raw.startswith(b"\xef\xbb\xbf") else raw
            self.read[path] = raw
            self.names.update(_DEFINED.findall(raw))
        return self.read[path]

    def note(self, reason: str, start: int, end: int) -> None:
        """Notes what is wrong at a range of the source that is being read."""
        self.notes.append(Note(reason, self.place(start, end), self.output.length))

    def pragma(self, line: list[Token]) -> None:
        """Keeps what a `#pragma` says; its words are `line`, the first of them `pragma`."""
        words = b" ".join(token.text for token in line[1:]).decode(errors="replace")
        self.pragmas.append(Pragma(words, self.place(line[0].start, line[-1].end), self.output.length))

    def stand_in(self, text: str, start: int, end: int) -> None:
        """Writes a text without directives, once, in the place of the directive at a range that includes it."""
        if text not in self.stand_ins:
            self.stand_ins[text] = self.place(start, end)
            self.output.whole(self.readings[-1].number, text.encode(), start, end)

    def note_token(self, reason: str, token: Token) -> None:
        """Notes what is wrong with a token."""
        self.note(reason, token.start, token.end)

    def place(self, start: int, end: int) -> InSource:
        """A range of the source that is being read, as it was before its lines were joined."""
        source = self.readings[-1].source
        return InSource(source.path, source.original(start), source.original(max(end - 1, start)) + (end > start))

    def expanded(self, feed: Feed, at: Token) -> list[Token] | None:
        """The tokens that a feed comes to, None (with a note) if they are too many."""
        try:
            return self.expansion.expand(feed)
        except (TooLong, RecursionError):
            self.note_token("the macros used here expand to too much", at)
            return None

    def _line(self, token: Token) -> bytes:
        reading = self.readings[-1]
        return b"%d" % (reading.raw.count(b"\n", 0, reading.source.original(token.start)) + 1)

    def _file(self, _token: Token) -> bytes:
        path = self.readings[-1].source.path.encode("utf-8", "surrogatepass")
        return b'"' + path.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'

    def _count(self, _token: Token) -> bytes:
        self.counted += 1
        return b"%d" % (self.counted - 1)


def _joined(raw: bytes) -> tuple[bytes, tuple[int, ...], tuple[int, ...]]:
    """The text without the ends of lines that are continued; where they were, and the bytes left out up to there."""
    if b"\\" not in raw:
        return raw, (), ()
    parts: list[bytes] = []
    joints: list[int] = []
    gaps: list[int] = []
    position = left_out = 0
    for match in _JOINT.finditer(raw):
        parts.append(raw[position : match.start()])
        joints.append(match.start() - left_out)
        left_out += match.end() - match.start()
        gaps.append(left_out)
        position = match.end()
    return b"".join([*parts, raw[position:]]), tuple(joints), tuple(gaps)
