"""Structured code laid out as numbered instructions, so that a lane's place in the program is one number.

Invariant: the layout keeps the order of the text; a loop's test stands before its body and what follows the loop
behind it. So the group with the smallest number is the one that others may still catch up with ("smallest program
counter first"). Must not know lanes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from rewright.kernels.evaluate import is_sensitive
from rewright.model.body import Assert, Assign, Assume, Barrier, Expression, If, Return, Statement, Store, While
from rewright.model.index import Name
from rewright.verdict import Place


@dataclass(frozen=True, slots=True)
class Branch:
    """Goes on with the next instruction where the condition holds, else at `otherwise`.

    `forgets` lists the variables that both ways may set, if setting them is all that either does, and `join` is where
    the ways meet: a lane whose condition is not known goes there and no longer knows these variables.
    """

    condition: Expression
    otherwise: int
    forgets: tuple[Name, ...] | None
    join: int
    place: Place


@dataclass(frozen=True, slots=True)
class Jump:
    """Goes on at `target`."""

    target: int


Instruction = Assign | Store | Branch | Jump | Barrier | Return | Assert | Assume


def layout(body: tuple[Statement, ...]) -> tuple[Instruction, ...]:
    """The instructions of a program; running past the last one ends a lane."""
    return tuple(_block(body, 0))


def _block(body: tuple[Statement, ...], at: int) -> list[Instruction]:
    code: list[Instruction] = []
    for statement in body:
        code += _statement(statement, at + len(code))
    return code


def _statement(statement: Statement, at: int) -> list[Instruction]:
    match statement:
        case If():
            return _if(statement, at)
        case While():
            body = _block(statement.body, at + 1)
            end = at + 1 + len(body) + 1
            return [Branch(statement.condition, end, None, end, statement.condition.place), *body, Jump(at)]
        case Assign() | Store() | Barrier() | Return() | Assert() | Assume():
            return [statement]
        case _:
            assert_never(statement)


def _if(statement: If, at: int) -> list[Instruction]:
    then = _block(statement.then, at + 1)
    place = statement.condition.place
    forgets = _forgets(statement)
    if not statement.otherwise:
        end = at + 1 + len(then)
        return [Branch(statement.condition, end, forgets, end, place), *then]
    second = at + 1 + len(then) + 1
    otherwise = _block(statement.otherwise, second)
    end = second + len(otherwise)
    return [Branch(statement.condition, second, forgets, end, place), *then, Jump(end), *otherwise]


def _forgets(statement: If) -> tuple[Name, ...] | None:
    """The variables that the branches set, None if a branch does anything else that matters."""
    names: list[Name] = []
    for inner in _flat(statement.then + statement.otherwise):
        if not isinstance(inner, Assign) or is_sensitive(inner.value):
            return None
        names.append(inner.name)
    return tuple(dict.fromkeys(names))


def _flat(body: tuple[Statement, ...]) -> Iterator[Statement]:
    for statement in body:
        if isinstance(statement, If) and not is_sensitive(statement.condition):
            yield from _flat(statement.then + statement.otherwise)
        else:
            yield statement
