"""A call of an operator that moves, makes or combines data, and the readings of its arguments that they share.

Invariant: what cannot be read gives None and was reported. Must not know what a particular operator makes of it.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.check_rule.arguments import Values, group_attributes, in_groups, selection, selections
from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.operands import Operands, must_be_scalar, require, same_type
from rewright.model.check_rule.scope import BrokenName
from rewright.model.index import Index, Name
from rewright.model.operator_table import COMMUTATIVE, operator_named
from rewright.model.operators import Operator
from rewright.model.rule import Extent, Group, MonoidDeclaration
from rewright.model.tensor import DECLARED, ElementType, Tensor
from rewright.model.types import Need
from rewright.model.written import kind_of
from rewright.syntax.nodes import Argument, Call, Expression, ListExpr, Missing, Positional, Renaming
from rewright.syntax.nodes import Name as Written
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import (
    CannotStandHere,
    GroupTwice,
    NeededByGroup,
    NeedsSingleAxis,
    OperatorNeeds,
    SurplusGroup,
)


class StructuralCall(Struct, frozen=True):
    """A call with its operands checked (None where one is wrong), and the arguments that are no operands.

    `type` is the element type that the call names itself, as `iota(T, …)` does; `init` is the operand of that key;
    `spread` says which operands are each member of a family.
    """

    node: Call
    operator: Operator
    operands: tuple[Tensor | None, ...]
    spans: tuple[Span, ...]
    rest: tuple[Argument, ...]
    type: ElementType | None = None
    init: tuple[Tensor | None, Span] | None = None
    spread: tuple[bool, ...] = ()

    @property
    def first(self) -> Tensor | None:
        """The operand whose groups count."""
        return self.operands[0] if self.operands else None

    @property
    def groups(self) -> tuple[Name, ...] | None:
        """The first operand's groups, None if it is wrong."""
        return None if self.first is None else self.first.groups

    @property
    def name(self) -> str:
        """The operator as it is written."""
        return self.node.callee.text


Chosen = list[tuple[Group, Span]]
"""Axis groups with the places where they are named."""


def site_of(context: RuleContext, call: StructuralCall) -> int:
    """The site of the whole call."""
    return context.notes.site(call.node.span)


def complete_operands(context: RuleContext, call: StructuralCall) -> Operands | None:
    """The operands, None if one is wrong."""
    tensors = tuple(operand for operand in call.operands if operand is not None)
    return Operands(call.name, tensors, call.spans) if len(tensors) == len(call.operands) else None


def in_order(given: dict[Name, Values], groups: tuple[Name, ...]) -> list[tuple[Name, Values]]:
    """The attributes in the operand's order, so that the order in which groups are written does not matter."""
    return [(group, given[group]) for group in groups if group in given]


def new_sizes(
    context: RuleContext, call: StructuralCall, rest: tuple[Argument, ...] | list[Argument]
) -> tuple[tuple[Name, Index], ...] | None:
    """The sizes of new groups; there is no operand that could tell which group a bare size is for."""
    if any(isinstance(argument, Positional) for argument in rest):
        context.notes.error(NeededByGroup(call.name, "A: size", None), call.node.callee.span)
        return None
    if not rest:
        context.notes.error(OperatorNeeds(call.name, "a size, as in `A: n`"), call.node.callee.span)
        return None
    given = group_attributes(context, (call.node, call.operator), rest, None)
    return None if given is None else tuple((group, values["size"]) for group, values in given.items())


def single_axis(
    context: RuleContext, call: StructuralCall, arguments: tuple[Argument, ...] | list[Positional]
) -> tuple[Group, Span] | None:
    """The one `axis` that an operator works along."""
    chosen = selections(context, arguments, call.node.callee)
    return None if chosen is None else only_axis(context, call, chosen, "the axis")


def only_axis(context: RuleContext, call: StructuralCall, chosen: Chosen, missing: str) -> tuple[Group, Span] | None:
    """The one `axis` that was chosen; `missing` says what is to be written where none was."""
    if not chosen:
        context.notes.error(OperatorNeeds(call.name, missing), call.node.callee.span)
        return None
    if len(chosen) > 1:
        context.notes.error(SurplusGroup(call.name, chosen[1][0].name), chosen[1][1])
        return None
    group, span = chosen[0]
    if group.extent is not Extent.SINGLE:
        context.notes.error(NeedsSingleAxis(call.name, group.name), span)
        return None
    return group, span


def chosen_groups(context: RuleContext, call: StructuralCall, chosen: Chosen | None) -> tuple[Name, ...] | None:
    """The chosen groups in the operand's order; each must be one of its groups, once."""
    if chosen is None or call.groups is None:
        return None
    if not all(in_groups(context, group, call.groups, call.name) for group in chosen):
        return None
    if not named_once(context, call, chosen, call.groups):
        return None
    names = {group.name for group, _ in chosen}
    return tuple(group for group in call.groups if group in names)


def named_once(context: RuleContext, call: StructuralCall, named: Chosen, groups: tuple[Name, ...]) -> bool:
    """Whether no group is named twice; reported if one is."""
    seen: set[Name] = set()
    for group, span in named:
        if group.name in seen:
            context.notes.error(GroupTwice(group.name), span)
            return False
        seen.add(group.name)
    return True


def renamings(context: RuleContext, call: StructuralCall) -> list[tuple[tuple[Group, Span], tuple[Group, Span]]] | None:
    """The groups that `I -> J` and `[I, J] -> [J, I]` rename, with what they become."""
    pairs: list[tuple[tuple[Group, Span], tuple[Group, Span]]] = []
    complete = bool(call.rest)
    for argument in call.rest:
        if not isinstance(argument, Renaming):
            context.notes.error(CannotStandHere("this", "a renaming `I -> J`"), argument.span)
            complete = False
            continue
        sources, targets = selection(context, argument.source), selection(context, argument.target)
        if sources is None or targets is None:
            complete = False
        elif len(sources) != len(targets):
            context.notes.error(CannotStandHere("this", "as many groups after `->` as before it"), argument.span)
            complete = False
        else:
            pairs += zip(sources, targets, strict=True)
    if not call.rest:
        missing = "a renaming `I -> J`"
        context.notes.error(OperatorNeeds(call.name, missing), call.node.callee.span)
    return pairs if complete else None


class Reducer(Struct, frozen=True):
    """A monoid: of the table, with what it asks of elements, or of the rule, with its name and its elements' type."""

    name: str
    need: Need | None
    declared: MonoidDeclaration | None = None

    @property
    def by(self) -> Name | None:
        """The name of one that the rule declares."""
        return None if self.declared is None else self.declared.name


def suits(context: RuleContext, call: StructuralCall, reducer: Reducer, type_: ElementType) -> bool:
    """Whether a monoid combines elements of the type; what one of the table needs is noted."""
    require(context, type_, reducer.need, (call.name, call.node.span))
    return reducer.declared is None or same_type(context, call.name, (reducer.declared.type, type_), call.spans[0])


def monoid_of(context: RuleContext, call: StructuralCall) -> Reducer | None:
    """The first argument of `reduce`: a commutative operator of the table, or a `monoid` of the rule."""
    node = _expression(call.rest[0]) if call.rest else None
    if isinstance(node, Written):
        operator = operator_named(node.text)
        if operator is not None and operator.reduction:
            context.notes.use_operator(node.span, operator.name)
            return Reducer(operator.name, operator.need)
        entry = context.scope.entry(node.text)
        if entry is not None and isinstance(entry.meaning, MonoidDeclaration):
            context.scope.look_up(node, "operator")
            return Reducer(DECLARED, None, entry.meaning)
        if entry is not None and isinstance(entry.meaning, BrokenName):
            return None
    if node is None or not isinstance(node, Missing):
        span = call.node.callee.span if node is None else node.span
        what = f"`{call.name}()`" if node is None else kind_of(node)
        context.notes.error(CannotStandHere(what, COMMUTATIVE), span)
    return None


def initial_value(context: RuleContext, call: StructuralCall, type_: ElementType) -> Tensor | None:
    """The operand `init`, None if there is none or if it is no scalar of that type."""
    init, span = call.init or (None, call.node.span)
    if init is None or not must_be_scalar(context, init, span):
        return None
    return init if same_type(context, call.name, (type_, init.type), span) else None


def _expression(argument: Argument) -> Expression | ListExpr | None:
    return argument.value if isinstance(argument, Positional) else None
