"""The state of one block while it runs: registers, memory, the log of accesses, what went wrong so far.

Invariants: a violation is kept once per key, the earliest; what comes of undefined values is not kept, since whatever
left them undefined was. Mutable; one `RunningBlock` runs many settings one after the other. Must not know instructions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from rewright.kernels.execution.arrays import ThreadFlags, ThreadNumbers
from rewright.kernels.execution.groups import Groups, Indices, LaneGroup, Value
from rewright.kernels.execution.log import Log, LoggedAccess, Scene
from rewright.kernels.execution.races import Races, close_interval
from rewright.kernels.execution.regions import Region
from rewright.kernels.execution.registers import Cell
from rewright.kernels.execution.taint import NOTHING, UNDEFINED, Taint, is_undefined
from rewright.kernels.execution.unset_reads import UnsetReads
from rewright.kernels.reasons import Cause, Reason
from rewright.model.simt.types import Coordinate
from rewright.model.simt.violation import Violation
from rewright.verdict import Place

MOST_ACCESSES = 1 << 23
"""Accesses of single lanes that are kept: within one barrier interval, and to global memory in the whole run. To look
for races among so many takes 0.5 s and 0.3 GB where none touches what another does, 6 s and 1.5 GB where all do."""

Positions = Mapping[tuple[Coordinate, int], Value]
"""Coordinates by what they are and the axis: values of the whole block, int64."""


class UndecidedRun(Exception):
    """The run cannot go on; says why, where, and of which sort that is."""

    def __init__(self, reason: str, place: Place | None, cause: Cause = Cause.CONSTRUCT) -> None:
        super().__init__(reason)
        self.reason = Reason(reason, place, cause)


class ExcludedRun(Exception):
    """An assumption does not hold in this run."""


class RunningBlock:
    """A block under way.

    `depends`: the inputs that control or an address was computed from, `control` those of control alone; `control_at`
    is what it was when a place was last accessed, `claimed_under` when a violation was claimed. `dropped`: something
    was not kept because it comes of undefined values.
    `misled`: the lanes whose control came from one, None if there are none; `muted`: they
    are running, and nothing of what they do is kept. `fences`: how many each lane ran, None if nobody asks. `kept`: the
    accesses to global memory, each with its interval. `spoiled`: the objects that a write was left out of, so that what
    is not written there says nothing. `known_unset`: the registers and lanes that are known not to be set. `reached`:
    the run stops at an access past so many bytes of an array of unknown size. `is_hollow`: something without a value
    was read from memory. `unset_reads`: the reads that found no value.
    """

    __slots__ = (
        "cells",
        "claimed_under",
        "control",
        "control_at",
        "depends",
        "dropped",
        "fences",
        "groups",
        "is_hollow",
        "kept",
        "kept_accesses",
        "known_unset",
        "log",
        "misled",
        "muted",
        "positions",
        "races",
        "reached",
        "regions",
        "scene",
        "spoiled",
        "unset_reads",
        "violations",
    )

    def __init__(self, cells: tuple[Cell, ...]) -> None:
        self.cells = cells

    def start(self, scene: Scene, groups: Groups, positions: Positions) -> None:
        """Begins with a block that has no memory yet and of which nothing has run."""
        self.scene, self.groups, self.positions = scene, groups, positions
        self.regions: list[Region] = []
        self.log, self.races = Log(np.zeros(groups.whole.count, np.bool_)), Races()
        self.violations: dict[object, Violation] = {}
        self.depends: set[str] = set()
        self.control: Taint = NOTHING
        self.control_at: dict[Place, Taint] = {}
        self.claimed_under: dict[object, Taint] = {}
        self.muted = self.dropped = self.is_hollow = False
        self.reached = 0
        self.misled: ThreadFlags | None = None
        self.spoiled: set[int] = set()
        self.unset_reads = UnsetReads(self._drop)
        self.known_unset: set[tuple[int, int]] = set()
        self.fences: ThreadNumbers | None = None
        self.kept: list[tuple[int, LoggedAccess]] = []
        self.kept_accesses = 0
        for cell in self.cells:
            cell.clear(groups.whole.count)

    def record(self, entry: LoggedAccess) -> None:
        """Logs an access of the current interval. Raises `UndecidedRun` when there are too many."""
        if self.muted:
            return
        self.log.record(entry)
        self.control_at[entry.place] = self.control
        if self.kept_accesses > MOST_ACCESSES:
            raise UndecidedRun(f"more than {MOST_ACCESSES} accesses to global memory", entry.place, Cause.SIZE)
        if self.log.accesses > MOST_ACCESSES:
            raise UndecidedRun(f"more than {MOST_ACCESSES} accesses between two barriers", entry.place, Cause.SIZE)

    def close_interval(self) -> None:
        """Finds the races of the interval, and starts the next one."""
        objects = self.scene.objects
        for entry in self.log.entries:
            if objects[entry.object].is_global:
                self.kept.append((self.log.interval, entry))
                self.kept_accesses += len(entry.lanes)
        close_interval(self.log, self.scene, self.races)
        for region in self.regions:
            region.settle()

    def claim(self, key: object, violation: Callable[[], Violation], taint: Taint = NOTHING) -> None:
        """Keeps a violation unless one with this key is known, or it was computed from undefined values."""
        if self.muted or is_undefined(taint):
            self.dropped = True
        elif key not in self.violations:
            self.violations[key] = violation()
            self.claimed_under[key] = self.control

    def _drop(self, at: int) -> None:
        """Notes that something depends on what has no value for a reason that is reported elsewhere."""
        self.dropped = True

    def forget_reads(self) -> None:
        """Forgets the reads that found no value of which nothing is left; between two instructions."""
        if self.unset_reads.many:
            left = (region.left for region in self.regions)
            self.unset_reads.keep(each for each in (*(cell.whys for cell in self.cells), *left) if each is not None)

    def decide(self, taint: Taint, group: LaneGroup) -> None:
        """Control of a group depends on a value with this taint."""
        self.depends |= taint
        if not taint <= self.control:
            self.control |= taint
        if is_undefined(taint):
            self.mislead(group)
            self.muted = True

    def mislead(self, group: LaneGroup) -> None:
        """Control of a group depends on undefined values: where its lanes are from now on says nothing."""
        self.dropped = True
        if self.misled is None:
            self.misled = np.zeros(self.groups.whole.count, np.bool_)
        self.misled[group.lanes] = True

    def is_misled(self, lanes: Indices) -> bool:
        """Whether any of some lanes is where undefined values led it."""
        return self.misled is not None and bool(self.misled[lanes].any())

    @property
    def absences(self) -> Taint:
        """What follows from that somebody did not do something: nothing, where some lanes are misled."""
        return NOTHING if self.misled is None else UNDEFINED
