"""A program of the SIMT form while it is written down: registers, objects, code, jumps to places not yet reached.

Invariants: an instruction that a `Label` is missing for is patched when the label is placed; `program` may be asked for
only when every label is placed. Mutable, and owned by one lowering. Must not know the language that is lowered.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.model.index import Name
from rewright.model.simt.instructions import Branch, Instruction, Jump, Operand, Register
from rewright.model.simt.program import Loop, Object, Program, Uniform
from rewright.model.simt.types import Scalar
from rewright.verdict import Place


class Label(Struct, eq=False):
    """A place in the code that jumps lead to; `at` is None until it is placed."""

    at: int | None = None
    waiting: list[int] = field(default_factory=list)


class Builder(Struct):
    """A program under way; `depth` is the number of loops around what is emitted next."""

    objects: list[Object] = field(default_factory=list)
    uniforms: list[Uniform] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    code: list[Instruction] = field(default_factory=list)
    loops: list[Loop] = field(default_factory=list)
    depth: int = 0

    def register(self, scalar: Scalar, name: str | None = None) -> Register:
        """A new register; `name` if the text names it."""
        self.names.append(name)
        return Register(len(self.names) - 1, scalar)

    def uniform(self, name: Name, scalar: Scalar) -> Register:
        """The register of a size or scalar parameter."""
        register = self.register(scalar, str(name))
        self.uniforms.append(Uniform(name, register))
        return register

    def object(self, made: Object) -> int:
        """Enters an object and gives its number."""
        self.objects.append(made)
        return len(self.objects) - 1

    def emit(self, instruction: Instruction) -> None:
        """Appends an instruction."""
        self.code.append(instruction)

    def jump(self, label: Label, place: Place) -> None:
        """Goes on at the label."""
        self._towards(label, Jump(0 if label.at is None else label.at, place))

    def branch(self, condition: Operand, otherwise: Label, place: Place) -> None:
        """Falls through where the condition holds, goes on at the label elsewhere."""
        self._towards(otherwise, Branch(condition, 0 if otherwise.at is None else otherwise.at, place))

    def place(self, label: Label) -> None:
        """Places a label before the next instruction."""
        label.at = len(self.code)
        for number in label.waiting:
            match self.code[number]:
                case Jump() as jump:
                    self.code[number] = replace(jump, target=label.at)
                case Branch() as branch:
                    self.code[number] = replace(branch, otherwise=label.at)
                case other:
                    raise AssertionError(other)
        label.waiting.clear()

    @contextmanager
    def loop(self, place: Place) -> Iterator[None]:
        """What is emitted meanwhile, the test first, is a loop."""
        head = len(self.code)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1
        self.loops.append(Loop(head, len(self.code), place))

    def program(self) -> Program:
        """What was written down."""
        return Program(
            tuple(self.objects), tuple(self.uniforms), tuple(self.names), tuple(self.code), tuple(self.loops)
        )

    def _towards(self, label: Label, instruction: Jump | Branch) -> None:
        if label.at is None:
            label.waiting.append(len(self.code))
        self.code.append(instruction)
