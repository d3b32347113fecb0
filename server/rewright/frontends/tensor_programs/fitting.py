"""Whether the type that a text gives a result is the one that its operands make.

A text may say anything; what decides refinements takes shapes for right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from rewright.model.graph import (
    AllGather,
    AllReduce,
    AllToAll,
    CollectiveBroadcast,
    Concatenate,
    Constant,
    Dot,
    Elementwise,
    Gather,
    GraphInput,
    Node,
    Permute,
    Reduce,
    ReduceScatter,
    Reshape,
    SizeValue,
    Slice,
    Spread,
    Transpose,
)

Sizes = tuple[int, ...]


def fits(node: Node, shape: Sizes, shapes: Sequence[Sizes], mesh: Mapping[str, int]) -> bool:
    """Whether a node on operands of these shapes has this shape; those of a graph are by number."""
    match node:
        case GraphInput():
            return all(size >= 0 for size in shape)
        case Constant() | SizeValue():
            return shape == ()
        case Elementwise(operands=operands):
            return all(shapes[each] == shape for each in operands)
        case Spread(operand=operand, dimensions=along):
            return _is_spread(shapes[operand], along, shape)
        case Dot():
            return _is_dot(node, shapes, shape)
        case Reduce(operand=operand, dimensions=along):
            own = shapes[operand]
            kept = tuple(size for d, size in enumerate(own) if d not in along)
            return len(set(along)) == len(along) and all(0 <= d < len(own) for d in along) and kept == shape
        case Transpose(operand=operand, permutation=order):
            own = shapes[operand]
            return sorted(order) == list(range(len(own))) and tuple(own[d] for d in order) == shape
        case Reshape(operand=operand):
            return prod(shapes[operand]) == prod(shape)
        case Slice(operand=operand, start=start):
            own = shapes[operand]
            return len(own) == len(shape) == len(start) and all(a <= b for a, b in zip(shape, own, strict=True))
        case Gather(operand=operand, indices=indices, dimension=along):
            own = shapes[operand]
            return 0 <= along < len(own) and (*own[:along], *shapes[indices], *own[along + 1 :]) == shape
        case Concatenate(operands=operands, dimension=along):
            return _is_joined([shapes[each] for each in operands], along, shape)
        case AllReduce(operand=operand) | Permute(operand=operand) | CollectiveBroadcast(operand=operand):
            return shapes[operand] == shape
        case AllGather(operand=operand, dimension=along, axes=axes):
            return _scaled(shapes[operand], {along: (_count(axes, mesh), 1)}) == shape
        case ReduceScatter(operand=operand, dimension=along, axes=axes):
            return _scaled(shapes[operand], {along: (1, _count(axes, mesh))}) == shape
        case AllToAll(operand=operand, split=split, concatenate=along, axes=axes):
            many = _count(axes, mesh)
            cut = _scaled(shapes[operand], {split: (1, many)})
            return cut is not None and _scaled(cut, {along: (many, 1)}) == shape
        case _:
            return False


def _count(axes: Sequence[str], mesh: Mapping[str, int]) -> int:
    return prod(mesh[axis] for axis in axes)


def _scaled(shape: Sizes, by: Mapping[int, tuple[int, int]]) -> Sizes | None:
    """The shape with dimensions times and divided by numbers, None if one is not there or no multiple."""
    made = list(shape)
    for along, (times, divisor) in by.items():
        if not 0 <= along < len(made) or made[along] * times % divisor:
            return None
        made[along] = made[along] * times // divisor
    return tuple(made)


def _is_spread(own: Sizes, along: Sizes, shape: Sizes) -> bool:
    if len(own) != len(along) or list(along) != sorted(set(along)) or any(not 0 <= d < len(shape) for d in along):
        return False
    return all(size in (1, shape[d]) for size, d in zip(own, along, strict=True))


def _is_dot(node: Dot, shapes: Sequence[Sizes], shape: Sizes) -> bool:
    left, right = (shapes[each] for each in node.operands)
    pairs = (*node.batch, *node.contract)
    for own, used in ((left, [a for a, _ in pairs]), (right, [b for _, b in pairs])):
        if len(set(used)) != len(used) or any(not 0 <= d < len(own) for d in used):
            return False
    if any(left[a] != right[b] for a, b in pairs):
        return False
    free = [size for d, size in enumerate(left) if d not in [a for a, _ in pairs]]
    other = [size for d, size in enumerate(right) if d not in [b for _, b in pairs]]
    return (*(left[a] for a, _ in node.batch), *free, *other) == shape


def _is_joined(parts: Sequence[Sizes], along: int, shape: Sizes) -> bool:
    if not 0 <= along < len(shape) or any(len(each) != len(shape) for each in parts):
        return False
    rest = {(each[:along], each[along + 1 :]) for each in parts}
    return rest == {(shape[:along], shape[along + 1 :])} and sum(each[along] for each in parts) == shape[along]
