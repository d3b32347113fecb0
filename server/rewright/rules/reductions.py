"""Countermodels of rules whose reductions differ as terms.

Owns a bounded search: the raw rule at small ranks, both sides valid and of one shape, every reduction spelled out over
two or three indices per axis. What it finds is a countermodel; finding nothing proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from rewright.rules.bound import has_reduction
from rewright.rules.claim import Claim
from rewright.rules.raw import Ranks, raw_query
from rewright.solve import PORTFOLIO, Attempt, Oracle, SolverOutcome
from rewright.terms import subterms
from rewright.terms.node import Reciprocal, Root
from rewright.verdict import Failure

RANKS = 2
"""The greatest rank of one class."""

TOTAL = 3
"""The greatest sum of ranks, unless classes that need an axis exceed it: reductions grow exponentially with it."""


class ReductionSearch(Struct, frozen=True):
    """What the solver may take for each rank vector, how many are asked about, and with how many axes at most."""

    attempts: tuple[Attempt, ...]
    vectors: int
    axes: int


QUICK = ReductionSearch((Attempt(100_000),), vectors=10, axes=3)
"""While the rule may still be proved: about 30 ms for each rank vector."""

THOROUGH = ReductionSearch(PORTFOLIO[:1], vectors=80, axes=64)

ALONE = replace(QUICK, vectors=80, axes=64)
"""Without normal forms, when most rules with reductions come here."""


def countermodel(claim: Claim, oracle: Oracle, search: ReductionSearch = THOROUGH) -> Ranks | None:
    """The least rank vector, by total rank, at which a countermodel with small reductions exists, if one is found."""
    if _divides_by_sums(claim):
        return None
    names = claim.scope.rank_classes
    least = [int(name in claim.scope.nonempty) for name in names]
    most = min(max(TOTAL, sum(least)), search.axes - len(claim.scope.singles))
    for vector in islice(rank_vectors(least), search.vectors):
        if sum(vector) > most or oracle.exhausted:
            break
        ranks = tuple(zip(names, vector, strict=True))
        if oracle.ask(raw_query(claim, ranks, Failure.VALUE), search.attempts) is SolverOutcome.SATISFIABLE:
            return ranks
    return None


def _divides_by_sums(claim: Claim) -> bool:
    """Whether there are quotients by sums, or roots of them, beside one another.

    Spelled out, they are polynomials of a high degree in many unknowns, on which the solver spends seconds that its
    steps do not count. What is wrong about them is found by replays.
    """
    sides = claim.left_entry.value, claim.right_entry.value
    of_sums = [inner for inner in subterms(*sides) if isinstance(inner, Reciprocal | Root) and has_reduction(inner)]
    return len(of_sums) > 1


def rank_vectors(least: Sequence[int], most: int = RANKS) -> Iterator[tuple[int, ...]]:
    """All rank vectors from `least` up to `most` everywhere, by their sum."""
    for total in range(sum(least), most * len(least) + 1):
        yield from _of_sum(least, most, total)


def _of_sum(least: Sequence[int], most: int, total: int) -> Iterator[tuple[int, ...]]:
    if not least:
        yield ()
        return
    rest = least[1:]
    for first in range(least[0], most + 1):
        if sum(rest) <= total - first <= most * len(rest):
            yield from ((first, *others) for others in _of_sum(rest, most, total - first))
