"""The prover's answers held against brute force.

Owns what a disagreement is. A proof is contradicted by an input that fails, a vacuous rule by an input with every group
at rank 1 or more, "only empty results" by such an input with elements; a refutation must have replayed.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import brute
from builders import questions
from random_rules import Drawn

from rewright.checks.rule import ONLY_EMPTY, answer
from rewright.model.rule import RuleQuestion
from rewright.rules.decision import Budget, Mode
from rewright.verdict import Answer, Failure, RuleWitness, Verdict, worst

BUDGET = Budget(seconds=3.0)


@dataclass(frozen=True)
class Judged:
    """One question, its answer, what brute force saw, and what is wrong with that."""

    question: RuleQuestion
    answer: Answer
    seen: brute.Found
    wrong: str | None
    seconds: float


@dataclass
class Tally:
    """What came out for a set of rules. `only_ranks`: refuted, but brute force at rank 1 finds nothing."""

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    only_ranks: int = 0
    vacuous: int = 0
    tried: int = 0
    disagreements: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    slowest: float = 0.0

    @property
    def rules(self) -> int:
        return sum(self.verdicts.values())

    @property
    def refuted_with_input(self) -> int:
        """The refuted rules that are not merely vacuous."""
        return self.verdicts[Verdict.REFUTED] - self.vacuous

    def summary(self) -> str:
        counts = ", ".join(f"{verdict} {count}" for verdict, count in sorted(self.verdicts.items()))
        return (
            f"{self.rules} rules: {counts}; vacuous {self.vacuous}, refuted only off rank 1 {self.only_ranks}; "
            f"{self.tried} inputs tried; slowest answer {self.slowest:.2f} s; unknown: {self.unknown or 'none'}"
        )

    def share(self, verdict: Verdict) -> float:
        return self.verdicts[verdict] / self.rules


def judge(question: RuleQuestion, seed: int, plan: brute.Search = brute.USUAL) -> Judged:
    """The answer to a question, compared with brute force."""
    start = time.perf_counter()
    found = answer(question, BUDGET, Mode.NORMAL_FORMS)
    seconds = time.perf_counter() - start
    seen = brute.search(question, seed, plan)
    return Judged(question, found, seen, _disagreement(found, seen), seconds)


def _disagreement(found: Answer, seen: brute.Found) -> str | None:
    if found.verdict is Verdict.PROVED and seen.failure is not None:
        return f"proved, but fails on {seen.failure}"
    if found.verdict is Verdict.PROVED and seen.nonempty and any(f.code == ONLY_EMPTY for f in found.findings):
        return "called only empty, but has a result with elements"
    if found.verdict is Verdict.REFUTED:
        witness = found.witness
        if not isinstance(witness, RuleWitness) or not witness.replayed:
            return "refuted without a replayed witness"
        if witness.fails is Failure.VACUOUS and seen.positive:
            return "called vacuous, but has an input"
    return None


def tally(rules: Iterable[Drawn], plan: brute.Search = brute.USUAL) -> Tally:
    """All rules judged."""
    result = Tally()
    for number, drawn in enumerate(rules):
        judged = [judge(question, number, plan) for question in questions(drawn.rule)]
        verdict = worst(each.answer.verdict for each in judged)
        result.verdicts[verdict] += 1
        result.tried += sum(each.seen.valid for each in judged)
        result.slowest = max(result.slowest, *(each.seconds for each in judged))
        result.disagreements += [f"#{number} {drawn.family}: {each.wrong}" for each in judged if each.wrong]
        result.unknown += [f"#{number} {drawn.family}: {each.answer.reason}" for each in judged if each.answer.reason]
        failures = [each.answer.witness.fails for each in _refuted(judged) if each.answer.witness is not None]
        if failures and all(failure is Failure.VACUOUS for failure in failures):
            result.vacuous += 1
        elif failures:
            result.only_ranks += not any(
                brute.search_at_rank_one(each.question, number, plan).failure for each in judged
            )
    return result


def _refuted(judged: Iterable[Judged]) -> Iterator[Judged]:
    return (each for each in judged if each.answer.verdict is Verdict.REFUTED)
