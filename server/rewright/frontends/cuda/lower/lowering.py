"""The state of lowering one kernel: the program under way, names in scope, the function being inlined, problems.

Invariant: whatever cannot be lowered raises `Refused`, which the statement around it notes as a problem; a kernel with
problems has no program. Mutable, and owned by one lowering. Must not know the shape of any construct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NoReturn

from tree_sitter import Node

from rewright.frontends.builder import Builder, Label
from rewright.frontends.cuda.cxx.scopes import CONSTRUCTORS, CONVERSIONS, Binding, ClassText, Function, Functions, Scope
from rewright.frontends.cuda.cxx.types import Struct, TemplateArguments, Type
from rewright.frontends.cuda.cxx.values import InMemory, Lvalue, Rvalue, Value
from rewright.frontends.problem import Problem
from rewright.model.body import Expression
from rewright.model.index import Name
from rewright.model.kernel import Parameter
from rewright.model.simt.instructions import Instruction, Jump, Register
from rewright.model.simt.types import Scalar
from rewright.verdict import Place


class Refused(Exception):
    """Something that cannot be lowered; without a problem if it follows from one that was noted."""

    def __init__(self, problem: Problem | None) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Readers:
    """How expressions, statements and structs are read: the ways back into the lowering for what hangs off it."""

    value: Callable[[Lowering, Node], Value]
    statement: Callable[[Lowering, Node], None]
    struct: Callable[[Lowering, ClassText, TemplateArguments, Node], Struct]
    construct: Callable[[Lowering, Lvalue, list[Node], Node], None]
    converting: Callable[[Lowering, Rvalue, Type, Node], Rvalue]
    types: Mapping[str, Callable[[Lowering, TemplateArguments, Node], Type]]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is seen in a body: names assigned, names whose address is taken, whether its only `return` ends it."""

    assigned: frozenset[str]
    addressed: frozenset[str]
    is_direct: bool


@dataclass(slots=True)
class Frame:
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
    outer: Frame | None = None
    ended: bool = False

    @property
    def depth(self) -> int:
        """How many calls deep the function is."""
        return 0 if self.outer is None else self.outer.depth + 1


@dataclass(slots=True)
class Lowering:
    """One lowering under way.

    `at` gives the place of bytes of the expanded text. `objects` are static variables by what declares them,
    `members` the insides of structs, `origins` the template arguments that made them, `texts` what defines them;
    `unset` are registers of variables declared without a value, with the number of loops around the declaration,
    `written` those of variables that were given one since, `held` those that names stand for. The `prologue` runs
    first and computes what is computed `once`. `changed` are variables in device memory that the text may change,
    `stated` parameters of the declaration that speak of such variables while these are made. `hidden` are names
    that stand as numbers in trees, by their place. `landed` is the length of the code when a label was placed last:
    what stands before may not be changed there.
    """

    at: Callable[[int, int], Place]
    readers: Readers
    scope: Scope
    frame: Frame
    shared: Expression | None = None
    builder: Builder = field(default_factory=Builder)
    problems: list[Problem] = field(default_factory=list)
    objects: dict[tuple[object, ...], int] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    unset: dict[int, int] = field(default_factory=dict)
    written: set[int] = field(default_factory=set)
    held: set[int] = field(default_factory=set)
    members: dict[Struct, Scope] = field(default_factory=dict)
    structs: dict[tuple[object, ...], Struct] = field(default_factory=dict)
    origins: dict[Struct, TemplateArguments] = field(default_factory=dict)
    texts: dict[Struct, Node] = field(default_factory=dict)
    addressing: Mapping[str, frozenset[int]] = field(default_factory=dict)
    changed: frozenset[str] = frozenset()
    stated: dict[str, Parameter] = field(default_factory=dict)
    facts: dict[int, Facts] = field(default_factory=dict)
    places: dict[tuple[int, int], Place] = field(default_factory=dict)
    hidden: dict[int, str] = field(default_factory=dict)
    closures: list[tuple[Function, ...]] = field(default_factory=list)
    prologue: list[Instruction] = field(default_factory=list)
    once: dict[tuple[object, ...], Register] = field(default_factory=dict)
    landed: int = -1

    def place(self, node: Node) -> Place:
        """Where a node stands in the source."""
        extent = node.start_byte, node.end_byte
        if extent not in self.places:
            self.places[extent] = self.at(*extent)
        return self.places[extent]

    def refuse(self, node: Node, reason: str) -> NoReturn:
        """Gives up what is being lowered, for a reason at a node."""
        raise Refused(Problem(reason, self.place(node)))

    def refuse_construct(self, node: Node, what: str) -> NoReturn:
        """Gives up at a construct that this front end does not read."""
        self.refuse(node, f"{what} is not supported yet")

    def child(self, node: Node, name: str) -> Node:
        """The child in a field of a node; refuses a node whose text lacks it."""
        found = node.child_by_field_name(name)
        if found is None:
            self.refuse(node, "syntax error")
        return found

    def this(self, node: Node) -> Value:
        """The object that the present method is called on; refuses where there is none."""
        found = self.scope.find("this")
        if not isinstance(found, Value):
            self.refuse(node, "there is no object here")
        return found

    def note(self, refused: Refused) -> None:
        """Enters the problem of something that was given up, once per place."""
        problem = refused.problem
        if problem is not None and all(problem.place != known.place for known in self.problems):
            self.problems.append(problem)

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Notes what is given up meanwhile, and goes on behind it."""
        try:
            yield
        except Refused as refused:
            self.note(refused)

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[None]:
        """Reads what follows in another scope."""
        outer, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = outer

    @contextmanager
    def block(self) -> Iterator[None]:
        """Reads what follows in a scope inside the present one."""
        with self.inside(Scope(self.scope)):
            yield

    def declare(self, name: str, binding: Binding) -> None:
        """Enters a name into the innermost scope."""
        self.hold(binding)
        self.scope.names[name] = binding

    def hold(self, binding: Binding) -> None:
        """Notes that registers without names of their own are what a name stands for from now on."""
        match binding:
            case Rvalue():
                self.held.update(leaf.number for leaf in binding.leaves if isinstance(leaf, Register))
            case InMemory(address=Register() as address):
                self.held.add(address.number)
            case _:
                pass

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

    def constructors(self, kind: Type) -> tuple[Function, ...]:
        """The constructors that a struct has in its text, none if it has none or is no such struct."""
        inside = self.members.get(kind) if isinstance(kind, Struct) else None
        return () if inside is None else _functions(inside.names.get(CONSTRUCTORS))

    def conversions(self, kind: Type) -> tuple[Function, ...]:
        """The conversions to other types that a struct has in its text, or in that of one it is built on."""
        inside = self.members.get(kind) if isinstance(kind, Struct) else None
        return () if inside is None else _functions(inside.here(CONVERSIONS))

    def fresh(self, text: str) -> Name:
        """A name for an object that no other has."""
        name, number = text, 1
        while name in self.taken:
            number += 1
            name = f"{text}'{number}"
        self.taken.add(name)
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


def _functions(binding: Binding | None) -> tuple[Function, ...]:
    return binding.of if isinstance(binding, Functions) else ()
