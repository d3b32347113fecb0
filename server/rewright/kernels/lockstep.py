"""Lockstep execution: all threads of a block at once, the group with the smallest program counter first.

One schedule is enough: if it finds no race and every barrier is reached by all threads, every schedule computes the
same (the confluence lemma of "Equivalence Checking of ML GPU Kernels", section 4). A group runs in straight line until
its lanes disagree at a branch, until it catches up with another group, until a barrier or the end. Must not know how a
violation is shown or replayed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, assert_never

import numpy as np

from rewright.kernels import lanes, memory
from rewright.kernels.block import Block, Undecided
from rewright.kernels.code import Branch, Instruction, Jump, layout
from rewright.kernels.evaluate import CONTROL, evaluate
from rewright.kernels.lanes import Group, Lanes
from rewright.kernels.prepare import prepare
from rewright.kernels.races import close_interval
from rewright.model.body import Assert, Assign, Assume, Barrier, Body, Return, Store
from rewright.model.violation import Divergence, FailedAssertion, Setting, Violation, Wait
from rewright.verdict import Place


class Outcome(NamedTuple):
    """What one run showed.

    `violations` in the order in which they came about. `undecided` is set when the run could not go on, with the place
    where it stopped. `excluded` holds when an `assume` failed: the run says nothing. `depends` are the inputs that
    control or an address was computed from. `steps` counts executed instructions of groups.
    """

    violations: tuple[Violation, ...]
    undecided: tuple[str, Place | None] | None
    excluded: bool
    depends: frozenset[str]
    steps: int


def run(program: Body, setting: Setting, steps: int) -> Outcome:
    """Runs one block of a launch with at most so many steps."""
    with np.errstate(all="ignore"):
        try:
            block = prepare(program, setting)
        except Undecided as stop:
            return Outcome((), (stop.reason, stop.place), False, frozenset(), 0)
        return _Run(block, layout(program.body), steps).outcome()


class _Excluded(Exception):
    """An assumption does not hold in this run."""


@dataclass(slots=True)
class _Run:
    """The scheduler: which lanes are where. `ready` and `waiting` map an instruction's number to its lanes."""

    block: Block
    code: tuple[Instruction, ...]
    budget: int
    ready: dict[int, Group] = field(default_factory=lambda: {0: None})
    waiting: dict[int, Group] = field(default_factory=dict)
    exited: list[Group] = field(default_factory=list)
    steps: int = 0

    def outcome(self) -> Outcome:
        undecided, excluded = None, False
        try:
            self._until_done()
        except Undecided as stop:
            undecided = (stop.reason, stop.place)
        except _Excluded:
            excluded = True
        block = self.block
        close_interval(block)
        violations = () if excluded else tuple(block.violations.values())
        return Outcome(violations, undecided, excluded, frozenset(block.depends), self.steps)

    def _until_done(self) -> None:
        while True:
            while self.ready:
                pc = min(self.ready)
                group = self.ready.pop(pc)
                self._advance(pc, group, min(self.ready, default=len(self.code)))
            if not self.waiting:
                return
            if len(self.waiting) > 1 or self.exited:
                self._claim_divergence()
                return
            ((pc, group),) = self.waiting.items()
            close_interval(self.block)
            self.waiting = {}
            self.ready = {pc + 1: group}

    def _advance(self, pc: int, group: Group, limit: int) -> None:
        """Runs a group until it catches up with another one, splits, waits or ends."""
        while pc < limit:
            self.steps += 1
            instruction = self.code[pc]
            match instruction:
                case Assign():
                    _assign(self.block, instruction, group)
                    pc += 1
                case Store():
                    _store(self.block, instruction, group)
                    pc += 1
                case Branch():
                    targets = _branch(self.block, instruction, pc, group)
                    if len(targets) != 1:
                        for target, part in targets:
                            self._arrive(self.ready, target, part)
                        return
                    pc = targets[0][0]
                case Jump():
                    pc = instruction.target
                case Barrier():
                    self._arrive(self.waiting, pc, group)
                    return
                case Return():
                    self.exited.append(group)
                    return
                case Assert() | Assume():
                    _test(self.block, instruction, group)
                    pc += 1
                case _:
                    assert_never(instruction)
            if self.steps >= self.budget:
                raise Undecided(f"more than {self.budget} steps", None)
        if pc == len(self.code):
            self.exited.append(group)
        else:
            self._arrive(self.ready, pc, group)

    def _arrive(self, at: dict[int, Group], pc: int, group: Group) -> None:
        if pc == len(self.code):
            self.exited.append(group)
        elif pc not in at or group is None:
            at[pc] = group
        else:
            merged = np.sort(np.concatenate([self.block.lane_numbers(at[pc]), group]))
            at[pc] = None if len(merged) == self.block.lanes else merged

    def _claim_divergence(self) -> None:
        """One claim: the lanes at the first barrier against others, waiting elsewhere or gone."""
        (pc, group), *others = sorted(self.waiting.items())
        thread = self.block.thread(int(self.block.lane_numbers(group)[0]))
        if others:
            other_pc, other = others[0]
            missing = Wait(self.block.thread(int(self.block.lane_numbers(other)[0])), self._barrier(other_pc))
        else:
            gone = min(int(self.block.lane_numbers(group)[0]) for group in self.exited)
            missing = Wait(self.block.thread(gone), None)
        waits = Wait(thread, self._barrier(pc))
        self.block.claim((Divergence, waits.place), Divergence(self.block.interval, waits, missing))

    def _barrier(self, pc: int) -> Place:
        instruction = self.code[pc]
        assert isinstance(instruction, Barrier)
        return instruction.place


def _assign(block: Block, instruction: Assign, group: Group) -> None:
    value = evaluate(block, instruction.value, group)
    old = block.variables.get(instruction.name)
    block.variables[instruction.name] = lanes.merge(old, group, value, block.lanes)


def _store(block: Block, instruction: Store, group: Group) -> None:
    indices = [evaluate(block, index, group) for index in instruction.indices]
    value = evaluate(block, instruction.value, group)
    request = memory.Request(block.regions[instruction.array], group, indices, instruction.place)
    memory.store(block, request, value)


def _branch(block: Block, instruction: Branch, pc: int, group: Group) -> list[tuple[int, Group]]:
    """Where the lanes go on; those that cannot tell skip both ways if nothing but variables depends on it."""
    condition = evaluate(block, instruction.condition, group)
    if condition is None or condition.known is not None:
        return _branch_unknown(block, instruction, pc, (group, condition))
    block.depends |= condition.sources
    if condition.data.all():
        return [(pc + 1, group)]
    if not condition.data.any():
        return [(instruction.otherwise, group)]
    numbers = block.lane_numbers(group)
    return [(pc + 1, numbers[condition.data]), (instruction.otherwise, numbers[~condition.data])]


def _branch_unknown(
    block: Block, instruction: Branch, pc: int, where: tuple[Group, Lanes | None]
) -> list[tuple[int, Group]]:
    group, condition = where
    if instruction.forgets is None:
        raise Undecided(CONTROL, instruction.place)
    if condition is None:
        _forget(block, instruction, group)
        return [(instruction.join, group)]
    assert condition.known is not None
    numbers = block.lane_numbers(group)
    known = lanes.spread(condition.known, len(numbers))
    data = lanes.spread(condition.data, len(numbers))
    _forget(block, instruction, numbers[~known])
    ways = ((pc + 1, data & known), (instruction.otherwise, ~data & known), (instruction.join, ~known))
    return [(target, numbers[mask]) for target, mask in ways if mask.any()]


def _forget(block: Block, instruction: Branch, group: Group) -> None:
    for name in instruction.forgets or ():
        block.variables[name] = lanes.merge(block.variables.get(name), group, None, block.lanes)


def _test(block: Block, instruction: Assert | Assume, group: Group) -> None:
    condition = evaluate(block, instruction.condition, group)
    if condition is None or condition.known is not None:
        raise Undecided(CONTROL, instruction.condition.place)
    block.depends |= condition.sources
    if condition.data.all():
        return
    if isinstance(instruction, Assume):
        raise _Excluded
    numbers = block.lane_numbers(group)
    culprit = int(numbers[np.flatnonzero(~lanes.spread(condition.data, len(numbers)))[0]])
    claim = FailedAssertion(block.interval, block.thread(culprit), instruction.place)
    block.claim((FailedAssertion, instruction.place), claim)
