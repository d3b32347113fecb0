"""Small inputs of a rule, drawn: axes one by one, then put together.

Owns how a rule's inputs are explored. Some axes are random, some have maps set to simple expressions of others, so that
coincidences occur on which a rule may depend, some are near others; then they are put together: each class alone, all
of them, and two axes of one. The same for every call. Must not know what a precondition looks like.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from rewright.fixes.preconditions.drawing import Drawn, Traits, assembled, drawing, identity, integers_of, judge, sums
from rewright.fixes.preconditions.extents import extents
from rewright.fixes.preconditions.pool import Pool, gathered
from rewright.fixes.preconditions.work import Limit
from rewright.model.index import Index, IndexOperation, MapReference, Name, Number
from rewright.model.rule import RuleQuestion
from rewright.replay.inputs import Inputs, allows
from rewright.replay.sampling import Axis, Effort, InputSource, axes, bases, neighbour


class Plan(Struct, frozen=True):
    """How many axes are drawn at random; how often maps are set to expressions; how many inputs are put together.

    `pairs`: the same with two axes of a class. `near`: for each map of a class, how many axes near others are tried.
    """

    effort: Effort
    pins: int
    rounds: int
    pairs: int
    near: int


FULL = Plan(Effort(tries=400, keep=60, largest=8), pins=60, rounds=60, pairs=60, near=20)
"""For a rule as it stands. Where sizes are very small, clamps and gaps coincide too often."""

SUMMING = Plan(Effort(tries=100, keep=60, largest=4), pins=60, rounds=25, pairs=10, near=60)
"""For a rule that combines elements along axes: with several axes that is dear to replay."""

MORE = Plan(Effort(tries=60, keep=12, largest=8), pins=5, rounds=15, pairs=15, near=5)
"""For inputs that have something in common."""

MORE_SUMMING = Plan(Effort(tries=15, keep=12, largest=4), pins=5, rounds=10, pairs=4, near=5)

PINNED = Effort(tries=16, keep=4, largest=8)
"""For axes on which maps are set to expressions."""

TOGETHER = 0.3
"""The share of the work that is kept for inputs with several axes."""

EACH = 12
"""Inputs with two axes of a class, for each map of it."""


def pool_of(question: RuleQuestion, limit: Limit) -> Pool:
    """Small inputs of a question; if the limit is reached before all are drawn, there are fewer."""
    return _explored_by(SUMMING if sums(question.rule) else FULL, question, limit)


def more_of(question: RuleQuestion, limit: Limit) -> Pool:
    """A few small inputs of a question."""
    return _explored_by(MORE_SUMMING if sums(question.rule) else MORE, question, limit)


def _explored_by(plan: Plan, question: RuleQuestion, limit: Limit) -> Pool:
    source = drawing(question, 0, plan.effort, limit.work)
    drawn = Drawn(Traits.of(question.rule))
    starts = _bases(source, plan.pins, limit)
    if starts:
        axes_of = {name: _axes(source, starts, name, (plan.pins, limit)) for name in source.hints.free}
        _draw((source, plan, limit), starts, axes_of, drawn)
    return gathered(source.rng, drawn)


def _bases(source: InputSource, pins: int, limit: Limit) -> list[Inputs]:
    """Bases at random, then with maps of single axes set to expressions."""
    found = bases(source, {})
    for name in source.hints.singles if found else ():
        for pinned in _pinned(source, name, pins, limit):
            found += bases(pinned, {})
    return list({identity(each): each for each in found}.values())


def _axes(source: InputSource, starts: Sequence[Inputs], name: Name, limits: tuple[int, Limit]) -> list[Axis]:
    """Axes of a class at random, then with maps set to expressions."""
    found = axes(source, starts, name, {})
    for pinned in _pinned(source, name, *limits):
        found += axes(pinned, starts, name, {})
    source.rng.shuffle(found)
    return list({tuple(sorted(axis.items())): axis for axis in found}.values())


def _pinned(source: InputSource, name: Name, pins: int, limit: Limit) -> Iterator[InputSource]:
    """Sources that set one to three maps of a class to expressions."""
    own = [declared.name for declared in source.question.rule.maps if declared.rank_class == name]
    values = list(_expressions(source.question, name, own))
    classes = len(source.hints.free) + len(source.hints.singles)
    for _ in range(max(2, pins // classes) if own else 0):
        if limit.over:
            break
        chosen = source.rng.sample(own, min(len(own), source.rng.choice((1, 1, 2, 3))))
        values_of = tuple((map_, source.rng.choice(values)) for map_ in chosen)
        yield replace(source, effort=PINNED, hints=replace(source.hints, pins=(*source.hints.pins, *values_of)))


def _expressions(question: RuleQuestion, name: Name, own: Sequence[Name]) -> Iterator[Index]:
    atoms: list[Index] = [MapReference(map_, name, 0) for map_ in own]
    atoms += (*integers_of(question), *extents(question.rule, name))
    yield from (Number(0, 0), Number(1, 0))
    yield from atoms
    yield from (IndexOperation("+", each, Number(1, 0), 0) for each in atoms)
    for left, right in itertools.permutations(atoms, 2):
        yield IndexOperation("+", left, right, 0)
        yield IndexOperation("-", left, right, 0)


def _draw(
    by: tuple[InputSource, Plan, Limit], starts: Sequence[Inputs], axes_of: Mapping[Name, Sequence[Axis]], drawn: Drawn
) -> None:
    """Judges inputs with one axis of one class, then of all, then with two of one class, mostly of those that do."""
    source, plan, limit = by
    extents_of = {group.rank_class: group.extent for group in source.question.rule.groups}
    least = {name: int(not allows(extents_of[name], 0)) for name in axes_of}
    for base in starts:
        if limit.over:
            break
        judge(source, assembled(source, [base], axes_of, least), drawn)
    useful: dict[Name, Sequence[Axis]] = {}
    plain: dict[Name, Sequence[Axis]] = {}
    alone = (source, plan, limit.share(1 - TOGETHER))
    for name in axes_of:
        known, good = _explored(alone, starts, (axes_of, least, name), drawn)
        if sums(source.question.rule):
            known, good = _smaller(known), _smaller(good)
        plain[name], useful[name] = known, [*known, *good * (3 * len(known) // max(1, len(good)))]
    for ranks, rounds in _vectors(source, plan, least):
        choices: Sequence[Mapping[Name, Sequence[Axis]]] = (useful, useful, plain)
        if sums(source.question.rule) and max(ranks.values(), default=0) > 1:
            choices = tuple({name: _smaller(known) for name, known in each.items()} for each in choices)
        for number in range(rounds):
            if limit.over:
                return
            judge(source, assembled(source, starts, choices[number % 3], ranks), drawn)


def _vectors(source: InputSource, plan: Plan, least: Mapping[Name, int]) -> Iterator[tuple[Mapping[Name, int], int]]:
    """How many axes the classes have, and how many inputs are put together of so many."""
    yield dict.fromkeys(least, 1), plan.rounds
    yield least, 1
    for name in least:
        maps = sum(declared.rank_class == name for declared in source.question.rule.maps)
        yield {**least, name: 2}, min(plan.pairs, EACH * maps)


def _explored(
    by: tuple[InputSource, Plan, Limit],
    starts: Sequence[Inputs],
    others: tuple[Mapping[Name, Sequence[Axis]], Mapping[Name, int], Name],
    drawn: Drawn,
) -> tuple[list[Axis], list[Axis]]:
    """The axes of a class and some near them, and those on which the claim holds; other classes have few axes.

    Of what is near a failing axis only what fails is kept: most of the rest holds by coincidence.
    """
    source, plan, limit = by
    axes_of, least, name = others
    known: dict[tuple[int, ...], Axis] = {}
    good: list[tuple[int, Axis]] = []
    failing: list[tuple[int, Axis]] = []
    aside = Drawn(drawn.traits)
    tries = plan.near * sum(declared.rank_class == name for declared in source.question.rule.maps)
    for number in range(len(axes_of[name]) + tries):
        if limit.over:
            break
        given = number < len(axes_of[name])
        into = drawn if given or not failing or (good and number % 2) else aside
        if not (given or good or failing):
            break
        axis = (
            axes_of[name][number]
            if given
            else neighbour(source, _rather_usual(source, failing if into is aside else good))
        )
        if tuple(axis.values()) not in known:
            inputs = assembled(source, starts, {**axes_of, name: [axis]}, {**least, name: 1})
            judge(source, inputs, into)
            key = identity(inputs)
            if key in into.negative:
                failing.append((0, axis))
            elif key in drawn.positive:
                good.append((drawn.special[key], axis))
            if key in into.negative or key in drawn.special:
                known[tuple(axis.values())] = axis
    drawn.negative.update(aside.negative)
    if not good:
        drawn.positive.update(aside.positive)
        drawn.special.update(aside.special)
    return list(known.values()), [axis for _, axis in good]


def _rather_usual(source: InputSource, listed: Sequence[tuple[int, Axis]]) -> Axis:
    """Of three of the axes that of which the least is a special case."""
    return min(source.rng.choices(listed, k=3), key=lambda each: each[0])[1]


def _smaller(known: Sequence[Axis]) -> list[Axis]:
    """The smaller half of some axes: with several of them, sums over all elements are dear."""
    listed = sorted(known, key=lambda axis: sum(map(abs, axis.values())))
    return listed[: (len(listed) + 1) // 2]
