"""Truth values, as numbers that are 0 or 1, and what is selected by them.

Owns the laws: a comparison is one of a difference with 0, whatever number above 0 it is multiplied by; what is selected
where something holds, and is 0 elsewhere, is a product; where a truth value is 1, it is known what it chooses. Must not
know other operators.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Collection, Sequence
from fractions import Fraction

from rewright.graphs.blocks import Combination, summed
from rewright.graphs.combinations import NOTHING, pulled
from rewright.graphs.elementwise import elementwise_root
from rewright.graphs.products import COMPARISON, Monomial, Products
from rewright.terms import Term

COMPARED: dict[str, Callable[[Fraction, int], bool]] = {
    "eq": python.eq,
    "ne": python.ne,
    "lt": python.lt,
    "le": python.le,
    "gt": python.gt,
    "ge": python.ge,
}
OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def compared(products: Products, operator: str, difference: Combination, shape: Sequence[Term]) -> Combination:
    """Whether a difference compares so to 0, in a box of this shape that begins at 0."""
    known = products.constant_value(difference)
    if known is not None:
        return products.number(Fraction(COMPARED[operator](known, 0)))
    factor, difference = pulled(difference)
    key = COMPARISON, operator if factor > 0 else MIRRORED.get(operator, operator)
    return elementwise_root(products.roots, key, [difference], shape)


def selected(products: Products, sums: Sequence[Combination], shape: Sequence[Term]) -> Combination:
    """The second combination where the first is 1, the third where it is 0."""
    chosen, then, otherwise = sums
    known = products.constant_value(chosen)
    if known is not None:
        return then if known else otherwise
    if then == otherwise:
        return then
    if not otherwise:
        return products.product([chosen, then], (1, 1), shape)
    if not then:
        rest = products.product([chosen, otherwise], (1, 1), shape)
        return summed([(Fraction(1), otherwise), (Fraction(-1), rest)], products.roots.extent)
    return elementwise_root(products.roots, "select", sums, shape)


def negated(products: Products, truth: Combination, shape: Sequence[Term]) -> Combination | None:
    """That a truth value, in a box of this shape that begins at 0, is 0; None if that is no product of comparisons."""
    known = products.constant_value(truth)
    if known is not None:
        return products.number(1 - known)
    match products.operands(truth):
        case ((key, str() as operator), (difference,)) if key == COMPARISON:
            return compared(products, OPPOSITE[operator], difference, shape)
        case ("not", (operand,)):
            return operand
        case ("or", (left, right)):
            first, second = negated(products, left, shape), negated(products, right, shape)
            return None if first is None or second is None else products.product((first, second), (1, 1), shape)
        case _:
            return None


def where(
    products: Products, total: Combination, truths: Collection[Combination], shape: Sequence[Term]
) -> Combination:
    """What a combination is, in a box of this shape that begins at 0, wherever these truth values are 1."""
    terms = []
    for part, factor in total:
        monomial = products.monomial(frozenset({(part, factor)}), shape)
        found = Monomial(monomial.factor, monomial.exponent)
        for base, power in monomial.powers.items():
            value = _where(products, base, truths, shape)
            if not value:
                break
            products.times(found, products.monomial(value, shape), power)
        else:
            terms.append((Fraction(1), products.combination(found, shape)))
    return summed(terms, products.roots.extent)


def _where(
    products: Products, base: Combination, truths: Collection[Combination], shape: Sequence[Term]
) -> Combination:
    """`where` of a factor: of a choice what is chosen."""
    if base in truths:
        return products.number(Fraction(1))
    match products.operands(base):
        case ("select", (chosen, then, otherwise)):
            if products.truth_factors(chosen, shape) <= set(truths):
                return where(products, then, truths, shape)
            known = products.constant_value(where(products, chosen, truths, shape))
            if known is None and _is_false(products, chosen, truths, shape):
                known = Fraction(0)
            return base if known is None else where(products, then if known else otherwise, truths, shape)
        case ("maximum" | "minimum" as operator, operands):
            left, right = (where(products, each, truths, shape) for each in operands)
            if _is_between(products, operator, (left, right), truths, shape):
                return left
            return right if _is_between(products, operator, (right, left), truths, shape) else base
        case ((key, str() as operator), (difference,)) if key == COMPARISON:
            there = compared(products, operator, where(products, difference, truths, shape), shape)
            if there in truths:
                return products.number(Fraction(1))
            return NOTHING if _is_false(products, there, truths, shape) else there
        case _:
            return NOTHING if _is_false(products, base, truths, shape) else base


def _is_false(products: Products, truth: Combination, truths: Collection[Combination], shape: Sequence[Term]) -> bool:
    """Whether a truth value is 0 wherever these are 1."""
    opposite = negated(products, truth, shape)
    return opposite is not None and products.truth_factors(opposite, shape) <= set(truths)


def _is_between(
    products: Products,
    operator: str,
    operands: tuple[Combination, Combination],
    truths: Collection[Combination],
    shape: Sequence[Term],
) -> bool:
    """Whether a maximum, or a minimum, of these is the first of them wherever these truth values are 1.

    Of whole numbers i < n says that i <= n - 1.
    """
    at_least, above, one = ("ge", "gt", 1) if operator == "maximum" else ("le", "lt", -1)
    terms = [(Fraction(1), operands[0]), (Fraction(-1), operands[1])]
    difference = summed(terms, products.roots.extent)
    known = {compared(products, each, difference, shape) for each in (at_least, above)}
    if products.is_whole(difference):
        by_one = summed(
            [(Fraction(1), difference), (Fraction(one), products.number(Fraction(1)))], products.roots.extent
        )
        known.add(compared(products, above, by_one, shape))
    return not known.isdisjoint(truths)
