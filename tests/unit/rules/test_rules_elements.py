"""Elementwise operators: each true rule is proved, and its false twin refuted on an input that was replayed.

With normal forms and without. A pair differs in one place: an operand, a sign, a precondition.
"""

from __future__ import annotations

import pytest
from rules_text import BUDGET, asked_over, rule_of

from rewright.checks.rule import answer
from rewright.model.rule import RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Mode, Proved, Refuted
from rewright.verdict import RuleWitness, Verdict

MODES = pytest.mark.parametrize("mode", [Mode.NORMAL_FORMS, Mode.SOLVER_ONLY])
DECLARED = """axes A
axis d
map n on A
map m on d
tensor X, Y, Z, W: T[A: n]
tensor P, Q: pred[A: n]
scalar a, b, c: T
scalar p: pred
fn f: (T) -> T
fn g: (T, T) -> T
fn h: (T) -> pred
"""
SEVERAL = """axes A
axis d
map n on A
map m on d
int k
tensor X, Y: T[A: n]
tensor E, F: U[A: n]
tensor P, Q: pred[A: n]
fn f: (T, U) -> T
fn g: (T) -> U
fn h: (pred, T) -> U
fn t: (U) -> pred
"""
IOTA = "iota(T, d, A: n, d: m)"

Pair = tuple[str, str, str]
"""The element type, a true rule, a false one."""

CATALOGUE: list[Pair] = [
    ("int", "abs(X) * abs(X) => X * X", "abs(X) * X => X * X"),
    ("real", "abs(X) * abs(X) => X * X", "abs(X) * X => X * X"),
    ("real", "exp(X) * exp(Y) => exp(X + Y)", "exp(X) * exp(Y) => exp(X * Y)"),
    ("int", "X / 1 => X", "X / -1 => X"),
    ("real", "X / 1 => X", "X / 2 => X"),
    ("real", "X / c => X * (1 / c)", "X / c => X * (1 / X)"),
    ("real", "(X / Y) / (Z / W) => (X * W) / (Y * Z)", "(X / Y) / (Z / W) => (X * Z) / (Y * W)"),
    ("real", "X / (Y / Z) => (X * Z) / Y", "(X * Z) / Y => X / (Y / Z)"),
    ("int", "(X % Y) % Y => X % Y", "(X % Y) % Z => X % Y"),
    ("int", "IOTA => broadcast(0, A: n, d: m)\nwhere m <= 1", "IOTA => broadcast(0, A: n, d: m)"),
    ("pred", "X or broadcast(true, A: n) => broadcast(true, A: n)", "X or Y => broadcast(true, A: n)"),
    ("pred", "X or broadcast(false, A: n) => X", "X or broadcast(false, A: n) => not X"),
    ("pred", "X and broadcast(true, A: n) => X", "X and broadcast(true, A: n) => not X"),
    ("pred", "broadcast(false, A: n) and X => broadcast(false, A: n)", "X and Y => broadcast(false, A: n)"),
    ("int", "X < a and b > X => X < min(a, b)", "X < a and b > X => X < max(a, b)"),
    ("real", "max(X, Y) > Y => X > Y", "max(X, Y) > Y => X >= Y"),
    ("int", "max(X, Y) > X => Y > X", "max(X, Y) > X => Y >= X"),
    ("int", "max(X, lowest) => X", "max(X, highest) => X"),
    ("real", "min(X, highest) => X", "min(X, lowest) => X"),
    ("real", "clamp(Z, clamp(Z, X, Y), Y) => clamp(Z, X, Y)", "clamp(Z, clamp(Z, X, Y), Z) => clamp(Z, X, Y)"),
    (
        "int",
        "max(Z, min(X, Y)) => clamp(Z, X, Y)\nassume forall i on A: Z[i] <= Y[i]",
        "max(Z, min(X, Y)) => clamp(Z, X, Y)\nassume forall i on A: Z[i] <= Y[i] + 1",
    ),
    ("int", "min(Y, max(X, Z)) => clamp(Z, X, Y)", "min(Y, max(X, Z)) => clamp(Y, X, Z)"),
    ("real", "X - broadcast(0, A: n) => X", "broadcast(0, A: n) - X => X"),
    ("int", "X - a => X + -a", "X - a => a - X"),
    ("real", "X - X => broadcast(0, A: n)", "X - Y => broadcast(0, A: n)"),
    ("int", "IOTA % c => IOTA\nwhere m <= c", "IOTA % c => IOTA\nwhere m <= c + 1"),
    ("int", "(IOTA + c) % c => IOTA % c\nwhere c >= 0", "(IOTA + c) % c => IOTA % c"),
    (
        "int",
        "(broadcast(a, A: n) + c) % c => broadcast(a, A: n) % c\nwhere a >= 0 and a + c >= 0 or a < 0 and a + c < 0",
        "(broadcast(a, A: n) + c) % c => broadcast(a, A: n) % c\nwhere a >= 0 or a < 0 and a + c < 0",
    ),
]
DIVISION: list[Pair] = [
    ("real", "(X / Y) * Y => X", "(X / Y) * Y => X / Y"),
    ("int", "(X / Y) * Y + X % Y => X", "(X / Y) * Y => X"),
    ("int", "(X * Y) / Y => X", "(X * Y) / Z => X"),
    ("real", "(X * Y) / Y => X", "(X * Y) / Z => X"),
    ("real", "X / Y + Z / Y => (X + Z) / Y", "X / Y + Z / Y => (X + Z) / (Y + Y)"),
    ("real", "X / Y + Z / W => (X * W + Z * Y) / (Y * W)", "X / Y + Z / W => (X * W - Z * Y) / (Y * W)"),
    ("real", "X / (X * Y + X) => 1 / (Y + 1)", "1 / (Y + 1) => X / (X * Y + X)"),
    ("real", "1 / (1 / X + 1 / Y) => X * Y / (X + Y)", "1 / (1 / X + 1 / Y) => X * Y / (X - Y)"),
    ("int", "X / -Y => -X / Y", "X / -Y => X / Y"),
    ("int", "(X / Y) / Z => X / (Y * Z)", "X / (Y * Z) => (X / Z) / Z"),
    ("int", "-X % Y => -(X % Y)", "X % -Y => -(X % Y)"),
    ("int", "X % Y == 0 => X == X / Y * Y", "X % Y == 0 => X == Y"),
    ("real", "X * (Y / Z) => X * Y / Z", "X * (Y / Z) => X * Z / Y"),
    ("real", "X / c => X / c + 0\nwhere c != 0", "X + Y => X / c + Y\nwhere c != 0"),
    ("real", "X + 0 / c => X\nwhere c > 0", "X => X + 0 / c\nwhere c >= 0"),
    ("real", "X => X + 0 / c\nwhere c > 0", "X => X + 0 / c\nwhere c >= 0"),
    ("int", "X => X + 0 / c\nwhere c > 0", "X => X + 0 / c\nwhere c >= 0"),
    ("real", "X => X + (X - X) / (c * b)\nwhere c > 0, b < 0", "X => X + (X - X) / (c + b)\nwhere c > 0, b < 0"),
    (
        "int",
        "IOTA / 2 * 2 <= IOTA => broadcast(true, A: n, d: m)",
        "IOTA / 2 * 2 == IOTA => broadcast(true, A: n, d: m)",
    ),
    ("real", "X / Y < Z => X < Z * Y\nwhere c > 0\nassume forall i on A: Y[i] > 0", "X / Y < Z => X < Z * Y"),
]
FUNCTIONS: list[Pair] = [
    ("real", "X / exp(Y) => X * exp(-Y)", "X / exp(Y) => X * exp(Y)"),
    ("real", "exp(X) > 0 => X == X", "exp(X) > 1 => X == X"),
    ("real", "exp(X) < exp(Y) => X < Y", "exp(X) < exp(Y) => X <= Y"),
    ("real", "exp(X) > 1 => X > 0", "exp(X) > 1 => X >= 0"),
    ("int", "abs(X * Y) => abs(X) * abs(Y)", "abs(X + Y) => abs(X) + abs(Y)"),
    ("real", "abs(X / Y) => abs(X) / abs(Y)", "abs(X / Y) => abs(X) / Y"),
    ("int", "abs(X / Y) => abs(X) / abs(Y)", "abs(X / Y) => abs(X) / Y"),
    ("real", "abs(-X) => abs(X)", "abs(-X) => -abs(X)"),
    ("int", "abs(X) >= 0 => X == X", "abs(X) > 0 => X == X"),
    ("int", "sign(X) * abs(X) => X", "sign(X) * X => X"),
    ("real", "sign(X) * X => abs(X)", "sign(X) * X => X"),
    ("real", "sign(X * Y) => sign(X) * sign(Y)", "sign(X + Y) => sign(X) * sign(Y)"),
    ("int", "sign(-X) => -sign(X)", "sign(-X) => sign(X)"),
    ("int", "max(X, -X) => abs(X)", "min(X, -X) => abs(X)"),
    ("real", "abs(X) < c => max(X, -X) < c", "abs(X) < c => X < c"),
    ("int", "select(X > 0, X, -X) => abs(X)", "select(X > 1, X, -X) => abs(X)"),
    ("int", "abs(IOTA) => IOTA", "abs(IOTA - 1) => IOTA - 1"),
]
CALLS: list[Pair] = [
    ("int", "f(X + Y) => f(Y + X)", "f(X + Y) => f(X) + f(Y)"),
    ("real", "g(X, f(Y)) + 0 => g(X, f(Y))", "g(X, Y) => g(Y, X)"),
    ("real", "select(h(X), f(X), f(Y)) => f(select(h(X), X, Y))", "select(h(X), f(X), f(Y)) => f(select(h(Y), X, Y))"),
    ("int", "reverse(f(X), A) => f(reverse(X, A))", "reverse(f(X), A) => f(X)"),
    (
        "int",
        "pad(f(X), f(a), A: (1, 2, 3)) => f(pad(X, a, A: (1, 2, 3)))",
        "pad(f(X), a, A: (1, 2, 3)) => f(pad(X, a, A: (1, 2, 3)))",
    ),
    ("int", "f(max(X, lowest)) => f(X)", "f(X) => f(max(X, highest))"),
    ("int", "f(X) => f(max(X, lowest))", "f(X) => f(max(X, highest))"),
    ("real", "f(X) / f(X) => broadcast(1, A: n)", "f(X) / f(Y) => broadcast(1, A: n)"),
]
INFINITE: list[Pair] = [
    ("int", "abs(select(P, X, lowest)) => abs(X)", "abs(X) => abs(select(P, X, lowest))"),
    ("real", "exp(select(P, highest, X)) => exp(X)", "exp(X) => exp(select(P, highest, X))"),
    ("int", "sign(select(P, X, highest)) + Y => sign(X) + Y", "sign(X) + Y => sign(select(P, X, highest)) + Y"),
    ("real", "X / select(P, Y, lowest) => X / Y", "X / Y => X / select(P, Y, lowest)"),
    ("int", "select(P, X, highest) % Y => X % Y", "X % Y => select(P, X, highest) % Y"),
    ("int", "f(select(P, X, lowest)) => f(X)", "f(X) => f(select(P, X, lowest))"),
    (
        "int",
        "select(P, X, lowest) + 1 < highest => broadcast(true, A: n)",
        "select(P, X, lowest) < highest => broadcast(false, A: n)",
    ),
    ("real", "max(select(P, X, lowest) + 1, lowest) => X + 1", "max(select(P, X, lowest), Y) => max(X, Y)"),
    ("int", "max(abs(X), lowest) => abs(X)", "max(abs(X), lowest) => X"),
    ("real", "max(X / Y, lowest) => X / Y", "max(X / Y, highest) => X / Y"),
    ("real", "max(exp(X), lowest) => exp(X)", "max(exp(X), highest) => exp(X)"),
]
CHOICES: list[Pair] = [
    ("int", "select(P == Q, X, Y) => select(P != Q, Y, X)", "select(P == Q, X, Y) => select(P != Q, X, Y)"),
    ("int", "select(p, X, Y) + 0 => select(not p, Y, X)", "select(p, X, Y) + 0 => select(not p, X, Y)"),
    ("real", "select(P, a, X) => select(not P, X, a)", "select(P, a, X) => select(P, b, X)"),
    ("real", "clamp(a, X, b) => min(max(X, a), b)", "clamp(a, X, b) => max(min(X, b), a)"),
    (
        "real",
        "clamp(a, X, b) => max(min(X, b), a)\nwhere a <= b",
        "clamp(a, X, b) => max(min(X, b), a)\nwhere a <= b + 1",
    ),
    ("int", "clamp(a, clamp(a, X, b), b) => clamp(a, X, b)", "clamp(b, clamp(a, X, b), a) => clamp(a, X, b)"),
]
INDICES: list[Pair] = [
    ("real", "IOTA * 2 => IOTA + IOTA", "IOTA * 2 => IOTA"),
    ("real", "IOTA < elem(m) => broadcast(true, A: n, d: m)", "IOTA < elem(m) - 1 => broadcast(true, A: n, d: m)"),
]
PAIRS = [*CATALOGUE, *DIVISION, *FUNCTIONS, *CALLS, *INFINITE, *CHOICES, *INDICES]


@MODES
@pytest.mark.parametrize(("type_", "items"), [(type_, true) for type_, true, _ in PAIRS])
def test_a_true_rule_is_proved(type_: str, items: str, mode: Mode) -> None:
    assert isinstance(decide(asked_over(type_, DECLARED + items.replace("IOTA", IOTA)), BUDGET, mode), Proved)


@MODES
@pytest.mark.parametrize(("type_", "items"), [(type_, false) for type_, _, false in PAIRS])
def test_its_false_twin_is_refuted_on_an_input(type_: str, items: str, mode: Mode) -> None:
    found = answer(asked_over(type_, DECLARED + items.replace("IOTA", IOTA)), BUDGET, mode)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RuleWitness)
    assert found.witness.replayed


SEVERAL_TYPES = [
    ("select(t(E), X, Y) => select(not t(E), Y, X)", "select(t(E), X, Y) => select(t(F), X, Y)"),
    ("f(X, E * F) => f(X, F * E)", "f(X, E * F) => f(X, E)"),
    ("g(f(select(P, X, Y), E)) => select(P, g(f(X, E)), g(f(Y, E)))", "g(f(X, E)) => g(X)"),
    ("h(P == Q, X) => h(Q == P, X)", "h(P == Q, X) => h(P != Q, X)"),
    ("h(P, X) + elem(k) - elem(k) => h(P, X)", "h(P, X) + elem(k) => h(P, X)"),
    ("h(P, X) * elem(m) => elem(m) * h(P, X)", "h(P, X) * elem(m) => h(P, X)"),
]


@MODES
@pytest.mark.parametrize(("true", "false"), SEVERAL_TYPES)
def test_several_types_and_functions_between_them(true: str, false: str, mode: Mode) -> None:
    proved, refuted = (rule_of("T: any, U: num", SEVERAL + items) for items in (true, false))
    for domain in proved.domains:
        assert isinstance(decide(RuleQuestion(proved, domain, "=>"), BUDGET, mode), Proved)
        found = answer(RuleQuestion(refuted, domain, "=>"), BUDGET, mode)
        assert isinstance(found.witness, RuleWitness)
        assert found.witness.replayed


@MODES
@pytest.mark.parametrize(
    "items",
    [
        "X => X + 0 / (c - b)\nwhere exp(c) < exp(b)",
        "X + 0 => X\nwhere exp(c) > 1",
        "X + 0 => X\nassume forall i on A: exp(X[i]) > Y[i]",
    ],
)
def test_preconditions_may_speak_of_powers(items: str, mode: Mode) -> None:
    assert isinstance(decide(asked_over("real", DECLARED + items), BUDGET, mode), Proved)


@MODES
def test_what_only_the_laws_of_the_exponential_allow_is_no_counterexample(mode: Mode) -> None:
    """exp(1) is not 3: no law says so, and the replay sees it."""
    question = asked_over(
        "real", DECLARED + "select(exp(X) == 3, X, Y) => select(X == 1, Y, Y)\nassume forall i on A: X[i] == 1"
    )
    decision = decide(question, BUDGET, mode)
    assert isinstance(decision, Refuted)
    assert not decision.exact
    found = answer(question, BUDGET, mode)
    assert found.verdict is Verdict.UNKNOWN
    assert "laws of `exp`" in str(found.reason)


@MODES
@pytest.mark.parametrize("name", ["ε", "slack", "e"])
def test_no_declared_name_stands_for_a_small_positive_number(name: str, mode: Mode) -> None:
    """The search for signs has an unknown of its own, above 0 and below every other positive number."""
    question = asked_over("real", f"scalar {name}: T\nabs({name}) => {name}")
    assert isinstance(decide(question, BUDGET, mode), Refuted)
