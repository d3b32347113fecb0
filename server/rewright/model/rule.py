"""A checked rewrite rule as a value: what `rules/` lowers to terms and what `replay/` evaluates.

Owns the meaning-carrying form of a `rule` or `lemma` after names, axis groups, element types and the operator table
were checked. Invariants: every name is declared in the rule; `let`s are substituted; defaults of attributes are filled
in; each node has a `site`, its number within the declaration (spans are kept beside the rule, so that the value does
not change when text merely moves); shapes are given as ordered axis groups, sizes stay symbolic. Must not know how a
rule is decided or evaluated.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NewType

Name = NewType("Name", str)
"""A declared symbol. `canonical` renumbers exactly the strings of this type."""

# ---------------------------------------------------------------------------------------------------- declarations


class Extent(StrEnum):
    """Which ranks a rank class may have: any, any but 0, or exactly one axis."""

    ANY = "any"
    NONEMPTY = "nonempty"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class Group:
    """An axis group. Groups of one `rank_class` (named after its first group) have one rank and corresponding axes."""

    name: Name
    rank_class: Name
    extent: Extent


@dataclass(frozen=True, slots=True)
class TypeParameter:
    """`T: any`. `constraint` is any, num, int, real, pred or a machine type such as s32 and bf16."""

    name: Name
    constraint: str


@dataclass(frozen=True, slots=True)
class ElementType:
    """An element type: a type parameter when `parameter` is set, else the concrete type `name` (int, real, s32 …)."""

    name: str | None
    parameter: Name | None


@dataclass(frozen=True, slots=True)
class MapDeclaration:
    """`map n on A`: one unknown integer for each axis of `rank_class`."""

    name: Name
    rank_class: Name


@dataclass(frozen=True, slots=True)
class ScalarDeclaration:
    """`scalar c: T`: one unknown element."""

    name: Name
    type: ElementType


@dataclass(frozen=True, slots=True)
class TensorDeclaration:
    """`tensor X: T[A: n, d: m]`. Each group with its size (a map expression on the group's rank class), as declared."""

    name: Name
    type: ElementType
    shape: tuple[tuple[Name, Index], ...]
    site: int


# ------------------------------------------------------------------------------------------------------- index world


@dataclass(frozen=True, slots=True)
class Number:
    """An integer literal; lifts to a constant map."""

    value: int
    site: int


@dataclass(frozen=True, slots=True)
class MapReference:
    """A map: one integer per axis of `rank_class`."""

    name: Name
    rank_class: Name
    site: int


@dataclass(frozen=True, slots=True)
class IntegerReference:
    """An `int k`, or an integer scalar used as an index (its value)."""

    name: Name
    site: int


@dataclass(frozen=True, slots=True)
class IndexOperation:
    """Index arithmetic over the integers, per axis. `//` floors and `%` is its remainder; negation is `0 - x`.

    A division by zero makes the side that it stands in invalid (in a `where`: the formula does not hold).
    """

    operator: Literal["+", "-", "*", "//", "%", "min", "max"]
    left: Index
    right: Index
    site: int


@dataclass(frozen=True, slots=True)
class Product:
    """`prod(n)`: the product over the axes of a map, an integer."""

    operand: Index
    site: int


Index = Number | MapReference | IntegerReference | IndexOperation | Product
"""A map expression (one integer per axis of one rank class) or an integer expression."""

# ----------------------------------------------------------------------------------------------------- tensor world


@dataclass(frozen=True, slots=True)
class TensorReference:
    """A declared tensor."""

    name: Name
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class ScalarReference:
    """A declared scalar: a tensor without groups, spread where it meets one that has groups."""

    name: Name
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Constant:
    """A number or truth written down: "2", "1/2" (from 0.5), "true", "false", "lowest", "highest". Without groups."""

    text: str
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class ElementOf:
    """`elem(k)`: the element of an integer expression. Without groups."""

    index: Index
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Pointwise:
    """An elementwise operator; operands without groups are spread.

    `operator`: add subtract multiply divide remainder maximum minimum negate abs exponential sign, and or not, the
    comparisons eq ne lt le gt ge (type pred), select (predicate, on true, on false), clamp (low, operand, high). Which
    of them a version decides is the operator table's business.
    """

    operator: str
    operands: tuple[Tensor, ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Broadcast:
    """New groups with their sizes; the element does not depend on them."""

    operand: Tensor
    sizes: tuple[tuple[Name, Index], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Iota:
    """The index along the single axis `axis` as an element, over the listed groups."""

    axis: Name
    sizes: tuple[tuple[Name, Index], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class SliceRange:
    """Start, limit and stride on one group; `limit` None is the operand's size."""

    start: Index
    limit: Index | None
    stride: Index


@dataclass(frozen=True, slots=True)
class Slice:
    """`slice`; groups left out are untouched."""

    operand: Tensor
    ranges: tuple[tuple[Name, SliceRange], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class DynamicRange:
    """Start (clamped into range) and length on one group."""

    start: Index
    length: Index


@dataclass(frozen=True, slots=True)
class DynamicSlice:
    """`dynamic_slice`; groups left out are untouched."""

    operand: Tensor
    ranges: tuple[tuple[Name, DynamicRange], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class DynamicUpdateSlice:
    """`dynamic_update_slice`; the start is 0 on groups left out. Operand and update have the same groups."""

    operand: Tensor
    update: Tensor
    starts: tuple[tuple[Name, Index], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Padding:
    """Low, high (both may be negative) and interior padding on one group."""

    low: Index
    high: Index
    interior: Index


@dataclass(frozen=True, slots=True)
class Pad:
    """`pad` with the scalar `value`; groups left out are untouched."""

    operand: Tensor
    value: Tensor
    paddings: tuple[tuple[Name, Padding], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Concatenate:
    """`concatenate` of one or more operands along the single axis `axis`."""

    operands: tuple[Tensor, ...]
    axis: Name
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Reverse:
    """`reverse` along all axes of the listed groups."""

    operand: Tensor
    reversed: tuple[Name, ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Transpose:
    """`transpose(X, I -> J, J -> I)`: groups renamed within their rank classes; others stay."""

    operand: Tensor
    renaming: tuple[tuple[Name, Name], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Reduce:
    """`reduce` over all axes of `reduced` with `monoid` (add multiply maximum minimum and or), combined with `init`."""

    monoid: str
    operand: Tensor
    reduced: tuple[Name, ...]
    init: Tensor | None
    type: ElementType
    groups: tuple[Name, ...]
    site: int


Tensor = (
    TensorReference
    | ScalarReference
    | Constant
    | ElementOf
    | Pointwise
    | Broadcast
    | Iota
    | Slice
    | DynamicSlice
    | DynamicUpdateSlice
    | Pad
    | Concatenate
    | Reverse
    | Transpose
    | Reduce
)
"""A tensor expression; `groups` are those of its shape, in order, none for a scalar."""

# ---------------------------------------------------------------------------------------------------- preconditions


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool
    site: int


@dataclass(frozen=True, slots=True)
class IndexComparison:
    """A comparison of map or integer expressions.

    With maps of rank class `rank_class` it holds on every axis of it (a fold) when it stands outside `some` and
    `every`, and speaks of one axis inside them. `rank_class` is None when both sides are integers.
    """

    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Index
    right: Index
    rank_class: Name | None
    site: int


@dataclass(frozen=True, slots=True)
class ElementComparison:
    """A comparison of elements: scalars, literals, arithmetic on them; in an assumption also tensors at its index."""

    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Tensor
    right: Tensor
    site: int


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`p and q`, evaluated left to right as far as needed."""

    left: Formula
    right: Formula
    site: int


@dataclass(frozen=True, slots=True)
class Disjunction:
    """`p or q`, evaluated left to right as far as needed."""

    left: Formula
    right: Formula
    site: int


@dataclass(frozen=True, slots=True)
class Negation:
    """`not p`."""

    operand: Formula
    site: int


@dataclass(frozen=True, slots=True)
class Quantified:
    """`some A: p`, `every A: p`: p is read on one axis of the group's rank class."""

    quantifier: Literal["some", "every"]
    rank_class: Name
    body: Formula
    site: int


Formula = Truth | IndexComparison | ElementComparison | Conjunction | Disjunction | Negation | Quantified
"""A precondition. Division by zero in it makes it not hold."""


@dataclass(frozen=True, slots=True)
class Assumption:
    """`assume forall i on A: body`: at every index that is in range in all tensors read by `body`.

    In `body` a `TensorReference` stands for the element at the bound index; `groups` are the groups that are bound.
    """

    groups: tuple[Name, ...]
    body: Formula
    site: int


# ------------------------------------------------------------------------------------------------------------ rules


@dataclass(frozen=True, slots=True)
class Pinned:
    """`example { … }`: what it pins. Ranks by group, maps by axis, integers, scalars and tensors flat and row-major.

    A tensor's text is None for `iota` (0, 1, 2, … in row-major order).
    """

    ranks: tuple[tuple[Name, int], ...]
    maps: tuple[tuple[Name, tuple[int, ...]], ...]
    integers: tuple[tuple[Name, int], ...]
    scalars: tuple[tuple[Name, str], ...]
    tensors: tuple[tuple[Name, tuple[str, ...] | None], ...]
    site: int


@dataclass(frozen=True, slots=True)
class Rule:
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
    left: Tensor
    right: Tensor
    both: bool
    where: tuple[Formula, ...]
    assumptions: tuple[Assumption, ...]
    domains: tuple[tuple[tuple[Name, str], ...], ...]
    examples: tuple[Pinned, ...]


@dataclass(frozen=True, slots=True)
class RuleQuestion:
    """One question of a rule: an assignment of types to the type parameters, and a direction ("=>" or "<=")."""

    rule: Rule
    domain: tuple[tuple[Name, str], ...]
    direction: Literal["=>", "<="]

    @property
    def domain_text(self) -> str:
        """The element types that the question is about: one for each type parameter, without any the result's."""
        return "/".join(kind for _, kind in self.domain) or str(self.rule.left.type.name)
