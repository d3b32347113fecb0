"""Formulas as plain text: Σ, Π and ordinary signs, with as few parentheses as there can be."""

from __future__ import annotations

from typing import assert_never

from rewright.report.formulas.tree import Called, Folded, Formula, Indexed, Infix, Piecewise, Value, Variable

SYMBOLS = {"add": "Σ", "multiply": "Π", "maximum": "max", "minimum": "min", "and": "∀", "or": "∃"}
"""How a reduction is written; a declared monoid is written by its name."""

SIGNS = {"*": "·", "<=": "≤", ">=": "≥", "==": "=", "!=": "≠", "and": "∧", "or": "∨", "-": "−"}
"""Signs that are written in another way than in a rule."""

TIGHTNESS = {"or": 1, "and": 2, "+": 4, "-": 4, "*": 5, "/": 5, "^": 7}
COMPARISON, FOLD, ATOM = 3, 5, 9

FUNCTIONS = {"exponential": "exp", "maximum": "max", "minimum": "min", "sine": "sin", "cosine": "cos"}
"""Functions that are called by a shorter name."""


def text(formula: Formula) -> str:
    """The formula on one line."""
    return _at_least(formula, 0)


def _at_least(formula: Formula, tightness: int) -> str:
    """The formula, in parentheses if what it is made of holds together less tightly."""
    written, own = _written(formula)
    return written if own >= tightness else f"({written})"


def _written(formula: Formula) -> tuple[str, int]:
    match formula:
        case Value(value=number):
            return str(number).replace("-", "−"), ATOM if number >= 0 and number.denominator == 1 else 4
        case Variable(name=name):
            return name, ATOM
        case Indexed(tensor=tensor, indices=indices):
            return f"{tensor}{_index(indices)}", ATOM
        case Infix(sign=sign, left=left, right=right):
            own = TIGHTNESS.get(sign, COMPARISON)
            # a − (b + c), a / (b · c), (a ^ b) ^ c; a fold reaches to the end of what it stands in
            tight_left = own + 1 if sign == "^" or _ends_open(left) else own
            tight_right = own + 1 if sign in "-/" or own == COMPARISON else own
            sides = _at_least(left, ATOM if _ends_open(left) else tight_left), _at_least(right, tight_right)
            return f" {SIGNS.get(sign, sign)} ".join(sides), own
        case Called(function="negate", operands=(operand,)):
            return f"−{_at_least(operand, 6)}", 4
        case Called(function=function, operands=operands):
            return f"{FUNCTIONS.get(function, function)}({', '.join(map(text, operands))})", ATOM
        case Piecewise(condition=condition, consequent=consequent, alternative=alternative):
            test, holds, fails = (_at_least(part, 1) for part in (condition, consequent, alternative))
            return f"{test} ? {holds} : {fails}", 0
        case Folded(monoid=monoid, ranges=ranges, body=body):
            bounds = ", ".join(_range(variable, size) for variable, size in ranges)
            return f"{SYMBOLS.get(monoid, monoid)}[{bounds}] {_at_least(body, FOLD)}", FOLD
        case _:
            assert_never(formula)


def _ends_open(formula: Formula) -> bool:
    """Whether a formula ends with the body of a reduction, which what follows would seem to belong to."""
    match formula:
        case Folded():
            return True
        case Infix(right=right):
            return _ends_open(right)
        case _:
            return False


def _index(indices: tuple[Formula, ...]) -> str:
    return f"[{', '.join(map(text, indices))}]" if indices else ""


def _range(variable: Variable, size: Formula | None) -> str:
    return variable.name if size is None else f"{variable.name} < {_at_least(size, 4)}"
