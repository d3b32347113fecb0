"""True identities of shapes: several concatenated at once, unit groups dropped and added, iota, `elem`, `prod`."""

from __future__ import annotations

from collections.abc import Callable

import builders as b
from builders import PRED, T, ix
from drafts import (
    Draft,
    Shaped,
    broadcast,
    concatenate,
    dynamic_slice,
    fill,
    iota,
    pad,
    pointwise,
    reshape,
    reverse,
    slice_,
    update,
)
from identities_moving import Sides

from rewright.model import tensor as mt
from rewright.model.index import Name


def concatenations(d: Draft) -> Sides:
    """Of one, three and four operands."""
    axis, group = d.an_axis(), d.a_group()
    size = d.a_size(group)
    parts = [d.operand({group: size, axis: ix(d.pick(1, d.a_map(axis)))}) for _ in range(d.rng.choice([3, 3, 4]))]
    value, p = d.a_scalar(), [d.a_tensor(part.sizes, PRED) for part in parts]
    first = parts[0].sizes[axis]
    before_last = first
    for part in parts[1:-1]:
        before_last = before_last + part.sizes[axis]
    total = before_last + parts[-1].sizes[axis]
    whole = concatenate(axis, *parts)
    blocks = [fill(value, part.sizes) for part in parts]
    laws: list[Callable[[], Sides]] = [
        lambda: (whole, concatenate(axis, concatenate(axis, *parts[:2]), *parts[2:])),
        lambda: (whole, concatenate(axis, parts[0], concatenate(axis, *parts[1:]))),
        lambda: (reverse(whole, [axis]), concatenate(axis, *(reverse(part, [axis]) for part in parts[::-1]))),
        lambda: (reverse(whole, [group]), concatenate(axis, *(reverse(part, [group]) for part in parts))),
        lambda: (slice_(whole, {axis: (before_last, total)}), parts[-1]),
        lambda: (slice_(whole, {axis: (0, first)}), concatenate(axis, parts[0])),
        lambda: (concatenate(axis, *blocks), fill(value, {group: size, axis: total})),
        lambda: (
            pointwise("select", concatenate(axis, *p), whole, value),
            concatenate(axis, *(pointwise("select", q, x, value) for q, x in zip(p, parts, strict=True))),
        ),
        lambda: (
            dynamic_slice(whole, {axis: (first, parts[1].sizes[axis])}),
            parts[1],
        ),
    ]
    return d.rng.choice(laws)()


def unit_groups(d: Draft) -> Sides:
    """Groups whose sizes are all 1, dropped and added."""
    sizes = d.a_layout()
    unit = d.an_axis() if d.rng.random() < 0.5 else d.a_group()
    size = d.pick(1, d.a_map(unit))
    if size != 1:
        d.require(b.compare("==", size, 1))
    x, flat = d.a_tensor({**sizes, unit: ix(size)}), d.operand(sizes)
    group, value = flat.groups[0], d.a_scalar()
    low, high = d.an_attribute(group), d.an_attribute(group)
    other, p = d.a_tensor(x.sizes), d.a_tensor(x.sizes, PRED)

    def drop(y: Shaped) -> Shaped:
        return reshape(y, [unit], [])

    def add(y: Shaped) -> Shaped:
        return reshape(y, [], [unit])

    laws: list[Callable[[], Sides]] = [
        lambda: (drop(add(flat)), flat),
        lambda: (add(drop(x)), x),
        lambda: (add(flat), broadcast(flat, {unit: ix(1)})),
        lambda: (drop(reverse(x, [unit])), drop(x)),
        lambda: (drop(reverse(x, [group])), reverse(drop(x), [group])),
        lambda: (drop(pad(x, value, {group: (low, high)})), pad(drop(x), value, {group: (low, high)})),
        lambda: (drop(pointwise("select", p, x, other)), pointwise("select", drop(p), drop(x), drop(other))),
        lambda: (slice_(add(flat), {group: (low, high)}), add(slice_(flat, {group: (low, high)}))),
        lambda: (drop(dynamic_slice(x, {unit: (low if b.rank_class(ix(low).node) is None else 0, 1)})), drop(x)),
    ]
    return d.rng.choice(laws)()


def one_row(d: Draft) -> Sides:
    """One row of a tensor: a slice of length 1 whose axis is dropped."""
    axis = d.an_axis()
    x = d.operand({d.a_group(): d.a_map(list(d.groups)[-1]), axis: d.a_map(axis)})
    k, size = d.an_integer(), x.sizes[axis]
    row = reshape(slice_(x, {axis: (k, k + 1)}), [axis], [])
    laws: list[Callable[[], Sides]] = [
        lambda: (row, reshape(dynamic_slice(x, {axis: (k, 1)}), [axis], [])),
        lambda: (row, reshape(slice_(reverse(x, [axis]), {axis: (size - 1 - k, size - k)}), [axis], [])),
        lambda: (update(x, reshape(row, [], [axis]), {axis: k}), x),
        lambda: (broadcast(row, {axis: ix(1)}), slice_(x, {axis: (k, k + 1)})),
    ]
    return d.rng.choice(laws)()


def counting(d: Draft) -> Sides:
    """Iota and `elem` over the element type of the rule."""
    axis, group = d.an_axis(), d.a_group()
    k, j, size = d.an_integer(), d.an_integer(), d.a_map(group)
    line, value = iota(axis, {axis: k}, T), d.a_scalar()
    x = d.operand({group: size, axis: k})
    wide = iota(axis, x.sizes, T)

    def elem(index: b.IndexLike) -> mt.Tensor:
        return b.element_of(index, T)

    inside = pointwise("lt", wide, elem(j))
    laws: list[Callable[[], Sides]] = [
        lambda: (
            concatenate(axis, iota(axis, {axis: j}, T), pointwise("add", line, elem(j))),
            iota(axis, {axis: j + k}, T),
        ),
        lambda: (pointwise("add", line, line), pointwise("multiply", line, b.constant("2", T))),
        lambda: (slice_(line, {axis: (j, k, 2)}), _spread(axis, line, j, k)),
        lambda: (pointwise("select", inside, x, value), _cut(d, x, (axis, j), value)),
        lambda: (pointwise("ge", wide, b.constant("0", T)), fill(b.constant("true", PRED), x.sizes)),
        lambda: (reverse(wide, [group]), wide),
        lambda: (pointwise("add", wide, reverse(wide, [axis])), fill(elem(k - 1), x.sizes)),
        lambda: (pointwise("maximum", wide, elem(k - 1)), fill(elem(k - 1), x.sizes)),
        lambda: (fill(elem(b.least(j, k)), x.sizes), fill(b.pointwise("minimum", elem(j), elem(k)), x.sizes)),
        lambda: (fill(b.pointwise("add", elem(j), elem(k)), x.sizes), fill(elem(j + k), x.sizes)),
        lambda: (pointwise("abs", wide), wide),
    ]
    return d.rng.choice(laws)()


def _spread(axis: Name, line: Shaped, start: b.Ix, limit: b.Ix) -> Shaped:
    """Every second of the indices from a start on, as numbers."""
    length = slice_(line, {axis: (start, limit, 2)}).sizes[axis]
    doubled = pointwise("multiply", iota(axis, {axis: length}, T), b.constant("2", T))
    return pointwise("add", doubled, b.element_of(start, T))


def _cut(d: Draft, x: Shaped, below: tuple[Name, b.Ix], value: mt.Tensor) -> Shaped:
    """The part below a limit along an axis, the rest filled."""
    axis, limit = below
    d.require(b.compare(">=", limit, 0), b.compare("<=", limit, x.sizes[axis]))
    return Shaped(pad(slice_(x, {axis: (0, limit)}), value, {axis: (0, x.sizes[axis] - limit)}).tensor, x.sizes)


def products(d: Draft) -> Sides:
    """`prod` of a single axis is its one size, as an integer."""
    axis, group = d.an_axis(), d.a_group()
    x = d.operand({group: d.a_map(group), axis: d.a_map(axis)})
    size, value = x.sizes[axis], d.a_scalar()
    whole = b.prod(size)
    start = d.an_attribute(group)
    low, high = d.pick(0, 1), d.pick(0, 1, 2)
    laws: list[Callable[[], Sides]] = [
        lambda: (slice_(x, {axis: (0, whole)}), x),
        lambda: (fill(value, {axis: whole}), fill(value, {axis: size})),
        lambda: (pad(x, value, {axis: (low, whole)}), pad(x, value, {axis: (low, size)})),
        lambda: (slice_(pad(x, value, {axis: (low, high)}), {axis: (low, whole + low)}), x),
        lambda: (dynamic_slice(x, {group: (start, x.sizes[group]), axis: (0, whole)}), x),
    ]
    left, right = d.rng.choice(laws)()
    draw = d.rng.random()
    if draw < 0.3:
        d.require(b.either(b.compare(">=", whole, 1), b.compare("==", size, 0)))
    elif draw < 0.5:
        d.require(b.compare("<=", whole, 2), b.negation(b.compare("==", size, 0)))
    return left, right


def one_of_a_product(d: Draft) -> Sides:
    """An axis whose product is 1 is as good as dropped; a product that is 0 leaves nothing."""
    axis, group = d.an_axis(), d.a_group()
    x = d.operand({group: d.a_map(group), axis: d.a_map(axis)})
    if d.rng.random() < 0.5:
        d.require(b.compare("==", b.prod(x.sizes[axis]), 1))
        return reverse(x, [axis]), x
    d.require(b.compare("<=", b.prod(x.sizes[axis]), 0))
    return reverse(x, [group]), x


def products_of_groups(d: Draft) -> Sides:
    """Products over all axes of a group, which are decided up to a rank."""
    group = d.a_group()
    size, k = d.a_map(group), d.an_integer()
    x, whole = d.a_tensor({group: size}), b.prod(size)
    y = d.operand({group: size})
    at_most_one = [b.compare("==", whole, 1), b.compare("<=", whole, 1), b.compare("==", whole, 0)]
    laws: list[Callable[[], Sides]] = [
        lambda: (reverse(x, [group]), x),
        lambda: (pointwise("select", d.a_tensor(x.sizes, PRED), reverse(y, [group]), y), y),
        lambda: (dynamic_slice(x, {group: (k, size)}), reverse(x, [group])),
    ]
    left, right = d.rng.choice(laws)()
    d.require(d.rng.choice(at_most_one))
    return left, right


SHAPES: tuple[Callable[[Draft], Sides], ...] = (
    concatenations,
    unit_groups,
    one_row,
    products,
    one_of_a_product,
    products_of_groups,
)
COUNTING: tuple[Callable[[Draft], Sides], ...] = (counting,)
