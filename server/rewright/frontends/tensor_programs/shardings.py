"""How a text says that ranks hold a tensor: Shardy's attributes and GSPMD's strings, as placements.

Must not know operations.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from math import prod

from rewright.frontends.tensor_programs.program import Attribute, Braces, Custom, Mesh
from rewright.frontends.tensor_programs.ranks import Groups
from rewright.frontends.tensor_programs.values import NotTaken
from rewright.model.graph import Partial, Shard
from rewright.model.index import Name

Placements = tuple[Shard | Partial, ...]

MOST_RANKS = 1 << 20
"""Ranks of groups that are written out, however short the text that stands for them."""


def per_value(attribute: Attribute | None) -> tuple[Attribute, ...]:
    """The shardings of several values. Raises `NotTaken`."""
    match attribute:
        case Custom(entries=(tuple() as each,)):
            return each
        case tuple():
            return attribute
        case _:
            raise NotTaken("its shardings cannot be read")


def mesh_named(shardings: Sequence[Attribute], meshes: Mapping[str, Mesh]) -> Mesh:
    """The mesh of which shardings speak. Raises `NotTaken` if it is not the same for all, or is not declared."""
    names = {each.entries[0] for each in shardings if isinstance(each, Custom) and each.entries}
    if len(names) != 1:
        raise NotTaken("its shardings speak of several meshes" if names else "its shardings name no mesh")
    name = names.pop()
    if not isinstance(name, str) or name not in meshes:
        raise NotTaken(f"mesh `{name if isinstance(name, str) else '…'}` is not declared")
    return meshes[name]


def placements(sharding: Attribute, shape: Sequence[int], axes: Collection[str]) -> Placements:
    """The placements of one value: which axes cut each dimension, the first cut first; which axes hold parts.

    Raises `NotTaken`.
    """
    if not isinstance(sharding, Custom) or len(sharding.entries) < 2 or not isinstance(sharding.entries[1], tuple):
        raise NotTaken("its sharding cannot be read")
    found: list[Shard | Partial] = []
    # A priority, `{"tp"}p1`, stands as a word of its own.
    dimensions = [each for each in sharding.entries[1] if not isinstance(each, str)]
    for number, each in enumerate(dimensions):
        found += [Shard(number, axis) for axis in _axes(each)]
    found += [Partial("add", axis) for axis in _axes(sharding.keyed.get("unreduced", ()))]
    used = [each.axis for each in found]
    unknown = next((axis for axis in used if axis not in axes), None)
    if unknown is not None:
        raise NotTaken(f"its mesh has no axis `{unknown}`")
    if len(set(used)) < len(used):
        raise NotTaken("its sharding uses a mesh axis twice")
    if len(dimensions) > len(shape) and any(map(_axes, dimensions[len(shape) :])):
        raise NotTaken("its sharding has more dimensions than the tensor")
    return tuple(found)


def _axes(attribute: Attribute) -> list[Name]:
    match attribute:
        case Braces(entries=entries, keyed=keyed) if not keyed:
            pass
        case ():
            return []
        case _:
            raise NotTaken("its sharding cannot be read")
    if ":" in entries:
        raise NotTaken("its sharding cuts a mesh axis into parts, which is not read")
    return [Name(each) for each in entries if isinstance(each, str) and each != "?"]


def iota_groups(text: str) -> Groups | None:
    """The groups that `[2,4]<=[8]` or `[4,2]<=[2,4]T(1,0)` stands for, None if it is no such.

    >>> iota_groups("[4,2]<=[2,4]T(1,0)")
    ((0, 4), (1, 5), (2, 6), (3, 7))
    """
    match = re.fullmatch(r"\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?", text.replace(" ", ""))
    if match is None:
        return None
    shape, dims = _ints(match[1]), _ints(match[2])
    order = _ints(match[3]) if match[3] else tuple(range(len(dims)))
    if prod(shape) != prod(dims) or sorted(order) != list(range(len(dims))) or prod(dims) > MOST_RANKS:
        return None
    flat = _transposed(dims, order)
    width = prod(shape[1:])
    return tuple(tuple(flat[row * width : (row + 1) * width]) for row in range(shape[0]))


def _transposed(dims: tuple[int, ...], order: tuple[int, ...]) -> list[int]:
    """The numbers 0, 1, … in the shape `dims`, transposed, row-major."""
    strides = [prod(dims[k + 1 :]) for k in range(len(dims))]
    flat = [0]
    for axis in order:
        flat = [base + step * strides[axis] for base in flat for step in range(dims[axis])]
    return flat


def _ints(text: str) -> tuple[int, ...]:
    return tuple(int(each) for each in text.split(",") if each)


def device_factors(text: str) -> tuple[tuple[int, ...], ...]:
    """The shapes in which GSPMD's `{devices=[2,4]<=[8]}` counts the ranks, the last dimension fastest."""
    match = re.search(r"devices=\[([\d,]+)\](?:<=\[([\d,]+)\](T\()?)?", text)
    if match is None:
        return ()
    tiles = _ints(match[1])
    if match[2] is None:
        return ((prod(tiles),),)
    return (_ints(match[2]),) if match[3] else (_ints(match[2]), tiles)


def device_placements(text: str, mesh: Mesh, rank: int) -> Placements:
    """The placements of GSPMD's `{replicated}` or `{devices=[1,2]<=[2]}`, of a tensor of a rank. Raises `NotTaken`."""
    text = text.strip()
    if text in ("{replicated}", "{manual}", "{maximal device=0}", ""):
        return ()
    match = re.match(r"\{devices=\[([\d,]+)\](?:<=\[([\d,]+)\](?:T\(([\d,]+)\))?|([\d,]+))(.*)\}$", text)
    if match is None:
        raise NotTaken(f"the sharding `{text}` is not read")
    tiles, rest = _ints(match[1]), match[5]
    if match[2]:
        dims = _ints(match[2])
        flat = _transposed(dims, _ints(match[3]) if match[3] else tuple(range(len(dims))))
    else:
        flat = list(_ints(match[4]))
    if rest.strip() not in ("", "last_tile_dim_replicate") or prod(tiles) != len(flat):
        raise NotTaken(f"the sharding `{text}` is not read")
    if sorted(flat) != list(range(prod(size for _, size in mesh))):
        raise NotTaken(f"the sharding `{text}` is not of all ranks")
    return _tiled(tiles, flat, mesh, rank, text)


def _tiled(tiles: tuple[int, ...], flat: list[int], mesh: Mesh, rank: int, text: str) -> Placements:
    """Which axes each dimension of a tiling is made of: walking down the ranks that differ in one dimension only."""
    strides = {prod(size for _, size in mesh[k + 1 :]): (name, size) for k, (name, size) in enumerate(mesh)}
    found: list[Shard | Partial] = []
    for number, tile in enumerate(tiles):
        below = prod(tiles[number + 1 :])
        along = [flat[step * below] for step in range(tile)]
        axes = _axes_along(along, strides)
        if axes is None:
            raise NotTaken(f"the sharding `{text}` is not along mesh axes")
        if number < rank:
            found += [Shard(number, Name(name)) for name in axes]
    return tuple(found)


def _axes_along(along: list[int], strides: Mapping[int, tuple[str, int]]) -> list[str] | None:
    """The axes, the first cut first, whose coordinates count these ranks."""
    if len(along) == 1:
        return []
    # The last axis changes from one rank to the next one.
    step = along[1] - along[0]
    if step not in strides:
        return None
    name, size = strides[step]
    if len(along) % size or any(along[k] != along[k - k % size] + k % size * step for k in range(len(along))):
        return None
    outer = _axes_along(along[::size], strides)
    return None if outer is None else [*outer, name]
