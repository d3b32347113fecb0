"""Tensor expressions as values, after names, axis groups, element types and the operator table were checked.

Invariants: defaults of attributes are filled in; each node has a `site`, its number within the declaration (spans are
kept beside the rule, so that the value does not change when text merely moves); `groups` are those of the shape, in
order, none for a scalar; sizes stay symbolic. Must not know how an operator is decided or evaluated.
"""

from __future__ import annotations

from msgspec import Struct

from rewright.model.index import Index, Name

DECLARED = "monoid"
"""The word for a monoid that a rule declares."""


class ElementType(Struct, frozen=True):
    """An element type: a type parameter when `parameter` is set, else the concrete type `name` (int, real, s32 …)."""

    name: str | None
    parameter: Name | None


class TensorReference(Struct, frozen=True):
    """A declared tensor."""

    name: Name
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class ScalarReference(Struct, frozen=True):
    """A declared scalar: a tensor without groups, spread where it meets one that has groups."""

    name: Name
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Constant(Struct, frozen=True):
    """A number or truth written down: "2", "1/2" (from 0.5), "true", "false", "lowest", "highest". Without groups."""

    text: str
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class ElementOf(Struct, frozen=True):
    """`elem(k)`: the element of an integer expression. Without groups."""

    index: Index
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Pointwise(Struct, frozen=True):
    """An elementwise operator; operands without groups are spread.

    `operator` is the name of a row of the operator table that is elementwise. `select` takes predicate, on true, on
    false; `clamp` low, operand, high.
    """

    operator: str
    operands: tuple[Tensor, ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Apply(Struct, frozen=True):
    """A call of a declared `fn`, elementwise; operands without groups are spread."""

    function: Name
    operands: tuple[Tensor, ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Combine(Struct, frozen=True):
    """A call of a declared `monoid`, elementwise; operands without groups are spread. Of none, it is the identity."""

    monoid: Name
    operands: tuple[Tensor, ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Broadcast(Struct, frozen=True):
    """New groups with their sizes; the element does not depend on them."""

    operand: Tensor
    sizes: tuple[tuple[Name, Index], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Iota(Struct, frozen=True):
    """The index along the single axis `axis` as an element, over the listed groups."""

    axis: Name
    sizes: tuple[tuple[Name, Index], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class SliceRange(Struct, frozen=True):
    """Start, limit and stride on one group; `limit` None is the operand's size."""

    start: Index
    limit: Index | None
    stride: Index


class Slice(Struct, frozen=True):
    """`slice`; groups left out are untouched."""

    operand: Tensor
    ranges: tuple[tuple[Name, SliceRange], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class DynamicRange(Struct, frozen=True):
    """Start (clamped into range) and length on one group."""

    start: Index
    length: Index


class DynamicSlice(Struct, frozen=True):
    """`dynamic_slice`; groups left out are untouched."""

    operand: Tensor
    ranges: tuple[tuple[Name, DynamicRange], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class DynamicUpdateSlice(Struct, frozen=True):
    """`dynamic_update_slice`; the start is 0 on groups left out. Operand and update have the same groups."""

    operand: Tensor
    update: Tensor
    starts: tuple[tuple[Name, Index], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Padding(Struct, frozen=True):
    """Low, high (both may be negative) and interior padding on one group."""

    low: Index
    high: Index
    interior: Index


class Pad(Struct, frozen=True):
    """`pad` with the scalar `value`; groups left out are untouched."""

    operand: Tensor
    value: Tensor
    paddings: tuple[tuple[Name, Padding], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Concatenate(Struct, frozen=True):
    """`concatenate` of one or more operands along the single axis `axis`."""

    operands: tuple[Tensor, ...]
    axis: Name
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Reverse(Struct, frozen=True):
    """`reverse` along all axes of the listed groups."""

    operand: Tensor
    reversed: tuple[Name, ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Reshape(Struct, frozen=True):
    """`reshape(X, D -> [])` and `reshape(X, [] -> D)`: groups whose sizes are all 1 are dropped, and added."""

    operand: Tensor
    dropped: tuple[Name, ...]
    added: tuple[Name, ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Bitcast(Struct, frozen=True):
    """`bitcast(X, [A, b] -> [c: p, D: q])`, also `reshape`: axes in the place of others, row-major as listed.

    A single axis that comes alone may have the size None: the number of elements.
    """

    operand: Tensor
    sources: tuple[Name, ...]
    targets: tuple[tuple[Name, Index | None], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Transpose(Struct, frozen=True):
    """`transpose(X, I -> J, J -> I)`: groups renamed within their rank classes; others stay."""

    operand: Tensor
    renaming: tuple[tuple[Name, Name], ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Reduce(Struct, frozen=True):
    """`reduce` over all axes of `reduced` with `monoid`, combined with `init`.

    The monoid is the name of a row of the operator table, or DECLARED where it is one of the rule, whose name is `by`.
    """

    monoid: str
    operand: Tensor
    reduced: tuple[Name, ...]
    init: Tensor | None
    type: ElementType
    groups: tuple[Name, ...]
    site: int
    by: Name | None = None


class Dot(Struct, frozen=True):
    """`dot`: the sum over all axes of `contracted` of products; all other groups that both have are batch groups."""

    left: Tensor
    right: Tensor
    contracted: tuple[Name, ...]
    type: ElementType
    groups: tuple[Name, ...]
    site: int


class Window(Struct, frozen=True):
    """How windows lie on one group: the window's size, `stride` from one to the next, padding, and dilations.

    `base` spreads the operand and `window` the window; both are distances, so 1 leaves all as it is. `size` None is
    the size of the kernel of a convolution.
    """

    size: Index | None
    stride: Index
    low: Index
    high: Index
    base: Index
    window: Index


class ReduceWindow(Struct, frozen=True):
    """`reduce_window`: like `Reduce`, of each window of the operand padded with `init`; other groups stay."""

    monoid: str
    operand: Tensor
    windows: tuple[tuple[Name, Window], ...]
    init: Tensor | None
    type: ElementType
    groups: tuple[Name, ...]
    site: int
    by: Name | None = None


class Convolution(Struct, frozen=True):
    """`convolution`: at each window of the padded operand the sum of its products with the kernel.

    The groups that only the operand has are batch groups, those that only the kernel has output features; `feature` is
    summed over. `windows` are those of all spatial groups; on those in `reversed` the kernel is read from its end.
    """

    operand: Tensor
    kernel: Tensor
    feature: tuple[Name, ...]
    windows: tuple[tuple[Name, Window], ...]
    reversed: tuple[Name, ...]
    feature_groups: Index
    batch_groups: Index
    type: ElementType
    groups: tuple[Name, ...]
    site: int


Tensor = (
    TensorReference
    | ScalarReference
    | Constant
    | ElementOf
    | Pointwise
    | Apply
    | Combine
    | Broadcast
    | Iota
    | Slice
    | DynamicSlice
    | DynamicUpdateSlice
    | Pad
    | Concatenate
    | Reverse
    | Reshape
    | Bitcast
    | Transpose
    | Reduce
    | Dot
    | ReduceWindow
    | Convolution
)
"""A tensor expression; `groups` are those of its shape, in order, none for a scalar."""
