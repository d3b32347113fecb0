"""An index that counts pairs is two indices, where both sizes are known not to be negative."""

from __future__ import annotations

import pytest

from rewright.equality import EVERYWHERE, Facts, simplify
from rewright.equality.taken_apart import in_pairs
from rewright.terms import (
    REAL,
    OpenReduce,
    Range,
    Term,
    add,
    close_reduce,
    element_of,
    floor_divide,
    multiply,
    non_negative,
    number,
    opened_indices,
    variable,
)

K, P = variable("k", None), variable("p", None)


def along_the_joined_axis(monoid: str) -> Term:
    """Of ⌊i / p⌋ and i − p·⌊i / p⌋, over i < k·p."""
    ranges = (Range(None, multiply(K, P)),)
    (index,) = opened_indices(ranges, 0)
    outer = floor_divide(index, P)
    inner = add(index, multiply(number(-1), multiply(P, outer)))
    return close_reduce(OpenReduce(monoid, (index,), ranges, multiply(of(outer), add(of(inner), number(3, REAL)))))


def along_both(monoid: str) -> Term:
    """Of j and r, over j < k and r < p."""
    ranges = (Range(None, K), Range(None, P))
    outer, inner = opened_indices(ranges, 0)
    body = multiply(of(outer), add(of(inner), number(3, REAL)))
    return close_reduce(OpenReduce(monoid, (outer, inner), ranges, body))


def of(index: Term) -> Term:
    return element_of(index, REAL)


@pytest.mark.parametrize("monoid", ["add", "multiply", "maximum"])
def test_one_index_becomes_two(monoid: str) -> None:
    facts = Facts.of([(EVERYWHERE, non_negative(K)), (EVERYWHERE, non_negative(P))], frozenset())
    assert simplify(along_the_joined_axis(monoid), facts) is simplify(along_both(monoid), facts)


@pytest.mark.parametrize("known", [K, P])
def test_both_sizes_must_be_known_not_to_be_negative(known: Term) -> None:
    """Of −2 times −3 indices there are six, of pairs none."""
    facts = Facts.of([(EVERYWHERE, non_negative(known))], frozenset())
    assert simplify(along_the_joined_axis("add"), facts) is not simplify(along_both("add"), facts)


def test_an_index_of_a_class_stays_one() -> None:
    """It is an index on each axis of the class, and what is made of it would be one on a single axis."""
    size, part = variable("k", "A"), variable("p", "A")
    ranges = (Range("A", multiply(size, part)),)
    (index,) = opened_indices(ranges, 0)
    whole = OpenReduce("add", (index,), ranges, of(floor_divide(index, part)))
    facts = Facts.of([("A", non_negative(size)), ("A", non_negative(part))], frozenset())
    assert in_pairs(whole, facts) is None
