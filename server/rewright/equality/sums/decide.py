"""Are two elements equal, reductions included?"""

from __future__ import annotations

from dataclasses import dataclass

from rewright.equality.facts import Facts
from rewright.equality.sums.conversion import formal
from rewright.equality.sums.entailment import Entailment, Solver
from rewright.equality.sums.fibres import Frame, Shapes
from rewright.equality.sums.opaque import Opaques
from rewright.equality.sums.summand import Names, Unsupported, scaled, total
from rewright.equality.sums.weights import is_zero
from rewright.solve import Oracle
from rewright.terms.node import INT, REAL, Term, Variable


@dataclass(frozen=True, slots=True)
class Equality:
    """Two elements are equal; `asked`: a solver's answer was needed."""

    asked: bool
    correspondence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What terms speak of: the tensors' sizes by group, and the unknowns of the result's index."""

    shapes: Shapes
    indices: frozenset[Variable]


def prove_equal(left: Term, right: Term, facts: Facts, around: Surroundings, oracle: Oracle | None) -> Equality | None:
    """That two elements are equal wherever the facts hold, at every rank; None if it was not shown."""
    solver = Solver(oracle)
    names = Names()

    def same(one: Term, other: Term, entailment: Entailment, indices: frozenset[Variable]) -> bool:
        frame = Frame(entailment, around.shapes, indices, names, opaques)
        return _equal(one, other, frame)

    opaques = Opaques(same)
    frame = Frame(Entailment(facts, solver), around.shapes, around.indices, names, opaques)
    try:
        return Equality(solver.asked) if _equal(left, right, frame) else None
    except Unsupported:
        return None


def _equal(left: Term, right: Term, frame: Frame) -> bool:
    if left is right:
        return True
    if left.sort not in (INT, REAL) or left.sort != right.sort:
        return False
    terms = total((formal(left, frame.names), scaled(-1, formal(right, frame.names))))
    return is_zero(terms, frame) is not None
