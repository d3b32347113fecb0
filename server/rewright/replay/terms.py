"""The terms of two reductions that differ, and which of them have no partner on the other side.

Owns how an element that was computed from reductions is taken apart: reductions of reductions into one list of terms,
factors and signs into each term. Invariant: a side's terms, combined by its reducer, are the side's element. A term has
a partner if the other side has, as often, a term that is equal; an identity needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product

from msgspec import Struct

from rewright.replay.elements import UNDEFINED, Element, pointwise
from rewright.replay.provenance import Computed, Origin, PaddingOf, Reduced, Term, Traced

MOST = 400
"""So many terms of a side are compared at most."""

IDENTITIES: dict[str, Element] = {
    "add": 0,
    "multiply": 1,
    "maximum": float("-inf"),
    "minimum": float("inf"),
    "and": True,
    "or": False,
}


class Terms(Struct, frozen=True):
    """What a side's element is combined of, and by which reducer; `alone` are the places of terms without a partner."""

    monoid: str
    terms: tuple[Term, ...]
    alone: frozenset[int]


def parted(left: Traced, right: Traced) -> tuple[Terms, Terms] | None:
    """The terms of two elements that differ; None if no reduction takes one apart, or there are too many terms."""
    of_left, of_right = _monoid(left.origin), _monoid(right.origin)
    monoids = of_left or of_right, of_right or of_left
    if monoids[0] is None or monoids[1] is None:
        return None
    terms = _listed(left, monoids[0]), _listed(right, monoids[1])
    if [[part.origin for part in each] for each in terms] == [[left.origin], [right.origin]]:
        return None
    if any(len(each) > MOST for each in terms):
        return None
    first = Terms(monoids[0], tuple(terms[0]), _alone(terms[0], terms[1], monoids[0]))
    return first, Terms(monoids[1], tuple(terms[1]), _alone(terms[1], terms[0], monoids[1]))


def _monoid(origin: Origin) -> str | None:
    """The reducer of the first reduction that an element comes from."""
    match origin:
        case Reduced(monoid=monoid):
            return monoid
        case Computed(origins=origins):
            return next((found for each in origins if (found := _monoid(each)) is not None), None)
        case PaddingOf(value=value):
            return _monoid(value)
        case _:
            return None


def _listed(cell: Traced, monoid: str) -> list[Term]:
    return _terms(Term((), cell.element, cell.origin), monoid)


def _terms(term: Term, monoid: str) -> list[Term]:
    """What a term is combined of by this reducer; the term itself if by nothing."""
    if _monoid(term.origin) is None or term.element is UNDEFINED:
        return [term]
    match term.origin:
        case Reduced(monoid=found, terms=terms) if found == monoid:
            return [part for inner in terms for part in _terms(_inside(term, inner), monoid)]
        case Computed(operator=operator) if operator == monoid:
            return [part for operand in _operands(term) for part in _terms(operand, monoid)]
        case Computed(operator="subtract") if monoid == "add":
            first, second = _operands(term)
            return [*_terms(first, monoid), *map(_negated, _terms(second, monoid))]
        case Computed(operator="negate") if monoid == "add":
            return [_negated(part) for operand in _operands(term) for part in _terms(operand, monoid)]
        case Computed(operator="multiply") if monoid == "add":
            one, other = (_terms(operand, monoid) for operand in _operands(term))
            return [_multiplied(*pair) for pair in islice(product(one, other), MOST + 1)]
        case _:
            return [term]


def _operands(term: Term) -> list[Term]:
    match term.origin:
        case Computed(operands=operands, origins=origins):
            return [Term(term.index, element, origin) for element, origin in zip(operands, origins, strict=True)]
        case _:
            return []


def _inside(outer: Term, inner: Term) -> Term:
    """A term of a term, at the index of both."""
    if not outer.index:
        return inner
    return Term(outer.index if inner.index is None else outer.index + inner.index, inner.element, inner.origin)


def _negated(term: Term) -> Term:
    return Term(term.index, pointwise("negate", (term.element,)), Computed("negate", (term.element,), (term.origin,)))


def _multiplied(one: Term, other: Term) -> Term:
    factors, origins = (one.element, other.element), (one.origin, other.origin)
    index = None if one.index is None and other.index is None else (one.index or ()) + (other.index or ())
    return Term(index, pointwise("multiply", factors), Computed("multiply", factors, origins))


def _alone(mine: Sequence[Term], others: Sequence[Term], monoid: str) -> frozenset[int]:
    """The places of terms without a partner: what comes from the same is paired before what is only equal."""
    left = list(others)
    single: list[int] = []
    for place, term in enumerate(mine):
        same = next((other for other in left if other.origin == term.origin and other.element == term.element), None)
        if same is None:
            single.append(place)
        else:
            left.remove(same)
    alone: list[int] = []
    for place in single:
        equal = next((other for other in left if other.element == mine[place].element), None)
        if equal is not None:
            left.remove(equal)
        elif mine[place].element != IDENTITIES.get(monoid):
            alone.append(place)
    return frozenset(alone)
