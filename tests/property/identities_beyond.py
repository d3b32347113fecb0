"""Values that are the same inside a tensor and differ beyond it, and what is reduced of them.

Owns such values, each of a filler in one of several forms (pads, windows that meet an element and else their identity,
concatenations), and rules in which three or more of them stand under functions and reducers. On the right one value has
another form: of the same filler, then the rule is true, or of another one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import builders as b
from builders import PRED, Ix, T
from drafts import Draft, Shaped, broadcast, concatenate, fill, pad, pointwise, reduce, reverse
from identities_moving import Sides

from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.model.rule import Extent

WINDOWS = {"0": "add", "1": "multiply", "true": "and", "false": "or", "lowest": "maximum", "highest": "minimum"}
"""The monoid of which a filler is the identity."""

FILLERS = {"numbers": ("0", "0", "0", "1", "1", "1", "-1"), "truths": ("true", "false")}
INFINITE = ("lowest", "highest", "0", "1")


@dataclass(frozen=True)
class Kind:
    """What a rule's values are: their type, their fillers, and by which reducers they are reduced."""

    type: mt.ElementType
    fillers: tuple[str, ...]
    reducers: tuple[str, ...]
    join: str


SUMS = Kind(T, FILLERS["numbers"], ("add", "add", "add", "add", "multiply"), "add")
EXTREMA = Kind(T, FILLERS["numbers"], ("maximum", "maximum", "minimum"), "maximum")
INFINITIES = Kind(T, INFINITE, ("maximum", "maximum", "minimum"), "maximum")
OF_TRUTHS = Kind(PRED, FILLERS["truths"], ("add", "maximum"), "add")
KINDS = (SUMS, SUMS, SUMS, EXTREMA, EXTREMA, INFINITIES, INFINITIES, OF_TRUTHS)

Wrapped = Callable[[Shaped], Shaped]


@dataclass(frozen=True)
class Place:
    """A group, its size, and how many elements stand beyond it."""

    draft: Draft
    group: Name
    size: Ix
    beyond: int

    @property
    def whole(self) -> dict[Name, Ix]:
        return {self.group: self.size + self.beyond}


def values_beyond(d: Draft) -> Sides:
    """The reductions of two or three values, combined; on the right one value is exchanged for a third or a fourth."""
    kind = d.rng.choice(KINDS)
    group = d.an_axis() if d.rng.random() < 0.5 else d.a_group()
    place = Place(d, group, d.a_map(group), d.rng.choice([1, 1, 2]))
    tensors = [d.a_tensor({group: place.size}, kind.type) for _ in range(d.rng.choice([1, 1, 1, 2]))]
    wrapped, reducers = _function(place, kind), [d.rng.choice(kind.reducers)] * 3
    if d.rng.random() < 0.25:
        reducers[d.rng.randrange(3)] = d.rng.choice(kind.reducers)
    if d.rng.random() < 0.15 and kind.type is T:
        d.assume([group], b.compare_elements("<=", tensors[0].tensor, tensors[-1].tensor))
    fillers = [d.rng.choice(kind.fillers) for _ in range(d.rng.choice([2, 2, 3]))]
    values = [_value(place, filler, d.rng.choice(tensors)) for filler in fillers]
    if d.rng.random() < 0.75:
        values[0] = tensors[0]
    at = d.rng.randrange(1, len(values)) if d.rng.random() < 0.8 else 0
    filler = fillers[at] if d.rng.random() < 0.3 else d.rng.choice(kind.fillers)
    others = [*values[:at], _value(place, filler, tensors[0]), *values[at + 1 :]]
    weights = [d.a_scalar() if kind.join == "add" and d.rng.random() < 0.2 else None for _ in values]
    left, right = (
        [
            _term(place, reducer, wrapped(value), weight)
            for value, reducer, weight in zip(side, reducers, weights, strict=False)
        ]
        for side in (values, others)
    )
    combined = functools.partial(functools.reduce, functools.partial(pointwise, kind.join))
    return combined(left), combined(right)


def _term(place: Place, reducer: str, value: Shaped, weight: mt.Tensor | None) -> Shaped:
    reduced = reduce(reducer, value, [place.group])
    return reduced if weight is None else pointwise("multiply", weight, reduced)


def _value(place: Place, filler: str, tensor: Shaped) -> Shaped:
    """The tensor, and the filler beyond it."""
    d, group = place.draft, place.group
    constant = b.constant(filler, tensor.tensor.type)
    forms = [lambda: pad(tensor, constant, {group: (0, place.beyond, 0)})]
    if filler in WINDOWS:
        forms += [lambda: _windowed(place, WINDOWS[filler], tensor)] * 4
    if d.groups[group].extent is Extent.SINGLE:
        forms.append(lambda: concatenate(group, tensor, fill(constant, {group: place.beyond})))
    value = d.rng.choice(forms)()
    return reverse(value, [group]) if d.rng.random() < 0.05 else value


def _windowed(place: Place, monoid: str, tensor: Shaped) -> Shaped:
    """Windows of two places on the spread tensor: each meets one element, those beyond it none."""
    window = b.window(2, 2, 0, 2 * place.beyond + 1, 2)
    return Shaped(b.reduce_window(monoid, tensor.tensor, {place.group: window}), place.whole)


def _function(place: Place, kind: Kind) -> Wrapped:
    """What is done to each element before it is reduced."""
    d = place.draft
    negated: Wrapped = functools.partial(pointwise, "negate")
    if kind is INFINITIES:
        return d.rng.choice([negated, negated, _as_it_is])
    called = d.a_function([kind.type], T)
    if kind.type is PRED:
        first, second = d.a_scalar(), b.constant("1", T)
        chosen: Wrapped = lambda x: pointwise("select", x, fill(first, x.sizes), fill(second, x.sizes))  # noqa: E731
        return d.rng.choice([called, called, chosen])
    absolute: Wrapped = functools.partial(pointwise, "abs")
    compared = d.a_function([PRED], T)
    bound = d.a_scalar()
    below: Wrapped = lambda x: compared(pointwise("lt", x, fill(bound, x.sizes)))  # noqa: E731
    scaled: Wrapped = lambda x: called(pointwise("multiply", x, _sum_of(place, x)))  # noqa: E731
    choices = [absolute] * 3 + [called] * 4 + [negated, below, scaled]
    if d.constraint == "real":
        choices += [functools.partial(pointwise, "exponential")] * 2
    return d.rng.choice(choices)


def _sum_of(place: Place, x: Shaped) -> Shaped:
    """The sum of a value, everywhere."""
    return broadcast(reduce("add", x, [place.group]), x.sizes)


def _as_it_is(x: Shaped) -> Shaped:
    return x
