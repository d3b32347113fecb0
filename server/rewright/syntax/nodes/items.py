"""Owns the nodes of what stands between the braces of a declaration: rule items and statements.

Invariant: an item whose keyword was read is there, however little of the rest is.
It must not know which declaration holds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rewright.syntax.nodes.expressions import Expression, FnType, Keyed, Name, Node, TypeRef
from rewright.syntax.nodes.parts import Parameter
from rewright.syntax.text import Span

AssignOperator: TypeAlias = Literal["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]


@dataclass(frozen=True, slots=True)
class GroupDecl(Node):
    """An axis group; with `+` its rank is at least 1."""

    name: Name
    plus: bool


@dataclass(frozen=True, slots=True)
class RankClass(Node):
    """Groups linked by `~`: one rank, corresponding axes."""

    groups: tuple[GroupDecl, ...]


@dataclass(frozen=True, slots=True)
class Axes(Node):
    """`axes A+ ~ B, C`."""

    classes: tuple[RankClass, ...]


@dataclass(frozen=True, slots=True)
class AxisItem(Node):
    """`axis d, m ~ k`: groups of exactly one axis."""

    classes: tuple[RankClass, ...]


@dataclass(frozen=True, slots=True)
class MapItem(Node):
    """`map n, m on A`."""

    names: tuple[Name, ...]
    on: Name | None


@dataclass(frozen=True, slots=True)
class IntItem(Node):
    """`int k`."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class ScalarItem(Node):
    """`scalar a, b: T`."""

    names: tuple[Name, ...]
    type: TypeRef | None


@dataclass(frozen=True, slots=True)
class Family(Node):
    """`Xs...k`: k tensors; the count is None where it is not written yet."""

    name: Name
    count: Name | None


@dataclass(frozen=True, slots=True)
class TensorItem(Node):
    """`tensor X, Ys...k: T[A: n]`; `names` has those of the families, too."""

    names: tuple[Name, ...]
    type: TypeRef | None
    families: tuple[Family, ...] = ()


@dataclass(frozen=True, slots=True)
class FnItem(Node):
    """`fn f: (T, T) -> T`."""

    names: tuple[Name, ...]
    type: FnType | None


@dataclass(frozen=True, slots=True)
class MonoidItem(Node):
    """`monoid op: T`."""

    names: tuple[Name, ...]
    type: TypeRef | None


@dataclass(frozen=True, slots=True)
class Rewrite(Node):
    """`left => right` or `left <=> right`; the arrow is a `Name` with the arrow's text, None while not typed."""

    left: Expression
    arrow: Name | None
    right: Expression


@dataclass(frozen=True, slots=True)
class Where(Node):
    """`where p, q`."""

    predicates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class CheckOver(Node):
    """`check over s32, f32`."""

    types: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Example(Node):
    """`example { A = 2; n = [2, 5]; X = iota }`."""

    assignments: tuple[Keyed, ...]


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let x = e`, `let (v, i) = e`, in a kernel also `let x: s32 = e`; several targets only with parentheses."""

    targets: tuple[Name, ...]
    type: TypeRef | None
    value: Expression


@dataclass(frozen=True, slots=True)
class Var(Node):
    """`var x = e`, `var x: f32[4]`; the value is None where none is written."""

    name: Name | None
    type: TypeRef | None
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Assume(Node):
    """`assume p, q`."""

    predicates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Assert(Node):
    """`assert p, q`."""

    predicates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """`target = e` or `target += e`; in a graph the target may be a `Tuple` of names."""

    target: Expression
    operator: AssignOperator
    value: Expression


@dataclass(frozen=True, slots=True)
class Block(Node):
    """Statements between `{` and `}`, both in the span."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class If(Node):
    """`if p { } else { }`; `else if` is an If in `otherwise`."""

    condition: Expression
    then: Block
    otherwise: Block | If | None


@dataclass(frozen=True, slots=True)
class ForHead(Node):
    """`i in lo..hi step k`."""

    name: Name | None
    range: Expression


@dataclass(frozen=True, slots=True)
class For(Node):
    """`for i in 0..N, j in 0..M { }`; `parallel` is where that word stands before it."""

    heads: tuple[ForHead, ...]
    body: Block
    parallel: Span | None


@dataclass(frozen=True, slots=True)
class While(Node):
    """`while p { }`."""

    condition: Expression
    body: Block


@dataclass(frozen=True, slots=True)
class Return(Node):
    """`return`."""


@dataclass(frozen=True, slots=True)
class ExprStatement(Node):
    """An expression that stands alone, as `barrier()`."""

    value: Expression


@dataclass(frozen=True, slots=True)
class Labelled(Node):
    """`S: A[i, j] = e`, a statement of a loop nest with its name."""

    label: Name
    statement: Statement


Statement: TypeAlias = Let | Var | Assume | Assert | Assign | If | For | While | Return | ExprStatement | Labelled


@dataclass(frozen=True, slots=True)
class Requires(Node):
    """`requires p, q`."""

    predicates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Ensures(Node):
    """`ensures p, q`."""

    predicates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Launch(Node):
    """`launch grid(2), block(256), shared(0)`; what is no call is reported by the model."""

    clauses: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Shared(Node):
    """`shared s, t: s32[B]`."""

    names: tuple[Name, ...]
    type: TypeRef | None


@dataclass(frozen=True, slots=True)
class Define(Node):
    """`define WARP = 32`."""

    name: Name | None
    value: Expression


@dataclass(frozen=True, slots=True)
class ArrayItem(Node):
    """`array A, B: f64[N, N]` of a loop nest."""

    names: tuple[Name, ...]
    type: TypeRef | None


@dataclass(frozen=True, slots=True)
class Private(Node):
    """`private s, t` of a loop nest: arrays that hold values for a while."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Reduction(Node):
    """`reduction S, U` of a loop nest: labels of statements whose order may change."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Placement(Node):
    """`X: shard(0, dp), replicate` of a refinement, one placement for each mesh axis."""

    name: Name
    placements: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Expect(Node):
    """`expect Y: shard(0, dp)` of a refinement or `expect o = e` of a lift."""

    what: Placement | Assign | None


@dataclass(frozen=True, slots=True)
class Using(Node):
    """`using p, q` of a refinement: lemmas by which it may be proved."""

    names: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class ParameterItem(Node):
    """`q: in f32[i: N, d: D], k: in f32[j: N, d: D]` as an item of a lift."""

    parameters: tuple[Parameter, ...]


RuleItem: TypeAlias = (
    Axes
    | AxisItem
    | MapItem
    | IntItem
    | ScalarItem
    | TensorItem
    | FnItem
    | MonoidItem
    | Let
    | Rewrite
    | Where
    | Assume
    | CheckOver
    | Example
)
KernelItem: TypeAlias = Requires | Ensures | Launch | Shared | Define | Statement
GraphItem: TypeAlias = Assign | Let | Requires | For
RefineItem: TypeAlias = Placement | Assign | Expect | Requires | Using
LoopsItem: TypeAlias = ArrayItem | Private | Reduction | Requires | Statement
LiftItem: TypeAlias = ParameterItem | Define | Launch | Requires | Let | Expect
Item: TypeAlias = RuleItem | KernelItem | GraphItem | RefineItem | LoopsItem | LiftItem
