"""Owns the nodes of what stands between the braces of a declaration: rule items and statements.

Invariant: an item whose keyword was read is there, however little of the rest is.
It must not know which declaration holds it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from rewright.syntax.nodes.expressions import Expression, FnType, Keyed, Name, Node, TypeRef
from rewright.syntax.nodes.parts import Parameter
from rewright.syntax.text import Span

AssignOperator: TypeAlias = Literal["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="]


class GroupDecl(Node, frozen=True):
    """An axis group; with `+` its rank is at least 1."""

    name: Name
    plus: bool


class RankClass(Node, frozen=True):
    """Groups linked by `~`: one rank, corresponding axes."""

    groups: tuple[GroupDecl, ...]


class Axes(Node, frozen=True):
    """`axes A+ ~ B, C`."""

    classes: tuple[RankClass, ...]


class AxisItem(Node, frozen=True):
    """`axis d, m ~ k`: groups of exactly one axis."""

    classes: tuple[RankClass, ...]


class MapItem(Node, frozen=True):
    """`map n, m on A`."""

    names: tuple[Name, ...]
    on: Name | None


class IntItem(Node, frozen=True):
    """`int k`."""

    names: tuple[Name, ...]


class ScalarItem(Node, frozen=True):
    """`scalar a, b: T`."""

    names: tuple[Name, ...]
    type: TypeRef | None


class Family(Node, frozen=True):
    """`Xs...k`: k tensors; the count is None where it is not written yet."""

    name: Name
    count: Name | None


class TensorItem(Node, frozen=True):
    """`tensor X, Ys...k: T[A: n]`; `names` has those of the families, too."""

    names: tuple[Name, ...]
    type: TypeRef | None
    families: tuple[Family, ...] = ()


class FnItem(Node, frozen=True):
    """`fn f: (T, T) -> T`."""

    names: tuple[Name, ...]
    type: FnType | None


class MonoidItem(Node, frozen=True):
    """`monoid op: T`."""

    names: tuple[Name, ...]
    type: TypeRef | None


class Rewrite(Node, frozen=True):
    """`left => right` or `left <=> right`; the arrow is a `Name` with the arrow's text, None while not typed."""

    left: Expression
    arrow: Name | None
    right: Expression


class Where(Node, frozen=True):
    """`where p, q`."""

    predicates: tuple[Expression, ...]


class CheckOver(Node, frozen=True):
    """`check over s32, f32`."""

    types: tuple[Name, ...]


class Example(Node, frozen=True):
    """`example { A = 2; n = [2, 5]; X = iota }`."""

    assignments: tuple[Keyed, ...]


class Let(Node, frozen=True):
    """`let x = e`, `let (v, i) = e`, in a kernel also `let x: s32 = e`; several targets only with parentheses."""

    targets: tuple[Name, ...]
    type: TypeRef | None
    value: Expression


class Var(Node, frozen=True):
    """`var x = e`, `var x: f32[4]`; the value is None where none is written."""

    name: Name | None
    type: TypeRef | None
    value: Expression | None


class Assume(Node, frozen=True):
    """`assume p, q`."""

    predicates: tuple[Expression, ...]


class Assert(Node, frozen=True):
    """`assert p, q`."""

    predicates: tuple[Expression, ...]


class Assign(Node, frozen=True):
    """`target = e` or `target += e`; in a graph the target may be a `Tuple` of names."""

    target: Expression
    operator: AssignOperator
    value: Expression


class Block(Node, frozen=True):
    """Statements between `{` and `}`, both in the span."""

    statements: tuple[Statement, ...]


class If(Node, frozen=True):
    """`if p { } else { }`; `else if` is an If in `otherwise`."""

    condition: Expression
    then: Block
    otherwise: Block | If | None


class ForHead(Node, frozen=True):
    """`i in lo..hi step k`."""

    name: Name | None
    range: Expression


class For(Node, frozen=True):
    """`for i in 0..N, j in 0..M { }`; `parallel` is where that word stands before it."""

    heads: tuple[ForHead, ...]
    body: Block
    parallel: Span | None


class While(Node, frozen=True):
    """`while p { }`."""

    condition: Expression
    body: Block


class Return(Node, frozen=True):
    """`return`."""


class ExprStatement(Node, frozen=True):
    """An expression that stands alone, as `barrier()`."""

    value: Expression


class Labelled(Node, frozen=True):
    """`S: A[i, j] = e`, a statement of a loop nest with its name."""

    label: Name
    statement: Statement


Statement: TypeAlias = Let | Var | Assume | Assert | Assign | If | For | While | Return | ExprStatement | Labelled


class Requires(Node, frozen=True):
    """`requires p, q`."""

    predicates: tuple[Expression, ...]


class Ensures(Node, frozen=True):
    """`ensures p, q`."""

    predicates: tuple[Expression, ...]


class Launch(Node, frozen=True):
    """`launch grid(2), block(256), shared(0)`; what is no call is reported by the model."""

    clauses: tuple[Expression, ...]


class Shared(Node, frozen=True):
    """`shared s, t: s32[B]`."""

    names: tuple[Name, ...]
    type: TypeRef | None


class Define(Node, frozen=True):
    """`define WARP = 32`."""

    name: Name | None
    value: Expression


class ArrayItem(Node, frozen=True):
    """`array A, B: f64[N, N]` of a loop nest."""

    names: tuple[Name, ...]
    type: TypeRef | None


class Private(Node, frozen=True):
    """`private s, t` of a loop nest: arrays that hold values for a while."""

    names: tuple[Name, ...]


class Reduction(Node, frozen=True):
    """`reduction S, U` of a loop nest: labels of statements whose order may change."""

    names: tuple[Name, ...]


class Placement(Node, frozen=True):
    """`X: shard(0, dp), replicate` of a refinement, one placement for each mesh axis."""

    name: Name
    placements: tuple[Expression, ...]


class Expect(Node, frozen=True):
    """`expect Y: shard(0, dp)` of a refinement or `expect o = e` of a lift."""

    what: Placement | Assign | None


class Using(Node, frozen=True):
    """`using p, q` of a refinement: lemmas by which it may be proved."""

    names: tuple[Name, ...]


class ParameterItem(Node, frozen=True):
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
