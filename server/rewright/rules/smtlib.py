"""The solver's question as text, for people and for other solvers.

Owns the choice of the rank vector: the whole rule, as it was read, at the ranks that decide it when nothing is
simplified (docs/soundness.md, "The bound"). Must not know how the text is shown.
"""

from __future__ import annotations

from rewright.meaning.scope import NotCovered
from rewright.model.rule import RuleQuestion
from rewright.rules.bound import RankBound, has_reduction, open_reads
from rewright.rules.claim import Claim, claim_of
from rewright.rules.instances import instances
from rewright.rules.raw import Ranks, full, indices, raw_query
from rewright.solve import open_session
from rewright.terms import Term


def smtlib(question: RuleQuestion) -> str:
    """SMT-LIB 2 text that is unsatisfiable if the question holds at the ranks that its first lines name.

    For a question that is not decided, a comment with the reason.
    """
    try:
        claim = claim_of(question)
    except NotCovered as reason:
        return f"; not decided: {reason}\n"
    ranks = decisive(claim)
    listed = ", ".join(f"{name} = {rank}" for name, rank in ranks) or "no axis group of variable rank"
    lines = [
        f"; {question.rule.name}, direction {question.direction}, at rank {listed}",
        "; sat: a counterexample; unsat: none at these ranks (rank 0 is a question of its own)",
    ]
    if _has_reductions(claim):
        lines.append(f"; reductions are spelled out for at most {indices(claim, ranks)} indices per axis")
    return "\n".join((*lines, open_session(raw_query(claim, ranks, None)).text()))


def decisive(claim: Claim) -> Ranks:
    """The rank of each class that decides the claim above rank 0, counted on the terms as they were read."""
    terms = _terms(claim)
    bound = RankBound(claim.scope.nonempty)
    bound.count_open(terms)
    bound.count_reads(open_reads(terms), lambda _, __: False)
    return full(claim, ((name, max(1, bound.of(name).axes)) for name in claim.scope.rank_classes))


def _terms(claim: Claim) -> list[Term]:
    left, right = claim.left_entry, claim.right_entry
    own = (claim.given, left.value, left.defined, right.value, right.defined)
    return [*own, *instances(claim.linked, own)]


def _has_reductions(claim: Claim) -> bool:
    return has_reduction(*_terms(claim))
