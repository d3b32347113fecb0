"""More inputs on which a rule holds: drawn under the equalities that are likely by those known so far.

Owns which equalities are likely: they hold often where the rule holds and seldom where it fails. A rule that needs
two or three coincidences at once holds on few inputs that are drawn at random. Must not know how inputs are drawn.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from rewright.fixes.preconditions.atoms import Atom, Grammar, Tier
from rewright.fixes.preconditions.exploring import more_of
from rewright.fixes.preconditions.near import around, left
from rewright.fixes.preconditions.pool import Pool, gathered
from rewright.fixes.preconditions.repair import repaired
from rewright.fixes.preconditions.work import ATOM, Limit, Work
from rewright.model.formula import Comparison, Formula, IndexComparison, Negation
from rewright.model.index import MapReference
from rewright.model.rule import RuleQuestion
from rewright.replay.formulas import holds

_OPPOSITE: dict[Comparison, Comparison] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}

ENOUGH = 25
"""Inputs on which the rule holds and that are no special case, above which no more are looked for."""

SCARCE = 15
"""Inputs up to which further ones are looked for twice, the second time from what the first one found."""

REPAIRING = 400_000
"""Steps for inputs that are made from failing ones."""

NEAR = 150_000
"""Steps for inputs near those."""

TRIED_ALONE = 4
"""Equalities that are tried alone, and with each a second one."""


def enriched(question: RuleQuestion, pool: Pool, limit: Limit) -> Pool:
    """The pool with more inputs on which the question holds, if it had few."""
    if _enough(pool):
        return pool
    pool = pool.joined([_repaired(question, pool, limit)])
    for _ in range(1 if pool.thick > SCARCE else 2):
        drawn = []
        for conditions in _conditions(question, pool, limit.work):
            if not limit.over:
                drawn.append(more_of(_with(question, conditions), limit))
        pool = pool.joined(drawn)
        if _enough(pool):
            break
    return pool


def _repaired(question: RuleQuestion, pool: Pool, limit: Limit) -> Pool:
    """Inputs made from failing ones with up to one axis of each class, and some near those."""
    rng, most = random.Random(3), limit.at_most(REPAIRING)
    failing = [each for each in pool.negative if max(each.ranks.values(), default=1) == 1]
    made = repaired(question, failing, most)
    near = around(question, list(made.positive.values()), limit.at_most(NEAR))
    return gathered(rng, made).joined([gathered(rng, near)])


def beyond(question: RuleQuestion, pool: Pool, parts: Sequence[Formula], limit: Limit) -> Pool:
    """Inputs on which some formulas do not all hold: near those on which they do, and with one of them left out."""
    kept = [each for each in pool.positive if all(holds(part, each) for part in parts)]
    near = gathered(random.Random(4), left(question, kept, parts, limit))
    drawn = [
        more_of(_with(question, (*parts[:place], *parts[place + 1 :], _opposite(part))), limit)
        for place, part in enumerate(parts)
        if not limit.over
    ]
    return near.joined(drawn)


def _opposite(part: Formula) -> Formula:
    """What holds where a formula does not; for a comparison of maps, on every axis."""
    if isinstance(part, IndexComparison):
        return replace(part, operator=_OPPOSITE[part.operator])
    return Negation(part, 0)


def _enough(pool: Pool) -> bool:
    return pool.thick >= ENOUGH


def _conditions(question: RuleQuestion, pool: Pool, work: Work) -> Iterator[tuple[Formula, ...]]:
    """Equalities to draw under, one or two at a time."""
    inputs = (*pool.positive, *pool.negative)
    grammar = Grammar(question, inputs)
    made = [atom for tier in (Tier.SIMPLE, Tier.SUMS) for atom in grammar.atoms(tier)]
    work.spend(ATOM * len(made))
    equalities = [atom for atom in made if _pins(atom.formula)]
    positive = pool.typical or (1 << len(pool.positive)) - 1
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
    return list(by_truth.values())[:TRIED_ALONE]


def _pins(formula: Formula) -> bool:
    return isinstance(formula, IndexComparison) and formula.operator == "==" and isinstance(formula.left, MapReference)


def _with(question: RuleQuestion, parts: tuple[Formula, ...]) -> RuleQuestion:
    return replace(question, rule=replace(question.rule, where=(*question.rule.where, *parts)))
