"""Formulas and index expressions as text of the language.

Owns spelling. Names stand as they are in the value, so a canonical one's numbers are put back later.
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
from rewright.model.infix import ATOM, BINDS, InfixText, joined
from rewright.model.tensor import Constant, ScalarReference, Tensor


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
    return _index(index).text


def _index(index: Index) -> InfixText:
    match index:
        case Number(value=value):
            return InfixText(str(value), ATOM if value >= 0 else BINDS["-"])
        case MapReference(name=name) | IntegerReference(name=name):
            return InfixText(name)
        case BoundIndex(group=group):
            # has no name of its own, and stands in assumptions only
            return InfixText(f"[{group}]")
        case IndexOperation(operator="min" | "max" as operator, left=left, right=right):
            return InfixText(f"{operator}({index_text(left)}, {index_text(right)})")
        case IndexOperation(operator=operator, left=left, right=right):
            return joined(_index(left), operator, _index(right), regrouped=operator == "+")
        case Product(operand=operand):
            return InfixText(f"prod({index_text(operand)})")
        case _:
            assert_never(index)
