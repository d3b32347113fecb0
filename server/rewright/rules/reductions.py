"""Countermodels of rules whose reductions differ as terms.

Owns a bounded search: the raw rule at small ranks, every reduction spelled out over two or three indices per axis. What
it finds is a countermodel; finding nothing proves nothing.
"""

from __future__ import annotations

from itertools import product

from rewright.rules.claim import Claim
from rewright.rules.raw import Ranks, raw_query
from rewright.rules.scope import rank_classes
from rewright.solve import PORTFOLIO, Oracle, Outcome

RANKS = 2
TOTAL = 3


def countermodel(claim: Claim, oracle: Oracle) -> Ranks | None:
    """The least rank vector, by total rank, at which a countermodel with small reductions exists, if one is found."""
    names = rank_classes(claim.scope)
    least = [int(name in claim.scope.nonempty) for name in names]
    vectors = product(*(range(low, RANKS + 1) for low in least))
    for vector in sorted(vectors, key=lambda ranks: (sum(ranks), ranks)):
        if sum(vector) > max(TOTAL, sum(least)) or oracle.exhausted:
            break
        ranks = tuple(zip(names, vector, strict=True))
        if oracle.ask(raw_query(claim, ranks, None), PORTFOLIO[:1]) is Outcome.SATISFIABLE:
            return ranks
    return None
