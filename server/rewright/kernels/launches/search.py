"""Runs a kernel at its launches and collects what goes wrong, with the setting of each.

Sampled blocks of a launch run one after the other, each from the initial memory; what they did in global memory is then
compared. Further inputs are tried only where control or an address depends on inputs, the second order of atomics only
where it depends on what atomics return. Launches after one that shows an error are run for what else is wrong, with a
share of the steps. Invariant: what counts as covered are runs made to their end that no `assume` excludes, and without
any nothing is clean. Must not know how a violation is shown or replayed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import prod
from operator import le
from time import process_time
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.kernels.execution.races import Races, races_between
from rewright.kernels.execution.run import Machine, RunOutcome
from rewright.kernels.execution.taint import ATOMIC_ORDER, NOTHING, Taint
from rewright.kernels.launches.blocks import sampled
from rewright.kernels.launches.case import Case
from rewright.kernels.launches.cases import cases, free_names
from rewright.kernels.launches.inputs import chosen_inputs, filled_arrays
from rewright.kernels.launches.overflow import OVERFLOWS, may_overflow, most_reached, overflow, reaches_far
from rewright.kernels.launches.requirements import TooMany
from rewright.kernels.launches.results import Covered, Found, SearchResult, Tried, key, weight
from rewright.kernels.launches.returned import distinguishes_blocks
from rewright.kernels.launches.singled_out import singled_out
from rewright.kernels.launches.thresholds import thresholds
from rewright.kernels.launches.variables import Variables, pinned, variables
from rewright.kernels.reasons import Cause, Reason
from rewright.model.index import Name
from rewright.model.kernel import Kernel
from rewright.model.simt.constants import NoValue, Number
from rewright.model.simt.program import Program
from rewright.model.simt.violation import CollisionScope, Order, Race, Setting, Triple, Violation
from rewright.verdict import AccessKind

FENCES = "two threads may synchronise through fences and atomics here, which is not modelled"

RETURNED = "what atomics return may keep two blocks apart here, which is not modelled"

ALONE = "what a block does depends on what atomics return to it after other blocks, which is not modelled"

_SHARE_OF_FURTHER = 16
"""Launches beyond those needed get one part in so many of the steps."""

SHARE_AFTER_FAILURE = 8
"""Once something is wrong, or may be, so large a part of all steps is left for looking for more."""

_SHARE_OF_ONE = 2
"""Of settings that are run for themselves, a block of one gets one part in so many of the steps that are left."""

_SHARE_OF_OTHERS = 4
"""A launch at chosen sizes leaves one part in so many of the steps to those after it."""

_TIMES_FIRST, _LEAST = 8, 4_000
"""A run with further inputs may take so many times the steps of the first one, and so many more.

One that takes more (a loop as long as an input says) is cut short: it does not count among those that were tried, but
what it showed until then does.
"""

MOST_KEPT = 1 << 14
"""Elements of an array that are kept of a setting that was run."""

Blocks: TypeAlias = Callable[[Triple], tuple[Triple, ...]]
"""Which blocks of a grid are run."""

Contents: TypeAlias = tuple[tuple[Name, tuple[int | float, ...]], ...]


def search(kernel: Kernel, program: Program, steps: int, until: float = math.inf) -> SearchResult:
    """Runs the kernel with at most so many steps in all, and `until` a processor time of this process, in seconds."""
    searching = _Searching(kernel, Machine(program, until), variables(kernel, program), steps)
    try:
        _run_all(searching)
    except NoValue as stop:
        searching.cut = Reason(str(stop), None, Cause.INPUTS)
    except TooMany as stop:
        searching.cut = Reason(str(stop), None, Cause.SIZE)
    return SearchResult(
        tuple(searching.found.values()),
        tuple(searching.covered),
        searching.undecided,
        tuple(free_names(kernel)),
        tuple(made.name for made in program.objects if made.extents is None),
        searching.spent,
        searching.variables,
        tuple(searching.tried),
        tuple(case for case, _ in searching.long),
    )


def run_settings(
    kernel: Kernel,
    program: Program,
    settings: Iterable[Setting],
    steps: int,
    until: float = math.inf,
    blocks: Blocks = sampled,
) -> tuple[tuple[Tried, ...], tuple[Found, ...], int]:
    """Runs these settings one after the other: what each shows, what was found, and how many steps they took.

    It ends early when the steps, at most so many in all, are used up; one setting gets a share of them. `blocks` says
    which blocks of a grid are run.
    """
    searching = _Searching(kernel, Machine(program, until), variables(kernel, program), steps, blocks)
    for setting in settings:
        if searching.steps <= 0:
            break
        searching.most = max(searching.steps // _SHARE_OF_ONE, _LEAST)
        searching.mattered = NOTHING
        searching.orders(setting)
        searching.doubt = None
    return tuple(searching.tried), tuple(searching.found.values()), searching.spent


def _run_all(searching: _Searching) -> None:
    chosen = cases(searching.kernel, searching.machine.program)
    too_large = _run_needed(searching, chosen.needed)
    if too_large is not None and not searching.cut:
        too_large = _run_needed(searching, chosen.spare) or too_large
    if searching.cut:
        return
    _run_further(searching, chosen.further)
    if searching.cut or searching.doubt:
        return
    if not searching.covered and too_large is not None:
        searching.cut = too_large
        return
    if not searching.covered:
        searching.cut = Reason("every run is excluded by an `assume`", None, Cause.INPUTS)
        return
    in_either_order = any(each.both_orders and each.case.blocks > 1 for each in searching.covered)
    if in_either_order and distinguishes_blocks(searching.machine.program):
        searching.doubt = Reason(ALONE, None, Cause.ATOMICS)


def _run_needed(searching: _Searching, needed: tuple[Case, ...]) -> Reason | None:
    """Runs launches until one does not end; the reason if arrays of some were too large, which are left out.

    None is left out where nothing is chosen that makes them large: neither sizes nor contents. At sizes that are chosen
    a launch gets a part of the steps; one that takes more is left out, too, if one that is nowhere larger is covered,
    and at least as many are covered as left out.
    """
    too_large, free = None, free_names(searching.kernel)
    for case in needed:
        searching.reserve = searching.steps // _SHARE_OF_OTHERS if free and case != needed[-1] else 0
        searching.case(case)
        if free and searching.may_be_long:
            searching.long.append((case, searching.cut))
            searching.cut, searching.most = None, searching.steps
        is_large = reaches_far(free, case.values) or not searching.mattered.isdisjoint(searching.inputs)
        if searching.cut is not None and searching.cut.cause is Cause.SIZE and free and is_large:
            too_large, searching.cut, searching.most = searching.cut, None, searching.steps
        if searching.cut:
            break
    searching.reserve = 0
    searching.cut = searching.cut or _cannot_be_left_out(searching, free)
    return too_large


def _cannot_be_left_out(searching: _Searching, free: Collection[Name]) -> Reason | None:
    """Why a launch that took too many steps ended, if it is not larger than one that is covered, or they are many."""

    def sizes(case: Case) -> list[Number]:
        return [value for name, value in case.values if name in free]

    covered = [sizes(each.case) for each in searching.covered]
    for number, (case, why) in enumerate(searching.long):
        is_larger = any(all(map(le, smaller, sizes(case))) for smaller in covered)
        if not is_larger or number >= len(covered):
            return why
    return None


def _run_further(searching: _Searching, further: tuple[Case, ...]) -> None:
    """Runs launches until one of them takes too long, which then does not count unless nothing else does."""
    left = searching.steps - searching.steps // _SHARE_OF_FURTHER
    for case in further:
        trial = replace(searching, steps=searching.steps - left, covered=[])
        trial.case(case)
        searching.doubt, searching.spent = trial.doubt, trial.spent
        searching.steps = left + trial.steps
        if trial.cut is not None and trial.cut.cause is Cause.SIZE:
            continue
        if trial.cut:
            searching.cut = None if searching.covered else trial.cut
            return
        searching.covered += trial.covered


class _Ran(NamedTuple):
    """One setting that was run: what control, addresses and equal writes depend on, whether an `assume` excludes it.

    `cut`: why it was not run to its end, and where.
    """

    depends: frozenset[str]
    is_excluded: bool
    cut: Reason | None


class _Searching(Struct):
    """A search under way; `steps` are those that are left, `most` those that one run of a block may take.

    `share` is what is left once something is wrong; `spent` counts what was used.

    `reserve` are those that the launch under way must leave, `long` launches that took more, and what was said then.

    `cut`: why it could not go on; `doubt`: what was seen that may be an error or not. `mattered`: what a run of the
    launch under way depended on; two writes that are equal in one run may differ in another that depends on nothing.
    """

    kernel: Kernel
    machine: Machine
    variables: Variables
    steps: int
    blocks: Blocks = sampled
    found: dict[object, Found] = field(default_factory=dict)
    covered: list[Covered] = field(default_factory=list)
    cut: Reason | None = None
    doubt: Reason | None = None
    spent: int = 0
    reserve: int = 0
    long: list[tuple[Case, Reason | None]] = field(default_factory=list)
    most: int = 0
    share: int = 0
    mattered: frozenset[str] = NOTHING
    tried: list[Tried] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.most = self.steps
        self.share = self.steps // SHARE_AFTER_FAILURE

    @property
    def undecided(self) -> Reason | None:
        return self.doubt or self.cut

    @property
    def inputs(self) -> frozenset[str]:
        """The names of the arrays whose contents are chosen."""
        return frozenset(str(array.name) for array in filled_arrays(self.variables.later(self.kernel)))

    @property
    def may_be_long(self) -> bool:
        """Whether the launch under way took all its steps and nothing is wrong, while there are others."""
        by_steps = self.cut is not None and self.cut.cause is Cause.STEPS and process_time() < self.machine.until
        return by_steps and (self.reserve > 0 or bool(self.covered)) and not self.is_failing

    @property
    def is_failing(self) -> bool:
        return self.doubt is not None or any(each.is_error for each in self.found.values())

    def case(self, case: Case) -> None:
        """Runs one launch; of the steps after one that fails, or may, only a share is left."""
        was_failing = self.is_failing
        self._case(case)
        if self.is_failing and not was_failing:
            self.steps = self.most = min(self.steps, self.share)

    def _case(self, case: Case) -> None:
        """Runs the sampled blocks of one launch, with as many inputs and orders as matter."""
        ran: list[_Ran] = []
        self.mattered = depends = NOTHING
        inputs = self.inputs
        for kernel in self._kernels():
            for contents in self._chosen_inputs(kernel, case):
                before = self.steps
                ran.append(self.orders(Setting(case.grid, case.block, case.values, contents)))
                depends |= ran[-1].depends
                if self.doubt:
                    return
                if ran[-1].cut and not _counted(ran):
                    self.cut = ran[-1].cut
                    return
                if _counted(ran[-1:]):
                    self.most = min(self.most, _TIMES_FIRST * (before - self.steps) + _LEAST)
                # nothing that a run does came from these inputs: with any contents it does the same
                if not depends & inputs:
                    break
            if not depends & {str(array.name) for array in self.variables.changing}:
                break
        self.most = self.steps
        inputs &= depends
        if not ran:
            self.cut = Reason("no inputs were found that satisfy `requires`", None, Cause.INPUTS)
        elif _counted(ran):
            cut_short = sum(each.cut is not None for each in ran)
            self.covered.append(
                Covered(case, self.blocks(case.grid), _counted(ran), cut_short, frozenset(inputs), depends)
            )

    def _kernels(self) -> Iterator[Kernel]:
        """The kernel with what is filled when its program starts; then with what others may have written, too."""
        yield self.variables.at_start(self.kernel)
        if self.variables.changing:
            yield self.variables.later(self.kernel)

    def _chosen_inputs(self, kernel: Kernel, case: Case) -> Iterator[Contents]:
        values, program = dict(case.values), self.machine.program
        marks = thresholds(program)
        filled = {array.name for array in filled_arrays(kernel)}
        chosen = tuple(a for a in (*self.variables.open, *self.variables.changing) if a.name in filled)
        held = self.variables.held(values)
        for contents in chosen_inputs(kernel, values, marks, pinned(chosen, singled_out(program), marks)):
            yield (*((name, tuple(cells.tolist())) for name, cells in contents.items()), *held)

    def orders(self, setting: Setting) -> _Ran:
        """Runs a setting, in the other order of atomics too where that matters."""
        ran = self._blocks(setting)
        if ran.cut or self.doubt or ATOMIC_ORDER.isdisjoint(ran.depends):
            return ran
        also = self._blocks(replace(setting, order=Order.DESCENDING))
        return _Ran(ran.depends | also.depends, ran.is_excluded and also.is_excluded, also.cut)

    def _blocks(self, setting: Setting) -> _Ran:
        outcomes: list[RunOutcome] = []
        reached = most_reached(free_names(self.kernel), setting.values)
        for block in self.blocks(setting.grid):
            outcome = self.machine.run(setting, block, max(min(self.steps - self.reserve, self.most), 0), reached)
            self.steps -= outcome.steps
            self.spent += outcome.steps
            outcomes.append(outcome)
            if outcome.excluded or outcome.undecided:
                break
        depends = NOTHING.union(*(outcome.depends for outcome in outcomes))
        if outcomes[-1].excluded:
            return _Ran(depends, is_excluded=True, cut=None)
        between = Races()
        if prod(setting.grid) > 1:
            races_between([each.accesses for each in outcomes if each.accesses is not None], between)
        depends |= between.depends
        self.mattered |= depends
        found = (violation for outcome in outcomes for violation in outcome.violations)
        too_large = overflow(free_names(self.kernel), setting, found) or self._overflow(setting, outcomes, between)
        cut = too_large or outcomes[-1].undecided
        shows = frozenset[object]() if too_large else self._take(outcomes, between, (setting, depends))
        if cut is not None and cut.cause is Cause.SIZE and not shows:
            return _Ran(depends, is_excluded=False, cut=cut)
        unstated = frozenset(self._unstated(setting))
        control = {at: taint for at, taint in _control(outcomes, between).items() if at in shows}
        kept, all_blocks = self._kept(setting, depends), len(self.blocks(setting.grid)) == prod(setting.grid)
        is_idle = not any(_stores(outcome) for outcome in outcomes)
        self.tried.append(Tried(kept, shows, self.mattered, control, unstated, cut is None, all_blocks, is_idle))
        return _Ran(depends, is_excluded=False, cut=cut)

    def _overflow(self, setting: Setting, outcomes: Sequence[RunOutcome], between: Races) -> Reason | None:
        """Why a run with chosen sizes that shows something does not count: signed arithmetic overflows in it."""
        found = [each for outcome in outcomes for each in outcome.violations]
        shows = found or between.certain() or any(each.races.certain() for each in outcomes)
        if not shows or not may_overflow(free_names(self.kernel), setting, found):
            return None
        steps = [outcome.steps for outcome in outcomes]
        reached = most_reached(free_names(self.kernel), setting.values)
        place = self.machine.overflow(setting, zip(self.blocks(setting.grid), steps, strict=False), reached)
        self.steps -= sum(steps)
        self.spent += sum(steps)
        return None if place is None else Reason(OVERFLOWS, place, Cause.SIZE)

    def _unstated(self, setting: Setting) -> tuple[Name, ...]:
        """The variables that a run may need as they are there, and of which nobody said so."""
        return tuple(name for name in self.variables.chosen_in(setting.contents) if str(name) in self.mattered)

    def _kept(self, setting: Setting, depends: frozenset[str]) -> Setting:
        """The setting with what counts of its contents: integers that control or addresses depend on."""
        inputs = [pair for made in self.machine.program.objects for pair in made.inputs]
        whole = {name for name, scalar in inputs if scalar.is_integer and str(name) in depends}
        kept = tuple((name, cells) for name, cells in setting.contents if name in whole and len(cells) <= MOST_KEPT)
        return replace(setting, contents=kept)

    def _take(
        self, outcomes: list[RunOutcome], between: Races, where: tuple[Setting, frozenset[str]]
    ) -> frozenset[object]:
        """Enters what a run of the blocks of a setting shows; the errors among that by their keys."""
        races = [*(outcome.races for outcome in outcomes), between]
        found = [violation for outcome in outcomes for violation in outcome.violations]
        certain = [race for each in races for race in each.certain()]
        if not ATOMIC_ORDER.isdisjoint(where[1]) and distinguishes_blocks(self.machine.program):
            self._doubt(RETURNED, [race for race in certain if race.scope is CollisionScope.GRID])
            certain = [race for race in certain if race.scope is not CollisionScope.GRID]
        unstated = self._unstated(where[0])
        made = [Found(violation, *where, unstated) for violation in (*found, *certain)]
        for each in made:
            self._enter(each)
        self._doubt(FENCES, [race for each in races for race in each.doubtful()])
        return frozenset(key(each.violation) for each in made if each.is_error)

    def _doubt(self, reason: str, races: list[Race]) -> None:
        """Notes that the first of some races may be none for a reason, if that matters."""
        unequal = [race for race in races if not race.equal]
        if unequal and not self.doubt:
            self.doubt = Reason(reason, unequal[0].first.place, Cause.ATOMICS)

    def _enter(self, found: Found) -> None:
        """Keeps a violation unless one at its places is as bad."""
        at = key(found.violation)
        known = self.found.get(at)
        if known is None or weight(found) < weight(known):
            self.found.pop(at, None)
            self.found[at] = found


def _control(outcomes: Sequence[RunOutcome], between: Races) -> dict[object, Taint]:
    """What control had depended on when what blocks show came about, by its `key`: at the two accesses of a race."""
    found: dict[object, Taint] = {}

    def enter(violation: Violation, taint: Taint) -> None:
        found[key(violation)] = found.get(key(violation), NOTHING) | taint

    for outcome in outcomes:
        for violation, taint in zip(outcome.violations, outcome.claimed_under, strict=True):
            enter(violation, taint)
    for races in (*(outcome.races for outcome in outcomes), between):
        for race in races.certain():
            for outcome in outcomes:
                for place in (race.first.place, race.second.place):
                    enter(race, outcome.control_at.get(place, NOTHING))
    return found


def _stores(outcome: RunOutcome) -> bool:
    """Whether a block changed anything that other blocks, or the host, see."""
    entries = () if outcome.accesses is None else outcome.accesses.entries
    return any(access.kind is not AccessKind.READ for _, access in entries)


def _counted(ran: list[_Ran]) -> int:
    """How many runs say something."""
    return sum(not (each.is_excluded or each.cut) for each in ran)
