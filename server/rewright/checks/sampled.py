"""A look for a failing input by replay: small ones that are drawn, the smallest first, or some near one solved for.

Owns the search: rank vectors by their sum; at each one small axes put together, contents all different and at random;
at the first one that has failures the worst and smallest, made smaller. It can only refute; finding nothing says
nothing. The same for every call.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import TypeVar

from msgspec import Struct

from rewright.checks.counterexample import Reproduced, smaller
from rewright.model.index import Name
from rewright.model.rule import Extent, RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.replay.inputs import Excluded, Inputs, write_instance
from rewright.replay.outcomes import Fails
from rewright.replay.rule import check_preconditions, claim, replay, unobserved
from rewright.replay.sampling import (
    Axis,
    Contents,
    Effort,
    InputSource,
    at_axes,
    bases,
    distinct_axes,
    fill,
    source_of,
    with_integers,
)
from rewright.replay.work import EvaluationLimit
from rewright.rules.inhabitant import inhabitant
from rewright.rules.reductions import rank_vectors
from rewright.verdict import Failure

MORE = 3
"""So many axes are added to the least ranks."""

SOLVED_VECTORS, SOLVED_RANKS = 6, 5
"""So many rank vectors, the least first, are solved for, and up to which rank of a group."""

NEAR = 40
"""Inputs tried near each one that the solver finds."""

SOLVER_STEPS = 100_000
"""For each check, of which there are a few for each rank vector that is solved for."""

Item = TypeVar("Item")

Place = tuple[Name, int | None]
"""An `int`, or a map on one axis."""

Chosen = tuple[Inputs, Contents]
"""An input without contents, and how tensors are filled."""


class LookPlan(Struct, frozen=True):
    """How long is looked: axes by `effort`, so many rank vectors, so many inputs at each, and `steps` of the replay.

    The steps are those of a rule with one question; of a rule with several, each of them has a share.
    """

    effort: Effort
    vectors: int
    inputs: int
    steps: int


FIRST = LookPlan(Effort(tries=300, keep=96), vectors=12, inputs=48, steps=1_500_000)
"""Before what takes long: no rule of the library needs more than 200,000 steps."""

LAST = LookPlan(Effort(tries=500, keep=160, largest=6), vectors=24, inputs=100, steps=1_500_000)
"""After everything else."""


def failing_input(question: RuleQuestion, plan: LookPlan = LAST) -> Reproduced | None:
    """A small failing input, replayed, or None."""
    try:
        for failing in _by_ranks(question, plan):
            found = list(failing)
            if found:
                return _replayed(question, min(found, key=_badness)[1])
    except NotReplayable:
        return None
    return None


def _by_ranks(question: RuleQuestion, plan: LookPlan) -> Iterator[Iterator[Failing]]:
    """The failing inputs at each rank vector, until the steps are used up."""
    source = source_of(question, random.Random(0), plan.effort)
    limit = limit_of(question, plan)
    drawn = DrawnBases(source, sorted(bases(source, {}), key=_size))
    for ranks in itertools.islice(_rank_vectors(drawn), plan.vectors):
        yield _failing(source, _chosen(drawn, ranks, plan.inputs), limit)
        if limit.over:
            return


def limit_of(question: RuleQuestion, plan: LookPlan) -> EvaluationLimit:
    """What a look at one of a rule's questions may take, from now on."""
    return EvaluationLimit(plan.steps // question.rule.question_count)


def failing_near_solved(question: RuleQuestion) -> Reproduced | None:
    """A failing input near one that the solver finds, replayed, or None.

    Preconditions may exclude all inputs that are small enough to be drawn.
    """
    source = source_of(question, random.Random(0), LAST.effort)
    extents = {group.rank_class: group.extent for group in question.rule.groups}
    least = [int(extent is not Extent.ANY) for extent in extents.values()]
    limit = limit_of(question, LAST)
    for vector in itertools.islice(rank_vectors(least, SOLVED_RANKS), SOLVED_VECTORS):
        ranks = dict(zip(extents, vector, strict=True))
        if any(ranks[name] != 1 for name, extent in extents.items() if extent is Extent.SINGLE):
            continue
        known = inhabitant(question, ranks, SOLVER_STEPS)
        if known is None:
            continue
        integers = {(quantity.name, quantity.axis): value for quantity, value in known.items()}
        try:
            failing = list(_failing(source, _near(source, ranks, integers), limit))
            if failing:
                return _replayed(question, min(failing, key=_badness)[1])
        except NotReplayable:
            return None
    return None


def _near(source: InputSource, ranks: Mapping[Name, int], known: Mapping[Place, int]) -> Iterator[Chosen]:
    """The input with these integers, and with up to two of them a little different."""
    for attempt in range(NEAR):
        integers = dict(known)
        for place in source.rng.choices(list(known), k=2) if known and attempt > 1 else ():
            integers[place] += source.rng.choice((-2, -1, 1, 2))
        yield with_integers(source, ranks, integers), list(Contents)[attempt % 2]


class DrawnBases:
    """What inputs are put together from: bases, and axes of each class, drawn when they are first asked for."""

    def __init__(self, source: InputSource, starts: Sequence[Inputs]) -> None:
        self.source = source
        self.starts = starts
        self._axes: dict[Name, list[Axis]] = {}

    def axes(self, name: Name) -> list[Axis]:
        """Axes of a rank class, each once, the smallest first."""
        if name not in self._axes:
            self._axes[name] = distinct_axes(self.source, self.starts, name)
        return self._axes[name]

    def small(self, ordered: Sequence[Item]) -> Item:
        """One of these, one of the first rather than one of the last."""
        return ordered[int(len(ordered) * self.source.rng.random() ** 1.5)]


def _rank_vectors(drawn: DrawnBases) -> Iterator[dict[Name, int]]:
    """Those for which there are axes, by their sum."""
    if not drawn.starts:
        return
    names = drawn.source.hints.free
    extents = {group.name: group.extent for group in drawn.source.question.rule.groups}
    least = [int(extents[name] is Extent.NONEMPTY) for name in names]
    for vector in rank_vectors(least):
        if sum(vector) > sum(least) + MORE:
            return
        if all(rank == 0 or drawn.axes(name) for name, rank in zip(names, vector, strict=True)):
            yield dict(zip(names, vector, strict=True))


def _chosen(drawn: DrawnBases, ranks: Mapping[Name, int], most: int) -> Iterator[Chosen]:
    """All inputs of these ranks if they are few; else some, in which each axis of the first group comes up."""
    places = [name for name, rank in ranks.items() for _ in range(rank)]
    pools = [drawn.axes(name) for name in places]
    if len(drawn.starts) * prod(map(len, pools)) <= most:
        for start, together in itertools.product(drawn.starts, itertools.product(*pools)):
            for contents in Contents:
                yield at_axes(drawn.source, start, _by_class(places, together)), contents
        return
    first = pools[0] if pools else []
    for draw in range(max(most, len(first))):
        chosen = [drawn.small(pool) for pool in pools]
        chosen[:1] = [first[draw % len(first)]] if first else []
        contents = Contents.RANDOM if (draw + draw // 7) % 2 else Contents.DISTINCT
        yield at_axes(drawn.source, drawn.small(drawn.starts), _by_class(places, chosen)), contents


def _by_class(names: Sequence[Name], chosen: Sequence[Axis]) -> dict[Name, list[Axis]]:
    found: dict[Name, list[Axis]] = {}
    for name, axis in zip(names, chosen, strict=True):
        found.setdefault(name, []).append(axis)
    return found


Failing = tuple[Failure, Inputs]


def _failing(source: InputSource, chosen: Iterator[Chosen], limit: EvaluationLimit) -> Iterator[Failing]:
    for inputs, contents in chosen:
        if limit.over:
            return
        try:
            full = fill(source, inputs, contents)
            check_preconditions(source.question.rule, full)
            outcome = claim(source.question, full, unobserved)
        except Excluded:
            continue
        if isinstance(outcome, Fails):
            yield outcome.failure, full


WORST_FIRST = (Failure.VALIDITY, Failure.SHAPE, Failure.VALUE)


def _badness(failing: Failing) -> tuple[int, int, int]:
    """What is reported first, and then what is smallest."""
    failure, inputs = failing
    return WORST_FIRST.index(failure), *_size(inputs)


def _size(inputs: Inputs) -> tuple[int, int]:
    elements = sum(array.data.size for array in inputs.tensors.values())
    return elements, sum(abs(value) for values in inputs.maps.values() for value in values)


def _replayed(question: RuleQuestion, inputs: Inputs) -> Reproduced | None:
    instance = write_instance(question.rule, inputs)
    outcome = replay(question, instance)
    return smaller(question, Reproduced(instance, outcome)) if isinstance(outcome, Fails) else None
