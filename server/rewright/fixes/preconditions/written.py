"""Formulas and index expressions as text of the language.

Owns precedence and spelling. Names stand as they are in the value, so a canonical one's numbers are put back later.
"""

from __future__ import annotations

from typing import assert_never

from rewright.model.formula import (
    Conjunction,
    Disjunction,
    ElementComparison,
    Formula,
    IndexComparison,
    Negation,
    Quantified,
    Truth,
)
from rewright.model.index import BoundIndex, Index, IndexOperation, IntegerReference, MapReference, Number, Product
from rewright.model.tensor import Constant, ScalarReference, Tensor

_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "//": 2, "%": 2}


def formula_text(formula: Formula) -> str:
    """A formula as it is written in a `where`. Raises `ValueError` for elements other than scalars and numbers."""
    match formula:
        case Truth(value=value):
            return "true" if value else "false"
        case IndexComparison(operator=operator, left=left, right=right):
            return f"{index_text(left)} {operator} {index_text(right)}"
        case ElementComparison(operator=operator, left=left_element, right=right_element):
            return f"{_element(left_element)} {operator} {_element(right_element)}"
        case Conjunction(left=first, right=second):
            return f"{_in_conjunction(first)} and {_in_conjunction(second)}"
        case Disjunction(left=first, right=second):
            return f"{_in_disjunction(first)} or {_in_disjunction(second)}"
        case Negation(operand=operand):
            return f"not ({formula_text(operand)})"
        case Quantified(quantifier=quantifier, rank_class=name, body=body):
            return f"{quantifier} {name}: {formula_text(body)}"
        case _:
            assert_never(formula)


def _element(tensor: Tensor) -> str:
    match tensor:
        case ScalarReference(name=name):
            return name
        case Constant(text=text):
            return text
        case _:
            raise ValueError("only scalars and numbers are written")


def _in_conjunction(formula: Formula) -> str:
    text = formula_text(formula)
    return f"({text})" if isinstance(formula, Disjunction | Quantified) else text


def _in_disjunction(formula: Formula) -> str:
    text = formula_text(formula)
    return f"({text})" if isinstance(formula, Quantified) else text


def index_text(index: Index) -> str:
    """An index expression as it is written."""
    return _index(index)[0]


def _index(index: Index) -> tuple[str, int]:
    """The text of an expression, and how tightly it binds."""
    match index:
        case Number(value=value):
            return str(value), 3 if value >= 0 else 1
        case MapReference(name=name) | IntegerReference(name=name):
            return name, 3
        case BoundIndex(group=group):
            # has no name of its own, and stands in assumptions only
            return f"[{group}]", 3
        case IndexOperation(operator="min" | "max" as operator, left=left, right=right):
            return f"{operator}({index_text(left)}, {index_text(right)})", 3
        case IndexOperation(operator=operator, left=left, right=right):
            own = _PRECEDENCE[operator]
            (first, binds), (second, binds_second) = _index(left), _index(right)
            first = first if binds >= own else f"({first})"
            tight = binds_second > own or (binds_second == own and operator == "+")
            second = second if tight else f"({second})"
            return f"{first} {operator} {second}", own
        case Product(operand=operand):
            return f"prod({index_text(operand)})", 3
        case _:
            assert_never(index)
