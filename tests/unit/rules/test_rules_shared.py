"""What both sides share is any tensor: rules that are proved so, and what such a tensor must keep."""

from __future__ import annotations

import pytest
from rules_text import LAYERS, asked, decision

from rewright.checks.rule import answer
from rewright.rules.claim import claim_of, generalized
from rewright.rules.decision import Budget, Mode, Proved, Refuted
from rewright.rules.obligations import goals
from rewright.verdict import Method, RuleWitness, Verdict

LARGER = """
convolution({0}, W, batch = N, feature = G, output = O, S: (low = k, high = k))
  => convolution({0}, pad(W, 0, S: ({1}, 1 - k)), batch = N, feature = G, output = O, S: (low = 1, high = 1))
where k <= 1
"""
VALUES = "axes K\nmap n on K\ntensor X, Y, Z: T[K: n]\ntensor P: pred[K: n]\n"
TABLE = "axes I, K\nmap m on I\nmap n on K\ntensor X: T[I: m, K: n]\ntensor W: T[I: m]\n"

TRUE = {
    "a maximum of a convolution": LAYERS + LARGER.format("max(inner, 0)", "1 - k"),
    "a function of a convolution": LAYERS + "fn e: (T) -> T\n" + LARGER.format("e(inner * inner)", "1 - k"),
    "a quotient": VALUES + "dot(X / Y, Z, contract = K) => reduce(add, Z * (X / Y), K)",
    "a maximum over a range, or 0": TABLE
    + "reduce(add, max(reduce(max, X, K), 0) * W, I) => reduce(add, reverse(max(reduce(max, X, K), 0) * W, I), I)",
    "a scalar": VALUES
    + "reduce(add, X * max(reduce(add, abs(Y), K), 1), K) => reduce(add, X, K) * max(reduce(add, abs(Y), K), 1)",
}

FALSE = {
    "of a larger kernel": LAYERS + LARGER.format("max(inner, 0)", "0"),
    "undefined where it is not chosen": VALUES
    + "reduce(add, select(P, X / Y, 0), K) => reduce(add, (X / Y) * select(P, 1, 0), K)",
    "infinite": TABLE + "reduce(max, X, K) => reduce(max, X, K) + 0 * W",
    "twice as large": VALUES
    + "dot(reverse(max(X, Y), K), Z, contract = K) => dot(reverse(max(X, Y), K), Z + Z, contract = K)",
    "without its last element": VALUES
    + "reduce(add, max(X, Y), K) => reduce(add, slice(max(X, Y), 0, n - 1), K)\nwhere 1 <= n",
    "two of one kind": "axes I, K\nmap m on I\nmap n on K\ntensor X, W: T[I: m, K: n]\n"
    "reduce(add, reverse(X, I) * W, K) => reduce(add, reverse(X, K) * W, K)",
    "true of what is shared only": VALUES
    + "reduce(add, max(X * X, Y) * Z, K) => reduce(add, abs(max(X * X, Y)) * Z + 1, K)",
}

OF_WHAT_IS_SHARED = VALUES + "reduce(add, (X * X) * Z, K) => reduce(add, abs(X * X) * Z, K)"


@pytest.mark.parametrize("name", TRUE)
def test_what_is_shared_may_be_any_tensor(name: str) -> None:
    found = decision(TRUE[name], domain="real")
    assert isinstance(found, Proved) and found.by is Method.NORMAL_FORM


@pytest.mark.parametrize("name", FALSE)
def test_what_is_shared_keeps_what_it_is(name: str) -> None:
    found = answer(asked(FALSE[name], "real"), Budget(), Mode.NORMAL_FORMS)
    assert found.verdict is Verdict.REFUTED
    assert isinstance(found.witness, RuleWitness) and found.witness.replayed


def test_what_only_holds_of_this_part_is_proved_of_it() -> None:
    """Of any tensor in its place the rule is false."""
    assert isinstance(decision(OF_WHAT_IS_SHARED, domain="real"), Proved)
    assert isinstance(decision(OF_WHAT_IS_SHARED.replace("X * X", "X"), domain="real"), Refuted)


def test_what_may_be_infinite_is_no_tensor() -> None:
    """A maximum over a range that may be empty stays what it is; beside a number it is one."""
    for text, general in ((FALSE["infinite"], False), (TRUE["a maximum over a range, or 0"], True)):
        question = asked(text, "real")
        assert (generalized(claim_of(question), question).general is not None) is general


def test_validity_and_shapes_are_asked_of_the_rule_itself() -> None:
    question = asked(TRUE["a maximum of a convolution"])
    claim = generalized(claim_of(question), question)
    general = [goal.general is not None for goal in goals(claim, Mode.NORMAL_FORMS)]
    assert general[-2:] == [True, True] and not any(general[:-2])
