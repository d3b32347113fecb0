"""Graphs that a graph calls: the nodes of the called one, at the sizes of the operands, in the place of the call.

Owns what the sizes of the called graph are: those of its inputs are found from the operands, others are the sizes of
the same name. Nodes stand at the call. Must not know what operators mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from msgspec.structs import replace

from rewright.model.check_graph.scope import GraphScope, ShapedNode, TensorDimension
from rewright.model.check_graph.sizes import (
    SizePolynomial,
    index_of,
    product,
    scaled,
    shape_text,
    size_of,
    symbolic,
    total,
)
from rewright.model.graph import CalledGraph, Graph, GraphInput, Node, Shape, SizeValue, Slice, redirected
from rewright.model.index import Index, IndexOperation, IntegerReference
from rewright.syntax import nodes
from rewright.verdict.diagnostics.graphs import MeshOfCallDiffers, SizesDiffer
from rewright.verdict.diagnostics.names import CannotStandHere, OperandCount, UnknownName

Sizes = Mapping[str, SizePolynomial]
"""The sizes of a called graph, in those of the one that calls it."""


def called(
    scope: GraphScope, call: nodes.Call, callee: Graph, operand: Callable[[nodes.Expression], ShapedNode | None]
) -> Sequence[ShapedNode] | None:
    """The results of a called graph; None, noted, if its operands or its mesh do not fit."""
    name, inputs = call.callee.text, [each for each in callee.nodes if isinstance(each, GraphInput)]
    given = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
    if len(given) < len(call.arguments):
        scope.notes.error(CannotStandHere("an argument by name", f"a tensor for each input of `{name}`"), call.span)
        return None
    read = [operand(each) for each in given]
    operands = [each for each in read if each is not None]
    if len(given) != len(inputs):
        scope.notes.error(OperandCount(name, len(inputs), len(given)), call.callee.span)
        return None
    if len(operands) < len(read) or not _on_mesh(scope, call, callee):
        return None
    pairs = [(made.shape, each) for made, each in zip(inputs, operands, strict=True)]
    sizes = sizes_at(scope, call, _symbols(callee), pairs)
    return None if sizes is None else _inlined(scope, call, callee, (sizes, [each.number for each in operands]))


def _on_mesh(scope: GraphScope, call: nodes.Call, callee: Graph) -> bool:
    """Whether each axis of the called graph's mesh is one here; noted if one is not."""
    for axis in callee.mesh:
        own = scope.mesh.get(axis.name)
        if own is None or own.size != axis.size:
            here = f"{axis.name} = {own.size}" if own is not None else None
            fault = MeshOfCallDiffers(call.callee.text, f"{axis.name} = {axis.size}", here)
            scope.notes.error(fault, call.callee.span)
            return False
    return True


def sizes_at(
    scope: GraphScope, call: nodes.Call, symbols: Set[str], pairs: Sequence[tuple[Shape, ShapedNode]]
) -> Sizes | None:
    """The sizes at which what is called takes the shapes of the operands; None, noted, if there are none."""
    shapes = [[size_of(each) for each in shape] for shape, _ in pairs]
    found: dict[str, SizePolynomial] = {}
    for shape, (_, operand) in zip(shapes, pairs, strict=True):
        for size, dimension in zip(shape, operand.dimensions, strict=False):
            if size.symbol is not None and size.symbol not in found:
                ((_, factor),) = size.terms
                found[size.symbol] = scaled(dimension.size, 1 / factor)
    for symbol in sorted(symbols - found.keys()):
        if symbol not in scope.sizes:
            scope.notes.undeclared(UnknownName("size", symbol, None), call.callee)
            return None
        found[symbol] = symbolic(symbol)
    for shape, (_, operand) in zip(shapes, pairs, strict=True):
        due = [size_at(size, found) for size in shape]
        own = [each.size for each in operand.dimensions]
        if due != own:
            scope.notes.error(SizesDiffer(call.callee.text, shape_text(own), shape_text(due)), call.span)
            return None
    return found


def _symbols(callee: Graph) -> set[str]:
    axes = {axis.name for axis in callee.mesh}
    return {symbol for node in callee.nodes for each in _indices(node) for symbol in _names(each)} - axes


def _indices(node: Node) -> tuple[Index, ...]:
    match node:
        case Slice(start=start):
            return (*node.shape, *start)
        case SizeValue(value=value):
            return (value,)
        case _:
            return node.shape


def _names(index: Index) -> set[str]:
    match index:
        case IntegerReference(name=name):
            return {name}
        case IndexOperation(left=left, right=right):
            return _names(left) | _names(right)
        case _:
            return set()


def _inlined(
    scope: GraphScope, call: nodes.Call, callee: Graph, operands: tuple[Sizes, Sequence[int]]
) -> Sequence[ShapedNode]:
    sizes, numbers = operands
    site, first = scope.notes.site(call.span), len(scope.computed)
    inputs = iter(numbers)
    place: dict[int, int] = {}

    def here(index: Index) -> Index:
        return _index(index, sizes, site)

    for number, node in enumerate(callee.nodes):
        if isinstance(node, GraphInput):
            place[number] = next(inputs)
            continue
        moved = replace(redirected(node, place.__getitem__), shape=tuple(map(here, node.shape)), site=site)
        match moved:
            case Slice(start=start):
                moved = replace(moved, start=tuple(map(here, start)))
            case SizeValue(value=value):
                moved = replace(moved, value=here(value))
        place[number] = scope.add(moved, ()).number
    scope.facts += [replace(each, left=here(each.left), right=here(each.right)) for each in callee.facts]
    results = tuple(place[each.node] for each in callee.results)
    scope.calls += [
        CalledGraph(
            place[each.first],
            place[each.stop - 1] + 1,
            tuple(place[at] for at in each.operands),
            tuple(place[at] for at in each.results),
        )
        for each in callee.calls
    ]
    if min(results) >= first:
        scope.calls.append(CalledGraph(first, len(scope.computed), tuple(numbers), results))
    shapes = ([size_at(size_of(size), sizes) for size in callee.nodes[each.node].shape] for each in callee.results)
    return [
        ShapedNode(number, tuple(map(TensorDimension, shape))) for number, shape in zip(results, shapes, strict=True)
    ]


def _index(index: Index, sizes: Sizes, site: int) -> Index:
    """An index expression of the called graph; coordinates on the mesh are what they were."""
    match index:
        case IntegerReference(name=name) if name in sizes:
            return index_of(sizes[name], site)
        case IndexOperation(left=left, right=right):
            return replace(index, left=_index(left, sizes, site), right=_index(right, sizes, site), site=site)
        case _:
            return index


def size_at(size: SizePolynomial, sizes: Sizes) -> SizePolynomial:
    """A size of the called graph, in those of the one that calls it."""
    return total(
        scaled(product(sizes.get(symbol) or symbolic(symbol) for symbol in monomial), factor)
        for monomial, factor in size.terms
    )
