"""Preconditions with which a rule is proved, found by eliminating candidates with counterexamples.

Owns the loop: small inputs are drawn and replayed once; a conjunction of atoms that excludes the failing ones is tried
on inputs drawn for it and then proved; what refutes it is one more failing input. Invariant: every precondition that is
returned was proved, for every question of the rule, and some input with a result that is not empty satisfies it. The
same for every call, unless the clock ends it.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rewright.checks.preconditions.atoms import Atom, Tier, atoms, conjoined
from rewright.checks.preconditions.covering import Cover, covers
from rewright.checks.preconditions.lanes import Bits
from rewright.checks.preconditions.likely import beyond, enriched
from rewright.checks.preconditions.pool import Pool, failing_inputs, failing_near, pool_of
from rewright.checks.preconditions.proof import Holds, Undecided, attempt
from rewright.model.formula import Formula
from rewright.model.rule import RuleQuestion
from rewright.replay.formulas import holds

SECONDS = 5.0
ENDING = 0.85
"""The share of the time after which no further candidate is looked for."""

LOOK = 0.1
"""Seconds that inputs near one that fails are tried for."""

DRAWING = 0.25
"""The share of the time that inputs may be drawn for."""

ATTEMPTS = {Tier.SIMPLE: 7, Tier.SUMS: 10, Tier.SPLITS: 6, Tier.SOME: 4, Tier.PRODUCTS: 6}
"""Candidates of each tier that are tried to be proved."""

OFFERED = 3

RELAXED = 5
"""Weaker ones that are tried in place of one that was found."""

RELAXING = 0.4
"""The share of the time that is left in which they are tried."""

OUTSIDE = 0.12
"""Seconds for inputs that one that was found does not keep."""

LEFT = 0.04
"""The share of inputs below which no further precondition is looked for that keeps what others do not."""

MISSED = 4
"""Candidates refuted in a row after which a tier that is not the first to find something is left."""

EACH = 4
"""Preconditions that a tier may find."""


@dataclass(frozen=True, slots=True)
class Precondition:
    """A precondition with which the rule is proved, and how many of the small inputs on which it holds are kept."""

    parts: tuple[Formula, ...]
    kept: int
    of: int

    @property
    def formula(self) -> Formula:
        """All parts as one."""
        return conjoined(self.parts)


def preconditions(questions: Sequence[RuleQuestion], seconds: float = SECONDS) -> tuple[Precondition, ...]:
    """Up to three preconditions, weakest first; no one is stronger than another one on the small inputs."""
    start = time.monotonic()
    drawing = start + DRAWING * seconds
    pool = enriched(questions[0], pool_of(questions[0], drawing), drawing)
    search = _Search(questions, start + ENDING * seconds, pool)
    for tier in (Tier.SIMPLE, Tier.SUMS):
        search.narrow(tier)
        search.relax()
    search.afresh()
    for tier in Tier:
        search.widen(tier)
        if search.best_possible or search.late or (search.found and tier is Tier.SPLITS):
            break
    if search.found and not search.best_possible:
        search.again()
        search.relax()
    found = _offered([cover for cover in search.found if cover.atoms])
    total = len(search.pool.positive)
    return tuple(
        Precondition(tuple(atom.formula for atom in cover.atoms), cover.keeps.bit_count(), total) for cover in found
    )


class _Search:
    """What is known so far: the pool, candidates that were proved, and those that were tried in vain."""

    def __init__(self, questions: Sequence[RuleQuestion], until: float, pool: Pool) -> None:
        self._questions = questions
        self._until = until
        self._tiers: list[Tier] = []
        self._vain: set[tuple[Formula, ...]] = set()
        self.pool = pool
        self._wanted = self._positive
        self.found: list[Cover] = []

    @property
    def best_possible(self) -> bool:
        """Whether one that was found keeps every input on which the rule holds."""
        return any(cover.keeps == self._positive for cover in self.found)

    @property
    def typical_kept(self) -> bool:
        """Whether one that was found keeps every typical input."""
        return any(not ((1 << self.pool.typical) - 1) & ~cover.keeps for cover in self.found)

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self._until

    @property
    def _positive(self) -> Bits:
        return (1 << len(self.pool.positive)) - 1

    def widen(self, tier: Tier) -> None:
        """Tries candidates of this tier and of those before it."""
        self._tiers.append(tier)
        candidates, before, missed = self._atoms(), len(self.found), 0
        for _ in range(ATTEMPTS[tier]):
            if self.late or len(self.found) - before == EACH or self.best_possible:
                return
            cover = self._next(candidates)
            if cover is None:
                return
            if self._try(cover):
                missed = 0
            else:
                candidates = self._atoms()
                missed += 1
            if self.found and missed == MISSED:
                return

    def narrow(self, tier: Tier) -> None:
        """The same for the typical inputs alone: what keeps all of those keeps more than a few coincidences do."""
        self._wanted = (1 << self.pool.typical) - 1
        if not self.typical_kept:
            self.widen(tier)

    def relax(self) -> None:
        """Looks for weaker ones in place of those that were found, with inputs drawn that tell whether there are."""
        until = time.monotonic() + RELAXING * (self._until - time.monotonic())
        order = sorted(range(len(self.found)), key=lambda number: -self.found[number].keeps.bit_count())
        for number in order[:OFFERED]:
            if time.monotonic() < until and self.found[number].atoms:
                self._enlarge(beyond(self._questions[0], _parts(self.found[number]), time.monotonic() + OUTSIDE))
            for _ in range(RELAXED):
                if time.monotonic() > until or not self.found[number].atoms:
                    break
                cover = self._relaxed(self.found[number])
                if cover is None:
                    break
                before = len(self.found)
                self._try(cover)
                if len(self.found) > before:
                    self.found[number] = self.found.pop()

    def _relaxed(self, cover: Cover) -> Cover | None:
        """What keeps all that a conjunction keeps and more: some of it, and other atoms for the rest."""
        atoms_, (known, *_) = self._atoms(), self._judged([cover])
        negative = ((1 << len(self.pool.negative)) - 1) << len(self.pool.positive)
        best: Cover | None = None
        total = len(self.pool.positive)
        for kept in range(len(known.atoms) - 1, -1, -1):
            for fixed in itertools.combinations(known.atoms, kept):
                wanted, left = self._positive, negative
                for atom in fixed:
                    wanted, left = wanted & atom.holds, left & atom.holds
                if not wanted & ~known.keeps:
                    continue
                useful = [atom for atom in atoms_ if not known.keeps & ~atom.holds]
                for found in covers(useful, wanted, left) if left else [Cover((), wanted, 0)]:
                    whole = Cover((*fixed, *found.atoms), _kept(found, wanted), found.size + sum(a.size for a in fixed))
                    more = best is None or whole.promise(total) > best.promise(total)
                    if more and whole.keeps & ~known.keeps and _parts(whole) not in self._vain:
                        best = whole
            if best is not None:
                return best
        return None

    def _enlarge(self, more: Pool) -> None:
        """Adds inputs to the pool."""
        self.pool = self.pool.joined([more])
        self.found = self._judged(self.found)

    def _judged(self, found: Sequence[Cover]) -> list[Cover]:
        """The same with the inputs of the pool as it is now."""
        inputs = (*self.pool.positive, *self.pool.negative)
        judged = []
        for cover in found:
            parts = tuple(
                replace(atom, holds=sum(holds(atom.formula, each) << place for place, each in enumerate(inputs)))
                for atom in cover.atoms
            )
            again = replace(cover, atoms=parts)
            judged.append(replace(again, keeps=_kept(again, self._positive)))
        return judged

    def afresh(self) -> None:
        """Turns from the typical inputs to all on which the rule holds."""
        self._tiers, self._wanted = [], self._positive

    def again(self) -> None:
        """Tries more of what is short, now that more failing inputs are known, in the time that is left."""
        self._tiers = [Tier.SIMPLE]
        self.widen(Tier.SUMS)

    def _atoms(self) -> list[Atom]:
        inputs = (*self.pool.positive, *self.pool.negative)
        return [atom for tier in self._tiers for atom in atoms(self._questions[0], inputs, tier)]

    def _next(self, candidates: Sequence[Atom]) -> Cover | None:
        """The best candidate that is neither tried yet nor stronger than one that was found."""
        known = [cover.keeps for cover in self.found]
        better = self._tiers[-1] > Tier.SUMS
        wanted = self._wanted if better else self._wanted & ~_union(known)
        negative = ((1 << len(self.pool.negative)) - 1) << len(self.pool.positive)
        for found in (
            covers(candidates, wanted, negative) if wanted.bit_count() > LEFT * self._wanted.bit_count() else ()
        ):
            cover = Cover(found.atoms, _kept(found, self._positive), found.size)
            solid = cover.keeps & ((1 << self.pool.solid) - 1)
            weaker = not better or cover.keeps.bit_count() > max(map(int.bit_count, known), default=0)
            stronger = any(not cover.keeps & ~other for other in known)
            if solid and weaker and not stronger and _parts(cover) not in self._vain:
                return cover
        return None

    def _try(self, cover: Cover) -> bool:
        """Whether the pool is still the same after a candidate was tried."""
        parts = _parts(cover)
        asked = [_with(question, parts) for question in self._questions]
        failing = failing_inputs(asked[0])
        if not failing:
            for question in asked:
                match attempt(question, self._until):
                    case Holds():
                        continue
                    case Undecided():
                        self._vain.add(parts)
                        return True
                    case refuted:
                        failing = (
                            refuted,
                            *failing_near(question, (refuted,), min(self._until, time.monotonic() + LOOK)),
                        )
                        break
            else:
                self.found.append(cover)
                return True
        self.pool = self.pool.with_failing(failing)
        return False


def _offered(found: Sequence[Cover]) -> list[Cover]:
    """The weakest, and then those that keep most of what the ones before do not; the weakest first."""
    chosen: list[Cover] = []
    for _ in range(min(OFFERED, len(found))):
        known = _union([cover.keeps for cover in chosen])
        rest = [cover for cover in found if all(cover.keeps & ~other.keeps for other in chosen)]
        if rest:
            chosen.append(max(rest, key=lambda cover: ((cover.keeps & ~known).bit_count(), -cover.size)))
    return sorted(chosen, key=lambda cover: (-cover.keeps.bit_count(), cover.size))


def _union(sets: Iterable[Bits]) -> Bits:
    found = 0
    for each in sets:
        found |= each
    return found


def _kept(cover: Cover, positive: Bits) -> Bits:
    for atom in cover.atoms:
        positive &= atom.holds
    return positive


def _parts(cover: Cover) -> tuple[Formula, ...]:
    return tuple(atom.formula for atom in cover.atoms)


def _with(question: RuleQuestion, parts: tuple[Formula, ...]) -> RuleQuestion:
    return replace(question, rule=replace(question.rule, where=(*question.rule.where, *parts)))
