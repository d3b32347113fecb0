"""Loops with several copies of their body, and a loop for the rest after each."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from rewright.loops.generation.steps import ScheduleError, Unroll
from rewright.loops.generation.written import (
    WrittenBody,
    WrittenGuard,
    WrittenItem,
    WrittenLoop,
    WrittenName,
    simplified,
    substituted,
    written_loops,
)
from rewright.model.index import Name
from rewright.model.nest import AffineExpression, AffineNumber, AffineOperation, AffineVariable


def unrolled(body: WrittenBody, step: Unroll, *, may_be_empty: bool) -> WrittenBody:
    """The loops of a name, or the innermost ones, unrolled. Raises `ScheduleError` if there is none.

    If a loop `may_be_empty`, its end may be before its start.
    """
    names = dict.fromkeys(each.iterator for each in written_loops(body))
    if step.loop is not None and step.loop not in names:
        known = ", ".join(f"`{name}`" for name in names) or "none"
        raise ScheduleError(f"there is no loop `{step.loop}` to unroll; loops are {known}")
    if not names:
        raise ScheduleError("there is no loop to unroll")
    return _body(body, step, may_be_empty)


def _body(body: WrittenBody, step: Unroll, may_be_empty: bool) -> WrittenBody:
    made: list[WrittenItem] = []
    for item in body:
        match item:
            case WrittenLoop() if _is_meant(item, step):
                # A name for the whole part stands to the end of its block: another one has another name.
                names = {each.name: each.value for each in made if isinstance(each, WrittenName)}
                named, *loops = _unrolled(item, step.factor, (may_be_empty, names))
                made += loops if named in made else (named, *loops)
            case WrittenLoop(body=inner):
                made.append(replace(item, body=_body(inner, step, may_be_empty)))
            case WrittenGuard(then=then, otherwise=otherwise):
                parts = (_body(each, step, may_be_empty) for each in (then, otherwise))
                made.append(WrittenGuard(item.condition, *parts))
            case _:
                made.append(item)
    return tuple(made)


def _is_meant(loop: WrittenLoop, step: Unroll) -> bool:
    return loop.iterator == step.loop if step.loop is not None else not any(written_loops(loop.body))


def _unrolled(loop: WrittenLoop, factor: int, rest: tuple[bool, Mapping[Name, AffineExpression]]) -> WrittenBody:
    """The name of the end of the whole part, that part, and the rest."""
    may_be_empty, names = rest
    by = abs(loop.step) * factor
    up = loop.step > 0
    length: AffineExpression = AffineOperation("-", *((loop.high, loop.low) if up else (loop.low, loop.high)))
    length = simplified(length)
    length = AffineOperation("max", AffineNumber(0), length) if may_be_empty else length
    whole = AffineOperation("*", AffineOperation("//", length, AffineNumber(by)), AffineNumber(by))
    end = simplified(AffineOperation("+" if up else "-", loop.low, whole))
    end = whole if loop.low == AffineNumber(0) and up else end
    last = _free(f"last_{loop.iterator}", end, names)
    copies: list[WrittenItem] = []
    for number in range(factor):
        shift = AffineOperation("+", AffineVariable(loop.iterator), AffineNumber(number * loop.step))
        copies += substituted(loop.body, {loop.iterator: simplified(shift)}) if number else loop.body
    step = by if up else -by
    return (
        WrittenName(last, end),
        WrittenLoop(loop.iterator, loop.low, AffineVariable(last), step, tuple(copies)),
        replace(loop, low=AffineVariable(last)),
    )


def _free(name: str, value: AffineExpression, names: Mapping[Name, AffineExpression]) -> Name:
    """The name, or one with a number if it stands for something else already."""
    made, number = Name(name), 2
    while names.get(made, value) != value:
        made, number = Name(f"{name}{number}"), number + 1
    return made
