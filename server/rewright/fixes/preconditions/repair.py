"""Inputs on which a rule holds, made from ones on which it fails.

Owns the climb: one map at a time takes the value that brings the most elements right, until all are or none helps. A
rule that needs several coincidences at once, as a start, a limit and a stride that fit a padding, holds on few inputs
that are drawn at random. Must not know what a precondition looks like.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from rewright.fixes.preconditions.drawing import Drawn, Traits, agreement, drawing, judge
from rewright.fixes.preconditions.work import Limit
from rewright.model.index import Name
from rewright.model.rule import RuleQuestion
from rewright.replay.inputs import Inputs
from rewright.replay.sampling import Effort, InputSource

VALUES = range(-1, 10)
"""The values that a map is tried with."""

SWEEPS = 4
"""How often each map is tried again."""

MOST_FAILURES = 15
"""Inputs in a row of which nothing could be made, after which no other one is tried."""

ENOUGH = 30
"""Inputs on which the rule holds that are enough."""

AGAIN = 3
"""How often an input is changed, in another order each time."""

EFFORT = Effort(largest=8)


def repaired(question: RuleQuestion, failing: Sequence[Inputs], limit: Limit) -> Drawn:
    """What changing one map after the other makes of inputs on which a question fails."""
    source = drawing(question, 3, EFFORT, limit.work)
    drawn = Drawn(Traits.of(question.rule))
    failures = 0
    for start in itertools.chain.from_iterable(itertools.repeat(failing, AGAIN)):
        if limit.over or failures == MOST_FAILURES or len(drawn.positive) == ENOUGH:
            break
        repaired_ = judge(source, _climbed(source, start, limit), drawn)
        failures = 0 if repaired_ else failures + 1
    return drawn


def _climbed(source: InputSource, inputs: Inputs, limit: Limit) -> Inputs:
    """The input of which no single map brings more elements right."""
    best = agreement(source, inputs)
    for _ in range(SWEEPS):
        before = best
        places = [(name, axis) for name, values in inputs.maps.items() for axis in range(len(values))]
        source.rng.shuffle(places)
        for place in places:
            for changed in _changed(source, inputs, place):
                if limit.over:
                    return inputs
                if (agreed := agreement(source, changed)) > best:
                    best, inputs = agreed, changed
            if best >= 1:
                return inputs
        if best == before:
            break
    return inputs


def _changed(source: InputSource, inputs: Inputs, place: tuple[Name, int]) -> Iterator[Inputs]:
    """The input with other values of one map on one axis; sizes stay above 1, where little is a coincidence."""
    name, axis = place
    for value in VALUES:
        if value != inputs.maps[name][axis] and (value > 1 or name not in source.hints.sizes):
            values = list(inputs.maps[name])
            values[axis] = value
            yield replace(inputs, maps={**inputs.maps, name: tuple(values)}, tensors={})
