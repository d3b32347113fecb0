"""More inputs on which a rule holds: drawn under the equalities that those known so far suggest.

Owns which equalities are suggested: they hold often where the rule holds and seldom where it fails. A rule that needs
two or three coincidences at once holds on few inputs that are drawn at random. Must not know how inputs are drawn.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from rewright.checks.preconditions.atoms import Atom, Tier, atoms
from rewright.checks.preconditions.pool import MORE, Pool, pool_of
from rewright.model.formula import Formula, IndexComparison, Negation
from rewright.model.index import MapReference
from rewright.model.rule import RuleQuestion

_OPPOSITE: dict[str, Literal["==", "!=", "<", "<=", ">", ">="]] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}

ENOUGH = 60
"""Inputs on which the rule holds, above which no more are looked for."""

SCARCE = 15

THICK = 25
"""Of these, inputs with all sizes from 2."""

SUGGESTED = 4
"""Equalities that are tried alone, and with each a second one."""


def enriched(question: RuleQuestion, pool: Pool, until: float) -> Pool:
    """The pool with more inputs on which the question holds, if it had few."""
    if _enough(pool):
        return pool
    for _ in range(1 if pool.solid > SCARCE else 2):
        drawn = []
        for wanted in _wanted(question, pool):
            if time.monotonic() < until:
                drawn.append(pool_of(_with(question, wanted), until, MORE))
        pool = pool.joined(drawn)
        if _enough(pool):
            break
    return pool


def beyond(question: RuleQuestion, parts: Sequence[Formula], until: float) -> Pool:
    """Inputs on which all but one of some formulas hold."""
    drawn = [
        pool_of(_with(question, (*parts[:place], *parts[place + 1 :], _opposite(part))), until, MORE)
        for place, part in enumerate(parts)
        if time.monotonic() < until
    ]
    return drawn[0].joined(drawn[1:])


def _opposite(part: Formula) -> Formula:
    """What holds where a formula does not; for a comparison of maps, on every axis."""
    if isinstance(part, IndexComparison):
        return replace(part, operator=_OPPOSITE[part.operator])
    return Negation(part, 0)


def _enough(pool: Pool) -> bool:
    return pool.solid >= ENOUGH and pool.thin.count(0) >= THICK


def _wanted(question: RuleQuestion, pool: Pool) -> Iterator[tuple[Formula, ...]]:
    """Equalities to draw under, one or two at a time."""
    inputs = (*pool.positive, *pool.negative)
    equalities = [
        atom for tier in (Tier.SIMPLE, Tier.SUMS) for atom in atoms(question, inputs, tier) if _pins(atom.formula)
    ]
    positive = (1 << (pool.typical or len(pool.positive))) - 1
    first = _likeliest(equalities, positive, len(inputs))
    for atom in first:
        yield (atom.formula,)
    for atom in first[:2]:
        for other in _likeliest(equalities, positive & atom.holds, len(inputs)):
            if other is not atom:
                yield (atom.formula, other.formula)


def _likeliest(equalities: Sequence[Atom], positive: int, count: int) -> list[Atom]:
    def likelihood(atom: Atom) -> tuple[float, int]:
        held = (atom.holds & positive).bit_count() / max(1, positive.bit_count())
        return -held / ((atom.holds & ~positive).bit_count() + 2) * count, atom.size

    by_truth: dict[int, Atom] = {}
    for atom in sorted(equalities, key=likelihood):
        if (atom.holds & positive).bit_count() >= 2 or positive.bit_count() < 4:
            by_truth.setdefault(atom.holds, atom)
    return list(by_truth.values())[:SUGGESTED]


def _pins(formula: Formula) -> bool:
    return isinstance(formula, IndexComparison) and formula.operator == "==" and isinstance(formula.left, MapReference)


def _with(question: RuleQuestion, parts: tuple[Formula, ...]) -> RuleQuestion:
    return replace(question, rule=replace(question.rule, where=(*question.rule.where, *parts)))
