"""The ranks of a mesh, and which of them a collective combines.

Owns coordinates and groups. A group is in the order of the coordinates on its axes, the first axis named slowest.
Must not know tensors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from rewright.model.graph import MeshAxis
from rewright.model.index import Name
from rewright.replay.graphs.extents import Unfit

Mesh = tuple[MeshAxis, ...]

Coordinates = tuple[int, ...]
"""A rank: its coordinate on each axis of the mesh; the one device without a mesh is `()`."""


def ranks(mesh: Mesh) -> Iterator[Coordinates]:
    """All ranks, the last axis fastest."""
    return product(*(range(axis.size) for axis in mesh))


def place_of(mesh: Mesh, name: Name) -> int:
    """Which axis of the mesh a name is. Raises `Unfit` if it is none."""
    for place, axis in enumerate(mesh):
        if axis.name == name:
            return place
    raise Unfit("axis")


def size_of(mesh: Mesh, axes: Sequence[Name]) -> int:
    """How many ranks a group has that varies these axes. Raises `Unfit` for an axis that is not there."""
    return prod(mesh[place_of(mesh, name)].size for name in axes)


def group(mesh: Mesh, rank: Coordinates, axes: Sequence[Name]) -> list[Coordinates]:
    """The ranks that differ from this one only on these axes. Raises `Unfit` for an axis that is not there."""
    places = [place_of(mesh, name) for name in axes]
    return [_moved(rank, places, at) for at in product(*(range(mesh[place].size) for place in places))]


def place_in_group(mesh: Mesh, rank: Coordinates, axes: Sequence[Name]) -> int:
    """How many ranks of its group stand before this one. Raises `Unfit` for an axis that is not there."""
    return group(mesh, rank, axes).index(rank)


def on_axis(mesh: Mesh, rank: Coordinates, axis: Name, coordinate: int) -> Coordinates:
    """The rank that differs from this one only on an axis. Raises `Unfit` where the axis has no such coordinate."""
    place = place_of(mesh, axis)
    if not 0 <= coordinate < mesh[place].size:
        raise Unfit("axis")
    return _moved(rank, [place], (coordinate,))


def _moved(rank: Coordinates, places: Sequence[int], coordinates: Sequence[int]) -> Coordinates:
    moved = list(rank)
    for place, coordinate in zip(places, coordinates, strict=True):
        moved[place] = coordinate
    return tuple(moved)
