"""What is under way while one kernel is lowered: what is emitted, what names mean, which registers are set.

A function takes of the three what it needs, and `Lowering` where that is all. Built-ins are functions that take it and
are known to it, so their tables are here; which there are is not. Must not know the shape of any construct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec import Struct, field
from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter
from rewright.emit.registers import RegisterState
from rewright.emit.types import VOID, StructType, TemplateArguments, Type
from rewright.emit.values import Value
from rewright.frontends.cuda.cxx.frames import BodyFacts, FunctionFrame
from rewright.frontends.cuda.cxx.scopes import CONSTRUCTORS, CONVERSIONS, Binding, FunctionText, OverloadSet, Scope
from rewright.frontends.cuda.reading.addressing import Addressing
from rewright.model.kernel import Parameter
from rewright.verdict import Place


class Lowering(Struct, frozen=True):
    """The three together: `emitter` has the program, `names` what names mean, `registers` which of them are set."""

    emitter: Emitter
    names: NamesInScope
    registers: RegisterState = field(default_factory=RegisterState)


class NamesInScope(Struct):
    """What names mean at the place that is being read. Mutable, and owned by one lowering.

    `built_ins` are those that no text declares. Of the whole text, `addressing` says which parameters of its functions
    have their address taken, `changed` which variables in device memory it may change. `frame` is the function that is
    read. `structs` are those made so far, by what makes them, and `definitions` what each was made of. `closures` are
    lambdas and functions as values, by the number in their type; `hidden` are names that stand as numbers in trees, by
    their place; `facts` are those of bodies seen so far, by their place. `stated` are parameters of the declaration
    that speak of variables in device memory while these are made.
    """

    scope: Scope
    built_ins: BuiltIns
    addressing: Addressing
    changed: frozenset[str]
    frame: FunctionFrame = field(default_factory=lambda: FunctionFrame((), VOID, Label(), is_direct=False))
    structs: dict[tuple[object, ...], StructType] = field(default_factory=dict)
    definitions: dict[StructType, Definition] = field(default_factory=dict)
    closures: list[tuple[FunctionText, ...]] = field(default_factory=list)
    hidden: dict[int, str] = field(default_factory=dict)
    facts: dict[int, BodyFacts] = field(default_factory=dict)
    stated: dict[str, Parameter] = field(default_factory=dict)

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[None]:
        """Reads what follows in another scope."""
        outer, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = outer

    @contextmanager
    def called(self, frame: FunctionFrame) -> Iterator[None]:
        """Reads what follows in another function."""
        outer, self.frame = self.frame, frame
        try:
            yield
        finally:
            self.frame = outer

    @contextmanager
    def block(self) -> Iterator[None]:
        """Reads what follows in a scope inside the present one."""
        with self.inside(Scope(self.scope)):
            yield

    def members(self, kind: Type) -> Scope | None:
        """The inside of a struct that a text defines, None of any other type."""
        known = self.definitions.get(kind) if isinstance(kind, StructType) else None
        return None if known is None else known.inside

    def constructors(self, kind: Type) -> tuple[FunctionText, ...]:
        """The constructors that a struct has in its text, none if it has none or is no such struct."""
        inside = self.members(kind)
        return () if inside is None else _functions(inside.names.get(CONSTRUCTORS))

    def conversions(self, kind: Type) -> tuple[FunctionText, ...]:
        """The conversions to other types that a struct has in its text, or in that of one it is built on."""
        inside = self.members(kind)
        return () if inside is None else _functions(inside.here(CONVERSIONS))


def _functions(binding: Binding | None) -> tuple[FunctionText, ...]:
    return binding.of if isinstance(binding, OverloadSet) else ()


class Definition(Struct, frozen=True):
    """What a struct was made of: the scope inside of it, template arguments, and its text unless it is built in."""

    inside: Scope
    arguments: TemplateArguments
    text: Node | None


# ----------------------------------------------------------------------------------------------------------- built-ins


class BuiltInCall(Struct, frozen=True):
    """A call of a built-in: its name without namespaces, template arguments, the object if it is a method, operands."""

    name: str
    template: TemplateArguments
    receiver: Value | None
    arguments: tuple[Node, ...]
    node: Node
    place: Place


BuiltInFunction = Callable[[Lowering, BuiltInCall], Value]
"""Lowers a call and gives its value (`NOTHING` for void); refuses what it cannot take."""

BuiltInType = Callable[[Emitter, NamesInScope, TemplateArguments, Node], Type]
"""Gives the type that a name with template arguments stands for."""


class BuiltIns(Struct, frozen=True):
    """What no text declares: functions and types by name without namespaces, methods by kind of receiver and name."""

    functions: Mapping[str, BuiltInFunction]
    methods: Mapping[tuple[str, str], BuiltInFunction]
    types: Mapping[str, BuiltInType]


# --------------------------------------------------------------------------------------------------------------- names


def declare(names: NamesInScope, registers: RegisterState, name: str, binding: Binding) -> None:
    """Enters a name into the innermost scope."""
    registers.hold(binding)
    names.scope.names[name] = binding


def this(emitter: Emitter, names: NamesInScope, node: Node) -> Value:
    """The object that the present method is called on. Raises `Refused` where there is none."""
    found = names.scope.find("this")
    if not isinstance(found, Value):
        emitter.refuse(node, "there is no object here")
    return found
