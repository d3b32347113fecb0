"""Are two elements equal, reductions included?

Owns the choice of the comparison by what the elements are: sums of products, products, extrema, conjunctions, functions
of elements. Each compares smaller elements, so it ends.
"""

from __future__ import annotations

from types import MappingProxyType

from msgspec import Struct

from rewright.equality.sums.conversion import factors, formal, is_product
from rewright.equality.sums.correspondence import sentences
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.fibres import ComparisonFrame, Shapes
from rewright.equality.sums.opaque import Opaques
from rewright.equality.sums.summand import FreshNames, NotSummable, difference
from rewright.equality.sums.supports import same_extrema, same_truths, sense, shifted
from rewright.equality.sums.weights import is_zero
from rewright.terms.interning import subterms
from rewright.terms.node import (
    INDEX,
    INT,
    REAL,
    TRUTH,
    Absolute,
    Access,
    Applied,
    Digit,
    Exponential,
    Extremum,
    Fold,
    Logarithm,
    Negative,
    NonNegative,
    Position,
    Reciprocal,
    Root,
    Special,
    Term,
    TruncatedDivide,
    Variable,
    Zero,
)

ANYWHERE: Shapes = MappingProxyType({})
"""Of a value inside another one nothing says that its reads lie inside their tensors.

Where they do not, the value stands on a branch that is not taken, or is multiplied by 0. What is shown of it must hold
there too: a value that it was compared with earlier, from another place, would otherwise be taken for equal to it
because both were once compared with a third, each time under another assumption.
"""


class Equality(Struct, frozen=True):
    """Two elements are equal; `asked`: a solver's answer was needed.

    `correspondence` says for people which reduced indices correspond to which.
    """

    asked: bool
    correspondence: tuple[str, ...] = ()


class ComparisonSurroundings(Struct, frozen=True):
    """What terms speak of: the tensors' sizes by group, and the unknowns of the result's index.

    `failing` are tests on every axis that are known to fail on some.
    """

    shapes: Shapes
    indices: frozenset[Variable]
    failing: tuple[Fold, ...] = ()


def prove_equal(left: Term, right: Term, entailment: Entailment, around: ComparisonSurroundings) -> Equality | None:
    """That two elements are equal wherever the facts hold, at every rank; None if it was not shown."""
    if any(isinstance(term, Position | Digit) for term in subterms(left, right, *entailment.facts.everything)):
        return None
    names = FreshNames()

    def same(one: Term, other: Term, known: Entailment, indices: frozenset[Variable]) -> bool:
        return _equal(one, other, ComparisonFrame(known, ANYWHERE, indices, names, opaques))

    opaques = Opaques(same, names)
    frame = ComparisonFrame(entailment, around.shapes, around.indices, names, opaques, around.failing)
    try:
        if not _equal(left, right, frame):
            return None
    except NotSummable:
        return None
    return Equality(entailment.solver.asked, sentences(frame.matches))


def _equal(left: Term, right: Term, frame: ComparisonFrame) -> bool:
    if left is right:
        return True
    if left.sort == TRUTH == right.sort:
        return _equal_truths(left, right, frame)
    if left.sort not in (INT, REAL) or left.sort != right.sort:
        return False
    operands = _operands(left, right)
    if operands is not None:
        return all(_equal(*pair, frame) for pair in operands)
    if _is_function(left) and _is_function(right):
        return False
    if _beside_the_same(left, right, frame):
        return True
    if sense(left) or sense(right):
        return same_extrema(left, right, frame)
    if is_product(left) or is_product(right):
        return is_zero(difference(factors(left, frame.names), factors(right, frame.names)), frame)
    if is_zero(difference(formal(left, frame.names), formal(right, frame.names)), frame):
        return True
    return (shifted(left) or shifted(right)) is not None and same_extrema(left, right, frame)


def _beside_the_same(left: Term, right: Term, frame: ComparisonFrame) -> bool:
    """Whether two extrema are shown to have the same operands, of which all but one are the same terms.

    Where these are extrema of that sense, too, all their members are compared together elsewhere.
    """
    if not (isinstance(left, Extremum) and isinstance(right, Extremum) and left.greatest == right.greatest):
        return False
    mine = [operand for operand in left.operands if operand not in right.operands]
    theirs = [operand for operand in right.operands if operand not in left.operands]
    if len(mine) != 1 or len(theirs) != 1 or sense(mine[0]) == sense(theirs[0]) == sense(left):
        return False
    try:
        return _equal(mine[0], theirs[0], frame)
    except NotSummable:
        return False


def _equal_truths(left: Term, right: Term, frame: ComparisonFrame) -> bool:
    match left, right:
        case (
            (Zero(polynomial=mine), Zero(polynomial=theirs))
            | (Negative(polynomial=mine), Negative(polynomial=theirs))
            | (NonNegative(polynomial=mine), NonNegative(polynomial=theirs))
        ) if mine.sort != INDEX:
            return _equal(mine, theirs, frame)
        case (Zero() | Negative() | NonNegative() | Access() | Variable(), _) if _is_literal(right):
            return False
        case _:
            return same_truths(left, right, frame)


def _is_literal(truth: Term) -> bool:
    return isinstance(truth, Zero | Negative | NonNegative | Access | Variable)


FUNCTIONS = Applied | Special | Exponential | Root | Logarithm | Absolute | Reciprocal | TruncatedDivide


def _is_function(term: Term) -> bool:
    """Whether an element is a function of others of which no law is used here, or a read."""
    return isinstance(term, FUNCTIONS | Access | Variable)


def _operands(left: Term, right: Term) -> list[tuple[Term, Term]] | None:
    """What has to be equal for two functions of elements to be; None if they are different functions."""
    match left, right:
        case (Applied(function=one, operands=these), Applied(function=other, operands=those)) | (
            Special(function=one, operands=these),
            Special(function=other, operands=those),
        ):
            return list(zip(these, those, strict=True)) if one == other and len(these) == len(those) else None
        case (
            (Exponential(operand=mine), Exponential(operand=theirs))
            | (Root(operand=mine), Root(operand=theirs))
            | (Logarithm(operand=mine), Logarithm(operand=theirs))
            | (Absolute(operand=mine), Absolute(operand=theirs))
            | (Reciprocal(operand=mine), Reciprocal(operand=theirs))
        ):
            return [(mine, theirs)]
        case TruncatedDivide(), TruncatedDivide():
            return [(left.left, right.left), (left.right, right.right)]
        case _:
            return None
