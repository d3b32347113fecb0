"""Closed forms of sums and products: each true rule is proved, and a false one beside it is refuted and replayed.

The false ones are what a careless prover would take for true: one term more, a base that may be 1, an exponent that is
split at a base of 0, a quotient that is rounded, a joint beyond the range. They must fall without the replay of proofs.
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

DECLARED = """axes A
axis k
map a on A
int n, s, m, p, t
scalar r, c: T
tensor X: T[A: a]
let i = iota(T, k, k: n)
let w = power(broadcast(r, k: n), i)
"""
SUM = "reduce(add, i, k)"
POWERS = "reduce(add, w, k)"
HALF = "elem(n * (n - 1)) / 2"

PAIRS: dict[str, tuple[str, str, str]] = {
    "one more": ("real", f"{SUM} => {HALF}", f"{SUM} => elem(n * (n + 1)) / 2"),
    "of nothing": (
        "real",
        f"{SUM} / elem(n) => elem(n - 1) / 2",
        f"elem(n - 1) / 2 => {SUM} / elem(n)\nwhere n >= 0",
    ),
    "a quotient over the integers": ("int", f"{SUM} => {HALF}", f"{SUM} => elem(n) / 2 * elem(n - 1)"),
    "a quotient that leaves something": (
        "int",
        "reduce(add, 3 * i * i + 3 * i + 1, k) => elem(n * n * n)",
        "reduce(add, 3 * i * i + 3 * i + 1, k) => elem(n * n * n * (n + 1) / 2)",
    ),
    "a base that may be 1": (
        "real",
        f"{POWERS} => (power(r, elem(n)) - 1) / (r - 1)\nwhere r != 1",
        f"{POWERS} => (power(r, elem(n)) - 1) / (r - 1)\nwhere r != 0",
    ),
    "a base that may be 1, as an exponential": (
        "real",
        "reduce(add, exp(r * i), k) => (exp(r * elem(n)) - 1) / expm1(r)\nwhere r != 0",
        "reduce(add, exp(r * i), k) => (exp(r * elem(n)) - 1) / expm1(r)\nwhere r != 1",
    ),
    "a power too many": (
        "real",
        f"{POWERS} * (r - 1) => power(r, elem(n)) - 1\nwhere r < 1",
        f"{POWERS} * (r - 1) => power(r, elem(n + 1)) - 1\nwhere r < 1",
    ),
    "the last exponent": (
        "real",
        f"r * {POWERS} => (power(r, elem(n + 1)) - r) / (r - 1)\nwhere n >= 0, r != 1",
        f"{POWERS} => (power(r, elem(n - 1)) - 1 / r) / (1 - 1 / r)\nwhere n >= 0, r != 1",
    ),
    "a base that is a product": (
        "real",
        "reduce(add, power(broadcast(r * c, k: n), i), k) * (r * c - 1) => power(r, elem(n)) * power(c, elem(n)) - 1"
        "\nwhere r * c != 1",
        "reduce(add, power(broadcast(r * c, k: n), i), k) * (r * c - 1) => power(r, elem(n)) * power(c, elem(n)) - c"
        "\nwhere r * c != 1",
    ),
    "exponents of a base that may be 0": (
        "real",
        "power(X, elem(n + m)) => power(X, elem(n)) * power(X, elem(m))\nwhere n >= 0, m >= 0",
        "power(X, elem(n + m)) => power(X, elem(n)) * power(X, elem(m))\nwhere n + m >= 0",
    ),
    "an exponent less": (
        "real",
        "power(r, elem(n)) => r * power(r, elem(n - 1))\nwhere n >= 0, r != 0",
        "power(r, elem(n)) => r * power(r, elem(n - 1))\nwhere n >= 0",
    ),
    "a sign to a power": (
        "real",
        "power(-r, elem(2 * n)) => power(r, elem(2 * n))\nwhere n >= 0",
        "power(-r, elem(3 * n)) => power(r, elem(3 * n))\nwhere n >= 0",
    ),
    "a product of one factor": (
        "real",
        "reduce(multiply, broadcast(r, A: a), A) => power(r, elem(prod(a)))",
        "reduce(multiply, broadcast(r, A: a), A) => power(r, elem(prod(2 * a)))",
    ),
    "a product of powers": (
        "real",
        "reduce(multiply, w, k) => power(r, elem(n * (n - 1) / 2))",
        "reduce(multiply, w, k) => power(r, elem(n * (n + 1) / 2))",
    ),
    "a mask": (
        "real",
        "reduce(add, select(i < elem(t), i, 0), k) => elem(t * (t - 1)) / 2\nwhere 0 <= t, t <= n",
        "reduce(add, select(i < elem(t), i, 0), k) => elem(t * (t - 1)) / 2\nwhere t <= n",
    ),
    "a stride": (
        "real",
        "reduce(add, slice(i, s, s + m * p, p), k) => elem(m * s) + elem(p * m * (m - 1)) / 2\nwhere p >= 1",
        "reduce(add, slice(i, s, s + m * p, p), k) => elem(m * s) + elem(m * (m - 1)) / 2\nwhere p >= 1",
    ),
    "a padding": (
        "real",
        f"reduce(add, pad(i, c, low = s, high = m), k) => {HALF} + elem(s + m) * c\nwhere s >= 0, m >= 0",
        f"reduce(add, pad(i, c, low = s, high = m), k) => {HALF} + elem(s + m) * c\nwhere s >= 0",
    ),
    "beside a tensor": (
        "real",
        f"reduce(add, broadcast(X, k: n) * iota(T, k, A: a, k: n), k) => X * {HALF}",
        f"reduce(add, broadcast(X, k: n) + iota(T, k, A: a, k: n), k) => X + {HALF}",
    ),
    "two indices": (
        "real",
        "reduce(add, broadcast(i, A: a), [A, k]) => elem(prod(a)) * elem(n * (n - 1)) / 2",
        "reduce(add, broadcast(i, A: a), [A, k]) => elem(prod(a) * n * (prod(a) * n - 1)) / 2",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_the_true_one_is_proved(name: str) -> None:
    found = answer(_asked(name, 1), BUDGET, Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.PROVED, found


@pytest.mark.parametrize("name", PAIRS)
def test_the_false_one_is_refuted(name: str) -> None:
    asked = _asked(name, 2)
    assert not _by_normal_forms(asked)
    found = answer(asked, BUDGET, Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.REFUTED, found
    assert isinstance(found.witness, RuleWitness) and found.witness.replayed
    assert isinstance(replay(asked, found.witness.instance), Fails)


def _asked(name: str, side: int) -> RuleQuestion:
    return asked_over(PAIRS[name][0], DECLARED + PAIRS[name][side])


def _by_normal_forms(asked: RuleQuestion) -> bool:
    """Whether normal forms alone show the rule, whatever replays say to it."""
    prover = Prover(None, Mode.NORMAL_FORMS)
    return all(isinstance(prover.prove(goal), Closed) for goal in goals(claim_of(asked), Mode.NORMAL_FORMS))
