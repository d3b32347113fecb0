"""How long the library's proofs are looked at before they are believed: replays on small inputs, in this process."""

from __future__ import annotations

import time

import pytest
from test_library_times import LIBRARY, within

from rewright.checks.looked import folds, replays_of_proof
from rewright.checks.table import rule_questions
from rewright.model.declared import accepted
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

LIMIT = 10.0
RUNS = 5
SHARE = 0.95


@pytest.fixture(scope="module")
def proved() -> dict[str, tuple[RuleQuestion, ...]]:
    """The questions of each rule of the library that folds and is to be proved."""
    found: dict[str, tuple[RuleQuestion, ...]] = {}
    for path in sorted((LIBRARY / "xla").glob("*.rw")):
        for declared in check_file(parse(Text.of(str(path), path.read_text())), lambda _: None).declarations:
            if isinstance(declared.value, Rule):
                asked = rule_questions(declared.value)
                expected = {word for q in asked for word in accepted(declared, q.domain_text, q.direction).verdicts}
                if expected == {Verdict.PROVED} and folds(asked[0]):
                    found[declared.name] = asked
    return found


def test_a_look_before_a_proof_is_believed(proved: dict[str, tuple[RuleQuestion, ...]], enforced: bool) -> None:
    times = sorted((min(_milliseconds(asked) for _ in range(RUNS)), name) for name, asked in proved.items())
    inputs = sum(replays_of_proof(question) or 0 for asked in proved.values() for question in asked)
    most = times[int(SHARE * len(times))][0]
    slowest = ", ".join(f"`{name}` {ms:.1f} ms" for ms, name in reversed(times[-3:]))
    print(
        f"\na look at the proofs of each of {len(times)} rules that fold: {most:.1f} ms at p95, limit {LIMIT:g} ms"
        f" (median {times[len(times) // 2][0]:.1f} ms; {inputs / len(times):.0f} inputs a rule; the slowest: {slowest})"
    )
    within(most, LIMIT, enforced)


def _milliseconds(asked: tuple[RuleQuestion, ...]) -> float:
    """Processor time of a look at all questions of a rule."""
    start = time.process_time()
    for question in asked:
        replays_of_proof(question)
    return (time.process_time() - start) * 1000
