"""Ways in which provers of such rules went wrong: each false rule here was once accepted by one, or nearly."""

from __future__ import annotations

import pytest
from rules_build import (
    Draft,
    broadcast,
    compare,
    every,
    ix,
    least,
    pad,
    point,
    reverse,
    slice_,
    some,
)

from rewright.model.rule import RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Decision, Mode, Proved, Refuted, Unknown, Vacuous
from rewright.rules.models import Model, ModelSession
from rewright.terms import variable
from rewright.terms.comparison import non_negative
from rewright.terms.polynomial import negate, plus, scale
from rewright.verdict import Failure

BUDGET = Budget(10_000_000, 10.0)
MODES = pytest.mark.parametrize("mode", list(Mode))


def ranks(decision: Decision) -> dict[str, int]:
    assert isinstance(decision, Refuted), decision
    return {str(name): rank for name, rank in decision.ranks}


# ------------------------------------------------------------------------------------------- gaps of the first method


@MODES
def test_g1_three_folds_fail_only_at_rank_three(mode: Mode) -> None:
    d = Draft("A", "int")

    def corner(low: int, high: int, interior: int) -> object:
        return pad(broadcast(d.constant("0"), A=2), d.constant("1"), A=(low, high, interior))

    left = corner(1, 0, 0) * corner(0, 1, 0) * corner(0, 0, 1)  # type: ignore[operator]
    question = d.rule(left, broadcast(d.constant("0"), A=3))
    assert ranks(decide(question, BUDGET, mode)) == {"A": 3}


@MODES
def test_g1_without_tensors_fails_only_at_rank_two(mode: Mode) -> None:
    d = Draft("A", "pred")
    false, true = d.constant("false"), d.constant("true")
    one = pad(broadcast(false, A=1), true, A=(1, 0, 0))
    other = pad(broadcast(false, A=1), true, A=(0, 1, 0))
    question = d.rule(point("and", one, other), broadcast(false, A=2))
    assert ranks(decide(question, BUDGET, mode)) == {"A": 2}


@MODES
def test_g2_a_precondition_on_some_axis_is_not_on_all(mode: Mode) -> None:
    d = Draft("A")
    (n,) = d.map("n", "A")
    x = d.tensor("X", A=n)
    question = d.rule(reverse(x, "A"), x, every("A", n == 1) | some("A", n == 1))
    assert ranks(decide(question, BUDGET, mode))["A"] >= 2


@MODES
def test_g3_an_assumption_links_two_tensors(mode: Mode) -> None:
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x, y = d.tensor("X", A=n), d.tensor("Y", A=n)
    equal = d.assume(compare("==", x, y), "A")
    question = d.rule(x * y, x * reverse(y, "A"), assume=(equal,))
    assert ranks(decide(question, BUDGET, mode))["A"] >= 1


@MODES
def test_g4_a_rule_that_is_vacuous_above_rank_zero_and_false_there_is_refuted(mode: Mode) -> None:
    d = Draft("A")
    (n,) = d.map("n", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    question = d.rule(x, broadcast(v, A=n), n < 0)
    assert ranks(decide(question, BUDGET, mode)) == {"A": 0}


@MODES
def test_g5_empty_results_need_equal_shapes(mode: Mode) -> None:
    d = Draft("A")
    (n,) = d.map("n", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    decision = decide(d.rule(slice_(x, A=(0, 0, 1)), broadcast(v, A=n)), BUDGET, mode)
    assert isinstance(decision, Refuted)
    assert decision.fails is Failure.SHAPE


@MODES
def test_g5_empty_results_need_a_valid_right_side(mode: Mode) -> None:
    d = Draft("A")
    n, s, e = d.map("n s e", "A")
    x = d.tensor("X", A=n)
    decision = decide(d.rule(slice_(x, A=(s, e, 1)), slice_(x, A=(s + 1, e + 1, 1)), e == s), BUDGET, mode)
    assert isinstance(decision, Refuted)
    assert decision.fails is Failure.VALIDITY


def test_g5_a_limit_cut_to_the_inner_slice_is_invalid_on_empty_results() -> None:
    d = Draft("A")
    n, s, e, p, s2, e2 = d.map("n s e p s2 e2", "A")
    x = d.tensor("X", A=n)
    left = slice_(slice_(x, A=(s, e, p)), A=(s2, e2, 1))
    right = slice_(x, A=(s + s2 * p, least(s + e2 * p, e), p))
    decision = decide(d.rule(left, right), BUDGET)
    assert isinstance(decision, Refuted)
    assert decision.fails is Failure.VALIDITY


# ------------------------------------------------------------------------------------------------ traps of the design


@MODES
def test_a_countermodel_with_an_empty_rank_vector_is_a_countermodel(mode: Mode) -> None:
    d = Draft("d!")
    (n,) = d.map("n", "d")
    x = d.tensor("X", d=n)
    decision = decide(d.rule(reverse(x, "d"), x), BUDGET, mode)
    assert ranks(decision) == {"d": 1}


@MODES
def test_facts_of_a_class_do_not_pin_a_scalar(mode: Mode) -> None:
    """Equal shapes on A say k == 1 only where A has an axis."""
    d = Draft("A", "int")
    k = d.int("k")
    left = broadcast(d.elem(k), A=k) + broadcast(d.constant("0"), A=1)
    question = d.rule(left, broadcast(d.constant("1"), A=1))
    assert ranks(decide(question, BUDGET, mode)) == {"A": 0}


def test_facts_of_a_class_with_an_axis_do_pin_a_scalar() -> None:
    d = Draft("A+", "int")
    k = d.int("k")
    left = broadcast(d.elem(k), A=k) + broadcast(d.constant("0"), A=1)
    assert isinstance(decide(d.rule(left, broadcast(d.constant("1"), A=1)), BUDGET), Proved)


def test_every_failing_test_has_an_axis_of_its_own() -> None:
    """Below that rank the tests' witnesses would be unconstrained, and refutations would not replay."""
    d = Draft("A")
    n, low = d.map("n low", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    question = d.rule(pad(x, v, A=(low, 0, 0)), x, some("A", low == 0) & some("A", low != 0), every("A", low >= 0))
    decision = decide(question, BUDGET)
    assert ranks(decision)["A"] >= 1
    assert isinstance(decision, Refuted)
    with ModelSession(question, dict(decision.ranks), None, BUDGET.steps) as session:
        assert isinstance(session.find(None), Model)


def test_the_common_factor_of_one_coefficient_keeps_its_sign() -> None:
    n = variable("n", None)
    assert non_negative(scale(-2, n)) is non_negative(negate(n))
    assert non_negative(plus(scale(-3, n), 7)) is non_negative(plus(negate(n), 2))


@MODES
def test_a_rule_without_inputs_above_rank_zero_is_vacuous(mode: Mode) -> None:
    """At rank 0 every precondition on all axes holds: that must not count as an input."""
    d = Draft("A")
    n, s = d.map("n s", "A")
    x = d.tensor("X", A=n)
    left = slice_(x, A=(s, n, 1))
    assert isinstance(decide(d.rule(left, slice_(x, A=(s, n, 1)), s > n), BUDGET, mode), Vacuous)


def test_contradicting_preconditions_on_integers_are_vacuous() -> None:
    d = Draft("A")
    (n,) = d.map("n", "A")
    k = d.int("k")
    x = d.tensor("X", A=n)
    assert isinstance(decide(d.rule(x, reverse(x, "A"), k > 2, k < 1), BUDGET), Vacuous)


def test_an_assumption_that_no_contents_meet_leaves_only_empty_results() -> None:
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x = d.tensor("X", A=n)
    impossible = d.assume(compare("<", x, x), "A")
    decision = decide(d.rule(x, reverse(x, "A"), n == n, assume=(impossible,)), BUDGET)
    assert isinstance(decision, Proved)
    assert decision.only_empty


def test_only_empty_results_are_noticed() -> None:
    d = Draft("A")
    (n,) = d.map("n", "A")
    x = d.tensor("X", A=n)
    decision = decide(d.rule(reverse(x, "A"), x, n == 0), BUDGET)
    assert isinstance(decision, Proved)
    assert decision.only_empty


def test_a_class_that_excludes_rank_zero_is_not_asked_there() -> None:
    d = Draft("A+")
    (n,) = d.map("n", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    assert isinstance(decide(d.rule(pad(x, v, A=(1, 0, 0)), pad(x, v, A=(1, 0, 0))), BUDGET), Proved)
    question = d.rule(slice_(pad(x, v, A=(2, 0, 0)), A=(0, 1, 1)), broadcast(v, A=1))
    assert isinstance(decide(question, BUDGET), Proved)


def test_the_same_rule_with_rank_zero_is_refuted_there() -> None:
    d = Draft("A")
    (n,) = d.map("n", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    question = d.rule(slice_(pad(x, v, A=(2, 0, 0)), A=(0, 1, 1)), broadcast(v, A=1))
    assert ranks(decide(question, BUDGET)) == {"A": 0}


def test_rank_zero_is_asked_where_only_an_assumption_tests_an_axis() -> None:
    """At rank 0 the window is everything; above, n == 0 leaves nothing to compare."""
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x, y = d.tensor("X", A=n), d.tensor("Y", A=n)
    below = d.assume(compare("<", x, y), "A")
    assert ranks(decide(d.rule(x, y, n == 0, assume=(below,)), BUDGET)) == {"A": 0}


def test_infinity_is_no_ordinary_unknown() -> None:
    """(X + highest) - highest is undefined, so its left side claims nothing and X as its right side is right."""
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x, top = d.tensor("X", A=n), d.constant("highest")
    assert isinstance(decide(d.rule(x, (x + top) - top), BUDGET), Refuted)
    assert isinstance(decide(d.rule((x + top) - top, x), BUDGET), Proved)


def test_minus_highest_is_lowest() -> None:
    d = Draft("A", "real")
    (n,) = d.map("n", "A")
    x, top = d.tensor("X", A=n), d.constant("highest")
    assert isinstance(decide(d.rule(point("maximum", x, -top), x), BUDGET), Proved)
    assert isinstance(decide(d.rule(point("maximum", x, -top), broadcast(top, A=n)), BUDGET), Refuted)


def test_division_by_zero_in_an_attribute_makes_its_side_invalid() -> None:
    d = Draft("A")
    n, k = d.map("n k", "A")
    x = d.tensor("X", A=n)
    decision = decide(d.rule(x, slice_(x, A=(0, n // k * k + n % k, 1))), BUDGET)
    assert isinstance(decision, Refuted)
    assert decision.fails is Failure.VALIDITY
    assert isinstance(decide(d.rule(x, slice_(x, A=(0, n // k * k + n % k, 1)), k != 0), BUDGET), Proved)


def test_division_of_integers_is_evaluated_at_rank_zero_too() -> None:
    d = Draft("A")
    (n,) = d.map("n", "A")
    k = d.int("k")
    x, v = d.tensor("X", A=n), d.scalar("v")
    right = pad(x, v, A=(0 * (ix(1) // k), 0, 0))
    decision = decide(d.rule(x, right), BUDGET)
    assert isinstance(decision, Refuted)
    assert decision.fails is Failure.VALIDITY


def test_a_precondition_that_divides_by_zero_does_not_hold() -> None:
    """Neither `n // k == 1` nor its negation holds where k is 0, so k != 0 follows from both."""
    d = Draft("A+")
    n, k = d.map("n k", "A")
    x, v = d.tensor("X", A=n), d.scalar("v")
    right = pad(x, v, A=((n // k) * 0, 0, 0))
    assert isinstance(decide(d.rule(x, right, n // k == 1), BUDGET), Proved)
    assert isinstance(decide(d.rule(x, right, ~(n // k == 1)), BUDGET), Proved)
    assert isinstance(decide(d.rule(x, right, (k == 0) | (n // k == 1)), BUDGET), Refuted)


def test_the_reverse_claim_has_the_right_side_as_its_premise() -> None:
    from msgspec.structs import replace

    d = Draft("A")
    n, start, length = d.map("n start length", "A")
    from rules_build import dynamic_slice

    x = d.tensor("X", A=n)
    forwards = d.rule(dynamic_slice(x, A=(start, length)), slice_(x, A=(start, start + length, 1)))
    backwards = replace(forwards, direction="<=")
    assert isinstance(decide(forwards, BUDGET), Refuted)
    assert isinstance(decide(backwards, BUDGET), Proved)


# --------------------------------------------------------------------------------------------------- what is refused


def refused(question: RuleQuestion) -> str:
    decision = decide(question, BUDGET)
    assert isinstance(decision, Unknown)
    return decision.reason


def test_machine_types_are_refused_by_name() -> None:
    d = Draft("A", "s32")
    (n,) = d.map("n", "A")
    x = d.tensor("X", A=n)
    assert "`s32`" in refused(d.rule(x + x, x + x))


def test_other_elementwise_operators_are_refused_by_name() -> None:
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x = d.tensor("X", A=n)
    assert "`shift_left`" in refused(d.rule(point("shift_left", x, x), x))


def test_contradicting_truths_are_no_input() -> None:
    d = Draft("A")
    (n,) = d.map("n", "A")
    x, p = d.tensor("X", A=n), d.scalar("p", "pred")
    yes, no = compare("==", p, d.constant("true", "pred")), compare("==", p, d.constant("false", "pred"))
    assert isinstance(decide(d.rule(x, reverse(x, "A"), yes, no), BUDGET), Vacuous)
    assert isinstance(decide(d.rule(x, x, yes), BUDGET), Proved)


def test_an_assumption_about_contents_that_are_not_read_must_be_possible() -> None:
    d = Draft("A", "int")
    (n,) = d.map("n", "A")
    x, y, z = (d.tensor(name, A=n) for name in "XYZ")
    impossible = d.assume(compare("<", x, x), "A")
    decision = decide(d.rule(y, z, assume=(impossible,)), BUDGET)
    assert isinstance(decision, Proved)
    assert decision.only_empty
