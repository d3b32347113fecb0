"""Names of generated loops: that of the iterator which a loop runs, `ii` for one over tiles; and loops that run down.

Where every statement in a loop has its iterator with the other sign, the loop is written downward.
"""

from __future__ import annotations

from collections.abc import Collection

from rewright.loops.generation.timing import tile_name
from rewright.loops.generation.written import (
    WrittenBody,
    WrittenGuard,
    WrittenItem,
    WrittenLoop,
    simplified,
    substituted,
    written_loops,
    written_statements,
)
from rewright.loops.linear import linear
from rewright.model.index import Name
from rewright.model.nest import AffineExpression, AffineNumber, AffineOperation, AffineVariable

Iterators = tuple[tuple[Name, ...], ...]
"""The iterators of each statement of the nest."""


def named(body: WrittenBody, iterators: Iterators, taken: Collection[Name]) -> WrittenBody:
    """The loops with names for people, none of them `taken`."""
    return tuple(_item(each, iterators, frozenset(taken)) for each in body)


def _item(item: WrittenItem, iterators: Iterators, taken: frozenset[Name]) -> WrittenItem:
    match item:
        case WrittenLoop():
            loop = _upright(item)
            # The names of loops inside of it are chosen first: a loop over tiles is called after one of them.
            inner = named(loop.body, iterators, taken)
            name = _free(_name(loop, inner, iterators), taken | {each.iterator for each in written_loops(inner)})
            (made,) = substituted(
                (WrittenLoop(loop.iterator, loop.low, loop.high, loop.step, inner),),
                {loop.iterator: AffineVariable(name)},
            )
            return made
        case WrittenGuard(condition=condition, then=then, otherwise=otherwise):
            return WrittenGuard(condition, named(then, iterators, taken), named(otherwise, iterators, taken))
        case _:
            return item


def _name(loop: WrittenLoop, inner: WrittenBody, iterators: Iterators) -> str:
    """What a loop is called: after the first iterator that it runs, else after the loop over its tile."""
    for each in written_statements(inner):
        runs = [
            (len(found), name)
            for name, value in zip(iterators[each.number], each.iterators, strict=True)
            if (found := linear(value) or {}).get(loop.iterator)
        ]
        if runs:
            return min(runs, key=lambda run: run[0])[1]
    over = [(_closeness(each_loop, loop.iterator), each_loop.iterator) for each_loop in written_loops(inner)]
    closest = min(over, key=lambda each: each[0], default=(FAR, Name("c")))
    return tile_name(closest[1]) if closest[0] < FAR else "c"


FAR = 4
"""What a loop has to do with the one over its tile: nothing."""


def _closeness(loop: WrittenLoop, tile: Name) -> int:
    """How clearly a loop is the one in a tile: it begins there, or ends there, or one of its bounds speaks of it."""
    lows, highs = _parts(loop.low), _parts(loop.high)
    if AffineVariable(tile) in lows and loop.step in (1, -1):
        return 0
    ends = ((linear(each) or {}) for each in highs)
    if any({name for name, factor in each.items() if name is not None and factor} == {tile} for each in ends):
        return 1 if loop.step in (1, -1) else 2
    return 3 if tile in _variables(loop.low) | _variables(loop.high) else FAR


def _parts(bound: AffineExpression) -> tuple[AffineExpression, ...]:
    match bound:
        case AffineOperation(operator="min" | "max", left=left, right=right):
            return (*_parts(left), *_parts(right))
        case _:
            return (bound,)


def _free(name: str, taken: Collection[Name]) -> Name:
    made, number = Name(name), 2
    while made in taken:
        made, number = Name(f"{name}{number}"), number + 1
    return made


def _variables(expression: AffineExpression) -> set[Name]:
    match expression:
        case AffineVariable(name=name):
            return {name}
        case AffineOperation(left=left, right=right):
            return _variables(left) | _variables(right)
        case _:
            return set()


def _upright(loop: WrittenLoop) -> WrittenLoop:
    """The loop, downward if each statement in it has its iterator with the other sign."""
    signs = {
        factor
        for each in written_statements(loop.body)
        for value in each.iterators
        if (factor := (linear(value) or {}).get(loop.iterator))
    }
    if signs != {-1} or loop.step != 1:
        return loop
    down = AffineOperation("-", AffineNumber(0), AffineVariable(loop.iterator))
    last = simplified(AffineOperation("-", loop.high, AffineNumber(1)))
    low, high = _negated(loop.low), simplified(AffineOperation("-", _negated(last), AffineNumber(1)))
    return WrittenLoop(loop.iterator, low, _pushed(high), -1, substituted(loop.body, {loop.iterator: down}))


def _negated(bound: AffineExpression) -> AffineExpression:
    match bound:
        case AffineOperation(operator="min" | "max" as operator, left=left, right=right):
            one, other = _negated(left), _negated(right)
            return AffineOperation("max", one, other) if operator == "min" else AffineOperation("min", one, other)
        case AffineOperation(operator="-" | "+" as operator, left=left, right=AffineNumber() as right):
            return AffineOperation("+" if operator == "-" else "-", _negated(left), right)
        case _:
            return simplified(AffineOperation("-", AffineNumber(0), bound))


def _pushed(bound: AffineExpression) -> AffineExpression:
    """A sum with a number, the number in each part of a least or greatest."""
    match bound:
        case AffineOperation(
            operator="+" | "-" as sign,
            left=AffineOperation(operator="min" | "max" as operator, left=one, right=other),
            right=AffineNumber() as number,
        ):
            parts = (_pushed(simplified(AffineOperation(sign, each, number))) for each in (one, other))
            return AffineOperation(operator, *parts)
        case _:
            return bound
