"""What `#pragma rewright` says of the region after it: its name, of what it is a transform, its tile sizes.

Must not know where the region stands.
"""

from __future__ import annotations

import re

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.nest import UNRELAXED, Relaxations
from rewright.verdict import Verdict

EXPECTED = (Verdict.PROVED, Verdict.CHECKED, Verdict.REFUTED, Verdict.UNKNOWN)
"""The verdicts that a pragma may expect."""

FORMS = (
    "`spec NAME` or `transform NAME of SPECIFICATION`, and perhaps `at T = 8, 32`, `private s`, `reduction S` or"
    " `expect refuted`"
)
"""What may stand in a pragma, as a message says it."""

_SPECIFICATION = re.compile(r"spec (?P<name>\w+)")
_RELAXED = re.compile(r" (private|reduction) (\w+(?: ?, ?\w+)*)$")
_TRANSFORM = re.compile(
    r"transform (?P<name>\w+) ?(?:\( ?(?P<tiles>\w+(?: ?, ?\w+)*) ?\) ?)?of (?P<of>\w+)"
    r"(?: at (?P<at>\w+ ?= ?\d+(?: ?, ?(?:\w+ ?= ?)?\d+)*))?"
)
_EXPECTED = re.compile(r" expect (\w+)$")


class SaidOfRegion(Struct, frozen=True):
    """What a pragma says: `of` is None for a specification; `at` has the values of names, in order."""

    name: str
    of: str | None = None
    tiles: tuple[str, ...] = ()
    at: tuple[tuple[str, tuple[int, ...]], ...] = ()
    expected: tuple[str, ...] = ()
    relaxed: Relaxations = UNRELAXED


def said(words: str) -> SaidOfRegion | None:
    """What the words after `rewright` say, which are one blank apart at most; None if they cannot be read."""
    expected: tuple[str, ...] = ()
    ending = _EXPECTED.search(words)
    if ending is not None:
        words, expected = words[: ending.start()], (ending[1],)
    if not set(expected) <= {each.value for each in EXPECTED}:
        return None
    relaxed = Relaxations()
    while (found := _RELAXED.search(words)) is not None:
        words, names = words[: found.start()], tuple(each.strip() for each in found[2].split(","))
        private = tuple(map(Name, names)) if found[1] == "private" else ()
        relaxed = Relaxations(private, () if private else names).also(relaxed)
    specification = _SPECIFICATION.fullmatch(words)
    if specification is not None:
        return SaidOfRegion(specification["name"], expected=expected, relaxed=relaxed)
    transform = _TRANSFORM.fullmatch(words)
    if transform is None:
        return None
    tiles = tuple(each.strip() for each in (transform["tiles"] or "").split(",") if each.strip())
    return SaidOfRegion(transform["name"], transform["of"], tiles, _values(transform["at"] or ""), expected, relaxed)


def _values(written: str) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """`T = 8, 32, N = 5` as values by name."""
    found: dict[str, tuple[int, ...]] = {}
    name = ""
    for each in filter(None, (part.strip() for part in written.split(","))):
        before, _, value = each.rpartition("=")
        name = before.strip() or name
        if int(value) not in found.get(name, ()):
            found[name] = (*found.get(name, ()), int(value))
    return tuple(found.items())
