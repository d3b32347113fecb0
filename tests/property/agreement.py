"""The prover's answers held against brute force.

Owns what a disagreement is. A proof is contradicted by an input that fails, a vacuous rule by an input with every group
at rank 1 or more, "only empty results" by such an input with elements; a refutation must have replayed.
"""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import brute
from builders import questions
from printing import rule_text
from random_rules import Drawn
from spread import spread

from rewright.checks.rule import answer
from rewright.model.rule import RuleQuestion
from rewright.rules.decision import Budget, Mode
from rewright.verdict import Answer, Failure, RuleWitness, Verdict, worst
from rewright.verdict.diagnostics.rules import OnlyEmptyResults

BUDGET = Budget(seconds=3.0)

SOAK = bool(os.environ.get("REWRIGHT_SOAK"))
"""Whether every proof is replayed at length."""


@dataclass(frozen=True)
class Judged:
    """One question, its answer, what brute force saw, and what is wrong with that."""

    question: RuleQuestion
    answer: Answer
    seen: brute.Found
    wrong: str | None
    seconds: float


@dataclass(frozen=True)
class Line:
    """What came out for one rule: its verdict, what is wrong, the reasons why it is unknown, and how it went."""

    verdict: Verdict
    wrong: tuple[str, ...]
    unknown: tuple[str, ...]
    vacuous: bool
    only_ranks: bool
    tried: int
    slowest: float


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

    def share(self, verdict: Verdict) -> float:
        return self.verdicts[verdict] / self.rules

    def add(self, line: Line) -> None:
        self.verdicts[line.verdict] += 1
        self.only_ranks += line.only_ranks
        self.vacuous += line.vacuous
        self.tried += line.tried
        self.disagreements += line.wrong
        self.unknown += line.unknown
        self.slowest = max(self.slowest, line.slowest)

    def lines(self) -> Iterator[str]:
        """The summary, and each question that is unknown with its reason."""
        for verdict, count in sorted(self.verdicts.items()):
            yield f"{verdict:>9} {count:6} {100 * count / self.rules:5.1f} %"
        yield f"refuted: {self.vacuous} vacuous, {self.only_ranks} only at rank 0 or from rank 2"
        yield f"{self.rules} rules, {self.tried} inputs tried, slowest answer {self.slowest:.2f} s"
        yield from (f"unknown {reason}" for reason in self.unknown)
        yield from (f"WRONG {disagreement}" for disagreement in self.disagreements)


def judge(question: RuleQuestion, seed: int, plan: brute.Search = brute.USUAL) -> Judged:
    """The answer to a question, compared with brute force."""
    start = time.perf_counter()
    found = answer(question, BUDGET, Mode.NORMAL_FORMS)
    seconds = time.perf_counter() - start
    at_length = SOAK and found.verdict is Verdict.PROVED
    seen = brute.search(question, seed, brute.AT_LENGTH if at_length else plan)
    return Judged(question, found, seen, _disagreement(found, seen), seconds)


def _disagreement(found: Answer, seen: brute.Found) -> str | None:
    if found.verdict is Verdict.PROVED and seen.failure is not None:
        return f"proved, but fails on {seen.failure}"
    if found.verdict is Verdict.CHECKED and seen.failure is not None and _within(found, seen):
        return f"checked up to these ranks, but fails on {seen.failure}"
    only_empty = any(isinstance(finding.diagnosis, OnlyEmptyResults) for finding in found.findings)
    if found.verdict is Verdict.PROVED and seen.nonempty and only_empty:
        return "called only empty, but has a result with elements"
    if found.verdict is Verdict.REFUTED:
        witness = found.witness
        if not isinstance(witness, RuleWitness) or not witness.replayed:
            return "refuted without a replayed witness"
        if witness.fails is Failure.VACUOUS and seen.positive:
            return "called vacuous, but has an input"
    return None


def _within(found: Answer, seen: brute.Found) -> bool:
    """Whether the ranks of the failing input are among those that the answer speaks of."""
    limits = dict(re.findall(r"(\w+) = (\d+)", found.coverage.text))
    return all(rank <= int(limits.get(name, rank)) for name, rank in seen.ranks.items())


def line(numbered: tuple[int, Drawn], plan: brute.Search = brute.USUAL) -> Line:
    """One rule judged, each of its questions. An error of ours is a disagreement."""
    number, drawn = numbered
    name = f"#{number} {drawn.family}"
    try:
        judged = [judge(question, number, plan) for question in questions(drawn.rule)]
    except Exception as error:
        return Line(
            Verdict.ERROR,
            (f"{name}: {error!r}\n{rule_text(drawn.rule)}",),
            (),
            vacuous=False,
            only_ranks=False,
            tried=0,
            slowest=0.0,
        )
    failures = [each.answer.witness.fails for each in judged if isinstance(each.answer.witness, RuleWitness)]
    vacuous = bool(failures) and all(failure is Failure.VACUOUS for failure in failures)
    off_rank_one = (
        bool(failures)
        and not vacuous
        and not any(brute.search_at_rank_one(each.question, number, plan).failure for each in judged)
    )
    return Line(
        verdict=worst(each.answer.verdict for each in judged),
        wrong=tuple(f"{name}: {each.wrong}\n{rule_text(drawn.rule)}" for each in judged if each.wrong),
        unknown=tuple(f"{name}: {each.answer.reason}" for each in judged if each.answer.reason),
        vacuous=vacuous,
        only_ranks=off_rank_one,
        tried=sum(each.seen.valid for each in judged),
        slowest=max(each.seconds for each in judged),
    )


def tally(rules: Iterable[Drawn]) -> Tally:
    """All rules judged, in several processes."""
    result = Tally()
    for each in spread(line, enumerate(rules)):
        result.add(each)
    return result
