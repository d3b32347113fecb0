"""Expressions of graphs as text in one layout, for what is said of them."""

from __future__ import annotations

from rewright.model.infix import PREFIX, InfixText, joined
from rewright.syntax import nodes

_SIGNS = frozenset("+-*/@")

NO_EXPRESSION = "…"
"""What stands in the text for what is no expression of graphs."""


def expression_text(written: nodes.Expression) -> str:
    """The expression as text. What does not stand in expressions of graphs is `NO_EXPRESSION`."""
    return _infix(written).text


def _infix(written: nodes.Expression) -> InfixText:
    match written:
        case nodes.Name(text=text) | nodes.Number(text=text):
            return InfixText(text)
        case nodes.Unary(operator=sign, operand=operand):
            return InfixText(f"{sign}{_infix(operand).within(PREFIX)}", PREFIX)
        case nodes.Binary(left=left, operator=sign, right=right) if sign in _SIGNS:
            return joined(_infix(left), sign, _infix(right))
        case nodes.Compare(left=left, operator=compared, right=right):
            return joined(_infix(left), compared, _infix(right))
        case nodes.Call(callee=callee, arguments=arguments):
            return InfixText(f"{callee.text}({', '.join(map(_argument, arguments))})")
        case nodes.ListExpr(entries=entries):
            return InfixText(f"[{', '.join(map(_argument, entries))}]")
        case nodes.Tuple(entries=entries):
            return InfixText(f"({', '.join(map(_argument, entries))})")
        case _:
            return InfixText(NO_EXPRESSION)


def _argument(written: nodes.Argument) -> str:
    match written:
        case nodes.Positional(value=value):
            return expression_text(value)
        case nodes.Keyed(name=name, value=value):
            return f"{name.text} = {expression_text(value)}"
        case nodes.Grouped(name=name, value=value):
            return f"{name.text}: {expression_text(value)}"
        case _:
            return NO_EXPRESSION
