"""Sums over an index that counts pairs: one index becomes two.

Owns Σ f(i) over i < k·p = Σ f(j·p + r) over j < k and r < p, for k >= 0 and p >= 0, in any commutative monoid: each i
is one j·p + r. It is used where the body has ⌊i / p⌋, as that of an axis that others were joined into. Of a single axis
only: an index of a class is one on each of its axes, and a body may speak of them all.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.equality.facts import Facts
from rewright.terms.binding import OpenReduce, substitute
from rewright.terms.division import divide
from rewright.terms.interning import intern, subterms
from rewright.terms.node import INDEX, FloorDivide, Number, Opened, Range, Term
from rewright.terms.polynomial import add, multiply


def in_pairs(part: OpenReduce, facts: Facts) -> OpenReduce | None:
    """The reduction with two indices in the place of one; None if none counts pairs. Its body is not simplified."""
    for index, item in zip(part.indices, part.ranges, strict=True):
        for size in _divisors(part.body, index) if item.rank_class is None else ():
            outer, rest = divide(item.size, size)
            if _is_zero(rest) and facts.non_negative(outer) and facts.non_negative(size):
                return _split(part, index, (outer, size))
    return None


def _divisors(body: Term, index: Opened) -> Iterator[Term]:
    """What the index, as it stands, is divided by."""
    for term in subterms(body):
        if isinstance(term, FloorDivide) and term.left is index and not term.right.opened:
            yield term.right


def _is_zero(term: Term) -> bool:
    return isinstance(term, Number) and term.value == 0


def _split(part: OpenReduce, index: Opened, sizes: tuple[Term, Term]) -> OpenReduce:
    last = max(each.position for each in part.indices)
    outer, inner = (intern(Opened, index.number, last + number, None, INDEX) for number in (1, 2))
    body = substitute(part.body, {index: add(multiply(outer, sizes[1]), inner)})
    kept = [pair for pair in zip(part.indices, part.ranges, strict=True) if pair[0] is not index]
    pairs = [*kept, *zip((outer, inner), (Range(None, size) for size in sizes), strict=True)]
    indices, ranges = zip(*pairs, strict=True)
    return OpenReduce(part.monoid, indices, ranges, body)
