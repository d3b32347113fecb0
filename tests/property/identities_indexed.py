"""Tensors whose contents an assumption gives by their index, and expressions that count the same way.

Owns such rules: the assumption, the same contents made of an iota, and what is done to both. Now and then the two
differ by one, or are counted the other way, so that the rule is false.
"""

from __future__ import annotations

from collections.abc import Callable

import builders as b
from builders import Ix, T
from drafts import Draft, Shaped, concatenate, fill, iota, pad, pointwise, reduce, reverse, slice_, transpose
from identities_moving import Sides

from rewright.model.index import Name
from rewright.model.tensor import Tensor


def contents_by_index(d: Draft) -> Sides:
    """A tensor of which its contents are assumed, and the same contents counted, both used in the same way."""
    axis = d.an_axis()
    sizes: dict[Name, Ix] = {axis: d.a_map(axis)}
    if d.rng.random() < 0.4:
        group = d.an_axis() if d.rng.random() < 0.4 else d.a_group()
        sizes[group] = d.a_map(group)
    x, counted = d.a_tensor(sizes), iota(axis, sizes, T)
    index = d.bound(axis)
    k = d.an_integer()
    forms: list[tuple[Ix, Shaped]] = [
        (index, counted),
        (index + 1, _plus(counted, b.constant("1", T))),
        (index + k, _plus(counted, b.element_of(k, T))),
        (sizes[axis] - 1 - index, reverse(counted, [axis])),
        (index * 2, pointwise("multiply", counted, _like(counted, b.constant("2", T)))),
        (b.least(index, k), pointwise("minimum", counted, _like(counted, b.element_of(k, T)))),
    ]
    said, made = d.rng.choice(forms)
    if d.rng.random() < 0.25:
        said = d.rng.choice([said + 1, said - 1, *(form for form, _ in forms)])
    d.assume(list(sizes), b.compare_elements("==", x.tensor, b.element_of(b.prod(said), T)))
    use = d.rng.choice(_uses(d, axis, sizes))
    return use(x), use(made)


def _uses(d: Draft, axis: Name, sizes: dict[Name, Ix]) -> list[Callable[[Shaped], Shaped]]:
    start, limit, value = d.an_attribute(axis), d.an_attribute(axis), d.a_scalar()
    other, third = d.a_tensor({**sizes, axis: d.a_map(axis)}), d.an_axis(axis)
    factor = d.a_tensor(sizes)
    return [
        lambda x: x,
        lambda x: reverse(x, [axis]),
        lambda x: slice_(x, {axis: (start, limit)}),
        lambda x: pad(x, value, {axis: (start, limit, 0)}),
        lambda x: concatenate(axis, x, other),
        lambda x: transpose(concatenate(axis, other, x), {axis: third}),
        lambda x: reduce("add", x, [axis]),
        lambda x: reduce("add", slice_(x, {axis: (start, limit)}), [axis]),
        lambda x: reduce("add", pointwise("multiply", x, factor), list(sizes)),
        lambda x: reduce("maximum", x, [axis]),
    ]


def _plus(x: Shaped, value: Tensor) -> Shaped:
    return pointwise("add", x, _like(x, value))


def _like(x: Shaped, value: Tensor) -> Shaped:
    return fill(value, x.sizes)
