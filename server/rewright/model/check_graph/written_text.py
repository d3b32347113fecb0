"""Expressions of graphs as text in one layout, for what is said of them."""

from __future__ import annotations

from rewright.syntax import nodes

STRENGTH = {"+": 1, "-": 1, "*": 2, "/": 2, "@": 2}
"""How strongly infix operators bind."""

UNARY = 3

NO_EXPRESSION = "…"
"""What stands in the text for what is no expression of graphs."""


def expression_text(written: nodes.Expression, around: int = 0) -> str:
    """The expression as text; `around` is how strongly the operator binds that it is an operand of.

    What does not stand in expressions of graphs is `NO_EXPRESSION`.
    """
    match written:
        case nodes.Name(text=text) | nodes.Number(text=text):
            return text
        case nodes.Unary(operator=sign, operand=operand):
            return _in_brackets(f"{sign}{expression_text(operand, UNARY)}", UNARY, around)
        case nodes.Binary(left=left, operator=sign, right=right) if sign in STRENGTH:
            own = STRENGTH[sign]
            found = f"{expression_text(left, own)} {sign} {expression_text(right, own + 1)}"
            return _in_brackets(found, own, around)
        case nodes.Compare(left=left, operator=compared, right=right):
            return _in_brackets(f"{expression_text(left, 1)} {compared} {expression_text(right, 1)}", 0, around)
        case nodes.Call(callee=callee, arguments=arguments):
            return f"{callee.text}({', '.join(map(_argument, arguments))})"
        case nodes.ListExpr(entries=entries):
            return f"[{', '.join(map(_argument, entries))}]"
        case nodes.Tuple(entries=entries):
            return f"({', '.join(map(_argument, entries))})"
        case _:
            return NO_EXPRESSION


def _in_brackets(text: str, own: int, around: int) -> str:
    return f"({text})" if own < around else text


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
