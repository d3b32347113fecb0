"""Random rules, and mutants of the library's: the prover against brute force at ranks 0 to 2 and sizes 0 to 3."""

from __future__ import annotations

import os
import random
from pathlib import Path

import brute
import pytest
from agreement import Tally, judge, tally
from builders import questions
from mutation import mutants
from random_rules import random_rules

from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

LIBRARY = Path(__file__).parents[2] / "rules" / "xla"
MUTANTS = 12 if os.environ.get("REWRIGHT_SOAK") else 4


def test_random_rules() -> None:
    """300 rules, each compared on 60 sampled inputs a question."""
    _check(tally(random_rules(seed=2, count=300)), 300)


@pytest.mark.soak
def test_many_random_rules() -> None:
    """2,000 rules, each compared on 60 sampled inputs a question."""
    _check(tally(random_rules(seed=1, count=2_000)), 2_000)


def _check(found: Tally, count: int) -> None:
    print(found.summary())
    assert not found.disagreements
    assert found.rules == count
    assert found.share(Verdict.PROVED) >= 1 / 4
    assert found.refuted_with_input / count >= 1 / 4
    assert found.only_ranks / count >= 1 / 20
    assert found.share(Verdict.UNKNOWN) < 1 / 20, found.unknown
    assert found.tried > 20 * count


def library() -> list[Rule]:
    """The rules of `rules/xla`."""
    files = [
        check_file(parse(Text.of(str(path), path.read_text())), lambda path: None) for path in LIBRARY.glob("*.rw")
    ]
    return [each.value for file in files for each in file.declarations if isinstance(each.value, Rule)]


@pytest.mark.parametrize("rule", library(), ids=lambda rule: str(rule.name))
def test_a_mutated_library_rule_is_refuted_or_still_true(rule: Rule) -> None:
    plan = brute.Search(trials=120)
    for number, mutant in enumerate(mutants(rule, random.Random(str(rule.name)), MUTANTS)):
        for question in questions(mutant):
            judged = judge(question, number, plan)
            assert judged.wrong is None
            assert judged.answer.verdict is Verdict.REFUTED or judged.seen.failure is None, judged.answer.reason
