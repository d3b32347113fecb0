"""What would keep iterations of a parallel loop apart: an item of the declaration, or a clause of the loop."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.nest import (
    Nest,
    NestGuard,
    NestItem,
    NestLoop,
    NestStatement,
    ParallelMark,
    combining_operator,
    statements,
)
from rewright.replay.loops.racing import Interference


def remedies(asked: Nest, found: Interference) -> Iterator[tuple[str, Nest]]:
    """Words that may do, each with the nest that has them."""
    mark, array = found.loop.parallel, found.element[0]
    assert mark is not None
    pair = (found.first.operation.statement, found.second.operation.statement)
    is_read = any(read.array == array for each in statements(asked.body) for read in each.reads)
    yield from _clauses(asked, found, pair, is_read) if mark.has_clauses else _items(asked, array, pair, is_read)


def _items(
    asked: Nest, array: Name, pair: tuple[NestStatement, NestStatement], is_read: bool
) -> Iterator[tuple[str, Nest]]:
    known = asked.relaxed
    if array in known.private:
        return
    labels = tuple(dict.fromkeys(each.label for each in pair))
    if all(labels) and all(combining_operator(each) for each in pair):
        yield (
            f"reduction {', '.join(labels)}",
            replace(asked, relaxed=replace(known, reductions=(*known.reductions, *labels))),
        )
    if is_read:
        yield f"private {array}", replace(asked, relaxed=replace(known, private=(*known.private, array)))


def _clauses(
    asked: Nest, found: Interference, pair: tuple[NestStatement, NestStatement], is_read: bool
) -> Iterator[tuple[str, Nest]]:
    mark, array = found.loop.parallel, found.element[0]
    assert mark is not None
    if next(each for each in asked.arrays if each.name == array).sizes:
        # In C it mostly is a pointer: a copy of it has the same elements.
        return
    operators = {_CLAUSES.get(combining_operator(each) or "", "") for each in pair}
    if len(operators) == 1 and "" not in operators and array not in mark.reductions:
        with_it = replace(mark, reductions=(*mark.reductions, array))
        yield f"reduction({operators.pop()}: {array})", replace(asked, body=_marked(asked.body, found.loop, with_it))
    if is_read and array not in mark.private:
        with_it = replace(mark, private=(*mark.private, array))
        yield f"private({array})", replace(asked, body=_marked(asked.body, found.loop, with_it))


_CLAUSES = {"-": "+"} | {each: each for each in ("+", "*", "&", "|", "^", "min", "max")}
"""By the operator of a statement, the one of the clause `reduction`."""


def _marked(body: tuple[NestItem, ...], loop: NestLoop, mark: ParallelMark) -> tuple[NestItem, ...]:
    """The items with another mark of one loop."""
    return tuple(_with_mark(each, loop, mark) for each in body)


def _with_mark(item: NestItem, loop: NestLoop, mark: ParallelMark) -> NestItem:
    match item:
        case NestLoop():
            made = replace(item, body=_marked(item.body, loop, mark))
            return replace(made, parallel=mark) if item is loop else made
        case NestGuard(then=then, otherwise=otherwise):
            return replace(item, then=_marked(then, loop, mark), otherwise=_marked(otherwise, loop, mark))
        case NestStatement():
            return item
