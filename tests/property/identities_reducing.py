"""True identities of reductions: over parts, over nothing, over what is padded, repeated or updated.

Each function draws one identity: two expressions that are equal at every rank and size under the preconditions that it
adds to the draft. Most hold for several reducers; which elements an identity needs follows from the reducer.
"""

from __future__ import annotations

from collections.abc import Callable

import builders as b
from builders import PRED, T
from drafts import (
    Draft,
    Shaped,
    broadcast,
    concatenate,
    dynamic_slice,
    fill,
    pad,
    pointwise,
    reduce,
    reshape,
    reverse,
    slice_,
    transpose,
    update,
)
from identities_moving import Sides

from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.model.operator_table import ROWS
from rewright.model.types import Need

IDENTITIES = {"add": "0", "multiply": "1", "maximum": "lowest", "minimum": "highest", "and": "true", "or": "false"}
IDEMPOTENT = ("maximum", "minimum", "and", "or")


def a_monoid(d: Draft, *among: str) -> tuple[str, mt.ElementType]:
    """A reducer and the type of what it reduces; sums come most often."""
    weighted = ("add", "add", "add", "maximum", "minimum", "multiply", "and", "or")
    monoid = d.rng.choice(among or weighted)
    return monoid, PRED if ROWS[monoid].need is Need.LOGIC else T


def neutral(monoid: str) -> mt.Tensor:
    return b.constant(IDENTITIES[monoid], PRED if ROWS[monoid].need is Need.LOGIC else T)


def an_init(d: Draft, monoid: str, type_: mt.ElementType) -> mt.Tensor | None:
    """No initial value, the identity, or any."""
    return d.rng.choice([None, None, neutral(monoid), d.a_scalar(type_)])


def reduced_first(d: Draft) -> tuple[dict[Name, b.Ix], Name]:
    """Sizes of one or two groups, and the one that is to be reduced."""
    sizes = d.a_layout()
    return sizes, d.rng.choice(list(sizes))


def parts_side_by_side(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    axis, group = d.an_axis(), d.a_group()
    size = d.a_map(group)
    x, y = (d.operand({group: size, axis: d.a_map(axis)}, type_) for _ in range(2))
    groups = d.rng.choice([[axis], [axis, group]])
    init = an_init(d, monoid, type_)
    left = reduce(monoid, concatenate(axis, x, y), groups, init)
    return left, pointwise(monoid, reduce(monoid, x, groups), reduce(monoid, y, groups, init))


def cut_in_two(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    axis, group = d.an_axis(), d.a_group()
    size, at = d.a_map(axis), d.a_map(axis)
    x = d.operand({group: d.a_map(group), axis: size}, type_)
    d.require(b.compare("<=", 0, at), b.compare("<=", at, size))
    parts = slice_(x, {axis: (0, at)}), slice_(x, {axis: (at, size)})
    return reduce(monoid, x, [axis]), pointwise(monoid, *(reduce(monoid, part, [axis]) for part in parts))


def even_and_odd(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d, "add", "maximum", "multiply", "or")
    axis = d.an_axis()
    size = d.a_map(axis)
    x = d.operand({axis: size}, type_)
    d.require(b.compare(">=", size, 1))
    parts = slice_(x, {axis: (0, size, 2)}), slice_(x, {axis: (1, size, 2)})
    return pointwise(monoid, *(reduce(monoid, part, [axis]) for part in parts)), reduce(monoid, x, [axis])


def cut_with_overlap(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d, *IDEMPOTENT)
    axis = d.an_axis()
    size, low, high = d.a_map(axis), d.a_map(axis), d.a_map(axis)
    x = d.operand({axis: size}, type_)
    d.require(b.compare("<=", 0, low), b.compare("<=", low, high), b.compare("<=", high, size))
    parts = slice_(x, {axis: (0, high)}), slice_(x, {axis: (low, size)})
    return pointwise(monoid, *(reduce(monoid, part, [axis]) for part in parts)), reduce(monoid, x, [axis])


def padded_with_the_identity(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    sizes, group = reduced_first(d)
    x = d.operand(sizes, type_)
    low, high = d.a_map(group), d.pick(0, 1, d.a_map(group))
    interior = d.pick(0, 0, 1, d.a_map(group))
    d.require(b.compare(">=", low, 0), b.compare(">=", high, 0))
    init = an_init(d, monoid, type_)
    left = reduce(monoid, pad(x, neutral(monoid), {group: (low, high, interior)}), [group], init)
    return left, reduce(monoid, x, [group], init)


def padded_with_a_value(d: Draft) -> Sides:
    axis = d.an_axis()
    low, high, value = d.an_integer(), d.an_integer(), d.a_scalar()
    x = d.operand({axis: d.a_map(axis)})
    d.require(b.compare(">=", low, 0), b.compare(">=", high, 0))
    left = reduce("add", pad(x, value, {axis: (low, high, 0)}), [axis])
    more = b.pointwise("multiply", b.element_of(low + high, T), value)
    return left, pointwise("add", reduce("add", x, [axis]), more)


def repeated(d: Draft) -> Sides:
    """The number of repetitions, times what is repeated; or once, if repetitions do not count."""
    sizes = d.a_layout()
    monoid, type_ = a_monoid(d, "add", "add", *IDEMPOTENT)
    x = d.operand(sizes, type_)
    if monoid == "add":
        axis, count = d.an_axis(), d.an_integer()
        d.require(b.compare(">=", count, 0))
        wide = reduce(monoid, broadcast(x, {axis: count}), [axis])
        return wide, pointwise("multiply", b.element_of(count, T), x)
    new = d.a_group()
    count = d.a_map(new)
    d.require(b.compare(">=", count, 1))
    init = an_init(d, monoid, type_)
    wide = reduce(monoid, broadcast(x, {new: count}), [new], init)
    return wide, x if init is None else pointwise(monoid, x, init)


def in_another_order(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    sizes, group = reduced_first(d)
    x = d.operand(sizes, type_)
    init = an_init(d, monoid, type_)
    other = d.rng.choice(x.groups)
    left = reduce(monoid, reverse(x, list({group: 0, other: 0})), [group], init)
    right = reduce(monoid, x, [group], init)
    return left, right if other == group else reverse(right, [other])


def renamed(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    first = d.a_group()
    second = d.group(d.fresh("A"), first)
    x = d.operand({first: d.a_map(first), second: d.a_map(first)}, type_)
    swap = {first: second, second: first}
    if d.rng.random() < 0.5:
        return reduce(monoid, transpose(x, swap), [first, second]), reduce(monoid, x, [first, second])
    return reduce(monoid, transpose(x, swap), [second]), transpose(reduce(monoid, x, [first]), {second: first})


def one_after_the_other(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    first, second, third = d.a_group(), d.a_group(), d.a_group()
    sizes = {first: d.a_map(first), second: d.a_size(second)}
    if d.rng.random() < 0.4:
        sizes[third] = d.a_map(third)
    x = d.operand(sizes, type_)
    init = an_init(d, monoid, type_)
    return reduce(monoid, reduce(monoid, x, [first]), [second], init), reduce(monoid, x, [first, second], init)


def in_exchanged_order(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    first, second = d.a_group(), d.a_group()
    x = d.operand({first: d.a_map(first), second: d.a_map(second)}, type_)
    return (
        reduce(monoid, reduce(monoid, x, [first]), [second]),
        reduce(monoid, reduce(monoid, x, [second]), [first]),
    )


def initial_value_outside(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    sizes, group = reduced_first(d)
    x, init = d.operand(sizes, type_), d.a_scalar(type_)
    outside = pointwise(monoid, reduce(monoid, x, [group]), init)
    return reduce(monoid, x, [group], init), outside


def linear(d: Draft) -> Sides:
    sizes, group = reduced_first(d)
    x, y, c = d.operand(sizes), d.operand(sizes), d.a_scalar()

    def total(z: Shaped) -> Shaped:
        return reduce("add", z, [group])

    case = d.rng.randrange(5)
    if case == 0:
        return total(pointwise("multiply", c, x)), pointwise("multiply", c, total(x))
    if case == 1:
        return total(pointwise("add", x, y)), pointwise("add", total(y), total(x))
    if case == 2:
        return total(pointwise("negate", x)), pointwise("negate", total(x))
    if case == 3:
        combined = pointwise("subtract", pointwise("multiply", c, x), pointwise("add", y, x))
        apart = pointwise("subtract", pointwise("multiply", c, total(x)), total(pointwise("add", x, y)))
        return total(combined), apart
    twice = pointwise("add", x, pointwise("subtract", x, y))
    return total(twice), pointwise("subtract", pointwise("multiply", b.constant("2", T), total(x)), total(y))


def signs_turned(d: Draft) -> Sides:
    sizes, group = reduced_first(d)
    x = d.operand(sizes)
    one, other = d.rng.choice([("maximum", "minimum"), ("minimum", "maximum")])
    left = reduce(one, pointwise("negate", x), [group])
    return left, pointwise("negate", reduce(other, x, [group]))


def product_of_sums(d: Draft) -> Sides:
    first, second = d.a_group(), d.a_group()
    n, m = d.a_size(first), d.a_map(second)
    x, y = d.operand({first: n}), d.operand({second: m})
    both = pointwise("multiply", broadcast(x, {second: m}), broadcast(y, {first: n}))
    apart = pointwise("multiply", reduce("add", x, [first]), reduce("add", y, [second]))
    return apart, reduce("add", both, [first, second])


def factor_outside(d: Draft) -> Sides:
    first, second = d.a_group(), d.a_group()
    n, m = d.a_map(first), d.a_map(second)
    x, y = d.operand({first: n, second: m}), d.operand({second: m})
    left = reduce("add", pointwise("multiply", x, broadcast(y, {first: n})), [first])
    return left, pointwise("multiply", y, reduce("add", x, [first]))


def square_of_sum(d: Draft) -> Sides:
    group = d.a_group()
    other = d.group(d.fresh("A"), group)
    n = d.a_map(group)
    x = d.a_tensor({group: n})
    column = transpose(x, {group: other})
    pairs = pointwise("multiply", broadcast(x, {other: n}), broadcast(column, {group: n}))
    total = reduce("add", x, [group])
    return pointwise("multiply", total, total), reduce("add", pairs, [group, other])


def sum_after_update(d: Draft) -> Sides:
    group = d.a_group()
    size, length, start = d.a_map(group), d.a_map(group), d.an_attribute(group)
    x, block = d.operand({group: size}), d.operand({group: length})
    left = reduce("add", update(x, block, {group: start}), [group])
    overwritten = reduce("add", dynamic_slice(x, {group: (start, length)}), [group])
    rest = pointwise("subtract", reduce("add", x, [group]), overwritten)
    return left, pointwise("add", rest, reduce("add", block, [group]))


def chosen_terms(d: Draft) -> Sides:
    sizes, group = reduced_first(d)
    x, y, p = d.operand(sizes), d.operand(sizes), d.a_tensor(sizes, PRED)
    zero = fill(b.constant("0", T), sizes)
    left = reduce("add", pointwise("select", p, x, y), [group])
    parts = pointwise("select", p, x, zero), pointwise("select", p, zero, y)
    return left, pointwise("add", *(reduce("add", part, [group]) for part in parts))


def single_elements(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    unit, other = d.a_group(), d.a_group()
    size = d.a_map(unit)
    d.require(b.compare("==", size, 1))
    x = d.operand({unit: size, other: d.a_map(other)}, type_)
    init = an_init(d, monoid, type_)
    right = reshape(x, [unit], [])
    return reduce(monoid, x, [unit], init), right if init is None else pointwise(monoid, init, right)


def no_elements(d: Draft) -> Sides:
    monoid, type_ = a_monoid(d)
    axis, group, other = d.an_axis(), d.a_group(), d.a_group()
    size, kept = d.a_map(axis), d.a_map(group)
    d.require(b.compare("==", size, 0))
    init = d.a_scalar(type_)
    x = d.operand({group: kept, axis: size, other: d.a_map(other)}, type_)
    return reduce(monoid, x, [axis, other], init), fill(init, {group: kept})


def of_a_function(d: Draft) -> Sides:
    monoid = d.rng.choice(["add", "maximum", "multiply"])
    group, axis = d.a_group(), d.an_axis()
    g = d.a_function([T], T)
    x = d.operand({group: d.a_map(group), axis: d.a_map(axis)})
    start, limit = d.an_attribute(group), d.a_map(group)
    cut = {group: (start, limit, d.pick(1, 1, 2))}
    left = reduce(monoid, g(slice_(x, cut)), [group])
    return left, reduce(monoid, slice_(g(reverse(reverse(x, [axis]), [axis])), cut), [group])


def sum_of_indices(d: Draft) -> Sides:
    axis, n, value = d.an_axis(), d.an_integer(), d.a_scalar()
    d.require(b.compare(">=", n, 0))
    line = pointwise("multiply", Shaped(b.iota(axis, {axis: n}, T), {axis: n}), value)
    twice = pointwise("multiply", b.constant("2", T), reduce("add", line, [axis]))
    pairs = b.pointwise("multiply", b.element_of(n, T), b.element_of(n - 1, T))
    return twice, Shaped(b.pointwise("multiply", pairs, value), {})


REDUCING: tuple[Callable[[Draft], Sides], ...] = (
    parts_side_by_side,
    cut_in_two,
    even_and_odd,
    cut_with_overlap,
    padded_with_the_identity,
    padded_with_a_value,
    repeated,
    in_another_order,
    renamed,
    one_after_the_other,
    in_exchanged_order,
    initial_value_outside,
    linear,
    signs_turned,
    product_of_sums,
    factor_outside,
    square_of_sum,
    sum_after_update,
    chosen_terms,
    single_elements,
    no_elements,
    of_a_function,
    sum_of_indices,
)
