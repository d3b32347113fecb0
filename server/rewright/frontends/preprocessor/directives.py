"""Directives: what a line that begins with `#` does to macros and to what is live.

Must not know how text between directives is read.
"""

from __future__ import annotations

import posixpath
from typing import NamedTuple

from rewright.frontends.preprocessor import cub
from rewright.frontends.preprocessor.absent import macros_of
from rewright.frontends.preprocessor.conditions import condition
from rewright.frontends.preprocessor.expanded import Missing
from rewright.frontends.preprocessor.expansion import Feed
from rewright.frontends.preprocessor.macros import Malformed, definition
from rewright.frontends.preprocessor.predefined import ASSERTIONS, TOOLKIT
from rewright.frontends.preprocessor.run import Run, SourceReading
from rewright.frontends.preprocessor.tokens import MARK, NAME, NUMBER, STRING, Token, joined, tokens
from rewright.frontends.preset import anywhere

_CONDITIONAL = frozenset({b"if", b"ifdef", b"ifndef", b"elif", b"elifdef", b"elifndef", b"else", b"endif"})
_IGNORED = frozenset({b"line", b"warning", b"ident", b"sccs", b"assert", b"unassert"})
_ZERO, _ONE = b"0", b"1"


class Included(NamedTuple):
    """A source to be read here."""

    path: str


def directive(run: Run, reading: SourceReading, start: int, end: int) -> Included | None:
    """Does what the directive at a range says; the source to be read in its place, if it is an `#include`."""
    line = list(tokens(reading.text, start, end))[1:]
    word = line[0].text if line else b""
    if word in _CONDITIONAL:
        _conditional(run, reading, line)
    elif not line or not reading.conditionals.live:
        return None
    elif word in (b"include", b"include_next", b"import"):
        return _include(run, reading, line)
    else:
        _plain(run, reading, line)
    return None


def _plain(run: Run, reading: SourceReading, line: list[Token]) -> None:
    match line[0].text:
        case b"define":
            _define(run, line)
        case b"undef" if len(line) > 1 and line[1].kind == NAME:
            if line[1].text not in run.given:
                run.macros.pop(line[1].text, None)
        case b"undef":
            run.note("`#undef` needs a name", line[0].start, line[-1].end)
        case b"error":
            shown = joined(line[1:]).decode(errors="replace")
            run.note(f"`#error` {shown}".rstrip(), line[0].start, line[-1].end)
        case b"pragma":
            if len(line) > 1 and line[1].text == b"once":
                run.once.add(reading.source.path)
            run.pragma(line)
        case word if word not in _IGNORED and line[0].kind != NUMBER:
            run.note(f"there is no directive `#{word.decode(errors='replace')}`", line[0].start, line[0].end)


def _define(run: Run, line: list[Token]) -> None:
    macro = definition(line[1:])
    if isinstance(macro, Malformed):
        run.note_token(macro.reason, macro.at or line[0])
    elif macro.name not in run.given and macro.name not in ASSERTIONS:
        run.names.add(macro.name)
        run.macros[macro.name] = macro


# --------------------------------------------------------------------------------------------------------- conditions


def _conditional(run: Run, reading: SourceReading, line: list[Token]) -> None:
    opened, word = reading.conditionals, line[0].text
    wrong: str | None = None
    if word == b"endif":
        wrong = opened.end()
    elif word == b"else":
        wrong = opened.last()
    elif word.startswith(b"el"):
        wrong = opened.another(opened.asks and _holds(run, line))
    else:
        opened.begin(opened.live and _holds(run, line), line[0].start, line[0].end)
    if wrong is not None:
        run.note_token(wrong, line[0])


def _holds(run: Run, line: list[Token]) -> bool:
    """Whether the condition of a directive holds; one that has no value does not, and is noted."""
    word = line[0].text
    if word.endswith(b"def"):
        if len(line) < 2 or line[1].kind != NAME:
            run.note(f"`#{word.decode()}` needs a name", line[0].start, line[-1].end)
            return False
        return _is_defined(run, line[1].text) != word.endswith(b"ndef")
    expanded = run.expanded(Feed(_settled(run, line[1:])[::-1]), line[0])
    if expanded is None:
        return False
    held = condition(_settled(run, expanded))
    if isinstance(held, str):
        run.note(held, line[0].start, line[-1].end)
        return False
    return held


def _is_defined(run: Run, name: bytes) -> bool:
    return name in run.macros or name in run.expansion.computed


def _settled(run: Run, line: list[Token]) -> list[Token]:
    """The tokens with `defined X` and `__has_include(…)` replaced by 0 or 1."""
    made: list[Token] = []
    place = 0
    while place < len(line):
        token = line[place]
        texts = [each.text for each in line[place + 1 : place + 4]]
        if token.text == b"defined" and texts and line[place + 1].kind == NAME:
            made.append(_truth(token, _is_defined(run, texts[0])))
            place += 2
        elif token.text == b"defined" and texts[:1] == [b"("] and texts[2:] == [b")"]:
            made.append(_truth(token, _is_defined(run, texts[1])))
            place += 4
        elif token.text.startswith(b"__has_") and texts[:1] == [b"("]:
            named = _named(line[place + 2 :]) if token.text == b"__has_include" else None
            made.append(_truth(token, named is not None and _found(run, _paths(run, named)) is not None))
            place = next((n for n in range(place, len(line)) if line[n].text == b")"), len(line)) + 1
        else:
            made.append(token)
            place += 1
    return made


def _truth(token: Token, value: bool) -> Token:
    return token._replace(text=_ONE if value else _ZERO, kind=NUMBER)


# ------------------------------------------------------------------------------------------------------------- includes


def _include(run: Run, reading: SourceReading, line: list[Token]) -> Included | None:
    named = _named(line[1:])
    if named is None and len(line) > 1 and line[1].kind == NAME:
        named = _named(run.expanded(Feed(line[:0:-1]), line[0]) or [])
    if named is None:
        run.note("`#include` needs a file between quotes or angle brackets", line[0].start, line[-1].end)
        return None
    if cub.stands_in_for(named.name):
        run.stand_in(cub.TEXT, line[0].start, line[-1].end)
        return None
    paths = _paths(run, named)
    if line[0].text == b"include_next" and reading.source.path in paths:
        paths = paths[paths.index(reading.source.path) + 1 :]
    found = _found(run, paths)
    is_own = named.quoted and posixpath.basename(named.name) not in TOOLKIT
    several = _elsewhere(run, named) if found is None and is_own and line[0].text == b"include" else ()
    if len(several) == 1:
        (found,) = several
    if found is not None:
        return None if found in run.once else Included(found)
    for name, macro in macros_of(named.name).items():
        run.names.add(name)
        run.macros.setdefault(name, macro)
    if is_own:
        at = run.place(line[0].start, line[-1].end)
        run.missing.append(Missing(paths[0] if paths else named.name, at, several))
    return None


class _Named(NamedTuple):
    """A file as it is included; `quoted` unless it stands between angle brackets."""

    name: str
    quoted: bool


def _paths(run: Run, named: _Named) -> list[str]:
    """Where a file is looked for, in order: if `quoted`, beside the one that includes it first, at last beside all.

    After that in the folders nearby, unless it is a header of the system: one of that name is another.
    """
    folders = run.folders
    if named.quoted:
        beside, outermost = (posixpath.dirname(each.path) for each in (run.readings[-1].source, run.sources[0]))
        folders = (beside, *folders, outermost)
    if "." in posixpath.basename(named.name) and posixpath.basename(named.name) not in TOOLKIT:
        folders = (*folders, *run.nearby)
    paths = (posixpath.normpath(posixpath.join(folder, named.name)) for folder in folders)
    return list(dict.fromkeys(paths))


def _found(run: Run, paths: list[str]) -> str | None:
    """The first of the paths that has a text; whether those before it do must be known."""
    found = next((number for number, path in enumerate(paths) if path in run.texts), None)
    run.sought.update(dict.fromkeys(paths[:found]))
    return None if found is None else paths[found]


def _elsewhere(run: Run, named: _Named) -> tuple[str, ...]:
    """The files that may be meant though no folder has them; not one that is being read, which would include itself."""
    path = anywhere(run.readings[-1].source.path, named.name)
    run.sought[path] = None
    under_way = {reading.source.path for reading in run.readings}
    return tuple(each for each in run.elsewhere.get(path, ()) if each in run.texts and each not in under_way)


def _named(line: list[Token]) -> _Named | None:
    """The file that the tokens after `#include` name."""
    if line and line[0].kind == STRING and len(line[0].text) > 2:
        return _Named(line[0].text[1:-1].decode(errors="replace"), quoted=True)
    if line and line[0].kind == MARK and line[0].text.startswith(b"<") and any(b">" in token.text for token in line):
        return _Named(joined(line)[1:].split(b">")[0].decode(errors="replace"), quoted=False)
    return None
