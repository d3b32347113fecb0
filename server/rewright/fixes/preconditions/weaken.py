"""Weaker preconditions than those that were found.

Owns how one that was proved is weakened: inputs near those that it keeps, which it does not keep, tell whether the
rule holds on more; then some of its atoms give way to others, or get an alternative. Must not know how the first ones
were found.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

from rewright.fixes.preconditions.atoms import Tier
from rewright.fixes.preconditions.covering import Cover
from rewright.fixes.preconditions.drawing import sums
from rewright.fixes.preconditions.known import SearchState, Trial
from rewright.fixes.preconditions.likely import beyond
from rewright.fixes.preconditions.work import Limit
from rewright.model.formula import Disjunction, Formula, IndexComparison, Quantified
from rewright.model.index import MapReference, Number
from rewright.model.walk import nodes

Weaker = Callable[[SearchState, Cover], Iterable[Cover]]
"""Candidates that keep all that a conjunction keeps."""

MOST = 3
"""Of those that were found, how many are weakened."""

TRIALS = 6
"""Weaker ones that are tried in place of one that was found."""

SHARE = 0.6
"""The share of the work that is left in which they are tried."""

OUTSIDE = 500_000
OUTSIDE_SUMMING = 150_000
"""Steps for inputs that one that was found does not keep: as a rule enough for all, or where sums make them dear."""

LENGTH = 0.01
"""The share of inputs that one more unknown is worth."""

LONGEST = 24
"""Unknowns, constants and comparisons in a weaker one."""


def weaken(known: SearchState, first: int, tiers: Sequence[Tier]) -> None:
    """Adds weaker ones, made of atoms of these tiers, to what was found from a certain number on."""
    limit = known.limit.share(SHARE)
    order = sorted(range(first, len(known.found)), key=lambda number: -known.found[number].keeps.bit_count())
    for number in order[:MOST]:
        for weaker in (_with_others(tiers), _with_alternatives):
            _look_beyond(known, number, limit)
            number = _replaced(known, number, weaker, limit)


def allow_empty(known: SearchState) -> None:
    """Adds to what was found, of a single formula, that some axis of a declared tensor is empty, where it holds there.

    A rule that moves elements often holds of a tensor that has none. It is said only of a size of which more is said:
    of most rules it is true, and nobody needs to read it.
    """
    for cover in sorted(known.found, key=lambda cover: -cover.keeps.bit_count())[:MOST]:
        for either in known.alternatives(cover.atoms[0]) if len(cover.atoms) == 1 else ():
            wider = Cover.of((either,), known.positive)
            more = not known.negative & either.holds and wider.keeps & ~cover.keeps
            if more and _says_empty(known, either.formula) and not known.late and known.attempt(wider) is Trial.PROVED:
                return


def _says_empty(known: SearchState, formula: Formula) -> bool:
    """Whether the last alternative is that a size of a declared tensor, of which more is said, is 0 on some axis."""
    match formula:
        case Disjunction(
            left=before,
            right=Quantified(
                quantifier="some",
                body=IndexComparison(operator="==", left=MapReference(name=name), right=Number(value=0)),
            ),
        ):
            tensors = known.questions[0].rule.tensors
            shapes = [size for tensor in tensors for _, size in tensor.shape]
            named = any(isinstance(node, MapReference) and node.name == name for node in nodes(before))
            return named and any(isinstance(size, MapReference) and size.name == name for size in shapes)
        case _:
            return False


def _replaced(known: SearchState, number: int, weaker: Weaker, limit: Limit) -> int:
    """The number of the weakest that was found in the place of another one."""
    for _ in range(TRIALS):
        cover = known.judged(known.found[number])
        wider = _widest(known, cover, weaker(known, cover))
        if limit.over or wider is None:
            break
        if _proved(known, wider):
            number = len(known.found) - 1
            _look_beyond(known, number, limit)
    return number


def _proved(known: SearchState, cover: Cover) -> bool:
    """Whether a candidate is proved, or, before it, one with more alternatives to its only atom."""
    wider = cover
    while len(cover.atoms) == 1 and (further := _widest(known, wider, _with_alternatives(known, wider))) is not None:
        wider = further
    return (wider is not cover and known.attempt(wider) is Trial.PROVED) or known.attempt(cover) is Trial.PROVED


def _look_beyond(known: SearchState, number: int, limit: Limit) -> None:
    parts = known.found[number].parts
    if parts and not limit.over:
        steps = OUTSIDE_SUMMING if sums(known.questions[0].rule) else OUTSIDE
        known.enlarge(beyond(known.questions[0], known.pool, parts, limit.at_most(steps)))


def _widest(known: SearchState, cover: Cover, possible: Iterable[Cover]) -> Cover | None:
    """The most promising of some candidates that keep more than a conjunction does.

    That a result may also be empty is said only where cases are listed already.
    """
    new = ~cover.keeps if any(_lists_cases(atom.formula) for atom in cover.atoms) else ~cover.keeps & known.pool.filled
    short = (each for each in possible if each.size <= LONGEST)
    wider = (each for each in short if each.keeps & new and known.worth_trying(each))
    total = len(known.pool.positive)
    return max(wider, key=lambda each: each.keeps.bit_count() / total - LENGTH * each.size, default=None)


def _lists_cases(formula: Formula) -> bool:
    """Whether a formula is one of several, each about all axes of a class or about some."""
    sides = (formula.left, formula.right) if isinstance(formula, Disjunction) else ()
    return any(isinstance(side, Quantified) or _lists_cases(side) for side in sides)


def _with_alternatives(known: SearchState, cover: Cover) -> Iterator[Cover]:
    """The conjunction with an alternative to one of its atoms."""
    for atom in cover.atoms:
        others = tuple(other for other in cover.atoms if other is not atom)
        kept, excluded = known.positive, known.negative
        for other in others:
            kept, excluded = kept & other.holds, excluded & other.holds
        if kept & ~cover.keeps:
            for either in known.alternatives(atom):
                if not excluded & either.holds and kept & either.holds & ~cover.keeps:
                    yield Cover.of((*others, either), known.positive)


def _with_others(tiers: Sequence[Tier]) -> Weaker:
    """Conjunctions in which atoms of these tiers replace some atoms; as few as possible, by as many as needed."""

    def weaker(known: SearchState, cover: Cover) -> list[Cover]:
        useful = [atom for atom in known.atoms(tiers) if not cover.keeps & ~atom.holds]
        for kept in range(len(cover.atoms) - 1, -1, -1):
            found = []
            for fixed in itertools.combinations(cover.atoms, kept):
                valid, left = known.positive, known.negative
                for atom in fixed:
                    valid, left = valid & atom.holds, left & atom.holds
                if valid & ~cover.keeps:
                    rest = known.covers(useful, valid, left) if left else [Cover((), valid, 0)]
                    found += [Cover.of((*fixed, *each.atoms), known.positive) for each in rest]
            wider = [each for each in found if each.keeps & ~cover.keeps and known.worth_trying(each)]
            if wider:
                return wider
        return []

    return weaker
