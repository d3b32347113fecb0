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
    FixedValues,
    InputSource,
    at_axes,
    axes,
    bases,
    fill,
    source_of,
)
from rewright.verdict import Instance

EFFORT = Effort(tries=1500, keep=12)

ROUNDS = 60
"""So many choices of axes are tried, each with elements that are all different and with random ones."""


def complete(question: RuleQuestion, pinned: Pinned) -> Instance | None:
    """An instance with the pinned values, the others small and, in tensors, distinct; None if none was found.

    An axis group without a rank gets the length of a pinned map on it, else rank 1.
    """
    rule = question.rule
    try:
        given = _given(question, pinned)
    except ValueError:
        return None
    source = source_of(question, random.Random(0), EFFORT, given)
    return _search(source, _ranks(rule, pinned), {name: tuple(values) for name, values in pinned.maps})


def any_input(question: RuleQuestion) -> Instance | None:
    """An input with every group at rank 1 that the claim speaks of, None if a bounded search finds none."""
    source = source_of(question, random.Random(0), EFFORT)
    return _search(source, {group.rank_class: 1 for group in question.rule.groups}, {})


def _search(source: InputSource, ranks: Mapping[Name, int], maps: Mapping[Name, tuple[int, ...]]) -> Instance | None:
    rule = source.question.rule
    given = {name: [_given_axis(rule, maps, name, k) for k in range(rank)] for name, rank in ranks.items()}
    starts = bases(source, {name: given[name][0] for name in source.hints.singles})
    if not starts:
        return None
    pools = {name: [axes(source, starts, name, axis) for axis in given[name]] for name in source.hints.free}
    if not all(pool for on_class in pools.values() for pool in on_class):
        return None
    for _ in range(ROUNDS):
        for contents in (Contents.DISTINCT, Contents.RANDOM):
            chosen = {name: [source.rng.choice(pool) for pool in on_class] for name, on_class in pools.items()}
            inputs = at_axes(source, source.rng.choice(starts), chosen)
            if (full := _filled_input(source, inputs, contents)) is not None:
                return write_instance(rule, full)
    return None


def _filled_input(source: InputSource, inputs: Inputs, contents: Contents) -> Inputs | None:
    try:
        full = fill(source, inputs, contents)
        check_preconditions(source.question.rule, full)
        claim(source.question, full, unobserved)
    except Excluded:
        return None
    return full


def _given(question: RuleQuestion, pinned: Pinned) -> FixedValues:
    rule, domain = question.rule, dict(question.domain)
    types = {scalar.name: domain_of(scalar.type, domain) for scalar in rule.scalars}
    types |= {tensor.name: domain_of(tensor.type, domain) for tensor in rule.tensors}
    scalars = {name: read_element(text, types[name]) for name, text in pinned.scalars}
    tensors = {
        name: None if texts is None else [read_element(text, types[name]) for text in texts]
        for name, texts in pinned.tensors
    }
    return FixedValues(dict(pinned.integers), scalars, tensors)


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
