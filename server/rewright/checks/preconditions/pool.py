"""Small inputs of a rule, each replayed: those on which the rule holds, and those on which it fails.

Owns what a precondition is measured by. Axes are drawn one by one, some at random, some with maps set to simple
expressions of others, so that coincidences occur on which a rule may depend; then they are put together: each class
alone, all of them, and two axes of one. The same for every call. Must not know what a precondition looks like.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rewright.model.index import Index, IndexOperation, IntegerReference, MapReference, Name, Number
from rewright.model.rule import Rule, RuleQuestion
from rewright.model.tensor import Broadcast, Convolution, Dot, DynamicRange, Iota, Reduce, ReduceWindow
from rewright.model.walk import nodes
from rewright.replay.arrays import Array
from rewright.replay.elements import domain_of
from rewright.replay.inputs import Excluded, Inputs, allows
from rewright.replay.outcomes import Fails, Holds
from rewright.replay.rule import check_preconditions, claim
from rewright.replay.sampling import Axis, Contents, Effort, Source, at_axes, axes, bases, fill, source


@dataclass(frozen=True, slots=True)
class Plan:
    """How many axes are drawn at random; how often maps are set to expressions; how many inputs are put together."""

    effort: Effort
    pins: int
    rounds: int


FULL = Plan(Effort(tries=400, keep=60, largest=8), pins=60, rounds=80)
"""For a rule as it stands. Where sizes are very small, clamps and gaps coincide too often."""

MORE = Plan(Effort(tries=60, keep=12, largest=8), pins=5, rounds=15)
"""For inputs that have something in common."""

LIGHT = Effort(tries=60, keep=12, largest=4)
"""For inputs that are drawn to refute a candidate."""

PINNED = Effort(tries=16, keep=4, largest=8)
"""For axes on which maps are set to expressions."""

FEW = 8

NEAR = 24
"""Inputs that are tried near one that fails."""

SEVERAL = 8
"""Inputs that have to be known before those with more sizes of 0 or 1 count as unusual."""

EMPTY = 6

USUAL = 40
"""Inputs on which the rule holds that are kept if they all have sizes of 0 or 1."""

MOST = 140
"""Inputs kept of those on which the rule holds, and of those on which it fails."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Inputs on which a question holds, and inputs on which it fails.

    The first `solid` of the positive ones are at rank 1 or more and have a result that is not empty; the `typical` ones
    before all others have the fewest sizes of 0 or 1 that there are, in any value of either side.
    """

    positive: tuple[Inputs, ...]
    solid: int
    negative: tuple[Inputs, ...]
    thin: tuple[int, ...] = ()
    """For each solid one, the fewest first, how many sizes of its values are 0 or 1."""

    @property
    def typical(self) -> int:
        """How many positive ones come first of which little holds by coincidence."""
        least = self.thin[min(len(self.thin), SEVERAL) - 1] if self.thin else 0
        return sum(thin <= least for thin in self.thin)

    def with_failing(self, failing: Sequence[Inputs]) -> Pool:
        """The pool with more inputs on which the rule fails."""
        return replace(self, negative=(*self.negative, *failing))

    def joined(self, others: Sequence[Pool]) -> Pool:
        """The inputs of several pools."""
        pools = (self, *others)
        thin = {_key(each): k for pool in pools for each, k in zip(pool.positive[: pool.solid], pool.thin, strict=True)}
        solid = sorted(
            _distinct(each for pool in pools for each in pool.positive[: pool.solid]), key=lambda each: thin[_key(each)]
        )[: 3 * MOST // 2]
        rest = [each for pool in pools for each in pool.positive[pool.solid :]]
        negative = _distinct(each for pool in pools for each in pool.negative)
        sizes = tuple(thin[_key(each)] for each in solid)
        return Pool(
            (*solid, *_distinct(rest)[: MOST // 2]), len(solid), negative[: max(MOST, len(self.negative))], sizes
        )


@dataclass(slots=True)
class _Drawn:
    """Inputs by what the claim comes to; `empty` are those on which it holds with an empty result."""

    positive: dict[object, Inputs]
    empty: dict[object, Inputs]
    negative: dict[object, Inputs]
    thin: dict[object, int]


def pool_of(question: RuleQuestion, until: float, plan: Plan = FULL) -> Pool:
    """Small inputs of a question. Of those with an empty result only a few: there every precondition is as good.

    If the clock says `until` before all are drawn, there are fewer.
    """
    effort = replace(plan.effort, tries=plan.effort.tries // 4, largest=4) if sums(question.rule) else plan.effort
    from_ = _source(question, 0, effort)
    drawn = _Drawn({}, {}, {}, {})
    starts = _bases(from_, plan.pins, until)
    if starts:
        axes_of = {name: _axes(from_, starts, name, (plan.pins, until)) for name in from_.hints.free}
        _draw((from_, plan.rounds, until), starts, axes_of, drawn)
    solid = {key: each for key, each in drawn.positive.items() if all(each.ranks.values())}
    others = {key: each for key, each in drawn.positive.items() if key not in solid}
    usual = sum(not _degenerate(from_, each) for each in solid.values())
    first = _least(from_, solid, drawn.thin)[: min(MOST, max(4 * usual // 3, USUAL))]
    rest = (*_some(from_, others, MOST // 2), *_some(from_, drawn.empty, EMPTY))
    thin = tuple(drawn.thin[_key(each)] for each in first)
    return Pool((*first, *rest), len(first), _some(from_, drawn.negative, MOST), thin)


def _least(from_: Source, inputs: Mapping[object, Inputs], thin: Mapping[object, int]) -> tuple[Inputs, ...]:
    """The inputs, those with the fewest sizes of 0 or 1 first."""
    listed = list(inputs)
    from_.rng.shuffle(listed)
    return tuple(inputs[key] for key in sorted(listed, key=lambda key: thin[key]))


def _bases(from_: Source, pins: int, until: float) -> list[Inputs]:
    """Bases at random, then with maps of single axes set to expressions."""
    found = bases(from_, {})
    for name in from_.hints.singles if found else ():
        for pinned in _pinned(from_, name, pins, until):
            found += bases(pinned, {})
    return list({_key(each): each for each in found}.values())


def _source(question: RuleQuestion, seed: int, effort: Effort) -> Source:
    """A source that draws the sizes of operators' results like those of tensors."""
    from_ = source(question, random.Random(seed), effort)
    sizes = from_.hints.sizes | frozenset(_sizes(question.rule))
    return replace(from_, hints=replace(from_.hints, sizes=sizes))


def integers_of(question: RuleQuestion) -> list[Index]:
    """The `int`s, and the scalars that may stand for an index."""
    rule, domain = question.rule, dict(question.domain)
    scalars = [scalar.name for scalar in rule.scalars if domain_of(scalar.type, domain) == "int"]
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


def _distinct(inputs: Iterable[Inputs]) -> tuple[Inputs, ...]:
    return tuple({_key(each): each for each in inputs}.values())


def _some(from_: Source, inputs: Mapping[object, Inputs], most: int) -> tuple[Inputs, ...]:
    """So many of the inputs, those with sizes from 2 first: where one is 0 or 1, much holds by coincidence."""
    listed = list(inputs.values())
    from_.rng.shuffle(listed)
    return tuple(sorted(listed, key=lambda each: _degenerate(from_, each))[:most])


def _degenerate(from_: Source, inputs: Inputs) -> bool:
    sizes = (value for name in from_.hints.sizes for value in inputs.maps.get(name, ()))
    return any(size < 2 for size in sizes)


def failing_near(question: RuleQuestion, known: Sequence[Inputs], until: float) -> tuple[Inputs, ...]:
    """Inputs on which a claim fails near some that do so, with up to two integers one greater or less."""
    from_ = _source(question, 2, LIGHT)
    drawn = _Drawn({}, {}, {}, {})
    for _ in range(NEAR):
        if time.monotonic() > until or len(drawn.negative) == FEW:
            break
        _judge(from_, _moved(from_, from_.rng.choice(known)), drawn)
    return tuple(drawn.negative.values())


def _moved(from_: Source, inputs: Inputs) -> Inputs:
    maps = {name: list(values) for name, values in inputs.maps.items()}
    places = [(name, axis) for name, values in maps.items() for axis in range(len(values))]
    for name, axis in from_.rng.choices(places, k=2) if places else ():
        maps[name][axis] += from_.rng.choice((-1, 1))
    return replace(inputs, maps={name: tuple(values) for name, values in maps.items()}, tensors={})


def failing_inputs(question: RuleQuestion) -> tuple[Inputs, ...]:
    """A few small inputs on which a question's claim fails, if drawing some finds any."""
    from_ = _source(question, 1, LIGHT)
    drawn = _Drawn({}, {}, {}, {})
    starts = bases(from_, {})
    if starts:
        axes_of = {name: axes(from_, starts, name, {}) for name in from_.hints.free}
        ranks = {name: 1 for name, known in axes_of.items() if known}
        for _ in range(2 * LIGHT.keep):
            _judge(from_, _input(from_, starts, axes_of, ranks), drawn)
            if len(drawn.negative) == FEW:
                break
    return tuple(drawn.negative.values())


def _axes(from_: Source, starts: Sequence[Inputs], name: Name, limits: tuple[int, float]) -> list[Axis]:
    """Axes of a class at random, then with maps set to expressions."""
    found = axes(from_, starts, name, {})
    for pinned in _pinned(from_, name, *limits):
        found += axes(pinned, starts, name, {})
    from_.rng.shuffle(found)
    return list({tuple(sorted(axis.items())): axis for axis in found}.values())


def _pinned(from_: Source, name: Name, pins: int, until: float) -> Iterator[Source]:
    """Sources that set one to three maps of a class to expressions."""
    own = [declared.name for declared in from_.question.rule.maps if declared.rank_class == name]
    values = list(_expressions(from_.question, name, own))
    classes = len(from_.hints.free) + len(from_.hints.singles)
    for _ in range(max(2, pins // classes) if own else 0):
        if time.monotonic() > until:
            break
        chosen = from_.rng.sample(own, min(len(own), from_.rng.choice((1, 1, 2, 3))))
        values_of = tuple((map_, from_.rng.choice(values)) for map_ in chosen)
        yield replace(from_, effort=PINNED, hints=replace(from_.hints, pins=(*from_.hints.pins, *values_of)))


def _expressions(question: RuleQuestion, name: Name, own: Sequence[Name]) -> Iterator[Index]:
    atoms: list[Index] = [MapReference(map_, name, 0) for map_ in own]
    atoms += integers_of(question)
    yield from (Number(0, 0), Number(1, 0))
    yield from atoms
    for left, right in itertools.permutations(atoms, 2):
        yield IndexOperation("+", left, right, 0)
        yield IndexOperation("-", left, right, 0)


def _draw(
    by: tuple[Source, int, float], starts: Sequence[Inputs], axes_of: Mapping[Name, Sequence[Axis]], drawn: _Drawn
) -> None:
    """Judges inputs with one axis of one class, then of all, then with two of one class, mostly of those that do."""
    from_, rounds, until = by
    extents = {group.rank_class: group.extent for group in from_.question.rule.groups}
    least = {name: int(not allows(extents[name], 0)) for name in axes_of}
    useful: dict[Name, Sequence[Axis]] = {}
    for base in starts:
        if time.monotonic() > until:
            break
        _judge(from_, _input(from_, [base], axes_of, least), drawn)
    for name, known in axes_of.items():
        good: list[Axis] = []
        for axis in known:
            if time.monotonic() > until:
                break
            inputs = _input(from_, starts, {**axes_of, name: [axis]}, {**least, name: 1})
            if _judge(from_, inputs, drawn):
                good.append(axis)
        useful[name] = [*known, *good * (3 * len(known) // max(1, len(good)))]
    vectors = [dict.fromkeys(axes_of, 1), least, *({**least, name: 2} for name in axes_of)]
    for ranks in vectors:
        for _ in range(rounds if any(ranks.values()) else 1):
            if time.monotonic() > until:
                return
            _judge(from_, _input(from_, starts, useful, ranks), drawn)


def _input(
    from_: Source, starts: Sequence[Inputs], axes_of: Mapping[Name, Sequence[Axis]], ranks: Mapping[Name, int]
) -> Inputs:
    chosen = {
        name: [from_.rng.choice(axes_of[name]) for _ in range(rank)] for name, rank in ranks.items() if axes_of[name]
    }
    return at_axes(from_, from_.rng.choice(starts), chosen)


def _judge(from_: Source, inputs: Inputs, drawn: _Drawn) -> bool:
    """Replays an input with contents that are all different, and with random ones; whether the claim holds on it."""
    key = _key(inputs)
    if key in drawn.negative:
        return False
    empty, thin = False, 0

    def observe(side: str, site: int, value: Array) -> None:
        nonlocal thin
        thin += sum(size < 2 for size in value.data.shape)

    for contents in _contents(from_.question):
        try:
            full = fill(from_, inputs, contents)
            check_preconditions(from_.question.rule, full)
            thin = 0
            outcome = claim(from_.question, full, observe)
        except Excluded:
            return False
        match outcome:
            case Fails():
                drawn.negative[key] = full
                return False
            case Holds(empty=found):
                empty = found
            case _:
                return False
    (drawn.empty if empty else drawn.positive)[key] = full
    drawn.thin[key] = thin
    return True


def _contents(question: RuleQuestion) -> tuple[Contents, ...]:
    """Elements that are only moved show a difference best where all are different; others may show it elsewhere."""
    moved = {kind for _, kind in question.domain} == {"any"}
    return (Contents.DISTINCT,) if moved else (Contents.DISTINCT, Contents.RANDOM)


def _key(inputs: Inputs) -> object:
    return (
        tuple(inputs.ranks.items()),
        tuple(inputs.maps.items()),
        tuple(inputs.integers.items()),
        tuple((name, str(value)) for name, value in inputs.scalars.items()),
    )
