"""Tensor expressions: names, literals, elementwise operators, and the operands of all other calls.

Owns the step from syntax to `rule.Tensor`. Invariant: an expression that has no value gives None, and the reason was
noted (as an error, as unsupported, or by `syntax/`), so nothing above it says anything more about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import reduce
from typing import assert_never

from msgspec.structs import replace

from rewright.model.check_rule.arguments import check_names
from rewright.model.check_rule.context import RuleContext
from rewright.model.check_rule.element import element_at, element_of, number
from rewright.model.check_rule.element_type import element_type, names_type
from rewright.model.check_rule.families import alike, over_members, spread_axis
from rewright.model.check_rule.function import applied, combined, combined_members, identity
from rewright.model.check_rule.operands import (
    Operands,
    common_groups,
    common_type,
    report_count,
    report_unexpected,
    require,
    same_type,
)
from rewright.model.check_rule.scope import (
    Bound,
    BrokenName,
    DeclaredTensor,
    IndexLet,
    Integer,
    LiteralLet,
    Map,
    TensorLet,
)
from rewright.model.check_rule.structural import structural
from rewright.model.check_rule.structural_call import Reducer, StructuralCall
from rewright.model.index import Name
from rewright.model.operator_table import (
    BUILT_IN_NAMES,
    CONSTANT_NAMES,
    OPERATOR_NAMES,
    operator_named,
    operator_signed,
)
from rewright.model.operators import Family, Operator
from rewright.model.rule import FunctionDeclaration, MonoidDeclaration, ScalarDeclaration
from rewright.model.tensor import DECLARED, Constant, ElementType, Pointwise, ScalarReference, Tensor, TensorReference
from rewright.model.types import PRED, Need, TypeOrigin, provides
from rewright.model.written import kind_of, number_of
from rewright.syntax.nodes import (
    And,
    Argument,
    Binary,
    Call,
    Compare,
    Expression,
    Field,
    Hole,
    Index,
    Keyed,
    ListExpr,
    Missing,
    Not,
    Number,
    Or,
    Positional,
    Quantified,
    Range,
    Spread,
    String,
    Tuple,
    Unary,
)
from rewright.syntax.nodes import Name as Written
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import AnotherKind, CannotStandHere, OperatorNeeds, UnknownOperator


def tensor(context: RuleContext, node: Expression) -> Tensor | None:
    """The value of a tensor expression; None where it has none, all of which is noted."""
    value = _tensor(context, node)
    if value is not None and not context.per_element:
        context.typed.setdefault(value.site, value)
    return value


def _tensor(context: RuleContext, node: Expression) -> Tensor | None:
    match node:
        case Written():
            return _name(context, node)
        case Number():
            return number(context, node, node.text)
        case Unary():
            return _unary(context, node)
        case Binary(left=left, right=right) | Compare(left=left, right=right):
            return _elementwise(context, operator_signed(node.operator), node.operator, (left, right), node.span)
        case And(left=left, right=right):
            return _elementwise(context, operator_signed("and"), "and", (left, right), node.span)
        case Or(left=left, right=right):
            return _elementwise(context, operator_signed("or"), "or", (left, right), node.span)
        case Not(operand=operand):
            return _elementwise(context, operator_signed("not"), "not", (operand,), node.span)
        case Call():
            return _call(context, node)
        case Index():
            return element_at(context, node)
        case Hole():
            context.notes.unknown("a hole `?` is open", node.span)
        case Missing():
            pass
        case String() | Field() | Range() | Quantified() | ListExpr() | Tuple() | Spread():
            context.notes.error(CannotStandHere(kind_of(node), "a tensor or a scalar"), node.span)
        case _:
            assert_never(node)
    return None


def _name(context: RuleContext, node: Written) -> Tensor | None:
    site = context.notes.site
    if node.text in {"true", "false"}:
        return Constant(node.text, PRED, (), site(node.span))
    if node.text in {"lowest", "highest"}:
        type_ = context.types.fresh(TypeOrigin(node.text, "", site(node.span)))
        require(context, type_, Need.NUMBER, (node.text, node.span))
        return Constant(node.text, type_, (), site(node.span))
    meaning = context.scope.look_up(node, "name")
    match meaning:
        case DeclaredTensor() if context.per_element:
            expected = f"an element: `{node.text}[i]` with the bound index of each of its groups"
            context.scope.wrong_kind(node, meaning, expected)
        case DeclaredTensor(type=type_, groups=groups):
            return TensorReference(Name(node.text), type_, groups, site(node.span))
        case ScalarDeclaration(name=name, type=type_):
            return ScalarReference(name, type_, (), site(node.span))
        case TensorLet(value=value):
            return value
        case LiteralLet(value=literal):
            return tensor(context, literal)
        case Map() | Integer() | IndexLet():
            fix = f"`elem({node.text})` is the element of an integer"
            context.scope.wrong_kind(node, meaning, "a tensor or a scalar", fix)
        case Bound() as bound:
            fix = f"`elem({node.text})` is its element"
            context.scope.wrong_kind(node, bound, "a tensor or a scalar", fix)
        case None | BrokenName():
            pass
        case other:
            context.scope.wrong_kind(node, other, "a tensor or a scalar")
    return None


def _unary(context: RuleContext, node: Unary) -> Tensor | None:
    if node.operator == "+":
        return tensor(context, node.operand)
    if node.operator == "-" and isinstance(node.operand, Number) and number_of(node.operand.text):
        return number(context, node, f"-{node.operand.text}")
    operator = operator_named("negate") if node.operator == "-" else operator_signed("~")
    return None if operator is None else _elementwise(context, operator, node.operator, (node.operand,), node.span)


def _elementwise(
    context: RuleContext, operator: Operator, written: str, nodes: Sequence[Expression], span: Span
) -> Tensor | None:
    """An elementwise operator, however it is written."""
    values = [tensor(context, node) for node in nodes]
    return _pointwise(context, operator, written, values, (nodes, span))


def _pointwise(
    context: RuleContext,
    operator: Operator,
    written: str,
    values: Sequence[Tensor | None],
    places: tuple[Sequence[Expression], Span],
) -> Tensor | None:
    """An elementwise operator of operands that were read."""
    nodes, span = places
    decided = operator.decided and operator.family is not Family.DOT
    if not decided:
        context.notes.not_supported(f"`{written}`", span)
    tensors = alike(context, [value for value in values if value is not None])
    if len(tensors) != len(nodes) or operator.family in {Family.NAMES_ONLY, Family.DOT}:
        return None
    operands = Operands(written, tensors, tuple(node.span for node in nodes))
    groups = common_groups(context, operands)
    type_ = _result_type(context, operator, operands, span)
    if groups is None or type_ is None:
        return None
    return Pointwise(operator.name, tensors, type_, groups, context.notes.site(span))


def _result_type(context: RuleContext, operator: Operator, operands: Operands, span: Span) -> ElementType | None:
    match operator.family:
        case Family.SELECT:
            predicate = same_type(context, operands.operator, (PRED, operands.tensors[0].type), operands.spans[0])
            branches = Operands(operands.operator, operands.tensors[1:], operands.spans[1:])
            chosen = common_type(context, branches)
            return chosen if predicate else None
        case Family.COMPARISON:
            compared = common_type(context, operands)
            if compared is None:
                return None
            require(context, compared, operator.need, (operands.operator, span))
            return PRED
        case _:
            type_ = common_type(context, operands)
            if type_ is not None:
                require(context, type_, operator.need, (operands.operator, span))
            return type_


def _call(context: RuleContext, node: Call) -> Tensor | None:
    name = node.callee.text
    if name == "elem":
        return element_of(context, node)
    operator = operator_named(name)
    if operator is None:
        return _call_of_declared(context, node)
    context.notes.use_operator(node.callee.span, operator.name)
    match operator.family:
        case Family.POINTWISE | Family.SELECT | Family.CLAMP:
            return _elementwise_call(context, operator, node)
        case Family.NAMES_ONLY:
            match name, node.arguments:
                case "convert", (Positional(value=operand), Positional(value=Written() as target)):
                    return _converted(context, node, operand, target)
            check_names(context, node)
            context.notes.not_supported(f"`{name}`", node.span)
            return None
        case _:
            if context.per_element:
                context.notes.error(CannotStandHere(kind_of(node), "arithmetic on elements"), node.span)
                return None
            return structural(context, _with_operands(context, operator, node))


def _elementwise_call(context: RuleContext, operator: Operator, node: Call) -> Tensor | None:
    nodes = [argument.value for argument in node.arguments if isinstance(argument, Positional)]
    if operator.reduction and any(isinstance(each, Spread) for each in nodes):
        return _of_members(context, operator, node)
    expected = operator.operands or 0
    if len(nodes) != len(node.arguments) or len(nodes) != expected:
        for operand in nodes:
            tensor(context, operand)
        report_count(context, node, expected)
        return None
    return _elementwise(context, operator, node.callee.text, nodes, node.span)


def _of_members(context: RuleContext, operator: Operator, node: Call) -> Tensor | None:
    """An operator of any number of operands, among them all members of families."""
    operands = _members(context, node, Reducer(operator.name, operator.need))
    if operands is None:
        return None
    groups, type_ = common_groups(context, operands), common_type(context, operands)
    if groups is None or type_ is None:
        return None
    require(context, type_, operator.need, (operands.operator, node.span))
    site = context.notes.site(node.span)
    return reduce(lambda left, right: Pointwise(operator.name, (left, right), type_, groups, site), operands.tensors)


def _members(context: RuleContext, node: Call, by: Reducer) -> Operands | None:
    """The operands of a call, those of a family combined; None if one is wrong, which was reported."""
    if context.per_element:
        context.notes.error(CannotStandHere("`...`", "elements, as in `X[i]`"), node.span)
        return None
    parts: list[Tensor] = []
    for argument in node.arguments:
        value = argument.value if isinstance(argument, Positional) else None
        if value is None:
            report_unexpected(context, node.callee, [argument])
            continue
        operand = tensor(context, value.value if isinstance(value, Spread) else value)
        axis = spread_axis(context, operand, value.span) if operand and isinstance(value, Spread) else None
        if operand is not None and isinstance(value, Spread):
            site = context.notes.site(node.span)
            operand = None if axis is None else over_members(operand, axis, (by.name, by.by), site)
        parts += () if operand is None else (operand,)
    spans = tuple(argument.span for argument in node.arguments)
    return Operands(node.callee.text, alike(context, parts), spans) if len(parts) == len(spans) else None


def _is_spread(argument: Argument) -> bool:
    return isinstance(argument, Positional) and isinstance(argument.value, Spread)


def _converted(context: RuleContext, node: Call, operand: Expression, target: Written) -> Tensor | None:
    """The conversion of truths to numbers: 1 where they hold, else 0. Any other is noted as not supported."""
    value = tensor(context, operand)
    type_ = element_type(context, target)
    if value is None or type_ is None:
        return None
    numbers = context.types.constraint(type_)
    if context.types.constraint(value.type) != "pred" or numbers is None or not provides(numbers, Need.NUMBER):
        context.notes.not_supported("`convert`", node.span)
        return None
    site = context.notes.site(node.span)
    one, none = (Constant(text, type_, (), site) for text in ("1", "0"))
    return Pointwise("select", (value, one, none), type_, value.groups, site)


def _with_operands(context: RuleContext, operator: Operator, node: Call) -> StructuralCall:
    """The call with its operands checked and taken out of its arguments."""
    rest = list(node.arguments)
    match operator.family:
        case Family.IOTA:
            return StructuralCall(node, operator, (), (), *_type_of_iota(context, node, rest))
        case Family.REDUCE | Family.REDUCE_WINDOW:
            init = _take_init(context, rest)
            taken = _take(rest, 1, operator.operands or 0)
            return replace(_structural_call(context, (node, operator), taken, rest), init=init)
        case Family.CONCATENATE:
            count = sum(isinstance(argument, Positional) for argument in rest) - 1
            if count < 1:
                needed = "an operand before the axis, as in `concatenate(X, d)`"
                context.notes.error(OperatorNeeds(node.callee.text, needed), node.callee.span)
                return StructuralCall(node, operator, (None,), (), ())
            return _structural_call(context, (node, operator), _take(rest, 0, max(count, 1)), rest)
        case _:
            return _structural_call(context, (node, operator), _take(rest, 0, operator.operands or 0), rest)


def _structural_call(
    context: RuleContext,
    call: tuple[Call, Operator],
    operands: Sequence[Expression | None],
    rest: Sequence[Argument],
) -> StructuralCall:
    node, operator = call
    present = [operand for operand in operands if operand is not None]
    spread = tuple(isinstance(operand, Spread) and operator.family is Family.CONCATENATE for operand in present)
    values = [
        tensor(context, operand.value if isinstance(operand, Spread) and members else operand)
        for operand, members in zip(present, spread, strict=True)
    ]
    if len(present) != len(operands):
        report_count(context, node, len(operands))
        values += [None] * (len(operands) - len(present))
    spans = tuple(operand.span for operand in present)
    return StructuralCall(node, operator, tuple(values), spans, tuple(rest), spread=spread)


def _take(rest: list[Argument], start: int, count: int) -> list[Expression | None]:
    """Takes `count` positional arguments out of the list from a position on; None for those that are not there."""
    taken: list[Expression | None] = []
    for _ in range(count):
        argument = rest[start] if start < len(rest) else None
        if isinstance(argument, Positional):
            taken.append(argument.value)
            del rest[start]
        else:
            taken.append(None)
    return taken


def _take_init(context: RuleContext, rest: list[Argument]) -> tuple[Tensor | None, Span] | None:
    for argument in rest:
        if isinstance(argument, Keyed) and argument.name.text == "init":
            rest.remove(argument)
            return tensor(context, argument.value), argument.value.span
    return None


def _type_of_iota(
    context: RuleContext, node: Call, rest: list[Argument]
) -> tuple[tuple[Argument, ...], ElementType | None]:
    """The arguments without the type, if one is written first, and that type or one to be inferred."""
    first = rest[0] if rest else None
    if isinstance(first, Positional) and isinstance(first.value, Written) and names_type(context, first.value):
        return tuple(rest[1:]), element_type(context, first.value)
    axis = first.value.text if isinstance(first, Positional) and isinstance(first.value, Written) else "d"
    fix = f"iota(T, {axis}, …)"
    return tuple(rest), context.types.fresh(TypeOrigin("iota", fix, context.notes.site(node.span)))


def _call_of_declared(context: RuleContext, node: Call) -> Tensor | None:
    callee = node.callee
    entry = context.scope.entry(callee.text)
    if callee.text == "prod":
        fix = "`elem(prod(n))` is its element"
        context.notes.error(AnotherKind("prod", "an integer", "a tensor or a scalar", fix), callee.span)
    elif callee.text in CONSTANT_NAMES:
        fix = f"it takes no operands: `{callee.text}`"
        context.notes.error(AnotherKind(callee.text, "a constant", "an operator", fix), callee.span)
    elif callee.text == "identity":
        return identity(context, node)
    elif entry is None:
        nearest = get_close_matches(callee.text, OPERATOR_NAMES | BUILT_IN_NAMES, n=1)
        context.notes.undeclared(UnknownOperator(callee.text, nearest[0] if nearest else None), callee)
    else:
        return _call_of_operation(context, node)
    return None


def _call_of_operation(context: RuleContext, node: Call) -> Tensor | None:
    meaning = context.scope.look_up(node.callee, "operator")
    if meaning is not None and not isinstance(meaning, FunctionDeclaration | MonoidDeclaration | BrokenName):
        context.scope.wrong_kind(node.callee, meaning, "an operator")
        return None
    if isinstance(meaning, MonoidDeclaration) and any(_is_spread(argument) for argument in node.arguments):
        operands = _members(context, node, Reducer(DECLARED, None, meaning))
        return None if operands is None else combined_members(context, node, meaning, operands)
    values = [tensor(context, argument.value) for argument in node.arguments if isinstance(argument, Positional)]
    if isinstance(meaning, MonoidDeclaration):
        return combined(context, node, meaning, values)
    return applied(context, node, meaning, values) if isinstance(meaning, FunctionDeclaration) else None
