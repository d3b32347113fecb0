"""Replaying one instance of a rule's question: does the claim hold on this input?

Owns the claim of a rule as the language page states it (section 1, "What a rule claims"), on concrete arrays in exact
arithmetic: preconditions and the premise's side valid, then the other side valid, shapes equal, elements refined. It is
evidence of its own: it shares only the rule's value with what proves rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.rule import Rule, RuleQuestion
from rewright.replay.arrays import Array, Position, aligned, positions, tensor_value
from rewright.replay.conditions import Invalid
from rewright.replay.elements import UNDECIDED, UNDEFINED, Element, element_text, equal
from rewright.replay.formulas import assumption_holds, holds
from rewright.replay.index import IndexDivisionByZero, along
from rewright.replay.inputs import Excluded, Inputs, Undetermined, read_instance
from rewright.replay.outcomes import Fails, Holds, NotAnInput, Origins, Outcome, Sizes, Undecided
from rewright.replay.provenance import TRACED, Traced, traced_at
from rewright.replay.tensors import Evaluation, evaluate
from rewright.replay.terms import parted
from rewright.verdict import Failure, Instance, Step

SideName = Literal["left", "right"]
Observer = Callable[[SideName, int, Array], None]
_SIDES: tuple[SideName, SideName] = ("left", "right")


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
    except Undetermined:
        return Undecided(())
    except Excluded as error:
        return NotAnInput(str(error))
    if isinstance(outcome, Fails) and outcome.failure is Failure.VALUE:
        left, right = _traced(question, inputs, outcome.at)
        outcome = replace(outcome, parting=Origins(left.origin, right.origin), terms=parted(left, right))
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
    except IndexDivisionByZero:
        raise Excluded(f"a size of `{name}` divides by zero") from None
    if any(size < 0 for size in shape):
        raise Excluded(f"a size of `{name}` is negative")
    if any(inputs.integers[group.members] < 1 for group in rule.groups if group.members is not None):
        raise Excluded("a family has no member")
    return shape


def check_preconditions(rule: Rule, inputs: Inputs) -> None:
    """Raises `Excluded` where a precondition or an assumption does not hold, `Undetermined` where that is not known."""
    if not all(holds(formula, inputs) for formula in rule.where):
        raise Excluded("a precondition does not hold")
    if not all(assumption_holds(assumption, inputs) for assumption in rule.assumptions):
        raise Excluded("an assumption does not hold")


def claim(question: RuleQuestion, inputs: Inputs, observe: Observer) -> Holds | Undecided | Fails:
    """The outcome, without steps, on an input that satisfies the preconditions; `observe` hears every value.

    Raises `Excluded` where the premise's side is invalid.
    """
    names, known = _names(question), premise(question, inputs, observe)
    try:
        claimed = _run(names[1], question, Evaluation(inputs, partial(observe, names[1])))
    except Invalid as error:
        return _fails(Failure.VALIDITY, names, (_shape_text(known), str(error)), error.site)
    claimed = aligned(claimed, known.groups, inputs.ranks)
    site = (question.rule.right if names[1] == "right" else question.rule.left).site
    observe(names[1], site, claimed)
    if known.data.shape != claimed.data.shape:
        failure = _fails(Failure.SHAPE, names, (_shape_text(known), _shape_text(claimed)), site)
        return replace(failure, parting=_sizes(names, known, claimed, inputs))
    return _compared(question, inputs, known, claimed)


def premise(question: RuleQuestion, inputs: Inputs, observe: Observer) -> Array:
    """The value of the premise's side. Raises `Excluded` where it is invalid."""
    name, _ = _names(question)
    try:
        return _run(name, question, Evaluation(inputs, partial(observe, name)))
    except Invalid as error:
        raise Excluded(f"the {name} side is invalid: {error}") from error


def _compared(question: RuleQuestion, inputs: Inputs, known: Array, claimed: Array) -> Holds | Undecided | Fails:
    """The outcome for two sides of one shape: an element that certainly differs is looked for first."""
    undecided = False
    for position in positions(known.data.shape):
        first, second = known.data[position], claimed.data[position]
        match _refined(first, second):
            case None:
                undecided = True
            case False:
                names = _names(question)
                site = (question.rule.right if names[1] == "right" else question.rule.left).site
                failure = _fails(Failure.VALUE, names, (element_text(first), element_text(second)), site)
                return replace(failure, at=_by_group(known.groups, position, inputs))
    return Undecided(()) if undecided else Holds(known.data.size == 0, ())


def _refined(first: Element, second: Element) -> bool | None:
    """Whether an element is refined by another one; None where enclosures do not tell."""
    if first is UNDEFINED:
        return True
    if second is UNDEFINED:
        return None if first is UNDECIDED else False
    return equal(first, second)


def _traced(question: RuleQuestion, inputs: Inputs, at: tuple[tuple[str, Position], ...]) -> tuple[Traced, Traced]:
    """The elements of both sides at an index, and where they come from, on an input on which both are valid."""
    position = tuple(number for _, index in at for number in index)
    groups = tuple(Name(group) for group, _ in at)
    values = [_run(side, question, Evaluation(inputs, _unheard, TRACED)) for side in _SIDES]
    left, right = (traced_at(aligned(value, groups, inputs.ranks), position) for value in values)
    return left, right


def unobserved(side: SideName, site: int, value: Array) -> None:
    """The observer that remembers nothing."""


def _names(question: RuleQuestion) -> tuple[SideName, SideName]:
    """The side of the premise and the side that is claimed."""
    return ("left", "right") if question.direction == "=>" else ("right", "left")


def _unheard(site: int, value: Array) -> None:
    pass


def _run(name: SideName, question: RuleQuestion, evaluation: Evaluation) -> Array:
    return evaluate(question.rule.left if name == "left" else question.rule.right, evaluation)


def _fails(failure: Failure, names: tuple[SideName, SideName], texts: tuple[str, str], site: int) -> Fails:
    by_side = dict(zip(names, texts, strict=True))
    return Fails(failure, (), by_side["left"], by_side["right"], None, site, ())


def _sizes(names: tuple[SideName, SideName], known: Array, claimed: Array, inputs: Inputs) -> Sizes:
    """The first axis on which two shapes differ."""
    axes = ((group, number) for group in known.groups for number in range(inputs.ranks[group]))
    for (group, number), *pair in zip(axes, known.data.shape, claimed.data.shape, strict=True):
        if pair[0] != pair[1]:
            by_side = dict(zip(names, pair, strict=True))
            return Sizes(group, number, by_side["left"], by_side["right"])
    raise ValueError("the shapes are equal")


def _shape_text(array: Array) -> str:
    return str(list(array.data.shape))


def _by_group(groups: tuple[Name, ...], position: Position, inputs: Inputs) -> tuple[tuple[str, Position], ...]:
    remaining = iter(position)
    return tuple((group, tuple(next(remaining) for _ in range(inputs.ranks[group]))) for group in groups)
