"""Calls in a graph by which ranks exchange what they hold."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from rewright.model.check_graph.arguments import (
    axes,
    coordinate,
    distance,
    keyed,
    listed,
    monoid,
    one_axis,
    positional,
    ranks,
)
from rewright.model.check_graph.scope import GraphScope, ShapedNode, TensorDimension
from rewright.model.check_graph.sizes import scaled
from rewright.model.check_graph.structural import Operation, Read, replaced
from rewright.model.graph import (
    AllGather,
    AllReduce,
    AllToAll,
    CollectiveBroadcast,
    MeshAxis,
    Permute,
    ReduceScatter,
)
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.graphs import TwoSenders
from rewright.verdict.diagnostics.names import CannotStandHere


def _all_reduce(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("an operator", "a tensor"))
    combined = monoid(scope.notes, given[0]) if given is not None else None
    operand = read(given[1]) if given is not None else None
    over = axes(scope, call)
    if combined is None or operand is None or over is None:
        return None
    of, names = operand.dimensions, tuple(axis.name for axis in over)
    node = AllReduce(combined, operand.number, names, scope.shape(of, call.span), scope.notes.site(call.span))
    return scope.add(node, of)


def _all_gather(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor", "a dimension"))
    operand = read(given[0]) if given is not None else None
    over = axes(scope, call)
    if given is None or operand is None or over is None:
        return None
    along = scope.dimension(given[1], operand.dimensions)
    if along is None:
        return None
    made = replaced(operand.dimensions, along, _times(operand.dimensions[along], Fraction(ranks(over))))
    names = tuple(axis.name for axis in over)
    node = AllGather(operand.number, along, names, scope.shape(made, call.span), scope.notes.site(call.span))
    return scope.add(node, made)


def _reduce_scatter(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("an operator", "a tensor", "a dimension"))
    combined = monoid(scope.notes, given[0]) if given is not None else None
    operand = read(given[1]) if given is not None else None
    over = axes(scope, call)
    if given is None or combined is None or operand is None or over is None:
        return None
    along = scope.dimension(given[2], operand.dimensions)
    if along is None:
        return None
    made = replaced(operand.dimensions, along, _times(operand.dimensions[along], Fraction(1, ranks(over))))
    if not scope.whole(made, call.span):
        return None
    names, shape = tuple(axis.name for axis in over), scope.shape(made, call.span)
    node = ReduceScatter(combined, operand.number, along, names, shape, scope.notes.site(call.span))
    return scope.add(node, made)


def _all_to_all(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor", "the dimension that is split", "the one that is concatenated"))
    operand = read(given[0]) if given is not None else None
    over = axes(scope, call)
    if given is None or operand is None or over is None:
        return None
    split, joined = (scope.dimension(each, operand.dimensions) for each in given[1:])
    if split is None or joined is None:
        return None
    cut = replaced(operand.dimensions, split, _times(operand.dimensions[split], Fraction(1, ranks(over))))
    if not scope.whole(cut, call.span):
        return None
    made = replaced(cut, joined, _times(cut[joined], Fraction(ranks(over))))
    names, shape = tuple(axis.name for axis in over), scope.shape(made, call.span)
    return scope.add(AllToAll(operand.number, split, joined, names, shape, scope.notes.site(call.span)), made)


def _times(dimension: TensorDimension, factor: Fraction) -> TensorDimension:
    return TensorDimension(scaled(dimension.size, factor), dimension.label)


def _permute(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor",))
    operand = read(given[0]) if given is not None else None
    axis = one_axis(scope, call)
    pairs = _sent(scope, call, axis) if axis is not None else None
    if operand is None or axis is None or pairs is None:
        return None
    of = operand.dimensions
    node = Permute(operand.number, axis.name, pairs, scope.shape(of, call.span), scope.notes.site(call.span))
    return scope.add(node, of)


def _sent(scope: GraphScope, call: nodes.Call, axis: MeshAxis) -> tuple[tuple[int, int], ...] | None:
    """Senders and receivers, as pairs or all `shift` ranks on, around; None, noted, if they are wrong or missing."""
    by_name = {each.name.text: each.value for each in call.arguments if isinstance(each, nodes.Keyed)}
    if "shift" not in by_name:
        written = keyed(scope, call, "pairs")
        return _pairs(scope, written, axis) if written is not None else None
    if "pairs" in by_name:
        scope.notes.error(CannotStandHere("`shift`", "either it or `pairs`"), by_name["shift"].span)
        return None
    if isinstance(by_name["shift"], nodes.Missing):
        return None
    found = distance(scope, by_name["shift"])
    return None if found is None else tuple((at, (at + found) % axis.size) for at in range(axis.size))


def _pairs(scope: GraphScope, written: nodes.Expression, axis: MeshAxis) -> tuple[tuple[int, int], ...] | None:
    """Senders and receivers; None, noted, if one of them is wrong."""
    found: list[tuple[int, int]] = []
    for each in listed(written):
        match each:
            case nodes.Tuple(entries=(nodes.Positional(value=one), nodes.Positional(value=other))):
                sender, receiver = coordinate(scope, one, axis), coordinate(scope, other, axis)
            case _:
                scope.notes.error(CannotStandHere(kind_of(each), "a pair `(sender, receiver)`"), each.span)
                return None
        if sender is None or receiver is None:
            return None
        if receiver in (to for _, to in found):
            scope.notes.error(TwoSenders(receiver), each.span)
            return None
        found.append((sender, receiver))
    return tuple(found)


def _collective_broadcast(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor",))
    operand = read(given[0]) if given is not None else None
    axis, written = one_axis(scope, call), keyed(scope, call, "root")
    root = coordinate(scope, written, axis) if axis is not None and written is not None else None
    if operand is None or axis is None or root is None:
        return None
    of = operand.dimensions
    node = CollectiveBroadcast(operand.number, axis.name, root, scope.shape(of, call.span), scope.notes.site(call.span))
    return scope.add(node, of)


COLLECTIVES: Mapping[str, Operation] = MappingProxyType(
    {
        "all_reduce": _all_reduce,
        "all_gather": _all_gather,
        "reduce_scatter": _reduce_scatter,
        "all_to_all": _all_to_all,
        "collective_permute": _permute,
        "collective_broadcast": _collective_broadcast,
    }
)
"""The collectives by the names that they are called by."""

KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    dict.fromkeys(COLLECTIVES, ("over",))
    | {"collective_permute": ("over", "pairs", "shift"), "collective_broadcast": ("over", "root")}
)
"""The arguments that each takes by their names."""
