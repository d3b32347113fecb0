"""Sizes at which a refinement says something: everything divides, what is required holds, inputs can be placed.

Owns the search for small ones, smallest first. Bounded: numbers up to `LARGEST`, `MOST_TRIED` choices. Must not know
elements.
"""

from __future__ import annotations

import heapq
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence

from rewright.model.graph import Graph, GraphInput, Partial, Placed, Refinement, Shape, Shard, SizeFact, Slice
from rewright.model.index import Index, Name
from rewright.replay.graphs.extents import Numbers, Unfit, extent, extents, names_in, part_of, placeless
from rewright.replay.graphs.ranks import Mesh, ranks, size_of

LARGEST = 128
"""The largest size that is tried."""

MOST_TRIED = 2000
"""Choices of sizes that are tried before the search gives up."""


def size_names(refinement: Refinement) -> tuple[Name, ...]:
    """The names of sizes in both graphs, in the order of their appearance; names of mesh axes are none."""
    axes = {axis.name for axis in refinement.distributed.mesh}
    found: dict[Name, None] = {}
    for graph in (refinement.sequential, refinement.distributed):
        for index in _written(graph):
            found |= dict.fromkeys(name for name in names_in(index) if name not in axes)
    return tuple(found)


def sizes_to_try(refinement: Refinement) -> Iterator[dict[Name, int]]:
    """A few choices of sizes at which everything divides and all inputs can be placed, without repetitions.

    The least; the least with every extent that depends on sizes at least 2; the same with all sizes different. None
    where there are none among those tried. Raises `NotReplayable` for maps in sizes.
    """
    names = size_names(refinement)
    written = _Written(refinement)
    seen: list[dict[Name, int]] = []
    for chosen in (_least(names, written, 1), _least(names, written, 2), _distinct(names, written)):
        if chosen is not None and chosen not in seen:
            seen.append(chosen)
            yield chosen


class _Written:
    """The expressions of both graphs, each with what stands in it besides sizes, and what else must fit."""

    def __init__(self, refinement: Refinement) -> None:
        self.refinement = refinement
        self.expressions = list(_expressions(refinement))

    def fits(self, sizes: Numbers, least: int) -> bool:
        return (
            self.divides(sizes, least, frozenset(sizes))
            and all(_holds(fact, sizes) for fact in self.refinement.facts)
            and unplaceable(self.refinement, sizes) is None
        )

    def divides(self, sizes: Numbers, least: int, names: frozenset[Name]) -> bool:
        """Whether every expression of these names alone divides; shapes that depend on one are at least `least`."""
        try:
            for index, used, coordinates in self.expressions:
                if used <= names:
                    found = extent(index, {**sizes, **(coordinates or {})})
                    if used and coordinates is None and found < least:
                        return False
        except Unfit:
            return False
        return True


COMPARED = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def _holds(fact: SizeFact, sizes: Numbers) -> bool:
    try:
        return bool(COMPARED[fact.operator](extent(fact.left, sizes), extent(fact.right, sizes)))
    except Unfit:
        return False


def _expressions(refinement: Refinement) -> Iterator[tuple[Index, frozenset[Name], Mapping[Name, int] | None]]:
    """Each expression once, with its sizes; an offset once for each rank, with the coordinates of that."""
    for graph in (refinement.sequential, refinement.distributed):
        for index in dict.fromkeys(placeless(size) for node in graph.nodes for size in node.shape):
            yield index, frozenset(names_in(index)), None
        for start in dict.fromkeys(placeless(offset) for offset in _offsets(graph)):
            for rank in ranks(graph.mesh):
                coordinates = {axis.name: number for axis, number in zip(graph.mesh, rank, strict=True)}
                yield start, frozenset(names_in(start)) - coordinates.keys(), coordinates


def _written(graph: Graph) -> Iterator[Index]:
    for node in graph.nodes:
        yield from node.shape
    yield from _offsets(graph)


def _offsets(graph: Graph) -> Iterator[Index]:
    for node in graph.nodes:
        if isinstance(node, Slice):
            yield from node.start


def _least(names: Sequence[Name], written: _Written, least: int) -> dict[Name, int] | None:
    return _first(names, _domains(names, written, least), lambda sizes: written.fits(sizes, least))


def _distinct(names: Sequence[Name], written: _Written) -> dict[Name, int] | None:
    used: set[int] = set()
    domains = []
    for domain in _domains(names, written, 2):
        start = next((at for at, size in enumerate(domain) if size not in used), len(domain))
        domains.append(domain[start:])
        used.update(domain[start : start + 1])
    return _first(names, domains, lambda sizes: len(set(sizes.values())) == len(sizes) and written.fits(sizes, 2))


def _domains(names: Sequence[Name], written: _Written, least: int) -> list[list[int]]:
    """For each name the sizes at which what depends on it alone divides."""
    return [
        [size for size in range(1, LARGEST + 1) if written.divides({name: size}, least, frozenset({name}))]
        for name in names
    ]


def _first(
    names: Sequence[Name], domains: Sequence[Sequence[int]], accept: Callable[[dict[Name, int]], bool]
) -> dict[Name, int] | None:
    """The accepted choice with the least sum, None where none of the first ones is accepted."""
    if not all(domains):
        return None
    start = (0,) * len(names)
    waiting = [(sum(domain[0] for domain in domains), start)]
    seen = {start}
    for _ in range(MOST_TRIED):
        if not waiting:
            return None
        total, places = heapq.heappop(waiting)
        sizes = {name: domain[place] for name, domain, place in zip(names, domains, places, strict=True)}
        if accept(sizes):
            return sizes
        for at, place in enumerate(places):
            following = (*places[:at], place + 1, *places[at + 1 :])
            if place + 1 < len(domains[at]) and following not in seen:
                seen.add(following)
                heapq.heappush(waiting, (total - domains[at][place] + domains[at][place + 1], following))
    return None


def unplaceable(refinement: Refinement, sizes: Numbers) -> Name | None:
    """The first input that cannot be placed at these sizes, None where all can.

    It cannot be where a graph does not have it, parts are not equal, an axis is used twice or is not there, or the
    distributed graph declares another shape.
    """
    whole, parts = inputs_of(refinement.sequential), inputs_of(refinement.distributed)
    for placed in refinement.inputs:
        if not _placeable(placed, whole, parts, refinement.distributed.mesh, sizes):
            return placed.name
    stated = {placed.name for placed in refinement.inputs}
    return next((name for name in (*whole, *parts) if name not in stated), None)


def _placeable(
    placed: Placed, whole: Mapping[Name, GraphInput], parts: Mapping[Name, GraphInput], mesh: Mesh, sizes: Numbers
) -> bool:
    if placed.name not in whole or placed.name not in parts:
        return False
    try:
        shape = placed_shape(placed, whole[placed.name].shape, mesh, sizes)
        return shape == extents(parts[placed.name].shape, sizes)
    except Unfit:
        return False


def placed_shape(placed: Placed, shape: Shape, mesh: Mesh, sizes: Numbers) -> tuple[int, ...]:
    """The shape of what each rank holds of a tensor. Raises `Unfit` where parts are not equal or axes do not fit."""
    found = list(extents(shape, sizes))
    axes = [placement.axis for placement in placed.placements]
    if len(set(axes)) != len(axes):
        raise Unfit("axis")
    for placement in placed.placements:
        ways = size_of(mesh, (placement.axis,))
        match placement:
            case Shard(dimension=dimension):
                if not 0 <= dimension < len(found):
                    raise Unfit("shapes")
                found[dimension] = part_of(found[dimension], ways)
            case Partial():
                pass
    return tuple(found)


def inputs_of(graph: Graph) -> dict[Name, GraphInput]:
    """The inputs of a graph by name."""
    return {node.name: node for node in graph.nodes if isinstance(node, GraphInput)}
