"""What a collective gives each rank, by its definition.

Owns the exchange between ranks: arrays of all ranks in, arrays of all ranks out. Must not know symbols.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias, assert_never

from rewright.model.graph import (
    AllGather,
    AllReduce,
    AllToAll,
    Collective,
    CollectiveBroadcast,
    Permute,
    ReduceScatter,
)
from rewright.replay.arrays import Data, filled
from rewright.replay.graphs import local
from rewright.replay.graphs.ranks import Coordinates, Mesh, group, on_axis, place_in_group

Held: TypeAlias = Mapping[Coordinates, Data]
"""What each rank holds of a tensor: object, with an axis for each dimension, () at rank 0."""


def exchanged(node: Collective, mesh: Mesh, held: Held, rank: Coordinates) -> Data:
    """What the rank holds after the collective: object, with an axis for each dimension, () at rank 0.

    Raises `Unfit` where parts are not equal or an axis is not there.
    """
    match node:
        case AllReduce(monoid=monoid, axes=axes):
            return local.joined(monoid, [held[each] for each in group(mesh, rank, axes)])
        case AllGather(dimension=dimension, axes=axes):
            return local.concatenated([held[each] for each in group(mesh, rank, axes)], dimension)
        case ReduceScatter(monoid=monoid, dimension=dimension, axes=axes):
            members = group(mesh, rank, axes)
            own = place_in_group(mesh, rank, axes)
            taken = [local.parts(held[each], dimension, len(members))[own] for each in members]
            return local.joined(monoid, taken)
        case AllToAll(split=split, concatenate=concatenate, axes=axes):
            members = group(mesh, rank, axes)
            own = place_in_group(mesh, rank, axes)
            received = [local.parts(held[each], split, len(members))[own] for each in members]
            return local.concatenated(received, concatenate)
        case Permute():
            return _sent(node, mesh, held, rank)
        case CollectiveBroadcast(axis=axis, root=root):
            return held[on_axis(mesh, rank, axis, root)]
        case _:
            assert_never(node)


def _sent(node: Permute, mesh: Mesh, held: Held, rank: Coordinates) -> Data:
    for sender, receiver in node.pairs:
        if on_axis(mesh, rank, node.axis, receiver) == rank:
            return held[on_axis(mesh, rank, node.axis, sender)]
    return filled(held[rank].shape, Fraction(0))
