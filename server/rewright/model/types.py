"""Element types: their names, what each admits, and the inference of the types that are not written.

Owns the type variables of one declaration. Invariant: two types are joined only if some element type satisfies both
uses, so what was joined once never has to be taken back. Must not know which expression a type belongs to: a
requirement carries its site and the name that a message shall use, nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.tensor import ElementType

SIGNED = ("s8", "s16", "s32", "s64")
UNSIGNED = ("u8", "u16", "u32", "u64")
FLOATS = ("f16", "bf16", "f32", "f64")
MACHINE_INTEGERS = frozenset(SIGNED + UNSIGNED)
MACHINE_TYPES = MACHINE_INTEGERS | frozenset(FLOATS)
CONCRETE = ("int", "real", "pred", *SIGNED, *UNSIGNED, *FLOATS)
"""The types that a tensor may be declared with."""
CONSTRAINTS = ("any", "num", *CONCRETE)
"""What may follow the colon of a type parameter."""

PRED = ElementType("pred", None)


class Need(StrEnum):
    """What a use asks of an element type."""

    NUMBER = "numbers"
    ORDER = "an order"
    EQUALITY = "an equality"
    LOGIC = "truth values"
    FRACTION = "fractions"


def provides(constraint: str, need: Need) -> bool:
    """Whether every type that the constraint (or the type's name) admits has what is needed."""
    match need:
        case Need.NUMBER:
            return constraint not in {"any", "pred"}
        case Need.ORDER | Need.EQUALITY:
            return constraint != "any"
        case Need.LOGIC:
            return constraint == "pred" or constraint in MACHINE_INTEGERS
        case Need.FRACTION:
            return constraint == "real" or constraint in FLOATS


def admits(constraint: str, type_name: str) -> bool:
    """Whether a rule over types of this constraint may also be asked over the concrete type."""
    match constraint:
        case "any":
            return True
        case "num":
            return type_name != "pred"
        case "int":
            return type_name == "int" or type_name in MACHINE_INTEGERS
        case "real":
            return type_name == "real" or type_name in FLOATS
        case _:
            return type_name == constraint


def asked(constraint: str) -> tuple[str, ...]:
    """The element domains that a type parameter of this constraint asks about."""
    return ("int", "real") if constraint == "num" else (constraint,)


class Requirement(Struct, frozen=True):
    """Something that the type must provide, asked for by `by` at `site`."""

    type: ElementType
    need: Need
    by: str
    site: int


class TypeOrigin(Struct, frozen=True):
    """The expression that a type variable was made for: its text for a message, how to say the type there, its site."""

    text: str
    fix: str
    site: int


class Inference:
    """The type variables of a declaration; a variable is an `ElementType` whose name starts with a question mark."""

    def __init__(self, constraints: Mapping[Name, str]) -> None:
        self._constraints = constraints
        self._bindings: list[ElementType | None] = []
        self._origins: list[TypeOrigin] = []
        self.requirements: list[Requirement] = []

    @property
    def has_variables(self) -> bool:
        """Whether a type had to be inferred."""
        return bool(self._bindings)

    def fresh(self, origin: TypeOrigin) -> ElementType:
        """A new type variable."""
        self._bindings.append(None)
        self._origins.append(origin)
        return ElementType(f"?{len(self._bindings) - 1}", None)

    def require(self, requirement: Requirement) -> None:
        """Notes a requirement, judged when all types are known."""
        self.requirements.append(requirement)

    def resolve(self, type_: ElementType) -> ElementType:
        """The type that is known so far: a variable only if nothing is known of it."""
        while is_variable(type_):
            bound = self._bindings[_number(type_)]
            if bound is None:
                return type_
            type_ = bound
        return type_

    def join(self, first: ElementType, second: ElementType) -> bool:
        """Makes two types one; returns False, and changes nothing, if they are known to differ."""
        first, second = self.resolve(first), self.resolve(second)
        if first == second or self.constraint(first) == self.constraint(second) in CONCRETE:
            return True
        if is_variable(first):
            self._bindings[_number(first)] = second
        elif is_variable(second):
            self._bindings[_number(second)] = first
        else:
            return False
        return True

    def constraint(self, type_: ElementType) -> str | None:
        """What the type is known to be: a concrete type, or its parameter's constraint; None for a variable."""
        type_ = self.resolve(type_)
        if type_.parameter is not None:
            return self._constraints.get(type_.parameter, "any")
        return None if is_variable(type_) else type_.name

    def text(self, type_: ElementType) -> str:
        """The type as it is written, a variable as `?`."""
        type_ = self.resolve(type_)
        return "?" if is_variable(type_) else type_text(type_)

    def open_origins(self) -> list[TypeOrigin]:
        """For each type that nothing determines, the first expression that has it."""
        seen: set[ElementType] = set()
        origins = []
        for number, origin in enumerate(self._origins):
            root = self.resolve(ElementType(f"?{number}", None))
            if is_variable(root) and root not in seen:
                seen.add(root)
                origins.append(origin)
        return origins

    def failures(self) -> list[Requirement]:
        """The requirements that a known type does not meet, in the order in which they were made."""
        return [
            requirement
            for requirement in self.requirements
            if (known := self.constraint(requirement.type)) is not None and not provides(known, requirement.need)
        ]


def is_variable(type_: ElementType) -> bool:
    """Whether the type is a type variable."""
    return type_.name is not None and type_.name.startswith("?")


def type_text(type_: ElementType) -> str:
    """The type as it is written."""
    return str(type_.parameter) if type_.parameter is not None else str(type_.name)


def _number(type_: ElementType) -> int:
    return int((type_.name or "?0")[1:])
