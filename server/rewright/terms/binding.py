"""Reductions: making them, going below their binders, and substitution.

Owns the one binder of the term language. Bound indices are numbered canonically (the level is one more than that of
any binder inside, positions are ordered by range and then by the least digest), so terms that differ only in the names
or the order of their binders are the same term. A `Reduce` is opened before anything is done to its body and closed
again afterwards; opened indices occur nowhere else, so nothing is captured by a reduction. A replacement may speak of
an axis only where what it replaces does; `substitute` refuses others, which a fold could capture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, groupby, permutations, product

from msgspec import Struct

from rewright.terms.extremum import maximum, minimum
from rewright.terms.functions import exponential
from rewright.terms.interning import intern
from rewright.terms.node import INDEX, Bound, Exponential, Infinity, Number, Opened, Range, Reduce, Sort, Term
from rewright.terms.polynomial import add, multiply, number
from rewright.terms.rebuilding import Step, rebuild_plain
from rewright.terms.truth import FALSE, TRUE, complement, conjoin, disjoin

ORDERED_WITHIN = 4
"""Up to this many indices with the same range all orders are compared, 24 at most; beyond, the order given stays."""

Pair = tuple[Opened, Range]


class OpenReduce(Struct, frozen=True):
    """A reduction taken apart: opened indices stand for the bound ones in `body`."""

    monoid: str
    indices: tuple[Opened, ...]
    ranges: tuple[Range, ...]
    body: Term


def opened_indices(ranges: tuple[Range, ...], above: int) -> tuple[Opened, ...]:
    """Fresh opened indices for the ranges; `above` is at least every `opened` of the terms that they will meet."""
    return tuple(intern(Opened, above + 1, place, item.rank_class, INDEX) for place, item in enumerate(ranges))


def identity(monoid: str, sort: Sort) -> Term:
    """The identity of add, multiply, maximum, minimum, and, or. Raises `ValueError` for any other."""
    match monoid:
        case "add" | "multiply":
            return number(0 if monoid == "add" else 1, sort)
        case "maximum" | "minimum":
            return intern(Infinity, monoid == "minimum", sort)
        case "and":
            return TRUE
        case "or":
            return FALSE
    raise ValueError(f"no monoid `{monoid}`")


def apply(monoid: str, left: Term, right: Term) -> Term:
    """The combination of two elements by one of these monoids. Raises `ValueError` for any other."""
    match monoid:
        case "add":
            return add(left, right)
        case "multiply":
            return multiply(left, right)
        case "maximum":
            return maximum(left, right)
        case "minimum":
            return minimum(left, right)
        case "and":
            return conjoin(left, right)
        case "or":
            return disjoin(left, right)
    raise ValueError(f"no monoid `{monoid}`")


def open_reduce(term: Reduce, above: int = 0) -> OpenReduce:
    """The reduction with its bound indices opened, numbered above `above` and everything open in the term."""
    indices = opened_indices(term.ranges, max(above, term.opened))
    names: dict[Term, Term] = {
        intern(Bound, term.level, place, item.rank_class, INDEX): index
        for place, (index, item) in enumerate(zip(indices, term.ranges, strict=True))
    }
    return OpenReduce(term.monoid, indices, term.ranges, _rename(term.body, names))


def instance(term: Reduce, indices: tuple[Opened, ...]) -> Term:
    """The body of a reduction at indices, one for each of its ranges, in their order."""
    names: dict[Term, Term] = {
        intern(Bound, term.level, place, item.rank_class, INDEX): index
        for place, (index, item) in enumerate(zip(indices, term.ranges, strict=True))
    }
    return _rename(term.body, names)


def close_reduce(part: OpenReduce) -> Term:
    """The canonical term of a reduction that was taken apart.

    `or` becomes a negated `and`; an index of size 1 is 0; the identity reduces to itself; a reduction of a reduction
    with the same monoid is one reduction (the ranges are independent, and exact domains are associative); a product of
    exponentials is the exponential of the sum, which is 0 for no factor.
    """
    if part.monoid == "or":
        return complement(close_reduce(OpenReduce("and", part.indices, part.ranges, complement(part.body))))
    ones: dict[Term, Term] = {
        index: number(0)
        for index, item in zip(part.indices, part.ranges, strict=True)
        if isinstance(item.size, Number) and item.size.value == 1
    }
    body = _rename(part.body, ones)
    kept = [pair for pair in zip(part.indices, part.ranges, strict=True) if pair[0] not in ones]
    if not kept or body is identity(part.monoid, body.sort):
        return body
    if part.monoid == "multiply" and isinstance(body, Exponential):
        indices, ranges = zip(*kept, strict=True)
        return exponential(close_reduce(OpenReduce("add", indices, ranges, body.operand)))
    if isinstance(body, Reduce) and body.monoid == part.monoid:
        inner = open_reduce(body, max(index.number for index, _ in kept))
        kept += zip(inner.indices, inner.ranges, strict=True)
        body = inner.body
    return _close(part.monoid, kept, body)


def _close(monoid: str, pairs: list[Pair], body: Term) -> Term:
    return min((_closed(monoid, order, body) for order in _orders(pairs)), key=lambda term: term.digest)


def _orders(pairs: list[Pair]) -> Iterator[tuple[Pair, ...]]:
    """The orders to be compared: by range, and in every way where ranges are the same."""
    alike = [tuple(run) for _, run in groupby(sorted(pairs, key=_by_range), key=_by_range)]
    choices = (permutations(run) if len(run) <= ORDERED_WITHIN else (run,) for run in alike)
    return (tuple(chain.from_iterable(order)) for order in product(*choices))


def _by_range(pair: Pair) -> tuple[str, bytes]:
    return pair[1].rank_class or "", pair[1].size.digest


def _closed(monoid: str, pairs: tuple[Pair, ...], body: Term) -> Term:
    # above every level inside, so that no binder in the body captures an index of this one
    level = body.height + 1
    names: dict[Term, Term] = {
        index: intern(Bound, level, place, item.rank_class, INDEX) for place, (index, item) in enumerate(pairs)
    }
    ranges = tuple(item for _, item in pairs)
    return intern(Reduce, monoid, level, ranges, _rename(body, names), body.sort)


def reduction(part: OpenReduce, initial: Term) -> Term:
    """The reduction started from `initial`: combined with the reduction started from the identity."""
    return apply(part.monoid, initial, close_reduce(part))


def rebuild(term: Term, step: Step, above: int = 0) -> Term:
    """The term with `step` applied to each immediate subterm, renormalised; the body of a reduction is opened."""
    if not isinstance(term, Reduce):
        return rebuild_plain(term, step)
    part = open_reduce(term, above)
    ranges = tuple(Range(item.rank_class, step(item.size)) for item in part.ranges)
    return close_reduce(OpenReduce(part.monoid, part.indices, ranges, step(part.body)))


def substitute(term: Term, replacements: Mapping[Term, Term]) -> Term:
    """The term with every occurrence of the keys replaced, at once.

    Raises `ValueError` for a replacement that speaks of an axis of which its key does not speak.
    """
    for key, value in replacements.items():
        if not value.classes <= key.classes:
            raise ValueError(f"`{value}` speaks of an axis of which `{key}` does not")
    return _rename(term, replacements)


def _rename(term: Term, replacements: Mapping[Term, Term]) -> Term:
    if not replacements:
        return term
    memo: dict[Term, Term] = dict(replacements)
    above = max(value.opened for value in (*replacements, *replacements.values()))

    def step(node: Term) -> Term:
        known = memo.get(node)
        if known is None:
            known = memo[node] = rebuild(node, step, above)
        return known

    return step(term)
