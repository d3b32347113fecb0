"""Runs a kernel at its launches and collects what goes wrong, with the setting of each.

Sampled blocks of a launch run one after the other, each from the initial memory; what they did in global memory is then
compared. Further inputs are tried only where control or an address depends on inputs, the second order of atomics only
where it depends on what atomics return. The first launch that shows an error is the last one run. Must not know how a
violation is shown or replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from rewright.kernels.execution.races import Footprint, Races, key_of, races_between, rank
from rewright.kernels.execution.run import Machine, Outcome
from rewright.kernels.execution.taint import ATOMIC_ORDER
from rewright.kernels.launches.blocks import sampled
from rewright.kernels.launches.cases import Case, cases, free_names
from rewright.kernels.launches.fillings import fillings
from rewright.kernels.launches.requirements import Contents, TooMany
from rewright.kernels.launches.scalars import NoValue
from rewright.model.index import Name
from rewright.model.kernel import Kernel
from rewright.model.simt.program import Program
from rewright.model.simt.violation import (
    Deadlock,
    Divergence,
    Misaligned,
    Order,
    OutOfBounds,
    Race,
    Setting,
    Triple,
    Uninitialised,
    Violation,
)
from rewright.verdict import Place

FENCES = "two threads may synchronise through fences and atomics here, which is not followed"

_SHARE_OF_FURTHER = 16
"""Launches beyond those needed get one part in so many of the steps."""


_TIMES_FIRST, _LEAST = 8, 4_000
"""A run with further inputs may take so many times the steps of the first one, and so many more.

One that takes more (a loop as long as an input says) is left out: it does not count among those that were tried.
"""


@dataclass(frozen=True, slots=True)
class Found:
    """A violation and the run that shows it; `depends` are the inputs that control or addresses depend on there."""

    violation: Violation
    setting: Setting
    depends: frozenset[str]

    @property
    def is_error(self) -> bool:
        """Whether the violation refutes the kernel: writes of equal values do not."""
        return not (isinstance(self.violation, Race) and self.violation.equal)


@dataclass(frozen=True, slots=True)
class Covered:
    """A launch that was run: which blocks, with how many fillings of the inputs that mattered, in which orders."""

    case: Case
    blocks: tuple[Triple, ...]
    fillings: int
    inputs: frozenset[str]
    both_orders: bool


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found, what it covered, why it stopped if it could not go on, and what it cost.

    `chosen` are the sizes and parameters whose values were chosen, `unsized` the arrays of which no size is known.
    """

    found: tuple[Found, ...]
    covered: tuple[Covered, ...]
    undecided: tuple[str, Place | None] | None
    chosen: tuple[Name, ...]
    unsized: tuple[Name, ...]
    steps: int

    @property
    def is_clean(self) -> bool:
        """Whether nothing keeps the kernel from being checked."""
        return self.undecided is None and not any(each.is_error for each in self.found)


def search(kernel: Kernel, program: Program, steps: int) -> Searched:
    """Runs the kernel with at most so many steps in all."""
    searching = _Searching(kernel, Machine(program), steps)
    try:
        _run_all(searching)
    except (NoValue, TooMany) as stop:
        searching.undecided = (str(stop), None)
    return Searched(
        tuple(searching.found.values()),
        tuple(searching.covered),
        searching.undecided,
        tuple(free_names(kernel)),
        tuple(made.name for made in program.objects if made.extents is None),
        steps - searching.steps,
    )


def _run_all(searching: _Searching) -> None:
    chosen = cases(searching.kernel, searching.machine.program)
    for case in chosen.needed:
        searching.case(case)
        if searching.is_over:
            return
    if not (searching.covered or chosen.further):
        searching.undecided = ("every run is excluded by an `assume`", None)
    left = searching.steps - searching.steps // _SHARE_OF_FURTHER
    for case in chosen.further:
        trial = _Searching(searching.kernel, searching.machine, searching.steps - left, dict(searching.found))
        trial.case(case)
        if trial.undecided is not None and trial.undecided[0] != FENCES and not trial.is_refuted:
            return
        searching.found, searching.undecided = trial.found, trial.undecided
        searching.covered += trial.covered
        searching.steps = left + trial.steps
        if searching.is_over:
            return


@dataclass(slots=True)
class _Searching:
    """A search under way; `steps` are those that are left, `most` those that one run of a block may take."""

    kernel: Kernel
    machine: Machine
    steps: int
    found: dict[object, Found] = field(default_factory=dict)
    covered: list[Covered] = field(default_factory=list)
    undecided: tuple[str, Place | None] | None = None
    most: int = field(init=False)

    def __post_init__(self) -> None:
        self.most = self.steps

    @property
    def is_refuted(self) -> bool:
        return any(each.is_error for each in self.found.values())

    @property
    def is_over(self) -> bool:
        return self.is_refuted or self.undecided is not None

    def case(self, case: Case) -> None:
        """Runs the sampled blocks of one launch, with as many inputs and orders as matter."""
        depends: frozenset[str] = frozenset()
        inputs: frozenset[str] = frozenset()
        tried = counted = 0
        choices = self._fillings(case)
        while not tried or inputs:
            contents = next(choices, None)
            if contents is None:
                break
            tried += 1
            before = self.steps
            excluded, found = self._orders(Setting(case.grid, case.block, case.values, contents))
            depends |= found
            inputs = depends & {str(name) for name, _ in contents}
            if self.undecided and counted and self.undecided[0] != FENCES:
                self.undecided = None
                continue
            if self.undecided:
                return
            counted += not excluded
            self.most = min(self.most, _TIMES_FIRST * (before - self.steps) + _LEAST)
        self.most = self.steps
        if tried == 0:
            self.undecided = ("no inputs were found that satisfy `requires`", None)
        elif counted:
            both = bool(ATOMIC_ORDER & depends)
            self.covered.append(Covered(case, sampled(case.grid), counted, inputs, both))

    def _fillings(self, case: Case) -> Iterator[tuple[tuple[Name, tuple[int | float, ...]], ...]]:
        contents: Contents
        for contents in fillings(self.kernel, dict(case.values)):
            yield tuple((name, tuple(cells.tolist())) for name, cells in contents.items())

    def _orders(self, setting: Setting) -> tuple[bool, frozenset[str]]:
        """Whether an `assume` excluded the run, and what control and addresses depend on."""
        excluded, depends = self._blocks(setting)
        if ATOMIC_ORDER & depends and not self.undecided:
            turned = Setting(setting.grid, setting.block, setting.values, setting.contents, Order.DESCENDING)
            also, more = self._blocks(turned)
            return excluded and also, depends | more
        return excluded, depends

    def _blocks(self, setting: Setting) -> tuple[bool, frozenset[str]]:
        outcomes: list[Outcome] = []
        for block in sampled(setting.grid):
            outcome = self.machine.run(setting, block, max(min(self.steps, self.most), 0))
            self.steps -= outcome.steps
            outcomes.append(outcome)
            if outcome.excluded or outcome.undecided:
                break
        depends = frozenset[str]().union(*(outcome.depends for outcome in outcomes))
        if any(outcome.excluded for outcome in outcomes):
            return True, depends
        between = Races()
        footprints: list[Footprint] = [each.accesses for each in outcomes if each.accesses is not None]
        if prod(setting.grid) > 1:
            races_between(footprints, between)
        depends |= between.depends
        self._take(outcomes, between, (setting, depends))
        return False, depends

    def _take(self, outcomes: list[Outcome], between: Races, where: tuple[Setting, frozenset[str]]) -> None:
        races = [*(outcome.races for outcome in outcomes), between]
        found = [violation for outcome in outcomes for violation in outcome.violations]
        for violation in (*found, *(race for each in races for race in each.certain())):
            self._enter(Found(violation, *where))
        doubtful = [race for each in races for race in each.doubtful() if not race.equal]
        reasons = [outcome.undecided for outcome in outcomes if outcome.undecided]
        reasons += [(FENCES, race.first.place) for race in doubtful]
        self.undecided = self.undecided or (reasons[0] if reasons else None)

    def _enter(self, found: Found) -> None:
        """Keeps a violation unless one at its places is as bad."""
        key = _key(found.violation)
        known = self.found.get(key)
        if known is None or _weight(found.violation) < _weight(known.violation):
            self.found[key] = found


def _weight(violation: Violation) -> int:
    return rank(violation) if isinstance(violation, Race) else 0


def _key(violation: Violation) -> object:
    """What makes two violations one finding: their places."""
    match violation:
        case Race():
            return Race, key_of(violation)
        case Divergence() | Deadlock():
            return type(violation), violation.first.place
        case OutOfBounds() | Uninitialised() | Misaligned():
            return type(violation), violation.access.place
        case _:
            return type(violation), violation.place
