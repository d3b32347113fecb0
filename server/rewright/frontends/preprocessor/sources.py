"""A document and what it includes, read once from front to back: what is plain is copied, the rest is looked at.

Invariants: comments, directives and dead text come out as long as they are; only uses of macros, and lines that are
continued, change the length. Must not know how a use is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache

from rewright.frontends.preprocessor.directives import directive
from rewright.frontends.preprocessor.expanded import Expanded
from rewright.frontends.preprocessor.expansion import Feed
from rewright.frontends.preprocessor.run import Run, SourceReading
from rewright.frontends.preprocessor.tokens import NAME, RAW_STRING, Token, must_be_apart, next_token
from rewright.frontends.preset import NO_PRESET, Preset

MOST_SOURCES = 200
"""Sources that one document may include, each counted as often as it is: one without a guard may include itself
twice."""

MOST_DEPTH = 40
"""Sources that include each other in a row; one without a guard may include itself for ever."""

_STRING = rb'"(?:[^"\\\n]|\\.)*+"?'
_CHARACTER = rb"'(?:[^'\\\n]|\\.)*+'?"
_NUMBER = rb"(?<![\w$\x80-\xff])\.?[0-9][\w.]*'[\w.']*"
_COMMENT = rb"//[^\n]*+|/\*[\s\S]*?(?:\*/|\Z)"
_DIRECTIVE = (
    rb"^[ \t\f\v]*+(?:/\*[\s\S]*?\*/[ \t\f\v]*+)*+\#"
    rb"(?:[^\n/\"'0-9]++|" + _COMMENT + rb"|" + _NUMBER + rb"|" + _STRING + rb"|" + _CHARACTER + rb"|[/0-9])*+"
)
_PLAIN = (
    rb"(?P<directive>" + _DIRECTIVE + rb")|(?:" + _COMMENT + rb")|(?:u8|[uUL])?R" + RAW_STRING.partition(b"R")[2] % 2
    + rb"|(?:" + _STRING + rb")|(?:" + _NUMBER + rb")|(?:" + _CHARACTER + rb")"
)  # fmt: skip
_NAMES = re.compile(rb"[A-Za-z_$\x80-\xff][\w$\x80-\xff]*")
_NUMERIC = re.compile(rb"[\w.+'$\x80-\xff-]*\Z")


def preprocess(
    path: str,
    texts: Mapping[str, str],
    defines: Mapping[str, int],
    preset: Preset = NO_PRESET,
    undefined: Collection[bytes] = (),
) -> Expanded:
    """The document at `path` with its macros expanded; `texts` has it and what it includes, by path.

    `defines` win over definitions in the texts, those of the `preset` do not. Paths of included files are relative to
    the file that includes them, or to a folder of the `preset`. Of what is there at first, `undefined` is not.
    """
    run = Run(texts, defines, preset)
    for name in undefined:
        run.macros.pop(name, None)
    reading = run.begin(path, None, (0, 0))
    _read(run, reading)
    output = run.output
    return Expanded(
        b"".join(output.parts),
        tuple(run.notes),
        tuple(run.read),
        tuple(run.missing),
        tuple(run.sought),
        tuple(run.sources),
        tuple(output.pieces),
        tuple(run.pragmas),
        frozenset(run.stand_ins.values()),
    )


def _read(run: Run, reading: SourceReading) -> None:
    """Reads one source to its end."""
    text, conditionals, output = reading.text, reading.conditionals, run.output
    written = set(_NAMES.findall(text))
    known = len(run.names)
    pattern = _pattern(frozenset(written & run.names))
    copied = position = 0
    while (match := pattern.search(text, position)) is not None:
        position = match.end()
        if match.lastgroup == "directive":
            (output.copy if conditionals.live else output.blank)(reading.number, text, copied, match.start())
            output.blank(reading.number, text, match.start(), position)
            copied = position
            included = directive(run, reading, match.start(), position)
            if included is not None:
                _include(run, reading, included.path, (match.start(), position))
            if len(run.names) != known:
                known = len(run.names)
                pattern = _pattern(frozenset(written & run.names))
        elif match.lastgroup == "use" and conditionals.live and _may_be_use(run, match):
            output.copy(reading.number, text, copied, match.start())
            copied = position = _use(run, reading, match.start(), position)
    (output.copy if conditionals.live else output.blank)(reading.number, text, copied, len(text))
    for opened in conditionals.opened:
        run.note("`#endif` is missing", opened.start, opened.end)


@lru_cache(maxsize=64)
def _pattern(names: frozenset[bytes]) -> re.Pattern[bytes]:
    """What stops the copying: directives, what names inside are no uses of macros (comments, strings), and names."""
    uses = b"|".join(re.escape(name) for name in sorted(names))
    word = rb"|(?P<use>(?<![\w$\x80-\xff])(?:" + uses + rb")(?![\w$\x80-\xff]))" if names else b""
    return re.compile(_PLAIN + word, re.MULTILINE)


def _include(run: Run, reading: SourceReading, path: str, at: tuple[int, int]) -> None:
    if len(run.sources) >= MOST_SOURCES or len(run.readings) >= MOST_DEPTH:
        run.note("too many files are included here", *at)
        return
    _read(run, run.begin(path, reading, at))
    run.readings.pop()


def _may_be_use(run: Run, match: re.Match[bytes]) -> bool:
    """Whether a name stands for a macro here, and is not the tail of a number such as `1.f`."""
    if match[0] not in run.macros and match[0] not in run.expansion.computed:
        return False
    text, start = match.string, match.start()
    if text[start - 1 : start] not in (b".", b"+", b"-"):
        return True
    line = text.rfind(b"\n", 0, start) + 1
    run_of = _NUMERIC.search(text, line, start)
    token = next_token(text, run_of.start() if run_of else start)
    while token is not None and token.end <= start:
        token = next_token(text, token.end)
    return token is None or token.start == start


def _use(run: Run, reading: SourceReading, start: int, end: int) -> int:
    """Writes what the use of a macro comes to; where the text after it goes on."""
    text, output = reading.text, run.output
    name = Token(text[start:end], NAME, start, end)
    feed = Feed([name], text, end)
    made = run.expanded(feed, name)
    if made is None or (feed.position == end and [token.text for token in made] == [name.text]):
        output.copy(reading.number, text, start, end)
        return end
    last = output.parts[-1][-1:].strip() if output.parts else b""
    for token in made:
        output.token(reading.number, token, last)
        last = token.text
    following = text[feed.position : feed.position + 1].strip()
    if last and following and must_be_apart(last, following):
        output.whole(reading.number, b" ", start, feed.position)
    return feed.position
