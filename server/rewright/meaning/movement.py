"""Operators that move elements: one statement each of shape, valid when, element.

The shapes, conditions and elements are those of the operator table of the language page; starts of dynamic slices and
updates are clamped into range. An element is defined where the operand that it is taken from is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce

from msgspec import Struct

from rewright.equality import EVERYWHERE
from rewright.meaning.forms import Entry, Indices, Meaning, RuleSide
from rewright.meaning.scope import NotCovered
from rewright.model.index import Name
from rewright.model.tensor import (
    Bitcast,
    Broadcast,
    Concatenate,
    DynamicSlice,
    DynamicUpdateSlice,
    Iota,
    Pad,
    Reshape,
    Reverse,
    Slice,
    Transpose,
)
from rewright.terms import (
    INT,
    REAL,
    TRUE,
    RankClass,
    Term,
    add,
    at_most,
    axis_product,
    choose,
    conjoin,
    digit,
    element_of,
    equal,
    floor_divide,
    less,
    maximum,
    minimum,
    multiply,
    non_negative,
    number,
    plus,
    position,
    remainder,
    subtract,
    zero,
)


def broadcast(node: Broadcast, operand: Meaning, side: RuleSide) -> Meaning:
    """New groups; the element does not depend on them."""
    shape = {**operand.shape, **side.sizes(node.sizes)}
    return Meaning(shape, operand.sort, lambda at: operand.at({group: at[group] for group in operand.shape}))


def iota(node: Iota, side: RuleSide) -> Meaning:
    """The index along a single axis as an element. Raises `NotCovered` on a group of axes, and for other sorts."""
    sort = side.scope.sort(node.type)
    if side.scope.classes[node.axis] is not None or sort not in (INT, REAL):
        raise NotCovered("`iota` is decided along a single axis, over int and real")
    return Meaning(side.sizes(node.sizes), sort, lambda at: Entry(element_of(at[node.axis], sort)))


def slice_(node: Slice, operand: Meaning, side: RuleSide) -> Meaning:
    """⌈(limit − start)/stride⌉ elements, start + i·stride; 0 <= start <= limit <= n, stride >= 1."""
    steps: dict[Name, tuple[Term, Term]] = {}
    shape = dict(operand.shape)
    for group, range_ in node.ranges:
        start, stride = side.attribute(range_.start, group), side.attribute(range_.stride, group)
        size = operand.shape[group]
        limit = size if range_.limit is None else side.attribute(range_.limit, group)
        side.need(group, non_negative(start), at_most(start, limit), at_most(limit, size), at_most(number(1), stride))
        shape[group] = floor_divide(plus(add(subtract(limit, start), stride), -1), stride)
        steps[group] = start, stride

    def at(indices: Indices) -> Entry:
        moved = {group: add(start, multiply(stride, indices[group])) for group, (start, stride) in steps.items()}
        return operand.at({**indices, **moved})

    return Meaning(shape, operand.sort, at)


def dynamic_slice(node: DynamicSlice, operand: Meaning, side: RuleSide) -> Meaning:
    """`length` elements from the start clamped into 0 .. n − length; 0 <= length <= n."""
    starts: dict[Name, Term] = {}
    shape = dict(operand.shape)
    for group, range_ in node.ranges:
        start, length = side.attribute(range_.start, group), side.attribute(range_.length, group)
        size = operand.shape[group]
        side.need(group, non_negative(length), at_most(length, size))
        shape[group], starts[group] = length, _clamped(start, subtract(size, length))

    def at(indices: Indices) -> Entry:
        return operand.at({**indices, **{group: add(start, indices[group]) for group, start in starts.items()}})

    return Meaning(shape, operand.sort, at)


def _clamped(start: Term, last: Term) -> Term:
    return maximum(number(0), minimum(start, last))


def dynamic_update_slice(node: DynamicUpdateSlice, operand: Meaning, update: Meaning, side: RuleSide) -> Meaning:
    """The update inside the window at the clamped start, else the operand; same groups, 0 <= u <= n.

    Raises `NotCovered` where the groups differ.
    """
    if set(operand.shape) != set(update.shape):
        raise NotCovered("the operand and the update have different axis groups")
    given = dict(node.starts)
    starts: dict[Name, Term] = {}
    for group, size in operand.shape.items():
        length = update.shape[group]
        side.need(group, non_negative(length), at_most(length, size))
        inside = _clamped(side.attribute(given[group], group), subtract(size, length)) if group in given else number(0)
        starts[group] = inside

    def at(indices: Indices) -> Entry:
        window = {
            group: conjoin(at_most(start, indices[group]), less(indices[group], add(start, update.shape[group])))
            for group, start in starts.items()
        }
        shifted = {group: subtract(indices[group], start) for group, start in starts.items()}
        return _either(side.every(window), update.at(shifted), operand.at(indices))

    return Meaning(operand.shape, operand.sort, at)


def _either(condition: Term, yes: Entry, no: Entry) -> Entry:
    return Entry(choose(condition, yes.value, no.value), choose(condition, yes.defined, no.defined))


def pad(node: Pad, operand: Meaning, value: Meaning, side: RuleSide) -> Meaning:
    """The operand on the grid inside, else the value; interior >= 0, and no size negative."""
    grids: dict[Name, Grid] = {}
    shape = dict(operand.shape)
    for group, padding in node.paddings:
        low, high = side.attribute(padding.low, group), side.attribute(padding.high, group)
        grids[group] = Grid(low, plus(side.attribute(padding.interior, group), 1), operand.shape[group])
        shape[group] = add(grids[group].extent, low, high)
        side.need(group, at_most(number(1), grids[group].step), non_negative(shape[group]))
    return Meaning(shape, operand.sort, padded(operand, value.at({}), grids, side))


class Grid(Struct, frozen=True):
    """Where the elements of an operand stand along a group: from `low` on, `step` apart."""

    low: Term
    step: Term
    size: Term

    @property
    def extent(self) -> Term:
        """From the first element to the last, both counted."""
        return add(self.size, multiply(maximum(number(0), plus(self.size, -1)), plus(self.step, -1)))


def padded(operand: Meaning, value: Entry, grids: Mapping[Name, Grid], side: RuleSide) -> Callable[[Indices], Entry]:
    """The operand on the grids, else the value."""

    def at(indices: Indices) -> Entry:
        inside, moved = {}, {}
        for group, grid in grids.items():
            place = subtract(indices[group], grid.low)
            on_grid = zero(remainder(place, grid.step))
            inside[group] = conjoin(non_negative(place), less(place, grid.extent), on_grid)
            moved[group] = floor_divide(place, grid.step)
        return _either(side.every(inside), operand.at({**indices, **moved}), value)

    return at


def concatenate(node: Concatenate, operands: list[Meaning], side: RuleSide) -> Meaning:
    """The operand that the index along a single axis falls into; the sizes agree elsewhere.

    Raises `NotCovered` along a group of axes, and where the groups differ.
    """
    axis, first = node.axis, operands[0]
    if side.scope.classes[axis] is not None:
        raise NotCovered("`concatenate` is decided along a single axis")
    for other in operands[1:]:
        if set(other.shape) != set(first.shape):
            raise NotCovered("the operands of `concatenate` have different axis groups")
        for group, size in first.shape.items():
            if group != axis:
                side.need(group, equal(size, other.shape[group]))

    def at(indices: Indices) -> Entry:
        return _part(operands, axis, indices)

    total = add(*(operand.shape[axis] for operand in operands))
    return Meaning({**first.shape, axis: total}, first.sort, at)


def _part(operands: list[Meaning], axis: Name, indices: Indices) -> Entry:
    first, *others = operands
    if not others:
        return first.at(indices)
    size = first.shape[axis]
    beyond = {**indices, axis: subtract(indices[axis], size)}
    return _either(less(indices[axis], size), first.at(indices), _part(others, axis, beyond))


def reverse(node: Reverse, operand: Meaning) -> Meaning:
    """X[n − 1 − i] on the reversed groups."""

    def at(indices: Indices) -> Entry:
        turned = {group: plus(subtract(operand.shape[group], indices[group]), -1) for group in node.reversed}
        return operand.at({**indices, **turned})

    return Meaning(operand.shape, operand.sort, at)


def transpose(node: Transpose, operand: Meaning) -> Meaning:
    """Groups renamed within their rank classes."""
    names: Mapping[Name, Name] = dict(node.renaming)
    shape = {names.get(group, group): size for group, size in operand.shape.items()}

    def at(indices: Indices) -> Entry:
        return operand.at({group: indices[names.get(group, group)] for group in operand.shape})

    return Meaning(shape, operand.sort, at)


def reshape(node: Reshape, operand: Meaning, side: RuleSide) -> Meaning:
    """Groups of size 1 dropped and added; the operand's index along a dropped group is 0."""
    for group in node.dropped:
        side.need(group, equal(operand.shape[group], number(1)))
    kept = {group: size for group, size in operand.shape.items() if group not in node.dropped}
    shape = {**kept, **dict.fromkeys(node.added, number(1))}

    def at(indices: Indices) -> Entry:
        return operand.at({group: indices[group] if group in kept else number(0) for group in operand.shape})

    return Meaning(shape, operand.sort, at)


def bitcast(node: Bitcast, operand: Meaning, side: RuleSide) -> Meaning:
    """The element at the same place of the axes that these axes stand for, row-major; as many elements."""
    classes = side.scope.classes
    old = [_Axes(classes[group], operand.shape[group]) for group in node.sources]
    elements = reduce(multiply, (axes.count for axes in old), number(1))
    new = {group: elements if size is None else side.attribute(size, group) for group, size in node.targets}
    for group, size in new.items():
        side.need(group, non_negative(size))
    cut = [_Axes(classes[group], size) for group, size in new.items()]
    fitting = equal(elements, reduce(multiply, (axes.count for axes in cut), number(1)))
    if fitting is not TRUE:
        side.facts.append((EVERYWHERE, fitting))
    kept = {group: size for group, size in operand.shape.items() if group not in node.sources}

    def at(indices: Indices) -> Entry:
        places = _regrouped([indices[group] for group in new], cut, old)
        return operand.at({**{group: indices[group] for group in kept}, **dict(zip(node.sources, places, strict=True))})

    return Meaning({**kept, **new}, operand.sort, at)


class _Axes(Struct, frozen=True):
    """All axes of a class, or a single axis, with the size of each."""

    rank_class: RankClass
    size: Term

    @property
    def count(self) -> Term:
        """How many indices they have."""
        return axis_product(self.rank_class, self.size)

    def position(self, index: Term) -> Term:
        """The number of elements before an index."""
        return index if self.rank_class is None else position(self.rank_class, index, self.size)

    def index(self, place: Term) -> Term:
        """The index before which there are so many elements."""
        return place if self.rank_class is None else digit(self.rank_class, place, self.size)


def _regrouped(at: list[Term], sizes: list[_Axes], old: list[_Axes]) -> list[Term]:
    """The index along the axes `old` of the element that is at this index along the axes `sizes`.

    Last axes of one size have one index; of the others it is the number of elements before it that counts.
    """
    if at and old and sizes[-1] == old[-1]:
        return [*_regrouped(at[:-1], sizes[:-1], old[:-1]), at[-1]]
    place = number(0)
    for index, axes in zip(at, sizes, strict=True):
        place = add(multiply(place, axes.count), axes.position(index))
    found: list[Term] = []
    for axes in reversed(old[1:]):
        found.append(axes.index(remainder(place, axes.count)))
        place = floor_divide(place, axes.count)
    return [*([old[0].index(place)] if old else []), *reversed(found)]
