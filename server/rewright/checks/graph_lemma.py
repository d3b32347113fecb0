"""Answers a lemma of graphs: proved or refuted if all its operators are known; else it is an assumption.

A lemma with opaque operators is proved where both sides are the same whatever these are, and refuted where they differ
by what no opaque operator has a say in. Refuted is only what was replayed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rewright.checks.refinement import answer as answer_refinement
from rewright.graphs.stand_ins import lemma_refinement, opaque_in, operators_of, read_with, stand_ins
from rewright.graphs.standing import LemmaStanding, standing
from rewright.model.graph import GraphLemma
from rewright.rules.decision import Budget
from rewright.verdict import NOTHING, Answer, Coverage, Finding, Method, RefinementWitness, Severity, Site, Verdict
from rewright.verdict.diagnostics.graphs import LemmaAssumed, LemmaFails
from rewright.verdict.diagnostics.rules import NotDecided


def answer(lemma: GraphLemma, budget: Budget) -> Answer:
    """The answer to a lemma."""
    names = ", ".join(f"`{name}`" for name in opaque_in(lemma.graph))
    match standing(lemma):
        case LemmaStanding.PROVED if names:
            any_ = (f"{names} may be any function", "elements are real numbers")
            return Answer(Verdict.PROVED, Coverage("all sizes", bounded=False, assumptions=any_), Method.NORMAL_FORM)
        case LemmaStanding.ASSUMED:
            finding = Finding(LemmaAssumed(names), Severity.INFORMATION, Site(lemma.site))
            assumed = (f"{names} is as the lemma says",)
            coverage = Coverage("assumed, not proved", bounded=False, assumptions=assumed)
            return Answer(Verdict.CONDITIONAL, coverage, findings=(finding,))
        case LemmaStanding.PROVED | LemmaStanding.OPEN:
            return _of_known(lemma, budget)
        case _ as never:
            assert_never(never)


def _of_known(lemma: GraphLemma, budget: Budget) -> Answer:
    """The answer to a lemma of known operators, or one in which it does not matter what the others are."""
    asked = lemma_refinement(lemma, {})
    operators = operators_of(asked)
    if operators:
        asked = read_with(asked, next(stand_ins(operators, (), lambda each: True)))
    found = answer_refinement(asked, budget)
    if found.verdict is Verdict.PROVED and not operators:
        return replace(found, relation=(), held=None)
    if found.verdict is Verdict.REFUTED and isinstance(found.witness, RefinementWitness):
        witness = replace(found.witness, cause=None)
        held = witness.held[0].value if witness.held else "no value"
        finding = Finding(LemmaFails(witness.index, witness.expected, held), Severity.ERROR, Site(lemma.site))
        return Answer(Verdict.REFUTED, found.coverage, Method.REPLAY, findings=(finding,), witness=witness)
    reason = "both sides are not seen to be the same, and no input was found on which they differ"
    finding = Finding(NotDecided(reason), Severity.WARNING, Site(lemma.site))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=reason, findings=(finding,))
