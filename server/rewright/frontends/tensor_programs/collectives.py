"""What StableHLO's collectives come to: their groups of ranks as axes of the mesh.

Owns the three ways in which groups are written, and whose numbers they hold: of partitions, of replicas, or of both.
Each function raises `NotTaken` for a case that is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import prod
from types import MappingProxyType

from msgspec import Struct

from rewright.frontends.tensor_programs.attributes import has_word, integer, table, within, word
from rewright.frontends.tensor_programs.building import Nodes
from rewright.frontends.tensor_programs.operators import combines
from rewright.frontends.tensor_programs.program import TensorOperation
from rewright.frontends.tensor_programs.ranks import Groups, RankMesh
from rewright.frontends.tensor_programs.shardings import MOST_RANKS, iota_groups
from rewright.frontends.tensor_programs.values import NotTaken, Splat, Tensor, Value
from rewright.model.graph import AllGather, AllReduce, AllToAll, CollectiveBroadcast, Permute, ReduceScatter
from rewright.model.index import Name

ALL_RANKS = "0"
"""What torch calls the group of all ranks."""


class Devices(Struct, frozen=True):
    """How many partitions and replicas a program has: a rank is one of the kind of which there are several."""

    partitions: int
    replicas: int


Collective = Callable[[Nodes, TensorOperation, Tensor, tuple[int, ...], "Devices"], Tensor]


def _channel(operation: TensorOperation) -> int:
    """The number of the channel, 0 if there is none."""
    given = operation.attributes.get("channel_handle", operation.attributes.get("channel_id"))
    handle = within(given, "handle") if not isinstance(given, str) else given
    return int(handle) if isinstance(handle, str) and handle.lstrip("-").isdecimal() else 0


def _groups(operation: TensorOperation, nodes: Nodes, devices: Devices) -> Groups:
    """The groups of ranks; one of all ranks where none are written."""
    written = operation.attributes.get("replica_groups")
    if isinstance(written, str) and "<=" in written:
        groups = iota_groups(written)
    elif isinstance(written, str) and written.startswith("mesh["):
        groups = mesh_groups(written)
    else:
        groups = table(written) if written is not None else ()
    if groups is None:
        raise NotTaken("its groups of ranks cannot be read")
    groups = tuple(each for each in groups if each)
    channel, flat = _channel(operation), has_word(operation, "use_global_device_ids")
    exchange = operation.name.rpartition(".")[2] in ("all_to_all", "collective_broadcast")
    if devices.partitions > 1 and not flat:
        groups = _of_replicas(groups, devices) if channel <= 0 else groups
        if channel > 0 and not exchange and devices.replicas == 1:
            # Groups of replicas, each with all of its partitions: there is one replica.
            groups = ()
    ranks = sorted(each for group in groups for each in group)
    if groups and ranks != list(range(nodes.mesh.count)):
        raise NotTaken("its groups miss or repeat a rank")
    return groups


def _of_replicas(groups: Groups, devices: Devices) -> Groups:
    """Groups of replicas, for each partition by itself: with one replica each rank is alone."""
    if devices.replicas != 1:
        raise NotTaken("its groups are of replicas, and there are partitions, too")
    return tuple((rank,) for rank in range(devices.partitions))


def mesh_groups(text: str) -> Groups | None:
    """The groups that `mesh['a'=1,'b'=2] {'b'}` stands for, None if it is no such."""
    head, _, rest = text.partition("]")
    axes = []
    for each in head.removeprefix("mesh[").split(","):
        name, _, size = each.partition("=")
        if not size.strip().isdecimal():
            return None
        axes.append((name.strip().strip("'\""), int(size)))
    chosen = [each.strip().strip("'\"") for each in rest.strip().strip("{}").split(",") if each.strip()]
    names = [name for name, _ in axes]
    if any(each not in names for each in chosen) or prod(size for _, size in axes) > MOST_RANKS:
        return None
    return RankMesh(tuple(axes)).groups([names.index(each) for each in chosen])


def _axes(operation: TensorOperation, nodes: Nodes, devices: Devices, ordered: bool) -> tuple[Name, ...]:
    if "group_name" in operation.attributes:
        return named_group(operation, nodes.mesh)
    found = nodes.mesh.axes_of(_groups(operation, nodes, devices), ordered)
    if found is None:
        raise NotTaken("its groups of ranks lie along no axes of the mesh")
    return found


def named_group(operation: TensorOperation, mesh: RankMesh) -> tuple[Name, ...]:
    """The axes of a group of ranks that has a name: that of an axis, `0` for all ranks; the only axis for any name.

    Raises `NotTaken`.
    """
    name = word(operation, "group_name")
    axes = mesh.axes if len(mesh.axes) == 1 or name == ALL_RANKS else [each for each in mesh.axes if each[0] == name]
    if not axes:
        known = ", ".join(f"`{each}`" for each, _ in mesh.axes)
        raise NotTaken(f"`{name}` is no mesh axis{f', but {known}' if known else ': the declaration says no mesh'}")
    ranks, size = prod(each for _, each in axes), word(operation, "group_size")
    if size and int(size) != ranks:
        raise NotTaken(f"its group has {size} ranks, and the mesh {ranks}")
    return tuple(Name(each) for each, _ in axes)


def _all_reduce(
    nodes: Nodes, operation: TensorOperation, operand: Tensor, shape: tuple[int, ...], devices: Devices
) -> Tensor:
    monoid = combines(operation.regions[0] if operation.regions else None, operation)
    axes = _axes(operation, nodes, devices, ordered=False)
    if not axes:
        return operand
    return nodes.add(AllReduce(monoid, operand.node, axes, nodes.sizes(shape), nodes.site), shape)


def _all_gather(
    nodes: Nodes, operation: TensorOperation, operand: Tensor, shape: tuple[int, ...], devices: Devices
) -> Tensor:
    axes, along = _axes(operation, nodes, devices, ordered=True), integer(operation, "all_gather_dim")
    if not axes:
        return operand
    return nodes.add(AllGather(operand.node, along, axes, nodes.sizes(shape), nodes.site), shape)


def _reduce_scatter(
    nodes: Nodes, operation: TensorOperation, operand: Tensor, shape: tuple[int, ...], devices: Devices
) -> Tensor:
    monoid = combines(operation.regions[0] if operation.regions else None, operation)
    axes, along = _axes(operation, nodes, devices, ordered=True), integer(operation, "scatter_dimension")
    if not axes:
        return operand
    return nodes.add(ReduceScatter(monoid, operand.node, along, axes, nodes.sizes(shape), nodes.site), shape)


def _all_to_all(
    nodes: Nodes, operation: TensorOperation, operand: Tensor, shape: tuple[int, ...], devices: Devices
) -> Tensor:
    axes = _axes(operation, nodes, devices, ordered=True)
    split, joined = integer(operation, "split_dimension"), integer(operation, "concat_dimension")
    if not axes:
        return operand
    return nodes.add(AllToAll(operand.node, split, joined, axes, nodes.sizes(shape), nodes.site), shape)


def _permute(
    nodes: Nodes, operation: TensorOperation, operand: Tensor, shape: tuple[int, ...], devices: Devices
) -> Tensor:
    rows = table(operation.attributes.get("source_target_pairs"))
    if rows is None or any(len(row) != 2 for row in rows):
        raise NotTaken("its pairs of ranks cannot be read")
    pairs = [(row[0], row[1]) for row in rows]
    if len({to for _, to in pairs}) != len(pairs):
        raise NotTaken("two ranks send to one rank")
    if devices.partitions > 1 and _channel(operation) <= 0:
        raise NotTaken("its pairs are of replicas, and there are partitions, too")
    found = nodes.mesh.pairs_of(pairs)
    if found is None:
        raise NotTaken("its pairs of ranks do not lie along one axis of the mesh")
    axis, along = found
    return nodes.add(Permute(operand.node, axis, along, nodes.sizes(shape), nodes.site), shape)


def _broadcast(
    nodes: Nodes, operation: TensorOperation, operand: Tensor, shape: tuple[int, ...], devices: Devices
) -> Tensor:
    axes = _axes(operation, nodes, devices, ordered=True)
    if len(axes) != 1:
        raise NotTaken("its groups of ranks do not lie along one axis of the mesh")
    return nodes.add(CollectiveBroadcast(operand.node, axes[0], 0, nodes.sizes(shape), nodes.site), shape)


def group_size(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """How many ranks a group has. Raises `NotTaken`."""
    sizes = dict(nodes.mesh.axes)
    return Splat(Fraction(prod(sizes[axis] for axis in named_group(operation, nodes.mesh))), shape)


COLLECTIVES: Mapping[str, Collective] = MappingProxyType(
    {
        "stablehlo.all_reduce": _all_reduce,
        "stablehlo.all_gather": _all_gather,
        "stablehlo.reduce_scatter": _reduce_scatter,
        "stablehlo.all_to_all": _all_to_all,
        "stablehlo.collective_permute": _permute,
        "stablehlo.collective_broadcast": _broadcast,
    }
)
"""The collectives that are taken, by their names."""


def exchanged(
    nodes: Nodes,
    operation: TensorOperation,
    given: Sequence[Value],
    shapes: Sequence[tuple[int, ...]],
    devices: Devices,
) -> list[Value]:
    """What a collective gives for each of its operands. Raises `NotTaken`."""
    made = COLLECTIVES[operation.name]
    if len(given) != len(shapes) or (len(given) > 1 and operation.name == "stablehlo.all_to_all"):
        raise NotTaken("it exchanges the parts of a tuple")
    operands = [nodes.tensor(each) for each in given]
    return [made(nodes, operation, each, shape, devices) for each, shape in zip(operands, shapes, strict=True)]
