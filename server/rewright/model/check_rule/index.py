"""Index expressions: maps and integers, and the rank class on which they are read.

Owns the step from syntax to `rule.Index`. Invariant: an expression that cannot be read gives None and was reported, or
is a part of the text that `syntax/` reported. Must not know elements or tensors, except that an integer scalar used as
an index is its value.
"""

from __future__ import annotations

from rewright.model.check_rule.context import Reading, RuleContext
from rewright.model.check_rule.operands import report_count
from rewright.model.check_rule.scope import Bound, BrokenName, IndexLet, Integer, LiteralLet, Map, TensorLet
from rewright.model.index import (
    BoundIndex,
    Index,
    IndexOperation,
    IndexOperator,
    IntegerReference,
    MapReference,
    Product,
)
from rewright.model.index import Name as RuleName
from rewright.model.index import Number as RuleNumber
from rewright.model.operator_table import operator_named
from rewright.model.operators import Trait
from rewright.model.rule import HOLE, Extent, Group, MapDeclaration, ScalarDeclaration
from rewright.model.tensor import ScalarReference
from rewright.model.types import MACHINE_INTEGERS
from rewright.model.walk import nodes
from rewright.model.written import integer_of, kind_of
from rewright.syntax.nodes import Binary, Call, Expression, Hole, Missing, Name, Number, Positional, Unary
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import AnotherKind, CannotStandHere, MapOnAnotherGroup

_OPERATORS: dict[str, IndexOperator] = {"+": "+", "-": "-", "*": "*", "/": "//", "%": "%"}
FUNCTIONS: dict[str, IndexOperator] = {"minimum": "min", "maximum": "max"}
"""By the name of their row, which has the trait `OF_INDICES`."""


def index(context: RuleContext, node: Expression, reading: Reading) -> Index | None:
    """The value of a map or integer expression; None where it is wrong, all of which is reported."""
    match node:
        case Number():
            return _number(context, node)
        case Name():
            return _name(context, node, reading)
        case Unary():
            return _unary(context, node, reading)
        case Binary():
            return _binary(context, node, reading)
        case Call():
            return _call(context, node, reading)
        case Hole():
            context.notes.unknown("a hole `?` is open", node.span)
            return _hole(context, node, reading)
        case Missing():
            pass
        case _:
            _misplaced(context, node)
    return None


def integer(context: RuleContext, node: Expression) -> Index | None:
    """The value of an integer expression; a map of a single axis is its one value, any other map is reported."""
    reading = Reading()
    value = index(context, node, reading)
    if value is None or reading.rank_class is None:
        return value
    if _on_single_axis(context, reading):
        return Product(value, value.site)
    name = node.text if isinstance(node, Name) else "this"
    if reads_bound(value):
        kind = f"an index along the axis group `{reading.group}`"
        context.notes.error(AnotherKind(name, kind, "an index along a single axis", ""), node.span)
        return None
    kind = f"a map on `{reading.group}`"
    fix = f"`prod({name})` is the product over its axes" if isinstance(node, Name) else ""
    context.notes.error(AnotherKind(name, kind, "an integer", fix), node.span)
    return None


def _on_single_axis(context: RuleContext, reading: Reading) -> bool:
    """Whether an expression is read on exactly one axis."""
    entry = None if reading.rank_class is None else context.scope.entry(reading.rank_class)
    return entry is not None and isinstance(entry.meaning, Group) and entry.meaning.extent is Extent.SINGLE


def reads_map(value: Index) -> bool:
    """Whether the value differs from axis to axis."""
    match value:
        case MapReference() | BoundIndex():
            return True
        case IndexOperation(left=left, right=right):
            return reads_map(left) or reads_map(right)
        case _:
            return False


def reads_bound(value: Index) -> bool:
    """Whether the value depends on a bound index."""
    return any(isinstance(node, BoundIndex) for node in nodes(value))


def _hole(context: RuleContext, node: Hole, reading: Reading) -> Index | None:
    """A map that is not declared, where it is known on which axes it is read."""
    if reading.rank_class is None:
        return None
    name = RuleName(f"{HOLE}{len(context.holes) + 1}")
    context.holes.append(MapDeclaration(name, reading.rank_class))
    return MapReference(name, reading.rank_class, context.notes.site(node.span))


def _number(context: RuleContext, node: Number) -> Index | None:
    value = integer_of(node.text)
    if value is None:
        context.notes.error(CannotStandHere(f"`{node.text}`", "an integer"), node.span)
        return None
    return RuleNumber(value, context.notes.site(node.span))


def _name(context: RuleContext, node: Name, reading: Reading) -> Index | None:
    meaning = context.scope.look_up(node, "name")
    match meaning:
        case Map(declaration, group):
            if _agrees(context, node, (declaration.rank_class, group), reading):
                return MapReference(declaration.name, declaration.rank_class, context.notes.site(node.span))
        case Integer():
            return IntegerReference(RuleName(node.text), context.notes.site(node.span))
        case Bound(group=group):
            return _bound(context, node, group, reading)
        case IndexLet(value, rank_class, group):
            if rank_class is None or _agrees(context, node, (rank_class, group), reading):
                return value
        case LiteralLet(value=literal):
            return index(context, literal, reading)
        case ScalarDeclaration() as scalar:
            return _scalar(context, node, scalar)
        case TensorLet(value=ScalarReference(name=name, type=type_)):
            return _scalar(context, node, ScalarDeclaration(name, type_))
        case None | BrokenName():
            pass
        case other:
            context.scope.wrong_kind(node, other, "a map or an integer")
    return None


def _bound(context: RuleContext, node: Name, group: RuleName, reading: Reading) -> Index | None:
    entry = context.scope.entry(group)
    if entry is None or not isinstance(entry.meaning, Group):
        return None
    if not _agrees(context, node, (entry.meaning.rank_class, group), reading):
        return None
    return BoundIndex(group, entry.meaning.rank_class, context.notes.site(node.span))


def _scalar(context: RuleContext, node: Name, scalar: ScalarDeclaration) -> Index | None:
    constraint = context.types.constraint(scalar.type)
    if constraint == "int" or constraint in MACHINE_INTEGERS:
        return IntegerReference(scalar.name, context.notes.site(node.span))
    fix = "declare it by `int`"
    kind = f"an element of `{context.types.text(scalar.type)}`"
    context.notes.error(AnotherKind(node.text, kind, "a map or an integer", fix), node.span)
    return None


def _agrees(context: RuleContext, node: Name, of: tuple[RuleName, str], reading: Reading) -> bool:
    rank_class, group = of
    if reading.rank_class is None:
        reading.rank_class, reading.group = rank_class, group
        return True
    if reading.rank_class == rank_class:
        return True
    context.notes.error(MapOnAnotherGroup(node.text, group, reading.group), node.span)
    return False


def _unary(context: RuleContext, node: Unary, reading: Reading) -> Index | None:
    if node.operator == "~":
        _no_such_operation(context, node.span, "~")
        return None
    operand = index(context, node.operand, reading)
    if operand is None or node.operator == "+":
        return operand
    site = context.notes.site(node.span)
    if isinstance(operand, RuleNumber):
        return RuleNumber(-operand.value, site)
    return IndexOperation("-", RuleNumber(0, site), operand, site)


def _binary(context: RuleContext, node: Binary, reading: Reading) -> Index | None:
    left, right = index(context, node.left, reading), index(context, node.right, reading)
    operator = _OPERATORS.get(node.operator)
    if operator is None:
        _no_such_operation(context, node.span, node.operator)
        return None
    if left is None or right is None:
        return None
    return IndexOperation(operator, left, right, context.notes.site(node.span))


def _call(context: RuleContext, node: Call, reading: Reading) -> Index | None:
    if node.callee.text == "prod":
        return _product(context, node)
    row = operator_named(node.callee.text)
    if row is None or Trait.OF_INDICES not in row.traits:
        _not_an_index_function(context, node)
        return None
    context.notes.use_operator(node.callee.span, row.name)
    operands = [argument.value for argument in node.arguments if isinstance(argument, Positional)]
    values = [index(context, operand, reading) for operand in operands]
    if len(operands) != 2 or len(node.arguments) != 2:
        report_count(context, node, 2)
        return None
    left, right = values
    if left is None or right is None:
        return None
    return IndexOperation(FUNCTIONS[row.name], left, right, context.notes.site(node.span))


def _product(context: RuleContext, node: Call) -> Index | None:
    match node.arguments:
        case (Positional(value=operand),):
            reading = Reading()
            value = index(context, operand, reading)
            if value is not None and reads_bound(value) and not _on_single_axis(context, reading):
                kind = f"an index along the axis group `{reading.group}`"
                context.notes.error(CannotStandHere(kind, "a map or an index along a single axis"), node.span)
                return None
            return None if value is None else Product(value, context.notes.site(node.span))
        case _:
            report_count(context, node, 1)
            return None


def _not_an_index_function(context: RuleContext, node: Call) -> None:
    expected = "a map or an integer, made of `+ - * / %`, `min`, `max` and `prod`"
    context.notes.error(CannotStandHere(f"`{node.callee.text}(…)`", expected), node.span)


def _no_such_operation(context: RuleContext, span: Span, sign: str) -> None:
    context.notes.error(CannotStandHere(f"`{sign}`", "index arithmetic: `+ - * / %`, `min`, `max`, `prod`"), span)


def _misplaced(context: RuleContext, node: Expression) -> None:
    context.notes.error(CannotStandHere(kind_of(node), "a map or an integer"), node.span)
