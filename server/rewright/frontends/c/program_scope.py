"""What names stand for while a program in C is read: whole numbers, arrays of them, and parts of data arrays.

Invariant: a name of C that is declared again in a block is another variable. Must not know any statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum, auto

import msgspec
from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.c.declared import DeclaredName
from rewright.frontends.c.effects import FunctionEffects
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.signs import WIDE
from rewright.frontends.c.tree import field, text
from rewright.model.index import Name


class VariableKind(Enum):
    """What a variable holds."""

    NUMBER = auto()
    NUMBERS = auto()
    DATA = auto()


class ProgramVariable(Struct, frozen=True):
    """A variable: what it is called in the program, what it holds, and the bits of its numbers.

    `is_fixed` if it is one datum that nothing writes, so that it may be handed on by value. `sizes` are the texts of an
    array's sizes without blanks, each variable by its name in the program; None where one is not said. `element` is the
    type of data, empty if it is not known.
    """

    name: Name
    held: VariableKind
    bits: int = 32
    is_fixed: bool = False
    sizes: tuple[str | None, ...] = ()
    element: str = ""


_NAME = re.compile(r"[A-Za-z_]\w*'*")
"""A name in the text of a size."""

_TAKEN = WIDE | {"int", "signed", "int32_t", "const", "register", "static", "inline"}


def variable_of(declared: DeclaredName, name: Name) -> ProgramVariable:
    """The variable that is declared. Raises `NotAffine` for a type of numbers that is not taken."""
    words = set(declared.type.split())
    if not declared.holds_integers:
        return ProgramVariable(name, VariableKind.DATA, is_fixed=not declared.sizes, sizes=declared.written)
    if not words <= _TAKEN:
        raise NotAffine(f"`{declared.type} {declared.name}` is not taken: only `int` and `long` are", declared.node)
    held = VariableKind.NUMBERS if declared.sizes else VariableKind.NUMBER
    return ProgramVariable(name, held, 64 if words & WIDE else 32, sizes=declared.written)


def names_in(size: str) -> frozenset[str]:
    """The names in the text of a size."""
    return frozenset(_NAME.findall(size))


def renamed(size: str, name: Callable[[str], str]) -> str:
    """The text of a size with other texts for its names."""
    return _NAME.sub(lambda found: name(found[0]), size)


def returned_bits(function: Node) -> int:
    """The bits of what a function returns. Raises `NotAffine` for a type of numbers that is not taken."""
    type_ = field(function, "type")
    words = set(text(type_).split())
    if words == {"void"}:
        return 64
    if not words <= _TAKEN or field(function, "declarator").type != "function_declarator":
        raise NotAffine(f"`{text(type_)}` as what a function returns is not taken: only `int` and `long` are", type_)
    return 64 if words & WIDE else 32


class ProgramScope(Struct):
    """The names of a function. `functions` are those that the text defines, by name; `called` those that are needed.

    `element_type` gives the one name of a type that may have several.
    """

    functions: Mapping[str, Node]
    site: Callable[[Node], int]
    effects: FunctionEffects
    element_type: Callable[[str], str]
    called: dict[str, None] = msgspec.field(default_factory=dict)
    blocks: list[dict[str, ProgramVariable]] = msgspec.field(default_factory=lambda: [{}])
    taken: dict[str, int] = msgspec.field(default_factory=dict)
    given: set[Name] = msgspec.field(default_factory=set)

    def enter(self) -> None:
        """Begins a block."""
        self.blocks.append({})

    def leave(self) -> None:
        """Ends the innermost block."""
        self.blocks.pop()

    def declare(self, declared: DeclaredName) -> ProgramVariable:
        """Enters a name into the innermost block. Raises `NotAffine`."""
        count = self.taken.get(declared.name, 0)
        self.taken[declared.name] = count + 1
        made = variable_of(declared, Name(f"{declared.name}{chr(39) * count}"))
        sizes = tuple([None if each is None else self.resolved(each) for each in made.sizes])
        element = self.element_type(declared.type) if made.held is VariableKind.DATA else ""
        made = msgspec.structs.replace(made, sizes=sizes, element=element)
        self.blocks[-1][declared.name] = made
        return made

    def give(self, name: str, variable: ProgramVariable) -> None:
        """Enters a name that stands for a variable of the outside."""
        self.taken.setdefault(name, 1)
        self.given.add(variable.name)
        self.blocks[-1][name] = variable

    def resolved(self, size: str) -> str:
        """The text of a size, each variable by its name in the program."""

        def name(written: str) -> str:
            found = self.find(written)
            return written if found is None else str(found.name)

        return renamed(size, name)

    def sizes_of(self, variable: ProgramVariable) -> str | None:
        """An array whose sizes speak of a variable, None if there is none."""
        for block in self.blocks:
            for array, each in block.items():
                if any(size is not None and str(variable.name) in names_in(size) for size in each.sizes):
                    return array
        return None

    def find(self, name: str) -> ProgramVariable | None:
        """What a name stands for here."""
        return next((block[name] for block in reversed(self.blocks) if name in block), None)
