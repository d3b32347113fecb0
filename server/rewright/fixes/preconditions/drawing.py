"""Replaying inputs that were drawn: which of them satisfy the claim, which do not, and how special each is.

Owns what an input is judged by: contents that are all different, and random ones where elements are computed with. Must
not know how inputs come about.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.fixes.preconditions.scalars import indices_among_scalars
from rewright.fixes.preconditions.special import Special, Started
from rewright.fixes.preconditions.work import Work
from rewright.model.formula import ElementComparison
from rewright.model.index import Index, IntegerReference, MapReference, Name
from rewright.model.operator_table import MONOIDS
from rewright.model.rule import Rule, RuleQuestion
from rewright.model.tensor import (
    Apply,
    Broadcast,
    Combine,
    Convolution,
    Dot,
    DynamicRange,
    DynamicSlice,
    DynamicUpdateSlice,
    ElementOf,
    Iota,
    Pointwise,
    Reduce,
    ReduceWindow,
)
from rewright.model.types import Need
from rewright.model.walk import nodes
from rewright.replay.arrays import Array, from_flat, positions
from rewright.replay.elements import TooLarge, domain_of
from rewright.replay.inputs import Excluded, Inputs
from rewright.replay.outcomes import Fails, Holds
from rewright.replay.rule import check_preconditions, claim
from rewright.replay.sampling import Axis, Contents, Effort, FixedValues, InputSource, at_axes, fill, source_of
from rewright.verdict import Failure

UNLIKE = "-"
"""What the contents of a tensor do not begin with."""


class Traits(Struct, frozen=True):
    """What of a rule matters to judging its inputs.

    `starts`: the operators whose start may be clamped, by side; `extrema`: a greatest or least element is looked for;
    `computes`: elements are not only moved and added up.
    """

    starts: tuple[tuple[str, Started], ...]
    extrema: bool
    computes: bool

    @staticmethod
    def of(rule: Rule) -> Traits:
        """The traits of a rule."""
        parts = [("left", node) for node in nodes(rule.left)] + [("right", node) for node in nodes(rule.right)]
        folds = [node.monoid for _, node in parts if isinstance(node, Reduce | ReduceWindow)]
        extrema = any(row.need is Need.ORDER for row in MONOIDS if row.name in folds)
        linear = all(monoid == "add" for monoid in folds)
        pointwise = any(isinstance(node, Pointwise | Apply | Combine | ElementOf | Iota) for _, node in parts)
        starts = tuple((side, node) for side, node in parts if isinstance(node, DynamicSlice | DynamicUpdateSlice))
        return Traits(starts, extrema, pointwise or not linear)


class Drawn(Struct):
    """Inputs of a rule by what the claim comes to; `empty` are those on which it holds with an empty result.

    `special`: for each on which the claim holds, how much of it is a special case.
    """

    traits: Traits
    positive: dict[object, Inputs] = field(default_factory=dict)
    empty: dict[object, Inputs] = field(default_factory=dict)
    negative: dict[object, Inputs] = field(default_factory=dict)
    special: dict[object, int] = field(default_factory=dict)


def drawing(question: RuleQuestion, seed: int, effort: Effort, work: Work) -> InputSource:
    """A source that draws the sizes of operators' results like those of tensors, and scalars unlike all contents.

    Every replay counts as work.
    """
    source = source_of(question, random.Random(seed), effort, FixedValues({}, _unlike(question), {}))
    sizes = source.hints.sizes | frozenset(_sizes(question.rule))
    return replace(source, hints=replace(source.hints, sizes=sizes), heard=work.heard)


def _unlike(question: RuleQuestion) -> dict[Name, str]:
    """Values of scalars that are only moved, unlike any element: a padding must not look like data."""
    rule, domain = question.rule, dict(question.domain)
    if any(isinstance(node, ElementComparison) for node in nodes((rule.where, rule.assumptions))):
        return {}
    moved = [scalar.name for scalar in rule.scalars if domain_of(scalar.type, domain) == "any"]
    return {name: f"{UNLIKE}{place}" for place, name in enumerate(moved)}


def integers_of(question: RuleQuestion) -> list[Index]:
    """The `int`s, and the scalars that the rule uses as an index."""
    rule = question.rule
    used = indices_among_scalars(rule)
    scalars = [scalar.name for scalar in rule.scalars if scalar.name in used]
    return [IntegerReference(name, 0) for name in (*rule.integers, *scalars)]


def _sizes(rule: Rule) -> Iterator[Name]:
    """The maps that stand for the size of a broadcast, of an iota or of a dynamic slice."""
    for node in nodes((rule.left, rule.right)):
        sizes: tuple[Index, ...] = ()
        match node:
            case Broadcast(sizes=given) | Iota(sizes=given):
                sizes = tuple(size for _, size in given)
            case DynamicRange(length=length):
                sizes = (length,)
            case _:
                pass
        yield from (size.name for size in sizes if isinstance(size, MapReference))


def sums(rule: Rule) -> bool:
    """Whether a rule combines elements along an axis, which is dear to replay."""
    return any(isinstance(node, Reduce | Dot | Convolution | ReduceWindow) for node in nodes(rule))


def assembled(
    source: InputSource, starts: Sequence[Inputs], axes_of: Mapping[Name, Sequence[Axis]], ranks: Mapping[Name, int]
) -> Inputs:
    """One of the bases with so many of the axes of each class."""
    chosen = {
        name: [source.rng.choice(axes_of[name]) for _ in range(rank)] for name, rank in ranks.items() if axes_of[name]
    }
    return at_axes(source, source.rng.choice(starts), chosen)


def judge(source: InputSource, inputs: Inputs, drawn: Drawn) -> bool:
    """Replays an input with several contents; whether the claim holds on it."""
    key = identity(inputs)
    if key in drawn.negative:
        return False
    empty, special = False, Special(inputs, source.heard)
    try:
        for full in _filled(source, inputs, drawn.traits):
            check_preconditions(source.question.rule, full)
            match claim(source.question, full, special.observe):
                case Fails():
                    drawn.negative[key] = full
                    return False
                case Holds(empty=found):
                    empty = found
                case _:
                    return False
    except (Excluded, TooLarge):
        return False
    (drawn.empty if empty else drawn.positive)[key] = full
    drawn.special[key] = special.count(drawn.traits.starts)
    return True


def agreement(source: InputSource, inputs: Inputs) -> float:
    """The share of elements of both sides' results that are the same at the same index: 1 where the claim holds."""
    special = Special(inputs, source.heard)
    try:
        full = fill(source, inputs, Contents.DISTINCT)
        check_preconditions(source.question.rule, full)
        outcome = claim(source.question, full, special.observe)
    except (Excluded, TooLarge):
        return -1.0
    match outcome:
        case Holds():
            return 1.0
        case Fails(failure=Failure.SHAPE | Failure.VALUE):
            return special.agreement(source.question.rule)
        case _:
            return 0.0


def _filled(source: InputSource, inputs: Inputs, traits: Traits) -> Iterator[Inputs]:
    """Contents that are all different show best where elements are moved to; where they are computed with, more do.

    Of ascending contents the greatest is the last one, so that of a maximum much holds by coincidence.
    """
    distinct = fill(source, inputs, Contents.DISTINCT)
    yield distinct
    if traits.extrema and not source.question.rule.assumptions:
        yield replace(distinct, tensors={name: _turned(array) for name, array in distinct.tensors.items()})
    if traits.computes and {kind for _, kind in source.question.domain} != {"any"}:
        yield fill(source, inputs, Contents.RANDOM)


def _turned(array: Array) -> Array:
    """The same elements in the opposite order."""
    return Array(
        array.groups, from_flat(array.data.shape, reversed([array.data[at] for at in positions(array.data.shape)]))
    )


def identity(inputs: Inputs) -> object:
    """What tells an input from others, contents aside."""
    return (
        tuple(inputs.ranks.items()),
        tuple(inputs.maps.items()),
        tuple(inputs.integers.items()),
        tuple((name, str(value)) for name, value in inputs.scalars.items()),
    )
