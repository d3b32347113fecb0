"""Products over the axes of a group, and whatever else the bound on ranks does not cover."""

from __future__ import annotations

import pytest
from rules_text import BUDGET, asked, decision

from rewright.model.index import Name
from rewright.rules.decide import decide
from rewright.rules.decision import Bounded, Mode, Proved, Refuted, Unknown, Vacuous
from rewright.rules.requirement import beyond, of_one_axis
from rewright.rules.unneeded import unneeded
from rewright.terms import (
    Slot,
    Term,
    access,
    at_most,
    axis_product,
    complement,
    conjoin,
    equal,
    every_axis,
    number,
    plus,
    some_axis,
    variable,
)
from rewright.terms.node import INT
from rewright.verdict import Method

MODES = pytest.mark.parametrize("mode", [Mode.NORMAL_FORMS, Mode.SOLVER_ONLY])

ROW = "axes A\naxis d\nmap n, m on A\nint k\ntensor X: T[d: k]\n"
FROM_ONE = ROW.replace("axes A\n", "axes A+\n")


# ---------------------------------------------------------------------------------------------------------- products


def test_equal_normal_forms_with_products_are_a_proof_at_every_rank() -> None:
    found = decision(ROW + "slice(X, 0, prod(2 * n * m)) => slice(X, 0, prod(m) * prod(n + n))")
    assert isinstance(found, Proved)
    assert found.by is Method.NORMAL_FORM
    assert found.bound is None


def test_a_product_of_sizes_that_are_not_negative_is_not_negative() -> None:
    found = decision(ROW + "slice(X, 0, prod(n)) => slice(X, min(0, prod(n)), prod(n))\nwhere 0 <= n")
    assert isinstance(found, Proved)
    assert found.by is Method.NORMAL_FORM


@MODES
def test_a_product_over_a_single_axis_is_the_map(mode: Mode) -> None:
    items = "axis d\nmap n on d\nint k\ntensor X: T[d: n]\nslice(X, 0, prod(n)) => X"
    assert isinstance(decision(items, mode), Proved)


@MODES
def test_a_product_of_an_integer_is_the_integer(mode: Mode) -> None:
    assert isinstance(decision(ROW + "slice(X, 0, prod(k)) => X", mode), Proved)


@MODES
def test_the_product_of_a_number_over_a_group_is_not_the_number(mode: Mode) -> None:
    """It is 1 at rank 0, and another power at each rank."""
    found = decision(ROW + "slice(X, 0, prod(0 * n + 2)) => slice(X, 0, 2)", mode)
    assert isinstance(found, Refuted)
    assert dict(found.ranks)[Name("A")] == 0
    found = decision(FROM_ONE + "slice(X, 0, prod(0 * n + 2)) => slice(X, 0, 2)\nwhere k >= 4", mode)
    assert isinstance(found, Refuted)
    assert dict(found.ranks)[Name("A")] == 2


@MODES
def test_what_needs_the_product_is_checked_up_to_a_rank_and_says_so(mode: Mode) -> None:
    found = decision(ROW + "reverse(X, d) => X\nwhere 0 <= n, n <= 1, k == prod(n)", mode)
    assert isinstance(found, Bounded)
    assert found.limits == (("A", 2),)
    assert found.by is Method.SOLVER
    assert dict(found.bound) == {"A": 2, "d": 1}
    assert "no rank is known to suffice" in dict(found.bound_reason)[Name("A")]


@MODES
def test_a_rule_that_fails_only_above_the_limit_is_not_called_proved(mode: Mode) -> None:
    """2 to the power of the rank is at most 4 up to rank 2."""
    items = FROM_ONE + "slice(X, 0, prod(n)) => slice(X, 0, min(prod(n), 4))\nwhere n == 2, prod(n) <= k"
    assert isinstance(decision(items, mode), Bounded)
    items = FROM_ONE + "slice(X, 0, prod(n)) => slice(X, 0, min(prod(n), 2))\nwhere n == 2, prod(n) <= k"
    found = decision(items, mode)
    assert isinstance(found, Refuted)
    assert dict(found.ranks)[Name("A")] == 2


@MODES
def test_a_product_that_is_only_given_does_not_limit_a_proof_that_needs_none(mode: Mode) -> None:
    """What the product says is left out first; without it the bound holds."""
    items = "axes A\naxis d\nmap n on A\ntensor X: T[A: n]\nreverse(X, A) => X\nwhere n == 1, prod(n) < 7"
    assert isinstance(decision(items, mode), Proved)


@MODES
def test_only_the_classes_of_the_product_are_limited(mode: Mode) -> None:
    items = (
        "axes A, B\nmap n on A\nmap m on B\ntensor X: T[B: m]\n"
        "reverse(X, B) => X\nwhere 0 <= n, n <= 1, m == prod(n), some B: m == m"
    )
    found = decision(items, mode)
    assert isinstance(found, Bounded)
    assert found.limits == (("A", 2),)
    assert dict(found.bound)[Name("B")] < 4


@MODES
def test_a_division_below_a_product_matters_where_there_is_an_axis(mode: Mode) -> None:
    items = "axes A\naxis d\nmap n, m on A\ntensor X: T[A: n, d: 3]\nX => slice(X, d: (0 * prod(6 / m), 3))\n"
    found = decision(items, mode)
    assert isinstance(found, Refuted)
    assert dict(found.ranks)[Name("A")] == 1
    assert isinstance(decision(items + "where m != 0", mode), Proved)


@MODES
def test_inputs_that_need_two_axes_are_found(mode: Mode) -> None:
    items = ROW + "slice(X, 0, prod(n)) => slice(X, 0, prod(n))\nwhere n == 2, prod(n) == 4"
    assert isinstance(decision(items, mode), Proved if mode is Mode.NORMAL_FORMS else Bounded)


@MODES
def test_inputs_beyond_the_limit_are_not_called_missing(mode: Mode) -> None:
    """They are at rank 3."""
    items = ROW + "slice(X, 0, prod(n)) => slice(X, 0, prod(n))\nwhere n == 2, prod(n) == 8"
    found = decision(items, mode)
    assert not isinstance(found, Vacuous | Proved | Refuted)


@MODES
def test_a_contradiction_on_each_axis_is_not_an_input(mode: Mode) -> None:
    items = ROW + "slice(X, 0, prod(n)) => slice(X, 0, prod(n))\nwhere n == 2, n == 3"
    assert isinstance(decision(items, mode), Vacuous)


def test_preconditions_are_not_dropped_for_an_answer_up_to_a_rank() -> None:
    """Without `n <= 1` the rest is beyond the bound; with it, too, but the proof needs neither."""
    question = asked(ROW + "slice(X, 0, prod(n)) => slice(X, 0, prod(m))\nwhere n == m, n <= 1, k == prod(n)")
    found = decide(question, BUDGET)
    assert isinstance(found, Proved)
    sites = [formula.site for formula in question.rule.where]
    assert [sites.index(site) for site in unneeded(question, found, BUDGET)] == [1, 2]


# ------------------------------------------------------------------------------------ tensors with different groups

MATRIX = "axes A, B\nmap n on A\nmap m on B\ntensor X: T[A: n]\ntensor Y: T[A: n, B: m]\n"
BELOW = "assume forall i on A: forall j on B: X[i] < Y[i, j]\n"


@MODES
def test_an_assumption_on_tensors_with_different_groups_is_used(mode: Mode) -> None:
    assert isinstance(decision(MATRIX + "max(broadcast(X, B: m), Y) => Y\n" + BELOW, mode), Proved)
    turned = "max(broadcast(reverse(X, A), B: m), reverse(Y, [A, B])) => reverse(Y, [A, B])\n"
    assert isinstance(decision(MATRIX + turned + BELOW, mode), Proved)


@MODES
def test_it_says_nothing_where_the_larger_tensor_is_empty(mode: Mode) -> None:
    items = MATRIX + "max(X, 0) => X\nassume forall i on A: forall j on B: X[i] == Y[i, j]\n"
    items += "assume forall i on A: forall j on B: 0 <= Y[i, j]\n"
    assert isinstance(decision(items, mode), Refuted)
    assert isinstance(decision(items + "where 1 <= m", mode), Proved)


def test_reduced_tensors_with_different_groups_are_refused_with_the_reason() -> None:
    items = MATRIX + "X + reduce(max, Y, B) => reduce(max, Y, B) + reverse(X, A)\n" + BELOW
    found = decision(items)
    assert isinstance(found, Unknown)
    assert "different axis groups" in found.reason


# --------------------------------------------------------------------------------------------------- the requirement

N, M, K = variable("n", "A"), variable("m", "B"), variable("k", None)


@pytest.mark.parametrize(
    ("term", "classes"),
    [
        (every_axis("A", at_most(N, K)), set()),
        (every_axis("A", conjoin(at_most(N, K), some_axis("B", equal(M, K)))), set()),
        (every_axis("A", conjoin(at_most(N, K), some_axis("A", equal(N, K)))), set()),
        (every_axis("A", some_axis("B", at_most(N, M))), {"A", "B"}),
        (complement(every_axis("B", every_axis("A", at_most(N, M)))), {"A", "B"}),
        (at_most(axis_product("A", N), K), {"A"}),
        (every_axis("B", at_most(axis_product("A", N), M)), {"A"}),
        (access("X", (Slot("A", "A", plus(N, 1)), Slot("B", "B", M)), INT), set()),
        (access("X", (Slot("A", "A", M), Slot("B", "B", M)), INT), {"A", "B"}),
        (access("X", (Slot("d", None, N),), INT), {"A"}),
        (at_most(N, number(3)), {"A"}),
    ],
    ids=lambda each: repr(sorted(each)) if isinstance(each, set) else repr(each),
)
def test_what_ties_or_counts_axes_is_beyond_the_bound(term: Term, classes: set[str]) -> None:
    assert beyond([("", term)]) == classes


def test_a_fact_speaks_of_an_axis_of_its_own_class_only() -> None:
    assert beyond([("A", at_most(N, K))]) == set()
    assert beyond([("A", at_most(N, M))]) == {"A", "B"}


def test_a_lemma_about_one_axis_uses_nothing_that_counts_axes() -> None:
    """At one axis, where it is asked, a product is its factor, a test on another class is true, reads lose indices."""
    assert of_one_axis(at_most(N, K), "A")
    assert not of_one_axis(at_most(N, M), "A")
    assert not of_one_axis(at_most(axis_product("A", N), K), "A")
    assert not of_one_axis(every_axis("B", at_most(M, K)), "A")
    assert not of_one_axis(equal(access("X", (Slot("B", "B", M),), INT), number(0, INT)), "A")
