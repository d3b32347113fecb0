"""Lockstep execution: all threads of a block at once, the group with the smallest place in the code first.

One schedule is enough: if it finds no race and every barrier is reached by all threads, every schedule computes the
same (Lemma 1, confluence, of "Equivalence Checking of ML GPU Kernels", section 4.3). A group runs in straight line
until its lanes disagree at a branch, until it catches up with another group, until it has to wait or ends. Must not
know how memory is laid out, or how a violation is shown.
"""

from __future__ import annotations

import math
from time import process_time

import numpy as np

from rewright.kernels.execution import barriers, endless, numbers
from rewright.kernels.execution.block import UndecidedRun
from rewright.kernels.execution.decode import Step
from rewright.kernels.execution.groups import LaneGroup
from rewright.kernels.execution.layout import CodeLayout
from rewright.kernels.execution.meetings import end, meet
from rewright.kernels.execution.regions import Array
from rewright.kernels.execution.registers import Cell
from rewright.kernels.execution.schedule import PARKED, Schedule
from rewright.kernels.execution.sources import MissingValue, RegisterSources
from rewright.kernels.execution.taint import union
from rewright.kernels.reasons import Cause
from rewright.model.simt.instructions import Barrier, Branch, Exit, Jump, Shuffle, Vote, WarpBarrier

STEPS_BETWEEN_LOOKS = 256
"""Steps between two looks at the processor time, each of which takes about as long as a step."""

OUT_OF_TIME = "the kernel's processor time is used up"


class Lockstep:
    """A run under way. `steps` counts instructions, once for each group that executes one.

    It ends with `budget` steps, or when the process has used the processor `until` a time, in seconds.
    """

    __slots__ = ("_endless", "_look", "budget", "layout", "schedule", "sources", "steps", "until")

    def __init__(
        self, schedule: Schedule, layout: CodeLayout, sources: RegisterSources, budget: int, until: float = math.inf
    ) -> None:
        self.schedule, self.layout, self.sources, self.budget = schedule, layout, sources, budget
        self.until = until
        self._endless = endless.Endless(schedule)
        self.steps = self._look = 0

    def run(self) -> None:
        """Runs until nobody can go on. Raises `UndecidedRun` and `Excluded`."""
        while (found := self.schedule.take()) is not None:
            at = self._advance(*found)
            if at != PARKED:
                self.schedule.arrive(at, found[1])
        self.schedule.claim_standstill()

    def _advance(self, at: int, group: LaneGroup) -> int:
        """Runs a group until it comes to a place that is not before those of all others."""
        schedule, pieces, size = self.schedule, self.layout.pieces, len(self.schedule.code)
        ready = schedule.misled if schedule.block.muted else schedule.ready
        limit = min(ready) if ready else size
        while at < limit:
            steps, tail, is_followed = pieces[at]
            self.steps += len(steps) + 1
            if self.steps > self.budget:
                spent = f"more than {self.budget} steps" if self.budget else "no steps are left"
                raise UndecidedRun(spent, self.schedule.code[at].place, Cause.STEPS)
            if self.steps >= self._look:
                self._look_at_the_time(at)
            self._run(steps, group)
            start, at = at, tail if is_followed else self._control(tail, group)
            if at == PARKED:
                return PARKED
            if at <= start and self.steps > endless.STEPS:
                self._endless.look(at, tail, group)
        if at == size:
            self._end(at, group)
            return PARKED
        return at

    def _run(self, steps: tuple[Step, ...], group: LaneGroup) -> None:
        """Runs straight code; where an instruction comes to read what has no value, another way of running it."""
        running = iter(steps)
        while True:
            try:
                for step in running:
                    step(group)
            except MissingValue as found:
                self.layout.careful[id(found.instruction)](group)
            else:
                return

    def _end(self, at: int, group: LaneGroup) -> None:
        end(self.schedule, self.sources, group)
        opened = self.schedule.end(at, group)
        if opened is not None:
            self._open(*opened)

    def _look_at_the_time(self, at: int) -> None:
        self._look = self.steps + STEPS_BETWEEN_LOOKS
        self.schedule.block.forget_reads()
        if process_time() > self.until:
            raise UndecidedRun(OUT_OF_TIME, self.schedule.code[at].place, Cause.STEPS)

    def _control(self, at: int, group: LaneGroup) -> int:
        instruction = self.schedule.code[at]
        match instruction:
            case Branch():
                return self._branch(instruction, at, group)
            case Jump():
                return instruction.target
            case Barrier():
                return self._barrier(instruction, at, group)
            case WarpBarrier() | Shuffle() | Vote():
                return meet(self.schedule, self.sources, at, group)
            case Exit():
                self._end(at, group)
                return PARKED
            case _:
                raise AssertionError(instruction)

    def _branch(self, instruction: Branch, at: int, group: LaneGroup) -> int:
        block, condition = self.schedule.block, self.sources.of(instruction.condition)
        truth = condition.value
        if condition.group is not group:
            missing = condition.holes(group)
            if missing is not None:
                self._mislead(instruction, at, group, missing)
                return PARKED
            truth = condition.fetch(group, self.sources.report(instruction.place))
        if condition.taint:
            ways = self.layout.ways.get(at)
            if ways is None:
                block.decide(condition.taint, group)
            else:
                ways.enter(condition.taint)
                if block.is_hollow:
                    block.depends |= condition.taint
        if not isinstance(truth, np.ndarray):
            return at + 1 if truth else instruction.otherwise
        holds = np.count_nonzero(truth)
        if holds == group.count:
            return at + 1
        if not holds:
            return instruction.otherwise
        self.schedule.arrive(at + 1, block.groups.of(group.lanes[truth]))
        self.schedule.arrive(instruction.otherwise, block.groups.of(group.lanes[~truth]))
        return PARKED

    def _mislead(self, instruction: Branch, at: int, group: LaneGroup, missing: Array) -> None:
        """Those without a value for the condition go one of the ways, the others their own."""
        block, condition = self.schedule.block, self.sources.of(instruction.condition)
        assert isinstance(condition, Cell)
        lost, others = group.lanes[missing], group.lanes[~missing]
        self.sources.report(instruction.place)(condition, lost)
        misled = block.groups.of(lost)
        block.mislead(misled)
        for cell in block.cells:
            cell.settle(misled)
        self.schedule.arrive(instruction.otherwise, misled)
        if len(others):
            rest = block.groups.of(others)
            after = self._branch(instruction, at, rest)
            if after != PARKED:
                self.schedule.arrive(after, rest)

    def _barrier(self, instruction: Barrier, at: int, group: LaneGroup) -> int:
        if instruction.operand is not None:
            operand = self.sources.of(instruction.operand)
            operand.fetch(group, self.sources.report(instruction.place))
        everybody = self.schedule.await_block(at, group)
        if everybody is not None:
            self._open(at, everybody)
        return PARKED

    def _open(self, at: int, everybody: LaneGroup) -> None:
        """Lets those go on that pass a barrier of the block together."""
        block, instruction = self.schedule.block, self.schedule.code[at]
        assert isinstance(instruction, Barrier)
        if instruction.vote is not None and instruction.operand is not None and instruction.result is not None:
            operand = self.sources.of(instruction.operand)
            truths = everybody.spread(operand.seen(everybody))
            value = numbers.constant(barriers.vote(instruction.vote, truths), instruction.result.type)
            taint = union(operand.taint, block.absences)
            self.sources.cell(instruction.result).write(everybody, value, taint)
        block.close_interval()
        self.schedule.arrive(at + 1, everybody)
