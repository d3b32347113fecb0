"""Formulas as LaTeX, put in order and printed by sympy, with closed forms where sums have one.

sympy is loaded when a first formula is asked for, which takes most of a second: never while somebody types, and in no
check. Nothing that is shown here is used in a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, assert_never

from rewright.report.formulas.tree import Called, Folded, Formula, Indexed, Infix, Piecewise, Value, Variable

SYMBOLS = {"maximum": r"\max", "minimum": r"\min", "and": r"\bigwedge", "or": r"\bigvee"}
"""Of reductions that sympy has no sign for; a declared monoid is written by its name."""

Expression = Any
"""An expression of sympy, which has no types."""


def latex(formula: Formula) -> str:
    """The formula as LaTeX; of a sum of powers of its index, with what it is equal to."""
    import sympy

    found = _expression(formula)
    shown = str(sympy.latex(found))
    if not isinstance(found, sympy.Sum) or not found.function.is_polynomial(*found.variables):
        return shown
    if found.function.has(sympy.Indexed, sympy.Function):
        return shown
    return f"{shown} = {sympy.latex(sympy.factor(found.doit()))}"


def _expression(formula: Formula) -> Expression:
    import sympy

    match formula:
        case Value(value=number):
            return sympy.Rational(number.numerator, number.denominator)
        case Variable(name=name):
            return sympy.Symbol(name)
        case Indexed(tensor=tensor, indices=indices, written=written):
            name = sympy.Symbol(_typed(tensor) if written else tensor)
            return sympy.Indexed(sympy.IndexedBase(name), *map(_expression, indices)) if indices else name
        case Infix(sign=sign, left=left, right=right):
            return _arithmetic(sign)(_expression(left), _expression(right))
        case Called(function=function, operands=operands):
            return _function(function)(*map(_expression, operands))
        case Piecewise(condition=condition, consequent=consequent, alternative=alternative):
            test = _expression(condition)
            holds = test if isinstance(test, sympy.logic.boolalg.Boolean) else sympy.Ne(test, 0)
            return sympy.Piecewise((_expression(consequent), holds), (_expression(alternative), True))
        case Folded():
            return _folded(formula)
        case _:
            assert_never(formula)


def _folded(formula: Folded) -> Expression:
    import sympy

    body = _expression(formula.body)
    sizes = [None if size is None else _expression(size) for _, size in formula.ranges]
    indices = [_expression(variable) for variable, _ in formula.ranges]
    known = None not in sizes and formula.ranges
    if known and formula.monoid in ("add", "multiply"):
        ranges = [(index, 0, size - 1) for index, size in zip(indices, sizes, strict=True) if size is not None]
        return (sympy.Sum if formula.monoid == "add" else sympy.Product)(body, *ranges)
    symbol = {"add": r"\sum", "multiply": r"\prod", **SYMBOLS}.get(formula.monoid, _named(formula.monoid))
    bounds = ", ".join(
        str(sympy.latex(index)) + ("" if size is None else f" < {sympy.latex(size)}")
        for index, size in zip(indices, sizes, strict=True)
    )
    body_text = sympy.latex(body)
    return sympy.Symbol(rf"{symbol}_{{{bounds}}} \left({body_text}\right)")


def _arithmetic(sign: str) -> Callable[[Expression, Expression], Expression]:
    import sympy

    table: dict[str, Callable[[Expression, Expression], Expression]] = {
        "+": lambda left, right: left + right,
        "-": lambda left, right: left - right,
        "*": lambda left, right: left * right,
        "/": lambda left, right: left / right if right != 0 else _function("divide")(left, right),
        "^": lambda left, right: left**right,
        "<": sympy.Lt,
        "<=": sympy.Le,
        ">": sympy.Gt,
        ">=": sympy.Ge,
        "==": sympy.Eq,
        "!=": sympy.Ne,
    }
    return table.get(sign) or _function(sign)


def _function(name: str) -> Callable[..., Expression]:
    import sympy

    known: dict[str, Callable[..., Expression]] = {
        "exponential": sympy.exp,
        "exponential_minus_one": lambda x: sympy.exp(x) - 1,
        "log": sympy.log,
        "log_plus_one": lambda x: sympy.log(1 + x),
        "sqrt": sympy.sqrt,
        "rsqrt": lambda x: 1 / sympy.sqrt(x),
        "tanh": sympy.tanh,
        "abs": sympy.Abs,
        "floor": sympy.floor,
        "ceil": sympy.ceiling,
        "sine": sympy.sin,
        "cosine": sympy.cos,
        "erf": sympy.erf,
        "negate": lambda x: -x,
        "maximum": sympy.Max,
        "minimum": sympy.Min,
        "max": sympy.Max,
        "min": sympy.Min,
    }
    found: Callable[..., Expression] = known.get(name) or sympy.Function(_named(name))
    return found


def _named(name: str) -> str:
    """The name of a function in upright letters."""
    return rf"\operatorname{{{_escaped(name)}}}"


def _typed(text: str) -> str:
    return rf"\texttt{{{_escaped(text)}}}"


def _escaped(text: str) -> str:
    special = {"\\": r"\textbackslash{}", **{sign: f"\\{sign}" for sign in "_&%$#{}"}, "~": r"\sim{}", "^": r"\^{}"}
    return "".join(special.get(sign, sign) for sign in text)
