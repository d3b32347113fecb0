"""What one sentence about a rule's counterexample needs, as text.

Owns the arguments of the findings RW201 to RW203: ranks and values, and where the two sides part, as the replay traced
it. Must not know how they are put into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rewright.checks.counterexample import Reproduced
from rewright.model.operator_table import applied
from rewright.model.rule import RuleQuestion
from rewright.replay.conditions import axis_text
from rewright.replay.elements import element_text
from rewright.replay.outcomes import Fails, Origins, Sizes
from rewright.replay.provenance import Computed, Counted, EntryOf, FromIndex, Origin, PaddingOf, Reduced, Written
from rewright.verdict import Instance


def facts(question: RuleQuestion, found: Reproduced) -> dict[str, str]:
    """The facts of a counterexample.

    For a value, `left_how` says in one word where the left element comes from (read, padding, constant, iota or
    computed) and `left_from` from which; for a shape, `left_size` is the size on the axis `on`; the right likewise.
    """
    outcome = found.outcome
    return {
        "direction": question.direction,
        "domain": question.domain_text,
        "ranks": ", ".join(f"{group} = {rank}" for group, rank in found.instance.ranks),
        "values": ", ".join(_values(found.instance)),
        "at": _index(outcome),
        "left": outcome.left,
        "right": outcome.right,
        **_parting(outcome),
    }


def _values(instance: Instance) -> Iterator[str]:
    for name, axis in instance.maps:
        if axis:
            yield f"{name} = {list(axis)}" if len(axis) != 1 else f"{name} = {axis[0]}"
    for name, value in instance.integers:
        yield f"{name} = {value}"
    for name, element in instance.scalars:
        yield f"{name} = {element}"


def _index(outcome: Fails) -> str:
    """The index of the differing element: one list, or by group where there are several."""
    if len(outcome.at) == 1:
        return str(list(outcome.at[0][1]))
    return ", ".join(f"{group} {list(index)}" for group, index in outcome.at)


def _parting(outcome: Fails) -> dict[str, str]:
    match outcome.parting:
        case Origins(left=left, right=right):
            return {
                "left_how": _how(left),
                "left_from": _from(left),
                "right_how": _how(right),
                "right_from": _from(right),
            }
        case Sizes(group=group, axis=axis, left=left_size, right=right_size):
            return {"on": axis_text(group, axis), "left_size": str(left_size), "right_size": str(right_size)}
        case None:
            return {}
        case _:
            assert_never(outcome.parting)


def _how(origin: Origin) -> str:
    match origin:
        case EntryOf():
            return "read"
        case PaddingOf():
            return "padding"
        case Written():
            return "constant"
        case Counted():
            return "iota"
        case Computed() | FromIndex() | Reduced():
            return "computed"
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
        case Written(text=text):
            return text
        case FromIndex() | Reduced():
            return ""
        case _:
            assert_never(origin)
