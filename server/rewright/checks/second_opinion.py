"""Answers one question of a rule as usual, then asks everything that was decided of a second solver.

Owns what becomes of its opinion: a note on the answer, or where it contradicts one an internal error in place of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rewright.checks import rule
from rewright.meaning.scope import NotCovered
from rewright.model.rule import RuleQuestion
from rewright.rules.claim import Claim, claim_of
from rewright.rules.decide import decide_with
from rewright.rules.decision import Budget, Decision, Mode
from rewright.rules.second_opinion import (
    Again,
    Disagreement,
    Opinion,
    about_counterexample,
    about_decision,
    asked_before,
    opinion,
)
from rewright.solve import Oracle
from rewright.verdict import NOTHING, Answer, Failure, Finding, Method, RuleWitness, Severity, Site, Verdict
from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.diagnostics.rules import SecondOpinion


def answer(question: RuleQuestion, budget: Budget) -> Answer:
    """The usual answer with what the second solver said; an internal error if it says otherwise somewhere."""
    oracle = Oracle(budget.steps, budget.seconds)
    decision = decide_with(question, oracle, Mode.NORMAL_FORMS)
    found = rule.answer_with_hints(question, decision, budget)
    heard = opinion(_again(question, decision, found, oracle))
    if heard.disagreements:
        return _disagreed(heard.disagreements)
    is_proof = found.verdict in {Verdict.PROVED, Verdict.CHECKED}
    return replace(found, findings=(*found.findings, _finding(heard, is_unconfirmed=is_proof and not heard.confirmed)))


def _again(question: RuleQuestion, decision: Decision, found: Answer, oracle: Oracle) -> Iterator[Again]:
    yield from asked_before(oracle.answers)
    try:
        claim = claim_of(question)
        yield from about_decision(claim, decision)
        yield from _about_counterexample(claim, found)
    except NotCovered:
        return


def _about_counterexample(claim: Claim, found: Answer) -> Iterator[Again]:
    """One that was found by drawing inputs may be larger than reductions are spelled out, but it has replayed."""
    witness = found.witness
    if not isinstance(witness, RuleWitness) or witness.fails is Failure.VACUOUS or found.by is Method.REPLAY:
        return
    classes = {str(group.name): str(group.rank_class) for group in claim.rule.groups}
    yield about_counterexample(claim, ((classes[name], rank) for name, rank in witness.instance.ranks))


def _finding(heard: Opinion, *, is_unconfirmed: bool) -> Finding:
    diagnosis = SecondOpinion(heard.agreed, heard.unanswered, is_unconfirmed)
    return Finding(diagnosis, Severity.INFORMATION, Site(0))


def _said(each: Disagreement) -> str:
    return f"decided as {each.first.value}, cvc5 says {each.second.value}"


def _disagreed(disagreements: tuple[Disagreement, ...]) -> Answer:
    first = disagreements[0]
    detail = f"the second opinion differs on {first.about}: {_said(first)}"
    text = "\n".join(f"; {each.about}: {_said(each)}\n{each.text}" for each in disagreements)
    finding = Finding(InternalError(detail, text), Severity.ERROR, Site(0))
    return Answer(Verdict.ERROR, NOTHING, reason=detail, findings=(finding,))
