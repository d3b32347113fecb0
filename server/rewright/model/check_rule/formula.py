"""Preconditions: comparisons of maps, integers and scalars, their combinations, and assumptions on contents.

Owns the step from syntax to `rule.Formula` and `rule.Assumption`. Invariant: inside `some A` and `every A` every map is
of the rank class of A; inside `assume forall i on A` tensors are named only with their bound indices.
"""

from __future__ import annotations

from msgspec.structs import replace

from rewright.model.check_rule.context import Reading, RuleContext
from rewright.model.check_rule.index import index, reads_map
from rewright.model.check_rule.operands import Operands, common_type, require
from rewright.model.check_rule.scope import Bound, BrokenName
from rewright.model.check_rule.tensor import tensor
from rewright.model.check_rule.world import World, world
from rewright.model.declared import SymbolKind
from rewright.model.formula import (
    Assumption,
    Conjunction,
    Disjunction,
    ElementComparison,
    Formula,
    IndexComparison,
    Negation,
    Quantified,
    Truth,
)
from rewright.model.index import BoundIndex, Name
from rewright.model.operator_table import operator_signed
from rewright.model.rule import Group
from rewright.model.tensor import Apply, Constant, ElementOf, Pointwise, ScalarReference, Tensor, TensorReference
from rewright.model.types import PRED
from rewright.model.walk import nodes
from rewright.model.written import kind_of
from rewright.syntax.nodes import And, Binder, Compare, Expression, Hole, Missing, Not, Or
from rewright.syntax.nodes import Name as Written
from rewright.syntax.nodes import Quantified as WrittenQuantified
from rewright.verdict.diagnostics.names import CannotStandHere, NotAScalar


def formula(context: RuleContext, node: Expression, axis: Group | None = None) -> Formula | None:
    """The value of a precondition, read on one axis of the class of `axis` if that is given; None where it is wrong."""
    match node:
        case Compare():
            return _comparison(context, node, axis)
        case And(left=left, right=right):
            parts = formula(context, left, axis), formula(context, right, axis)
            return _both(parts, context.notes.site(node.span), Conjunction)
        case Or(left=left, right=right):
            parts = formula(context, left, axis), formula(context, right, axis)
            return _both(parts, context.notes.site(node.span), Disjunction)
        case Not(operand=operand):
            negated = formula(context, operand, axis)
            return None if negated is None else Negation(negated, context.notes.site(node.span))
        case WrittenQuantified():
            return _quantified(context, node)
        case Written(text="true" | "false" as text):
            return Truth(text == "true", context.notes.site(node.span))
        case Hole():
            context.notes.unknown("a hole `?` is open", node.span)
            return Truth(True, context.notes.site(node.span))
        case Missing():
            return None
        case _:
            return _truth(context, node)


def assumption(context: RuleContext, node: Expression) -> Assumption | None:
    """The value of `forall i on A, j on B: p`, nested ones as one; None where it is wrong."""
    if not isinstance(node, WrittenQuantified) or node.word != "forall":
        if not isinstance(node, Missing | Hole):
            expected = "`forall i on A: …`; conditions on maps, integers and scalars stand in `where`"
            context.notes.error(CannotStandHere(kind_of(node), expected), node.span)
        return None
    binders: list[Binder] = []
    body: Expression = node
    while isinstance(body, WrittenQuantified) and body.word == "forall":
        binders += body.binders
        body = body.body
    bound: list[tuple[Written, Name]] = []
    for binder in binders:
        group = context.scope.group(binder.on) if binder.on is not None else None
        if binder.within is not None:
            expected = "an axis group, as in `forall i on A`"
            context.notes.error(CannotStandHere("a range", expected), binder.within.span)
        elif binder.on is None and binder.name is not None:
            context.notes.error(CannotStandHere("an index without its axis group", "`forall i on A`"), binder.span)
        if binder.name is not None and _bind(context, binder.name, group) and group is not None:
            bound.append((binder.name, group.name))
    found = formula(replace(context, per_element=True), body)
    ranged = found is None or _ranges(context, found)
    for binder in binders:
        if binder.name is not None:
            context.scope.withdraw_bound(binder.name)
    if found is None or not ranged or len(bound) != len(binders):
        return None
    return Assumption(tuple(group for _, group in bound), found, context.notes.site(node.span))


def _ranges(context: RuleContext, body: Formula) -> bool:
    """Whether each bound index that is used itself is one at which a tensor is read, so that it has a range."""
    along = {group for each in nodes(body) if isinstance(each, TensorReference) for group in each.groups}
    open_ = [each for each in nodes(body) if isinstance(each, BoundIndex) and each.group not in along]
    for each in open_:
        expected = f"one at which a tensor is read, which gives it its range along `{each.group}`"
        context.notes.error(CannotStandHere("this index", expected), context.notes.sites()[each.site])
    return not open_


def _bind(context: RuleContext, name: Written, group: Group | None) -> bool:
    if not context.scope.declare(name, Bound(group.name) if group is not None else BrokenName()):
        return False
    detail = f"{name.text} on {group.name}" if group is not None else name.text
    context.notes.define(name, SymbolKind.BOUND, detail)
    return True


def _quantified(context: RuleContext, node: WrittenQuantified) -> Formula | None:
    if node.word == "forall":
        context.notes.error(CannotStandHere("`forall`", "a condition; contents stand in `assume forall`"), node.span)
        return None
    if len(node.binders) != 1 or node.binders[0].within is not None or node.binders[0].on is not None:
        what, at = ("a bound name", node) if len(node.binders) < 2 else ("a second axis group", node.binders[1])
        context.notes.error(CannotStandHere(what, f"`{node.word} A: …` with an axis group"), at.span)
        return None
    name = node.binders[0].name
    group = context.scope.group(name) if name is not None else None
    body = formula(context, node.body, group)
    if group is None or body is None:
        return None
    return Quantified(node.word, group.rank_class, body, context.notes.site(node.span))


def _both(
    parts: tuple[Formula | None, Formula | None], site: int, make: type[Conjunction] | type[Disjunction]
) -> Formula | None:
    left, right = parts
    return None if left is None or right is None else make(left, right, site)


def _comparison(context: RuleContext, node: Compare, axis: Group | None) -> Formula | None:
    if world(context.scope, node.left, node.right) in {World.SCALARS, World.ELEMENTS}:
        return _element_comparison(context, node)
    reading = Reading() if axis is None else Reading(axis.rank_class, axis.name)
    left, right = index(context, node.left, reading), index(context, node.right, reading)
    if left is None or right is None:
        return None
    on_axes = reads_map(left) or reads_map(right)
    rank_class = reading.rank_class if on_axes else None
    return IndexComparison(node.operator, left, right, rank_class, context.notes.site(node.span))


def _element_comparison(context: RuleContext, node: Compare) -> Formula | None:
    left, right = tensor(context, node.left), tensor(context, node.right)
    if left is None or right is None:
        return None
    sides = Operands(node.operator, (left, right), (node.left.span, node.right.span))
    single = [_is_element(context, side, at) for side, at in zip((left, right), (node.left, node.right), strict=True)]
    type_ = common_type(context, sides)
    if type_ is None or not all(single):
        return None
    require(context, type_, operator_signed(node.operator).need, (node.operator, node.span))
    return ElementComparison(node.operator, left, right, context.notes.site(node.span))


def _truth(context: RuleContext, node: Expression) -> Formula | None:
    """An element of type pred as a formula."""
    if world(context.scope, node) in {World.INDICES, World.NUMBERS}:
        context.notes.error(CannotStandHere(kind_of(node), "a condition, such as a comparison"), node.span)
        return None
    value = tensor(context, node)
    if value is None or not _is_element(context, value, node):
        return None
    site = context.notes.site(node.span)
    if not context.types.join(PRED, value.type):
        context.notes.error(CannotStandHere(kind_of(node), "a condition, such as a comparison"), node.span)
        return None
    return ElementComparison("==", value, Constant("true", PRED, (), site), site)


def _is_element(context: RuleContext, value: Tensor, node: Expression) -> bool:
    """Whether a side of a comparison is one element, made of scalars, numbers and arithmetic; reported if not."""
    if _made_of_elements(value, context):
        return True
    expected = "a scalar; contents of tensors are constrained by `assume forall i on A: …`"
    diagnosis = (
        NotAScalar(value.groups, expected) if value.groups else CannotStandHere("the result of an operator", expected)
    )
    context.notes.error(diagnosis, node.span)
    return False


def _made_of_elements(value: Tensor, context: RuleContext) -> bool:
    match value:
        case ScalarReference() | Constant() | ElementOf():
            return True
        case TensorReference():
            return context.per_element
        case Pointwise(operands=operands) | Apply(operands=operands):
            return all(_made_of_elements(operand, context) for operand in operands)
        case _:
            return False
