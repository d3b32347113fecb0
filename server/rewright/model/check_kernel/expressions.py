"""Expressions of a kernel: from nodes to those of `model.body`, with their types.

What is wrong is noted at its place and gives None, which is passed on in silence. Must not know statements.
"""

from __future__ import annotations

from typing import assert_never

from rewright.model.body import Array, Connective, Expression, Integer, Load, Local, Logical, Position, Real, Variable
from rewright.model.check_kernel.calls import call
from rewright.model.check_kernel.operations import OPERATIONS, operation
from rewright.model.check_kernel.scope import TRIPLES, KernelScope
from rewright.model.conversions import arithmetic, negated, promoted
from rewright.model.declared import SymbolKind
from rewright.model.simt.types import BinaryOperator, Coordinate, Scalar, UnaryOperator
from rewright.model.written import integer_of, kind_of, number_of
from rewright.syntax import nodes
from rewright.syntax.nodes import Positional
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import AnotherKind, CannotStandHere, ElementTypesDiffer

_TRIPLES = {coordinate.value: coordinate for coordinate in TRIPLES}
_IN_WARP = {coordinate.value: coordinate for coordinate in Coordinate if coordinate not in TRIPLES}
_INTEGERS_ONLY = {"%", "<<", ">>", "&", "|", "^"}
_ARITHMETIC = {operator.value: operator for operator in BinaryOperator}


def expression(scope: KernelScope, node: nodes.Expression) -> Expression | None:
    """The value of an expression, None if it has none."""
    match node:
        case nodes.Number():
            return _number(scope, node)
        case nodes.Name():
            return _name(scope, node)
        case nodes.Field():
            return _position(scope, node)
        case nodes.Index():
            return _load(scope, node)
        case nodes.Call():
            return _call(scope, node)
        case nodes.Unary():
            return _unary(scope, node)
        case nodes.Binary():
            return _binary(scope, node)
        case nodes.Compare():
            return _compare(scope, node)
        case nodes.Not():
            operand = truth(scope, node.operand)
            return None if operand is None else negated(UnaryOperator.NOT, operand, scope.place(node.span))
        case nodes.And() | nodes.Or():
            return _connected(scope, node)
        case nodes.Hole():
            scope.notes.unknown("a `?` is still open", node.span)
        case nodes.Missing():
            pass
        case nodes.String() | nodes.Range() | nodes.Quantified() | nodes.ListExpr() | nodes.Tuple() | nodes.Spread():
            scope.notes.error(CannotStandHere(kind_of(node), "a number or a truth"), node.span)
        case _:
            assert_never(node)
    return None


def number(scope: KernelScope, node: nodes.Expression) -> Expression | None:
    """The value of an expression that must be a number."""
    value = expression(scope, node)
    if value is not None and value.type is Scalar.PRED:
        scope.notes.error(CannotStandHere("a truth", "a number"), node.span)
        return None
    return value


def integer(scope: KernelScope, node: nodes.Expression) -> Expression | None:
    """The value of an expression that must be an integer."""
    value = number(scope, node)
    if value is not None and value.type.is_float:
        scope.notes.error(CannotStandHere(f"a number of type {value.type}", "an integer"), node.span)
        return None
    return None if value is None else promoted(value)


def truth(scope: KernelScope, node: nodes.Expression) -> Expression | None:
    """The value of an expression that must be a truth."""
    value = expression(scope, node)
    if value is not None and value.type is not Scalar.PRED:
        scope.notes.error(CannotStandHere(f"a number of type {value.type}", "a truth"), node.span)
        return None
    return value


def access(scope: KernelScope, node: nodes.Index) -> tuple[Array, tuple[Expression, ...]] | None:
    """The array and the indices of an access, None if something is wrong with them."""
    written: list[nodes.Expression] = []
    for entry in node.entries:
        if isinstance(entry, Positional):
            written.append(entry.value)
        else:
            scope.notes.error(CannotStandHere("a named index", "one index per dimension"), entry.span)
            return None
    indices = [integer(scope, index) for index in written]
    array = _array(scope, node.base)
    if array is None:
        return None
    if len(written) != len(array.extents):
        what = f"{len(written)} {'index' if len(written) == 1 else 'indices'}"
        scope.notes.error(CannotStandHere(what, f"{len(array.extents)}, one per dimension"), node.span)
        return None
    complete = tuple(index for index in indices if index is not None)
    return (array, complete) if len(complete) == len(indices) else None


def _array(scope: KernelScope, base: nodes.Expression) -> Array | None:
    if not isinstance(base, nodes.Name):
        if not isinstance(base, nodes.Missing):
            scope.notes.error(CannotStandHere(kind_of(base), "the name of an array"), base.span)
        return None
    entry = scope.look_up(base)
    if entry is None or entry.meaning is None:
        return None
    if isinstance(entry.meaning, Array):
        return entry.meaning
    kind = f"a {entry.kind.value}"
    scope.notes.error(AnotherKind(base.text, kind, "an array", ""), base.span)
    return None


def _number(scope: KernelScope, node: nodes.Number) -> Expression | None:
    value = integer_of(node.text)
    place = scope.place(node.span)
    if value is None and number_of(node.text) is not None:
        return Real(node.text, Scalar.F32, place)
    if value is None or value >= 1 << 63:
        scope.notes.error(CannotStandHere(f"`{node.text[:40]}`", "a number of reasonable length"), node.span)
        return None
    return Integer(value, Scalar.S32 if value < 1 << 31 else Scalar.S64, place)


def _name(scope: KernelScope, node: nodes.Name) -> Expression | None:
    if node.text in ("true", "false"):
        return Integer(int(node.text == "true"), Scalar.PRED, scope.place(node.span))
    if node.text in _IN_WARP and not scope.is_declared(node.text):
        return Position(_IN_WARP[node.text], 0, Scalar.S32, scope.place(node.span))
    if node.text in _TRIPLES and not scope.is_declared(node.text):
        scope.notes.error(CannotStandHere(f"`{node.text}`", f"`{node.text}.x`, `.y` or `.z`"), node.span)
        return None
    entry = scope.look_up(node)
    if entry is None or entry.meaning is None:
        return None
    if isinstance(entry.meaning, Local):
        return Variable(entry.meaning.name, entry.meaning.type, scope.place(node.span))
    kind = f"a {entry.kind.value}" if entry.kind is SymbolKind.SHARED else "an array"
    scope.notes.error(AnotherKind(node.text, kind, "a number", ""), node.span)
    return None


def _position(scope: KernelScope, node: nodes.Field) -> Expression | None:
    base, axis = node.base, "xyz".find(node.name.text)
    if not isinstance(base, nodes.Name) or base.text not in _TRIPLES or len(node.name.text) != 1 or axis < 0:
        known = ", ".join(f"`{name}.x`" for name in _TRIPLES)
        scope.notes.error(CannotStandHere("this field", f"{known} (or `.y`, `.z`)"), node.span)
        return None
    return Position(_TRIPLES[base.text], axis, Scalar.S32, scope.place(node.span))


def _load(scope: KernelScope, node: nodes.Index) -> Expression | None:
    found = access(scope, node)
    if found is None:
        return None
    return Load(found[0].name, found[1], found[0].type, scope.place(node.span))


def _call(scope: KernelScope, node: nodes.Call) -> Expression | None:
    if node.callee.text in OPERATIONS:
        return operation(scope, node)
    return call(scope, node)


def _unary(scope: KernelScope, node: nodes.Unary) -> Expression | None:
    operand = integer(scope, node.operand) if node.operator == "~" else number(scope, node.operand)
    if operand is None or node.operator == "+":
        return operand
    if node.operator == "-" and isinstance(operand, Integer) and operand.value == 1 << 31:
        return Integer(-operand.value, Scalar.S32, scope.place(node.span))
    operator = UnaryOperator.NEGATE if node.operator == "-" else UnaryOperator.COMPLEMENT
    return negated(operator, operand, scope.place(node.span))


def _binary(scope: KernelScope, node: nodes.Binary) -> Expression | None:
    if node.operator not in _ARITHMETIC:
        expected = "`+ - * / %`, shifts or bit operators"
        scope.notes.error(CannotStandHere(f"`{node.operator}`", expected), node.span)
        return None
    sides = (number(scope, node.left), number(scope, node.right))
    return combined(scope, node.span, node.operator, sides)


def combined(
    scope: KernelScope, span: Span, sign: str, sides: tuple[Expression | None, Expression | None]
) -> Expression | None:
    """An arithmetic operator on two numbers."""
    left, right = sides
    if left is None or right is None:
        return None
    floats = [side.type for side in (left, right) if side.type.is_float]
    if floats and sign in _INTEGERS_ONLY:
        scope.notes.error(CannotStandHere(f"`{sign}` on {floats[0]}", "integers"), span)
        return None
    return arithmetic(_ARITHMETIC[sign], left, right, scope.place(span))


def _compare(scope: KernelScope, node: nodes.Compare) -> Expression | None:
    left, right = expression(scope, node.left), expression(scope, node.right)
    if left is None or right is None:
        return None
    if (left.type is Scalar.PRED) != (right.type is Scalar.PRED):
        scope.notes.error(ElementTypesDiffer(node.operator, str(left.type), str(right.type)), node.span)
        return None
    return arithmetic(BinaryOperator(node.operator), left, right, scope.place(node.span))


def _connected(scope: KernelScope, node: nodes.And | nodes.Or) -> Expression | None:
    left, right = truth(scope, node.left), truth(scope, node.right)
    if left is None or right is None:
        return None
    connective = Connective.AND if isinstance(node, nodes.And) else Connective.OR
    return Logical(connective, left, right, Scalar.PRED, scope.place(node.span))
