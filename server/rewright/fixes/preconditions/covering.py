"""Conjunctions that exclude every failing input and keep as many of the others as can be.

Owns the search over sets of inputs: which few atoms together hold on no negative input. Depth first: of the negative
inputs that are left the first is excluded, by each atom that does so in turn. Must not know what an atom says.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from rewright.fixes.preconditions.atoms import Atom
from rewright.fixes.preconditions.lanes import Bits
from rewright.model.formula import Formula

DEEPEST = 4
"""Atoms in a conjunction."""

MOST = 400
"""Atoms that are looked at."""

LOOKED_AT = 3000
"""Atoms that are held against better ones, the best first: each is compared with all that were kept."""

BRANCHES = 14
"""Atoms tried at each step."""

STEPS = 250
"""Steps of a search."""

STARTS = 60
"""Atoms that a conjunction is completed from without branching."""

KEPT = 400
"""Conjunctions found, at which a search ends."""

PENALTY = 0.03
"""A longer conjunction fits more sets of inputs by chance: the share of inputs that one more unknown is worth."""


class Cover(Struct, frozen=True):
    """Atoms that hold together on no negative input, the positive ones that they keep, and their length."""

    atoms: tuple[Atom, ...]
    keeps: Bits
    size: int

    @staticmethod
    def of(atoms: tuple[Atom, ...], positive: Bits) -> Cover:
        """The conjunction of some atoms."""
        keeps = positive
        for atom in atoms:
            keeps &= atom.holds
        return Cover(atoms, keeps, sum(atom.size for atom in atoms))

    @property
    def parts(self) -> tuple[Formula, ...]:
        """What the atoms say."""
        return tuple(atom.formula for atom in self.atoms)

    def promise(self, positive: int) -> float:
        """How likely it is to be of use, among so many positive inputs: the share that it keeps, less its length."""
        return self.keeps.bit_count() / positive - PENALTY * self.size


class _Search(Struct):
    atoms: list[tuple[Atom, Bits, Bits]]
    positive: Bits
    negative: Bits
    found: dict[frozenset[int], Cover] = field(default_factory=dict)
    steps: int = 0


def covers(candidates: Sequence[Atom], positive: Bits, negative: Bits) -> list[Cover]:
    """The most promising conjunctions of a few atoms, in that order."""
    search = _Search(_ranked(candidates, positive, negative), positive, negative)
    for number in range(min(STARTS, len(search.atoms))):
        _complete(search, number)
    _extend(search, (), positive, negative)
    return sorted(search.found.values(), key=lambda cover: -cover.promise(positive.bit_count()))


def _complete(search: _Search, first: int) -> None:
    """Adds to one atom what excludes much and costs little, until nothing is left to exclude."""
    chosen, (_, keeps, excludes) = [first], search.atoms[first]
    left = search.negative & ~excludes
    while left and len(chosen) < DEEPEST:
        worth, best = 0.0, None
        for number, (atom, atom_keeps, atom_excludes) in enumerate(search.atoms):
            gain = (left & atom_excludes).bit_count()
            if gain and (still := keeps & atom_keeps):
                # the greedy rule of weighted set cover: the most that is excluded for what is lost and has to be read
                value = gain / (keeps.bit_count() - still.bit_count() + atom.size)
                if value > worth:
                    worth, best = value, number
        if best is None:
            return
        chosen.append(best)
        keeps &= search.atoms[best][1]
        left &= ~search.atoms[best][2]
    if not left:
        _note(search, tuple(chosen))


def _simplicity(atom: Atom) -> tuple[int, int]:
    """Less is to be read; of two as short, that which holds more often."""
    return atom.size, -atom.holds.bit_count()


def undominated(candidates: Sequence[Atom], positive: Bits, negative: Bits) -> list[Atom]:
    """The atoms that are worth a look: no other one that is as simple keeps as much and excludes as much."""
    return [atom for atom, _, _ in _ranked(candidates, positive, negative)]


def _ranked(candidates: Sequence[Atom], positive: Bits, negative: Bits) -> list[tuple[Atom, Bits, Bits]]:
    """The simplest atom for what it keeps and excludes; without those that another one is as good as in both."""
    simplest: dict[tuple[Bits, Bits], Atom] = {}
    for atom in candidates:
        keeps, excludes = atom.holds & positive, negative & ~atom.holds
        known = simplest.get((keeps, excludes))
        if keeps and excludes and (known is None or _simplicity(atom) < _simplicity(known)):
            simplest[keeps, excludes] = atom
    most, all_of = max(1, positive.bit_count()), max(1, negative.bit_count())

    def worth(item: tuple[tuple[Bits, Bits], Atom]) -> tuple[float, int]:
        (keeps, excludes), atom = item
        return -keeps.bit_count() / most - excludes.bit_count() / all_of, atom.size

    # one that is as good in both comes before, so that it is enough to look back
    order = sorted(simplest.items(), key=worth)
    kept: list[tuple[Atom, Bits, Bits]] = []
    for (keeps, excludes), atom in order[:LOOKED_AT]:
        worse = (
            not keeps & ~other_keeps and not excludes & ~other_excludes and other.size <= atom.size
            for other, other_keeps, other_excludes in kept
        )
        if not any(worse):
            kept.append((atom, keeps, excludes))
        if len(kept) >= MOST:
            break
    return kept


def _extend(search: _Search, chosen: tuple[int, ...], keeps: Bits, left: Bits) -> None:
    search.steps += 1
    if not left:
        _note(search, chosen)
        return
    if len(chosen) == DEEPEST or search.steps > STEPS or len(search.found) > KEPT:
        return
    rarest = left & -left
    options = [
        (number, keeps & atom_keeps, left & ~excludes)
        for number, (_, atom_keeps, excludes) in enumerate(search.atoms)
        if excludes & rarest and number not in chosen
    ]
    options.sort(key=lambda each: (-each[1].bit_count(), each[2].bit_count(), search.atoms[each[0]][0].size))
    for number, still, remaining in options[:BRANCHES]:
        if still:
            _extend(search, (*chosen, number), still, remaining)


def _note(search: _Search, chosen: tuple[int, ...]) -> None:
    """Keeps a conjunction, without the atoms that the others make superfluous."""
    needed = list(chosen)
    for number in chosen:
        others = [other for other in needed if other != number]
        if not search.negative & ~_excluded(search, others):
            needed = others
    parts = tuple(search.atoms[number][0] for number in sorted(needed))
    keeps = search.positive
    for number in needed:
        keeps &= search.atoms[number][1]
    search.found[frozenset(needed)] = Cover(parts, keeps, sum(part.size for part in parts))


def _excluded(search: _Search, chosen: Sequence[int]) -> Bits:
    found = 0
    for number in chosen:
        found |= search.atoms[number][2]
    return found
