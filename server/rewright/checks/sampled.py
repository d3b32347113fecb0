"""A last look at what was not decided: small inputs drawn at random, and replayed.

Owns the search for a failing input without the solver: rank vectors by their sum, and at the first one that has
failures the smallest failing input drawn, made smaller. It can only refute; finding nothing says nothing.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence

from rewright.checks.counterexample import Reproduced, smaller
from rewright.model.index import Name
from rewright.model.rule import Extent, RuleQuestion
from rewright.replay.elements import NotReplayable
from rewright.replay.inputs import Excluded, Inputs, write_instance
from rewright.replay.outcomes import Fails
from rewright.replay.rule import check_preconditions, claim, replay, unobserved
from rewright.replay.sampling import Axis, Contents, Effort, Source, at_axes, axes, bases, fill, source

EFFORT = Effort(tries=150, keep=15)
DRAWS = 60
"""Inputs drawn at each rank vector."""

HIGHEST = 2
VECTORS = 10


def failing_input(question: RuleQuestion) -> Reproduced | None:
    """A small failing input, replayed, or None. The same for every call."""
    from_ = source(question, random.Random(0), EFFORT)
    try:
        starts = bases(from_, {})
        pools = {name: axes(from_, starts, name, {}) for name in from_.hints.free} if starts else {}
        for ranks in itertools.islice(_rank_vectors(question, pools) if starts else (), VECTORS):
            failing = list(_failing(from_, starts, pools, ranks))
            if failing:
                return _replayed(question, min(failing, key=_size))
    except NotReplayable:
        return None
    return None


def _rank_vectors(question: RuleQuestion, pools: Mapping[Name, Sequence[Axis]]) -> Iterator[dict[Name, int]]:
    lowest = {group.name: int(group.extent is Extent.NONEMPTY) for group in question.rule.groups}
    spans = [range(lowest[name], HIGHEST + 1 if pool else 1) for name, pool in pools.items()]
    for vector in sorted(itertools.product(*spans), key=lambda vector: (sum(vector), vector)):
        yield dict(zip(pools, vector, strict=True))


def _failing(
    from_: Source, starts: Sequence[Inputs], pools: Mapping[Name, Sequence[Axis]], ranks: Mapping[Name, int]
) -> Iterator[Inputs]:
    for draw in range(DRAWS):
        chosen = {name: [from_.rng.choice(pool) for _ in range(ranks[name])] for name, pool in pools.items()}
        inputs = at_axes(from_, from_.rng.choice(starts), chosen)
        try:
            full = fill(from_, inputs, Contents.DISTINCT if draw % 2 else Contents.RANDOM)
            check_preconditions(from_.question.rule, full)
            if isinstance(claim(from_.question, full, unobserved), Fails):
                yield full
        except Excluded:
            continue


def _size(inputs: Inputs) -> tuple[int, int]:
    elements = sum(array.data.size for array in inputs.tensors.values())
    return elements, sum(abs(value) for values in inputs.maps.values() for value in values)


def _replayed(question: RuleQuestion, inputs: Inputs) -> Reproduced | None:
    instance = write_instance(question.rule, inputs)
    outcome = replay(question, instance)
    return smaller(question, Reproduced(instance, outcome)) if isinstance(outcome, Fails) else None
