"""One input of a claim with a result that is not empty: its integers, found by the solver.

Owns the query for inputs that drawing does not meet, where preconditions ask for large or related integers. What is
found need not break the claim, and contents are left to whoever asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.meaning.scope import NotCovered
from rewright.model.index import Name
from rewright.model.rule import RuleQuestion
from rewright.rules.claim import claim_of
from rewright.rules.models import Quantity, QuantityRole, unknown_integers
from rewright.rules.raw import indices, on_axes, premises
from rewright.solve import Query, SolverOutcome, open_session

SECONDS = 10.0
"""A guard for each check, far above what its steps take."""

LIMITS = (4, 8, 16, 32)
"""Bounds on the absolute value of integers, tried in this order."""


def inhabitant(question: RuleQuestion, ranks: Mapping[Name, int], steps: int) -> dict[Quantity, int] | None:
    """The integers of an input at these ranks (single axes: 1), None if none was found.

    `steps` of the solver are allowed for each check.
    """
    try:
        claim = claim_of(question)
        at = tuple((str(name), ranks[name]) for name in claim.scope.rank_classes)
        given = premises(claim, at)
    except NotCovered:
        return None
    inside = (part for fact in claim.in_range for part in on_axes(fact, at))
    session = open_session(Query(at, (*given, *inside), indices(claim, at)))
    unknowns = dict(unknown_integers(claim, ranks))
    session.mention(unknowns.values())
    for limit in LIMITS:
        session.push()
        session.limit(limit)
        if session.check(steps, SECONDS) is SolverOutcome.SATISFIABLE:
            found = {quantity: session.integer(unknown) for quantity, unknown in unknowns.items()}
            return {quantity: value for quantity, value in found.items() if quantity.role is not QuantityRole.INDEX}
        session.pop()
    return None
