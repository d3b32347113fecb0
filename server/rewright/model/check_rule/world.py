"""Whether an expression speaks of indices or of elements, which the language keeps apart.

Owns the reading of a place where both may stand: a `let` and the sides of a comparison. Invariant: nothing is reported
here; a mixture is read as what its strongest part is, and the check of that reading reports the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum

from rewright.model.check_rule.scope import (
    Bound,
    BrokenName,
    DeclaredTensor,
    IndexLet,
    Integer,
    Later,
    LiteralLet,
    Map,
    RuleScope,
    TensorLet,
)
from rewright.model.operator_table import CONSTANT_NAMES, operator_named
from rewright.model.operators import Trait
from rewright.model.rule import ScalarDeclaration
from rewright.model.written import integer_of
from rewright.syntax.nodes import (
    And,
    Binary,
    Call,
    Compare,
    Expression,
    Index,
    Name,
    Not,
    Number,
    Or,
    Positional,
    Unary,
)


class World(IntEnum):
    """What an expression speaks of, the stronger the later: a scalar beside a map is its value, beside a tensor not."""

    NUMBERS = 0
    UNCLEAR = 1
    SCALARS = 2
    INDICES = 3
    ELEMENTS = 4


def world(scope: RuleScope, *nodes: Expression) -> World:
    """The strongest reading of any part of the expressions."""
    return max((_world(scope, node) for node in nodes), default=World.NUMBERS)


def _world(scope: RuleScope, node: Expression) -> World:
    match node:
        case Number(text=text):
            return World.ELEMENTS if integer_of(text) is None else World.NUMBERS
        case Name():
            return _of_name(scope, node.text)
        case Unary(operand=operand):
            return _world(scope, operand)
        case Binary(left=left, right=right):
            return world(scope, left, right)
        case Call():
            return _of_call(scope, node)
        case Compare() | And() | Or() | Not() | Index():
            return World.ELEMENTS
        case _:
            return World.UNCLEAR


def _of_name(scope: RuleScope, name: str) -> World:
    if name in CONSTANT_NAMES:
        return World.ELEMENTS
    entry = scope.entry(name)
    match entry.meaning if entry is not None else None:
        case Map() | Integer() | IndexLet() | Bound():
            return World.INDICES
        case ScalarDeclaration():
            return World.SCALARS
        case TensorLet(value=value):
            return World.ELEMENTS if value.groups else World.SCALARS
        case DeclaredTensor():
            return World.ELEMENTS
        case LiteralLet():
            return World.NUMBERS
        case None | BrokenName() | Later():
            return World.UNCLEAR
        case _:
            return World.UNCLEAR


def _of_call(scope: RuleScope, node: Call) -> World:
    if node.callee.text == "prod":
        return World.INDICES
    operator = operator_named(node.callee.text)
    if operator is not None and Trait.OF_INDICES in operator.traits:
        return world(scope, *_operands(node))
    return World.ELEMENTS


def _operands(node: Call) -> Iterable[Expression]:
    return (argument.value for argument in node.arguments if isinstance(argument, Positional))
