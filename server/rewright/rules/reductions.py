"""Countermodels of rules whose reductions differ as terms.

Owns a bounded search: the raw rule at small ranks, both sides valid and of one shape, every reduction spelled out over
two or three indices per axis. What it finds is a countermodel; finding nothing proves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from rewright.rules.claim import Claim
from rewright.rules.raw import Ranks, raw_query
from rewright.rules.scope import rank_classes
from rewright.solve import PORTFOLIO, Attempt, Oracle, Outcome
from rewright.verdict import Failure

RANKS = 2
TOTAL = 3


@dataclass(frozen=True, slots=True)
class Search:
    """What the solver may take for each rank vector, and at how many axes in all it is asked at most."""

    attempts: tuple[Attempt, ...]
    axes: int


QUICK = Search((Attempt(100_000),), 3)
"""While the rule may still be proved: about 30 ms for each rank vector."""

THOROUGH = Search(PORTFOLIO[:1], 64)


def countermodel(claim: Claim, oracle: Oracle, search: Search = THOROUGH) -> Ranks | None:
    """The least rank vector, by total rank, at which a countermodel with small reductions exists, if one is found."""
    names = rank_classes(claim.scope)
    least = [int(name in claim.scope.nonempty) for name in names]
    most = min(max(TOTAL, sum(least)), search.axes - len(claim.scope.singles))
    vectors = product(*(range(low, RANKS + 1) for low in least))
    for vector in sorted(vectors, key=lambda ranks: (sum(ranks), ranks)):
        if sum(vector) > most or oracle.exhausted:
            break
        ranks = tuple(zip(names, vector, strict=True))
        if oracle.ask(raw_query(claim, ranks, Failure.VALUE), search.attempts) is Outcome.SATISFIABLE:
            return ranks
    return None
