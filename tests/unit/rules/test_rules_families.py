"""Families: a proof is about every number of members from 1."""

from __future__ import annotations

from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Decision, Proved
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text


def test_a_family_has_a_member() -> None:
    """The maximum of nothing is infinite, and 0 times it undefined."""
    assert isinstance(decided("broadcast(0, A: n) => max(Xs...) * 0"), Proved)


def test_families_with_one_number_correspond() -> None:
    assert isinstance(decided("add(Xs * Ys...) => add(Ys * Xs...)"), Proved)


def decided(rewrite: str) -> Decision:
    text = f"rule r<T: int> {{\naxes A\nint k\nmap n on A\ntensor Xs...k, Ys...k: T[A: n]\n{rewrite}\n}}\n"
    value = check_file(parse(Text.of("r.rw", text)), lambda path: None).declarations[0].value
    assert isinstance(value, Rule)
    return decide(RuleQuestion(value, value.domains[0], "=>"), Budget())
