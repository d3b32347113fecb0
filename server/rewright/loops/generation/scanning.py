"""Loops that run the operations of a nest in an order: isl's syntax tree, read into ours.

isl names the loop of component n `c{n}`; `naming` gives loops the names of people.
"""

from __future__ import annotations

from typing import Any

import islpy as isl

from rewright.loops.generation.orders import NestSets
from rewright.loops.generation.written import (
    WrittenBody,
    WrittenGuard,
    WrittenLoop,
    WrittenStatement,
    simplified,
    substituted,
)
from rewright.model.index import Name
from rewright.model.nest import (
    AffineComparison,
    AffineExpression,
    AffineNumber,
    AffineOperation,
    AffineVariable,
    ArithmeticOperator,
    BothHold,
    ComparisonOperator,
    Condition,
    EitherHolds,
)

_ARITHMETIC: dict[str, ArithmeticOperator] = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    **dict.fromkeys(("fdiv_q", "pdiv_q", "div"), "//"),
    **dict.fromkeys(("pdiv_r", "zdiv_r"), "%"),
    "min": "min",
    "max": "max",
}
_COMPARISONS: dict[str, ComparisonOperator] = {"eq": "==", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}


class NotScanned(Exception):
    """isl's loops have something that ours cannot say; the text names it."""


def scanned(sets: NestSets, order: isl.UnionMap | isl.Schedule) -> WrittenBody:
    """Loops that run the operations in an order. Raises `NotScanned`."""
    build = isl.AstBuild.from_context(sets.holds)
    made = build.node_from_schedule(order) if isinstance(order, isl.Schedule) else build.node_from_schedule_map(order)
    return _Scan(sets).body(made)


class _Scan:
    """The reading of isl's tree."""

    def __init__(self, sets: NestSets) -> None:
        self._parameters = {text: name for name, text in sets.names.parameters.items()}
        self._numbers = {each.tuple_name: number for number, each in enumerate(sets.statements)}

    def body(self, node: isl.AstNode) -> WrittenBody:
        """The items that a node comes to."""
        match _type(node):
            case "for_":
                return self._loop(node)
            case "if_":
                holds, then = self.condition(node.if_get_cond()), self.body(node.if_get_then_node())
                otherwise = self.body(node.if_get_else_node()) if node.if_has_else_node() else ()
                return (WrittenGuard(holds, then, otherwise),)
            case "block":
                children = node.block_get_children()
                parts = [self.body(children.get_at(number)) for number in range(children.n_ast_node())]
                return tuple(item for part in parts for item in part)
            case "user":
                called = node.user_get_expr()
                name = called.get_op_arg(0).get_id().get_name()
                given = [self.expression(called.get_op_arg(at)) for at in range(1, called.get_op_n_arg())]
                return (WrittenStatement(self._numbers[name], tuple(given)),)
            case "mark":
                return self.body(node.mark_get_node())
            case other:
                raise NotScanned(f"a node {other}")

    def _loop(self, node: isl.AstNode) -> WrittenBody:
        iterator = Name(node.for_get_iterator().get_id().get_name())
        low, body = self.expression(node.for_get_init()), self.body(node.for_get_body())
        if node.for_is_degenerate():
            return substituted(body, {iterator: low})
        step = self.expression(node.for_get_inc())
        if not isinstance(step, AffineNumber):
            raise NotScanned("a step that is no number")
        return (WrittenLoop(iterator, low, self._high(node.for_get_cond(), iterator), step.value, body),)

    def _high(self, condition: isl.AstExpr, iterator: Name) -> AffineExpression:
        """The bound, not included, of a loop that goes on while a condition holds."""
        match self.condition(condition):
            case AffineComparison(operator="<", left=AffineVariable(name=name), right=right) if name == iterator:
                return right
            case AffineComparison(operator="<=", left=AffineVariable(name=name), right=right) if name == iterator:
                return one_more(right)
            case _:
                raise NotScanned("a loop with another end than a bound")

    def condition(self, written: isl.AstExpr) -> Condition:
        """A condition."""
        if _type(written) != "op":
            raise NotScanned("a number as a condition")
        operator = _operator(written)
        parts = [written.get_op_arg(at) for at in range(written.get_op_n_arg())]
        if operator in _COMPARISONS:
            return AffineComparison(_COMPARISONS[operator], self.expression(parts[0]), self.expression(parts[1]))
        if operator in ("and_", "and_then"):
            return BothHold(self.condition(parts[0]), self.condition(parts[1]))
        if operator in ("or_", "or_else"):
            return EitherHolds(self.condition(parts[0]), self.condition(parts[1]))
        raise NotScanned(f"an operator {operator}")

    def expression(self, written: isl.AstExpr) -> AffineExpression:
        """An expression."""
        match _type(written):
            case "int":
                return AffineNumber(int(written.get_val().to_python()))
            case "id":
                name = written.get_id().get_name()
                return AffineVariable(self._parameters.get(name, Name(name)))
            case _:
                return simplified(self._operation(written))

    def _operation(self, written: isl.AstExpr) -> AffineExpression:
        operator = _operator(written)
        parts = [self.expression(written.get_op_arg(at)) for at in range(written.get_op_n_arg())]
        if operator == "minus":
            return AffineOperation("-", AffineNumber(0), parts[0])
        if operator not in _ARITHMETIC:
            raise NotScanned(f"an operator {operator}")
        if operator in ("min", "max"):
            parts.sort(key=self._is_known)
        made = parts[0]
        for part in parts[1:]:
            made = AffineOperation(_ARITHMETIC[operator], made, part)
        return made

    def _is_known(self, expression: AffineExpression) -> bool:
        """Whether an expression speaks of parameters only: of several bounds, the end of the array comes last."""
        match expression:
            case AffineVariable(name=name):
                return name in self._parameters.values()
            case AffineOperation(left=left, right=right):
                return self._is_known(left) and self._is_known(right)
            case _:
                return True


def _type(of: isl.AstNode | isl.AstExpr) -> str:
    found: Any = of.get_type()
    return str(found.name)


def _operator(of: isl.AstExpr) -> str:
    found: Any = of.get_op_type()
    return str(found.name)


def one_more(bound: AffineExpression) -> AffineExpression:
    """A bound and 1; of a least or greatest, of each of its parts."""
    match bound:
        case AffineOperation(operator="min" | "max" as operator, left=left, right=right):
            return AffineOperation(operator, one_more(left), one_more(right))
        case _:
            return simplified(AffineOperation("+", bound, AffineNumber(1)))
