"""Preconditions with which a rule is proved, found by eliminating candidates with counterexamples.

Owns the order of the search: conjunctions that keep every typical input come first, then those that keep most, then
the same for all inputs on which the rule holds; what was found is weakened. Small inputs are drawn and replayed once.
Counted work ends it, not the clock: what is found is a function of the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

from msgspec import Struct

from rewright.fixes.preconditions.atoms import Atom, Tier, conjoined
from rewright.fixes.preconditions.covering import Cover
from rewright.fixes.preconditions.exploring import pool_of
from rewright.fixes.preconditions.known import Limits, SearchState, Trial
from rewright.fixes.preconditions.lanes import Bits
from rewright.fixes.preconditions.likely import enriched
from rewright.fixes.preconditions.refuted import refuted_weaker
from rewright.fixes.preconditions.weaken import allow_empty, weaken
from rewright.fixes.preconditions.work import Limit
from rewright.model.formula import Formula
from rewright.model.rule import RuleQuestion
from rewright.rules.restated import restates_validity
from rewright.verdict import Weaker

STEPS = 5_000_000
"""About as many microseconds, on a machine that does nothing else."""

ENDING = 0.7
LATEST = 0.83
"""The shares of the work after which no further candidate is looked for: where something was found, and where not."""

DRAWING = 0.25
"""The share of the work that inputs may be drawn for."""

SHORT = (Tier.CONSTANTS, Tier.SIMPLE, Tier.SUMS)
WHOLE = (*SHORT, Tier.SPLITS, Tier.SOME)
"""The tiers of conjunctions that keep all valid inputs: there are few, so that many atoms can be looked at."""

ATTEMPTS = {Tier.CONSTANTS: 4, Tier.SIMPLE: 8, Tier.SUMS: 16, Tier.SPLITS: 8, Tier.SOME: 4, Tier.PRODUCTS: 6}
"""Candidates of each tier that are tried to be proved."""

CONFIRMING = 0.95
"""The share of the work until which what is offered is proved for every type."""

SLICES = {Tier.CONSTANTS: 0.25, Tier.SIMPLE: 0.2}
SLICE = 0.14
"""The share of the work that candidates of a tier are tried for."""

OFFERED = 3

SHORTER = 2
AS_MANY = 0.6
"""A stronger one is offered, too, if it is so many times shorter and keeps this share of results that are not empty."""

LEFT = 0.04
"""The share of inputs below which no further precondition is looked for that keeps what others do not."""

MISSED = 4
"""Candidates refuted in a row after which a tier that is not the first to find something is left."""


class FoundPrecondition(Struct, frozen=True):
    """A precondition with which the rule is proved, and how many of the small inputs on which it holds are kept.

    `weaker` are others that keep more, each with an input on which the rule fails.
    """

    parts: tuple[Formula, ...]
    kept: int
    of: int
    weaker: tuple[Weaker, ...] = ()

    @property
    def formula(self) -> Formula:
        """All parts as one."""
        return conjoined(self.parts)


class Aim(Enum):
    """What candidates are to keep: which share, of the typical inputs or of all on which the rule holds."""

    MOST_TYPICAL = "most typical"
    EVERY_TYPICAL = "every typical"
    SOME_TYPICAL = "some typical"
    EVERY = "every"
    SOME = "some"


TYPICAL = frozenset({Aim.MOST_TYPICAL, Aim.EVERY_TYPICAL, Aim.SOME_TYPICAL})
SHARES = {Aim.MOST_TYPICAL: 0.5, Aim.EVERY_TYPICAL: 1.0, Aim.EVERY: 1.0}
"""The share that has to be kept; of the others there is a coincidence that no precondition has to speak of."""

BLAME = 0.04
"""The share of inputs that an atom has to keep the more for each candidate with it that was not proved."""

EACH = {aim: 4 if aim is Aim.SOME else 1 for aim in Aim}
"""Preconditions that a tier may find before they are weakened."""


def preconditions(questions: Sequence[RuleQuestion], limit: Limit) -> tuple[FoundPrecondition, ...]:
    """Up to three preconditions, weakest first.

    One that is stronger than another one on the small inputs is far shorter.
    """
    drawing, confirming = limit.share(DRAWING), limit.share(CONFIRMING)
    limits = Limits(limit.left, limit.share(ENDING), limit.share(LATEST))
    pool = enriched(questions[0], pool_of(questions[0], drawing), drawing)
    known = SearchState(questions, pool, limits)
    _search(known)
    allow_empty(known)
    found = _offered(known, confirming)
    of = len(known.pool.positive)
    return tuple(
        FoundPrecondition(each.parts, each.keeps.bit_count(), of, refuted_weaker(known, each.parts)) for each in found
    )


def _search(known: SearchState) -> None:
    for aim, tiers in (
        (Aim.MOST_TYPICAL, SHORT),
        (Aim.SOME_TYPICAL, SHORT[:2]),
        (Aim.EVERY_TYPICAL, WHOLE),
        (Aim.SOME_TYPICAL, SHORT),
        (Aim.EVERY, WHOLE),
        (Aim.SOME, tuple(Tier)),
    ):
        if aim is not Aim.SOME_TYPICAL or not known.found:
            _widen(known, aim, tiers)


def _widen(known: SearchState, aim: Aim, tiers: Sequence[Tier]) -> None:
    """Tries candidates of the first tier, then of the first two, and so on, and weakens what was found."""
    for count in range(1, len(tiers) + 1):
        if known.late or not _to_keep(known, aim) or known.kept(_to_keep(known, aim)):
            return
        before = len(known.found)
        _try_tiers(known, aim, tiers[:count])
        if len(known.found) > before:
            weaken(known, before, SHORT)
        if known.found and tiers[count - 1] >= Tier.SPLITS:
            return


def _to_keep(known: SearchState, aim: Aim) -> Bits:
    return known.typical if aim in TYPICAL else known.positive


def _try_tiers(known: SearchState, aim: Aim, tiers: Sequence[Tier]) -> None:
    """Tries candidates made of atoms of these tiers; those that no candidate needs are made again when none is left."""
    before, missed, fresh = len(known.found), 0, True
    slice_ = int(known.limits.steps * SLICES.get(tiers[-1], SLICE))
    atoms, limit = _relevant(known, aim, tiers), known.limits.latest.at_most(slice_)
    for _ in range(ATTEMPTS[tiers[-1]]):
        if known.late or limit.over or len(known.found) - before == EACH[aim] or known.kept(_to_keep(known, aim)):
            return
        cover = _next(known, aim, atoms, tiers[-1])
        if cover is None and not fresh:
            atoms, fresh = _relevant(known, aim, tiers), True
            cover = _next(known, aim, atoms, tiers[-1])
        if cover is None:
            return
        count, trial = len(known.inputs), known.attempt(cover)
        missed = missed + 1 if trial is Trial.REFUTED else 0
        if trial is Trial.REFUTED:
            atoms, fresh = known.extended(atoms, count), False
        if known.found and missed == MISSED:
            return


def _relevant(known: SearchState, aim: Aim, tiers: Sequence[Tier]) -> list[Atom]:
    """The atoms of these tiers of which candidates may consist."""
    valid = _to_keep(known, aim)
    least = SHARES.get(aim, 0) * valid.bit_count()
    enough = [atom for atom in known.atoms(tiers) if (atom.holds & valid).bit_count() >= least]
    return known.undominated(enough, valid)


def _next(known: SearchState, aim: Aim, atoms: Sequence[Atom], tier: Tier) -> Cover | None:
    """The best candidate that is neither tried yet nor stronger than one that was found."""
    keeps = [cover.keeps for cover in known.found]
    total = max(1, _to_keep(known, aim).bit_count())
    found = _candidates(known, aim, atoms, tier)
    for each in sorted(found, key=lambda each: BLAME * known.blame(each) - each.promise(total)):
        cover = Cover.of(each.atoms, known.positive)
        if known.worth_trying(cover) and all(cover.keeps & ~other for other in keeps):
            return cover
    return None


def _candidates(known: SearchState, aim: Aim, atoms: Sequence[Atom], tier: Tier) -> Sequence[Cover]:
    """Conjunctions that keep enough of what an aim wants: of what no other one keeps, or more than each other one."""
    valid, keeps = _to_keep(known, aim), [cover.keeps for cover in known.found]
    if aim in SHARES:
        least = SHARES[aim] * valid.bit_count()
        return [each for each in known.covers(atoms, valid) if each.keeps.bit_count() >= least]
    if tier > Tier.SUMS:
        most = max(map(int.bit_count, keeps), default=0)
        found = known.covers(atoms, valid)
        return [each for each in found if Cover.of(each.atoms, known.positive).keeps.bit_count() > most]
    rest = valid & ~_union(keeps)
    return known.covers(atoms, rest) if rest.bit_count() > LEFT * valid.bit_count() else ()


def _offered(known: SearchState, limit: Limit) -> list[Cover]:
    """The weakest, and then those that keep most of what the ones before do not, or say as much in far fewer words.

    Of those that keep as much, what only repeats when the claimed side is valid comes last.
    """
    chosen: list[Cover] = []
    left = [cover for cover in known.found if cover.atoms]
    while len(chosen) < OFFERED and (cover := _best(known, left, chosen)) is not None:
        left.remove(cover)
        if known.confirmed(cover, limit):
            chosen.append(cover)
    restated = {id(cover): restates_validity(known.questions[0], conjoined(cover.parts)) for cover in chosen}
    return sorted(
        chosen, key=lambda cover: (*(-count for count in _weight(known, cover)), restated[id(cover)], cover.size)
    )


def _weight(known: SearchState, cover: Cover, without: Bits = 0) -> tuple[int, int]:
    """How many inputs with a result that is not empty a candidate keeps beside others, and how many inputs."""
    keeps = cover.keeps & ~without
    return (keeps & known.pool.filled).bit_count(), keeps.bit_count()


def _best(known: SearchState, found: Sequence[Cover], chosen: Sequence[Cover]) -> Cover | None:
    kept = _union([cover.keeps for cover in chosen])
    rest = [
        cover
        for cover in found
        if all(cover.keeps & ~other.keeps or _far_shorter(known, cover, other) for other in chosen)
    ]
    return max(rest, key=lambda cover: (*_weight(known, cover, kept), -cover.size), default=None)


def _far_shorter(known: SearchState, cover: Cover, other: Cover) -> bool:
    """Whether a stronger precondition is worth a look because it is so short."""
    ours, others = _weight(known, cover)[0], _weight(known, other)[0]
    return SHORTER * cover.size <= other.size and ours >= AS_MANY * others


def _union(sets: Iterable[Bits]) -> Bits:
    found = 0
    for each in sets:
        found |= each
    return found
