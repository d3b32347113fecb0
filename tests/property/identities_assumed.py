"""Reductions of tensors of which an assumption says that they are the same, or in order, as far as both reach.

Owns such rules: two tensors of the same size or not, the same at once or by a third one, perhaps shorter, or the first
at most the second, so that the greater of both is the second; values made
of them that read inside both, beyond the shorter one, or fillers; and what is reduced of these under functions. On the
right the other tensor stands, now and then another filler, another reducer, or a tensor of which nothing is assumed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import builders as b
from builders import PRED, Ix, T
from drafts import Draft, Shaped, fill, pad, pointwise, reduce, reverse, slice_, update
from identities_moving import Sides

from rewright.model.index import Name

FILLERS = ("0", "0", "1", "-1")
REDUCERS = ("add", "add", "add", "multiply", "maximum", "minimum")
WHOLE = {"add": "0", "multiply": "1"}
"""What stands for elements that a monoid leaves out."""

Form = Callable[[Shaped, str], Shaped]
"""A value made of another one, with a filler."""


@dataclass(frozen=True)
class Pair:
    """Two tensors that are the same, or `ordered`, up to `shorter` along the group, where the first of them ends."""

    draft: Draft
    group: Name
    first: Shaped
    second: Shaped
    shorter: Ix
    ordered: bool = False


def the_same_as_assumed(d: Draft) -> Sides:
    """One or two reductions of values of a tensor; on the right those of another one that agrees with it."""
    pair = _pair(d)
    reducer, wrapped = d.rng.choice(REDUCERS), _function(d)
    groups = pair.first.groups if d.rng.random() < 0.7 else [pair.group]
    terms: list[Sides] = []
    for _ in range(d.rng.choice([1, 1, 2])):
        left, right = _values(pair, WHOLE.get(reducer, "0"))
        left = pointwise("maximum", left, right) if pair.ordered else left
        again = d.rng.choice(REDUCERS) if d.rng.random() < 0.06 else reducer
        terms.append((reduce(reducer, wrapped(left), groups), reduce(again, wrapped(right), groups)))
    lefts, rights = zip(*terms, strict=True)
    left, right = (functools.reduce(functools.partial(pointwise, "add"), side) for side in (lefts, rights))
    return (left, right) if d.rng.random() < 0.8 else (right, left)


def _pair(d: Draft) -> Pair:
    group = d.an_axis() if d.rng.random() < 0.5 else d.a_group()
    sizes = {group: d.a_map(group)}
    if d.rng.random() < 0.3:
        second = d.an_axis() if d.rng.random() < 0.5 else d.a_group()
        sizes[second] = d.a_map(second)
    other = sizes[group] if d.rng.random() < 0.35 else d.a_map(group)
    operator = d.rng.choice(["<=", ">=", ""])
    if operator:
        d.require(b.compare(operator, sizes[group], other))
    first, last = d.a_tensor(sizes), d.a_tensor({**sizes, group: other})
    if d.rng.random() < 0.3:
        d.assume(list(sizes), b.compare_elements("<=", first.tensor, last.tensor))
        return Pair(d, group, first, last, sizes[group] if operator == "<=" else other, ordered=True)
    between = first
    if d.rng.random() < 0.2:
        between = d.a_tensor({**sizes, group: d.rng.choice([sizes[group], other, d.a_map(group)])})
        d.assume(list(sizes), b.compare_elements("==", first.tensor, between.tensor))
    d.assume(list(sizes), b.compare_elements("==", between.tensor, last.tensor))
    return Pair(d, group, first, last, sizes[group] if operator == "<=" else other)


def _values(pair: Pair, whole: str) -> Sides:
    """A value of the first tensor, and one of the other, mostly as far as both reach."""
    d, group = pair.draft, pair.group
    first, second = pair.first, pair.second
    if d.rng.random() < 0.08:
        second = d.a_tensor(second.sizes)
    if first.sizes[group].node != second.sizes[group].node:
        cut, draw = {group: (0, pair.shorter)}, d.rng.random()
        if draw < 0.75:
            second = slice_(second, cut)
            missing = {group: (0, first.sizes[group] - pair.shorter)}
            beyond = b.constant(d.rng.choice([whole, whole, *FILLERS]), T)
            first, second = (slice_(first, cut), second) if draw < 0.4 else (first, pad(second, beyond, missing))
    form, filler = d.rng.choice(_forms(group)), d.rng.choice(FILLERS)
    return form(first, filler), form(second, filler if d.rng.random() < 0.85 else d.rng.choice(FILLERS))


def _forms(group: Name) -> list[Form]:
    """The value itself, turned, with fillers around, between and on its elements, and windows over its end."""
    as_it_is: Form = lambda x, _: x  # noqa: E731
    return [
        as_it_is,
        as_it_is,
        lambda x, _: reverse(x, [group]),
        lambda x, filler: pad(x, b.constant(filler, T), {group: (1, 1, 0)}),
        lambda x, filler: pad(x, b.constant(filler, T), {group: (0, 1, 1)}),
        lambda x, filler: update(x, fill(b.constant(filler, T), dict.fromkeys(x.sizes, b.ix(1))), {group: 0}),
        lambda x, _: Shaped(b.reduce_window("add", x.tensor, {group: b.window(2, 1, 0, 1)}), x.sizes),
        lambda x, _: Shaped(
            b.reduce_window("maximum", x.tensor, {group: b.window(2, 2, 0, 1, 2)}, b.constant("0", T)), x.sizes
        ),
    ]


def _function(d: Draft) -> Callable[[Shaped], Shaped]:
    """What is done to each element before it is reduced."""
    called, bound = d.a_function([T], T), d.a_scalar()
    compared = d.a_function([PRED], T)
    choices: list[Callable[[Shaped], Shaped]] = [
        lambda x: x,
        called,
        functools.partial(pointwise, "abs"),
        functools.partial(pointwise, "negate"),
        lambda x: compared(pointwise("lt", x, fill(bound, x.sizes))),
        lambda x: pointwise("multiply", x, fill(bound, x.sizes)),
    ]
    if d.constraint == "real":
        choices.append(functools.partial(pointwise, "exponential"))
    return d.rng.choice(choices)
