"""Whether a lemma counts: proved, an assumption about opaque operators, or neither."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction

from rewright.graphs.blocks import BlockTensor
from rewright.graphs.decide import DecidedRefinement, decide
from rewright.graphs.decision import RelationsFound, RelationsMissing
from rewright.graphs.opaque import is_opaque
from rewright.graphs.roots import Root
from rewright.graphs.stand_ins import lemma_refinement, opaque_in
from rewright.model.graph import GraphLemma


class LemmaStanding(Enum):
    """What a lemma is worth."""

    PROVED = "proved"
    ASSUMED = "assumed"
    OPEN = "open"
    """Not proved, and no assumption: what its sides differ by has nothing to do with an opaque operator."""


def standing(lemma: GraphLemma) -> LemmaStanding:
    """Whether a lemma is proved, whatever its opaque operators are; else whether it is an assumption about them."""
    decided = decide(lemma_refinement(lemma, {}))
    match decided.decision:
        case RelationsFound():
            return LemmaStanding.PROVED
        case RelationsMissing() as found if opaque_in(lemma.graph) and _depends(decided, found):
            return LemmaStanding.ASSUMED
        case _:
            return LemmaStanding.OPEN


def _depends(decided: DecidedRefinement, found: RelationsMissing) -> bool:
    """Whether what the sides differ by has to do with an opaque operator."""
    assert decided.passes is not None
    (open_,) = found.not_related
    sides = [(Fraction(1), open_.sequential), (Fraction(-1), open_.held[()])]
    return _is_opaque(decided.passes.operations.added(sides), decided.roots, set())


def _is_opaque(tensor: BlockTensor, roots: Sequence[Root], seen: set[int]) -> bool:
    for number in {part.root for piece in tensor.pieces for part, _ in piece.sum} - seen:
        seen.add(number)
        if is_opaque(roots[number]) or any(_is_opaque(each, roots, seen) for each in roots[number].made.operands):
            return True
    return False
