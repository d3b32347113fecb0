"""The value of a rule says what the text says: defaults filled in, `let`s substituted, types inferred."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from model_texts import declared_rule, model, rule

from rewright.model.formula import (
    Assumption,
    Conjunction,
    Disjunction,
    ElementComparison,
    IndexComparison,
    Negation,
    Quantified,
    Truth,
)
from rewright.model.index import BoundIndex, IndexOperation, IntegerReference, MapReference, Name, Number, Product
from rewright.model.rule import Extent, FunctionDeclaration, Group, MapDeclaration, Rule, ScalarDeclaration
from rewright.model.tensor import (
    Apply,
    Bitcast,
    Broadcast,
    Concatenate,
    Constant,
    Convolution,
    Dot,
    DynamicRange,
    DynamicSlice,
    DynamicUpdateSlice,
    ElementOf,
    ElementType,
    Iota,
    Pad,
    Padding,
    Pointwise,
    Reduce,
    ReduceWindow,
    Reshape,
    Reverse,
    ScalarReference,
    Slice,
    SliceRange,
    TensorReference,
    Transpose,
    Window,
)

T = ElementType(None, Name("T"))
PRED = ElementType("pred", None)


def without_sites(value: object) -> str:
    """A value as text, its site numbers left out."""
    return re.sub(r", site=\d+", "", repr(value))


def same(value: object, expected: object) -> bool:
    return without_sites(value) == without_sites(expected)


def a_map(name: str, rank_class: str = "A") -> MapReference:
    return MapReference(Name(name), Name(rank_class), 0)


def number(value: int) -> Number:
    return Number(value, 0)


def groups(*names: str) -> tuple[Name, ...]:
    return tuple(Name(name) for name in names)


X = TensorReference(Name("X"), T, groups("A"), 0)
Y = TensorReference(Name("Y"), T, groups("A"), 0)
D = TensorReference(Name("D"), T, groups("A", "d"), 0)
M = TensorReference(Name("M"), T, groups("I", "J"), 0)
P = TensorReference(Name("P"), PRED, groups("A"), 0)
Z = ScalarReference(Name("z"), T, (), 0)


def test_declarations() -> None:
    value = rule("X => X")
    assert value.groups == (
        Group(Name("A"), Name("A"), Extent.ANY),
        Group(Name("B"), Name("B"), Extent.ANY),
        Group(Name("I"), Name("I"), Extent.ANY),
        Group(Name("J"), Name("I"), Extent.ANY),
        Group(Name("d"), Name("d"), Extent.SINGLE),
    )
    assert MapDeclaration(Name("w"), Name("I")) in value.maps
    assert value.integers == (Name("c"),)
    assert value.scalars == (ScalarDeclaration(Name("z"), T),)
    assert [tensor.name for tensor in value.tensors] == ["X", "Y", "D", "M", "P"]
    assert same(value.tensors[2].shape, ((Name("A"), a_map("n")), (Name("d"), a_map("k", "d"))))
    assert value.domains == (((Name("T"), "int"),), ((Name("T"), "real"),))
    assert not value.both


def test_a_plus_holds_for_the_whole_rank_class() -> None:
    value = rule("axes E ~ F+\n X => X")
    assert [group.extent for group in value.groups[-2:]] == [Extent.NONEMPTY, Extent.NONEMPTY]


def test_a_tensor_without_groups_is_a_scalar() -> None:
    value = rule("tensor q: T\n X + q => X")
    assert ScalarDeclaration(Name("q"), T, is_tensor=True) in value.scalars
    assert same(value.left, Pointwise("add", (X, ScalarReference(Name("q"), T, (), 0)), T, groups("A"), 0))


def over(cls: Callable[..., object], *parts: object, groups_: str = "A", type_: ElementType = T) -> object:
    """A tensor node over the groups whose one-letter names are given."""
    return cls(*parts, type_, groups(*groups_), 0)


def constant(text: str) -> Constant:
    return Constant(text, T, (), 0)


def element(index: object) -> object:
    return over(ElementOf, index, groups_="")


def ranges(**by_group: object) -> tuple[tuple[Name, object], ...]:
    return tuple((Name(name), values) for name, values in by_group.items())


S, E, N, K = a_map("s"), a_map("e"), a_map("n"), a_map("k", "d")
BELOW = over(Pointwise, "and", (over(Pointwise, "lt", (X, Y), type_=PRED), P), type_=PRED)
NOT_TRUE = over(Pointwise, "not", (Constant("true", PRED, (), 0),), groups_="", type_=PRED)
SWAPPED = ((Name("I"), Name("J")), (Name("J"), Name("I")))
MINUS_E = IndexOperation("-", number(0), E, 0)

LEFT_SIDES: list[tuple[str, object]] = [
    ("X - 2 * Y", over(Pointwise, "subtract", (X, over(Pointwise, "multiply", (constant("2"), Y))))),
    ("-X", over(Pointwise, "negate", (X,))),
    ("X + -3", over(Pointwise, "add", (X, constant("-3")))),
    ("max(X, lowest)", over(Pointwise, "maximum", (X, constant("lowest")))),
    ("minimum(X, Y)", over(Pointwise, "minimum", (X, Y))),
    ("add(X, Y)", over(Pointwise, "add", (X, Y))),
    ("select(X < Y and P, X, z)", over(Pointwise, "select", (BELOW, X, Z))),
    ("select(not true, X, Y)", over(Pointwise, "select", (NOT_TRUE, X, Y))),
    ("clamp(0, X, z)", over(Pointwise, "clamp", (constant("0"), X, Z))),
    ("X + elem(c)", over(Pointwise, "add", (X, element(IntegerReference(Name("c"), 0))))),
    ("X + elem(T, c)", over(Pointwise, "add", (X, element(IntegerReference(Name("c"), 0))))),
    ("X + elem(prod(n))", over(Pointwise, "add", (X, element(Product(N, 0))))),
    ("X + elem(k)", over(Pointwise, "add", (X, element(Product(K, 0))))),
    ("broadcast(z, A: n)", over(Broadcast, Z, ranges(A=N))),
    ("slice(X, s, e, p)", over(Slice, X, ranges(A=SliceRange(S, E, a_map("p"))))),
    ("slice(X, s)", over(Slice, X, ranges(A=SliceRange(S, None, number(1))))),
    ("slice(X, stride = p)", over(Slice, X, ranges(A=SliceRange(number(0), None, a_map("p"))))),
    ("slice(X, A: (limit = e))", over(Slice, X, ranges(A=SliceRange(number(0), E, number(1))))),
    ("slice(X)", over(Slice, X, ())),
    ("dynamic_slice(X, s, e)", over(DynamicSlice, X, ranges(A=DynamicRange(S, E)))),
    ("dynamic_update_slice(X, Y, s)", over(DynamicUpdateSlice, X, Y, ranges(A=S))),
    ("dynamic_update_slice(X, Y)", over(DynamicUpdateSlice, X, Y, ())),
    ("pad(X, z, A: (low = s, high = -e))", over(Pad, X, Z, ranges(A=Padding(S, MINUS_E, number(0))))),
    ("reverse(X, A)", over(Reverse, X, groups("A"))),
]


@pytest.mark.parametrize(("text", "expected"), LEFT_SIDES, ids=[text for text, _ in LEFT_SIDES])
def test_a_side(text: str, expected: object) -> None:
    assert same(rule(f"{text} => X").left, expected)


SLICED = ranges(A=SliceRange(S, E, number(1)), d=SliceRange(number(1), number(2), number(1)))

ZERO, ONE = number(0), number(1)
BY_ONE = ranges(A=Window(S, ONE, ZERO, ZERO, ONE, ONE))
WINDOWS = ranges(A=Window(S, number(3), ZERO, E, ONE, ONE), d=Window(number(2), ONE, K, ZERO, ONE, ONE))
SPREAD = ranges(A=Window(None, S, ZERO, ZERO, number(2), ONE))

OVER_MORE_GROUPS: list[tuple[str, str, object]] = [
    ("slice(D, d: (1, 2), A: (s, e))", "D", over(Slice, D, SLICED, groups_="Ad")),
    ("concatenate(D, D, d)", "D", over(Concatenate, (D, D), Name("d"), groups_="Ad")),
    ("concatenate(D, d)", "D", over(Concatenate, (D,), Name("d"), groups_="Ad")),
    ("iota(T, d, A: n, d: k)", "D", over(Iota, Name("d"), ranges(A=N, d=K), groups_="Ad")),
    ("iota(d, A: n, d: k)", "D", over(Iota, Name("d"), ranges(A=N, d=K), groups_="Ad")),
    ("broadcast(X, d: k)", "D", over(Broadcast, X, ranges(d=K), groups_="Ad")),
    ("reverse(D, [d, A])", "D", over(Reverse, D, groups("A", "d"), groups_="Ad")),
    ("reverse(D, d, A)", "D", over(Reverse, D, groups("A", "d"), groups_="Ad")),
    ("transpose(M, I -> J, J -> I)", "M", over(Transpose, M, SWAPPED, groups_="JI")),
    ("transpose(M, [I, J] -> [J, I])", "M", over(Transpose, M, SWAPPED, groups_="JI")),
    ("reduce(add, D, d)", "X", over(Reduce, "add", D, groups("d"), None)),
    ("reduce(max, D, [A, d], init = z)", "z", over(Reduce, "maximum", D, groups("A", "d"), Z, groups_="")),
    ("X < Y", "P", over(Pointwise, "lt", (X, Y), type_=PRED)),
    ("dot(D, X, batch = A)", "D", over(Dot, D, X, (), groups_="Ad")),
    ("dot(X, D, contract = [A])", "iota(d, d: k)", over(Dot, X, D, groups("A"), groups_="d")),
    (
        "reduce_window(add, X, s)",
        "X",
        over(ReduceWindow, "add", X, BY_ONE, None),
    ),
    (
        "reduce_window(min, D, d: (2, low = k), A: (size = s, high = e, stride = 3), init = z)",
        "D",
        over(ReduceWindow, "minimum", D, WINDOWS, Z, groups_="Ad"),
    ),
    (
        "convolution(X, D, feature = A, output = d)",
        "iota(d, d: k)",
        over(Convolution, X, D, groups("A"), (), (), ONE, ONE, groups_="d"),
    ),
    (
        "convolution(D, X, batch = d, A: (s, base = 2, reversal = true))",
        "D",
        over(Convolution, D, X, (), SPREAD, groups("A"), ONE, ONE, groups_="Ad"),
    ),
]


@pytest.mark.parametrize(("text", "right", "expected"), OVER_MORE_GROUPS, ids=[case[0] for case in OVER_MORE_GROUPS])
def test_a_side_over_more_groups(text: str, right: str, expected: object) -> None:
    assert same(rule(f"{text} => {right}").left, expected)


def test_groups_are_unordered() -> None:
    value = rule("tensor E: T[d: k, A: n]\n D + E => E")
    assert value.left.groups == groups("A", "d")
    assert value.right.groups == groups("d", "A")


def test_index_arithmetic() -> None:
    value = rule("slice(X, min(s, c) + n * 2 / 3 % p, +e) => X")
    assert isinstance(value.left, Slice)
    ((_, range_),) = value.left.ranges
    left = IndexOperation("min", a_map("s"), IntegerReference(Name("c"), 0), 0)
    quotient = IndexOperation("//", IndexOperation("*", a_map("n"), number(2), 0), number(3), 0)
    expected = IndexOperation("+", left, IndexOperation("%", quotient, a_map("p"), 0), 0)
    assert same(range_, SliceRange(expected, a_map("e"), number(1)))


def test_a_map_may_be_used_on_a_linked_group() -> None:
    value = rule("transpose(M, I -> J, J -> I) => M\n where w == h")
    assert same(value.where, (IndexComparison("==", a_map("w", "I"), a_map("h", "I"), Name("I"), 0),))


def test_an_integer_scalar_is_an_index_by_its_value() -> None:
    value = rule("scalar j: int\n slice(X, s + j) => X\n where j < n, j < 3")
    index_comparison, element_comparison = value.where
    assert same(index_comparison, IndexComparison("<", IntegerReference(Name("j"), 0), a_map("n"), Name("A"), 0))
    assert isinstance(element_comparison, ElementComparison)


def test_lets_are_substituted_in_whatever_order_they_stand() -> None:
    direct = rule("slice(slice(X, s + 1), s + 1) + 2 => X")
    named = rule("let y = slice(X, q)\n slice(y, q) + two => X\n let q = s + one\n let one = 1\n let two = 2")
    assert same(direct.left, named.left)


def test_a_let_of_numbers_only_is_an_index_or_an_element_by_its_use() -> None:
    assert same(rule("let one = 1\n slice(X, one) + one => X").left, rule("slice(X, 1) + 1 => X").left)


def test_preconditions() -> None:
    value = rule("X => X\n where n >= 0 and not (s == 1) or c < 2, true\n where some A: n == 1 or e < c, z != 0")
    first, truth, some, element = value.where
    assert isinstance(first, Disjunction)
    assert isinstance(first.left, Conjunction)
    assert isinstance(first.left.right, Negation)
    assert same(first.right, IndexComparison("<", IntegerReference(Name("c"), 0), number(2), None, 0))
    assert same(truth, Truth(True, 0))
    assert isinstance(some, Quantified)
    assert (some.quantifier, some.rank_class) == ("some", "A")
    assert same(element, ElementComparison("!=", Z, Constant("0", T, (), 0), 0))


def test_a_predicate_is_a_condition() -> None:
    value = rule("scalar q: pred\n X => X\n where not q")
    q = ScalarReference(Name("q"), PRED, (), 0)
    assert same(value.where, (Negation(ElementComparison("==", q, Constant("true", PRED, (), 0), 0), 0),))


def test_assumptions() -> None:
    value = rule("X => X\n assume forall i on A: forall j on d: X[i] + 1 < D[i, j] or P[i], forall i on A: Y[i] == z")
    first, second = value.assumptions
    assert first.groups == groups("A", "d")
    assert isinstance(first.body, Disjunction)
    assert same(second, Assumption(groups("A"), ElementComparison("==", Y, Z, 0), 0))
    (together,) = rule("X => X\n assume forall i on A, j on d: X[i] + 1 < D[i, j] or P[i]").assumptions
    assert same(together, first)
    (by_index,) = rule("X => X\n assume forall i on A, j on d: i < s and D[i, j] == elem(j)").assumptions
    assert isinstance(by_index.body, Conjunction)
    a, d = Name("A"), Name("d")
    assert same(by_index.body.left, IndexComparison("<", BoundIndex(a, a, 0), a_map("s"), a, 0))
    assert isinstance(by_index.body.right, ElementComparison)
    assert same(by_index.body.right.right, element(Product(BoundIndex(d, d, 0), 0)))


def test_domains() -> None:
    both = rule("X => X\n check over f32, s32")
    assert both.domains == tuple(((Name("T"), kind),) for kind in ("int", "real", "f32", "s32"))
    two = rule("tensor V: U[A: n]\n X => X", parameters="<T: num, U: any>")
    assert two.domains == tuple(((Name("T"), kind), (Name("U"), "any")) for kind in ("int", "real"))
    (plain,) = model("rule r { axis d\n map n on d\n iota(int, d, d: n) => iota(int, d, d: n) }").declarations
    assert isinstance(plain.value, Rule)
    assert plain.value.domains == ((),)


def test_fractions_are_exact() -> None:
    value = rule("X + 0.1 + 1e-3 => X", parameters="<T: real>")
    assert isinstance(value.left, Pointwise)
    assert same(value.left.operands[1], Constant("1/1000", T, (), 0))


def test_a_reshape_of_unit_groups() -> None:
    value = rule("reshape(D, d -> []) => X")
    assert same(value.left, Reshape(D, groups("d"), (), T, groups("A"), 0))
    several = rule("reshape(D, [A, d] -> [], [] -> B, [] -> [I]) => reshape(z, [] -> [I, B])")
    assert same(several.left, Reshape(D, groups("A", "d"), groups("B", "I"), T, groups("B", "I"), 0))
    assert same(several.right, Reshape(Z, (), groups("I", "B"), T, groups("I", "B"), 0))


def test_a_reshape_of_single_axes() -> None:
    t, f = Name("t"), Name("f")
    split = rule("axis t, f\n reshape(D, d -> [t: 2, f: 3]) => bitcast(D, d -> [t: 2, f: 3])")
    assert same(split.left, Bitcast(D, groups("d"), ((t, number(2)), (f, number(3))), T, groups("A", "t", "f"), 0))
    assert same(split.left, split.right)
    named = rule("axis t\n reshape(D, d -> t) => reshape(D, [d] -> [t])")
    assert same(named.left, Bitcast(D, groups("d"), ((t, None),), T, groups("A", "t"), 0))
    both = rule("axis t, f\n reshape(z, [] -> [t: 1], [] -> f) => reshape(z, [] -> [f, t])")
    units = Reshape(Z, (), groups("f"), T, groups("f"), 0)
    assert same(both.left, Bitcast(units, (), ((t, number(1)),), T, groups("f", "t"), 0))


def test_a_function_of_elements() -> None:
    value = rule("fn f: (T, pred) -> T\n f(f(X, P), true) => f(z, z == z) + f(X, not P)")
    assert value.functions == (FunctionDeclaration(Name("f"), (T, PRED), T),)
    inner = Apply(Name("f"), (X, P), T, groups("A"), 0)
    true = Constant("true", PRED, (), 0)
    assert same(value.left, Apply(Name("f"), (inner, true), T, groups("A"), 0))
    assert isinstance(value.right, Pointwise)
    assert value.right.operands[0].groups == ()


def test_several_functions_of_one_type_in_one_item() -> None:
    value = rule("fn f, g: (T) -> T\n f(g(X)) => X")
    assert [function.name for function in value.functions] == ["f", "g"]


def test_what_a_function_takes_says_the_type_of_a_literal() -> None:
    value = rule("fn f: (int) -> T\n broadcast(f(2), A: n) => broadcast(f(elem(c)), A: n)")
    assert isinstance(value.left, Broadcast)
    assert isinstance(value.left.operand, Apply)
    assert same(value.left.operand.operands[0], Constant("2", ElementType("int", None), (), 0))


def test_functions_in_preconditions_and_assumptions() -> None:
    value = rule("fn q: (T) -> pred\n X => X\n where q(z) or z < 0\n assume forall i on A: q(X[i]) and not q(Y[i])")
    (where,), (assumed,) = value.where, value.assumptions
    assert isinstance(where, Disjunction)
    assert isinstance(where.left, ElementComparison)
    assert same(where.left.left, Apply(Name("q"), (Z,), PRED, (), 0))
    assert isinstance(assumed.body, Conjunction)
    assert isinstance(assumed.body.left, ElementComparison)
    assert same(assumed.body.left.left, Apply(Name("q"), (X,), PRED, (), 0))


def test_both_directions() -> None:
    assert rule("X <=> X").both


def test_an_example_pins_an_instance() -> None:
    value = rule(
        "X => X\n example { n = [2, 5]; A = 2; c = -3; z = 0.5; X = iota; D = [[1, 2], [3, -4]]; k = 2"
        "\n P = [true, false] }"
    )
    (pinned,) = value.examples
    assert pinned.ranks == ((Name("A"), 2), (Name("d"), 1))
    assert pinned.maps == ((Name("n"), (2, 5)), (Name("k"), (2,)))
    assert pinned.integers == ((Name("c"), -3),)
    assert pinned.scalars == ((Name("z"), "1/2"),)
    assert pinned.tensors == (
        (Name("X"), None),
        (Name("D"), ("1", "2", "3", "-4")),
        (Name("P"), ("true", "false")),
    )


UNDECIDED = [
    ("X << X => X", "<T: int>", "`<<` is not supported yet"),
    ("gather(X, Y, A) => z", "<T: num>", "`gather` is not supported yet"),
    ("tensor F: f32[A: n]\n F => F", "<T: num>", "`f32` is not supported yet"),
    ("let (v, i) = sort(X, A)\n v => X", "<T: num>", "a `let` of several names is not supported yet"),
    ("pad(X, z, A: (low = ?)) => X", "<T: num>", "a hole `?` is open"),
    ("X => X\n where ?", "<T: num>", "a hole `?` is open"),
    ("? => X", "<T: num>", "a hole `?` is open"),
]


@pytest.mark.parametrize(("body", "parameters", "reason"), UNDECIDED, ids=[case[0] for case in UNDECIDED])
def test_what_is_known_but_not_decided_is_no_error(body: str, parameters: str, reason: str) -> None:
    declared = declared_rule(body, parameters=parameters)
    assert declared.findings == ()
    assert declared.unsupported[0].reason == reason


def test_names_in_what_is_not_decided_are_checked() -> None:
    declared = declared_rule("gather(X, Y, contract = Q) => z")
    assert [finding.code for finding in declared.findings] == ["RW101"]


def test_lets_that_double_each_time_leave_the_rule_undecided() -> None:
    lets = "\n".join(f"let y{i + 1} = y{i} + y{i}" for i in range(60))
    declared = declared_rule(f"let y0 = X + 1\n {lets}\n y60 => X")
    assert declared.value is None
    assert "too large" in declared.unsupported[0].reason


def test_long_chains_of_lets_leave_the_rule_undecided() -> None:
    lets = [f"let y{i + 1} = y{i} + 1" for i in range(1200)]
    for ordered in (lets, lets[::-1]):
        declared = declared_rule("\n".join(["let y0 = X", *ordered, "y1200 => X"]))
        assert declared.value is None
        assert "too large" in declared.unsupported[0].reason


def test_numbers_of_unreasonable_length_are_refused() -> None:
    assert [finding.code for finding in declared_rule(f"X + {'9' * 5000} => X").findings] == ["RW117"]
    assert [finding.code for finding in declared_rule("X + 1e999999999 => X").findings] == ["RW117"]


def test_a_converted_truth_is_a_choice_of_one_and_zero() -> None:
    left = rule("X * convert(P, T) => X").left
    assert isinstance(left, Pointwise) and isinstance(left.operands[1], Pointwise)
    choice = left.operands[1]
    assert (choice.operator, choice.groups, choice.type) == ("select", ("A",), ElementType(None, Name("T")))
    assert [each.text for each in choice.operands[1:] if isinstance(each, Constant)] == ["1", "0"]


@pytest.mark.parametrize("body", ["convert(X, T) => X", "convert(P, pred) => P", "convert(X, pred) => P"])
def test_no_other_conversion_has_a_value(body: str) -> None:
    declared = declared_rule(body)
    assert declared.value is None and [each.reason for each in declared.unsupported] == [
        "`convert` is not supported yet"
    ]
