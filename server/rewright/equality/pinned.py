"""Sums over an index that a factor pins: one summand is left, or none.

Owns Σ [k = e]·f(k) = f(e) where e is in the range of k, else 0. Of a class, k = e on every axis pins the one index of
all axes; at rank 0 there is one index, nothing to compare, and one summand. So the law holds at every rank.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from rewright.terms.binding import OpenReduce, close_reduce, substitute
from rewright.terms.comparison import less, non_negative
from rewright.terms.interning import subterms
from rewright.terms.node import (
    INDEX,
    INT,
    REAL,
    Choose,
    Fold,
    Infinity,
    Monomial,
    NonNegative,
    Number,
    Opened,
    Term,
    Zero,
)
from rewright.terms.polynomial import Sum, add, collect, expand, multiply, negate, number, scale
from rewright.terms.selection import choose
from rewright.terms.truth import TRUE, conjoin, conjuncts, every_axis


class _Guarded(Struct, frozen=True):
    """`value` where the guard holds, else 0."""

    guard: Term
    value: Term


def without_pinned(part: OpenReduce) -> Term | None:
    """The sum with its pinned indices replaced; None if there are none, or if it may have an infinity in it."""
    if part.monoid != "add" or part.body.sort not in (INT, REAL):
        return None
    total = expand(part.body)
    if not any(isinstance(atom, Choose) for monomial in total for atom, _ in monomial):
        return None
    if any(isinstance(inner, Infinity) for inner in subterms(part.body)):
        return None
    shown: list[Term] = []
    left: Sum = {}
    for monomial, factor in total.items():
        alone = _without(part, _guarded(monomial, number(factor, part.body.sort)))
        if alone is None:
            left[monomial] = factor
        else:
            shown.append(alone)
    if not shown:
        return None
    return add(*shown, close_reduce(replace(part, body=collect(left, part.body.sort))))


def _guarded(monomial: Monomial, value: Term) -> _Guarded:
    """A product as one choice between a value and 0."""
    guard = TRUE
    for atom, power in monomial:
        factor = atom
        if isinstance(atom, Choose) and isinstance(atom.alternative, Number) and atom.alternative.value == 0:
            guard, factor = conjoin(guard, atom.condition), atom.consequent
        for _ in range(power):
            value = multiply(value, factor)
    return _Guarded(guard, value)


def _without(part: OpenReduce, inside: _Guarded) -> Term | None:
    """The sum of one product without the indices that its guard pins; None if it pins none."""
    kept = list(zip(part.indices, part.ranges, strict=True))
    for index, item in list(kept):
        place = next(_places(inside.guard, index), None)
        if place is None:
            continue
        bounds = conjoin(non_negative(place), less(place, item.size))
        if item.rank_class is not None:
            bounds = every_axis(item.rank_class, bounds)
        guard, value = (substitute(term, {index: place}) for term in (inside.guard, inside.value))
        inside = _Guarded(conjoin(bounds, guard), value)
        kept.remove((index, item))
    if len(kept) == len(part.indices):
        return None
    body = choose(inside.guard, inside.value, number(0, part.body.sort))
    if not kept:
        return body
    indices, ranges = zip(*kept, strict=True)
    return close_reduce(OpenReduce("add", indices, ranges, body))


def _places(guard: Term, index: Opened) -> Iterator[Term]:
    """What a guard says that an index is: by an equation with factor ±1, or by two opposite bounds."""
    truths = conjuncts(guard)
    if index.rank_class is not None:
        folds = (truth for truth in truths if isinstance(truth, Fold) and truth.rank_class == index.rank_class)
        truths = tuple(part for fold in folds for part in conjuncts(fold.predicate))
    bounds = {truth.polynomial for truth in truths if isinstance(truth, NonNegative)}
    for truth in truths:
        if isinstance(truth, Zero) or (isinstance(truth, NonNegative) and negate(truth.polynomial) in bounds):
            place = _place(truth.polynomial, index)
            if place is not None:
                yield place


def _place(equation: Term, index: Opened) -> Term | None:
    """The index of an equation, by what else is in it."""
    if equation.sort != INDEX or not equation.classes <= index.classes:
        return None
    total = expand(equation)
    factor = total.pop(((index, 1),), 0)
    if abs(factor) != 1 or index in subterms(*(atom for monomial in total for atom, _ in monomial)):
        return None
    return scale(-factor, collect(total, INDEX))
