"""Rules with assumptions that give contents by their index: answers held against brute force."""

from __future__ import annotations

from collections import Counter

import brute
import pytest
from agreement import judge
from at_length import indexed_rules, replayed
from builders import questions
from printing import rule_text

from rewright.replay.sampling import Effort
from rewright.verdict import Verdict

PLAN = brute.Search(trials=60, effort=Effort(tries=80, keep=12))


def test_what_assumptions_say_of_the_index() -> None:
    """Forty rules: no answer is contradicted, most are decided, and inputs that meet the assumptions are found."""
    verdicts: Counter[Verdict] = Counter()
    for number, drawn in enumerate(indexed_rules(seed=4, count=40)):
        judged = judge(questions(drawn.rule)[0], number, PLAN)
        assert judged.wrong is None, (number, judged.wrong, rule_text(drawn.rule))
        assert judged.answer.verdict is not Verdict.PROVED or judged.seen.valid
        verdicts[judged.answer.verdict] += 1
    assert verdicts[Verdict.PROVED] > 15
    assert verdicts[Verdict.REFUTED] > 4
    assert verdicts[Verdict.UNKNOWN] < 8


@pytest.mark.soak
def test_proofs_by_what_is_said_of_the_index_hold_at_length() -> None:
    """1,000 such rules, their proofs replayed at length."""
    found = replayed(indexed_rules(seed=14, count=1_000))
    print(*found.lines(), sep="\n")
    assert not found.wrong
    assert found.decisions["Proved"] > 300
