"""`let (a, b) = reduce((add, max), (X, Y), C)`: several reducers over one range.

Owns the step from such a `let` to one for each name. Invariant: what it gives for a name stands where the name stands,
so that no two reductions share a place. Must not know what a reduction is.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.operator_table import OPERATORS
from rewright.model.operators import Family
from rewright.syntax.nodes import Argument, Call, Expression, Keyed, Let, Name, Positional, RuleItem, Tuple
from rewright.syntax.text import Span

REDUCTIONS = frozenset(
    name for row in OPERATORS if row.family in {Family.REDUCE, Family.REDUCE_WINDOW} for name in row.names
)


def apart(items: Sequence[RuleItem]) -> list[RuleItem]:
    """The items, each `let` of several reducers as one of each; any other of several names stays as it is."""
    return [each for item in items for each in (_apart(item) if isinstance(item, Let) else (item,))]


def _apart(let: Let) -> tuple[Let, ...]:
    match let.value:
        case Call(callee=callee, arguments=(first, second, *rest)) if callee.text in REDUCTIONS:
            reducers, operands = _members(first), _members(second)
            if len(let.targets) > 1 and len(let.targets) == len(reducers) == len(operands):
                named = zip(let.targets, reducers, operands, strict=True)
                return tuple(
                    Let(let.span, (name,), None, Call(name.span, callee, (reducer, operand, *_of(rest, number))))
                    for number, (name, reducer, operand) in enumerate(named)
                )
    return (let,)


def miscounted(let: Let) -> tuple[Span, int, int] | None:
    """Where a `let` of several names has a reduction: its place, how many reducers there are and how many operands."""
    match let.value:
        case Call(callee=callee, arguments=(first, second, *_), span=span) if callee.text in REDUCTIONS:
            return span, len(_members(first)) or 1, len(_members(second)) or 1
    return None


def _members(argument: Argument) -> tuple[Argument, ...]:
    """The members of a tuple without names; none of anything else."""
    match argument:
        case Positional(value=Tuple(entries=entries)) if all(isinstance(entry, Positional) for entry in entries):
            return entries
        case _:
            return ()


def _of(rest: Sequence[Argument], number: int) -> list[Argument]:
    """The other arguments, of a tuple of initial values the one with this number."""
    return [_initial(argument, number) if isinstance(argument, Keyed) else argument for argument in rest]


def _initial(argument: Keyed, number: int) -> Argument:
    name: Name = argument.name
    value: Expression = argument.value
    if name.text == "init" and isinstance(value, Tuple) and number < len(value.entries):
        entry = value.entries[number]
        if isinstance(entry, Positional):
            return Keyed(argument.span, name, entry.value)
    return argument
