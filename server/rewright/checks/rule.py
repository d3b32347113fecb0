"""Answers one question of a rule: decided by `rules`, every refutation minimised and replayed.

Owns the way from a decision to an answer: what a proof covers, which finding a refutation is, and where it points. Must
not know how the facts of a finding are worded.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import assert_never

from msgspec.structs import replace

from rewright.checks.counterexample import NoModel, NotExact, NotReproduced, Reproduced, counterexample, witness_of
from rewright.checks.examples import Examples, replayed
from rewright.checks.looked import Contradiction, replays_of_proof
from rewright.checks.parting import diagnosis
from rewright.checks.sampled import FIRST, failing_input, failing_near_solved
from rewright.model.rule import Extent, Pinned, Rule, RuleQuestion
from rewright.model.tensor import Concatenate, Tensor
from rewright.model.walk import nodes
from rewright.replay.elements import NotReplayable
from rewright.replay.example import any_input
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay
from rewright.rules.claim import claim_of
from rewright.rules.decide import decide
from rewright.rules.decision import Bounded, Budget, Decision, Mode, Proved, Refuted, Unknown, Unmet, Vacuous
from rewright.rules.nowhere import is_defined_nowhere
from rewright.rules.unneeded import unneeded
from rewright.verdict import (
    NOTHING,
    Answer,
    Coverage,
    Failure,
    Finding,
    Instance,
    Method,
    RuleWitness,
    Severity,
    Site,
    Verdict,
)
from rewright.verdict.diagnostics.rules import (
    DefinedNowhere,
    ExampleNotReplayed,
    NothingSatisfies,
    NotNeeded,
    OnlyEmptyResults,
    RuleNotDecided,
)
from rewright.verdict.undecided import UnknownReason

COUNTEREXAMPLE = Coverage("one input, replayed", bounded=False)
NO_INPUT = Coverage("all ranks from 1 and sizes", bounded=False)


def answer(question: RuleQuestion, budget: Budget, mode: Mode) -> Answer:
    """The answer to a question. Raises `NotReproduced` and `Contradiction`, which are errors of ours.

    The rule's examples are replayed first: one that fails refutes it, and nothing else is asked. By the solver alone,
    it is decided first, and no input is drawn to refute what it does not know.
    """
    if mode is not Mode.SOLVER_ONLY and (failing := replayed(question).failing):
        return _with_witness(question, failing[0], Method.REPLAY)
    budget = of_question(question, budget)
    decision = decide(question, budget, mode, partial(_seen, question))
    match mode, decision:
        case Mode.SOLVER_ONLY, Unknown():
            return _unknown(question, decision)
        case Mode.SOLVER_ONLY, _:
            return answer_to(question, decision, budget)
        case _:
            return answer_with_hints(question, decision, budget)


SOLVER_STEP, NODE = 7, 350
"""What a step of the solver, and a node of a term that is asked for, count for among the steps of a declaration.

About a million steps take 60 ms: 30 million of them, half of which are the solver's, 2 s.
"""

LEAST = Budget(1_000_000, nodes=20_000)
"""What each question has at least, however many a rule has; those of the library need 450,000 and 13,000 at most."""


def of_question(question: RuleQuestion, budget: Budget) -> Budget:
    """What one of a rule's questions may take of what the declaration may."""
    share = budget.steps // question.rule.question_count
    least = budget.steps / Budget().steps
    return Budget(
        max(share // SOLVER_STEP, int(least * LEAST.steps)),
        budget.seconds,
        max(share // NODE, int(least * LEAST.nodes)),
    )


def _seen(question: RuleQuestion) -> Refuted | None:
    """A small countermodel that replays, looked for before the solver does what takes long."""
    found = failing_input(question, FIRST)
    if found is None:
        return None
    ranks = dict(found.instance.ranks)
    classes = dict.fromkeys(group.rank_class for group in question.rule.groups)
    by_class = tuple((name, ranks[name]) for name in classes)
    return Refuted(Method.REPLAY, found.outcome.failure, by_class, instance=found.instance)


def answer_with_hints(question: RuleQuestion, decision: Decision, budget: Budget) -> Answer:
    """The answer to a question that was decided, with what a proof does not need. Raises as `answer` does."""
    found = answer_to(question, decision, budget)
    if not isinstance(decision, Proved):
        return found
    return replace(found, findings=(*found.findings, *_unneeded(question, decision, budget)))


def answer_to(question: RuleQuestion, decision: Decision, budget: Budget) -> Answer:
    """The answer to a question that was decided. Raises as `answer` does.

    The rule's examples are replayed, too: one that fails contradicts a proof. What was not decided is refuted by a
    failing example, or by a failing input among a few that are drawn.
    """
    examples = replayed(question)
    found = _by_decision(question, decision, budget, examples)
    return replace(found, findings=(*found.findings, *(_not_replayed(*each) for each in examples.not_replayed)))


def _by_decision(question: RuleQuestion, found: Decision, budget: Budget, examples: Examples) -> Answer:
    match found:
        case Proved():
            if examples.failing:
                raise Contradiction(f"proved, but an example fails: {examples.failing[0]} of {question}")
            return _proved(question, found)
        case Bounded():
            failing = examples.failing[0] if examples.failing else None
            return _bounded(question, found) if failing is None else _with_witness(question, failing, Method.REPLAY)
        case Refuted(instance=None):
            return _refuted(question, found, budget, examples)
        case Refuted():
            return _with_witness(question, _again(question, found), found.by)
        case Vacuous():
            return _vacuous(question, found)
        case Unmet(held=held) if any_input(question) is not None:
            return _by_decision(question, held, budget, examples)
        case Unmet(held=held):
            return _undecided(question, Unknown(_without_input(held), UnknownReason.NO_INPUT), examples)
        case Unknown():
            return _undecided(question, found, examples)
        case _:
            assert_never(found)


def _not_replayed(example: Pinned, reason: str) -> Finding:
    return Finding(ExampleNotReplayed(reason), Severity.WARNING, Site(example.site))


def _proved(question: RuleQuestion, found: Proved) -> Answer:
    """Proved, after a look. Raises `Contradiction`."""
    replays = replays_of_proof(question)
    return Answer(
        Verdict.PROVED,
        proof_coverage(question),
        found.by,
        found.bound,
        found.bound_reason,
        findings=tuple(_warnings(question, found)),
        correspondence=found.correspondence,
        replays=replays,
    )


def _without_input(held: Proved | Bounded) -> str:
    if isinstance(held, Proved):
        return "it holds, but no input that satisfies the preconditions was found"
    return (
        "no input that satisfies the preconditions was found, and no counterexample with "
        f"{_limits(held)}; of greater ranks nothing is known"
    )


def _limits(held: Bounded) -> str:
    return "ranks up to " + ", ".join(f"{group} = {limit}" for group, limit in held.limits)


def _bounded(question: RuleQuestion, found: Bounded) -> Answer:
    """Not proved: nothing is known above the ranks that were asked."""
    arities = tuple(dict.fromkeys(_arities(question.rule)))
    coverage = Coverage(f"{_limits(found)}, all sizes", bounded=True, assumptions=arities)
    findings = tuple(_warnings(question, found))
    return Answer(Verdict.CHECKED, coverage, found.by, found.bound, found.bound_reason, findings=findings)


def _warnings(question: RuleQuestion, found: Proved | Bounded) -> Iterator[Finding]:
    """That what holds says little: of empty results only, or of no element."""
    if found.only_empty:
        yield Finding(OnlyEmptyResults(), Severity.WARNING, Site(_narrowest(question)))
    elif found.nowhere:
        yield Finding(DefinedNowhere(), Severity.WARNING, Site(_undefined(question)))


def _undefined(question: RuleQuestion) -> int:
    """The smallest part of the side that is given which is defined nowhere."""
    rule = question.rule
    side = rule.left if question.direction == "=>" else rule.right
    smallest = side.site
    for node in nodes(side):
        # outer ones come first
        if isinstance(node, Tensor):
            alone = RuleQuestion(replace(rule, left=node, right=node), question.domain, "=>")
            smallest = node.site if is_defined_nowhere(claim_of(alone)) else smallest
    return smallest


def _unneeded(question: RuleQuestion, found: Proved, budget: Budget) -> Iterator[Finding]:
    assumed = {assumption.site for assumption in question.rule.assumptions}
    for site in unneeded(question, found, budget):
        diagnosis = NotNeeded("assumption" if site in assumed else "precondition")
        yield Finding(diagnosis, Severity.HINT, Site(site))


def _unknown(question: RuleQuestion, found: Unknown) -> Answer:
    sums = found.sums
    facts: tuple[str, str, tuple[str, ...], tuple[str, ...], str] = ("", "", (), (), "")
    if sums is not None:
        facts = (sums.left, sums.right, sums.left_terms, sums.right_terms, sums.fact)
    finding = Finding(RuleNotDecided(found.why, found.reason, *facts), Severity.WARNING, Site(_claimed(question)))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=found.reason, findings=(finding,))


def _undecided(question: RuleQuestion, found: Unknown, examples: Examples) -> Answer:
    """Unknown, unless an example or a drawn input fails when replayed."""
    failing = examples.failing[0] if examples.failing else failing_input(question) or failing_near_solved(question)
    return _unknown(question, found) if failing is None else _with_witness(question, failing, Method.REPLAY)


def _again(question: RuleQuestion, found: Refuted) -> Reproduced:
    """The countermodel that was seen already, replayed. Raises `NotReproduced` if it does not fail."""
    outcome = None if found.instance is None else replay(question, found.instance)
    if found.instance is None or not isinstance(outcome, Fails):
        raise NotReproduced(f"{outcome} on {found} of {question}")
    return Reproduced(found.instance, outcome)


def _refuted(question: RuleQuestion, found: Refuted, budget: Budget, examples: Examples) -> Answer:
    try:
        reproduced = counterexample(question, found)
    except NoModel as error:
        where = ", ".join(f"`{name}` = {rank}" for name, rank in found.ranks) or "the only ranks there are"
        reason = f"there is a counterexample with ranks {where}, but {error}"
        return _undecided(question, Unknown(reason, UnknownReason.NO_MODEL), examples)
    except NotExact as error:
        return _undecided(question, Unknown(str(error), error.why), examples)
    except NotReplayable as error:
        return _unknown(question, Unknown(str(error), UnknownReason.NOT_REPLAYED))
    ranks = dict(found.ranks)
    bound = tuple((group.name, ranks.get(group.rank_class, 1)) for group in question.rule.groups)
    return replace(_with_witness(question, reproduced, found.by), bound=bound or None)


def _with_witness(question: RuleQuestion, reproduced: Reproduced, by: Method) -> Answer:
    witness = witness_of(question, reproduced)
    finding = Finding(diagnosis(question, reproduced), Severity.ERROR, Site(reproduced.outcome.site))
    return Answer(Verdict.REFUTED, COUNTEREXAMPLE, by, findings=(finding,), witness=witness)


def _vacuous(question: RuleQuestion, found: Vacuous) -> Answer:
    """Refuted because it says nothing. The replay has looked for an input of its own accord, in a bounded search."""
    if any_input(question) is not None:
        raise Contradiction(f"called vacuous, but has an input: {question}")
    witness = RuleWitness(
        fails=Failure.VACUOUS,
        domain=question.domain_text,
        direction=question.direction,
        instance=Instance(),
        at=(),
        left="no input",
        right="no input",
        steps=(),
        replayed=True,
    )
    finding = Finding(NothingSatisfies(), Severity.ERROR, Site(_narrowest(question)))
    return Answer(Verdict.REFUTED, NO_INPUT, found.by, findings=(finding,), witness=witness)


def _narrowest(question: RuleQuestion) -> int:
    """The site of what excludes inputs: the first precondition, else the side that has to be valid."""
    rule = question.rule
    premise = rule.left if question.direction == "=>" else rule.right
    return rule.where[0].site if rule.where else premise.site


def _claimed(question: RuleQuestion) -> int:
    """The site of the side that the claim is about."""
    rule = question.rule
    return (rule.right if question.direction == "=>" else rule.left).site


def proof_coverage(question: RuleQuestion) -> Coverage:
    """What a proof of the question speaks for."""
    rule = question.rule
    from_one = [group.name for group in rule.groups if group.extent is Extent.NONEMPTY]
    ranks = f"all ranks ({', '.join(from_one)} from 1)" if from_one else "all ranks"
    return Coverage(f"{ranks} and sizes", bounded=False, assumptions=tuple(dict.fromkeys(_arities(rule))))


def _arities(rule: Rule) -> Iterator[str]:
    """The n-ary operators of a rule: they are proved at the arity that is written."""
    for node in nodes(rule):
        if isinstance(node, Concatenate):
            yield f"concatenate of {len(node.operands)} operands, as written"
