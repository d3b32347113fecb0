"""Every decided operator of the table: what its row says, the symbolic semantics and the replay are the same."""

from __future__ import annotations

import os
import random

import pytest
import symbolic
from operator_elements import DEFINED, ELEMENT
from operator_instances import indices, instances, question
from operator_readings import SHAPE, VALID, View, always
from operator_trials import Trial, trials
from term_values import World

from rewright.meaning.scope import NotCovered
from rewright.model.operator_table import DECIDED
from rewright.model.operators import Operator
from rewright.replay.arrays import Array
from rewright.replay.conditions import Invalid
from rewright.replay.elements import UNDEFINED, Element
from rewright.replay.inputs import Inputs
from rewright.replay.tensors import Evaluation, evaluate
from rewright.rules.claim import Claim, claim_of

MANY = 200 if os.environ.get("REWRIGHT_SOAK") else 32
"""Instances of each trial of an operator that moves data; there are more trials of those that compute."""

TRIALS = list(trials())

NOT_DECIDED = {
    "`remainder` over `real` is not decided",
    "`add` from an infinite initial value is not decided yet",
    "`multiply` from an infinite initial value is not decided yet",
}
"""What the table says in its own words: it speaks of more than is decided."""


@pytest.mark.parametrize("operator", DECIDED, ids=lambda operator: operator.name)
def test_an_operator_means_what_its_row_says(operator: Operator) -> None:
    tried = [trial for trial in TRIALS if trial.operator is operator]
    compared = invalid = undefined = 0
    for number, trial in enumerate(tried):
        asked = question(trial)
        try:
            claim = claim_of(asked)
        except NotCovered as reason:
            assert str(reason) in NOT_DECIDED, trial
            continue
        for inputs, view in instances(trial, random.Random(number), _count(operator)):
            found = _compared(trial, claim, inputs, view)
            invalid += found is None
            compared += len(found or ())
            undefined += sum(element is UNDEFINED for element in found or ())
    assert compared > 2 * MANY
    alone = operator.elementwise and operator.operands == 1
    assert (invalid > 0) == (not alone and VALID[operator.texts.valid] is not always)
    assert (undefined > 0) == (operator.texts.defined != "always")


def _count(operator: Operator) -> int:
    return MANY // 4 if operator.elementwise else MANY


def _compared(trial: Trial, claim: Claim, inputs: Inputs, view: View) -> list[Element] | None:
    """The elements of the result, None where the call is invalid, after all three were found to say the same."""
    texts = trial.operator.texts
    world = World(inputs, {})
    valid = VALID[texts.valid](view)
    array = _replayed(claim, inputs)
    context = f"{trial}: {inputs}"
    assert (array is not None) == valid, context
    assert all(symbolic.holds(fact, world) for fact in claim.left_valid) == valid, context
    if array is None:
        return None
    sizes = SHAPE[texts.shape](view)
    assert set(sizes) == set(array.groups), context
    expected = tuple(size for group in array.groups for size in sizes[group])
    assert array.data.shape == expected, context
    assert symbolic.shape(claim.left, array.groups, claim.scope.classes, world) == expected, context
    elements = []
    for index in indices({group: sizes[group] for group in array.groups}):
        element = _read(trial, view, index)
        position = tuple(at for group in array.groups for at in index[group])
        where = f"{context} at {index}"
        assert symbolic.same(element, array.data[position]), where
        assert symbolic.same(
            element, symbolic.element(claim.left_entry, symbolic.at(array.groups, position, inputs))
        ), where
        elements.append(element)
    return elements


def _read(trial: Trial, view: View, index: dict[str, tuple[int, ...]]) -> Element:
    """The element as the table has it."""
    defined = DEFINED[trial.operator.texts.defined]
    read: Element = UNDEFINED
    if defined is None or defined(view, index):
        read = ELEMENT[trial.operator.texts.element](view, index)
        assert defined is None or read is not UNDEFINED
    return read


def _replayed(claim: Claim, inputs: Inputs) -> Array | None:
    try:
        return evaluate(claim.rule.left, Evaluation(inputs, lambda site, array: None))
    except Invalid:
        return None


def test_every_decided_operator_is_tried() -> None:
    assert {trial.operator.name for trial in TRIALS} == {operator.name for operator in DECIDED}


def test_no_reading_is_left_over() -> None:
    """A text that no row has any more is none that anything was checked against."""
    for column, readings in (("shape", SHAPE), ("valid", VALID), ("defined", DEFINED), ("element", ELEMENT)):
        assert set(readings) == {getattr(operator.texts, column) for operator in DECIDED}, column
