"""The SMT-LIB text of a question means what the question means."""

from __future__ import annotations

import pytest
import z3
from rules_build import Draft, reverse
from rules_samples import FALSE, TRUE

from rewright.rules.smtlib import smtlib


def verdict(text: str) -> str:
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    return str(solver.check())


@pytest.mark.parametrize("name", ["dynamic_slice_to_slice", "clamp_as_max_of_min", "reduce_of_a_reduce"])
def test_the_text_of_a_true_rule_is_unsatisfiable(name: str) -> None:
    assert verdict(smtlib(TRUE[name]())) == "unsat"


@pytest.mark.parametrize("name", ["update_of_a_slice", "concatenate_commutes", "reduce_ignores_the_initial_value"])
def test_the_text_of_a_false_rule_is_satisfiable(name: str) -> None:
    assert verdict(smtlib(FALSE[name]())) == "sat"


def test_the_text_names_the_ranks() -> None:
    assert smtlib(FALSE["update_of_a_slice"]()).splitlines()[0].endswith("direction =>, at rank A = 2")


def test_a_question_that_is_not_decided_says_why() -> None:
    d = Draft("A", "s32")
    (n,) = d.map("n", "A")
    x = d.tensor("X", A=n)
    assert smtlib(d.rule(reverse(x, "A"), x)) == (
        "; not decided: elements of type `s32` are not decided yet; int, real, pred and any are\n"
    )
