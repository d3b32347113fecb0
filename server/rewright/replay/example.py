"""Inputs found for a reader: an example completed, or any input with every group at rank 1 or more.

Owns the choice of what an `example { … }` leaves open. Must not know how examples are shown.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from rewright.model.index import Name
from rewright.model.rule import Extent, Pinned, Rule, RuleQuestion
from rewright.replay.elements import domain_of, read_element
from rewright.replay.inputs import Excluded, Inputs, write_instance
from rewright.replay.rule import check_preconditions, claim, unobserved
from rewright.replay.sampling import (
    Axis,
    Contents,
    Effort,
    Given,
    Source,
    at_axes,
    axes,
    bases,
    fill,
    source,
)
from rewright.verdict import Instance

EFFORT = Effort(tries=1500, keep=12)
ROUNDS = 60


def complete(question: RuleQuestion, pinned: Pinned) -> Instance | None:
    """An instance with the pinned values, the others small and, in tensors, distinct; None if none was found.

    An axis group without a rank gets the length of a pinned map on it, else rank 1.
    """
    rule = question.rule
    try:
        given = _given(question, pinned)
    except ValueError:
        return None
    from_ = source(question, random.Random(0), EFFORT, given)
    return _search(from_, _ranks(rule, pinned), {name: tuple(values) for name, values in pinned.maps})


def any_input(question: RuleQuestion) -> Instance | None:
    """An input with every group at rank 1 that the claim speaks of, None if a bounded search finds none."""
    from_ = source(question, random.Random(0), EFFORT)
    return _search(from_, {group.rank_class: 1 for group in question.rule.groups}, {})


def _search(from_: Source, ranks: Mapping[Name, int], maps: Mapping[Name, tuple[int, ...]]) -> Instance | None:
    rule = from_.question.rule
    given = {name: [_given_axis(rule, maps, name, k) for k in range(rank)] for name, rank in ranks.items()}
    starts = bases(from_, {name: given[name][0] for name in from_.hints.singles})
    if not starts:
        return None
    pools = {name: [axes(from_, starts, name, axis) for axis in given[name]] for name in from_.hints.free}
    if not all(pool for on_class in pools.values() for pool in on_class):
        return None
    for _ in range(ROUNDS):
        for contents in (Contents.DISTINCT, Contents.RANDOM):
            chosen = {name: [from_.rng.choice(pool) for pool in on_class] for name, on_class in pools.items()}
            inputs = at_axes(from_, from_.rng.choice(starts), chosen)
            if (full := _filled_input(from_, inputs, contents)) is not None:
                return write_instance(rule, full)
    return None


def _filled_input(from_: Source, inputs: Inputs, contents: Contents) -> Inputs | None:
    try:
        full = fill(from_, inputs, contents)
        check_preconditions(from_.question.rule, full)
        claim(from_.question, full, unobserved)
    except Excluded:
        return None
    return full


def _given(question: RuleQuestion, pinned: Pinned) -> Given:
    rule, domain = question.rule, dict(question.domain)
    types = {scalar.name: domain_of(scalar.type, domain) for scalar in rule.scalars}
    types |= {tensor.name: domain_of(tensor.type, domain) for tensor in rule.tensors}
    scalars = {name: read_element(text, types[name]) for name, text in pinned.scalars}
    tensors = {
        name: None if texts is None else [read_element(text, types[name]) for text in texts]
        for name, texts in pinned.tensors
    }
    return Given(dict(pinned.integers), scalars, tensors)


def _ranks(rule: Rule, pinned: Pinned) -> dict[Name, int]:
    classes = {group.name: group.rank_class for group in rule.groups}
    ranks = {group.rank_class: 1 for group in rule.groups}
    on = {declared.name: declared.rank_class for declared in rule.maps}
    ranks.update({on[name]: len(values) for name, values in pinned.maps})
    ranks.update({classes[name]: rank for name, rank in pinned.ranks})
    return {
        name: 1 if any(g.name == name and g.extent is Extent.SINGLE for g in rule.groups) else rank
        for name, rank in ranks.items()
    }


def _given_axis(rule: Rule, maps: Mapping[Name, tuple[int, ...]], name: Name, axis: int) -> Axis:
    own = [declared.name for declared in rule.maps if declared.rank_class == name]
    return {map_: maps[map_][axis] for map_ in own if map_ in maps and axis < len(maps[map_])}
