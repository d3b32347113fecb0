"""Rules written as Python values: one function per operator, with the shape bookkeeping of the model.

Owns how tests make `model.rule` values without text. Groups and types of a node follow from its operands; `IllFormed`
says that the result is no rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rewright.model import formula as mf
from rewright.model import index as mi
from rewright.model import rule as m
from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.model.operator_table import COMPARISONS

T = mt.ElementType(None, Name("T"))
U = mt.ElementType(None, Name("U"))
INT = mt.ElementType("int", None)
NUMBERS = {"num": ("int", "real")}
PRED = mt.ElementType("pred", None)


class IllFormed(Exception):
    """The operands do not fit together: the model would report an error."""


def need(condition: bool, why: str) -> None:
    if not condition:
        raise IllFormed(why)


# ------------------------------------------------------------------------------------------------------- index world


@dataclass(frozen=True)
class Ix:
    """An index expression with Python's operators."""

    node: mi.Index

    def __add__(self, other: IndexLike) -> Ix:
        return operation("+", self, other)

    def __radd__(self, other: int) -> Ix:
        return operation("+", ix(other), self)

    def __sub__(self, other: IndexLike) -> Ix:
        return operation("-", self, other)

    def __rsub__(self, other: int) -> Ix:
        return operation("-", ix(other), self)

    def __mul__(self, other: IndexLike) -> Ix:
        return operation("*", self, other)

    def __floordiv__(self, other: IndexLike) -> Ix:
        return operation("//", self, other)

    def __mod__(self, other: IndexLike) -> Ix:
        return operation("%", self, other)


IndexLike = Ix | int


def ix(value: IndexLike) -> Ix:
    return value if isinstance(value, Ix) else Ix(mi.Number(value, 0))


def operation(operator: Any, left: IndexLike, right: IndexLike) -> Ix:
    a, b = ix(left).node, ix(right).node
    if operator in {"+", "-"} and isinstance(b, mi.Number) and b.value == 0:
        return Ix(a)
    if operator == "+" and isinstance(a, mi.Number) and a.value == 0:
        return Ix(b)
    return Ix(mi.IndexOperation(operator, a, b, 0))


def least(left: IndexLike, right: IndexLike) -> Ix:
    return operation("min", left, right)


def greatest(left: IndexLike, right: IndexLike) -> Ix:
    return operation("max", left, right)


def prod(value: Ix) -> Ix:
    return Ix(mi.Product(value.node, 0))


def rank_class(index: mi.Index) -> Name | None:
    match index:
        case mi.MapReference(rank_class=name) | mi.BoundIndex(rank_class=name):
            return name
        case mi.IndexOperation(left=left, right=right):
            one, other = rank_class(left), rank_class(right)
            need(one is None or other is None or one == other, "maps of two classes")
            return one or other
        case _:
            return None


# ---------------------------------------------------------------------------------------------------- formulas


def compare(operator: Any, left: IndexLike, right: IndexLike) -> mf.Formula:
    a, b = ix(left).node, ix(right).node
    return mf.IndexComparison(operator, a, b, rank_class(mi.IndexOperation("+", a, b, 0)), 0)


def both(*formulas: mf.Formula) -> mf.Formula:
    result = formulas[0]
    for formula in formulas[1:]:
        result = mf.Conjunction(result, formula, 0)
    return result


def either(*formulas: mf.Formula) -> mf.Formula:
    result = formulas[0]
    for formula in formulas[1:]:
        result = mf.Disjunction(result, formula, 0)
    return result


def negation(formula: mf.Formula) -> mf.Formula:
    return mf.Negation(formula, 0)


def some(group: Name, formula: mf.Formula) -> mf.Formula:
    return mf.Quantified("some", group, formula, 0)


def every(group: Name, formula: mf.Formula) -> mf.Formula:
    return mf.Quantified("every", group, formula, 0)


def compare_elements(operator: Any, left: mt.Tensor, right: mt.Tensor) -> mf.Formula:
    return mf.ElementComparison(operator, left, right, 0)


# ------------------------------------------------------------------------------------------------------ tensor world


def constant(text: str, type_: mt.ElementType) -> mt.Tensor:
    return mt.Constant(text, type_, (), 0)


def element_of(index: IndexLike, type_: mt.ElementType) -> mt.Tensor:
    need(rank_class(ix(index).node) is None, "elem of a map")
    return mt.ElementOf(ix(index).node, type_, (), 0)


def pointwise(operator: str, *operands: mt.Tensor) -> mt.Tensor:
    shaped = [operand.groups for operand in operands if operand.groups]
    need(all(set(groups) == set(shaped[0]) for groups in shaped), "groups differ")
    values = operands[1:] if operator == "select" else operands
    need(all(value.type == values[0].type for value in values), "types differ")
    type_ = PRED if operator in COMPARISONS else values[0].type
    return mt.Pointwise(operator, tuple(operands), type_, shaped[0] if shaped else (), 0)


def apply(function: m.FunctionDeclaration, *operands: mt.Tensor) -> mt.Tensor:
    shaped = [operand.groups for operand in operands if operand.groups]
    need(all(set(groups) == set(shaped[0]) for groups in shaped), "groups differ")
    need(tuple(operand.type for operand in operands) == function.parameters, "types differ")
    return mt.Apply(function.name, tuple(operands), function.result, shaped[0] if shaped else (), 0)


def bitcast(operand: mt.Tensor, sources: Sequence[Name], targets: Mapping[Name, IndexLike | None]) -> mt.Tensor:
    """Single axes in the place of others; the size None is the number of elements."""
    need(set(sources) <= set(operand.groups) and not set(targets) & set(operand.groups), "axes do not fit")
    place = min((operand.groups.index(group) for group in sources), default=len(operand.groups))
    after = tuple(group for group in operand.groups[place:] if group not in sources)
    sizes = tuple((group, None if size is None else ix(size).node) for group, size in targets.items())
    return mt.Bitcast(operand, tuple(sources), sizes, operand.type, (*operand.groups[:place], *targets, *after), 0)


def reshape(operand: mt.Tensor, dropped: Sequence[Name], added: Sequence[Name]) -> mt.Tensor:
    need(set(dropped) <= set(operand.groups) and not set(added) & set(operand.groups), "groups do not fit")
    groups = tuple(group for group in operand.groups if group not in dropped) + tuple(added)
    return mt.Reshape(operand, tuple(dropped), tuple(added), operand.type, groups, 0)


def broadcast(operand: mt.Tensor, sizes: Mapping[Name, IndexLike]) -> mt.Tensor:
    need(not set(sizes) & set(operand.groups), "group is not new")
    pairs = tuple((group, ix(size).node) for group, size in sizes.items())
    return mt.Broadcast(operand, pairs, operand.type, operand.groups + tuple(sizes), 0)


def iota(axis: Name, sizes: Mapping[Name, IndexLike], type_: mt.ElementType = INT) -> mt.Tensor:
    pairs = tuple((group, ix(size).node) for group, size in sizes.items())
    return mt.Iota(axis, pairs, type_, tuple(sizes), 0)


def slice_(operand: mt.Tensor, ranges: Mapping[Name, tuple[IndexLike, ...]]) -> mt.Tensor:
    need(set(ranges) <= set(operand.groups), "no such group")
    pairs = tuple((group, slice_range(*attributes)) for group, attributes in ranges.items())
    return mt.Slice(operand, pairs, operand.type, operand.groups, 0)


def slice_range(start: IndexLike, limit: IndexLike, stride: IndexLike = 1) -> mt.SliceRange:
    return mt.SliceRange(ix(start).node, ix(limit).node, ix(stride).node)


def dynamic_slice(operand: mt.Tensor, ranges: Mapping[Name, tuple[IndexLike, IndexLike]]) -> mt.Tensor:
    need(set(ranges) <= set(operand.groups), "no such group")
    pairs = tuple((group, mt.DynamicRange(ix(s).node, ix(n).node)) for group, (s, n) in ranges.items())
    return mt.DynamicSlice(operand, pairs, operand.type, operand.groups, 0)


def update(operand: mt.Tensor, block: mt.Tensor, starts: Mapping[Name, IndexLike]) -> mt.Tensor:
    need(set(starts) <= set(operand.groups) and set(operand.groups) == set(block.groups), "groups differ")
    need(operand.type == block.type, "types differ")
    pairs = tuple((group, ix(start).node) for group, start in starts.items())
    return mt.DynamicUpdateSlice(operand, block, pairs, operand.type, operand.groups, 0)


def pad(operand: mt.Tensor, value: mt.Tensor, paddings: Mapping[Name, tuple[IndexLike, ...]]) -> mt.Tensor:
    need(set(paddings) <= set(operand.groups), "no such group")
    need(value.type == operand.type and not value.groups, "the value does not fit")
    pairs = tuple((group, padding(*attributes)) for group, attributes in paddings.items())
    return mt.Pad(operand, value, pairs, operand.type, operand.groups, 0)


def padding(low: IndexLike, high: IndexLike, interior: IndexLike = 0) -> mt.Padding:
    return mt.Padding(ix(low).node, ix(high).node, ix(interior).node)


def concatenate(axis: Name, *operands: mt.Tensor) -> mt.Tensor:
    need(all(set(operand.groups) == set(operands[0].groups) for operand in operands), "groups differ")
    need(axis in operands[0].groups and all(o.type == operands[0].type for o in operands), "operands differ")
    return mt.Concatenate(tuple(operands), axis, operands[0].type, operands[0].groups, 0)


def reverse(operand: mt.Tensor, groups: Sequence[Name]) -> mt.Tensor:
    need(bool(groups) and set(groups) <= set(operand.groups), "no such group")
    reversed_ = tuple(group for group in operand.groups if group in groups)
    return mt.Reverse(operand, reversed_, operand.type, operand.groups, 0)


def transpose(operand: mt.Tensor, renaming: Mapping[Name, Name]) -> mt.Tensor:
    need(set(renaming) <= set(operand.groups), "no such group")
    groups = tuple(renaming.get(group, group) for group in operand.groups)
    need(len(set(groups)) == len(groups), "two groups of one name")
    return mt.Transpose(operand, tuple(renaming.items()), operand.type, groups, 0)


def reduce(monoid: str, operand: mt.Tensor, groups: Sequence[Name], init: mt.Tensor | None = None) -> mt.Tensor:
    need(bool(groups) and set(groups) <= set(operand.groups), "no such group")
    need(init is None or (init.type == operand.type and not init.groups), "init does not fit")
    kept = tuple(group for group in operand.groups if group not in groups)
    reduced = tuple(group for group in operand.groups if group in groups)
    return mt.Reduce(monoid, operand, reduced, init, operand.type, kept, 0)


def dot(left: mt.Tensor, right: mt.Tensor, contracted: Sequence[Name]) -> mt.Tensor:
    need(all(set(contracted) <= set(operand.groups) for operand in (left, right)), "no such group")
    need(left.type == right.type, "types differ")
    inner = tuple(group for group in left.groups if group in contracted)
    groups = tuple(group for group in left.groups if group not in inner)
    groups += tuple(group for group in right.groups if group not in left.groups)
    return mt.Dot(left, right, inner, left.type, groups, 0)


def window(
    size: IndexLike, stride: IndexLike = 1, low: IndexLike = 0, high: IndexLike = 0, base: IndexLike = 1
) -> mt.Window:
    return mt.Window(*(ix(part).node for part in (size, stride, low, high, base, 1)))


def reduce_window(
    monoid: str, operand: mt.Tensor, windows: Mapping[Name, mt.Window], init: mt.Tensor | None = None
) -> mt.Tensor:
    need(bool(windows) and set(windows) <= set(operand.groups), "no such group")
    need(init is None or (init.type == operand.type and not init.groups), "init does not fit")
    return mt.ReduceWindow(monoid, operand, tuple(windows.items()), init, operand.type, operand.groups, 0)


def convolution(image: mt.Tensor, kernel: mt.Tensor, like: mt.Convolution) -> mt.Tensor:
    """The same roles, windows and parts on other operands."""
    shared = {group for group in image.groups if group in kernel.groups}
    need(shared == {*like.feature, *(group for group, _ in like.windows)}, "groups have other roles")
    need(image.type == kernel.type, "types differ")
    groups = tuple(group for group in image.groups if group not in like.feature)
    groups += tuple(group for group in kernel.groups if group not in image.groups)
    need(set(groups) == set(like.groups), "groups have other roles")
    return replace(like, operand=image, kernel=kernel, type=image.type, groups=groups)


# ------------------------------------------------------------------------------------------------------------- rules


@dataclass
class Builder:
    """Collects the declarations of one rule."""

    groups: dict[Name, m.Group] = field(default_factory=dict)
    maps: dict[Name, m.MapDeclaration] = field(default_factory=dict)
    integers: list[Name] = field(default_factory=list)
    scalars: dict[Name, m.ScalarDeclaration] = field(default_factory=dict)
    tensors: dict[Name, m.TensorDeclaration] = field(default_factory=dict)
    where: list[mf.Formula] = field(default_factory=list)
    assumptions: list[mf.Assumption] = field(default_factory=list)
    functions: dict[Name, m.FunctionDeclaration] = field(default_factory=dict)
    constraint: str = "any"
    second: str | None = None
    """The constraint of `U`, if there is a second type parameter."""

    def group(self, name: str, like: Name | None = None, extent: m.Extent = m.Extent.ANY) -> Name:
        class_ = Name(name) if like is None else self.groups[like].rank_class
        extent = extent if like is None else self.groups[like].extent
        self.groups[Name(name)] = m.Group(Name(name), class_, extent)
        return Name(name)

    def axis(self, name: str) -> Name:
        return self.group(name, extent=m.Extent.SINGLE)

    def map(self, name: str, group: Name) -> Ix:
        class_ = self.groups[group].rank_class
        self.maps[Name(name)] = m.MapDeclaration(Name(name), class_)
        return Ix(mi.MapReference(Name(name), class_, 0))

    def integer(self, name: str) -> Ix:
        self.integers.append(Name(name))
        return Ix(mi.IntegerReference(Name(name), 0))

    def scalar(self, name: str, type_: mt.ElementType = T) -> mt.Tensor:
        self.scalars[Name(name)] = m.ScalarDeclaration(Name(name), type_)
        return mt.ScalarReference(Name(name), type_, (), 0)

    def tensor(self, name: str, shape: Mapping[Name, IndexLike], type_: mt.ElementType = T) -> mt.Tensor:
        pairs = tuple((group, ix(size).node) for group, size in shape.items())
        self.tensors[Name(name)] = m.TensorDeclaration(Name(name), type_, pairs, 0)
        return mt.TensorReference(Name(name), type_, tuple(shape), 0)

    def function(
        self, name: str, parameters: Sequence[mt.ElementType], result: mt.ElementType
    ) -> m.FunctionDeclaration:
        self.functions[Name(name)] = m.FunctionDeclaration(Name(name), tuple(parameters), result)
        return self.functions[Name(name)]

    def require(self, *formulas: mf.Formula) -> None:
        self.where.extend(formulas)

    def bound(self, group: Name) -> Ix:
        """The index along a group that an assumption binds."""
        return Ix(mi.BoundIndex(group, self.groups[group].rank_class, 0))

    def assume(self, groups: Sequence[Name], body: mf.Formula) -> None:
        self.assumptions.append(mf.Assumption(tuple(groups), body, 0))

    def rule(self, left: mt.Tensor, right: mt.Tensor, name: str = "random") -> m.Rule:
        need(set(left.groups) == set(right.groups) and left.type == right.type, "the sides do not fit")
        parameters = {Name("T"): self.constraint} | ({Name("U"): self.second} if self.second else {})
        kinds = [NUMBERS.get(constraint, (constraint,)) for constraint in parameters.values()]
        value = m.Rule(
            name=Name(name),
            type_parameters=tuple(m.TypeParameter(*each) for each in parameters.items()),
            groups=tuple(self.groups.values()),
            maps=tuple(self.maps.values()),
            integers=tuple(self.integers),
            scalars=tuple(self.scalars.values()),
            tensors=tuple(self.tensors.values()),
            functions=tuple(self.functions.values()),
            left=left,
            right=right,
            both=False,
            where=tuple(self.where),
            assumptions=tuple(self.assumptions),
            domains=tuple(tuple(zip(parameters, choice, strict=True)) for choice in product(*kinds)),
            examples=(),
        )
        return numbered(value)


def questions(rule: m.Rule) -> list[m.RuleQuestion]:
    return [m.RuleQuestion(rule, domain, "=>") for domain in rule.domains]


def numbered(rule: m.Rule) -> m.Rule:
    """The rule with every node's site numbered afresh, in preorder."""
    count = 0

    def visit(value: Any) -> Any:
        nonlocal count
        if isinstance(value, tuple):
            return tuple(visit(item) for item in value)
        if not isinstance(value, Struct):
            return value
        changes: dict[str, Any] = {}
        for name in value.__struct_fields__:
            if name == "site":
                count += 1
                changes["site"] = count
        for name in value.__struct_fields__:
            if name != "site":
                changes[name] = visit(getattr(value, name))
        return replace(value, **changes)

    result: m.Rule = visit(rule)
    return result
