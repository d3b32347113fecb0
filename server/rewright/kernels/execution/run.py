"""Runs blocks of a program: the entry to execution.

A `Machine` is a program made ready once; it runs one block of one setting at a time, and keeps nothing between two runs
but the contents of inputs in the form of memory. Must not know how settings are chosen, or how an outcome is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from rewright.kernels.execution.block import ExcludedRun, RunningBlock, UndecidedRun
from rewright.kernels.execution.flow import unread, written_objects
from rewright.kernels.execution.layout import laid_out
from rewright.kernels.execution.lockstep import Lockstep
from rewright.kernels.execution.pages import MOST_REACHED
from rewright.kernels.execution.prepare import InitialMemory, prepare
from rewright.kernels.execution.races import Footprint, Races
from rewright.kernels.execution.schedule import Schedule
from rewright.kernels.execution.sources import RegisterSources, cells_of
from rewright.kernels.execution.taint import NOTHING, UNDEFINED, Taint
from rewright.kernels.reasons import Reason
from rewright.model.simt.instructions import Atomic, Fence
from rewright.model.simt.program import Program
from rewright.model.simt.violation import Setting, Triple, Violation
from rewright.verdict import Place


class RunOutcome(Struct, frozen=True):
    """What one run of a block showed.

    `violations` in the order in which they came about, races aside, which are in `races`. `depends` is what control, an
    address or equal values of a race were computed from: inputs and the other sources of `taint`. `excluded`: an
    `assume` failed, the run says nothing. `undecided`: why the run could not go on, and where. `dropped`: something was
    left out that came of undefined values. `accesses` to global memory are for `races_between`. `steps` counts
    instructions executed by groups. `claimed_under`: what control had been computed from when each violation came
    about, `control_at` when each place was last accessed.
    """

    violations: tuple[Violation, ...]
    races: Races
    depends: Taint
    steps: int
    excluded: bool
    undecided: Reason | None
    dropped: bool
    accesses: Footprint | None
    claimed_under: tuple[Taint, ...] = ()
    control_at: Mapping[Place, Taint] = field(default_factory=dict)


class Machine:
    """A program made ready to run."""

    def __init__(self, program: Program, until: float = math.inf) -> None:
        """Makes a program ready; runs end when the process has used the processor `until` a time, in seconds."""
        self.program = program
        self.until = until
        self._block = RunningBlock(cells_of(program))
        self._sources = RegisterSources(self._block, program.names, unread(program))
        with np.errstate(all="ignore"):
            self._layout = laid_out(program, self._sources)
        self._inputs = InitialMemory(written_objects(program))
        kinds = {type(instruction) for instruction in program.code}
        self._watches_fences = {Fence, Atomic} <= kinds

    def overflow(self, setting: Setting, blocks: Iterable[tuple[Triple, int]], reached: int) -> Place | None:
        """Where signed arithmetic first overflows in blocks, each run with at most so many steps; None if nowhere."""
        noted: list[Place] = []
        usual = self._sources, self._layout
        self._sources = replace(self._sources, overflowed=noted)
        self._layout = laid_out(self.program, self._sources)
        try:
            for block, steps in blocks:
                self.run(setting, block, steps, reached)
                if noted:
                    return noted[0]
        finally:
            self._sources, self._layout = usual
        return None

    def run(self, setting: Setting, block: Triple, steps: int, reached: int = MOST_REACHED) -> RunOutcome:
        """Runs one block, by its index in the grid, with at most so many steps.

        It cannot go on once it accesses an array of unknown size past so many bytes.
        """
        with np.errstate(all="ignore"):
            try:
                prepare(self._block, self.program, self._inputs, (setting, block))
                self._block.reached = reached
            except UndecidedRun as stop:
                return RunOutcome(
                    (), Races(), NOTHING, 0, excluded=False, undecided=stop.reason, dropped=False, accesses=None
                )
            return self._outcome(steps)

    def _outcome(self, steps: int) -> RunOutcome:
        block = self._block
        for ways in self._layout.ways.values():
            ways.taint = NOTHING
        if self._watches_fences:
            block.fences = np.zeros(block.groups.whole.count, np.intp)
        run = Lockstep(Schedule(block, self.program), self._layout, self._sources, steps, self.until)
        undecided, excluded = None, False
        try:
            run.run()
        except UndecidedRun as stop:
            undecided = stop.reason
        except ExcludedRun:
            excluded = True
        if excluded:
            depends = frozenset(block.depends - UNDEFINED)
            return RunOutcome(
                (), Races(), depends, run.steps, excluded=True, undecided=None, dropped=False, accesses=None
            )
        block.close_interval()
        assert block.violations or not block.dropped, "what is left out follows from something that is reported"
        depends = frozenset((block.depends | block.races.depends) - UNDEFINED)
        violations, accesses = tuple(block.violations.values()), Footprint(block.scene, tuple(block.kept))
        return RunOutcome(
            violations,
            block.races,
            depends,
            run.steps,
            excluded=False,
            undecided=undecided,
            dropped=block.dropped,
            accesses=accesses,
            claimed_under=tuple(block.claimed_under.values()),
            control_at=block.control_at,
        )


def run(program: Program, setting: Setting, block: Triple, steps: int) -> RunOutcome:
    """Runs one block of a program once; who runs several makes a `Machine`."""
    return Machine(program).run(setting, block, steps)
