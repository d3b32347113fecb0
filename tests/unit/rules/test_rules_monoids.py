"""Declared monoids: what holds in every commutative monoid is proved, what holds in some is not."""

from __future__ import annotations

import pytest

from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Decision, Proved, Refuted, Unknown
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

ITEMS = """
  axes A, B
  axis d
  map n on A
  map m on B
  int k
  scalar z, y: T
  tensor X, Y, Z: T[A: n]
  tensor P, Q: pred[A: n]
  tensor M: T[A: n, B: m]
  tensor V: T[d: k]
"""


def decided(rewrite: str, declared: str = "monoid op: T", bound: str = "any") -> Decision:
    """The decision on the rule's first question."""
    text = f"rule r<T: {bound}, U: any> {{\n{ITEMS}\n{declared}\n{rewrite}\n}}\n"
    value = check_file(parse(Text.of("r.rw", text)), lambda path: None).declarations[0].value
    assert isinstance(value, Rule)
    return decide(RuleQuestion(value, value.domains[0], "=>"), Budget())


@pytest.mark.parametrize(
    "rewrite",
    [
        "op(X, op(Y, Z)) => op(op(Z, X), Y)",
        "op(X, identity(op)) => X",
        "reduce(op, broadcast(X, B: m), B) => broadcast(identity(op), A: n)\n where some B: m == 0",
        "reduce(op, M, B, init = z) => op(reduce(op, M, B), z)",
        "reduce(op, op(M, broadcast(X, B: m)), B) => op(reduce(op, M, B), reduce(op, broadcast(X, B: m), B))",
        "reduce(op, select(P, X, identity(op)), A) => reduce(op, select(not P, identity(op), X), A)",
        "op(select(P, X, Y), select(P, Y, X)) => op(X, Y)",
        "op(reduce_window(op, V, 1), V) => op(V, V)",
    ],
)
def test_what_holds_in_every_monoid(rewrite: str) -> None:
    assert isinstance(decided(rewrite), Proved)


@pytest.mark.parametrize(
    "rewrite",
    [
        "op(X, X) => X",
        "op(X, X) => op(Y, Y)",
        "op(X, X) => broadcast(identity(op), A: n)",
        "op(X, op(X, X)) => X",
        "reduce(op, broadcast(X, B: m), B) => X\n where some B: m != 0",
        "reduce(op, M, B) => broadcast(identity(op), A: n)",
        "op(select(P, X, Y), select(Q, Y, X)) => op(X, Y)",
    ],
)
def test_what_holds_in_some_monoids_only(rewrite: str) -> None:
    """Idempotent ones, groups of order 2, the trivial one …"""
    assert isinstance(decided(rewrite), Refuted)


@pytest.mark.parametrize(
    ("rewrite", "declared", "bound"),
    [
        ("op(X, Y) => op(Y, X)", "monoid op: T", "real"),
        ("op(X, Y) => op(Y, X)", "monoid op, other: T", "any"),
        ("op(X, Y) => op(Y, X)", "monoid op: T\nfn f: (T) -> pred", "any"),
        ("op(X, Y) => op(Y, X)", "monoid op: T\nfn f: (U) -> T", "any"),
    ],
)
def test_elements_of_which_more_is_known_are_left_open(rewrite: str, declared: str, bound: str) -> None:
    """Also where the equation holds: what else elements obey is not what the monoid is decided by."""
    assert isinstance(decided(rewrite, declared, bound), Unknown)


def test_a_monoid_leaves_other_elements_alone() -> None:
    declared = "monoid op: U\nmonoid other: T\ntensor W: U[A: n]\nfn f: (pred) -> pred"
    assert isinstance(decided("select(f(P), op(W, W), W) => select(f(P), op(W, W), W)", declared), Proved)
