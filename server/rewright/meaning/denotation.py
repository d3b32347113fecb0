"""The meaning of a tensor expression, operator by operator.

Owns the dispatch and leaves (tensors, scalars, constants). What is not decided raises `NotCovered`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from rewright.meaning import combining, movement, windows
from rewright.meaning.forms import Entry, Indices, Meaning, RuleSide
from rewright.meaning.infinity import is_finite
from rewright.meaning.pointwise import call, combine, pointwise
from rewright.meaning.scope import MeaningScope, NotCovered
from rewright.model.index import Name
from rewright.model.tensor import (
    Apply,
    Bitcast,
    Broadcast,
    Combine,
    Concatenate,
    Constant,
    Convolution,
    Dot,
    DynamicSlice,
    DynamicUpdateSlice,
    ElementOf,
    Iota,
    Pad,
    Pointwise,
    Reduce,
    ReduceWindow,
    Reshape,
    Reverse,
    ScalarReference,
    Slice,
    Tensor,
    TensorReference,
    Transpose,
)
from rewright.terms import (
    INT,
    REAL,
    TRUTH,
    Slot,
    Sort,
    Term,
    access,
    element_of,
    number,
    truth,
)
from rewright.terms.interning import intern
from rewright.terms.node import Infinity


def denote(tensor: Tensor, side: RuleSide) -> Meaning:
    """The meaning of an expression; what makes it valid is added to the side. Raises `NotCovered`."""
    meaning = _denoted(tensor, side)
    name = side.general.get(tensor) if side.general else None
    return meaning if name is None else _any_tensor(name, meaning, side)


def _any_tensor(name: Name, meaning: Meaning, side: RuleSide) -> Meaning:
    """A tensor of any contents, with a meaning's shape, and defined where that is.

    Raises `NotCovered` where an element may be infinite, which those of a tensor are not.
    """
    side.shapes[name] = meaning.shape

    def at(indices: Indices) -> Entry:
        entry = meaning.at(indices)
        if not is_finite(entry.value):
            raise NotCovered("a part that both sides share may be infinite")
        places = {group: indices[group] for group in meaning.shape}
        return Entry(read(name, places, meaning.sort, side.scope), entry.defined)

    return Meaning(meaning.shape, meaning.sort, at)


def _denoted(tensor: Tensor, side: RuleSide) -> Meaning:
    match tensor:
        case TensorReference():
            return _tensor(tensor, side)
        case ScalarReference(name=name):
            value = side.scope.scalar(name)
            return Meaning({}, value.sort, lambda _: Entry(value))
        case Constant(text=text):
            literal = constant(text, side.scope.sort(tensor.type))
            return Meaning({}, literal.sort, lambda _: Entry(literal))
        case ElementOf(index=index):
            element = _element(side.integer(index), side.scope.sort(tensor.type))
            return Meaning({}, element.sort, lambda _: Entry(element))
        case Pointwise(operands=operands):
            return pointwise(tensor, [denote(operand, side) for operand in operands], side)
        case Reduce(operand=operand, init=init):
            initial = None if init is None else denote(init, side)
            return combining.reduce(tensor, denote(operand, side), initial, side)
        case ReduceWindow(operand=operand, init=init):
            initial = None if init is None else denote(init, side)
            return windows.reduce_window(tensor, denote(operand, side), initial, side)
        case Convolution(operand=operand, kernel=kernel):
            return windows.convolution(tensor, denote(operand, side), denote(kernel, side), side)
        case Dot(left=left, right=right):
            return combining.dot(tensor, denote(left, side), denote(right, side), side)
        case Apply(operands=operands):
            return call(tensor, [denote(operand, side) for operand in operands], side)
        case Combine(operands=operands):
            return combine(tensor, [denote(operand, side) for operand in operands], side)
        case _:
            return _moved(tensor, side)


Moving = (
    Broadcast
    | Iota
    | Slice
    | DynamicSlice
    | DynamicUpdateSlice
    | Pad
    | Concatenate
    | Reverse
    | Reshape
    | Bitcast
    | Transpose
)


def _moved(tensor: Moving, side: RuleSide) -> Meaning:
    match tensor:
        case Iota():
            return movement.iota(tensor, side)
        case Concatenate(operands=operands):
            return movement.concatenate(tensor, [denote(operand, side) for operand in operands], side)
        case DynamicUpdateSlice(operand=operand, update=update):
            return movement.dynamic_update_slice(tensor, denote(operand, side), denote(update, side), side)
        case Pad(operand=operand, value=value):
            return movement.pad(tensor, denote(operand, side), denote(value, side), side)
        case Broadcast(operand=operand):
            return movement.broadcast(tensor, denote(operand, side), side)
        case Slice(operand=operand):
            return movement.slice_(tensor, denote(operand, side), side)
        case DynamicSlice(operand=operand):
            return movement.dynamic_slice(tensor, denote(operand, side), side)
        case Reverse(operand=operand):
            return movement.reverse(tensor, denote(operand, side))
        case Reshape(operand=operand):
            return movement.reshape(tensor, denote(operand, side), side)
        case Bitcast(operand=operand):
            return movement.bitcast(tensor, denote(operand, side), side)
        case Transpose(operand=operand):
            return movement.transpose(tensor, denote(operand, side))
        case _:
            assert_never(tensor)


def _tensor(node: TensorReference, side: RuleSide) -> Meaning:
    declared = side.scope.tensors[node.name]
    shape = {group: RuleSide(side.scope).attribute(size, group) for group, size in declared.shape}
    sort = side.scope.sort(declared.type)
    return Meaning(
        shape, sort, lambda at: Entry(read(node.name, {group: at[group] for group in shape}, sort, side.scope))
    )


def read(name: Name, indices: Indices, sort: Sort, scope: MeaningScope) -> Term:
    """The access of a tensor."""
    return access(name, tuple(Slot(group, scope.classes[group], index) for group, index in indices.items()), sort)


def constant(text: str, sort: Sort) -> Term:
    """The element that is written down. Raises `NotCovered` where the domain has none such."""
    if text in ("true", "false") and sort == TRUTH:
        return truth(text == "true")
    if sort in (INT, REAL):
        if text in ("lowest", "highest"):
            return intern(Infinity, text == "highest", sort)
        value = Fraction(text)
        if sort == REAL or value.denominator == 1:
            return number(value, sort)
    raise NotCovered(f"`{text}` is not an element of `{sort}`")


def _element(index: Term, sort: Sort) -> Term:
    if sort not in (INT, REAL):
        raise NotCovered("`elem` is decided over int and real")
    return element_of(index, sort)
