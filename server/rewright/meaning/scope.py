"""What the names of a text stand for as terms: rank classes of axis groups, sorts of elements.

Invariant: a group of one axis has no rank class, its maps are single unknowns; those of `nonempty` are known to have an
axis. `NotCovered` is raised, with a reason that a reader can act on, for whatever lies outside.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.equality import EVERYWHERE
from rewright.model.index import Name
from rewright.model.rule import TensorDeclaration
from rewright.model.tensor import ElementType
from rewright.terms import INT, REAL, TRUTH, RankClass, Sort, Term, element_of, variable

SORTS = {"int": INT, "real": REAL, "pred": TRUTH}


class NotCovered(Exception):
    """Something that is not decided here; its text says what, and what is."""


class MeaningScope(Struct, frozen=True):
    """The names of a text under one assignment of types."""

    classes: dict[Name, Name | None]
    singles: frozenset[Name]
    nonempty: frozenset[str]
    tensors: dict[Name, TensorDeclaration]
    scalars: dict[Name, ElementType]
    domain: dict[Name, str]
    combined: frozenset[ElementType]

    @property
    def rank_classes(self) -> tuple[Name, ...]:
        """The rank classes that may have any rank, in declared order."""
        return tuple(dict.fromkeys(each for each in self.classes.values() if each is not None))

    def home(self, group: Name) -> str:
        """Where facts about a group's axes are kept."""
        return self.classes[group] or EVERYWHERE

    def of_class(self, rank_class: Name) -> RankClass:
        """The class for terms: None if it is a single axis."""
        return None if rank_class in self.singles else rank_class

    def sort(self, type_: ElementType) -> Sort:
        """The sort of elements of a type. Raises `NotCovered` for machine types."""
        name = type_.name if type_.parameter is None else self.domain[type_.parameter]
        if name == "any" and type_ in self.combined:
            return REAL
        if name == "any":
            return Sort(f"any {type_.parameter}")
        if name not in SORTS:
            raise NotCovered(f"elements of type `{name}` are not decided yet; int, real, pred and any are")
        return SORTS[name]

    def scalar(self, name: Name) -> Term:
        """A scalar as an element; an integer scalar is the element of its value as an index."""
        sort = self.sort(self.scalars[name])
        return element_of(variable(name, None), INT) if sort == INT else variable(name, None, sort)
