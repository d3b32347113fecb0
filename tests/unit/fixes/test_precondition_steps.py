"""A search for preconditions ends by counted work: it finds the same on every machine, whatever the clocks say."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from test_precondition_search import rule

from rewright.checks.table import rule_questions
from rewright.fixes.preconditions import work
from rewright.fixes.preconditions.exploring import pool_of
from rewright.fixes.preconditions.proof import ProvedWithInput, attempt
from rewright.fixes.preconditions.rule_fixes import rule_fixes
from rewright.fixes.preconditions.search import preconditions
from rewright.fixes.preconditions.work import ASKED, NODE, Limit
from rewright.model.rule import RuleQuestion
from rewright.replay.inputs import Inputs
from rewright.verdict.codec import encode


def question(items: str, domain: str = "any") -> RuleQuestion:
    (asked,) = rule_questions(rule(items, domain))
    return asked


PADS = question(
    """axes A
map n, low, high, outer_low, outer_high on A
scalar v: T
tensor X: T[A: n]
pad(pad(X, v, low, high), v, outer_low, outer_high) => pad(X, v, low + outer_low, high + outer_high)"""
)
WINDOWS = question(
    """axes A
map n, size, low, high on A
tensor X: T[A: n]
reduce_window(max, X, A: (size = size, low = low, high = high)) => X""",
    "int",
)
REVERSED = question("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(X, A) => X")
TWICE = question("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(reverse(X, A), A) => X")
FEW, MORE = 200_000, 600_000
"""Steps that end a search before it has found all, and in its midst."""

SEARCH = """
import json, sys, time
speed = float(sys.argv[1])
for name in ("monotonic", "process_time", "perf_counter"):
    setattr(time, name, lambda right=getattr(time, name): speed * right())
from rewright.fixes.preconditions.search import preconditions
from rewright.fixes.preconditions.work import Limit
from rewright.fixes.preconditions.written import formula_text
from rewright.model.rule import RuleQuestion
from rewright.verdict.codec import decode
for text in json.load(sys.stdin):
    limit = Limit.of(int(sys.argv[2]))
    found = preconditions((decode(RuleQuestion, text),), limit)
    print(limit.work.steps, [(each.kept, each.of, *map(formula_text, each.parts)) for each in found])
"""


def searched(seed: int, speed: float) -> list[str]:
    """What a process of its own finds and counts, whose clocks run so many times as fast."""
    command = [sys.executable, "-c", SEARCH, str(speed), str(MORE)]
    environment = os.environ | {"PYTHONHASHSEED": str(seed)}
    questions = json.dumps([encode(each) for each in (PADS, WINDOWS)])
    done = subprocess.run(command, input=questions, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_no_clock_and_no_order_of_sets_decides_what_is_found() -> None:
    usual, slow, fast = searched(0, 1.0), searched(1, 0.5), searched(2, 4.0)
    assert usual == slow == fast
    assert all(" [(" in line for line in usual)


def test_a_search_finds_and_counts_the_same_in_a_worker_that_has_searched_before() -> None:
    counted = []
    for each in (WINDOWS, PADS, WINDOWS):
        limit = Limit.of(MORE)
        counted.append((preconditions((each,), limit), limit.work.steps))
    assert counted[0] == counted[2]


def test_steps_end_a_search() -> None:
    few, more = Limit.of(FEW), Limit.of(MORE)
    assert len(preconditions((PADS,), few)) < len(preconditions((PADS,), more))
    assert few.work.steps < 2 * FEW
    assert few.work.steps < more.work.steps < 2 * MORE


def test_what_the_guard_ends_is_not_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rule_fixes((REVERSED,), ()).complete
    monkeypatch.setattr(work, "GUARD", 0.0)
    assert not rule_fixes((REVERSED,), ()).complete


def test_what_takes_long_is_counted() -> None:
    """Replays, the prover's terms and the solver's own steps."""
    limit = Limit.of(MORE)
    pool = pool_of(WINDOWS, limit)
    drawn = limit.work.steps
    assert drawn > 50 * len(pool.negative)
    assert isinstance(attempt(REVERSED, limit), Inputs)
    proved = limit.work.steps
    assert proved > drawn + ASKED
    assert isinstance(attempt(TWICE, limit), ProvedWithInput)
    assert limit.work.steps > proved + 10 * NODE
