"""The oracle: random inputs of a rule at small ranks and sizes, judged by replay alone.

Ranks are 0 to 2, sizes 0 to 3, attributes -2 to 4, elements small or all different. `Search` states how much is
sampled.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rewright.model import rule as m
from rewright.model.index import Name
from rewright.model.rule import Extent
from rewright.replay.inputs import Excluded, Inputs, allows
from rewright.replay.outcomes import Fails, Holds
from rewright.replay.rule import check_preconditions, claim, unobserved
from rewright.replay.sampling import Contents, Effort, at_axes, axes, bases, fill, source_of


@dataclass(frozen=True)
class Search:
    """How much is sampled: inputs put together in all, axes tried and kept per class, the highest rank."""

    trials: int = 60
    effort: Effort = field(default_factory=Effort)
    top: int = 2


@dataclass
class Found:
    """What a search saw: valid inputs, those with every class at rank 1 or more, those with elements; a failure."""

    valid: int = 0
    positive: int = 0
    nonempty: int = 0
    failure: tuple[Inputs, Fails] | None = None
    ranks: Mapping[Name, int] = field(default_factory=dict)


USUAL = Search()

AT_LENGTH = Search(trials=250, top=3)
"""For a claim that was proved, where there is time."""


def search(question: m.RuleQuestion, seed: int, plan: Search = USUAL) -> Found:
    """Samples inputs at ranks 0 to `plan.top` until one breaks the claim."""
    rng = random.Random(seed)
    return _search(question, rng, plan, lambda extent: 1 if extent is Extent.SINGLE else rng.randint(0, plan.top))


def search_at_rank_one(question: m.RuleQuestion, seed: int, plan: Search = USUAL) -> Found:
    """Samples inputs with every axis group at rank 1."""
    return _search(question, random.Random(seed), plan, lambda extent: 1)


def _search(question: m.RuleQuestion, rng: random.Random, plan: Search, rank_of: Callable[[Extent], int]) -> Found:
    source = source_of(question, rng, plan.effort)
    classes = {group.rank_class: group.extent for group in question.rule.groups}
    starts = bases(source, {})
    pools = {name: axes(source, starts, name, {}) if starts else [] for name in source.hints.free}
    found = Found()
    for trial in range(plan.trials if starts else 0):
        ranks = {name: rank_of(extent) for name, extent in classes.items()}
        if not all(
            allows(extent, ranks[name]) and (pools.get(name, [0]) or not ranks[name])
            for name, extent in classes.items()
        ):
            continue
        chosen = {name: [rng.choice(pool) for _ in range(ranks[name])] for name, pool in pools.items()}
        contents = Contents.DISTINCT if trial % 2 else Contents.RANDOM
        try:
            inputs = fill(source, at_axes(source, rng.choice(starts), chosen), contents)
            check_preconditions(question.rule, inputs)
            outcome = claim(question, inputs, unobserved)
        except Excluded:
            continue
        found.valid += 1
        found.positive += all(ranks.values())
        found.nonempty += all(ranks.values()) and not (isinstance(outcome, Holds) and outcome.empty)
        if isinstance(outcome, Fails):
            found.failure, found.ranks = (inputs, outcome), ranks
            return found
    return found
