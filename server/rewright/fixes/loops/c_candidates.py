"""Which changes of a nest's text in C may mend it, read off the letters: bounds, subscripts, orders of two.

Offsets are bytes: the text is taken letter by byte, comments and strings blank. Must not know whether a change mends
anything: who tries one reads the whole text again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from rewright.fixes.loops.bounds import added
from rewright.fixes.loops.candidates import EXCHANGED, LoopsChange
from rewright.verdict import Edit, InSource

_BLANK = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_FOR = re.compile(r"\bfor\s*\(")
_IF = re.compile(r"\bif\s*\(")
_COMPARED = re.compile(r"(?<![<>=!-])(<=|>=|<|>)(?![<>=])")
_HEADS = re.compile(r"(?:\s*(?:for|if)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)|\s*else\b)*\s*")
"""The heads before a statement that has no braces around it."""

_CALLED = re.compile(r"\s*(?:\w+\s*:)?\s*\w+\s*\(")


class SourceLetters(Struct, frozen=True):
    """A source, of which bytes `start` to `end` are the nest; `bounds` are ends of the loops that it transforms."""

    path: str
    letters: str
    start: int
    end: int
    bounds: tuple[str, ...] = ()

    @property
    def blanked(self) -> str:
        """The letters, comments and strings blank."""
        return _BLANK.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), self.letters)


class _Part(Struct, frozen=True):
    """A stretch of the text."""

    text: str
    at: int

    @property
    def end(self) -> int:
        return self.at + len(self.text)

    def stripped(self) -> _Part:
        """Without the blanks around it."""
        kept = self.text.strip()
        return _Part(kept, self.at + self.text.index(kept))


def c_candidates(asked: SourceLetters, items: tuple[str, ...]) -> Iterator[LoopsChange]:
    """What may mend a nest, in the order in which kinds are to be preferred; `items` are clauses that would do."""
    blanked = asked.blanked
    body = _Part(blanked[asked.start : asked.end], asked.start)
    heads = list(_heads(body))
    change = _Changes(asked.path)
    yield from (each for item in items for each in _clauses(change, asked, blanked, item))
    for statement in _statements(body):
        yield from _subscripts(change, statement)
    for one, other in pairwise(_statements(body)):
        if not blanked[one.end : other.at].strip():
            texts = asked.letters[one.at : one.end], asked.letters[other.at : other.end]
            edits = ((one, texts[1]), (other, texts[0]))
            yield change.made("swap", f"Exchange `{_short(texts[0])}` and `{_short(texts[1])}`", *edits)
    for statement in _statements(body):
        yield change.made("leave out", f"Leave out `{_short(statement.text)}`", (statement, ";"))
    for head in heads:
        yield from _bounds(change, head)
    for head in heads:
        yield from _least(change, head, asked.bounds)
    for head in (*heads, *_parenthesised(body, _IF)):
        for found in _COMPARED.finditer(head.text):
            sign = EXCHANGED[found[1]]
            part = _Part(found[1], head.at + found.start(1))
            made = head.text[: found.start(1)] + sign + head.text[found.end(1) :]
            yield change.made("compare", f"Compare `{_compared(made)}`", (part, sign))
    for outer, inner in pairwise(heads):
        if re.fullmatch(r"\)\s*\{?\s*for\s*\(", blanked[outer.end : inner.at]):
            title = f"Exchange the loops `{_short(outer.text)}` and `{_short(inner.text)}`"
            yield change.made("loops", title, (outer, inner.text), (inner, outer.text))


class _Changes(Struct, frozen=True):
    """Makes changes of the text at a path."""

    path: str

    def made(self, kind: str, title: str, *edits: tuple[_Part, str]) -> LoopsChange:
        """A change of parts of the text; titles and texts are letters that stand for bytes."""
        places = ((InSource(self.path, part.at, part.end), _decoded(text)) for part, text in edits)
        return LoopsChange(kind, _decoded(title), tuple(Edit(place, text) for place, text in places))


def _decoded(letters: str) -> str:
    return letters.encode("latin-1").decode(errors="replace")


def _short(text: str) -> str:
    words = " ".join(text.split())
    if len(words) <= 60:
        return words
    # The letters stand for bytes: whole characters are cut, and the ellipsis is the letters of its bytes.
    return f"{_decoded(words)[:59]}…".encode().decode("latin-1")


def _compared(head: str) -> str:
    """The part of a head that compares."""
    return _short(next(each for each in head.split(";") if _COMPARED.search(each)))


def _heads(body: _Part) -> Iterator[_Part]:
    """What stands between the parentheses of each `for`."""
    return (each for each in _parenthesised(body, _FOR) if each.text.count(";") == 2)


def _parenthesised(body: _Part, after: re.Pattern[str]) -> Iterator[_Part]:
    for found in after.finditer(body.text):
        end = _closing(body.text, found.end())
        if end is not None:
            yield _Part(body.text[found.end() : end], body.at + found.end())


def _closing(text: str, at: int) -> int | None:
    """Where the parenthesis or bracket closes that was opened before."""
    depth = 1
    for place in range(at, len(text)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return None


def _split(part: _Part, separator: str) -> list[_Part]:
    """The pieces of a part between separators that are in no parentheses."""
    depth, start, found = 0, 0, []
    for place, letter in enumerate((*part.text, separator)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(letter, 0)
        if letter == separator and depth == 0:
            found.append(_Part(part.text[start:place], part.at + start))
            start = place + 1
    return found


def _statements(body: _Part) -> list[_Part]:
    """The simple statements of a nest: what ends in a semicolon and is no head, declaration or call of a function."""
    hidden = body.text
    for head in _heads(body):
        before = head.at - body.at
        hidden = hidden[:before] + " " * len(head.text) + hidden[before + len(head.text) :]
    found = []
    for each in re.finditer(r"[^;{}]+;", hidden):
        heads = _HEADS.match(each[0])
        start = each.start() + (heads.end() if heads is not None else 0)
        text = body.text[start : each.end()]
        if ("=" in text or _CALLED.match(text)) and not re.match(r"\s*(?:const|int|double|float|#)", text):
            found.append(_Part(text, body.at + start))
    return found


def _subscripts(change: _Changes, statement: _Part) -> Iterator[LoopsChange]:
    for entry, beside in _entries(statement):
        part = entry.stripped()
        for step in (1, -1):
            made = added(part.text, step)
            if part.text and made != part.text:
                yield change.made("subscript", f"Access at `{made}` for `{part.text}`", (part, made))
        if beside is not None:
            one, other = part, beside.stripped()
            title = f"Access at `{other.text}` and `{one.text}`, exchanged"
            yield change.made("subscript", title, (one, other.text), (other, one.text))


def _entries(statement: _Part) -> Iterator[tuple[_Part, _Part | None]]:
    """Subscripts, and arguments of a macro that is the statement, each with the one after it."""
    found: list[_Part] = []
    for each in re.finditer(r"\[", statement.text):
        end = _closing(statement.text, each.end())
        if end is not None:
            found.append(_Part(statement.text[each.end() : end], statement.at + each.end()))
    called = _CALLED.match(statement.text)
    if called is not None:
        end = _closing(statement.text, called.end())
        if end is not None:
            found += _split(_Part(statement.text[called.end() : end], statement.at + called.end()), ",")
    for number, entry in enumerate(found):
        after = found[number + 1] if number + 1 < len(found) else None
        is_beside = after is not None and after.at - entry.end <= 2
        yield entry, after if is_beside else None


def _bounds(change: _Changes, head: _Part) -> Iterator[LoopsChange]:
    """The first value and the end of a loop by one."""
    begins, condition, _ = _split(head, ";")
    equals, compared = begins.text.find("="), _COMPARED.search(condition.text)
    rights = [_Part(begins.text[equals + 1 :], begins.at + equals + 1)] if equals >= 0 else []
    if compared is not None:
        rights.insert(0, _Part(condition.text[compared.end() :], condition.at + compared.end()))
    for right in rights:
        for part in _alternatives(right.stripped()):
            for step in (1, -1):
                made = added(part.text, step)
                shown = head.text[: part.at - head.at] + made + head.text[part.end - head.at :]
                yield change.made("bound", f"Run `{_short(shown)}`", (part, made))


def _alternatives(bound: _Part) -> Iterator[_Part]:
    """The operands of a least or greatest, else the bound itself."""
    called = re.match(r"(?:min|max|MIN|MAX|imin|imax)\s*\(", bound.text)
    if called is None or not bound.text.endswith(")"):
        yield bound
        return
    inside = _Part(bound.text[called.end() : -1], bound.at + called.end())
    for each in _split(inside, ","):
        yield from _alternatives(each.stripped())


def _least(change: _Changes, head: _Part, bounds: tuple[str, ...]) -> Iterator[LoopsChange]:
    """A bound that is one of the transformed loops', or the least with it."""
    _, condition, _ = _split(head, ";")
    compared = _COMPARED.search(condition.text)
    if compared is None or not compared[1].startswith("<"):
        return
    part = _Part(condition.text[compared.end() :], condition.at + compared.end()).stripped()
    for bound in bounds:
        if bound != part.text:
            for made in (bound, f"min({part.text}, {bound})"):
                shown = head.text[: part.at - head.at] + made + head.text[part.end - head.at :]
                yield change.made("least", f"Run `{_short(shown)}`", (part, made))


def _clauses(change: _Changes, asked: SourceLetters, blanked: str, item: str) -> Iterator[LoopsChange]:
    """A clause of OpenMP at each pragma that says of a loop of the nest that it runs in parallel.

    Or an item of our own, such as `private s`, at the pragma that says that the nest is a transform.
    """
    if "(" not in item:
        own = [each for each in _pragmas(blanked, "rewright[ \t]+transform") if each.at < asked.start][-1:]
        for pragma in own:
            expected = re.search(r"[ \t]+expect\b", pragma.text)
            end = pragma.end if expected is None else pragma.at + expected.start()
            yield change.made("item", f"Add `{item}`", (_Part("", end), f" {item}"))
        return
    for pragma in _pragmas(blanked, "omp"):
        if asked.start - len(pragma.text) - 200 <= pragma.at <= asked.end:
            yield change.made("item", f"Add `{item}`", (_Part("", pragma.end), f" {item}"))


def _pragmas(blanked: str, beginning: str) -> Iterator[_Part]:
    """The lines with a pragma that begins so, without the end of the line."""
    pragma = re.compile(rf"^[ \t]*#[ \t]*pragma[ \t]+{beginning}[ \t][^\n]*?(?=[ \t]*\r?$)", re.MULTILINE)
    return (_Part(found[0], found.start()) for found in pragma.finditer(blanked))
