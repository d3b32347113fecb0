"""Random rules about sums of exponentials, quotients and counts: what is proved is replayed at length."""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from pathlib import Path

import pytest
from quotient_rules import drawn_rule

from rewright.equality import signs
from rewright.meaning.scope import NotCovered
from rewright.model.rule import RuleQuestion
from rewright.replay.looking import LookLimits, look
from rewright.rules.claim import claim_of
from rewright.rules.decision import Mode
from rewright.rules.leaf import Closed
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover

sys.path.insert(0, str(Path(__file__).parent.parent / "unit" / "rules"))

from rules_text import asked_over

COUNT = 4000 if os.environ.get("REWRIGHT_SOAK") else 30
LONG_LOOK = LookLimits(inputs=150, tried=600, steps=10_000_000)


def test_what_is_proved_holds_where_it_is_replayed() -> None:
    drawn = [drawn_rule(random.Random(f"quotients {place}")) for place in range(COUNT)]
    fates = {items: _fate(items) for items in drawn}
    assert not [items for items, fate in fates.items() if fate == "contradicted"]
    count = Counter(fates.values())
    assert count["proved"] > COUNT / 8
    assert count["open"] > COUNT / 8


EMPTY = """axes M, K
map m on M
map n on K
tensor G: T[M: m, K: n]
reduce(add, exp(G) / broadcast(reduce(add, exp(G), K), K: n), K) => broadcast(1, M: m)
"""


def test_a_range_taken_to_have_an_index_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _fate(EMPTY) == "open"
    monkeypatch.setattr(signs, "is_occupied", lambda ranges, facts: True)
    assert _fate(EMPTY) == "contradicted"


def _fate(items: str) -> str:
    asked = asked_over("real", items)
    if not _is_shown(asked):
        return "open"
    return "proved" if look(asked, LONG_LOOK).failing is None else "contradicted"


def _is_shown(asked: RuleQuestion) -> bool:
    """Whether normal forms alone show the rule."""
    prover = Prover(None, Mode.NORMAL_FORMS)
    try:
        return all(isinstance(prover.prove(goal), Closed) for goal in goals(claim_of(asked), Mode.NORMAL_FORMS))
    except NotCovered:
        return False
