"""Owns which problems of a piece of text are reported: of those that follow from one mistake, the first.

What stands behind a mistake in its line is read by guessing, up to the end of the line or a `;`. A bracket that is
still open where a line begins an item was not closed: what follows it is read as part of it.
Invariant: a text that has problems keeps one. It must not know how problems are found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from rewright.syntax.nodes import Problem
from rewright.syntax.places import last_character, line_end, line_start
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.syntax import SomethingMissing, UnclosedBrace, UnexpectedText

ITEM: Final = (
    rb"[ \t]*(axes|axis|map|int|scalar|tensor|fn|monoid|let|where|assume|check|example|requires|ensures|launch|shared"
    rb"|define|var|array|expect|if|for|while|return|assert)\b"
)
"""The beginning of a line that begins an item or a statement."""

_ITEM_LINE: Final = re.compile(ITEM + rb"[ \t]+[\w(\x80-\xff]")
_TOKEN: Final = re.compile(rb'"(?:[^"\\\r\n]|\\.)*"|//[^\r\n]*|[\[\](){}]|[\r\n]+')
_WORD: Final = re.compile(r"[^\W\d]\w*")
_CLOSING: Final = {b"(": b")", b"[": b"]", b"{": b"}"}


def first_errors(found: Sequence[Problem], source: bytes) -> tuple[Problem, ...]:
    """Returns the problems, which are in the order of their places, without those that follow from others."""
    bracket = _not_closed(source) if any(_is_guess(problem) for problem in found) else None
    if bracket is None or all(problem.span.end < bracket.reach.start for problem in found if bracket.reach):
        return _of_each_statement(found, source)
    before = (problem for problem in found if bracket.reach and problem.span.end < bracket.reach.start)
    kept = [problem for problem in before if not isinstance(problem.diagnosis, UnclosedBrace)]
    return (*_of_each_statement(kept, source), bracket)


def _is_guess(problem: Problem) -> bool:
    return isinstance(problem.diagnosis, UnexpectedText | SomethingMissing)


def _of_each_statement(found: Sequence[Problem], source: bytes) -> tuple[Problem, ...]:
    """Of each statement, what is certain to be wrong; where nothing is, the first guess."""
    settled = {_statement(problem, source) for problem in found if not _is_guess(problem) and not _is_brace(problem)}
    kept = []
    for problem in found:
        statement = _statement(problem, source)
        if _is_brace(problem):
            kept.append(problem)
        elif not _is_guess(problem):
            kept.append(_reaching(problem, statement, source))
        elif statement not in settled:
            settled.add(statement)
            kept.append(_reaching(problem, statement, source))
    return tuple(kept)


def _reaching(problem: Problem, reach: Span, source: bytes) -> Problem:
    words = _WORD.findall(source[reach.start : reach.end].decode(errors="replace"))
    return replace(problem, reach=reach, words=frozenset(words))


def _is_brace(problem: Problem) -> bool:
    return isinstance(problem.diagnosis, UnclosedBrace)


def _statement(problem: Problem, source: bytes) -> Span:
    """The part of a line, up to a `;`, in which a problem begins."""
    at = problem.span.start
    start = max(line_start(source, at), source.rfind(b";", 0, at) + 1)
    end = source.find(b";", at, line_end(source, at))
    return Span(start, end if end >= 0 else line_end(source, at))


def _not_closed(source: bytes) -> Problem | None:
    """The first bracket that is still open where a line begins an item."""
    open_: list[tuple[bytes, int]] = []
    comment = Span(0, 0)
    for token in _TOKEN.finditer(source):
        text = token[0]
        if text.startswith(b"//"):
            comment = Span(token.start(), token.end())
        elif text in _CLOSING:
            open_.append((text, token.start()))
        elif open_ and text == _CLOSING[open_[-1][0]]:
            open_.pop()
        elif text in _CLOSING.values():
            return None
        elif text[:1] in b"\r\n" and open_ and open_[-1][0] != b"{" and _ITEM_LINE.match(source, token.end()):
            bracket, start = open_[-1]
            missing = SomethingMissing(f"`{_CLOSING[bracket].decode()}`")
            end = comment.start if comment.end == token.start() else token.start()
            problem = Problem(missing, last_character(source, end))
            return _reaching(problem, Span(start, len(source)), source)
    return None
