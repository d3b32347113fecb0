"""Quotients, absolute values, exponentials and declared functions to the solver, in every encoding."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rewright.solve import Attempt, Encoding, Oracle, Query, SolverOutcome, TruthFails, TruthHolds, open_session
from rewright.solve.query import Quotients
from rewright.terms import (
    INT,
    REAL,
    TRUTH,
    Sort,
    Term,
    absolute,
    add,
    applied,
    at_most,
    complement,
    conjoin,
    equal,
    exponential,
    less,
    maximum,
    multiply,
    number,
    reciprocal,
    truncated_divide,
    truncated_remainder,
    variable,
)
from rewright.terms.interning import intern
from rewright.terms.node import Infinity

ENCODINGS = pytest.mark.parametrize("quotients", Quotients)
A, B = variable("a", None, INT), variable("b", None, INT)
X, Y = variable("x", None, REAL), variable("y", None, REAL)
ZERO, ONE = number(0, REAL), number(1, REAL)


def follows(conclusion: Term, *given: Term, quotients: Quotients = Quotients.NATIVE) -> bool:
    query = Query((), (*map(TruthHolds, given), TruthFails(conclusion)))
    outcome = Oracle(3_000_000, 5.0).ask(query, (Attempt(1_000_000, Encoding(quotients)),))
    assert outcome is not SolverOutcome.GAVE_UP
    return outcome is SolverOutcome.UNSATISFIABLE


def real(value: Fraction | int) -> Term:
    return number(value, REAL)


@ENCODINGS
@pytest.mark.parametrize(("left", "right"), list(product((-7, -6, -1, 0, 1, 6, 7), (-3, -1, 0, 1, 3))))
def test_division_truncates_for_every_sign(left: int, right: int, quotients: Quotients) -> None:
    expected = 0 if right == 0 else abs(left) // abs(right) * (1 if left * right > 0 else -1)
    known = equal(A, number(left, INT)), equal(B, number(right, INT))
    quotient, rest = truncated_divide(A, B), truncated_remainder(A, B)
    assert follows(equal(quotient, number(expected, INT)), *known, quotients=quotients)
    assert follows(equal(rest, number(left - right * expected, INT)), *known, quotients=quotients)
    assert not follows(equal(quotient, number(expected + 1, INT)), *known, quotients=quotients)


@ENCODINGS
@pytest.mark.parametrize("divisor", [-3, 1, 2])
def test_division_by_a_number_truncates(divisor: int, quotients: Quotients) -> None:
    quotient = truncated_divide(A, number(divisor, INT))
    for left in (-7, -6, 0, 5):
        expected = number(int(Fraction(left, divisor)), INT)
        assert follows(equal(quotient, expected), equal(A, number(left, INT)), quotients=quotients)


@ENCODINGS
@pytest.mark.parametrize(("value", "inverse"), [(2, Fraction(1, 2)), (-3, Fraction(-1, 3)), (0, 0)])
def test_a_reciprocal_is_exact(value: int, inverse: Fraction, quotients: Quotients) -> None:
    known = equal(X, real(value))
    assert follows(equal(reciprocal(X), real(inverse)), known, quotients=quotients)
    assert not follows(equal(reciprocal(X), real(inverse + 1)), known, quotients=quotients)


def test_the_solver_knows_no_product_with_a_reciprocal_to_be_one() -> None:
    assert not follows(equal(multiply(X, reciprocal(X)), ONE))
    assert follows(equal(multiply(X, reciprocal(X)), ONE), complement(equal(X, ZERO)))


@pytest.mark.parametrize("sort", [INT, REAL])
def test_an_absolute_value_is_the_greater_of_both(sort: Sort) -> None:
    value = variable("v", None, sort)
    below = conjoin(at_most(value, absolute(value)), at_most(number(0, sort), absolute(value)))
    assert follows(below)
    assert not follows(equal(absolute(value), value))
    assert follows(equal(absolute(value), value), less(number(0, sort), value))


def test_the_exponential_is_positive_increasing_and_one_at_zero() -> None:
    assert follows(less(ZERO, add(exponential(X), real(0))))
    assert follows(less(exponential(X), add(exponential(Y), X)), less(ZERO, X), less(X, Y))
    assert not follows(less(exponential(Y), add(exponential(X), X)), less(ZERO, X), less(X, Y))
    assert follows(equal(X, ZERO), equal(exponential(X), ONE))
    assert follows(less(ONE, exponential(X)), less(ZERO, X))
    assert follows(less(add(X, real(Fraction(9, 10))), exponential(X)))


def test_the_exponential_of_a_sum_is_the_product() -> None:
    known = equal(exponential(X), real(2)), equal(exponential(Y), real(3))
    assert follows(equal(exponential(add(X, Y)), real(6)), *known)
    assert not follows(equal(exponential(add(X, Y)), real(5)), *known)
    assert follows(equal(exponential(add(X, X)), real(4)), known[0])
    assert follows(equal(exponential(Y), real(Fraction(1, 2))), known[0], equal(add(X, Y), ZERO))


def test_of_the_exponential_only_laws_are_known() -> None:
    """e is not 2, but no law says so."""
    wrong = TruthHolds(equal(exponential(ONE), real(2)))
    session = open_session(Query((), (wrong,)))
    assert session.check(1_000_000, 5.0) is SolverOutcome.SATISFIABLE
    assert not session.exact


def test_an_irrational_value_is_reported() -> None:
    session = open_session(Query((), (TruthHolds(equal(multiply(X, X), real(2))),)))
    assert session.check(1_000_000, 5.0) is SolverOutcome.SATISFIABLE
    assert session.exact
    session.element(X)
    assert not session.exact


@pytest.mark.parametrize("sort", [INT, REAL, TRUTH, Sort("any T")])
def test_a_declared_function_has_one_value_at_equal_operands(sort: Sort) -> None:
    first, second = applied("f", (A,), sort), applied("f", (B,), sort)
    same = applied("g", (first,), TRUTH), applied("g", (second,), TRUTH)
    differ = TruthHolds(same[0]), TruthFails(same[1])
    apart, alike = TruthFails(equal(A, B)), TruthHolds(equal(A, B))
    assert Oracle(1_000_000, 5.0).ask(Query((), (*differ, alike))) is SolverOutcome.UNSATISFIABLE
    assert Oracle(1_000_000, 5.0).ask(Query((), (*differ, apart))) is SolverOutcome.SATISFIABLE


def test_the_calls_of_a_model_are_read_back() -> None:
    call = applied("f", (A, applied("g", (X,), TRUTH)), INT)
    known = equal(call, number(7, INT)), equal(A, number(-2, INT)), applied("g", (X,), TRUTH), equal(X, real(5))
    session = open_session(Query((), tuple(map(TruthHolds, known))))
    assert session.check(1_000_000, 5.0) is SolverOutcome.SATISFIABLE
    assert set(session.calls()) == {("f", ("-2", "true"), "7"), ("g", ("5",), "true")}
    assert session.exact


@pytest.mark.parametrize(
    "element",
    [reciprocal(X), absolute(X), exponential(X), applied("f", (X,), REAL)],
    ids=["reciprocal", "absolute", "exponential", "applied"],
)
def test_what_functions_give_is_finite(element: Term) -> None:
    for positive in (False, True):
        infinite = intern(Infinity, positive, REAL)
        assert follows(complement(equal(element, infinite)))
    assert not follows(equal(maximum(element, ZERO), ZERO))
