"""What is under way while one kernel is lowered: what is emitted, what names mean, which registers are set.

A function takes of the three what it needs, and `Lowering` where that is nearly all. Must not know the shape of any
construct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from tree_sitter import Node

from rewright.frontends.builder import Label
from rewright.frontends.cuda.cxx.built_ins import BuiltIns
from rewright.frontends.cuda.cxx.scopes import CONSTRUCTORS, CONVERSIONS, Binding, FunctionText, OverloadSet, Scope
from rewright.frontends.cuda.emit.emitter import Emitter
from rewright.frontends.cuda.emit.registers import RegisterState
from rewright.frontends.cuda.emit.types import VOID, Struct, TemplateArguments, Type
from rewright.frontends.cuda.emit.values import Value
from rewright.model.kernel import Parameter


@dataclass(frozen=True, slots=True)
class Lowering:
    """The three together: `emitter` has the program, `names` what names mean, `registers` which of them are set."""

    emitter: Emitter
    names: NamesInScope
    registers: RegisterState = field(default_factory=RegisterState)


@dataclass(slots=True)
class NamesInScope:
    """What names mean at the place that is being read. Mutable, and owned by one lowering.

    `built_ins` are those that no text declares, `frame` is the function that is read. `structs` are those made so far,
    by what makes them, and `definitions` what each was made of. `closures` are lambdas and functions as values, by the
    number in their type; `hidden` are names that stand as numbers in trees, by their place; `facts` are those of bodies
    seen so far, by their place. Of the whole text, `addressing` says which parameters of its functions have their
    address taken, `changed` which variables in device memory it may change; `stated` are parameters of the declaration
    that speak of such variables while these are made.
    """

    scope: Scope
    built_ins: BuiltIns
    frame: FunctionFrame = field(default_factory=lambda: FunctionFrame((), VOID, Label(), direct=False))
    structs: dict[tuple[object, ...], Struct] = field(default_factory=dict)
    definitions: dict[Struct, Definition] = field(default_factory=dict)
    closures: list[tuple[FunctionText, ...]] = field(default_factory=list)
    hidden: dict[int, str] = field(default_factory=dict)
    facts: dict[int, BodyFacts] = field(default_factory=dict)
    addressing: Mapping[str, frozenset[int]] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
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
        known = self.definitions.get(kind) if isinstance(kind, Struct) else None
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


@dataclass(frozen=True, slots=True)
class Definition:
    """What a struct was made of: the scope inside of it, template arguments, and its text unless it is built in."""

    inside: Scope
    arguments: TemplateArguments
    text: Node | None


@dataclass(frozen=True, slots=True)
class BodyFacts:
    """What is seen in a body: names assigned, names whose address is taken, whether its only `return` ends it."""

    assigned: frozenset[str]
    addressed: frozenset[str]
    is_direct: bool


@dataclass(slots=True)
class FunctionFrame:
    """A function being lowered: the kernel, or one inlined into it.

    `key` says which function this is: where it stands, template arguments, the object's type, what is known of the
    arguments. `result` is None until a `return` with a value was seen; `direct` if the one `return` ends the function,
    so that its value needs no variable; it is `ended` where control does not come to what follows. `addressed` and
    `assigned` are names of the function's text.
    """

    key: tuple[object, ...]
    type: Type
    end: Label
    direct: bool
    addressed: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    result: Value | None = None
    breaks: list[Label] = field(default_factory=list)
    continues: list[Label] = field(default_factory=list)
    outer: FunctionFrame | None = None
    ended: bool = False

    @property
    def depth(self) -> int:
        """How many calls deep the function is."""
        return 0 if self.outer is None else self.outer.depth + 1


def declare(lowering: Lowering, name: str, binding: Binding) -> None:
    """Enters a name into the innermost scope."""
    lowering.registers.hold(binding)
    lowering.names.scope.names[name] = binding


def this(lowering: Lowering, node: Node) -> Value:
    """The object that the present method is called on. Raises `Refused` where there is none."""
    found = lowering.names.scope.find("this")
    if not isinstance(found, Value):
        lowering.emitter.refuse(node, "there is no object here")
    return found
