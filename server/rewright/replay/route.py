"""The route of one element through a side of a rule: which cells of which intermediate values it is made of.

Owns the marking that remembers each value a cell has passed through. Invariant: a passage is what the replay really
did; a cell that merely has an equal value is on no route. Must not know why the element is of interest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.rule import RuleQuestion
from rewright.model.tensor import Tensor
from rewright.replay.arrays import Array, Position, aligned, filled, positions
from rewright.replay.inputs import Inputs, read_instance
from rewright.replay.provenance import TRACED, Computed, Marking, PaddingOf, Reduced, Traced, traced_at
from rewright.replay.tensors import Evaluation, evaluate
from rewright.verdict import Instance, Passage

MOST_PASSAGES = 400
"""Passages of one side that are kept, those nearest to the element."""


class _Passed(Struct, frozen=True, eq=False):
    """The origin of a cell that is part of the value at a site."""

    site: int
    index: Position
    origin: Any


def routes(question: RuleQuestion, instance: Instance, at: tuple[tuple[str, Position], ...]) -> tuple[Passage, ...]:
    """How the elements of both sides at an index came about, on an input on which both sides are valid."""
    inputs = read_instance(question, instance)
    sides = (_Side("left", question.rule.left, inputs), _Side("right", question.rule.right, inputs))
    return tuple(passage for side in sides for passage in _route(side, at))


class _Side(Struct, frozen=True):
    name: str
    expression: Tensor
    inputs: Inputs


def _route(side: _Side, at: tuple[tuple[str, Position], ...]) -> Iterator[Passage]:
    """The passages of the element at an index, those nearest to it first."""
    position = tuple(number for _, index in at for number in index)
    groups = tuple(Name(group) for group, _ in at)
    value = evaluate(side.expression, Evaluation(side.inputs, lambda site, value: None, ROUTED))
    root: Any = traced_at(aligned(value, groups, side.inputs.ranks), position).origin
    # The result is shown with its axes as the other side has them.
    waiting: list[tuple[_Passed, Passage]] = [(root, Passage(side.name, root.site, position, None, ()))]
    seen: set[tuple[object, ...]] = set()
    for passed, passage in waiting:
        if len(seen) == MOST_PASSAGES:
            return
        key = (passage.site, passage.index, passage.into, passage.at)
        if key in seen:
            continue
        seen.add(key)
        yield passage
        for each in _nearest(passed.origin):
            waiting.append((each, Passage(side.name, each.site, each.index, passage.site, passage.index)))


def _nearest(origin: Any) -> Iterator[_Passed]:
    """The cells that an element was made of directly."""
    match origin:
        case _Passed():
            yield origin
        case Computed(origins=origins):
            for each in origins:
                yield from _nearest(each)
        case Reduced(terms=terms):
            for term in terms:
                yield from _nearest(term.origin)
        case PaddingOf(value=value):
            yield from _nearest(value)
        case _:
            return


def _passed(site: int, value: Array) -> Array:
    data = filled(value.data.shape, False)
    for index in positions(value.data.shape):
        cell: Any = traced_at(value, index)
        data[index] = Traced(cell.element, _Passed(site, index, cell.origin))  # type: ignore[arg-type]
    return Array(value.groups, data)


ROUTED: Marking = replace(TRACED, passed=_passed)
