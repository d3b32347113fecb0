"""Does a precondition only repeat what makes the claimed side valid?

Owns the comparison of a formula with the conditions of validity, as terms. Must not know why it is asked.
"""

from __future__ import annotations

from rewright.meaning.scope import NotCovered
from rewright.model.formula import Formula
from rewright.model.rule import RuleQuestion
from rewright.rules.claim import claim_of, conditions, precondition
from rewright.terms import TRUE, conjuncts


def restates_validity(question: RuleQuestion, formula: Formula) -> bool:
    """Whether each conjunct of a formula is a condition under which the claimed side of a question is valid."""
    try:
        claim = claim_of(question)
        parts = [precondition(part, claim.scope) for part in conditions(formula)]
    except NotCovered:
        return False
    asked = {(home, part) for home, fact in claim.right_valid for part in conjuncts(fact)}
    return all(part.rest is TRUE and part.facts and asked.issuperset(part.facts) for part in parts)
