"""What the expressions of a graph compute: from a node of the tree to nodes of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from fractions import Fraction

from rewright.model.check_graph.arguments import surplus
from rewright.model.check_graph.calls import called
from rewright.model.check_graph.collectives import COLLECTIVES, KEYS
from rewright.model.check_graph.elementwise import elementwise, matmul
from rewright.model.check_graph.opaque_calls import opaque_call
from rewright.model.check_graph.scope import TRUTHS, GraphScope, ShapedNode
from rewright.model.check_graph.structural import OPERATIONS
from rewright.model.graph import Constant, SizeValue
from rewright.model.index import IntegerReference, Name
from rewright.model.operator_table import OPERATOR_NAMES, operator_named, operator_signed
from rewright.model.operators import Family, Operator
from rewright.model.types import Need, provides
from rewright.model.written import kind_of, number_of
from rewright.syntax import nodes
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import CannotStandHere, OperandCount, UnknownOperator

SELECT = "select"

OF_INTEGERS = frozenset({"add", "subtract", "multiply", "negate", "maximum", "minimum", "abs", "sign", SELECT})
"""Elementwise operators, besides comparisons, that give of integers what they give of the reals that these are."""


def expression(scope: GraphScope, written: nodes.Expression) -> ShapedNode | None:
    """The node that an expression computes; None, noted, if it is wrong or not supported."""
    match written:
        case nodes.Number(text=text):
            value = number_of(text)
            if value is not None:
                return constant(scope, value, written.span)
        case nodes.Name(text=text) if text in scope.mesh:
            scope.used(written)
            return constant(scope, Fraction(scope.mesh[text].size), written.span)
        case nodes.Name(text=text) if text in scope.steps:
            scope.used(written)
            return constant(scope, Fraction(scope.steps[text]), written.span)
        case nodes.Name(text=text) if text in scope.sizes:
            scope.used(written)
            return _size_value(scope, text, written.span)
        case nodes.Name():
            return scope.tensor(written)
        case nodes.Unary(operator="-", operand=nodes.Number(text=text)) if (value := number_of(text)) is not None:
            return constant(scope, -value, written.span)
        case nodes.Unary(operator="-", operand=operand):
            return _applied(scope, (operator_named("negate"), "-"), (operand,), written.span)
        case nodes.Binary(left=left, operator="@", right=right):
            first, second = numbers(scope, left), numbers(scope, right)
            return None if first is None or second is None else matmul(scope, first, second, written.span)
        case nodes.Binary(left=left, operator="+" | "-" | "*" | "/" as sign, right=right):
            return _applied(scope, (operator_signed(sign), sign), (left, right), written.span)
        case nodes.Call(callee=nodes.Name(text="rank"), arguments=(nodes.Positional(value=nodes.Name() as name),)):
            axis = scope.axis(name)
            return _size_value(scope, axis.name, written.span) if axis is not None else None
        case nodes.Call():
            return _call(scope, written)
        case nodes.Compare(left=left, operator=sign, right=right):
            return _applied(scope, (operator_signed(sign), sign), (left, right), written.span)
        case nodes.And(left=left, right=right):
            return _applied(scope, (operator_named("and"), "and"), (left, right), written.span)
        case nodes.Or(left=left, right=right):
            return _applied(scope, (operator_named("or"), "or"), (left, right), written.span)
        case nodes.Not(operand=operand):
            return _applied(scope, (operator_named("not"), "not"), (operand,), written.span)
        case nodes.Missing():
            return None
        case nodes.Binary():
            scope.notes.not_supported(f"{kind_of(written)} in a graph", written.span)
            return None
        case _:
            pass
    scope.notes.error(CannotStandHere(kind_of(written), "a tensor"), written.span)
    return None


def constant(scope: GraphScope, value: Fraction, span: Span) -> ShapedNode:
    """A number as a node."""
    return scope.add(Constant(value, (), scope.notes.site(span)), ())


def numbers(scope: GraphScope, written: nodes.Expression) -> ShapedNode | None:
    """The node that an expression computes; None, noted, if it is wrong or of truth values."""
    found = expression(scope, written)
    if found is not None and scope.is_truth(found.number):
        scope.notes.error(CannotStandHere("truth values", "numbers"), written.span)
        return None
    return found


def _size_value(scope: GraphScope, name: str, span: Span) -> ShapedNode:
    """A size, or a coordinate, as a node."""
    site = scope.notes.site(span)
    return scope.add(SizeValue(IntegerReference(Name(name), site), (), site), ())


def results(scope: GraphScope, call: nodes.Call) -> Sequence[ShapedNode] | None:
    """The results of a graph that is called; None, noted, if the call is wrong or not supported."""
    callee = scope.callees[call.callee.text]
    graph = callee.at({name: axis.size for name, axis in scope.mesh.items()}) if callee.at is not None else None
    if callee.fault is not None:
        scope.notes.error(callee.fault, call.callee.span)
    elif graph is None:
        scope.notes.unknown(callee.reason, call.callee.span)
    if graph is None:
        return None
    return called(scope, call, graph, lambda each: numbers(scope, each))


def _only_result(scope: GraphScope, call: nodes.Call) -> ShapedNode | None:
    found = results(scope, call)
    if found is not None and len(found) > 1:
        expected = f"the results of `{call.callee.text}` by name, as in `(a, b) = {call.callee.text}(…)`"
        scope.notes.error(CannotStandHere("a graph of several results", expected), call.span)
        return None
    return found[0] if found is not None else None


def _call(scope: GraphScope, call: nodes.Call) -> ShapedNode | None:
    name = call.callee.text
    if name in scope.callees and operator_named(name) is None:
        opaque = scope.callees[name].operator
        if opaque is not None:
            return opaque_call(scope, call, opaque, lambda each: numbers(scope, each))
        return _only_result(scope, call)
    made = OPERATIONS.get(name) or COLLECTIVES.get(name)
    if made is not None:
        if surplus(scope, call, KEYS.get(name, ())):
            return None
        if name in OPERATIONS:
            scope.notes.use_operator(call.callee.span, name)
        read = numbers if name in COLLECTIVES or name in ("reduce", "gather") else expression
        return made(scope, call, lambda each: read(scope, each))
    operator = operator_named(name)
    if operator is None:
        nearest = get_close_matches(name, OPERATOR_NAMES | COLLECTIVES.keys() | scope.callees.keys(), n=1)
        scope.notes.error(UnknownOperator(name, nearest[0] if nearest else None), call.callee.span)
        return None
    scope.notes.use_operator(call.callee.span, operator.name)
    given = tuple(each.value for each in call.arguments if isinstance(each, nodes.Positional))
    if len(given) == len(call.arguments) and (acts_on_reals(operator) or operator.name == SELECT):
        return _applied(scope, (operator, name), given, call.span)
    scope.notes.not_supported(f"`{name}` in a graph", call.callee.span)
    return None


def acts_on_reals(operator: Operator) -> bool:
    """Whether it is an elementwise operator that gives a real for reals."""
    return (
        operator.family is Family.POINTWISE
        and operator.decided
        and "real" not in operator.undecided_over
        and operator.need is not None
        and provides("real", operator.need)
    )


def _applied(
    scope: GraphScope, operator: tuple[Operator | None, str], written: tuple[nodes.Expression, ...], span: Span
) -> ShapedNode | None:
    row, sign = operator
    assert row is not None
    read = [expression(scope, each) for each in written]
    operands = [each for each in read if each is not None]
    if row.operands is not None and len(read) != row.operands:
        scope.notes.error(OperandCount(sign, row.operands, len(read)), span)
        return None
    if len(operands) < len(read) or not _typed(scope, row, zip(operands, written, strict=True)):
        return None
    if row.name not in OF_INTEGERS | TRUTHS and any(scope.is_of_integers(each.number) for each in operands):
        scope.notes.not_supported(f"`{sign}` of integers in a graph", span)
        return None
    return elementwise(scope, (row.name, sign), operands, span)


def _typed(scope: GraphScope, row: Operator, operands: Iterable[tuple[ShapedNode, nodes.Expression]]) -> bool:
    """Whether the operands are truth values where the operator takes these, else numbers; noted if one is not."""
    for place, (operand, written) in enumerate(operands):
        takes_truth = row.need is Need.LOGIC or (row.name == SELECT and place == 0)
        if scope.is_truth(operand.number) != takes_truth:
            found, needed = ("numbers", "truth values") if takes_truth else ("truth values", "numbers")
            scope.notes.error(CannotStandHere(found, needed), written.span)
            return False
    return True
