"""A program laid out for execution: pieces of straight code, with the instruction of control after each.

A branch on inputs whose ways only write registers gives these registers what its condition comes from; control does
not depend on it, since the ways meet again and nothing shows who took which (unless a variable may be unset). Must
not know who waits where.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from rewright.kernels.execution.assignment import Unsure, unsure
from rewright.kernels.execution.decode import Step, decoded
from rewright.kernels.execution.flow import Diamond, diamonds, leaders
from rewright.kernels.execution.groups import LaneGroup
from rewright.kernels.execution.holes import careful
from rewright.kernels.execution.registers import Cell
from rewright.kernels.execution.sources import RegisterSources
from rewright.kernels.execution.taint import NOTHING, Taint
from rewright.model.simt.instructions import Forget, Instruction, results
from rewright.model.simt.program import Program


class Piece(NamedTuple):
    """Steps one after the other; at `end` stands an instruction of control, or another piece begins."""

    steps: tuple[Step, ...]
    end: int
    is_followed: bool


class Ways:
    """The registers that the two ways of a branch write, and what the conditions so far came from."""

    __slots__ = ("cells", "taint")

    def __init__(self, cells: tuple[Cell, ...]) -> None:
        self.cells = cells
        self.taint: Taint = NOTHING

    def enter(self, taint: Taint) -> None:
        """Threads part on a condition that comes from these inputs."""
        self.taint |= taint
        for cell in self.cells:
            cell.add_taint(taint)


class CodeLayout(NamedTuple):
    """The pieces by the place at which they begin, and the ways of branches that only write registers.

    `careful`: what runs instructions, by identity, in place of their steps once they come to read what has no value.
    """

    pieces: dict[int, Piece]
    ways: dict[int, Ways]
    careful: dict[int, Step]


def laid_out(program: Program, sources: RegisterSources) -> CodeLayout:
    """A program's code as pieces."""
    code = program.code
    doubts = unsure(program)
    found = _harmless(diamonds(code), doubts)
    ways = {at: Ways(tuple(sources.block.cells[n] for n in diamond.written)) for at, diamond in found.items()}
    around = _around(found, ways)
    doubtful = frozenset[int]().union(*doubts.values())
    plain = [decoded(_needed(instruction, doubtful), sources) for instruction in code]
    steps = [_step(code[at], step, sources, around.get(at, ())) for at, step in enumerate(plain)]
    slow = {
        id(instruction): _slow(instruction, step, sources, around.get(at, ()))
        for at, (instruction, step) in enumerate(zip(code, plain, strict=True))
        if step is not None
    }
    starts = leaders(code)
    return CodeLayout({at: _piece(steps, starts, at) for at in starts if at < len(code)}, ways, slow)


def _harmless(found: dict[int, Diamond], doubts: Unsure) -> dict[int, Diamond]:
    """Those whose ways do not matter to whether a variable is read before it was set."""
    doubtful = frozenset[int]().union(*doubts.values())
    return {
        at: diamond
        for at, diamond in found.items()
        if doubtful.isdisjoint(diamond.written) and not any(inside in doubts for inside in diamond.inside)
    }


def _around(found: dict[int, Diamond], ways: dict[int, Ways]) -> dict[int, tuple[Ways, ...]]:
    """Which branches each instruction lies between the ways of."""
    around: dict[int, tuple[Ways, ...]] = {}
    for at, diamond in found.items():
        for inside in diamond.inside:
            around[inside] = (*around.get(inside, ()), ways[at])
    return around


def _needed(instruction: Instruction, doubtful: frozenset[int]) -> Instruction:
    """A declaration without a value matters only to registers that may be read before they are set."""
    if isinstance(instruction, Forget):
        return replace(instruction, registers=tuple(r for r in instruction.registers if r.number in doubtful))
    return instruction


def _step(
    instruction: Instruction, plain: Step | None, sources: RegisterSources, around: tuple[Ways, ...]
) -> Step | None:
    if plain is None or not around:
        return plain
    written = tuple(sources.cell(register) for register in results(instruction))

    def step(group: LaneGroup) -> None:
        plain(group)
        for ways in around:
            if ways.taint:
                for cell in written:
                    cell.taint |= ways.taint

    return step


def _slow(instruction: Instruction, plain: Step, sources: RegisterSources, around: tuple[Ways, ...]) -> Step:
    """What runs an instruction of which some lanes read what has no value."""
    passing_on = careful(instruction, plain, sources)
    if not around:
        return passing_on
    written = tuple(sources.cell(register) for register in results(instruction))

    def step(group: LaneGroup) -> None:
        passing_on(group)
        for ways in around:
            for cell in written:
                cell.add_taint(ways.taint)

    return step


def _piece(steps: list[Step | None], starts: frozenset[int], at: int) -> Piece:
    straight: list[Step] = []
    while at < len(steps):
        step = steps[at]
        if step is None:
            return Piece(tuple(straight), at, is_followed=False)
        straight.append(step)
        at += 1
        if at in starts:
            break
    return Piece(tuple(straight), at, is_followed=True)
