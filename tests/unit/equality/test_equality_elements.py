"""What facts about elements entail, and normal forms of elements under them."""

from __future__ import annotations

from rewright.equality import EVERYWHERE, Facts, simplify
from rewright.terms import (
    FALSE,
    INT,
    REAL,
    TRUE,
    Slot,
    Term,
    absolute,
    access,
    add,
    at_most,
    choose,
    complement,
    element_of,
    equal,
    exponential,
    less,
    maximum,
    minimum,
    multiply,
    negate,
    number,
    plus,
    reciprocal,
    subtract,
    truncated_divide,
    truncated_remainder,
    variable,
    zero,
)
from rewright.terms.interning import intern
from rewright.terms.node import Infinity

X, Y, Z = (variable(name, None, REAL) for name in "xyz")
A, B, C = (variable(name, None, INT) for name in "abc")
NONE = number(0, REAL)
K, J = variable("k", None), variable("j", None)


def given(*facts: Term) -> Facts:
    return Facts.of([(EVERYWHERE, fact) for fact in facts], frozenset())


def over(left: Term, right: Term) -> Term:
    return multiply(left, reciprocal(right))


def test_a_divisor_that_is_not_zero_is_cancelled() -> None:
    apart = given(complement(zero(X)))
    assert simplify(over(multiply(X, Y), X), apart) is Y
    assert simplify(over(multiply(X, Y), X), given()) is not Y
    assert simplify(over(X, X), given(less(NONE, X))) is number(1, REAL)
    assert simplify(over(X, X), given(less(X, NONE))) is number(1, REAL)
    assert simplify(over(X, X), given(at_most(NONE, X))) is not number(1, REAL)


def test_a_sum_is_cancelled_as_one_divisor() -> None:
    both = add(X, Y)
    whole = over(add(multiply(X, Z), multiply(Y, Z)), both)
    assert simplify(whole, given(complement(zero(both)))) is Z
    assert simplify(whole, given(complement(zero(X)))) is not Z


def test_comparisons_are_multiplied_by_divisors_of_known_sign() -> None:
    assert simplify(less(over(X, Y), Z), given(less(NONE, Y))) is less(X, multiply(Y, Z))
    assert simplify(less(over(X, Y), Z), given(less(Y, NONE))) is less(multiply(Y, Z), X)
    assert simplify(less(over(X, Y), Z), given(complement(zero(Y)))) is less(over(X, Y), Z)
    assert simplify(equal(over(X, Y), Z), given(complement(zero(Y)))) is equal(X, multiply(Y, Z))


def test_strict_facts_give_strict_conclusions() -> None:
    assert simplify(less(NONE, add(X, Y)), given(less(NONE, X), at_most(NONE, Y))) is TRUE
    assert simplify(less(NONE, add(X, Y)), given(at_most(NONE, X), at_most(NONE, Y))) is not TRUE
    assert simplify(zero(add(X, Y)), given(less(NONE, X), at_most(NONE, Y))) is FALSE
    assert simplify(less(NONE, add(exponential(X), absolute(Y))), given()) is TRUE


def test_integers_beyond_zero_are_at_least_one() -> None:
    facts = given(at_most(number(0, INT), A), complement(zero(A)))
    assert facts.positive(A)
    assert not given(at_most(number(0, INT), A)).positive(A)
    assert not given(complement(zero(A))).positive(A)


def test_absolute_values_of_known_sign() -> None:
    assert simplify(absolute(A), given(less(number(0, INT), A))) is A
    assert simplify(absolute(A), given(less(A, number(0, INT)))) is negate(A)
    assert simplify(absolute(multiply(A, B)), given(less(A, number(0, INT)))) is negate(multiply(A, absolute(B)))


def test_truncated_quotients_of_indices_become_quotients_rounded_down() -> None:
    index, divisor = element_of(J, INT), element_of(K, INT)
    below = given(at_most(number(0), J), less(J, K))
    assert simplify(truncated_remainder(index, divisor), below) is index
    shifted = truncated_remainder(add(index, divisor), divisor)
    positive = given(at_most(number(0), J), less(number(0), K))
    assert simplify(shifted, positive) is simplify(truncated_remainder(index, divisor), positive)
    assert simplify(shifted, given(less(number(0), K))) is not simplify(
        truncated_remainder(index, divisor), given(less(number(0), K))
    )


def test_truncated_quotients_of_elements() -> None:
    small = given(less(number(0, INT), B), less(A, B), less(negate(A), B))
    assert simplify(truncated_divide(A, B), small) is number(0, INT)
    assert simplify(truncated_divide(A, B), given(less(A, B))) is truncated_divide(A, B)
    assert simplify(truncated_divide(multiply(A, B), B), given(complement(zero(B)))) is A
    assert simplify(truncated_divide(multiply(A, B), B), given()) is not A
    both = given(less(number(0, INT), A), less(number(0, INT), B), at_most(number(0, INT), C))
    whole = truncated_divide(add(multiply(A, B), C), B)
    assert simplify(whole, both) is add(A, truncated_divide(C, B))
    assert simplify(whole, given(less(number(0, INT), B))) is whole


def test_operands_that_another_dominates_leave_an_extremum() -> None:
    low, high = A, B
    inner = minimum(maximum(C, low), high)
    ordered, crossed = given(at_most(low, high)), given(less(high, low))
    assert simplify(maximum(inner, low), ordered) is inner
    assert simplify(maximum(inner, low), crossed) is low
    assert simplify(inner, crossed) is high


def test_a_choice_by_a_known_truth() -> None:
    read = access("P", (Slot("A", "A", variable("[A]", "A")),), zero(X).sort)
    choice = choose(read, X, Y)
    assert simplify(choice, given(read)) is X
    assert simplify(choice, given(complement(read))) is Y
    assert simplify(choice, given()) is choice


def test_infinities_are_left_alone() -> None:
    high = intern(Infinity, True, REAL)
    odd = less(add(X, high), Y)
    assert simplify(odd, given(less(X, Y))) is odd
    assert simplify(plus(A, 1), given()) is plus(A, 1)
    assert simplify(subtract(A, A), given()) is number(0, INT)
