"""Replaying one instance of a rule's question: does the claim hold on this input?

Owns the claim of a rule as the language page states it (section 1, "What a rule claims"), on concrete arrays in exact
arithmetic: preconditions and the premise's side valid, then the other side valid, shapes equal, elements refined. It is
evidence of its own: it shares only the rule's value with what proves rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from rewright.model.index import Name
from rewright.model.rule import Rule, RuleQuestion
from rewright.replay.arrays import Array, Position, aligned, positions, tensor_value
from rewright.replay.elements import UNDEFINED, element_text
from rewright.replay.formulas import assumption_holds, holds
from rewright.replay.index import DivisionByZero, along
from rewright.replay.inputs import Excluded, Inputs, read_instance
from rewright.replay.outcomes import Fails, Holds, NotAnInput, Outcome
from rewright.replay.tensors import Evaluation, Invalid, evaluate
from rewright.verdict import Failure, Instance, Step

SideName = Literal["left", "right"]
Observer = Callable[[SideName, int, Array], None]


def replay(question: RuleQuestion, instance: Instance) -> Outcome:
    """What the question's claim comes to on one instance. Raises `NotReplayable` for what is not evaluated exactly."""
    steps: dict[tuple[str, int], Step] = {}

    def record(side: SideName, site: int, value: Array) -> None:
        steps[side, site] = Step(side, site, tensor_value(value))

    try:
        inputs = read_instance(question, instance)
        check_sizes(question.rule, inputs)
        check_preconditions(question.rule, inputs)
        outcome = claim(question, inputs, record)
    except Excluded as error:
        return NotAnInput(str(error))
    in_order = sorted(steps.values(), key=lambda step: step.side)
    return replace(outcome, steps=tuple(in_order))


def shapes(question: RuleQuestion, instance: Instance) -> tuple[tuple[int, ...], ...]:
    """The shapes of the declared tensors on an instance that has no contents yet. Raises `Excluded`."""
    rule = question.rule
    bare = read_instance(replace(question, rule=replace(rule, tensors=())), instance)
    return tuple(declared_shape(rule, tensor.name, bare) for tensor in rule.tensors)


def check_sizes(rule: Rule, inputs: Inputs) -> None:
    """Raises `Excluded` where contents do not have the declared shape or a declared size is negative."""
    for tensor in rule.tensors:
        shape = declared_shape(rule, tensor.name, inputs)
        actual = inputs.tensors[tensor.name].data.shape
        if actual != shape:
            raise Excluded(f"`{tensor.name}` has the shape {list(shape)}, got {list(actual)}")


def declared_shape(rule: Rule, name: Name, inputs: Inputs) -> tuple[int, ...]:
    """The declared shape of a tensor on this input. Raises `Excluded` where a size is negative or divides by zero."""
    (declared,) = (tensor for tensor in rule.tensors if tensor.name == name)
    try:
        shape = tuple(k for group, size in declared.shape for k in along(size, inputs.ranks[group], inputs))
    except DivisionByZero:
        raise Excluded(f"a size of `{name}` divides by zero") from None
    if any(size < 0 for size in shape):
        raise Excluded(f"a size of `{name}` is negative")
    return shape


def check_preconditions(rule: Rule, inputs: Inputs) -> None:
    """Raises `Excluded` where a precondition or an assumption does not hold."""
    if not all(holds(formula, inputs) for formula in rule.where):
        raise Excluded("a precondition does not hold")
    if not all(assumption_holds(assumption, inputs) for assumption in rule.assumptions):
        raise Excluded("an assumption does not hold")


def claim(question: RuleQuestion, inputs: Inputs, observe: Observer) -> Holds | Fails:
    """The outcome, without steps, on an input that satisfies the preconditions; `observe` hears every value.

    Raises `Excluded` where the premise's side is invalid.
    """
    names: tuple[SideName, SideName] = ("left", "right") if question.direction == "=>" else ("right", "left")
    try:
        known = _run(names[0], question, inputs, observe)
    except Invalid as error:
        raise Excluded(f"the {names[0]} side is invalid: {error}") from error
    try:
        claimed = aligned(_run(names[1], question, inputs, observe), known.groups, inputs.ranks)
    except Invalid as error:
        return _fails(Failure.VALIDITY, names, (_shape_text(known), str(error)), error.site)
    site = (question.rule.right if names[1] == "right" else question.rule.left).site
    observe(names[1], site, claimed)
    if known.data.shape != claimed.data.shape:
        return _fails(Failure.SHAPE, names, (_shape_text(known), _shape_text(claimed)), site)
    for position in positions(known.data.shape):
        first, second = known.data[position], claimed.data[position]
        if first is not UNDEFINED and (second is UNDEFINED or first != second):
            failure = _fails(Failure.VALUE, names, (element_text(first), element_text(second)), site)
            return replace(failure, at=_by_group(known.groups, position, inputs))
    return Holds(known.data.size == 0, ())


def unobserved(side: SideName, site: int, value: Array) -> None:
    """The observer that remembers nothing."""


def _run(name: SideName, question: RuleQuestion, inputs: Inputs, observe: Observer) -> Array:
    tensor = question.rule.left if name == "left" else question.rule.right
    return evaluate(tensor, Evaluation(inputs, lambda site, value: observe(name, site, value)))


def _fails(failure: Failure, names: tuple[SideName, SideName], texts: tuple[str, str], site: int) -> Fails:
    by_side = dict(zip(names, texts, strict=True))
    return Fails(failure, (), by_side["left"], by_side["right"], site, ())


def _shape_text(array: Array) -> str:
    return str(list(array.data.shape))


def _by_group(groups: tuple[Name, ...], position: Position, inputs: Inputs) -> tuple[tuple[str, Position], ...]:
    remaining = iter(position)
    return tuple((group, tuple(next(remaining) for _ in range(inputs.ranks[group]))) for group in groups)
