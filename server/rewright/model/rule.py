"""A checked rewrite rule as a value: what `rules/` lowers to terms and what `replay/` evaluates.

Owns the meaning-carrying form of a `rule` or `lemma`: its declarations, its two sides, its questions. Expressions are
those of `index`, `tensor` and `formula`. Must not know how a rule is decided or evaluated.

Source: TensorRight (POPL 2025), sections 4.1 to 4.3: axis groups are its aggregated axes, rank classes its RClasses.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from msgspec import Struct

from rewright.model.formula import Assumption, Formula
from rewright.model.index import Index, Name
from rewright.model.tensor import ElementType, Tensor


class Extent(StrEnum):
    """Which ranks a rank class may have: any, any but 0, or exactly one axis."""

    ANY = "any"
    NONEMPTY = "nonempty"
    SINGLE = "single"


class Group(Struct, frozen=True):
    """An axis group. Groups of one `rank_class` (named after its first group) have one rank and corresponding axes.

    An axis along which the members of a family lie has the `int` that says how many there are, at least 1.
    """

    name: Name
    rank_class: Name
    extent: Extent
    members: Name | None = None


class TypeParameter(Struct, frozen=True):
    """`T: any`. `constraint` is any, num, int, real, pred or a machine type such as s32 and bf16."""

    name: Name
    constraint: str


class MapDeclaration(Struct, frozen=True):
    """`map n on A`: one unknown integer for each axis of `rank_class`."""

    name: Name
    rank_class: Name


class ScalarDeclaration(Struct, frozen=True):
    """`scalar c: T`, or `tensor c: T[]` (`is_tensor`, which matters to what is shown only): one unknown element."""

    name: Name
    type: ElementType
    is_tensor: bool = False


class TensorDeclaration(Struct, frozen=True):
    """`tensor X: T[A: n, d: m]`. Each group with its size (a map expression on the group's rank class), as declared."""

    name: Name
    type: ElementType
    shape: tuple[tuple[Name, Index], ...]
    site: int


class FunctionDeclaration(Struct, frozen=True):
    """`fn f: (T, U) -> V`: any function of elements, the same everywhere in the rule; total."""

    name: Name
    parameters: tuple[ElementType, ...]
    result: ElementType


class MonoidDeclaration(Struct, frozen=True):
    """`monoid op: T`: any commutative monoid on the elements of a type, the same everywhere in the rule."""

    name: Name
    type: ElementType


class Pinned(Struct, frozen=True):
    """`example { … }`: what it pins. Ranks by group, maps by axis, integers, scalars and tensors flat and row-major.

    A tensor's text is None for `iota` (0, 1, 2, … in row-major order).
    """

    ranks: tuple[tuple[Name, int], ...]
    maps: tuple[tuple[Name, tuple[int, ...]], ...]
    integers: tuple[tuple[Name, int], ...]
    scalars: tuple[tuple[Name, str], ...]
    tensors: tuple[tuple[Name, tuple[str, ...] | None], ...]
    site: int


class Rule(Struct, frozen=True):
    """A rewrite `left => right`, or `left <=> right` when `both` holds.

    `where` is conjoined. `domains` lists the questions' element domains: for each, every type parameter with its type
    ("any", "int", "real", "pred" or a machine type); one entry `()` if the rule has no type parameter.
    """

    name: Name
    type_parameters: tuple[TypeParameter, ...]
    groups: tuple[Group, ...]
    maps: tuple[MapDeclaration, ...]
    integers: tuple[Name, ...]
    scalars: tuple[ScalarDeclaration, ...]
    tensors: tuple[TensorDeclaration, ...]
    functions: tuple[FunctionDeclaration, ...]
    left: Tensor
    right: Tensor
    both: bool
    where: tuple[Formula, ...]
    assumptions: tuple[Assumption, ...]
    domains: tuple[tuple[tuple[Name, str], ...], ...]
    examples: tuple[Pinned, ...]
    monoids: tuple[MonoidDeclaration, ...] = ()

    @property
    def question_count(self) -> int:
        """How many questions are asked: each domain, each direction that is claimed."""
        return len(self.domains) * (1 + self.both)


class RuleQuestion(Struct, frozen=True):
    """One question of a rule: an assignment of types to the type parameters, and a direction ("=>" or "<=")."""

    rule: Rule
    domain: tuple[tuple[Name, str], ...]
    direction: Literal["=>", "<="]

    @property
    def domain_text(self) -> str:
        """The element types that the question is about: one for each type parameter, without any the result's."""
        return "/".join(kind for _, kind in self.domain) or str(self.rule.left.type.name)


FAMILY = "..."
"""How the name of an axis begins along which the members of a family lie; what follows says how many they are."""

HOLE = "?"
"""How the name of a map begins that stands for a hole in an attribute."""


def holes(rule: Rule) -> tuple[Name, ...]:
    """The maps of a rule that stand for its holes, in the order in which they stand."""
    return tuple(declared.name for declared in rule.maps if declared.name.startswith(HOLE))
