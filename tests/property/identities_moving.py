"""True identities that only move data, over elements of any type.

Each function draws one identity: two expressions that are equal at every rank and size under the preconditions that it
adds to the draft. Sources: the catalogue of XLA's algebraic simplifications, restated with clamped starts and rank 0.
"""

from __future__ import annotations

from collections.abc import Callable

import builders as b
from builders import PRED, ix
from drafts import (
    Draft,
    Shaped,
    broadcast,
    concatenate,
    dynamic_slice,
    fill,
    pad,
    pointwise,
    reverse,
    slice_,
    slice_length,
    transpose,
    update,
)

from rewright.model.index import Name

Sides = tuple[Shaped, Shaped]


def reverse_twice(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    first = d.rng.sample(x.groups, d.rng.randint(1, len(x.groups)))
    second = d.rng.sample(x.groups, d.rng.randint(1, len(x.groups)))
    once = [group for group in x.groups if (group in first) != (group in second)]
    return reverse(reverse(x, first), second), reverse(x, once) if once else x


def reverse_of_pad(d: Draft) -> Sides:
    x, value = d.operand(d.a_layout()), d.a_scalar()
    group = x.groups[0]
    low, high, interior = d.an_attribute(group), d.an_attribute(group), d.pick(0, 0, 1)
    left = reverse(pad(x, value, {group: (low, high, interior)}), [group])
    return left, pad(reverse(x, [group]), value, {group: (high, low, interior)})


def reverse_of_slice(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    group = x.groups[-1]
    start, limit, size = d.an_attribute(group), d.an_attribute(group), x.sizes[x.groups[-1]]
    left = reverse(slice_(x, {group: (start, limit)}), [group])
    return left, slice_(reverse(x, [group]), {group: (size - limit, size - start)})


def slice_of_slice(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    group = x.groups[0]
    start, limit, inner, end = (d.an_attribute(group) for _ in range(4))
    stride = d.pick(1, 1, 2, d.a_map(group))
    left = slice_(slice_(x, {group: (inner, end)}), {group: (start, limit, stride)})
    return left, slice_(x, {group: (ix(inner) + start, ix(inner) + limit, stride)})


def slice_of_pad_inside(d: Draft) -> Sides:
    x, value = d.operand(d.a_layout()), d.a_scalar()
    group = x.groups[0]
    low, high, start, limit = d.an_attribute(group), d.an_attribute(group), d.a_map(group), d.a_map(group)
    stride = d.pick(1, 2)
    d.require(b.compare(">=", start, low), b.compare("<=", limit, x.sizes[group] + low))
    left = slice_(pad(x, value, {group: (low, high, 0)}), {group: (start, limit, stride)})
    return left, slice_(x, {group: (start - low, limit - low, stride)})


def slice_of_pad_outside(d: Draft) -> Sides:
    x, value = d.operand(d.a_layout()), d.a_scalar()
    group = x.groups[0]
    low, high, start, limit = d.a_map(group), d.an_attribute(group), d.a_map(group), d.a_map(group)
    size, stride = x.sizes[group], d.pick(1, 1, 2)
    outside = b.either(b.compare("<=", limit, low), b.compare(">=", start, size + low))
    class_ = d.groups[group].rank_class
    d.require(b.some(class_, outside))
    left = slice_(pad(x, value, {group: (low, high, 0)}), {group: (start, limit, stride)})
    return left, fill(value, {**x.sizes, group: slice_length(start, limit, stride)})


def pad_of_pad(d: Draft) -> Sides:
    x, value = d.operand(d.a_layout()), d.a_scalar()
    group = x.groups[0]
    low, high, interior = d.an_attribute(group), d.an_attribute(group), d.pick(0, 0, 1)
    more_low, more_high = d.a_map(group), d.a_map(group)
    agree = [b.either(b.compare(">=", p, 0), b.compare("<=", q, 0)) for p, q in ((low, more_low), (high, more_high))]
    d.require(*(b.every(d.groups[group].rank_class, formula) for formula in agree))
    left = pad(pad(x, value, {group: (low, high, interior)}), value, {group: (more_low, more_high, 0)})
    return left, pad(x, value, {group: (ix(low) + more_low, ix(high) + more_high, interior)})


def negative_pad(d: Draft) -> Sides:
    x, value = d.operand(d.a_layout()), d.a_scalar()
    group = x.groups[0]
    low, high = d.a_map(group), d.pick(0, 1, d.a_map(group))
    d.require(b.compare(">=", low, 0), b.compare(">=", high, 0))
    left = pad(x, value, {group: (0 - low, 0 - ix(high), 0)})
    return left, slice_(x, {group: (low, x.sizes[group] - high)})


def pad_of_unit(d: Draft) -> Sides:
    x, value = d.operand(d.a_layout()), d.a_scalar()
    group = x.groups[0]
    low, high, interior = d.an_attribute(group), d.an_attribute(group), d.pick(1, d.a_map(group))
    d.require(b.compare(d.rng.choice(["<=", "=="]), x.sizes[group], 1))
    left = pad(x, value, {group: (low, high, interior)})
    return left, pad(x, value, {group: (low, high, 0)})


def no_pad(d: Draft) -> Sides:
    x, value = d.operand(d.a_layout()), d.a_scalar()
    group = x.groups[0]
    none = d.a_map(group)
    d.require(b.compare("==", none, 0))
    return pad(x, value, {group: (none, 0, d.pick(0, none))}), x


def fill_stays(d: Draft) -> Sides:
    sizes, value = d.a_layout(), d.a_scalar()
    x = fill(value, sizes)
    group = d.rng.choice(x.groups)
    start, limit = d.an_attribute(group), d.an_attribute(group)
    case = d.rng.randrange(4)
    if case == 0:
        left = pad(x, value, {group: (start, limit, d.pick(0, 1))})
    elif case == 1:
        left = slice_(x, {group: (start, limit, d.pick(1, 2))})
    elif case == 2:
        left = dynamic_slice(x, {group: (start, limit)})
    else:
        left = reverse(pad(x, value, {group: (start, 1, 0)}), [group])
    return left, fill(value, left.sizes)


def broadcast_moves(d: Draft) -> Sides:
    x, new = d.operand(d.a_layout()), d.a_group()
    group, size = x.groups[0], d.a_map(new)
    start, limit = d.an_attribute(group), d.an_attribute(group)
    wide = broadcast(x, {new: size})
    case = d.rng.randrange(4)
    if case == 0:
        return slice_(wide, {group: (start, limit)}), broadcast(slice_(x, {group: (start, limit)}), {new: size})
    if case == 1:
        value = d.a_scalar()
        return pad(wide, value, {group: (start, limit, 0)}), broadcast(
            pad(x, value, {group: (start, limit, 0)}), {new: size}
        )
    if case == 2:
        return reverse(wide, [new, group]), broadcast(reverse(x, [group]), {new: size})
    end = d.a_map(new)
    return slice_(wide, {new: (0, end, 2)}), broadcast(x, {new: slice_length(0, end, 2)})


def concatenate_associates(d: Draft) -> Sides:
    axis, (x, y, z) = three_parts(d)
    return concatenate(axis, x, concatenate(axis, y, z)), concatenate(axis, concatenate(axis, x, y), z)


def concatenate_of_slices(d: Draft) -> Sides:
    axis = d.an_axis()
    x = d.operand({d.a_group(): d.a_map(list(d.groups)[-1]), axis: d.a_map(axis)})
    start, middle, limit = d.pick(0, d.a_map(axis)), d.a_map(axis), d.pick(x.sizes[axis], d.a_map(axis))
    left = concatenate(axis, slice_(x, {axis: (start, middle)}), slice_(x, {axis: (middle, limit)}))
    return left, slice_(x, {axis: (start, limit)})


def slice_of_concatenate(d: Draft) -> Sides:
    axis, (x, y, _) = three_parts(d)
    start, limit, stride = d.a_map(axis), d.a_map(axis), d.pick(1, 2)
    left = slice_(concatenate(axis, x, y), {axis: (start, limit, stride)})
    if d.rng.random() < 0.5:
        d.require(b.compare("<=", limit, x.sizes[axis]))
        return left, slice_(x, {axis: (start, limit, stride)})
    d.require(b.compare(">=", start, x.sizes[axis]))
    return left, slice_(y, {axis: (start - x.sizes[axis], limit - x.sizes[axis], stride)})


def concatenate_is_pad(d: Draft) -> Sides:
    axis, (x, _, _) = three_parts(d)
    value, length = d.a_scalar(), d.pick(1, 2, d.a_map(axis))
    block = fill(value, {**x.sizes, axis: length})
    if d.rng.random() < 0.5:
        d.require(b.compare(">=", length, 0))
        return concatenate(axis, block, x), pad(x, value, {axis: (length, 0, 0)})
    return concatenate(axis, x, block), pad(x, value, {axis: (0, length, 0)})


def reverse_of_concatenate(d: Draft) -> Sides:
    axis, (x, y, _) = three_parts(d)
    left = reverse(concatenate(axis, x, y), [axis])
    return left, concatenate(axis, reverse(y, [axis]), reverse(x, [axis]))


def three_parts(d: Draft) -> tuple[Name, list[Shaped]]:
    axis, group = d.an_axis(), d.a_group()
    size = d.a_size(group)
    return axis, [d.operand({group: size, axis: d.a_map(axis)}) for _ in range(3)]


def dynamic_slice_is_slice(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    group = x.groups[0]
    start, length = d.an_attribute(group), d.pick(1, d.a_map(group))
    d.require(b.compare(">=", start, 0), b.compare("<=", ix(start) + length, x.sizes[group]))
    return dynamic_slice(x, {group: (start, length)}), slice_(x, {group: (start, ix(start) + length)})


def clamped_start(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    group = x.groups[0]
    start, length, size = d.a_map(group), d.pick(1, d.a_map(group)), x.sizes[x.groups[0]]
    clamped = b.greatest(0, b.least(start, size - length))
    right = slice_(x, {group: (clamped, clamped + length)})
    if ix(length).node != ix(1).node:
        d.require(b.compare(">=", length, 0))
    return dynamic_slice(x, {group: (start, length)}), right


def whole_dynamic_slice(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    group = d.rng.choice(x.groups)
    return dynamic_slice(x, {group: (d.an_attribute(group), x.sizes[group])}), x


def dynamic_slice_of_dynamic_slice(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    group = x.groups[0]
    start, more, length, inner = d.a_map(group), d.a_map(group), d.pick(1, d.a_map(group)), d.a_map(group)
    d.require(b.compare(">=", start, 0), b.compare("<=", start + inner, x.sizes[group]))
    d.require(b.compare(">=", more, 0), b.compare("<=", more + length, inner))
    left = dynamic_slice(dynamic_slice(x, {group: (start, inner)}), {group: (more, length)})
    return left, dynamic_slice(x, {group: (start + more, length)})


def update_of_fill(d: Draft) -> Sides:
    x, value = d.operand(d.a_layout()), d.a_scalar()
    group = x.groups[0]
    start, size = d.pick(0, d.a_map(group)), d.a_map(group)
    d.require(b.compare(">=", start, 0), b.compare("<=", x.sizes[group] + start, size))
    left = update(fill(value, {**x.sizes, group: size}), x, {group: start})
    return left, pad(x, value, {group: (start, size - x.sizes[group] - start, 0)})


def whole_update(d: Draft) -> Sides:
    sizes = d.a_layout()
    x, y = d.operand(sizes), d.operand(sizes)
    return update(x, y, {group: d.an_attribute(group) for group in x.groups}), y


def update_twice(d: Draft) -> Sides:
    sizes = d.a_layout()
    x = d.operand(sizes)
    smaller = {group: d.a_map(group) if d.rng.random() < 0.6 else size for group, size in sizes.items()}
    starts = {group: d.an_attribute(group) for group in sizes}
    first, second = d.operand(smaller), d.operand(smaller)
    return update(update(x, first, starts), second, starts), update(x, second, starts)


def slice_of_update(d: Draft) -> Sides:
    sizes = d.a_layout()
    x, group = d.operand(sizes), next(iter(sizes))
    smaller = {**sizes, group: d.a_map(group)}
    block, start = d.operand(smaller), d.an_attribute(group)
    return dynamic_slice(update(x, block, {group: start}), {group: (start, smaller[group])}), block


def corner_kept(d: Draft) -> Sides:
    """The first element is kept and the others are overwritten: true on one axis, and on one axis only."""
    axis = d.an_axis()
    x, value = d.operand({axis: d.a_map(axis)}), d.a_scalar()
    size, stride = x.sizes[axis], d.pick(2, 2, 3)
    kept = slice_length(0, size, stride)
    block = fill(value, {axis: kept - 1})
    every_other = slice_(x, {axis: (0, size, stride)})
    front = slice_(x, {axis: (0, kept)})
    first = d.rng.choice([front, slice_(reverse(front, [axis]), {axis: (0, kept)})])
    second = reverse(every_other, [axis]) if first is not front else every_other
    if first is not front:
        return update(first, block, {axis: 0}), update(second, block, {axis: 0})
    return update(first, block, {axis: 1}), update(second, block, {axis: 1})


def update_with_own_slice(d: Draft) -> Sides:
    x = d.operand(d.a_layout())
    group = d.rng.choice(x.groups)
    start, length = d.an_attribute(group), d.pick(1, d.a_map(group))
    return update(x, dynamic_slice(x, {group: (start, length)}), {group: start}), x


def transpose_moves(d: Draft) -> Sides:
    first = d.a_group()
    second = d.group(d.fresh("A"), first)
    sizes = {first: d.a_size(first), second: d.a_map(first)}
    x, swap = d.operand(sizes), {first: second, second: first}
    start, limit, value = d.an_attribute(first), d.an_attribute(first), d.a_scalar()
    case = d.rng.randrange(5)
    if case == 0:
        return transpose(transpose(x, swap), swap), x
    if case == 1:
        return transpose(reverse(x, [first]), swap), reverse(transpose(x, swap), [second])
    if case == 2:
        left = transpose(pad(x, value, {first: (start, limit, 0)}), swap)
        return left, pad(transpose(x, swap), value, {second: (start, limit, 0)})
    if case == 3:
        left = transpose(slice_(x, {first: (start, limit)}), swap)
        return left, slice_(transpose(x, swap), {second: (start, limit)})
    y, p = d.operand(sizes), d.a_tensor(sizes, PRED)
    left = transpose(pointwise("select", p, x, y), swap)
    return left, pointwise("select", transpose(p, swap), transpose(x, swap), transpose(y, swap))


def single_axes_turn(d: Draft) -> Sides:
    """Two single axes of one class are exchanged, and what works along one of them works along the other."""
    first = d.an_axis()
    second = d.an_axis(first)
    rest = {d.a_group(): d.a_map(list(d.groups)[-1])} if d.rng.random() < 0.4 else {}
    sizes, swap = {**rest, first: d.a_map(first), second: d.a_map(first)}, {first: second, second: first}
    x, y = d.operand(sizes), d.operand({**sizes, second: d.a_map(second)})
    start, limit, value = d.an_attribute(first), d.an_attribute(first), d.a_scalar()
    match d.rng.randrange(6):
        case 0:
            left = transpose(concatenate(second, x, y), swap)
            return left, concatenate(first, transpose(x, swap), transpose(y, swap))
        case 1:
            return transpose(reverse(x, [second]), swap), reverse(transpose(x, swap), [first])
        case 2:
            left = transpose(slice_(concatenate(second, x, y), {second: (start, limit)}), swap)
            return left, slice_(concatenate(first, transpose(x, swap), transpose(y, swap)), {first: (start, limit)})
        case 3:
            left = transpose(pad(x, value, {first: (start, limit, 0)}), swap)
            return left, pad(transpose(x, swap), value, {second: (start, limit, 0)})
        case 4:
            third = d.an_axis(first)
            renamed = transpose(concatenate(second, x, y), {second: third})
            return renamed, concatenate(third, transpose(x, {second: third}), transpose(y, {second: third}))
        case _:
            left = transpose(dynamic_slice(x, {second: (start, 1)}), swap)
            return left, dynamic_slice(transpose(x, swap), {first: (start, 1)})


def select_moves(d: Draft) -> Sides:
    sizes = d.a_layout()
    x, y, p = d.operand(sizes), d.operand(sizes), d.a_tensor(sizes, PRED)
    group = d.rng.choice(x.groups)
    case = d.rng.randrange(4)
    if case == 0:
        return pointwise("select", pointwise("not", p), x, y), pointwise("select", p, y, x)
    if case == 1:
        return pointwise("select", p, x, x), x
    attributes = (d.an_attribute(group), d.an_attribute(group))

    def move(z: Shaped) -> Shaped:
        return reverse(z, [group]) if case == 2 else slice_(z, {group: attributes})

    return move(pointwise("select", p, x, y)), pointwise("select", move(p), move(x), move(y))


def sizes_from_integers(d: Draft) -> Sides:
    group, value = d.a_group(), d.a_scalar()
    k, j = d.an_integer(), d.an_integer()
    x = fill(value, {group: k})
    if d.rng.random() < 0.5:
        return pad(x, value, {group: (j, 0, 0)}), fill(value, {group: k + j})
    other = d.a_tensor({group: k + j})
    d.require(b.compare(">=", j, 0), b.compare(">=", k, 0))
    return slice_(pad(other, value, {group: (j, 0, 0)}), {group: (j, k + j + j)}), other


def reverse_of_unit(d: Draft) -> Sides:
    group = d.a_group()
    size = d.a_map(group)
    x = d.operand({group: size})
    d.require(b.compare("==", size, 1))
    return reverse(x, [group]), x


MOVING: tuple[Callable[[Draft], Sides], ...] = (
    reverse_twice,
    reverse_of_pad,
    reverse_of_slice,
    slice_of_slice,
    slice_of_pad_inside,
    slice_of_pad_outside,
    pad_of_pad,
    negative_pad,
    pad_of_unit,
    no_pad,
    fill_stays,
    broadcast_moves,
    concatenate_associates,
    concatenate_of_slices,
    slice_of_concatenate,
    concatenate_is_pad,
    reverse_of_concatenate,
    dynamic_slice_is_slice,
    clamped_start,
    whole_dynamic_slice,
    dynamic_slice_of_dynamic_slice,
    update_of_fill,
    whole_update,
    update_twice,
    slice_of_update,
    corner_kept,
    update_with_own_slice,
    transpose_moves,
    single_axes_turn,
    select_moves,
    sizes_from_integers,
    reverse_of_unit,
)

RANKED: tuple[Callable[[Draft], Sides], ...] = (
    slice_of_pad_inside,
    slice_of_pad_outside,
    pad_of_pad,
    negative_pad,
    pad_of_unit,
    no_pad,
    dynamic_slice_is_slice,
    dynamic_slice_of_dynamic_slice,
    update_of_fill,
    corner_kept,
    reverse_of_unit,
)
"""Those that a wrong quantifier, or a wrong rank, makes false."""
