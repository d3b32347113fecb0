"""Sums of exponentials, quotients of sums, means: each true rule is proved, and a false one beside it is refuted.

The false ones are what a careless prover would take for true: a range without an index, a divisor that may be 0, an
exponent of another index, a count that rank 0 does not have. They must fall without the replay of proofs, too.
"""

from __future__ import annotations

import pytest
from rules_text import BUDGET, asked_over

from rewright.checks.rule import answer
from rewright.model.rule import RuleQuestion
from rewright.replay.outcomes import Fails
from rewright.replay.rule import replay
from rewright.rules.claim import claim_of
from rewright.rules.decision import Mode
from rewright.rules.leaf import Closed
from rewright.rules.obligations import goals
from rewright.rules.paths import Prover
from rewright.verdict import RuleWitness, Verdict

DECLARED = """axes M, K
axis k
map m on M
map n on K
int a, b
scalar s: T
tensor X, Y: T[M: m, k: a]
tensor Z: T[M: m, k: b]
tensor G, H: T[M: m, K: n]
tensor L: T[K: n]
tensor A, B: T[M: m]
tensor P: pred[K: n]
"""
SUM, TOTAL = "reduce(add, exp(X), k)", "reduce(add, exp(G), K)"
ONES = "broadcast(1, M: m)"
SQUARES = "reduce(add, X * X, k)"
WEIGHTS = f"exp(G) / broadcast({TOTAL}, K: n)"
MEAN = "reduce(add, X, k) / elem(a)"
FIRST = "reduce(max, X, k)"
BOTH = f"max({FIRST}, reduce(max, Z, k))"
SHIFTED = f"reduce(add, exp(concatenate(X, Z, k) - broadcast({BOTH}, k: a + b)), k)"
RUNNING = f"reduce(add, exp(X - broadcast({FIRST}, k: a)), k)"

PAIRS: dict[str, tuple[str, str]] = {
    "a range without an index": (f"{ONES} => {SUM} / {SUM}\nwhere a >= 1", f"{ONES} => {SUM} / {SUM}"),
    "a group that may be empty": (f"{ONES} => {TOTAL} / {TOTAL}\nwhere n >= 1", f"{ONES} => {TOTAL} / {TOTAL}"),
    "one axis is not enough": (
        f"{TOTAL} / {TOTAL} => {ONES}",
        f"{ONES} => {TOTAL} / {TOTAL}\nwhere some K: n >= 1",
    ),
    "a divisor multiplied out of a sum of nothing": (
        f"reduce(add, {WEIGHTS}, K) => {ONES}\nwhere n >= 1",
        f"reduce(add, {WEIGHTS}, K) => {ONES}",
    ),
    "a sum of squares": (f"{SQUARES} / {SQUARES} => {ONES}", f"{ONES} => {SQUARES} / {SQUARES}\nwhere a >= 1"),
    "x·inv(x)": ("(X * Y) / Y => X", "X => (X * Y) / Y"),
    "another divisor": ("X / (X + Y) => 1 - Y / (X + Y)", "X / (X + Y) => X / (X - Y)"),
    "two divisors, one given": (
        "A / (A + B) + B / (A + B) => (A - B) / (A + B) * 1 + 2 * B / (A + B)",
        "A / (A + B) + B / (A + B) => A / (A - B) - B / (A - B)",
    ),
    "a divisor that speaks of the index": (
        "reduce(add, X / broadcast(exp(A), k: a), k) => reduce(add, X, k) / exp(A)",
        "reduce(add, X / exp(Y), k) => reduce(add, X, k) / reduce(add, exp(Y), k)",
    ),
    "exponents of two indices, opposite": (
        f"{SUM} * exp(-A) => reduce(add, exp(X - broadcast(A, k: a)), k)",
        f"{SUM} * reduce(add, exp(-X), k) => broadcast(elem(a), M: m)",
    ),
    "exponents of two indices": (
        f"{SUM} * reduce(add, exp(Y), k) => reduce(add, exp(Y), k) * {SUM}",
        f"{SUM} * reduce(add, exp(Y), k) => reduce(add, exp(X + Y), k)",
    ),
    "as many as there are": (
        "reduce(add, L + s, K) => reduce(add, L, K) + elem(prod(n)) * s",
        "reduce(add, L + s, K) => reduce(add, L, K) + s",
    ),
    "a product of constants": (
        "reduce(add, exp(L) * 2, K) => 2 * reduce(add, exp(L), K)",
        "reduce(multiply, exp(L) * 2, K) => 2 * reduce(multiply, exp(L), K)",
    ),
    "what is padded below a function": (
        "reduce(add, exp(pad(X, 0, k: (high = 1))), k) => reduce(add, exp(X), k) + 1",
        "reduce(add, exp(L), K) => reduce(add, exp(pad(L, 0, high = 1)), K)",
    ),
    "an infinite padding": (
        "reduce(add, pad(exp(L), 0, high = 1), K) => reduce(add, exp(L), K)",
        "reduce(add, exp(L), K) => reduce(add, exp(pad(L, lowest, high = 1)), K)",
    ),
    "masked by an infinity": (
        "reduce(add, select(P, exp(L), 0), K) => reduce(add, exp(L) * select(P, 1, 0), K)",
        "reduce(add, select(P, exp(L), 0), K) => reduce(add, exp(select(P, L, lowest)), K)",
    ),
    "a running maximum of nothing": (
        f"{SHIFTED} => {SUM} * exp(-{BOTH}) + reduce(add, exp(Z), k) * exp(-{BOTH})\nwhere a >= 1",
        f"{SHIFTED} => {RUNNING} * exp({FIRST} - {BOTH}) + reduce(add, exp(Z), k) * exp(-{BOTH})",
    ),
    "a shift in one place": (
        f"exp(X - broadcast(A, k: a)) / broadcast({SUM} * exp(-A), k: a) => exp(X) / broadcast({SUM}, k: a)",
        f"exp(X - broadcast(A, k: a)) / broadcast({SUM}, k: a) => exp(X) / broadcast({SUM}, k: a)",
    ),
    "a mean of nothing": (
        f"reduce(add, X - broadcast({MEAN}, k: a), k) => broadcast(0, M: m)\nwhere a >= 1",
        f"broadcast(0, M: m) => reduce(add, X, k) - elem(a) * ({MEAN})",
    ),
    "one less than there are": (
        f"{SQUARES} - elem(a) * ({MEAN}) * ({MEAN}) => {SQUARES} - reduce(add, X, k) * ({MEAN})",
        f"{SQUARES} - elem(a) * ({MEAN}) * ({MEAN}) => {SQUARES} - elem(a - 1) * ({MEAN}) * ({MEAN})",
    ),
    "sums over a single axis and over a group": (
        "reduce(add, exp(broadcast(A, k: a)), k) => elem(a) * exp(A)",
        "reduce(add, exp(broadcast(A, K: n)), K) => elem(prod(n + 1) - 1) * exp(A)",
    ),
    "a factor of unknown sign": (
        "reduce(max, s * L, K) => s * reduce(max, L, K)\nwhere s >= 0, n >= 1",
        "reduce(max, s * L, K) => s * reduce(max, L, K)\nwhere n >= 1",
    ),
    "a factor below 0": (
        "reduce(max, s * L, K) => s * reduce(min, L, K)\nwhere s <= 0, n >= 1",
        "reduce(max, s * L, K) => s * reduce(max, L, K)\nwhere s <= 0, n >= 1",
    ),
    "a factor of a maximum of nothing": (
        "s * reduce(max, L, K) => reduce(max, s * L, K)\nwhere s >= 0",
        "reduce(max, s * L, K) => s * reduce(max, L, K)\nwhere s >= 0",
    ),
    "a factor of a maximum along some axis": (
        "reduce(min, abs(s) * L, K) => abs(s) * reduce(min, L, K)\nwhere n >= 1",
        "reduce(min, abs(s) * L, K) => abs(s) * reduce(min, L, K)\nwhere some K: n >= 1",
    ),
    "a maximum by parts": (
        f"exp(reduce(max, concatenate(X, Z, k), k) - {BOTH}) => {ONES}",
        f"exp(reduce(max, concatenate(X, Z, k), k) - {FIRST}) => {ONES}\nwhere a >= 1",
    ),
    "a product by factors": (
        "reduce(multiply, L * exp(L), K) => reduce(multiply, L, K) * exp(reduce(add, L, K))",
        "reduce(multiply, L + exp(L), K) => reduce(multiply, L, K) + exp(reduce(add, L, K))",
    ),
    "all of a range are above 0": (
        "exp(reduce(add, log(G), K)) => reduce(multiply, G, K)",
        "reduce(multiply, abs(G), K) => exp(reduce(add, log(abs(G)), K))",
    ),
    "another range is above 0": (
        "exp(reduce(add, log(X), k)) * exp(reduce(add, Z, k)) => reduce(multiply, concatenate(X, exp(Z), k), k)",
        "exp(reduce(add, log(X), k)) + reduce(add, Z, k) => reduce(multiply, X, k) + reduce(add, abs(Z), k)",
    ),
    "the sign of a sum": (
        f"select({TOTAL} > 0, A, B) => A\nwhere n >= 1",
        f"select({TOTAL} > 0, A, B) => A",
    ),
    "0 of a product of sums": (
        f"select({SUM} * {TOTAL} == 0, A, B) => B\nwhere a >= 1, n >= 1",
        f"select({SUM} * {TOTAL} == 0, A, B) => B\nwhere a >= 1",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_true_one_is_proved(name: str) -> None:
    found = answer(_asked(PAIRS[name][0]), BUDGET, Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.PROVED, found


@pytest.mark.parametrize("name", PAIRS)
def test_the_false_one_is_refuted(name: str) -> None:
    asked = _asked(PAIRS[name][1])
    assert not _by_normal_forms(asked)
    found = answer(asked, BUDGET, Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.REFUTED, found
    assert isinstance(found.witness, RuleWitness) and found.witness.replayed
    assert isinstance(replay(asked, found.witness.instance), Fails)


def _asked(sides: str) -> RuleQuestion:
    return asked_over("real", DECLARED + sides)


def _by_normal_forms(asked: RuleQuestion) -> bool:
    """Whether normal forms alone show the rule, whatever replays say to it."""
    prover = Prover(None, Mode.NORMAL_FORMS)
    return all(isinstance(prover.prove(goal), Closed) for goal in goals(claim_of(asked), Mode.NORMAL_FORMS))
