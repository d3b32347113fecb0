"""Families: random rules of any number of operands, against the same rules with one, two and three written out."""

from __future__ import annotations

import random
from collections import Counter

import brute
import pytest
from agreement import BUDGET
from builders import questions
from family_rules import LONGEST, Draft, drafts

from rewright.checks.rule import answer
from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.rules.decision import Mode
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import RuleWitness, Verdict


def test_random_families() -> None:
    """Twelve rules: what is proved of any number holds of each, what is refuted fails of one."""
    verdicts = _judged(seed=1, count=12)
    assert verdicts[Verdict.PROVED] >= 6
    assert verdicts[Verdict.REFUTED] >= 2


@pytest.mark.soak
def test_many_random_families() -> None:
    """600 of them; fewer than one in ten of the true ones is unknown."""
    verdicts = _judged(seed=2, count=600)
    assert verdicts[Verdict.UNKNOWN] < 60


def _judged(seed: int, count: int) -> Counter[Verdict]:
    verdicts: Counter[Verdict] = Counter()
    for number, draft in enumerate(drafts(random.Random(seed), count)):
        verdict, wrong = _verdict(draft, number)
        assert wrong is None, f"{wrong}: {draft.of_any()}"
        assert draft.changed or verdict is not Verdict.REFUTED, draft.of_any()
        verdicts[verdict] += 1
    return verdicts


def _verdict(draft: Draft, seed: int) -> tuple[Verdict, str | None]:
    """The verdict on any number of operands, and what contradicts it."""
    (question,) = questions(_rule(draft.of_any()))
    found = answer(question, BUDGET, Mode.NORMAL_FORMS)
    if found.verdict is Verdict.PROVED:
        for count in range(1, LONGEST + 1):
            (written_out,) = questions(_rule(draft.of(count)))
            seen = brute.search(written_out, seed)
            if seen.failure is not None:
                return found.verdict, f"proved, but with {count} operands fails on {seen.failure}"
    if isinstance(found.witness, RuleWitness):
        (count,) = (value for name, value in found.witness.instance.integers if name == "k")
        (written_out,) = questions(_rule(draft.of(count)))
        if count <= LONGEST and answer(written_out, BUDGET, Mode.NORMAL_FORMS).verdict is Verdict.PROVED:
            return found.verdict, f"refuted with {count} operands, but that is proved"
    return found.verdict, None


def _rule(text: str) -> Rule:
    (declared,) = check_file(parse(Text.of("drawn.rw", text)), lambda path: None).declarations
    assert isinstance(declared.value, Rule), (text, declared.findings, declared.unsupported)
    return declared.value
