"""Expressions put together again after a part of them was changed.

Owns what follows from operands: groups and types of tensors, classes of comparisons. `IllFormed` says that the result
is no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never, cast

from builders import (
    Ix,
    apply,
    bitcast,
    compare,
    concatenate,
    convolution,
    dot,
    need,
    pointwise,
    reduce,
    reduce_window,
    reshape,
    reverse,
    transpose,
    update,
)
from msgspec.structs import replace

from rewright.model import formula as mf
from rewright.model import rule as m
from rewright.model import tensor as mt
from rewright.model.index import Name


def rebuilt(tensor: mt.Tensor) -> mt.Tensor:
    """The same expression with groups and types worked out again, bottom up. Raises `IllFormed`."""
    match tensor:
        case mt.Pointwise(operator=operator, operands=operands):
            return pointwise(operator, *map(rebuilt, operands))
        case mt.Apply(function=name, operands=operands, type=type_):
            parts = [rebuilt(operand) for operand in operands]
            need([each.type for each in parts] == [each.type for each in operands], "types differ")
            return apply(m.FunctionDeclaration(name, tuple(each.type for each in parts), type_), *parts)
        case mt.Reshape(operand=operand, dropped=dropped, added=added):
            return reshape(rebuilt(operand), dropped, added)
        case mt.Bitcast(operand=operand, sources=sources, targets=targets):
            sizes = {group: None if size is None else Ix(size) for group, size in targets}
            return bitcast(rebuilt(operand), sources, sizes)
        case mt.Broadcast(operand=operand):
            again = rebuilt(operand)
            return replace(
                tensor, operand=again, type=again.type, groups=again.groups + tuple(g for g, _ in tensor.sizes)
            )
        case mt.Slice(operand=operand, ranges=attributes) | mt.DynamicSlice(operand=operand, ranges=attributes):
            return cast(mt.Tensor, _same_groups(tensor, operand, attributes))
        case mt.Pad(operand=operand, value=value, paddings=paddings):
            padded = cast(mt.Pad, _same_groups(tensor, operand, paddings))
            need(value.type == padded.type and not value.groups, "the value does not fit")
            return padded
        case mt.DynamicUpdateSlice():
            starts = {group: Ix(start) for group, start in tensor.starts}
            return update(rebuilt(tensor.operand), rebuilt(tensor.update), starts)
        case mt.Concatenate(operands=operands):
            return concatenate(tensor.axis, *map(rebuilt, operands))
        case mt.Reverse():
            return reverse(rebuilt(tensor.operand), tensor.reversed)
        case mt.Transpose():
            return transpose(rebuilt(tensor.operand), dict(tensor.renaming))
        case mt.Reduce() | mt.ReduceWindow() | mt.Convolution() | mt.Dot():
            return _combining(tensor)
        case mt.TensorReference() | mt.ScalarReference() | mt.Constant() | mt.ElementOf() | mt.Iota() | mt.Combine():
            return tensor
        case _:
            assert_never(tensor)


def _combining(tensor: mt.Reduce | mt.ReduceWindow | mt.Convolution | mt.Dot) -> mt.Tensor:
    match tensor:
        case mt.Reduce():
            again = reduce(tensor.monoid, rebuilt(tensor.operand), tensor.reduced, tensor.init)
            return replace(cast(mt.Reduce, again), by=tensor.by)
        case mt.ReduceWindow():
            again = reduce_window(tensor.monoid, rebuilt(tensor.operand), dict(tensor.windows), tensor.init)
            return replace(cast(mt.ReduceWindow, again), by=tensor.by)
        case mt.Convolution():
            return convolution(rebuilt(tensor.operand), rebuilt(tensor.kernel), tensor)
        case mt.Dot():
            return dot(rebuilt(tensor.left), rebuilt(tensor.right), tensor.contracted)


def with_operand(
    tensor: mt.Pad | mt.Slice | mt.Broadcast | mt.ReduceWindow | mt.DynamicUpdateSlice, operand: mt.Tensor
) -> mt.Tensor:
    """The operator on another operand of the same shape."""
    need(operand.groups == tensor.operand.groups and operand.type == tensor.operand.type, "another shape")
    return replace(tensor, operand=operand)


def rebuilt_formula(formula: mf.Formula) -> mf.Formula:
    """The same formula with the classes of its comparisons worked out again. Raises `IllFormed`."""
    match formula:
        case mf.IndexComparison(operator=operator, left=left, right=right):
            return compare(operator, Ix(left), Ix(right))
        case mf.Conjunction(left=first, right=second) | mf.Disjunction(left=first, right=second):
            return replace(formula, left=rebuilt_formula(first), right=rebuilt_formula(second))
        case mf.Negation(operand=operand):
            return replace(formula, operand=rebuilt_formula(operand))
        case mf.Quantified(body=body):
            return replace(formula, body=rebuilt_formula(body))
        case _:
            return formula


def _same_groups(tensor: Any, operand: mt.Tensor, attributes: Sequence[tuple[Name, Any]]) -> Any:
    again = rebuilt(operand)
    need({group for group, _ in attributes} <= set(again.groups), "no such group")
    return replace(tensor, operand=again, type=again.type, groups=again.groups)
