"""Does a program do the operations of a nest, in an order that keeps every dependence, at one choice of sizes?

Algorithm A of PolyCheck (sections 3 and 4). The shadow of a cell is one word: the number of the operation of the
specification that wrote it last. The next one due at a cell is the one that writes it next in the specification. It
must be the same statement, read the same elements, and get each from the same writer. At the end nothing may be due.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from rewright.loops.programs.closures import built
from rewright.loops.programs.machine import Cell, ProgramMachine, Reads, Stopped
from rewright.loops.programs.nests import as_program
from rewright.loops.programs.recursion import room_for_calls
from rewright.model.index import Name
from rewright.model.nest import Nest
from rewright.model.nest_program import NestProgram


class Specified(Struct):
    """The operations of a specification at one choice of sizes, by number, and what is due at each cell."""

    signatures: list[str] = field(default_factory=list)
    reads: list[Reads] = field(default_factory=list)
    sources: list[tuple[int, ...]] = field(default_factory=list)
    first: dict[Cell, int] = field(default_factory=dict)
    following: list[int] = field(default_factory=list)
    last: dict[Cell, int] = field(default_factory=dict)

    def perform(self, signature: str, cell: Cell, reads: Reads) -> None:
        """Notes the next operation."""
        number, last = len(self.signatures), self.last
        self.signatures.append(signature)
        self.reads.append(reads)
        self.sources.append(tuple([last.get(each, -1) for each in reads if type(each) is tuple]))
        self.following.append(-1)
        before = last.get(cell, -1)
        if before < 0:
            self.first[cell] = number
        else:
            self.following[before] = number
        last[cell] = number


class Differs(Exception):
    """The program does what is not due."""


class Shadow(Struct):
    """The shadow memory of a program while it runs."""

    due: Specified
    ranks: Mapping[str | int, int]
    cells: dict[Cell, int] = field(default_factory=dict)
    executed: int = 0

    def perform(self, signature: str, cell: Cell, reads: Reads) -> None:
        """Checks the next operation. Raises `Differs`, or `Stopped` if its subscripts are none of the arrays."""
        due, cells = self.due, self.cells
        current = cells.get(cell, -1)
        number = due.first.get(cell, -1) if current < 0 else due.following[current]
        if number < 0 or signature != due.signatures[number] or reads != due.reads[number]:
            raise self._differing(cell, *reads)
        place = 0
        sources = due.sources[number]
        for each in reads:
            if type(each) is tuple:
                if cells.get(each, -1) != sources[place]:
                    raise Differs
                place += 1
        cells[cell] = number
        self.executed += 1

    def _differing(self, *accessed: Cell | int) -> Exception:
        for each in accessed:
            if type(each) is tuple and len(each) != 1 + self.ranks[each[0]]:
                return Stopped(f"`{each[0]}` has {self.ranks[each[0]]} subscripts, not {len(each) - 1}", 0)
        return Differs()


class ProgramRun(Struct, frozen=True):
    """What a run of the program shows: whether it does what is due, how many operations, and which sites ran."""

    is_right: bool
    operations: int
    ran: frozenset[int]


def specified(nest: Nest, values: Mapping[Name, int], steps: int) -> Specified:
    """The operations of a nest. Raises `Stopped`."""
    found = Specified()
    machine = ProgramMachine(found.perform, steps)
    built(as_program(nest), machine, dict(values), tuple(each.name for each in nest.arrays))()
    return found


def checked(program: NestProgram, nest: Nest, due: Specified, values: Mapping[Name, int], steps: int) -> ProgramRun:
    """What a run of a program of the nest whose operations are `due` shows. Raises `Stopped`."""
    shadow = Shadow(due, {each.name: len(each.sizes) for each in nest.arrays})
    machine = ProgramMachine(shadow.perform, steps)
    run = built(program, machine, dict(values), tuple(each.name for each in nest.arrays))
    try:
        with room_for_calls():
            run()
    except Differs:
        return ProgramRun(is_right=False, operations=shadow.executed, ran=frozenset(machine.ran))
    is_right = shadow.executed == len(due.signatures)
    return ProgramRun(is_right=is_right, operations=shadow.executed, ran=frozenset(machine.ran))
