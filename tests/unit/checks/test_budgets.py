"""Budgets of rules are steps: of the solver, of terms, of replays. No clock decides."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from test_checks_rule import question

import rewright
from rewright.checks import rule
from rewright.checks.rule import LEAST, of_question
from rewright.checks.sampled import FIRST, failing_input
from rewright.rules import reductions
from rewright.rules.decide import BY_THE_CLOCK, OUT_OF_STEPS, decide
from rewright.rules.decision import Budget, Mode, Unknown
from rewright.rules.raw import raw_query
from rewright.verdict import Verdict
from rewright.verdict.undecided import UnknownReason

PACKAGE = Path(rewright.__file__).parent
CLOCKS = re.compile(r"\b(process_time|perf_counter|monotonic)\b")
WITH_A_CLOCK = {"checks/kernel.py"}
"""Kernels have a guard of their own."""

LAYER_NORM = """
axes M, K
map m on M
map n on K
scalar e: T
tensor X, G: T[M: m, K: n]
let d = X - broadcast(reduce(add, X, K) / elem(prod(n)), K: n)
let r = rsqrt(reduce(add, d * d, K) / elem(prod(n)) + e)
let y = d * broadcast(r, K: n)
reduce(add, broadcast(r, K: n) * (G - y * broadcast(reduce(add, G * y, K) / elem(prod(n)), K: n)), K)
  => broadcast(0, M: m) + reduce(add, G * y, K) * r
"""
QUOTIENTS = """
axes K
map n on K
tensor X: T[K: n]
X / broadcast(reduce(add, X, K), K: n) => X / broadcast(reduce(add, X * X, K), K: n)
"""
FALSE = "axes K\nmap n on K\ntensor X: T[K: n]\nreduce(add, X, K) => reduce(add, X + X, K)"


def test_no_clock_decides_about_rules() -> None:
    sources = [path for folder in ("rules", "checks", "replay", "equality") for path in (PACKAGE / folder).glob("*.py")]
    assert len(sources) > 60
    with_a_clock = {path.relative_to(PACKAGE).as_posix() for path in sources if CLOCKS.search(path.read_text())}
    assert with_a_clock == WITH_A_CLOCK


def test_nodes_are_part_of_the_budget() -> None:
    asked = question(LAYER_NORM, "T: real")
    assert decide(asked, Budget(nodes=200)) == Unknown(OUT_OF_STEPS, UnknownReason.STEPS)


def test_quotients_of_sums_are_not_spelled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def noted(*query: Any) -> Any:
        asked.append(query)
        return raw_query(*query)

    monkeypatch.setattr(reductions, "raw_query", noted)
    decide(question(QUOTIENTS, "T: real"), Budget(steps=1_000))
    assert not asked


def test_what_the_clock_ends_says_so() -> None:
    asked = question("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(reverse(X, A), A) => X")
    assert decide(asked, Budget(seconds=0.0), Mode.SOLVER_ONLY) == Unknown(BY_THE_CLOCK, UnknownReason.CLOCK)
    assert decide(asked, Budget(steps=0), Mode.SOLVER_ONLY) == Unknown(OUT_OF_STEPS, UnknownReason.STEPS)


def test_questions_share_the_budget_of_a_declaration() -> None:
    one, two = (question(FALSE, f"T: {kinds}") for kinds in ("int", "num"))
    first, second = (of_question(each, Budget()) for each in (one, two))
    assert (second.steps, second.nodes) == (first.steps // 2, first.nodes // 2)
    assert of_question(one, Budget(steps=0)).steps == 0
    many = replace(two, rule=replace(two.rule, domains=two.rule.domains * 8))
    assert of_question(many, Budget()).steps == LEAST.steps
    assert of_question(many, Budget(steps=3 * Budget().steps)).steps == 3 * LEAST.steps


def test_the_solver_alone_has_its_share_and_draws_no_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Budget] = []

    def out_of_steps(_: object, budget: Budget, *__: object) -> Unknown:
        given.append(budget)
        return Unknown(OUT_OF_STEPS)

    monkeypatch.setattr(rule, "decide", out_of_steps)
    monkeypatch.setattr(rule, "failing_input", None)
    asked = question(FALSE, "T: num")
    assert rule.answer(asked, Budget(), Mode.SOLVER_ONLY).verdict is Verdict.UNKNOWN
    assert given == [of_question(asked, Budget())]


def test_a_look_ends_by_its_steps() -> None:
    asked = question(FALSE, "T: int")
    assert failing_input(asked, FIRST) is not None
    assert failing_input(asked, replace(FIRST, steps=0)) is None
