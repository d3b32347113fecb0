"""Inputs at which the ranks do not hold a result as it is stated.

Owns what it means that they do: put together as placed, each replica is the sequential result. An element counts as
different only where that is decided. Must not know why.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.graph import ExpectedEquation, Placed, Refinement
from rewright.model.index import Name
from rewright.replay.arrays import Data, Position, positions
from rewright.replay.elements import UNDEFINED, Element, SpecialElement, element_text, equal
from rewright.replay.graphs.extents import Numbers, Unfit
from rewright.replay.graphs.placing import Replica, own_index, replicas
from rewright.replay.graphs.ranks import Coordinates
from rewright.replay.graphs.related import RelatedValues, ShownRun, runs, shown_run
from rewright.replay.graphs.steps import MOST_STEPS


class RankEntry(Struct, frozen=True):
    """What a rank holds towards an element: its entry at `index` of its own tensor."""

    rank: Coordinates
    index: Position
    element: str


class ExpectationFails(Struct, frozen=True):
    """At `index` of an output, `found` is what `entries`, of the ranks of one replica, make, not `expected`.

    Of an `equation` the output is its left side, and the entry is of the right side.
    """

    output: Name
    index: Position
    expected: str
    found: str
    entries: tuple[RankEntry, ...]
    run: ShownRun
    equation: ExpectedEquation | None = None


class ExpectationOfOtherShape(Struct, frozen=True):
    """What the ranks hold of an output, put together as stated, has not the shape of the sequential one.

    `found` is None where it cannot be put together, or where a graph has no such output.
    """

    output: Name
    expected: tuple[int, ...] | None
    found: tuple[int, ...] | None


def failing_expectation(
    refinement: Refinement, sizes: Numbers, most_steps: int = MOST_STEPS
) -> ExpectationFails | ExpectationOfOtherShape | None:
    """The first stated result, of the first draw, that the ranks do not hold as stated; None where none was found.

    Small numbers are drawn first. None, too, at sizes without related inputs or where a node has no value. Raises
    `NotReplayable` for an operator that is not replayed, and `TooLarge` for values that take more than `most_steps`.
    """
    for run in runs(refinement, sizes, most_steps):
        for placed in refinement.expected:
            found = _failing(refinement, placed, run, sizes)
            if found is not None:
                return found
        for equation in refinement.equations:
            unequal = _unequal(equation, run, sizes)
            if unequal is not None:
                return unequal
    return None


def _unequal(equation: ExpectedEquation, run: RelatedValues, sizes: Numbers) -> ExpectationFails | None:
    """The first element of the left side that is not the right one's on some rank."""
    expected, held = run.sequential.nodes[equation.left][()], run.distributed.nodes[equation.right]
    for rank, data in held.items():
        at = _first_difference(expected, data) if data.shape == expected.shape else None
        if at is not None:
            entry = RankEntry(rank, at, element_text(data[at]))
            shown = shown_run(run, sizes, equation)
            return ExpectationFails(
                equation.name, at, element_text(expected[at]), entry.element, (entry,), shown, equation
            )
    return None


def _failing(
    refinement: Refinement, placed: Placed, run: RelatedValues, sizes: Numbers
) -> ExpectationFails | ExpectationOfOtherShape | None:
    name, mesh = placed.name, refinement.distributed.mesh
    if name not in run.sequential.results:
        return ExpectationOfOtherShape(name, None, None)
    expected = run.sequential.results[name][()]
    try:
        copies = list(replicas(run.distributed.results[name], placed.placements, mesh))
    except (KeyError, Unfit):
        return ExpectationOfOtherShape(name, expected.shape, None)
    for replica in copies:
        if replica.whole.shape != expected.shape:
            return ExpectationOfOtherShape(name, expected.shape, replica.whole.shape)
        at = _first_difference(expected, replica.whole)
        if at is not None:
            return ExpectationFails(
                name,
                at,
                element_text(expected[at]),
                element_text(replica.whole[at]),
                _entries(refinement, placed, run, replica, at),
                shown_run(run, sizes, name),
            )
    return None


def _first_difference(expected: Data, found: Data) -> Position | None:
    return next((at for at in positions(expected.shape) if differs(expected[at], found[at])), None)


def differs(expected: Element, found: Element) -> bool:
    """Whether an element that has a value is surely not what was found for it."""
    if isinstance(expected, SpecialElement):
        return False
    return found is UNDEFINED or equal(expected, found) is False


def _entries(
    refinement: Refinement, placed: Placed, run: RelatedValues, replica: Replica, at: Position
) -> tuple[RankEntry, ...]:
    held, mesh = run.distributed.results[placed.name], refinement.distributed.mesh
    found = []
    for rank in replica.ranks:
        index = own_index(at, rank, placed.placements, mesh, replica.whole.shape)
        if index is not None:
            found.append(RankEntry(rank, index, element_text(held[rank][index])))
    return tuple(found)
