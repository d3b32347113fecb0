"""Which preconditions speak of each axis alone.

Owns what may be asked of an axis before the others are known. A product over axes and a quantifier inside another look
across axes. Must not know how axes are found.
"""

from __future__ import annotations

from rewright.model.formula import (
    Conjunction,
    Disjunction,
    ElementComparison,
    Formula,
    IndexComparison,
    Negation,
    Quantified,
)
from rewright.model.index import Index, IndexOperation, Product
from rewright.model.tensor import Apply, ElementOf, Pointwise, Tensor


def speaks_of_each_axis(formula: Formula) -> bool:
    """Whether a formula that holds on some axes is known to hold on each of them alone, and on none."""
    match formula:
        case IndexComparison() | ElementComparison():
            return not _looks_across(formula)
        case Quantified(quantifier="every", body=body):
            return not _looks_across(body)
        case Conjunction(left=left, right=right):
            return speaks_of_each_axis(left) and speaks_of_each_axis(right)
        case _:
            return False


def _looks_across(formula: Formula) -> bool:
    """Whether a formula about one axis, or about integers, depends on further axes."""
    match formula:
        case Quantified():
            return True
        case IndexComparison(left=left, right=right):
            return _has_product(left) or _has_product(right)
        case ElementComparison(left=first, right=second):
            return _takes_product(first) or _takes_product(second)
        case Conjunction(left=one, right=other) | Disjunction(left=one, right=other):
            return _looks_across(one) or _looks_across(other)
        case Negation(operand=operand):
            return _looks_across(operand)
        case _:
            return False


def _has_product(index: Index) -> bool:
    match index:
        case Product():
            return True
        case IndexOperation(left=left, right=right):
            return _has_product(left) or _has_product(right)
        case _:
            return False


def _takes_product(tensor: Tensor) -> bool:
    match tensor:
        case ElementOf(index=index):
            return _has_product(index)
        case Pointwise(operands=operands) | Apply(operands=operands):
            return any(map(_takes_product, operands))
        case _:
            return False
