"""What one sentence about a rule's counterexample needs: its input, and where the two sides part in the replay.

Must not know how it is put into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rewright.checks.counterexample import Reproduced
from rewright.model.operator_table import applied
from rewright.model.rule import FAMILY, RuleQuestion
from rewright.replay.conditions import axis_text
from rewright.replay.elements import element_text
from rewright.replay.outcomes import Origins, Sizes
from rewright.replay.provenance import (
    Computed,
    Counted,
    EntryOf,
    FromIndex,
    Origin,
    PaddingOf,
    Reduced,
    WrittenConstant,
)
from rewright.verdict import Diagnosis, Instance
from rewright.verdict.diagnostics.rules import (
    ElementOrigin,
    GivenInput,
    ShapesDiffer,
    SideElement,
    SideNotValid,
    ValuesDiffer,
)


def diagnosis(question: RuleQuestion, found: Reproduced) -> Diagnosis:
    """What is said of a counterexample: where the two elements come from, which sizes differ, or what is not valid."""
    outcome, given = found.outcome, GivenInput(_ranks(found.instance), tuple(_values(found.instance)))
    match outcome.parting:
        case Origins(left=left, right=right):
            sides = _element(outcome.left, left), _element(outcome.right, right)
            return ValuesDiffer(question.direction, outcome.at, *sides, given)
        case Sizes(group=group, axis=axis, left=left_size, right=right_size):
            return ShapesDiffer(axis_text(group, axis), left_size, right_size, given)
        case None if question.direction == "=>":
            return SideNotValid("right", outcome.right, given)
        case None:
            return SideNotValid("left", outcome.left, given)
        case _:
            assert_never(outcome.parting)


def _ranks(instance: Instance) -> tuple[tuple[str, int], ...]:
    """The ranks that the rule names: not those of the axes of families."""
    return tuple((group, rank) for group, rank in instance.ranks if not group.startswith(FAMILY))


def _values(instance: Instance) -> Iterator[tuple[str, str]]:
    for name, axis in instance.maps:
        if axis:
            yield name, str(list(axis)) if len(axis) != 1 else str(axis[0])
    for name, value in instance.integers:
        yield name, str(value)
    yield from instance.scalars


def _element(value: str, origin: Origin) -> SideElement:
    return SideElement(value, _how(origin), _from(origin))


def _how(origin: Origin) -> ElementOrigin:
    match origin:
        case EntryOf():
            return ElementOrigin.READ
        case PaddingOf():
            return ElementOrigin.PADDING
        case WrittenConstant():
            return ElementOrigin.CONSTANT
        case Counted():
            return ElementOrigin.IOTA
        case Computed() | FromIndex() | Reduced():
            return ElementOrigin.COMPUTED
        case _:
            assert_never(origin)


def _from(origin: Origin) -> str:
    """The entry or scalar read, the constant, the axis counted, what was computed; nothing where the value is all."""
    match origin:
        case EntryOf(name=name, index=index):
            return f"{name}[{', '.join(map(str, index))}]" if index else str(name)
        case PaddingOf(value=value):
            return _from(value) if isinstance(value, EntryOf) else ""
        case Counted(axis=axis):
            return str(axis)
        case Computed(operator=operator, operands=operands):
            return applied(operator, [element_text(operand) for operand in operands]) if operands else ""
        case WrittenConstant(text=text):
            return text
        case FromIndex() | Reduced():
            return ""
        case _:
            assert_never(origin)
