"""What a tensor expression means: a shape, and an element at every index.

Owns the form in which operators are stated and the collection of what makes a side valid. `shape` gives each axis
group's size on "the" axis of it; `at` takes one index per group, again on "the" axis.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, field

from rewright.equality import EVERYWHERE, Fact
from rewright.meaning.indices import index_meaning
from rewright.meaning.scope import MeaningScope
from rewright.model.index import Index, Name
from rewright.model.tensor import Tensor
from rewright.terms import TRUE, Sort, Term, conjoin, every_axis, non_negative

Indices = Mapping[Name, Term]
"""One index term per axis group."""


class Entry(Struct, frozen=True):
    """An element; its value matters only where it is defined."""

    value: Term
    defined: Term = TRUE


class Meaning(Struct, frozen=True):
    """The meaning of a tensor expression. Without groups it is a scalar and is spread."""

    shape: Mapping[Name, Term]
    sort: Sort
    at: Callable[[Indices], Entry]


class RuleSide(Struct):
    """One side of a rule while it is being read: `facts` say together that it is valid.

    The parts in `general` are read as tensors of these names, of which `shapes` are the shapes met so far.
    """

    scope: MeaningScope
    facts: list[Fact] = field(default_factory=list)
    general: Mapping[Tensor, Name] = field(default_factory=dict)
    shapes: dict[Name, Mapping[Name, Term]] = field(default_factory=dict)

    def need(self, group: Name, *truths: Term) -> None:
        """The side is valid only if the truths hold on every axis of the group."""
        self.facts += ((self.scope.home(group), truth) for truth in truths if truth is not TRUE)

    def attribute(self, index: Index, group: Name) -> Term:
        """An attribute's term on the axes of a group; its divisions become conditions of validity."""
        meaning = index_meaning(index, self.scope)
        if meaning.defined is not TRUE:
            home = EVERYWHERE if meaning.rank_class is None else self.scope.home(group)
            self.facts.append((home, meaning.defined))
        return meaning.term

    def integer(self, index: Index) -> Term:
        """The term of an integer expression that is always evaluated."""
        meaning = index_meaning(index, self.scope)
        if meaning.defined is not TRUE:
            self.facts.append((EVERYWHERE, meaning.defined))
        return meaning.term

    def sizes(self, sizes: tuple[tuple[Name, Index], ...]) -> dict[Name, Term]:
        """Sizes that are written down; the side is valid only if none is negative."""
        shape = {group: self.attribute(size, group) for group, size in sizes}
        for group, size in shape.items():
            self.need(group, non_negative(size))
        return shape

    def every(self, tests: Mapping[Name, Term]) -> Term:
        """The tests hold on all axes of their groups: one fold per rank class."""
        return conjoin(*(every_axis(self.scope.classes[group], test) for group, test in tests.items()))
