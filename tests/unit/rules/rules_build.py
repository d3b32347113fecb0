"""Checked rules built by hand, without the parser: operators on small wrappers make the model's values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from rewright.model import formula as mf
from rewright.model import index as mi
from rewright.model import rule as m
from rewright.model import tensor as mt
from rewright.model.index import Name
from rewright.model.operator_table import COMPARISONS
from rewright.rules.decision import Budget
from rewright.rules.models import GaveUp, Model, ModelSession
from rewright.verdict import Failure

_sites = count(1)


def site() -> int:
    return next(_sites)


@dataclass(frozen=True, eq=False)
class Ix:
    """An index expression; comparisons make formulas."""

    node: mi.Index

    def __add__(self, other: Ix | int) -> Ix:
        return _index("+", self, other)

    def __radd__(self, other: int) -> Ix:
        return _index("+", ix(other), self)

    def __sub__(self, other: Ix | int) -> Ix:
        return _index("-", self, other)

    def __rsub__(self, other: int) -> Ix:
        return _index("-", ix(other), self)

    def __mul__(self, other: Ix | int) -> Ix:
        return _index("*", self, other)

    __rmul__ = __mul__

    def __floordiv__(self, other: Ix | int) -> Ix:
        return _index("//", self, other)

    def __mod__(self, other: Ix | int) -> Ix:
        return _index("%", self, other)

    def __neg__(self) -> Ix:
        return _index("-", ix(0), self)

    def __lt__(self, other: Ix | int) -> F:
        return _compare("<", self, other)

    def __le__(self, other: Ix | int) -> F:
        return _compare("<=", self, other)

    def __gt__(self, other: Ix | int) -> F:
        return _compare(">", self, other)

    def __ge__(self, other: Ix | int) -> F:
        return _compare(">=", self, other)

    def __eq__(self, other: object) -> F:  # type: ignore[override]
        assert isinstance(other, Ix | int)
        return _compare("==", self, other)

    def __ne__(self, other: object) -> F:  # type: ignore[override]
        assert isinstance(other, Ix | int)
        return _compare("!=", self, other)


def ix(value: Ix | int) -> Ix:
    return value if isinstance(value, Ix) else Ix(mi.Number(value, site()))


def _index(operator: str, left: Ix | int, right: Ix | int) -> Ix:
    return Ix(mi.IndexOperation(operator, ix(left).node, ix(right).node, site()))  # type: ignore[arg-type]


def least(left: Ix | int, right: Ix | int) -> Ix:
    return _index("min", left, right)


def most(left: Ix | int, right: Ix | int) -> Ix:
    return _index("max", left, right)


def prod(operand: Ix) -> Ix:
    return Ix(mi.Product(operand.node, site()))


def rank_class(index: mi.Index) -> Name | None:
    match index:
        case mi.MapReference(rank_class=name):
            return name
        case mi.IndexOperation(left=left, right=right):
            return rank_class(left) or rank_class(right)
        case _:
            return None


@dataclass(frozen=True)
class F:
    """A formula."""

    node: mf.Formula

    def __and__(self, other: F) -> F:
        return F(mf.Conjunction(self.node, other.node, site()))

    def __or__(self, other: F) -> F:
        return F(mf.Disjunction(self.node, other.node, site()))

    def __invert__(self) -> F:
        return F(mf.Negation(self.node, site()))


def _compare(operator: str, left: Ix | int, right: Ix | int) -> F:
    first, second = ix(left).node, ix(right).node
    return F(mf.IndexComparison(operator, first, second, rank_class(first) or rank_class(second), site()))  # type: ignore[arg-type]


def some(group: str, body: F) -> F:
    return F(mf.Quantified("some", Name(group), body.node, site()))


def every(group: str, body: F) -> F:
    return F(mf.Quantified("every", Name(group), body.node, site()))


@dataclass(frozen=True, eq=False)
class T:
    """A tensor expression."""

    node: mt.Tensor

    def __add__(self, other: T | int) -> T:
        return point("add", self, like(self, other))

    def __sub__(self, other: T | int) -> T:
        return point("subtract", self, like(self, other))

    def __mul__(self, other: T | int) -> T:
        return point("multiply", self, like(self, other))

    def __neg__(self) -> T:
        return point("negate", self)


def like(tensor: T, other: T | int | str) -> T:
    """A literal of the same type."""
    if isinstance(other, T):
        return other
    return T(mt.Constant(str(other), tensor.node.type, (), site()))


PRED = mt.ElementType("pred", None)


def point(operator: str, *operands: T) -> T:
    groups = next((o.node.groups for o in operands if o.node.groups), ())
    type_ = PRED if operator in COMPARISONS else operands[-1].node.type
    return T(mt.Pointwise(operator, tuple(o.node for o in operands), type_, groups, site()))


def compare(operator: str, left: T, right: T) -> F:
    return F(mf.ElementComparison(operator, left.node, right.node, site()))  # type: ignore[arg-type]


IndexLike = Ix | int
Sizes = dict[str, IndexLike]


def _sizes(sizes: Sizes) -> tuple[tuple[Name, mi.Index], ...]:
    return tuple((Name(group), ix(size).node) for group, size in sizes.items())


def broadcast(x: T, **sizes: Ix | int) -> T:
    groups = (*x.node.groups, *(Name(group) for group in sizes))
    return T(mt.Broadcast(x.node, _sizes(sizes), x.node.type, groups, site()))


def slice_(x: T, **ranges: tuple[Ix | int, Ix | int | None, Ix | int]) -> T:
    made = tuple(
        (Name(g), mt.SliceRange(ix(s).node, None if e is None else ix(e).node, ix(p).node))
        for g, (s, e, p) in ranges.items()
    )
    return T(mt.Slice(x.node, made, x.node.type, x.node.groups, site()))


def dynamic_slice(x: T, **ranges: tuple[Ix | int, Ix | int]) -> T:
    made = tuple((Name(g), mt.DynamicRange(ix(s).node, ix(n).node)) for g, (s, n) in ranges.items())
    return T(mt.DynamicSlice(x.node, made, x.node.type, x.node.groups, site()))


def update(x: T, u: T, **starts: Ix | int) -> T:
    return T(mt.DynamicUpdateSlice(x.node, u.node, _sizes(starts), x.node.type, x.node.groups, site()))


def pad(x: T, value: T, **paddings: tuple[Ix | int, Ix | int, Ix | int]) -> T:
    """Low, high, interior."""
    made = tuple((Name(g), mt.Padding(ix(a).node, ix(b).node, ix(c).node)) for g, (a, b, c) in paddings.items())
    return T(mt.Pad(x.node, value.node, made, x.node.type, x.node.groups, site()))


def concatenate(axis: str, *xs: T) -> T:
    first = xs[0].node
    return T(mt.Concatenate(tuple(x.node for x in xs), Name(axis), first.type, first.groups, site()))


def reverse(x: T, *groups: str) -> T:
    return T(mt.Reverse(x.node, tuple(map(Name, groups)), x.node.type, x.node.groups, site()))


def transpose(x: T, **renaming: str) -> T:
    groups = tuple(Name(renaming.get(g, g)) for g in x.node.groups)
    return T(mt.Transpose(x.node, tuple((Name(a), Name(b)) for a, b in renaming.items()), x.node.type, groups, site()))


def reduce_(monoid: str, x: T, *groups: str, init: T | None = None) -> T:
    left = tuple(g for g in x.node.groups if g not in groups)
    start = None if init is None else init.node
    return T(mt.Reduce(monoid, x.node, tuple(map(Name, groups)), start, x.node.type, left, site()))


@dataclass
class Draft:
    """Declarations of a rule. `axes` as in the language: "A, B+, I ~ J", and "d!" for a single axis."""

    axes: str
    type: str = "any"
    groups: dict[str, m.Group] = field(default_factory=dict)
    maps: list[m.MapDeclaration] = field(default_factory=list)
    integers: list[Name] = field(default_factory=list)
    scalars: list[m.ScalarDeclaration] = field(default_factory=list)
    tensors: list[m.TensorDeclaration] = field(default_factory=list)

    def __post_init__(self) -> None:
        for declaration in filter(None, (part.strip() for part in self.axes.split(","))):
            names = [name.strip() for name in declaration.split("~")]
            first = names[0].rstrip("+!")
            mark = names[0][len(first) :]
            extent = {"": m.Extent.ANY, "+": m.Extent.NONEMPTY, "!": m.Extent.SINGLE}[mark]
            for name in names:
                plain = name.rstrip("+!")
                self.groups[plain] = m.Group(Name(plain), Name(first), extent)

    def _type(self, name: str) -> mt.ElementType:
        return mt.ElementType(None, Name("T")) if name == "T" else mt.ElementType(name, None)

    def map(self, names: str, group: str) -> list[Ix]:
        kind = self.groups[group].rank_class
        self.maps += (m.MapDeclaration(Name(name), kind) for name in names.split())
        return [Ix(mi.MapReference(Name(name), kind, site())) for name in names.split()]

    def int(self, name: str) -> Ix:
        self.integers.append(Name(name))
        return Ix(mi.IntegerReference(Name(name), site()))

    def index(self, scalar: T) -> Ix:
        """An integer scalar used as an index."""
        assert isinstance(scalar.node, mt.ScalarReference)
        return Ix(mi.IntegerReference(scalar.node.name, site()))

    def elem(self, index: IndexLike, type_: str = "T") -> T:
        return T(mt.ElementOf(ix(index).node, self._type(type_), (), site()))

    def scalar(self, name: str, type_: str = "T") -> T:
        self.scalars.append(m.ScalarDeclaration(Name(name), self._type(type_)))
        return T(mt.ScalarReference(Name(name), self._type(type_), (), site()))

    def tensor(self, name: str, type_: str = "T", **shape: IndexLike) -> T:
        self.tensors.append(m.TensorDeclaration(Name(name), self._type(type_), _sizes(shape), site()))
        return T(mt.TensorReference(Name(name), self._type(type_), tuple(map(Name, shape)), site()))

    def constant(self, text: str, type_: str = "T") -> T:
        return T(mt.Constant(text, self._type(type_), (), site()))

    def iota(self, axis: str, type_: str = "T", **sizes: IndexLike) -> T:
        return T(mt.Iota(Name(axis), _sizes(sizes), self._type(type_), tuple(map(Name, sizes)), site()))

    def assume(self, body: F, *groups: str) -> mf.Assumption:
        return mf.Assumption(tuple(map(Name, groups)), body.node, site())

    def rule(self, left: T, right: T, *where: F, assume: tuple[mf.Assumption, ...] = ()) -> m.RuleQuestion:
        """The question in the draft's domain, forwards."""
        domain = ((Name("T"), self.type),)
        made = m.Rule(
            name=Name("rule"),
            type_parameters=(m.TypeParameter(Name("T"), self.type),),
            groups=tuple(self.groups.values()),
            maps=tuple(self.maps),
            integers=tuple(self.integers),
            scalars=tuple(self.scalars),
            tensors=tuple(self.tensors),
            functions=(),
            left=left.node,
            right=right.node,
            both=False,
            where=tuple(formula.node for formula in where),
            assumptions=assume,
            domains=(domain,),
            examples=(),
        )
        return m.RuleQuestion(made, domain, "=>")


def find_model(
    question: m.RuleQuestion, ranks: Mapping[Name, int], limit: int | None, fails: Failure | None = None
) -> Model | GaveUp | None:
    """A model of the raw rule at `ranks` with integers at most `limit` in absolute value; None if there is none."""
    with ModelSession(question, ranks, fails, Budget().steps) as session:
        return session.find(limit)
