"""How ranks hold a tensor: dealt out to them as a placement says, and put together again.

Owns the meaning of placements on arrays. The first placement named is the outermost. Must not know sizes' names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from rewright.model.graph import Monoid, Partial, Shard
from rewright.replay.arrays import Data, Position
from rewright.replay.graphs import local
from rewright.replay.graphs.collectives import Held
from rewright.replay.graphs.ranks import Coordinates, Mesh, place_of, ranks

Placements = Sequence[Shard | Partial]

Parting = Callable[[Monoid, Data, int], Sequence[Data]]
"""So many arrays that combine to one, by a monoid. Arrays: object, with an axis for each dimension, () at rank 0."""


def dealt(whole: Data, placements: Placements, mesh: Mesh, parting: Parting) -> Held:
    """What each rank holds of a tensor. Raises `Unfit` where parts are not equal or an axis is not there."""
    pieces: dict[Coordinates, Data] = {(): whole}
    for placement in placements:
        ways = mesh[place_of(mesh, placement.axis)].size
        pieces = {
            (*key, number): part
            for key, piece in pieces.items()
            for number, part in enumerate(_pieces(piece, placement, ways, parting))
        }
    return {rank: pieces[_key(rank, placements, mesh)] for rank in ranks(mesh)}


def _pieces(piece: Data, placement: Shard | Partial, ways: int, parting: Parting) -> Sequence[Data]:
    match placement:
        case Shard(dimension=dimension):
            return local.parts(piece, dimension, ways)
        case Partial(monoid=monoid):
            return parting(monoid, piece, ways)


def _key(rank: Coordinates, placements: Placements, mesh: Mesh) -> Coordinates:
    return tuple(rank[place_of(mesh, placement.axis)] for placement in placements)


class Replica(Struct, frozen=True, eq=False):
    """One of the copies of a tensor that ranks hold together: object, with an axis for each dimension, () at rank 0.

    `ranks` are those that hold a part of it.
    """

    ranks: tuple[Coordinates, ...]
    whole: Data


def replicas(held: Held, placements: Placements, mesh: Mesh) -> Iterator[Replica]:
    """What the ranks hold of a tensor, put together, for each choice of coordinates on the other axes.

    Raises `Unfit` where parts have not the same shape or an axis is not there.
    """
    copies: dict[Coordinates, dict[Coordinates, Coordinates]] = {}
    places = {place_of(mesh, placement.axis) for placement in placements}
    for rank in ranks(mesh):
        other = tuple(number for place, number in enumerate(rank) if place not in places)
        copies.setdefault(other, {})[_key(rank, placements, mesh)] = rank
    for members in copies.values():
        pieces = {key: held[rank] for key, rank in members.items()}
        yield Replica(tuple(members.values()), _together(pieces, placements))


def _together(pieces: Mapping[Coordinates, Data], placements: Placements) -> Data:
    for placement in reversed(placements):
        grouped: dict[Coordinates, list[Data]] = {}
        for key in sorted(pieces):
            grouped.setdefault(key[:-1], []).append(pieces[key])
        pieces = {key: _joined(listed, placement) for key, listed in grouped.items()}
    return pieces[()]


def _joined(pieces: Sequence[Data], placement: Shard | Partial) -> Data:
    match placement:
        case Shard(dimension=dimension):
            return local.concatenated(pieces, dimension)
        case Partial(monoid=monoid):
            return local.joined(monoid, pieces)


def own_index(
    at: Position, rank: Coordinates, placements: Placements, mesh: Mesh, shape: tuple[int, ...]
) -> Position | None:
    """Where a rank holds its part of the element at an index of a tensor of this shape; None where it holds none."""
    index, sizes = list(at), list(shape)
    for placement in placements:
        place = place_of(mesh, placement.axis)
        if isinstance(placement, Shard):
            dimension = placement.dimension
            sizes[dimension] //= mesh[place].size
            number, index[dimension] = divmod(index[dimension], sizes[dimension])
            if number != rank[place]:
                return None
    return tuple(index)
