"""Answers a lemma of graphs: proved or refuted if all its operators are known; else it is an assumption.

A lemma with opaque operators is proved where both sides are the same whatever these are, and refuted where they differ
by what no opaque operator has a say in. Refuted is only what was replayed.
"""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from rewright.checks.refinement import answer as answer_refinement
from rewright.graphs.stand_ins import lemma_refinement, opaque_in, operators_of, read_with, stand_ins
from rewright.graphs.standing import LemmaStanding, standing
from rewright.model.graph import GraphLemma, Refinement
from rewright.rules.decision import Budget
from rewright.verdict import NOTHING, Answer, Coverage, Finding, Method, RefinementWitness, Severity, Site, Verdict
from rewright.verdict.diagnostics.graphs import LemmaAssumed, LemmaFails
from rewright.verdict.diagnostics.rules import NotDecided


def answer(lemma: GraphLemma, budget: Budget) -> Answer:
    """The answer to a lemma."""
    match standing(lemma):
        case LemmaStanding.PROVED:
            return _replayed(lemma_refinement(lemma, {}), lemma, budget)
        case LemmaStanding.ASSUMED:
            names = ", ".join(f"`{name}`" for name in opaque_in(lemma.graph))
            finding = Finding(LemmaAssumed(names), Severity.INFORMATION, Site(lemma.site))
            assumed = (f"{names} is as the lemma says",)
            coverage = Coverage("assumed, not proved", bounded=False, assumptions=assumed)
            return Answer(Verdict.CONDITIONAL, coverage, findings=(finding,))
        case LemmaStanding.OPEN:
            # What the sides differ by is the same whatever an opaque operator is: any one shows it.
            asked = lemma_refinement(lemma, {})
            operators = operators_of(asked)
            any_ = next(stand_ins(operators, (), lambda each: True)) if operators else {}
            found = _replayed(read_with(asked, any_), lemma, budget)
            return found if found.verdict is Verdict.REFUTED else _undecided(lemma)
        case _ as never:
            assert_never(never)


def _replayed(asked: Refinement, lemma: GraphLemma, budget: Budget) -> Answer:
    """The answer to a lemma as a refinement of one side by the other."""
    found = answer_refinement(asked, budget)
    if found.verdict is Verdict.PROVED:
        return replace(found, relation=(), held=None, placed=())
    if found.verdict is Verdict.REFUTED and isinstance(found.witness, RefinementWitness):
        witness = replace(found.witness, cause=None)
        held = witness.held[0].value if witness.held else "no value"
        finding = Finding(LemmaFails(witness.index, witness.expected, held), Severity.ERROR, Site(lemma.site))
        return Answer(Verdict.REFUTED, found.coverage, Method.REPLAY, findings=(finding,), witness=witness)
    return _undecided(lemma)


def _undecided(lemma: GraphLemma) -> Answer:
    reason = "both sides are not seen to be the same, and no input was found on which they differ"
    finding = Finding(NotDecided(reason), Severity.WARNING, Site(lemma.site))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=reason, findings=(finding,))
