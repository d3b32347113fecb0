"""What is wrong with graphs: refinements that fail, RW401 to RW403; their own text, RW410 to RW416; lemmas, RW417 to
RW419; what element types lose, RW420 to RW423."""

from __future__ import annotations

from rewright.verdict.diagnosis import Diagnosis
from rewright.verdict.witness import RefinementCause

# --------------------------------------------------------------------------------------------------------- refinements


class NoCleanExpression(Diagnosis, code="RW401"):
    """An output of the sequential graph that no clean expression in the distributed outputs gives.

    `is_never_summed`: what ranks hold parts of at the place of the cause is summed by no later operator.
    """

    output: str
    cause: RefinementCause | None
    is_never_summed: bool


class HeldOtherwise(Diagnosis, code="RW402"):
    """An output that the ranks do not hold as expected; `placement` is the expectation as it is written.

    `is_never_summed` as of `NoCleanExpression`.
    """

    output: str
    placement: str
    cause: RefinementCause | None
    is_never_summed: bool


class SidesDiffer(Diagnosis, code="RW402"):
    """An equation that is expected and does not hold, by its sides as text.

    `is_never_summed` as of `NoCleanExpression`.
    """

    left: str
    right: str
    cause: RefinementCause | None
    is_never_summed: bool


class NoInputSatisfies(Diagnosis, code="RW403"):
    """A graph or a relation that no size or input satisfies, and why."""

    why: str


# --------------------------------------------------------------------------------------------------------------- sizes


class SizesDiffer(Diagnosis, code="RW410"):
    """Two sizes that should be one, as text."""

    operator: str
    left: str
    right: str


class NoSuchDimension(Diagnosis, code="RW411"):
    """A dimension that a tensor of this shape does not have."""

    dimension: str
    shape: str


class DimensionNotUnique(Diagnosis, code="RW411"):
    """A name that several dimensions of a tensor of this shape have."""

    dimension: str
    shape: str


class DimensionTwice(Diagnosis, code="RW411"):
    """A dimension that is named twice."""

    dimension: str


class NoPermutation(Diagnosis, code="RW411"):
    """Dimensions that do not name each of so many once."""

    rank: int


class NoWholeSize(Diagnosis, code="RW412"):
    """A size that is no number of elements."""

    size: str


# ---------------------------------------------------------------------------------------------------------------- mesh


class AxisTwice(Diagnosis, code="RW413"):
    """A mesh axis that is used twice."""

    axis: str


class AxisWithoutSize(Diagnosis, code="RW413"):
    """A mesh axis of a graph that nothing gives a number of ranks."""

    axis: str
    graph: str


class WrongWithRanks(Diagnosis, code="RW413"):
    """A number of ranks along an axis with which a graph is wrong, though it need not be with others."""

    axis: str
    size: int
    graph: str


class MeshOfCallDiffers(Diagnosis, code="RW413"):
    """A graph that is called, on a mesh with an axis, as text, that is another one `here`, or is not there."""

    graph: str
    axis: str
    here: str | None


class CallsItself(Diagnosis, code="RW414"):
    """A graph that is called and calls the one that it is called in, itself or by others."""

    graph: str


class TwoSenders(Diagnosis, code="RW413"):
    """A rank, by its coordinate, that two others send to."""

    receiver: int


class NoSuchCoordinate(Diagnosis, code="RW413"):
    """A coordinate that no rank has on a mesh axis of this size."""

    axis: str
    size: int
    coordinate: str


# ------------------------------------------------------------------------------------------------------------- results


class ResultNotComputed(Diagnosis, code="RW414"):
    """A result that no statement computes."""

    name: str


class NoResults(Diagnosis, code="RW414"):
    """A graph without results."""


class InputOfOneGraph(Diagnosis, code="RW415"):
    """An input of one graph only; `graph` is the one that lacks it."""

    name: str
    graph: str


class PlacementDoesNotFit(Diagnosis, code="RW415"):
    """A tensor whose shape on each rank is not what its placement makes of it."""

    name: str
    expected: str
    given: str


# --------------------------------------------------------------------------------------------------------------- loops


class StepsNotKnown(Diagnosis, code="RW416"):
    """A loop with a bound, as text, that is no number."""

    bound: str


class CarriedOtherwise(Diagnosis, code="RW416"):
    """A tensor that a loop carries in one shape before a step, and in another after it, as text."""

    name: str
    before: str
    after: str


class NameOfLoop(Diagnosis, code="RW416"):
    """A name that is known in the steps of a loop only."""

    name: str


class TooManySteps(Diagnosis, code="RW416"):
    """A loop that has, with those before it, too many steps and statements in them, or computes too many nodes."""

    statements: int
    nodes: int


# -------------------------------------------------------------------------------------------------------------- lemmas


class LemmaFails(Diagnosis, code="RW417"):
    """A lemma of which both sides differ at an index, on some input: left and right element as text."""

    index: tuple[int, ...]
    left: str
    right: str


class LemmaAssumed(Diagnosis, code="RW418"):
    """A lemma that is an assumption about opaque operators, by their names as a list."""

    operators: str


class LemmaNotUsed(Diagnosis, code="RW419"):
    """A lemma that a refinement names and that does not count, as it is not proved."""

    lemma: str


class NoOperatorSatisfies(Diagnosis, code="RW419"):
    """A lemma that no operator satisfies: its sides differ by a number."""

    lemma: str


# ------------------------------------------------------------------------------------------------------- element types


class NarrowSum(Diagnosis, code="RW420"):
    """A sum over ranks in an element type of few bits."""

    element: str


class NarrowedBeforeSum(Diagnosis, code="RW421"):
    """A sum over ranks of numbers that were in a wider element type before."""

    wider: str
    element: str


class NarrowTerms(Diagnosis, code="RW422"):
    """A sum on one rank in an element type of few bits: of how many terms, and from which type they were narrowed."""

    element: str
    terms: int | None
    wider: str | None


class NumberNotHeld(Diagnosis, code="RW423"):
    """A whole number that an element type does not hold, and what becomes of it; None for infinity."""

    number: str
    element: str
    becomes: str | None
