"""Reductions have a real binder: names and orders of bound indices do not matter, substitution captures nothing."""

from __future__ import annotations

import pytest

from rewright.terms import (
    INT,
    TRUE,
    OpenReduce,
    Range,
    Slot,
    Term,
    access,
    add,
    close_reduce,
    complement,
    every_axis,
    less,
    multiply,
    number,
    open_reduce,
    opened_indices,
    plus,
    reduction,
    substitute,
    subterms,
    variable,
)
from rewright.terms.node import Bound, Opened, Reduce

n, m, i = variable("n", "C"), variable("m", "D"), variable("i", "A")
C, D = Range("C", n), Range("D", m)


def read(tensor: str, **index: Term) -> Term:
    return access(tensor, tuple(Slot(group, group[0], term) for group, term in index.items()), INT)


def total(ranges: tuple[Range, ...], above: int, body: object) -> Term:
    bound = opened_indices(ranges, above)
    return close_reduce(OpenReduce("add", bound, ranges, body(*bound)))  # type: ignore[operator]


def test_names_of_bound_indices_do_not_matter() -> None:
    assert total((C,), 0, lambda c: read("X", A=i, C=c)) is total((C,), 7, lambda c: read("X", A=i, C=c))


def test_the_order_of_binders_does_not_matter() -> None:
    one = total((C, D), 0, lambda c, d: read("X", C=c, D=d))
    other = total((D, C), 0, lambda d, c: read("X", C=c, D=d))
    assert one is other


def test_the_order_of_reductions_does_not_matter() -> None:
    one = total((C,), 0, lambda c: total((D,), 1, lambda d: read("X", C=c, D=d)))
    other = total((D,), 0, lambda d: total((C,), 1, lambda c: read("X", C=c, D=d)))
    assert one is other
    assert isinstance(one, Reduce)
    assert len(one.ranges) == 2


def test_bound_indices_of_one_class_are_distinguished() -> None:
    two = (C, Range("C", variable("k", "C")))
    one = total(two, 0, lambda a, b: read("X", C=a, C2=b))
    swapped = total(two, 0, lambda a, b: read("X", C=b, C2=a))
    assert one is not swapped


def test_opening_and_closing_is_the_identity() -> None:
    term = total((C, D), 0, lambda c, d: multiply(read("X", C=c), read("Y", D=plus(d, 1))))
    assert isinstance(term, Reduce)
    part = open_reduce(term)
    assert not any(isinstance(inner, Bound) for inner in subterms(part.body))
    assert close_reduce(part) is term


def test_substitution_reaches_below_binders_and_captures_nothing() -> None:
    inner = total((D,), 0, lambda d: read("Y", D=d))
    outer = total((C,), 0, lambda c: multiply(read("X", A=i, C=c), variable("s", None, INT)))
    replaced = substitute(outer, {variable("s", None, INT): inner})
    expected = total((C,), 5, lambda c: multiply(read("X", A=i, C=c), total((D,), 9, lambda d: read("Y", D=d))))
    assert replaced is expected
    assert not replaced.loose


def test_an_index_of_an_open_binder_is_not_captured() -> None:
    body = total((D,), 0, lambda d: multiply(read("Y", D=d), variable("s", None, INT)))
    bound = opened_indices((C,), 0)
    replaced = substitute(body, {variable("s", None, INT): read("X", C=bound[0])})
    term = close_reduce(OpenReduce("add", bound, (C,), replaced))
    assert term is total((C, D), 0, lambda c, d: multiply(read("Y", D=d), read("X", C=c)))
    assert not any(isinstance(inner, Opened) for inner in subterms(term))


def test_a_replacement_may_not_speak_of_another_axis() -> None:
    with pytest.raises(ValueError, match="speaks of an axis"):
        substitute(every_axis("A", less(i, variable("k", None))), {variable("k", None): i})


def test_an_index_of_size_one_is_zero() -> None:
    one = (Range("C", number(1)),)
    assert total(one, 0, lambda c: read("X", C=c)) is read("X", C=number(0))


def test_identities_reduce_to_themselves() -> None:
    assert total((C,), 0, lambda _: number(0, INT)) is number(0, INT)
    bound = opened_indices((C,), 0)
    assert close_reduce(OpenReduce("and", bound, (C,), TRUE)) is TRUE


def test_or_is_the_dual_of_and() -> None:
    bound = opened_indices((C,), 0)
    test = less(bound[0], n)
    some = close_reduce(OpenReduce("or", bound, (C,), test))
    assert some is complement(close_reduce(OpenReduce("and", bound, (C,), complement(test))))


def test_the_initial_value_is_combined() -> None:
    bound = opened_indices((C,), 0)
    part = OpenReduce("add", bound, (C,), read("X", C=bound[0]))
    z = variable("z", None, INT)
    assert reduction(part, z) is add(z, close_reduce(part))
