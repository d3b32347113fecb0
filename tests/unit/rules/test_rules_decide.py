"""True rules are proved, false ones refuted, with normal forms and with the solver alone."""

from __future__ import annotations

import itertools

import pytest
from rules_build import find_model
from rules_samples import FALSE, TRUE

from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Proved, Refuted, Unknown
from rewright.rules.models import Model
from rewright.verdict import Method

BUDGET = Budget(10_000_000, 10.0)
SLOW_FOR_THE_SOLVER = {"slice_of_slice_any_strides"}


@pytest.mark.parametrize("name", TRUE)
def test_true_rules_are_proved(name: str) -> None:
    assert isinstance(decide(TRUE[name](), BUDGET), Proved)


@pytest.mark.parametrize("name", FALSE)
def test_false_rules_are_refuted(name: str) -> None:
    assert isinstance(decide(FALSE[name](), BUDGET), Refuted)


@pytest.mark.parametrize("name", TRUE)
def test_the_solver_alone_never_refutes_a_true_rule(name: str) -> None:
    decision = decide(TRUE[name](), Budget(3_000_000, 5.0), Mode.SOLVER_ONLY)
    assert isinstance(decision, Proved | Unknown)
    assert name.startswith("reduce") or name in SLOW_FOR_THE_SOLVER or isinstance(decision, Proved)


@pytest.mark.parametrize("name", FALSE)
def test_the_solver_alone_refutes_false_rules(name: str) -> None:
    assert isinstance(decide(FALSE[name](), BUDGET, Mode.SOLVER_ONLY), Refuted)


@pytest.mark.parametrize("name", FALSE)
def test_a_model_of_the_raw_rule_exists_where_the_refutation_says(name: str) -> None:
    question = FALSE[name]()
    decision = decide(question, BUDGET)
    assert isinstance(decision, Refuted)
    found = find_model(question, dict(decision.ranks), None)
    assert isinstance(found, Model)


@pytest.mark.parametrize("name", TRUE)
def test_no_true_rule_has_a_model_at_small_ranks(name: str) -> None:
    question = TRUE[name]()
    classes = dict.fromkeys(group.rank_class for group in question.rule.groups)
    single = {group.rank_class for group in question.rule.groups if group.extent == "single"}
    for vector in itertools.product(*([1] if name in single else [0, 1] for name in classes)):
        ranks = dict(zip(classes, vector, strict=True))
        assert not isinstance(find_model(question, ranks, 3), Model)


def test_most_rules_close_by_normal_form_alone() -> None:
    decisions = [decide(make(), BUDGET) for make in TRUE.values()]
    by = [decision.by for decision in decisions if isinstance(decision, Proved)]
    assert by.count(Method.NORMAL_FORM) >= len(TRUE) * 3 // 4


def test_a_proof_by_normal_form_needs_no_bound() -> None:
    decision = decide(TRUE["dynamic_slice_to_slice"](), BUDGET)
    assert decision == Proved(
        Method.NORMAL_FORM, None, (("A", "both sides have the same normal form at every rank"),), only_empty=False
    )


def test_a_proof_by_the_solver_says_at_which_rank_and_why() -> None:
    decision = decide(TRUE["slice_of_reverse"](), BUDGET, Mode.SOLVER_ONLY)
    assert isinstance(decision, Proved)
    assert decision.by is Method.SOLVER
    assert decision.bound == (("A", 1),)
    assert decision.bound_reason == (("A", "1 test on all axes"),)


def test_the_slice_update_rule_fails_at_rank_two_and_no_earlier() -> None:
    question = FALSE["update_of_a_slice"]()
    decision = decide(question, BUDGET)
    assert isinstance(decision, Refuted)
    assert decision.ranks == (("A", 2),)
    assert find_model(question, {"A": 1}, 4) is None  # type: ignore[dict-item]


def test_decisions_do_not_depend_on_what_was_decided_before() -> None:
    names = ["update_of_an_update", "pads_merge", "slice_of_padding_only"]
    first = [decide(TRUE[name](), BUDGET) for name in names]
    again = [decide(TRUE[name](), BUDGET) for name in reversed(names)]
    assert first == list(reversed(again))


def test_an_exhausted_budget_is_unknown_with_a_reason() -> None:
    decision = decide(FALSE["inner_pads_merge"](), Budget(1, 5.0))
    assert isinstance(decision, Unknown)
    assert "budget" in decision.reason
