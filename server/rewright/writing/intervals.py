"""Barrier intervals as a text has them: which accesses of shared arrays stand after which barriers.

Read off the program without running it: an access is told of after each barrier that may be the last one before it on
some path, whether a thread takes that path or not. Must not know a launch, nor how anything is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum

from msgspec import Struct

from rewright.model.simt.instructions import (
    AddressOf,
    Atomic,
    Barrier,
    Branch,
    Exit,
    Instruction,
    Jump,
    Load,
    Register,
    Store,
)
from rewright.model.simt.program import Program
from rewright.model.simt.types import Space
from rewright.verdict import Place

Start = None
"""Stands for the start of the kernel among the places at which intervals begin."""


class Does(StrEnum):
    """What an access does to its element."""

    READS = "reads"
    WRITES = "writes"
    CHANGES = "changes"


class Touch(Struct, frozen=True):
    """An access of a shared array, by the array's number among the objects, and where its intervals begin."""

    array: int
    does: Does
    place: Place
    after: frozenset[Place | None]


class Intervals(Struct, frozen=True):
    """The accesses of all shared arrays, and for each barrier of a block where the intervals begin that it ends."""

    touches: tuple[Touch, ...]
    ended: Mapping[Place, frozenset[Place | None]]


def intervals(program: Program) -> Intervals:
    """The intervals of a program."""
    before, objects = _last_barriers(program.code), _pointed_to(program)
    touches: dict[Touch, None] = {}
    ended: dict[Place, frozenset[Place | None]] = {}
    for at, each in enumerate(program.code):
        match each:
            case Barrier(place=place):
                ended[place] = ended.get(place, frozenset()) | before[at]
            case Load(address=Register(number=number)):
                touches |= dict.fromkeys(_touches(objects.get(number, ()), Does.READS, each.place, before[at]))
            case Store(address=Register(number=number)):
                touches |= dict.fromkeys(_touches(objects.get(number, ()), Does.WRITES, each.place, before[at]))
            case Atomic(address=Register(number=number)):
                touches |= dict.fromkeys(_touches(objects.get(number, ()), Does.CHANGES, each.place, before[at]))
            case _:
                continue
    shared = {number for number, each in enumerate(program.objects) if each.space is Space.SHARED}
    return Intervals(tuple(touch for touch in touches if touch.array in shared), ended)


def _touches(
    arrays: frozenset[int] | tuple[()], does: Does, place: Place, after: frozenset[Place | None]
) -> Iterator[Touch]:
    return (Touch(array, does, place, after) for array in sorted(arrays))


def _last_barriers(code: tuple[Instruction, ...]) -> list[frozenset[Place | None]]:
    """Before each instruction: the barriers that may be the last one passed, `Start` for none."""
    found: list[set[Place | None]] = [set() for _ in code]
    open_ = [(0, frozenset[Place | None]({Start}))] if code else []
    while open_:
        at, known = open_.pop()
        if at >= len(code) or known <= found[at]:
            continue
        found[at] |= known
        each = code[at]
        after = frozenset({each.place}) if isinstance(each, Barrier) else frozenset(found[at])
        open_ += [(next_, after) for next_ in _following(each, at)]
    return [frozenset(each) for each in found]


def _following(each: Instruction, at: int) -> tuple[int, ...]:
    match each:
        case Exit():
            return ()
        case Jump(target=target):
            return (target,)
        case Branch(otherwise=otherwise):
            return (at + 1, otherwise)
        case _:
            return (at + 1,)


def _pointed_to(program: Program) -> dict[int, frozenset[int]]:
    """The objects that the addresses in each register may be of, by the registers' numbers."""
    found: dict[int, frozenset[int]] = {}
    changed = True
    while changed:
        changed = False
        for each in program.code:
            result = getattr(each, "result", None)
            if not isinstance(result, Register) or isinstance(each, Atomic):
                continue
            known = found.get(result.number, frozenset())
            wider = known | ({each.object} if isinstance(each, AddressOf) else _sources(each, found))
            if wider != known:
                found[result.number], changed = wider, True
    return found


def _sources(each: Instruction, known: Mapping[int, frozenset[int]]) -> frozenset[int]:
    """What the operands of an instruction that makes a value point to."""
    values = (getattr(each, name) for name in each.__struct_fields__ if name != "result")
    return frozenset(array for value in values if isinstance(value, Register) for array in known.get(value.number, ()))
