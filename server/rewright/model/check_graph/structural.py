"""Calls in a graph that move or combine elements on one rank."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from rewright.model.check_graph.arguments import dimensions, listed, monoid, positional
from rewright.model.check_graph.extents import offset, size
from rewright.model.check_graph.scope import Dimensions, GraphScope, ShapedNode, TensorDimension
from rewright.model.check_graph.sizes import constant, difference, index_of, is_long, product, shape_text, text, total
from rewright.model.graph import Concatenate, Gather, Iota, Reduce, Reshape, Slice, Spread, Transpose
from rewright.syntax import nodes
from rewright.verdict.diagnostics.graphs import NoPermutation, SizesDiffer
from rewright.verdict.diagnostics.names import CannotStandHere, OperatorNeeds

Read = Callable[[nodes.Expression], ShapedNode | None]
"""What an expression computes."""

Operation = Callable[[GraphScope, nodes.Call, Read], ShapedNode | None]


def _transpose(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor", "a permutation"))
    operand = read(given[0]) if given is not None else None
    if given is None or operand is None:
        return None
    of = operand.dimensions
    numbers = [scope.dimension(each, of) for each in listed(given[1])]
    permutation = tuple(number for number in numbers if number is not None)
    if len(permutation) < len(numbers):
        return None
    if sorted(permutation) != list(range(len(of))):
        scope.notes.error(NoPermutation(len(of)), given[1].span)
        return None
    made = tuple(of[number] for number in permutation)
    node = Transpose(operand.number, permutation, scope.shape(made, call.span), scope.notes.site(call.span))
    return scope.add(node, made)


def _reshape(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor", "a shape"))
    operand = read(given[0]) if given is not None else None
    if given is None or operand is None:
        return None
    sizes = [size(scope, each) for each in listed(given[1])]
    made = tuple(TensorDimension(each) for each in sizes if each is not None)
    if len(made) < len(sizes) or not scope.whole(made, given[1].span):
        return None
    if any(is_long(each.size for each in some) for some in (operand.dimensions, made)):
        scope.notes.not_supported("a size of so many terms", call.span)
        return None
    before, after = (product(each.size for each in some) for some in (operand.dimensions, made))
    if before != after:
        scope.notes.error(SizesDiffer("reshape", text(before), text(after)), given[1].span)
        return None
    return scope.add(Reshape(operand.number, scope.shape(made, call.span), scope.notes.site(call.span)), made)


def _slice(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor", "a dimension", "a start", "a limit"))
    operand = read(given[0]) if given is not None else None
    if given is None or operand is None:
        return None
    along = scope.dimension(given[1], operand.dimensions)
    start, limit = (offset(scope, each) for each in given[2:])
    if along is None or start is None or limit is None:
        return None
    length = difference(limit, start)
    if length.symbols & scope.mesh.keys():
        scope.notes.not_supported("a slice whose size depends on the rank", call.span)
        return None
    made = replaced(operand.dimensions, along, TensorDimension(length, operand.dimensions[along].label))
    if not scope.whole(made, call.span):
        return None
    is_beyond = start.is_below_zero or difference(operand.dimensions[along].size, limit).is_below_zero
    if is_beyond and not start.symbols & scope.mesh.keys():
        inside = text(operand.dimensions[along].size)
        scope.notes.error(CannotStandHere(f"`{text(start)}..{text(limit)}`", f"a part of `0..{inside}`"), call.span)
        return None
    site = scope.notes.site(call.span)
    zero = constant(0)
    starts = tuple(index_of(start if at == along else zero, site) for at in range(len(made)))
    return scope.add(Slice(operand.number, starts, scope.shape(made, call.span), site), made)


def replaced(of: Dimensions, at: int, dimension: TensorDimension) -> Dimensions:
    """The dimensions with another one in the place of one."""
    return (*of[:at], dimension, *of[at + 1 :])


def _concatenate(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
    if len(given) < 2:
        scope.notes.error(OperatorNeeds("concatenate", "tensors, and a dimension"), call.callee.span)
        return None
    read_operands = [read(each) for each in given[:-1]]
    operands = [each for each in read_operands if each is not None]
    if len(operands) < len(read_operands):
        return None
    first = operands[0].dimensions
    along = scope.dimension(given[-1], first)
    if along is None:
        return None
    rests = [[each.size for at, each in enumerate(some.dimensions) if at != along] for some in operands]
    for operand, rest in zip(operands, rests, strict=True):
        if rest != rests[0] or len(operand.dimensions) != len(first):
            shapes = (shape_text([each.size for each in some]) for some in (first, operand.dimensions))
            scope.notes.error(SizesDiffer("concatenate", *shapes), call.span)
            return None
    whole = total(operand.dimensions[along].size for operand in operands)
    made = replaced(first, along, TensorDimension(whole, first[along].label))
    numbers = tuple(operand.number for operand in operands)
    node = Concatenate(numbers, along, scope.shape(made, call.span), scope.notes.site(call.span))
    return scope.add(node, made)


def _gather(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor", "indices", "a dimension"))
    operand, indices = (None, None) if given is None else (read(given[0]), read(given[1]))
    if given is None or operand is None or indices is None:
        return None
    along = scope.dimension(given[2], operand.dimensions)
    if along is None:
        return None
    made = (*operand.dimensions[:along], *indices.dimensions, *operand.dimensions[along + 1 :])
    shape, site = scope.shape(made, call.span), scope.notes.site(call.span)
    return scope.add(Gather(operand.number, indices.number, along, shape, site), made)


def _broadcast(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a tensor",))
    operand = read(given[0]) if given is not None else None
    groups = [each for each in call.arguments if isinstance(each, nodes.Grouped)]
    sizes = [size(scope, each.value) for each in groups]
    if operand is None or any(each is None for each in sizes):
        return None
    added = tuple(
        TensorDimension(each, group.name.text) for each, group in zip(sizes, groups, strict=True) if each is not None
    )
    made = operand.dimensions + added
    if not scope.whole(made, call.span):
        return None
    along = tuple(range(len(operand.dimensions)))
    return scope.add(Spread(operand.number, along, scope.shape(made, call.span), scope.notes.site(call.span)), made)


def _iota(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("a dimension",))
    groups = [each for each in call.arguments if isinstance(each, nodes.Grouped)]
    sizes = [size(scope, each.value) for each in groups]
    made = tuple(
        TensorDimension(each, group.name.text) for each, group in zip(sizes, groups, strict=True) if each is not None
    )
    if given is None or len(made) < len(sizes) or not scope.whole(made, call.span):
        return None
    along = scope.dimension(given[0], made)
    if along is None:
        return None
    return scope.add(Iota(along, scope.shape(made, call.span), scope.notes.site(call.span)), made)


def _reduce(scope: GraphScope, call: nodes.Call, read: Read) -> ShapedNode | None:
    given = positional(scope, call, ("an operator", "a tensor", "a dimension"))
    combined = monoid(scope.notes, given[0]) if given is not None else None
    operand = read(given[1]) if given is not None else None
    if given is None or combined is None or operand is None:
        return None
    along = dimensions(scope, given[2], operand.dimensions)
    if along is None:
        return None
    kept = tuple(each for at, each in enumerate(operand.dimensions) if at not in along)
    node = Reduce(combined, operand.number, along, scope.shape(kept, call.span), scope.notes.site(call.span))
    return scope.add(node, kept)


OPERATIONS: Mapping[str, Operation] = MappingProxyType(
    {
        "transpose": _transpose,
        "reshape": _reshape,
        "slice": _slice,
        "concatenate": _concatenate,
        "gather": _gather,
        "broadcast": _broadcast,
        "reduce": _reduce,
        "iota": _iota,
    }
)
"""What is called by these names, which are those of the operator table."""
