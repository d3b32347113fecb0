"""The names of one rule: one namespace, in which everything that is declared has one entry.

Owns what a name can stand for and the errors of declaring and looking up. Invariant: a name whose own declaration is
wrong still has an entry (`BrokenName`), so that its uses are not reported as well. Must not know expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import assert_never

from msgspec import Struct

from rewright.model.index import Index
from rewright.model.index import Name as RuleName
from rewright.model.notes import Notes
from rewright.model.operator_table import BUILT_IN_NAMES, OPERATOR_NAMES
from rewright.model.rule import (
    FAMILY,
    Extent,
    FunctionDeclaration,
    Group,
    MapDeclaration,
    MonoidDeclaration,
    ScalarDeclaration,
    TypeParameter,
)
from rewright.model.tensor import ElementType, Tensor
from rewright.model.types import CONCRETE, CONSTRAINTS
from rewright.syntax.nodes import Expression, Name
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.names import AnotherKind, NameTaken, TakenBy, UnknownName


class Map(Struct, frozen=True):
    """A map, with the group that its declaration names."""

    declaration: MapDeclaration
    group: str


class DeclaredTensor(Struct, frozen=True):
    """A tensor that has groups; its sizes are checked later than its uses."""

    type: ElementType
    groups: tuple[RuleName, ...]


class Integer(Struct, frozen=True):
    """An `int`."""


class Later(Struct, frozen=True):
    """A `let` that is not resolved yet."""

    value: Expression


class LiteralLet(Struct, frozen=True):
    """A `let` that holds numbers only: an index or an element by the place of its use."""

    value: Expression


class IndexLet(Struct, frozen=True):
    """A `let` that names a map or an integer; `group` is the group of its first map, None for an integer."""

    value: Index
    rank_class: RuleName | None
    group: str


class TensorLet(Struct, frozen=True):
    """A `let` that names a scalar or a tensor."""

    value: Tensor


class Bound(Struct, frozen=True):
    """A bound index of `forall i on A`."""

    group: RuleName


class BrokenName(Struct, frozen=True):
    """A name whose declaration is wrong or holds a hole; its uses say nothing more."""


Meaning = (
    TypeParameter
    | Group
    | Map
    | Integer
    | ScalarDeclaration
    | DeclaredTensor
    | FunctionDeclaration
    | MonoidDeclaration
    | Later
    | LiteralLet
    | IndexLet
    | TensorLet
    | Bound
    | BrokenName
)


class RuleEntry(Struct, frozen=True):
    """A declared name: where, and what it stands for."""

    definition: Span
    meaning: Meaning


class RuleScope:
    """The names of one rule."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._entries: dict[str, RuleEntry] = {}

    def declare(self, name: Name, meaning: Meaning) -> bool:
        """Enters a name; reports it, and returns False, if it is taken."""
        if name.text in OPERATOR_NAMES or name.text in BUILT_IN_NAMES or name.text in CONSTRAINTS:
            self._notes.error(NameTaken(name.text, TakenBy.BUILT_IN), name.span)
            self._entries.setdefault(name.text, RuleEntry(name.span, BrokenName()))
            return False
        earlier = self._entries.get(name.text)
        if earlier is not None:
            self._notes.error(NameTaken(name.text, TakenBy.DECLARATION), name.span, first=earlier.definition)
            return False
        self._entries[name.text] = RuleEntry(name.span, meaning)
        return True

    def enter(self, name: str, definition: Span, meaning: Meaning) -> None:
        """Enters what the text does not name, such as the axis of a family."""
        self._entries.setdefault(name, RuleEntry(definition, meaning))

    def resolve(self, name: str, meaning: Meaning) -> None:
        """Replaces what a declared name stands for, once that is known."""
        self._entries[name] = RuleEntry(self._entries[name].definition, meaning)

    def withdraw_bound(self, name: Name) -> None:
        """Forgets the bound index that was declared by this name here, if it was."""
        entry = self._entries.get(name.text)
        if entry is not None and entry.definition == name.span:
            del self._entries[name.text]

    def entry(self, name: str) -> RuleEntry | None:
        """The entry of a name, without noting a use."""
        return self._entries.get(name)

    def look_up(self, name: Name, what: str) -> Meaning | None:
        """What a name stands for, its use noted; None, reported as an unknown `what`, if it is not declared."""
        entry = self._entries.get(name.text)
        if entry is not None:
            self._notes.use(entry.definition, name.span)
            return entry.meaning
        nearest = get_close_matches(name.text, self._candidates(what), n=1)
        self._notes.undeclared(UnknownName(what, name.text, nearest[0] if nearest else None), name)
        return None

    def group(self, name: Name) -> Group | None:
        """The axis group that a name stands for; reported if it is none."""
        match self.look_up(name, "axis"):
            case Group() as group:
                return group
            case None | BrokenName():
                return None
            case other:
                self.wrong_kind(name, other, "an axis group")
                return None

    def wrong_kind(self, name: Name, meaning: Meaning, expected: str, fix: str = "") -> None:
        """Reports a name that stands for something else than its place asks for."""
        self._notes.error(AnotherKind(name.text, described(meaning), expected, fix), name.span)

    def _candidates(self, what: str) -> Iterable[str]:
        fits: Callable[[Meaning], bool] = {
            "axis": lambda meaning: isinstance(meaning, Group),
            "element type": lambda meaning: isinstance(meaning, TypeParameter),
        }.get(what, lambda meaning: not isinstance(meaning, Group | TypeParameter))
        declared = [name for name, entry in self._entries.items() if fits(entry.meaning)]
        return (*declared, *CONCRETE) if what == "element type" else declared


def described(meaning: Meaning) -> str:
    """What a name stands for, with its article."""
    match meaning:
        case TypeParameter():
            return "an element type"
        case Group(extent=Extent.SINGLE):
            return "an axis"
        case Group():
            return "an axis group"
        case Map():
            return "a map"
        case Integer():
            return "an integer"
        case ScalarDeclaration():
            return "a scalar"
        case DeclaredTensor(groups=groups):
            return "a family" if any(group.startswith(FAMILY) for group in groups) else "a tensor"
        case FunctionDeclaration():
            return "a function"
        case MonoidDeclaration():
            return "a monoid"
        case IndexLet(rank_class=rank_class):
            return "an integer" if rank_class is None else "a map"
        case TensorLet(value=value):
            return "a tensor" if value.groups else "a scalar"
        case LiteralLet():
            return "a number"
        case Bound():
            return "a bound index"
        case Later() | BrokenName():
            return "a name"
        case _:
            assert_never(meaning)
