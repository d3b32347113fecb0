"""Conditions on sizes and attributes in fewer words: like terms together, nothing subtracted, common factors gone.

Owns the shortest form of one comparison of integers, in the language of rules, so that it can be written instead. Of a
map, a comparison is meant on each axis, and so is its short form. Each step is an equivalence over the integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from typing import Literal

from rewright.model.formula import Formula, IndexComparison
from rewright.model.index import BoundIndex, Index, IndexOperation, IntegerReference, MapReference, Number, Product

Monomial = tuple[str, ...]
Sum = dict[Monomial, int]
Relation = Literal["<=", "==", "!="]


def shortened(formula: Formula) -> str | None:
    """The comparison of integers in fewer words, or `true` where it always holds; None for what has no such form.

    Of `n - 1 + 2 * k < n + k + 1` it is `k <= 1`. One that never holds has none: of a map, it holds where
    there is no axis.
    """
    found = _shortened(formula) if isinstance(formula, IndexComparison) else None
    return None if found == "false" else found


def _shortened(formula: IndexComparison) -> str | None:
    left, right = _sum(formula.left), _sum(formula.right)
    if left is None or right is None:
        return None
    match formula.operator:
        case "<=":
            return _at_most(_minus(left, right))
        case "<":
            return _at_most(_minus(left, _minus(right, {(): 1})))
        case ">=":
            return _at_most(_minus(right, left))
        case ">":
            return _at_most(_minus(right, _minus(left, {(): 1})))
        case "==" | "!=" as relation:
            return _equal(_minus(left, right), relation)


def _at_most(total: Sum) -> str:
    """Σ <= 0: divided by what the factors have in common, the constant rounded down on its side."""
    bound = -total.pop((), 0)
    if not total:
        return "true" if bound >= 0 else "false"
    common = gcd(*total.values())
    return _written({monomial: factor // common for monomial, factor in total.items()}, "<=", bound // common)


def _equal(total: Sum, relation: Relation) -> str:
    """Σ == 0 or Σ != 0; no multiple of a number is what is no multiple of it."""
    bound = -total.pop((), 0)
    common = gcd(*total.values())
    if not total or bound % common:
        return "true" if (bound == 0 and not total) == (relation == "==") else "false"
    sign = 1 if next(iter(total.values())) > 0 else -1
    reduced = {monomial: sign * factor // common for monomial, factor in total.items()}
    return _written(reduced, relation, sign * bound // common)


def _written(total: Sum, relation: Relation, bound: int) -> str:
    """Σ related to the bound, with what is subtracted on the other side."""
    left = {monomial: factor for monomial, factor in total.items() if factor > 0}
    right = {monomial: -factor for monomial, factor in total.items() if factor < 0}
    if not left:
        turned: Relation | Literal[">="] = ">=" if relation == "<=" else relation
        return f"{_text(right, 0)} {turned} {-bound}"
    if relation == "<=" and bound == -1 and right:
        return f"{_text(left, 0)} < {_text(right, 0)}"
    if not right:
        return f"{_text(left, 0)} {relation} {bound}"
    return f"{_text(left, max(-bound, 0))} {relation} {_text(right, max(bound, 0))}"


def _text(total: Mapping[Monomial, int], constant: int) -> str:
    parts = [" * ".join([*([str(factor)] if factor != 1 else []), *monomial]) for monomial, factor in total.items()]
    return " + ".join([*parts, *([str(constant)] if constant else [])])


def _sum(index: Index) -> Sum | None:
    """An expression by monomials; None if it divides, or asks for the lesser of two."""
    match index:
        case Number(value=value):
            return {(): value} if value else {}
        case MapReference(name=name) | IntegerReference(name=name):
            return {(name,): 1}
        case IndexOperation(operator="+" | "-" | "*" as operator, left=left, right=right):
            first, second = _sum(left), _sum(right)
            if first is None or second is None:
                return None
            match operator:
                case "+":
                    return _minus(first, {monomial: -factor for monomial, factor in second.items()})
                case "-":
                    return _minus(first, second)
                case "*":
                    return _times(first, second)
        case Product(operand=MapReference(name=name)):
            return {(f"prod({name})",): 1}
        case IndexOperation() | Product() | BoundIndex():
            return None


def _minus(left: Sum, right: Sum) -> Sum:
    result = dict(left)
    for monomial, factor in right.items():
        result[monomial] = result.get(monomial, 0) - factor
    return {monomial: factor for monomial, factor in result.items() if factor}


def _times(left: Sum, right: Sum) -> Sum:
    result: Sum = {}
    for first, one in left.items():
        for second, other in right.items():
            monomial = tuple(sorted((*first, *second)))
            result[monomial] = result.get(monomial, 0) + one * other
    return {monomial: factor for monomial, factor in result.items() if factor}
