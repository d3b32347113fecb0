"""Proofs replayed at length: what is claimed of every size is evaluated on hundreds of inputs.

Owns how long, and what is counted. The evaluation is the replay's, which shares nothing with the prover.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

import brute
from builders import questions
from drafts import Draft
from identities_assumed import the_same_as_assumed
from identities_beyond import values_beyond
from identities_indexed import contents_by_index
from identities_moving import Sides
from printing import rule_text
from random_rules import Drawn, canonical_text, drawn_from
from reduction_rules import draft_of_reductions
from spread import spread

from rewright.meaning.scope import NotCovered
from rewright.model.rule import RuleQuestion
from rewright.replay.looking import LookLimits, look
from rewright.rules.claim import claim_of
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Proved
from rewright.rules.leaf import Closed
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover
from rewright.rules.search_plan import SearchPlan

SMALL = LookLimits(inputs=150, tried=400, steps=5_000_000)
BUDGET = Budget(steps=2_000_000, seconds=2.0)


@dataclass
class Replayed:
    """What came out for a set of rules: how many questions of each decision, inputs replayed, contradictions."""

    decisions: Counter[str] = field(default_factory=Counter)
    inputs: int = 0
    wrong: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The summary, then what is wrong."""
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.decisions.items()))
        yield f"{sum(self.decisions.values())} questions: {counts}; {self.inputs} inputs of proved ones replayed"
        yield from self.wrong


def beyond_rules(seed: int, count: int) -> Iterator[Drawn]:
    """`count` rules about values that differ beyond their tensors, no two the same up to renaming."""
    return _drawn(f"beyond {seed}", values_beyond, count)


def assumed_rules(seed: int, count: int) -> Iterator[Drawn]:
    """`count` rules with assumptions on what they reduce, no two the same up to renaming."""
    return _drawn(f"assumed {seed}", the_same_as_assumed, count)


def indexed_rules(seed: int, count: int) -> Iterator[Drawn]:
    """`count` rules with assumptions that give contents by their index, no two the same up to renaming."""
    return _drawn(f"indexed {seed}", contents_by_index, count)


def _drawn(seed: str, family: Callable[[Draft], Sides], count: int) -> Iterator[Drawn]:
    seen: set[str] = set()
    for number in range(20 * count):
        drawn = drawn_from(draft_of_reductions(f"{seed} {number}"), family)
        text = canonical_text(drawn.rule)
        if text not in seen and len(seen) < count:
            seen.add(text)
            yield drawn


def failure(question: RuleQuestion, seed: int) -> tuple[int, object | None]:
    """On how many inputs a claim was replayed, and the first on which it fails."""
    sampled = brute.search(question, seed, brute.AT_LENGTH)
    small = look(question, SMALL)
    return sampled.valid + small.replayed, sampled.failure or small.failing


def replayed(rules: Iterable[Drawn]) -> Replayed:
    """Every question decided, every proof replayed at length, in several processes."""
    found = Replayed()
    for each in spread(_replayed, enumerate(rules)):
        found.decisions += each.decisions
        found.inputs += each.inputs
        found.wrong += each.wrong
    return found


def _replayed(numbered: tuple[int, Drawn]) -> Replayed:
    number, drawn = numbered
    found = Replayed()
    for question in questions(drawn.rule):
        decision = decide(question, BUDGET)
        found.decisions[type(decision).__name__] += 1
        if isinstance(decision, Proved):
            inputs, failing = failure(question, number)
            found.inputs += inputs
            if failing is not None:
                found.wrong.append(f"#{number} {drawn.family}: proved, but fails on {failing}\n{rule_text(drawn.rule)}")
    return found


def by_normal_forms(question: RuleQuestion) -> bool:
    """Whether a question is quickly proved without any solver, and without a look at the proof."""
    prover = Prover(None, Mode.NORMAL_FORMS, SearchPlan(_give_up))
    try:
        return all(isinstance(prover.prove(goal), Closed) for goal in goals(claim_of(question), Mode.NORMAL_FORMS))
    except (NotCovered, _TakesLong):
        return False


class _TakesLong(Exception):
    """The prover would begin what takes long."""


def _give_up() -> None:
    raise _TakesLong
