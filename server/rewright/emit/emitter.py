"""What is written down of one kernel: code, objects, what is computed once at its start, and what could not be taken.

Invariant: whatever cannot be taken raises `Refused`, which the statement around it notes as a problem; a kernel with
problems has no program. Mutable, and owned by one lowering. Must not know what names mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from msgspec import Struct, field
from tree_sitter import Node

from rewright.emit.builder import Builder, Label
from rewright.emit.problem import Problem
from rewright.model.body import Expression
from rewright.model.index import Name
from rewright.model.simt.instructions import Instruction, Jump, Register
from rewright.model.simt.types import Scalar
from rewright.verdict import Place


class Refused(Exception):
    """Something that cannot be lowered; without a problem if it follows from one that was noted."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__(problem)
        self.problem = problem


class Emitter(Struct):
    """A program under way, in C++ terms; `at` gives the place of bytes of the expanded text.

    `shared` are the bytes of dynamic shared memory that the launch gives, None if it says nothing. `objects` are
    static variables by what declares them, `used_names` those that objects and parameters have. The `prologue` runs
    first and computes what is computed `once`. `landed` is the length of the code when a label was placed last: what
    stands before may not be changed there. `stand_ins` are the places of texts that stand in for libraries.
    """

    at: Callable[[int, int], Place]
    shared: Expression | None = None
    builder: Builder = field(default_factory=Builder)
    problems: list[Problem] = field(default_factory=list)
    objects: dict[tuple[object, ...], int] = field(default_factory=dict)
    used_names: set[str] = field(default_factory=set)
    prologue: list[Instruction] = field(default_factory=list)
    once: dict[tuple[object, ...], Register] = field(default_factory=dict)
    landed: int = -1
    stand_ins: frozenset[Place] = frozenset()
    _called: Place | None = None
    _places: dict[tuple[int, int], Place] = field(default_factory=dict)

    def place(self, node: Node) -> Place:
        """Where a node stands in the source."""
        extent = node.start_byte, node.end_byte
        if extent not in self._places:
            self._places[extent] = self.at(*extent)
        found = self._places[extent]
        return found if self._called is None or found not in self.stand_ins else self._called

    @contextmanager
    def called(self, node: Node) -> Iterator[None]:
        """What is lowered inside is called at a node: there it stands, if its text stands in for a library."""
        outer, self._called = self._called, self.place(node)
        try:
            yield
        finally:
            self._called = outer

    def refuse(self, node: Node, reason: str) -> NoReturn:
        """Gives up what is being lowered, for a reason at a node: raises `Refused`."""
        raise Refused(Problem(reason, self.place(node)))

    def refuse_construct(self, node: Node, what: str) -> NoReturn:
        """Gives up at a construct that this front end does not read: raises `Refused`."""
        self.refuse(node, f"{what} is not supported yet")

    def child(self, node: Node, name: str) -> Node:
        """The child in a field of a node. Raises `Refused` for a node whose text is without it."""
        found = node.child_by_field_name(name)
        if found is None:
            self.refuse(node, "syntax error")
        return found

    def note(self, refused: Refused) -> None:
        """Enters the problem of something that was given up, once per place."""
        problem = refused.problem
        if problem is not None and all(problem.place != known.place for known in self.problems):
            self.problems.append(problem)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Notes what is given up meanwhile, and goes on after it."""
        try:
            yield
        except Refused as refused:
            self.note(refused)

    def emit(self, instruction: Instruction) -> None:
        """Appends an instruction."""
        self.builder.emit(instruction)

    def temporary(self, scalar: Scalar) -> Register:
        """A register that the text has no name for."""
        return self.builder.register(scalar)

    @contextmanager
    def at_start(self) -> Iterator[None]:
        """Emits what follows where the kernel starts; it may not branch."""
        outer, self.builder.code = self.builder.code, self.prologue
        try:
            yield
        finally:
            self.builder.code = outer

    @contextmanager
    def unevaluated(self) -> Iterator[None]:
        """Reads what follows for its type alone: what is emitted is dropped."""
        code, loops, landed = len(self.builder.code), len(self.builder.loops), self.landed
        try:
            yield
        finally:
            del self.builder.code[code:], self.builder.loops[loops:]
            self.landed = landed

    def fresh(self, text: str) -> Name:
        """A name for an object that no other has."""
        name, number = text, 1
        while name in self.used_names:
            number += 1
            name = f"{text}'{number}"
        self.used_names.add(name)
        return Name(name)

    def land(self, label: Label) -> None:
        """Places a label before the next instruction; a jump to it that stands just before is left out."""
        builder, last = self.builder, len(self.builder.code) - 1
        is_last = last in label.waiting and isinstance(builder.code[last], Jump)
        if is_last and self.landed != len(builder.code):
            label.waiting.remove(last)
            builder.code.pop()
        builder.place(label)
        self.landed = len(builder.code)
