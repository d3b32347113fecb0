"""Random programs over one group of any rank: pads with constants, updates, slices, reversals, sums and maxima, nested.

Owns programs and what is done to one that mostly leaves its value as it is. They exercise the argument for every rank:
guards that are tests on all axes, combined by sums, products, minima and maxima.
"""

from __future__ import annotations

from dataclasses import dataclass

import builders as b
from builders import Ix, T
from drafts import Draft, Shaped, broadcast, fill, pad, pointwise, reduce, reverse, slice_, update
from identities_moving import Sides
from rebuilding import with_operand

from rewright.model import tensor as mt
from rewright.model.index import Name

DEPTHS = (1, 1, 2, 2, 3)


@dataclass(frozen=True)
class Place:
    """The group that a program is about, its size, and what the program starts from."""

    draft: Draft
    group: Name
    size: Ix
    start: Shaped
    value: mt.Tensor


def fold_programs(d: Draft) -> Sides:
    """A program and what was made of it; or two programs, which are hardly ever equal."""
    group = d.a_group() if d.rng.random() < 0.75 else d.an_axis()
    size = d.a_map(group)
    d.require(b.compare(">=", size, d.rng.choice([2, 3])))
    place = Place(d, group, size, d.a_tensor({group: size}), d.a_scalar())
    program = _program(place, d.rng.choice(DEPTHS))
    other = _varied(place, program) if d.rng.random() < 0.8 else _program(place, d.rng.choice(DEPTHS))
    if d.rng.random() < 0.5:
        monoid = d.rng.choice(["add", "add", "maximum"])
        return reduce(monoid, program, [group]), reduce(monoid, other, [group])
    return program, other


def _program(place: Place, depth: int) -> Shaped:
    d, sizes = place.draft, {place.group: place.size}
    if depth == 0 or d.rng.random() < 0.15:
        constant = b.constant(d.rng.choice("012"), T)
        return d.rng.choice([place.start, place.start, fill(constant, sizes), fill(place.value, sizes)])
    inner = _program(place, depth - 1)
    case = d.rng.randrange(10)
    if case < 4:
        operator = d.rng.choice(["add", "subtract", "multiply", "maximum", "minimum"])
        return pointwise(operator, inner, _program(place, depth - 1))
    if case == 4:
        return reverse(inner, [place.group])
    if case == 5:
        return _shifted(place, inner)
    if case == 6:
        return pad(slice_(inner, {place.group: (1, place.size - 1)}), _constant(place), {place.group: (1, 1, 0)})
    if case == 7:
        many = d.rng.choice([1, 2])
        block = slice_(_program(place, depth - 1), {place.group: (0, many)})
        return update(inner, block, {place.group: d.pick(0, 1, place.size - many)})
    if case == 8:
        return windowed(place, inner)
    monoid = d.rng.choice(["add", "add", "maximum"])
    init = d.rng.choice([b.constant("0", T), place.value]) if monoid == "maximum" else None
    return broadcast(reduce(monoid, inner, [place.group], init), sizes)


def windowed(place: Place, inner: Shaped) -> Shaped:
    """Each element combined with the one before it."""
    monoid = place.draft.rng.choice(["add", "maximum"])
    pairs = b.reduce_window(monoid, inner.tensor, {place.group: b.window(2, 1, 1, 0)}, b.constant("0", T))
    return Shaped(pairs, inner.sizes)


def _constant(place: Place) -> mt.Tensor:
    return place.draft.rng.choice([b.constant("0", T), b.constant("1", T), place.value])


def _shifted(place: Place, inner: Shaped) -> Shaped:
    """Constants move in at one end."""
    many = place.draft.rng.choice([1, 2])
    if place.draft.rng.random() < 0.5:
        cut, paddings = slice_(inner, {place.group: (0, place.size - many)}), (many, 0, 0)
    else:
        cut, paddings = slice_(inner, {place.group: (many, place.size)}), (0, many, 0)
    moved = pad(cut, _constant(place), {place.group: paddings})
    return Shaped(moved.tensor, inner.sizes)


def _varied(place: Place, program: Shaped) -> Shaped:
    """The program with operands exchanged, and with things done to parts that mostly undo each other."""
    return Shaped(_rewritten(place, program.tensor), program.sizes)


def _rewritten(place: Place, tensor: mt.Tensor) -> mt.Tensor:
    d = place.draft
    changed = _parts_rewritten(place, tensor)
    draw = d.rng.random()
    if changed.groups != (place.group,) or draw >= 0.36:
        return changed
    if draw < 0.1:
        return b.reverse(b.reverse(changed, [place.group]), [place.group])
    if draw < 0.2:
        cut = b.slice_(changed, {place.group: (1, place.size)})
        other = b.pad(cut, b.constant("1", T), {place.group: (1, 0, 0)})
        return b.pointwise("subtract", b.pointwise("add", changed, other), other)
    if draw < 0.3:
        return b.pointwise("maximum", changed, changed)
    return b.reverse(changed, [place.group])


def _parts_rewritten(place: Place, tensor: mt.Tensor) -> mt.Tensor:

    def again(part: mt.Tensor) -> mt.Tensor:
        return _rewritten(place, part)

    match tensor:
        case mt.Pointwise(operator=operator, operands=(first, second)):
            turned = operator != "subtract" and place.draft.rng.random() < 0.5
            return b.pointwise(operator, *map(again, (second, first) if turned else (first, second)))
        case mt.Reverse(operand=operand):
            return b.reverse(again(operand), tensor.reversed)
        case mt.Reduce(operand=operand):
            return b.reduce(tensor.monoid, again(operand), tensor.reduced, tensor.init)
        case mt.Pad() | mt.Slice() | mt.Broadcast() | mt.ReduceWindow() | mt.DynamicUpdateSlice():
            return with_operand(tensor, again(tensor.operand))
        case _:
            return tensor
