"""Witnesses: the concrete inputs and observations behind a refutation.

Numbers of the checked world are strings ("3", "1/3", "-inf", "true"), so nothing is lost in JSON. A witness is only
shown after it was replayed.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from rewright.verdict.finding import Place


class Failure(StrEnum):
    """In which way a claim fails."""

    VALUE = "value"
    SHAPE = "shape"
    VALIDITY = "validity"
    VACUOUS = "vacuous"
    RACE = "race"
    DEADLOCK = "deadlock"
    DIVERGENCE = "divergence"
    BOUNDS = "bounds"
    UNINITIALISED = "uninitialised"
    MISALIGNED = "misaligned"
    READ_ONLY = "read-only"
    DIVISION = "division"
    ASSERTION = "assertion"
    WARP = "warp"
    ORDER = "order"
    MISSING = "missing"
    COVERAGE = "coverage"
    RELATION = "relation"
    EXPECTATION = "expectation"
    EXTRA = "extra"
    OPERATION = "operation"


class TensorValue(Struct, frozen=True):
    """A dense tensor: `shape` by axis (the axes of the groups as declared, in order), `data` flat and row-major."""

    shape: tuple[int, ...]
    data: tuple[str, ...]


FunctionValue = tuple[tuple[tuple[str, ...], str], ...]
"""A function of elements as a finite table: operands and result of each entry."""


class Instance(Struct, frozen=True):
    """One concrete input of a rule.

    `ranks`: for each axis group its rank. `maps`: one integer per axis of the map's rank class. `integers`: the `int`s.
    `scalars`: element values. `tensors`: contents. `functions`: tables; the result of operands that are not listed is
    "0", or "false". Integers are exact Python ints; elements are strings.
    """

    ranks: tuple[tuple[str, int], ...] = ()
    maps: tuple[tuple[str, tuple[int, ...]], ...] = ()
    integers: tuple[tuple[str, int], ...] = ()
    scalars: tuple[tuple[str, str], ...] = ()
    tensors: tuple[tuple[str, TensorValue], ...] = ()
    functions: tuple[tuple[str, FunctionValue], ...] = ()


class Step(Struct, frozen=True):
    """The value of the expression at one site during a replay; `side` is "left" or "right"."""

    side: str
    site: int
    value: TensorValue


class Passage(Struct, frozen=True):
    """A cell on the way of the differing element: that at `index` of the value at `site`.

    It goes into the cell at `at` of the value at the site `into`, which is None for the differing element itself.
    """

    side: str
    site: int
    index: tuple[int, ...]
    into: int | None
    at: tuple[int, ...]


class ReducedTerm(Struct, frozen=True):
    """One of the terms that a reduction combines.

    `index`: one number for each axis reduced, empty for what is no reduction's term, None for an initial value.
    `source`: where the value comes from, as text, empty if that says no more. `alone`: it has no equal partner among
    the terms of the other side.
    """

    index: tuple[int, ...] | None
    source: str
    value: str
    alone: bool


class SideTerms(Struct, frozen=True):
    """The terms of the differing element of one side, "left" or "right", and how many `more` are left out."""

    side: str
    reducer: str
    terms: tuple[ReducedTerm, ...]
    more: int


class RuleWitness(Struct, frozen=True):
    """A rule's counterexample, already replayed.

    `at`: for each group of the result the index (one per axis) of the differing element, empty unless `fails` is
    value. `left`, `right`: the two elements, or the two shapes, or what is invalid, as text. `steps`: every
    intermediate value of both sides, operands before operators. `terms`: what each side's element is combined of, if a
    reduction is among what differs. `route`: the cells that the two elements came through, from the result on.
    """

    fails: Failure
    domain: str
    direction: str
    instance: Instance
    at: tuple[tuple[str, tuple[int, ...]], ...]
    left: str
    right: str
    steps: tuple[Step, ...]
    replayed: bool
    terms: tuple[SideTerms, ...] = ()
    route: tuple[Passage, ...] = ()


class ThreadId(Struct, frozen=True):
    """A thread of a launch: its block's and its own index, x first."""

    block: tuple[int, ...]
    thread: tuple[int, ...]


class AccessKind(StrEnum):
    """What an access does to its element; an atomic of block scope is one for the threads of its block only."""

    READ = "read"
    WRITE = "write"
    ATOMIC = "atomic"
    BLOCK_ATOMIC = "atomic in the block"

    @property
    def is_atomic(self) -> bool:
        """Whether it is one, of whatever scope."""
        return self in (AccessKind.ATOMIC, AccessKind.BLOCK_ATOMIC)


class Moment(Struct, frozen=True):
    """An access of a thread before a failure: `thread` is its number among those of the witness.

    Moments with one `turn` were together; `element` is as in `s[3]`; `collides` marks the accesses that fail.
    """

    turn: int
    thread: int
    kind: AccessKind
    element: str
    place: Place
    collides: bool


class KernelWitness(Struct, frozen=True):
    """A kernel's counterexample: the launch, the values of its sizes and parameters, and who collides where.

    `interval` counts the barriers of the whole block before the failure; `address` is the index into `array`, one
    number per dimension. `iterations`: for each thread the passes of the loops that it is in, outermost first.
    `opened` is the barrier that began the interval, `moments` are what the threads accessed in it. `unstated` are the
    names of those of its values that are not stated.
    """

    fails: Failure
    grid: tuple[int, ...]
    block: tuple[int, ...]
    values: tuple[tuple[str, str], ...]
    threads: tuple[ThreadId, ...]
    array: str | None
    address: tuple[int, ...]
    interval: int | None
    replayed: bool
    iterations: tuple[tuple[int, ...], ...] = ()
    opened: Place | None = None
    moments: tuple[Moment, ...] = ()
    unstated: tuple[str, ...] = ()


class RefinementCauseKind(StrEnum):
    """How a tensor of the distributed graph departs from the sequential one."""

    MISSING = "missing"
    DOUBLED = "doubled"
    SCALED = "scaled"
    SHIFTED = "shifted"
    SWAPPED = "swapped"
    DROPPED = "dropped"
    UNREDUCED = "unreduced"
    OTHER = "other"


class RangeOfDimension(Struct, frozen=True):
    """The indices of a dimension from `start` up to, not including, `limit`, as text (`0`, `h/4`)."""

    dimension: str
    start: str
    limit: str


class RefinementCause(Struct, frozen=True):
    """Why a distributed graph does not refine: what is wrong in which `tensor` of it, empty if that is not known.

    `rank` is the number of the rank that it is said of, the last mesh axis fastest; `box` what part of the tensor, or
    of what is summed, it concerns, of a shift what is there, then what belongs there; `factor` by how much it is off.
    None, or no box, where that is not part of it.
    """

    kind: RefinementCauseKind
    tensor: str
    rank: int | None
    box: tuple[RangeOfDimension, ...]
    factor: str | None


class HeldElement(Struct, frozen=True):
    """What a rank holds in the place of an element."""

    rank: int
    value: str


class RefinementWitness(Struct, frozen=True):
    """A refinement's counterexample: inputs of both graphs, the distributed ones rank by rank.

    `index`: the element of the sequential `output` that is to be `expected`, by dimension. `held` is what ranks have in
    its place: where `fails` is expectation, those that it should be on; else the nearest that there is.
    """

    fails: Failure
    sizes: tuple[tuple[str, int], ...]
    sequential: tuple[tuple[str, TensorValue], ...]
    distributed: tuple[tuple[str, tuple[TensorValue, ...]], ...]
    output: str
    index: tuple[int, ...]
    expected: str
    held: tuple[HeldElement, ...]
    cause: RefinementCause | None
    replayed: bool


class LoopsWitness(Struct, frozen=True):
    """A counterexample of a loop nest or a transform: the first operation that is wrong, at these `sizes`.

    `statement` and `iteration` are the operation, as text and as the value of each iterator; for one that is missing
    those of the specification. `due` is the operation of the specification in its place. `element` is what is written
    or read; `expected` and `found` are its writers, or what should be there and what is.
    """

    fails: Failure
    sizes: tuple[tuple[str, int], ...]
    statement: str
    iteration: tuple[tuple[str, int], ...]
    due: str
    element: str
    expected: str
    found: str
    replayed: bool


Witness = RuleWitness | KernelWitness | RefinementWitness | LoopsWitness
