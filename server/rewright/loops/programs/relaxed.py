"""Does a program do the operations of a nest where the user allows more than keeping every order?

Each value has a number: that of how it was computed, so equal numbers are equal values. One that statements combine in
any order is that of the bag of what they combined. Both runs must execute the same operations on the same values, and
write the same values in the same order to each element that is not private.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from msgspec import Struct, field

from rewright.loops.programs.closures import built
from rewright.loops.programs.machine import Cell, ProgramMachine, Reads, Stopped
from rewright.loops.programs.nests import as_program
from rewright.loops.programs.recursion import room_for_calls
from rewright.model.index import Name
from rewright.model.nest import Nest, Relaxations, combining_operator, statements
from rewright.model.nest_program import NestProgram

Combining = Mapping[tuple[str, str | int], str]
"""By signature and array, the operator of the statements that combine values in any order."""


def combining_statements(nest: Nest, relaxed: Relaxations) -> Combining | str:
    """The statements of a nest that may combine values in any order, or why a program cannot tell them from others."""
    found: dict[tuple[str, str | int], str] = {}
    for each in statements(nest.body):
        operator = combining_operator(each)
        if each.label in relaxed.reductions and operator is not None and each.write.array is not None:
            found[each.signature, each.write.array] = "+" if operator == "-" else operator
    for each in statements(nest.body):
        if each.label not in relaxed.reductions and (each.signature, each.write.array or "") in found:
            return f"a statement is like one that `reduction` names, and is not named: `{each.label or each.signature}`"
    return found


class ValueNumbers(Struct):
    """A number for each way in which a value was computed."""

    known: dict[object, int] = field(default_factory=dict)

    def of(self, computed: object) -> int:
        """The number of a value."""
        return self.known.setdefault(computed, len(self.known))


class _Held(Struct):
    """What an element holds: a value, and what was combined into it since by an operator."""

    base: int
    operator: str = ""
    terms: Counter[int] = field(default_factory=Counter)


class ValueRun(Struct):
    """A run: how often each operation was executed, and the values that were written to each element in order."""

    numbers: ValueNumbers
    private: frozenset[str | int]
    combining: Combining
    ranks: Mapping[str | int, int]
    held: dict[Cell, _Held] = field(default_factory=dict)
    executed: Counter[int] = field(default_factory=Counter)
    written: dict[Cell, list[int]] = field(default_factory=lambda: defaultdict(list))
    count: int = 0

    def perform(self, signature: str, cell: Cell, reads: Reads) -> None:
        """Executes the next operation. Raises `Stopped` if its subscripts are none of the arrays."""
        for each in (cell, *reads):
            if type(each) is tuple and len(each) != 1 + self.ranks[each[0]]:
                raise Stopped(f"`{each[0]}` has {self.ranks[each[0]]} subscripts, not {len(each) - 1}", 0)
        operator = self.combining.get((signature, cell[0]), "") if reads and reads[0] == cell else ""
        values = tuple([self._value(each) for each in (reads[1:] if operator else reads)])
        computed = self.numbers.of((signature, cell, reads, values))
        self.executed[computed] += 1
        self.count += 1
        found = self.held.get(cell)
        if operator and found is not None and found.operator == operator:
            found.terms[computed] += 1
            return
        before = self._value(cell)
        self._close(cell)
        self.held[cell] = _Held(before, operator, Counter([computed])) if operator else _Held(computed)

    def close(self) -> None:
        """Notes what each element holds at the end."""
        for cell in self.held:
            self._close(cell)

    def is_like(self, other: ValueRun) -> bool:
        """Whether two runs do the same, as far as the user cares."""
        return self.executed == other.executed and self.written == other.written

    def _value(self, read: Cell | int) -> int:
        if type(read) is int:
            return self.numbers.of(("number", read))
        assert type(read) is tuple
        found = self.held.get(read)
        if found is None:
            return self.numbers.of(("initial", read))
        if not found.operator:
            return found.base
        return self.numbers.of(("combined", found.base, found.operator, frozenset(found.terms.items())))

    def _close(self, cell: Cell) -> None:
        if cell in self.held and cell[0] not in self.private:
            self.written[cell].append(self._value(cell))


class RelaxedRun(Struct, frozen=True):
    """What a run of the program shows: whether it does what the nest does, how many operations, which sites ran."""

    is_right: bool
    operations: int
    ran: frozenset[int]
    accesses: int


def checked_relaxed(
    program: NestProgram, nest: Nest, values: Mapping[Name, int], allowed: tuple[Relaxations, Combining], steps: int
) -> RelaxedRun:
    """What runs of a nest and of a program of it show, each in so many steps. Raises `Stopped`."""
    relaxed, combining = allowed
    arrays = tuple(each.name for each in nest.arrays)
    ranks: dict[str | int, int] = {each.name: len(each.sizes) for each in nest.arrays}
    numbers, private = ValueNumbers(), frozenset[str | int](relaxed.private)
    due, found = (ValueRun(numbers, private, combining, ranks) for _ in range(2))
    built(as_program(nest), ProgramMachine(due.perform, steps), dict(values), arrays)()
    machine = ProgramMachine(found.perform, steps)
    run = built(program, machine, dict(values), arrays)
    with room_for_calls():
        run()
    due.close()
    found.close()
    return RelaxedRun(found.is_like(due), found.count, frozenset(machine.ran), len(numbers.known))
