"""Names and what they stand for, scope by scope; what stands outside functions is read when it is first needed.

Invariant: a scope's parent is the scope around its text, also when a function is lowered at a call elsewhere. Must not
know how anything is lowered.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field
from tree_sitter import Node

from rewright.emit.types import StructType, Type
from rewright.emit.values import InMemory, InRegisters, Rvalue


class TypeName(Struct, frozen=True):
    """A type that is known."""

    type: Type


class FunctionText(Struct, frozen=True, eq=False):
    """A function's definition; `template` are its template's parameters, `owner` the struct whose method it is."""

    node: Node
    template: Node | None
    scope: Scope
    owner: StructType | None = None


class OverloadSet(Struct, frozen=True):
    """All functions of one name in one scope."""

    of: tuple[FunctionText, ...]


class ClassText(Struct, frozen=True, eq=False):
    """The definition of a struct or union that was not read yet, or of a template of them; with its specialisations."""

    node: Node
    template: Node | None
    scope: Scope
    special: tuple[Node, ...] = ()


class AliasText(Struct, frozen=True, eq=False):
    """`typedef` and `using name = type`, not read yet; `declarator` is that of a `typedef`."""

    node: Node
    declarator: Node | None
    template: Node | None
    scope: Scope


class VariableText(Struct, frozen=True, eq=False):
    """A variable outside functions, or a static member, not read yet."""

    node: Node
    declarator: Node
    scope: Scope


class EnumText(Struct, frozen=True, eq=False):
    """The enum that a name is an enumerator of."""

    node: Node
    scope: Scope


class Member(Struct, frozen=True):
    """A field of the struct that the function is a method of."""

    name: str


class Pack(Struct, frozen=True):
    """The parameters that a pack of a variadic template stands for."""

    of: tuple[Rvalue | InRegisters | InMemory, ...]


class Namespace(Struct, frozen=True):
    """A namespace, the inside of a struct, or that of an `enum class`."""

    scope: Scope
    enum: Node | None = None


class RefusedName(Struct, frozen=True):
    """A name whose declaration was refused: its uses are no further problems."""


Binding = (
    Rvalue
    | InRegisters
    | InMemory
    | TypeName
    | OverloadSet
    | ClassText
    | AliasText
    | VariableText
    | EnumText
    | Member
    | Namespace
    | Pack
    | RefusedName
)


CONSTRUCTORS = "(constructor)"
CONVERSIONS = "(conversion)"
"""What the inside of a struct has its functions without a name of their own under."""

_TYPES = (ClassText, AliasText, TypeName)


class Scope(Struct, eq=False):
    """The names of one block, function, struct, namespace or file."""

    parent: Scope | None
    names: dict[str, Binding] = field(default_factory=dict)
    uses: list[Scope] = field(default_factory=list)

    def here(self, name: str) -> Binding | None:
        """What the scope itself, or a namespace used in it, says of the name."""
        known = self.names.get(name)
        if known is not None or not self.uses:
            return known
        return next((found for used in self.uses if (found := used.here(name)) is not None), None)

    def find(self, name: str) -> Binding | None:
        """What a name stands for, innermost first."""
        return next((found for scope in self._outward() if (found := scope.here(name)) is not None), None)

    def template(self, name: str) -> ClassText | AliasText | TypeName | None:
        """The innermost type of the name; a template before the name that a struct has inside of itself."""
        found = [known for scope in self._outward() if isinstance(known := scope.here(name), _TYPES)]
        return next((known for known in found if not isinstance(known, TypeName)), found[0] if found else None)

    def home(self, name: str) -> Scope | None:
        """The innermost scope that says what the name stands for."""
        return next((scope for scope in self._outward() if scope.here(name) is not None), None)

    def overload(self, name: str, function: FunctionText) -> None:
        """Adds a function to those of its name; a definition replaces what was no function."""
        known = self.names.get(name)
        others = known.of if isinstance(known, OverloadSet) else ()
        self.names[name] = OverloadSet((*others, function))

    def _outward(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent
