"""Where facts are at home: what is known of one axis is known of that axis, what is known of all of each."""

from __future__ import annotations

from rewright.equality import EVERYWHERE, Facts, simplify
from rewright.terms import (
    FALSE,
    TRUE,
    Slot,
    access,
    at_most,
    choose,
    complement,
    conjoin,
    every_axis,
    number,
    plus,
    variable,
)
from rewright.terms.node import INT

N, M, K = variable("n", "A"), variable("m", "B"), variable("k", None)
ONE = number(1)


def test_a_fold_that_holds_is_a_fact_of_its_class() -> None:
    facts = Facts.of([(EVERYWHERE, conjoin(every_axis("A", at_most(ONE, N)), at_most(ONE, K)))], frozenset())
    assert facts.known == {"A": (at_most(ONE, N),), EVERYWHERE: (at_most(ONE, K),)}


def test_a_fold_in_a_fact_of_another_class_is_one_only_where_that_has_an_axis() -> None:
    nested = every_axis("B", at_most(ONE, M))
    assert Facts.of([("A", nested)], frozenset()).known == {"A": (nested,)}
    assert Facts.of([("A", nested)], frozenset({"A"})).known == {"B": (at_most(ONE, M),)}


def test_a_choice_by_one_axis_says_nothing_of_the_others() -> None:
    """n is at least 1 here; whether it is on every axis stays open."""
    here, everywhere = at_most(ONE, N), every_axis("A", at_most(ONE, N))
    inner = choose(everywhere, N, plus(N, 1))
    place = choose(here, inner, number(0))
    term = access("X", (Slot("A", "A", place),), INT)
    assert simplify(term, Facts.of([], frozenset())) is term


def test_a_choice_by_all_axes_is_a_fact_of_each() -> None:
    everywhere = every_axis("A", at_most(ONE, N))
    place = choose(everywhere, choose(at_most(ONE, N), number(5), number(7)), number(0))
    term = access("X", (Slot("A", "A", place),), INT)
    chosen = access("X", (Slot("A", "A", choose(everywhere, number(5), number(0))),), INT)
    assert simplify(term, Facts.of([], frozenset())) is chosen


def test_a_contradiction_on_each_axis_is_none_where_there_is_none() -> None:
    facts = Facts.of([("A", FALSE)], frozenset())
    assert simplify(every_axis("A", at_most(N, K)), facts) is TRUE
    assert simplify(at_most(ONE, K), facts) is at_most(ONE, K)
    assert simplify(complement(every_axis("A", at_most(N, K))), facts) is FALSE
