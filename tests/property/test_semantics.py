"""The symbolic semantics against the replay: what makes a side valid, its shape, what is defined, every element."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import symbolic
from builders import questions
from identities_computing import infinities
from msgspec.structs import replace
from random_rules import of_family, random_rules
from term_values import World

from rewright.equality import Fact
from rewright.meaning.forms import Entry, Meaning
from rewright.meaning.scope import NotCovered
from rewright.model.rule import RuleQuestion
from rewright.replay.arrays import Array, positions
from rewright.replay.conditions import Invalid
from rewright.replay.elements import UNDEFINED
from rewright.replay.inputs import Excluded, Inputs
from rewright.replay.sampling import Contents, Effort, InputSource, at_axes, axes, bases, fill, source_of
from rewright.replay.tensors import Evaluation, evaluate
from rewright.rules.claim import Claim, claim_of

RULES = 1500 if os.environ.get("REWRIGHT_SOAK") else 150
INPUTS = 6


def test_the_symbolic_semantics_is_that_of_the_replay() -> None:
    compared = invalid = undefined = 0
    rng = random.Random(12)
    partial = [of_family(rng, infinities) for _ in range(30)]
    for number, drawn in enumerate([*random_rules(seed=11, count=RULES), *partial]):
        question = questions(drawn.rule)[0]
        try:
            claim = claim_of(question)
        except NotCovered:
            continue
        for inputs in _inputs(question, number):
            for side, facts, meaning, entry in _sides(claim):
                tensor = getattr(question.rule, side)
                array = _replayed(question, side, inputs)
                world = World(inputs, {})
                assert (array is not None) == all(symbolic.holds(fact, world) for fact in facts), (number, side, inputs)
                if array is None:
                    invalid += 1
                    continue
                sizes = symbolic.shape(meaning, tensor.groups, claim.scope.classes, world)
                assert sizes == array.data.shape, (number, side, inputs)
                for position in positions(array.data.shape):
                    element = array.data[position]
                    undefined += element is UNDEFINED
                    compared += 1
                    found = symbolic.element(entry, symbolic.at(array.groups, position, inputs))
                    assert symbolic.same(element, found), (number, side, position, inputs)
    assert compared > 10 * RULES
    assert invalid > RULES / 2
    assert undefined > 0


def _sides(claim: Claim) -> Iterator[tuple[str, tuple[Fact, ...], Meaning, Entry]]:
    yield "left", claim.left_valid, claim.left, claim.left_entry
    yield "right", claim.right_valid, claim.right, claim.right_entry


def _inputs(question: RuleQuestion, seed: int) -> Iterator[Inputs]:
    """Inputs at ranks 0 to 2, every second one with a map changed, so that a side may be invalid."""
    source = source_of(question, random.Random(seed), Effort(tries=150, keep=6))
    starts = bases(source, {})
    pools = {name: axes(source, starts, name, {}) if starts else [] for name in source.hints.free}
    for count in range(INPUTS if starts else 0):
        chosen = {
            name: [source.rng.choice(pool) for _ in range(source.rng.randint(0, 2))]
            for name, pool in pools.items()
            if pool
        }
        inputs = at_axes(source, source.rng.choice(starts), chosen)
        if count % 2:
            inputs = _disturbed(source, inputs)
        try:
            yield fill(source, inputs, Contents.DISTINCT if count < 3 else Contents.RANDOM)
        except Excluded:
            continue


def _disturbed(source: InputSource, inputs: Inputs) -> Inputs:
    changeable = [name for name, values in inputs.maps.items() if values]
    if not changeable:
        return inputs
    name = source.rng.choice(changeable)
    values = list(inputs.maps[name])
    values[source.rng.randrange(len(values))] += source.rng.choice([-2, -1, 1, 2])
    return replace(inputs, maps={**inputs.maps, name: tuple(values)})


def _replayed(question: RuleQuestion, side: str, inputs: Inputs) -> Array | None:
    try:
        return evaluate(getattr(question.rule, side), Evaluation(inputs, lambda site, array: None))
    except Invalid:
        return None
