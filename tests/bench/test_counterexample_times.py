"""How long a counterexample takes, from the decision that there is one to a small input that was replayed.

Over every wrong rule of the library and over random rules that are false; of those with reductions the whole way from
the question to the answer, since there the counterexample is looked for first. Processor time of this process, in which
the solver runs too.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from rewright.checks.counterexample import NoModel, NotExact, counterexample
from rewright.checks.rule import answer
from rewright.checks.table import rule_questions
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Refuted
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests" / "property"))

LIMIT = 500.0
"""Milliseconds for the slowest one."""

RANDOM_RULES = 300
BUDGET = Budget()


def test_known_wrong_rules(enforced: bool) -> None:
    from reduction_rules import has_reduction

    asked = (asked for asked in _known_wrong() if not has_reduction((asked.rule.left, asked.rule.right)))
    _report("wrong rules of the library without reductions", list(_times(asked)), enforced)


def test_random_rules(enforced: bool) -> None:
    from builders import questions
    from random_rules import random_rules

    asked = (question for drawn in random_rules(seed=21, count=RANDOM_RULES) for question in questions(drawn.rule))
    _report("random rules that are false", list(_times(asked)), enforced)


def test_reductions(enforced: bool) -> None:
    from builders import questions
    from reduction_rules import has_reduction, reduction_rules

    wrong = [asked for asked in _known_wrong() if has_reduction((asked.rule.left, asked.rule.right))]
    _report("wrong rules with reductions, question to answer", list(_answers(wrong)), enforced)
    drawn = (questions(drawn.rule)[0] for _, drawn in reduction_rules(seed=21, count=RANDOM_RULES))
    _report("random ones that are false, question to answer", list(_answers(drawn)), enforced, share=0.95)


def _answers(asked: Iterable[RuleQuestion]) -> Iterator[float]:
    """Milliseconds for each question that is refuted, the decision included."""
    for question in asked:
        start = time.process_time()
        found = answer(question, BUDGET, Mode.NORMAL_FORMS)
        if found.verdict is Verdict.REFUTED:
            yield 1000 * (time.process_time() - start)


def _known_wrong() -> Iterator[RuleQuestion]:
    for path in sorted((ROOT / "rules" / "known-wrong").glob("*.rw")):
        file = check_file(parse(Text.of(str(path), path.read_text(encoding="utf-8"))), lambda name: None)
        for declared in file.declarations:
            if isinstance(declared.value, Rule):
                yield from rule_questions(declared.value)


def _times(asked: Iterable[RuleQuestion]) -> Iterator[float]:
    """Milliseconds for each question that is refuted and whose counterexample has numbers that can be replayed."""
    for question in asked:
        decision = decide(question, BUDGET)
        if not isinstance(decision, Refuted):
            continue
        start = time.process_time()
        try:
            counterexample(question, decision)
        except NotExact as reason:
            print(f"not counted: {reason}")
            continue
        except NoModel:
            pytest.fail(f"no counterexample of {question.rule.name}")
        yield 1000 * (time.process_time() - start)


def _report(what: str, milliseconds: list[float], enforced: bool, share: float = 1.0) -> None:
    """Prints the times; enforces the limit on this share of them."""
    ordered = sorted(milliseconds)
    middle, high, most = ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100], ordered[-1]
    print(
        f"\n{what}: {len(ordered)} counterexamples, p50 {middle:.0f} ms, p95 {high:.0f} ms, "
        f"max {most:.0f} ms (limit {LIMIT:.0f})"
    )
    assert len(ordered) > 40
    if enforced:
        assert ordered[min(int(len(ordered) * share), len(ordered) - 1)] <= LIMIT
