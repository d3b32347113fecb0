"""Single elements: number literals, `elem(k)`, and in an assumption the element of a tensor at the bound index.

Invariant: what has no value gives None and was reported. Must not know operators on elements.
"""

from __future__ import annotations

from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.element_type import element_type
from rewright.model.check_rule.families import is_of_family
from rewright.model.check_rule.index import integer
from rewright.model.check_rule.operands import report_count, require
from rewright.model.check_rule.scope import Bound, BrokenName, DeclaredTensor
from rewright.model.index import Name
from rewright.model.tensor import Constant, ElementOf, ElementType, Tensor, TensorReference
from rewright.model.types import Need, TypeOrigin
from rewright.model.written import kind_of, number_of
from rewright.syntax.nodes import Argument, Call, Expression, Index, Missing, Positional
from rewright.syntax.nodes import Name as Written
from rewright.verdict.diagnostics.names import CannotStandHere, GroupsDiffer


def number(context: RuleContext, node: Expression, text: str) -> Tensor | None:
    """The constant that a number literal stands for, its sign included in `text`."""
    value = number_of(text.removeprefix("-"))
    if value is None:
        context.notes.error(CannotStandHere(f"`{text[:40]}`", "a number of reasonable length"), node.span)
        return None
    value = -value if text.startswith("-") else value
    whole = value.denominator == 1
    type_ = context.types.fresh(TypeOrigin(text, f"elem(T, {value})" if whole else "", context.notes.site(node.span)))
    require(context, type_, Need.NUMBER if whole else Need.FRACTION, (text, node.span))
    return Constant(str(value), type_, (), context.notes.site(node.span))


def element_of(context: RuleContext, node: Call) -> Tensor | None:
    """`elem(k)` and `elem(T, k)`: the element of an integer."""
    site = context.notes.site(node.span)
    match node.arguments:
        case (Positional(value=index),):
            value = integer(context, index)
            type_: ElementType | None = context.types.fresh(TypeOrigin("elem", "elem(T, …)", site))
        case (Positional(value=Written() as type_name), Positional(value=index)):
            type_ = element_type(context, type_name)
            value = integer(context, index)
        case _:
            report_count(context, node, 1)
            return None
    if value is None or type_ is None:
        return None
    require(context, type_, Need.NUMBER, ("elem", node.span))
    return ElementOf(value, type_, (), site)


def element_at(context: RuleContext, node: Index) -> Tensor | None:
    """`C[i, j]` in an assumption: the element at the bound index."""
    if not context.per_element or not isinstance(node.base, Written):
        context.notes.error(
            CannotStandHere(kind_of(node), "a tensor; elements are named in `assume forall i on A: …`"), node.span
        )
        return None
    indices = [_bound_index(context, entry) for entry in node.entries]
    meaning = context.scope.look_up(node.base, "name")
    if meaning is None or isinstance(meaning, BrokenName):
        return None
    if not isinstance(meaning, DeclaredTensor):
        context.scope.wrong_kind(node.base, meaning, "a tensor")
        return None
    if any(is_of_family(group) for group in meaning.groups):
        context.scope.wrong_kind(node.base, meaning, "a tensor that is no family")
        return None
    known = [name for name in indices if name is not None]
    if len(known) != len(indices):
        return None
    if sorted(known) != sorted(meaning.groups):
        context.notes.error(GroupsDiffer(f"{node.base.text}[…]", meaning.groups, tuple(known)), node.span)
        return None
    return TensorReference(Name(node.base.text), meaning.type, meaning.groups, context.notes.site(node.span))


def _bound_index(context: RuleContext, entry: Argument) -> Name | None:
    value = entry.value if isinstance(entry, Positional) else None
    if isinstance(value, Written):
        match context.scope.look_up(value, "name"):
            case Bound(group=group):
                return group
            case None | BrokenName():
                return None
            case other:
                context.scope.wrong_kind(value, other, "an index bound by `forall`")
                return None
    if not isinstance(value, Missing):
        context.notes.error(CannotStandHere("this", "an index bound by `forall`"), entry.span)
    return None
