"""Concrete inputs of a rule at one rank vector: the raw rule, no normal forms, asked of the solver.

Owns the search that minimising a counterexample is made of. Invariant: a `Model` satisfies the preconditions and the
left side's validity as the solver sees them, and violates the claim in the way it says; whether it really does is for
the replay to find out. Must not know how inputs are filled up, replayed or shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.rule import RuleQuestion
from rewright.rules.claim import Claim, claim_of, declared_groups, index_variable, size_variables
from rewright.rules.raw import BREAKING, Ranks, breaking, raw_query
from rewright.solve import SolverOutcome, Unknown, open_session
from rewright.terms import INT, variable
from rewright.verdict import Failure

if TYPE_CHECKING:
    from rewright.solve.session import SolverSession


class QuantityRole(StrEnum):
    """What an integer unknown is: a size of a declared tensor, another map, an `int`, or an index of the result."""

    SIZE = "size"
    ATTRIBUTE = "attribute"
    INTEGER = "integer"
    INDEX = "index"


class Quantity(Struct, frozen=True):
    """One integer unknown: a map on axis `axis`, an `int` or integer scalar (axis None), the index on a group's axis.

    `name` is the map's, the integer's, or for an index the axis group's.
    """

    role: QuantityRole
    name: Name
    axis: int | None


class TensorEntry(Struct, frozen=True):
    """One entry of a tensor that the model constrains: its index, one integer per axis in the order declared."""

    tensor: Name
    at: tuple[int, ...]
    element: str


class FunctionCall(Struct, frozen=True):
    """One call of a declared function: its operands and its result."""

    function: Name
    operands: tuple[str, ...]
    result: str


class Model(Struct, frozen=True):
    """An input that breaks the rule.

    `integers` has every quantity. `scalars` has the element scalars (integer scalars included); `entries` the entries
    of tensors that matter. Entries that are not listed are free, except in tensors listed in `unread`: there they are
    to hold the given element, so that assumptions on contents hold. Elements are strings as in `verdict.Instance`;
    those of an uninterpreted type are "0", "1", "2", … where only equality means something. `uneven` lists tensors that
    an assumption relates to tensors with other groups, with the number of axes of each group: an entry of theirs that
    is not listed is to be like the one with index 0 along each group where no listed one has its index. `calls` are
    those of declared functions that matter. `exact` says whether the solver's values are these and there is no more to
    them: it knows of the exponential only laws.
    """

    fails: Failure
    integers: tuple[tuple[Quantity, int], ...]
    scalars: tuple[tuple[Name, str], ...]
    entries: tuple[TensorEntry, ...]
    unread: tuple[tuple[Name, str], ...]
    uneven: tuple[tuple[Name, tuple[int, ...]], ...] = ()
    calls: tuple[FunctionCall, ...] = ()
    exact: bool = True


class GaveUp(Struct, frozen=True):
    """The solver did not answer within its steps."""


CHECK_STEPS = 500_000
"""The solver's steps for one check, about 150 ms: one hard check must not hold up the rest."""

MINIMISING_STEPS = 3_000_000
"""For all checks with which a model that was found is made smaller; those of the library need 300,000 at most."""

SECONDS = 10.0
"""A guard for each check, far above what its steps take."""

SETTLING_STEPS = 100_000
"""The same while a model that was found is made smaller."""

NEAR = 16
"""Values this far from the smallest are tried one by one."""

ELEMENT_LIMITS = (1, 2, 4, 10)
"""Bounds on the absolute value of elements, tried in this order: a reader checks a sum of ones in the head."""


class ModelSession:
    """The raw rule at one rank vector, kept open so that a model can be made smaller step by step.

    `ranks` maps each rank class to its rank (single axes: 1). `fails` restricts the way in which the claim is to break;
    None accepts any. `steps` of the solver limit the whole session, CHECK_STEPS each check.
    Use as a context manager, or call `close`. Raises `Undecided` for a rule that is not decided.
    """

    def __init__(self, question: RuleQuestion, ranks: Mapping[Name, int], fails: Failure | None, steps: int) -> None:
        self._claim = claim_of(question)
        self._ranks: Ranks = tuple((str(name), ranks[name]) for name in self._claim.scope.rank_classes)
        self._fails = fails
        self._left = steps
        self._most = CHECK_STEPS
        self._unknowns = dict(unknown_integers(self._claim, ranks))
        self._session: SolverSession | None = open_session(raw_query(self._claim, self._ranks, fails))
        self._session.mention(self._unknowns.values())
        self._found = False

    @property
    def quantities(self) -> tuple[Quantity, ...]:
        """Every integer unknown, in declared order."""
        return tuple(self._unknowns)

    def find(self, limit: int | None) -> Model | GaveUp | None:
        """A model in which every integer quantity is at most `limit` in absolute value.

        None if there is none. The limit stays in force for `minimise` if a model was found.
        """
        session = self._open
        session.push()
        if limit is not None:
            session.limit(limit)
        match self._check():
            case SolverOutcome.SATISFIABLE:
                return self._read()
            case outcome:
                session.pop()
                return None if outcome is SolverOutcome.UNSATISFIABLE else GaveUp()

    def minimise(self, order: Sequence[Quantity]) -> Model:
        """Fixes the quantities, in this order, each at its smallest absolute value that still breaks the rule.

        Positive before negative. Then makes the elements small. Starts from the last model found; a step on which the
        solver gives up keeps that model's value. Raises `ValueError` if no model was found yet.
        """
        if not self._found:
            raise ValueError("nothing to minimise: no model was found")
        self._left, self._most = MINIMISING_STEPS, SETTLING_STEPS
        for quantity in order:
            self._settle(quantity)
        for limit in ELEMENT_LIMITS:
            self._open.push()
            self._open.limit_elements(limit)
            outcome = self._check()
            if outcome is SolverOutcome.SATISFIABLE:
                break
            self._open.pop()
            if outcome is SolverOutcome.GAVE_UP:
                break
        return self._read()

    def _settle(self, quantity: Quantity) -> None:
        unknown = self._unknowns[quantity]
        for value in _smaller(self._open.integer(unknown), self._least(unknown)):
            if self._left <= 0:
                break
            self._open.push()
            self._open.fix(unknown, value)
            if self._check() is SolverOutcome.SATISFIABLE:
                return
            self._open.pop()
        self._open.fix(unknown, self._open.integer(unknown))

    def _least(self, unknown: Unknown) -> int:
        """A bound that no model's absolute value is below, near the smallest: found by halving what is far off."""
        least = 0
        while abs(self._open.integer(unknown)) - least > NEAR and self._left > 0:
            middle = (least + abs(self._open.integer(unknown))) // 2
            self._open.push()
            self._open.bound(unknown, middle)
            match self._check():
                case SolverOutcome.SATISFIABLE:
                    continue
                case SolverOutcome.UNSATISFIABLE:
                    least = middle + 1
                case SolverOutcome.GAVE_UP:
                    # ends the halving: below the value at hand nothing is known
                    least = abs(self._open.integer(unknown))
            self._open.pop()
        return least

    def _check(self) -> SolverOutcome:
        if self._left <= 0:
            return SolverOutcome.GAVE_UP
        before = self._open.steps()
        outcome = self._open.check(min(self._most, self._left), SECONDS)
        self._left -= self._open.steps() - before
        self._found = self._found or outcome is SolverOutcome.SATISFIABLE
        return outcome

    def _read(self) -> Model:
        session, claim = self._open, self._claim
        ways = BREAKING if self._fails is None else (self._fails,)
        fails = next((way for way in ways if session.holds(breaking(claim, way, self._ranks))), ways[-1])
        entries = tuple(dict.fromkeys(_entries(claim, session.reads(), dict(self._ranks))))
        return Model(
            fails,
            tuple((quantity, session.integer(unknown)) for quantity, unknown in self._unknowns.items()),
            tuple(_scalars(claim, session)),
            entries,
            tuple(_unread(claim, entries)),
            tuple(_uneven(claim, dict(self._ranks))),
            tuple(
                dict.fromkeys(FunctionCall(Name(name), operands, result) for name, operands, result in session.calls())
            ),
            session.exact,
        )

    @property
    def _open(self) -> SolverSession:
        if self._session is None:
            raise ValueError("the session is closed")
        return self._session

    def close(self) -> None:
        """Frees the solver."""
        self._session = None

    def __enter__(self) -> ModelSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _smaller(value: int, least: int) -> Iterator[int]:
    """The integers of smaller absolute value from `least` on, positive before negative, then its opposite."""
    for size in range(least, abs(value) + (value < 0)):
        yield size
        if size and size < abs(value):
            yield -size


def unknown_integers(claim: Claim, ranks: Mapping[Name, int]) -> Iterator[tuple[Quantity, Unknown]]:
    """Every integer unknown, and what it is to the solver."""
    rule, scope = claim.rule, claim.scope
    sizes = size_variables(claim)
    for declared in rule.maps:
        unknown = variable(declared.name, scope.of_class(declared.rank_class))
        role = QuantityRole.SIZE if unknown in sizes else QuantityRole.ATTRIBUTE
        for axis in range(ranks[declared.rank_class]):
            yield Quantity(role, declared.name, axis), (unknown, None if unknown.rank_class is None else axis)
    integers = (*rule.integers, *(item.name for item in rule.scalars if scope.sort(item.type) == INT))
    for name in integers:
        yield Quantity(QuantityRole.INTEGER, name, None), (variable(name, None), None)
    kinds = {group.name: group.rank_class for group in rule.groups}
    for group in claim.index:
        unknown = index_variable(group, scope)
        for axis in range(ranks[kinds[group]]):
            yield Quantity(QuantityRole.INDEX, group, axis), (unknown, None if unknown.rank_class is None else axis)


def _scalars(claim: Claim, session: SolverSession) -> Iterator[tuple[Name, str]]:
    for item in claim.rule.scalars:
        sort = claim.scope.sort(item.type)
        if sort == INT:
            yield item.name, str(session.integer((variable(item.name, None), None)))
        else:
            element = session.element(variable(item.name, None, sort))
            if element is not None:
                yield item.name, element


def _entries(
    claim: Claim, reads: list[tuple[str, tuple[int, ...], str]], ranks: dict[str, int]
) -> Iterator[TensorEntry]:
    """The reads, their axes in the order in which the tensor's groups are declared (the solver sorts them by name)."""
    for tensor, at, element in reads:
        groups = declared_groups(Name(tensor), claim.scope)
        places: dict[Name, tuple[int, ...]] = {}
        rest = list(at)
        for group in sorted(groups):
            rank_class = claim.scope.classes[group]
            width = 1 if rank_class is None else ranks[rank_class]
            places[group], rest = tuple(rest[:width]), rest[width:]
        yield TensorEntry(Name(tensor), tuple(axis for group in groups for axis in places[group]), element)


def _uneven(claim: Claim, ranks: Mapping[str, int]) -> Iterator[tuple[Name, tuple[int, ...]]]:
    for tensor in claim.rule.tensors:
        if any(item.uneven and tensor.name in item.tensors for item in claim.linked):
            classes = (claim.scope.classes[group] for group, _ in tensor.shape)
            yield tensor.name, tuple(1 if rank_class is None else ranks[rank_class] for rank_class in classes)


def _unread(claim: Claim, entries: Sequence[TensorEntry]) -> Iterator[tuple[Name, str]]:
    """For the tensors that an assumption links, the element at index 0, where the assumption was met."""
    linked = frozenset().union(*(item.tensors for item in claim.linked))
    for entry in entries:
        if entry.tensor in linked and not any(entry.at):
            yield entry.tensor, entry.element
