"""Truth values, as numbers that are 0 or 1, and what is selected by them.

Owns the laws: a comparison is one of a difference with 0, whatever number above 0 it is multiplied by; what is selected
where something holds, and is 0 elsewhere, is a product. Must not know other operators.
"""

from __future__ import annotations

import operator as python
from collections.abc import Callable, Sequence
from fractions import Fraction

from rewright.graphs.blocks import Combination, summed
from rewright.graphs.combinations import pulled
from rewright.graphs.elementwise import elementwise_root
from rewright.graphs.products import COMPARISON, Products
from rewright.terms import Term

COMPARED: dict[str, Callable[[Fraction, int], bool]] = {
    "eq": python.eq,
    "ne": python.ne,
    "lt": python.lt,
    "le": python.le,
    "gt": python.gt,
    "ge": python.ge,
}
MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def compared(products: Products, operator: str, sums: Sequence[Combination], shape: Sequence[Term]) -> Combination:
    """Whether one combination compares so to another one, in a box of this shape that begins at 0."""
    difference = summed([(Fraction(1), sums[0]), (Fraction(-1), sums[1])], products.roots.extent)
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
