"""Identity, canonical forms and digests of terms."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from rewright.terms import (
    FALSE,
    INT,
    REAL,
    TRUE,
    Slot,
    access,
    add,
    at_most,
    choose,
    complement,
    conjoin,
    disjoin,
    element_of,
    equal,
    every_axis,
    floor_divide,
    index_of,
    interning,
    less,
    maximum,
    minimum,
    multiply,
    non_negative,
    number,
    plus,
    remainder,
    scale,
    some_axis,
    subtract,
    variable,
)
from rewright.terms.node import Fold, Polynomial

n, m, k = variable("n", "A"), variable("m", "A"), variable("k", None)
SERVER = str(Path(__file__).parents[3] / "server")


def test_equal_polynomials_are_one_object() -> None:
    assert add(n, m) is add(m, n)
    assert multiply(add(n, m), subtract(n, m)) is subtract(multiply(n, n), multiply(m, m))
    assert subtract(add(n, m), m) is n


def test_remainders_are_polynomials_in_the_quotient() -> None:
    assert add(remainder(n, m), multiply(m, floor_divide(n, m))) is n


@pytest.mark.parametrize(("left", "right", "quotient"), [(7, 2, 3), (-7, 2, -4), (7, -2, -4), (-7, -2, 3), (7, 0, 0)])
def test_division_floors_and_by_zero_is_zero(left: int, right: int, quotient: int) -> None:
    assert floor_divide(number(left), number(right)) is number(quotient)


def test_extrema_are_flat_idempotent_and_fold_numbers() -> None:
    assert maximum(n, maximum(m, n)) is maximum(m, n)
    assert maximum(number(3), number(5), n) is maximum(n, number(5))
    assert minimum(n, n) is n


def test_tests_are_canonical() -> None:
    assert at_most(scale(2, n), number(7)) is at_most(n, number(3))
    assert less(n, m) is at_most(plus(n, 1), m)
    assert complement(less(n, m)) is at_most(m, n)
    assert equal(scale(2, n), number(7)) is FALSE
    assert equal(n, m) is equal(scale(-3, m), scale(-3, n))


def test_an_extremum_is_spread_in_comparisons() -> None:
    assert at_most(maximum(n, m), k) is conjoin(at_most(n, k), at_most(m, k))
    assert at_most(minimum(n, m), k) is disjoin(at_most(n, k), at_most(m, k))


def test_folds_of_one_class_merge_and_contradict() -> None:
    low, high = non_negative(n), less(n, m)
    assert conjoin(every_axis("A", low), every_axis("A", high)) is every_axis("A", conjoin(low, high))
    assert conjoin(every_axis("A", conjoin(low, high)), complement(every_axis("A", low))) is FALSE
    assert every_axis("A", TRUE) is TRUE
    assert isinstance(every_axis("A", FALSE), Fold), "true at rank 0"
    assert some_axis("A", FALSE) is FALSE
    assert conjoin(every_axis("A", FALSE), some_axis("A", low)) is FALSE


def test_a_single_axis_has_no_fold() -> None:
    assert every_axis(None, non_negative(k)) is non_negative(k)


def test_conjunctions_notice_complements() -> None:
    assert conjoin(less(n, m), at_most(m, n)) is FALSE
    assert disjoin(less(n, m), at_most(m, n)) is TRUE


def test_choices_with_a_common_branch_merge() -> None:
    p, q = less(n, k), less(m, k)
    x, y = variable("x", None, INT), variable("y", None, INT)
    assert choose(p, choose(q, x, y), y) is choose(conjoin(p, q), x, y)
    assert choose(p, x, choose(q, x, y)) is choose(disjoin(p, q), x, y)
    assert choose(complement(p), x, y) is choose(p, y, x)
    assert choose(p, x, x) is x


def test_elements_of_indices_are_read_as_indices() -> None:
    element = add(element_of(n, REAL), element_of(plus(m, 2), REAL))
    assert less(element, element_of(k, REAL)) is less(add(n, plus(m, 2)), k)
    assert index_of(element_of(add(n, m), INT)) is add(n, m)
    assert maximum(element_of(n, INT), element_of(m, INT)) is element_of(maximum(n, m), INT)


def test_the_order_of_slots_does_not_matter() -> None:
    one, other = Slot("A", "A", n), Slot("B", "B", variable("i", "B"))
    assert access("X", (one, other), INT) is access("X", (other, one), INT)


def test_terms_know_of_which_axes_they_speak() -> None:
    assert add(n, k).classes == {"A"}
    assert every_axis("A", less(n, k)).classes == frozenset()
    assert access("X", (Slot("A", "A", n),), INT).classes == frozenset()


def test_terms_that_nobody_holds_are_forgotten() -> None:
    gc.collect()
    before = len(interning._table)
    terms = [plus(n, value) for value in range(1000, 1500)]
    assert len(interning._table) >= before + 500
    del terms
    gc.collect()
    assert len(interning._table) <= before + 1


PROGRAM = """
import sys
sys.path.insert(0, {server!r})
from rewright.terms import *
{first}
n, m, k = (variable(name, "A") for name in "nmk")
t = conjoin(less(add(multiply(n, m), k), plus(m, 3)), equal(floor_divide(n, m), maximum(k, n, m)), non_negative(k))
print(t.digest.hex(), t)
"""


def test_digests_and_order_do_not_depend_on_history() -> None:
    histories = ["", "[variable(x, 'A') for x in 'kmn']; less(variable('k', 'A'), variable('m', 'A'))"]
    runs = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM.format(server=SERVER, first=first)],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for first, seed in zip(histories, ("1", "2"), strict=True)
    ]
    assert runs[0] == runs[1]
    assert runs[0].strip()


def test_polynomials_are_sorted_by_digest() -> None:
    term = add(n, m, k)
    assert isinstance(term, Polynomial)
    digests = [monomial[0][0].digest for monomial, _ in term.monomials]
    assert digests == sorted(digests)
