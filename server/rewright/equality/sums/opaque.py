"""Values that are no sums: functions of their free indices, equal as far as that is proved.

Owns the heads of such values. An atom is abstracted over the indices that it mentions; an index that occurs with a unit
coefficient in a read is shifted so that this read is plain; indices that occur in one sum only are one, that sum. Two
heads are one if the abstracted values are shown to be equal wherever the ranges that both have hold. They are compared
at fresh indices: a hole's name says nothing about it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

from msgspec import Struct

from rewright.equality.facts import Fact
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.linear_forms import has_unknown, linear, sign_of_unit, unknowns
from rewright.equality.sums.summand import FreshNames, NotSummable, conditions_of, home_of
from rewright.terms import variable
from rewright.terms.binding import substitute
from rewright.terms.interning import children, subterms
from rewright.terms.node import Access, NonNegative, RankClass, Term, Variable
from rewright.terms.polynomial import scale, subtract

HOLES = 4
"""Values of more free indices are compared in the order in which they occur only; of 4 there are 24 orders."""

NESTED = 6
"""Values inside values are compared down to this depth; the library's rules have one inside another."""

COMPARED = 60
"""So many values are compared with each other at most for two elements: the library's rules need 3."""

Equal = Callable[[Term, Term, Entailment, frozenset[Variable]], bool]
"""Whether two elements are shown to be equal, the unknowns given being indices."""


class Opaque(Struct, frozen=True):
    """A value as a function of `holes`, which lie in the ranges."""

    value: Term
    holes: tuple[Variable, ...]
    ranges: tuple[Fact, ...]


class Opaques:
    """The opaque values met so far."""

    def __init__(self, equal: Equal, names: FreshNames) -> None:
        self._equal = equal
        self._names = names
        self._known: list[Opaque] = []
        self._comparing: list[tuple[Term, Term]] = []
        self._compared = 0

    def intern(
        self, atom: Term, free: frozenset[Variable], conditions: Sequence[Fact], entailment: Entailment
    ) -> tuple[str, list[tuple[RankClass, Term]]]:
        """The head of a value and its indices. Raises `NotSummable` where too many were compared."""
        made, indices = _abstracted(atom, free, conditions)
        for place, known in enumerate(self._known):
            if known.value.sort != made.value.sort:
                continue
            for order in _orders(known, made):
                if self._same(known, made, order, entailment):
                    return f"value {place}", [indices[number] for number in order]
        self._known.append(made)
        return f"value {len(self._known) - 1}", indices

    def _same(self, known: Opaque, made: Opaque, order: tuple[int, ...], entailment: Entailment) -> bool:
        """Whether two values are shown to be equal at indices of their own, of which nothing else is known."""
        matched: dict[Term, Term] = {made.holes[at]: hole for at, hole in zip(order, known.holes, strict=True)}
        pair = known.value, substitute(made.value, matched)
        if pair[0] is pair[1]:
            return True
        # a comparison that leads back to itself would otherwise count as its own reason
        if pair in self._comparing or len(self._comparing) >= NESTED:
            return False
        self._compared += 1
        if self._compared > COMPARED:
            raise NotSummable("too many values")
        mine = {(home, substitute(part, matched)) for home, part in made.ranges}
        fresh = [self._names.fresh(hole.rank_class) for hole in known.holes]
        own: dict[Term, Term] = dict(zip(known.holes, fresh, strict=True))
        common = [(home, substitute(part, own)) for home, part in known.ranges if (home, part) in mine]
        one, other = (substitute(value, own) for value in pair)
        self._comparing.append(pair)
        try:
            return self._equal(one, other, entailment.under(common), frozenset(fresh))
        finally:
            self._comparing.pop()


def _orders(known: Opaque, made: Opaque) -> list[tuple[int, ...]]:
    """The ways to match holes of the same classes."""
    classes = [hole.rank_class for hole in known.holes]
    numbers = range(len(made.holes))
    if len(made.holes) != len(classes):
        return []
    tried = permutations(numbers) if len(classes) <= HOLES else iter([tuple(numbers)])
    return [order for order in tried if [made.holes[number].rank_class for number in order] == classes]


def _abstracted(
    atom: Term, free: frozenset[Variable], conditions: Sequence[Fact]
) -> tuple[Opaque, list[tuple[RankClass, Term]]]:
    atom, conditions, sums = _summed(atom, free, conditions)
    free |= frozenset(sums)
    at: dict[Term, Term] = dict(sums.items())
    values: dict[Term, Term] = {}
    indices: list[tuple[RankClass, Term]] = []
    holes: list[Variable] = []
    for unknown in _in_order(atom):
        if unknown in free:
            hole = variable(f"?{len(holes)}", unknown.rank_class)
            index, value = _plain(atom, unknown, hole, free)
            values[unknown] = value
            indices.append((unknown.rank_class, substitute(index, at)))
            holes.append(hole)
    ranges = conditions_of(
        (home, substitute(part, values))
        for home, part in conditions
        if any(
            home == home_of(unknown) and has_unknown(part, unknown) and _alone(part, unknown, free)
            for unknown in free
            if unknown in values
        )
    )
    return Opaque(substitute(atom, values), tuple(holes), ranges), indices


def _summed(
    atom: Term, free: frozenset[Variable], conditions: Sequence[Fact]
) -> tuple[Term, Sequence[Fact], dict[Variable, Term]]:
    """The atom with one index for each sum of indices that a condition bounds, if they occur in no other way.

    So a value that is read at i + k - 1, and only there, is a function of one index.
    """
    found: dict[Variable, Term] = {}
    for home, part in conditions:
        if not isinstance(part, NonNegative):
            continue
        mentioned = [unknown for unknown in unknowns(part.polynomial) if unknown in free]
        for unknown in mentioned if len(mentioned) > 1 else ():
            form = linear(part.polynomial, unknown)
            if form is None or sign_of_unit(form.factor) != 1 or home != home_of(unknown):
                continue
            whole = variable(f"?+{len(found)}", unknown.rank_class)
            value: dict[Term, Term] = {unknown: subtract(whole, form.rest)}
            changed = substitute(atom, value)
            if has_unknown(atom, unknown) and not any(has_unknown(changed, other) for other in mentioned):
                found[whole] = part.polynomial
                atom = changed
                conditions = [(at, substitute(each, value)) for at, each in conditions]
                break
    return atom, conditions, found


def _alone(part: Term, unknown: Variable, free: frozenset[Variable]) -> bool:
    return all(other is unknown or other not in free for other in unknowns(part))


def _plain(atom: Term, unknown: Variable, hole: Variable, free: frozenset[Variable]) -> tuple[Term, Term]:
    """The index that the hole stands for, and the unknown in terms of the hole."""
    for read in subterms(atom):
        if isinstance(read, Access):
            for slot in read.slots:
                form = None if slot.index.loose else linear(slot.index, unknown)
                if form is None or not _alone(slot.index, unknown, free) or not form.rest.classes <= unknown.classes:
                    continue
                if sign_of_unit(form.factor):
                    return slot.index, scale(sign_of_unit(form.factor), subtract(hole, form.rest))
    return unknown, hole


def _in_order(term: Term) -> list[Variable]:
    """The unknowns in the order in which they occur."""
    found: dict[Variable, None] = {}
    seen: set[Term] = set()

    def visit(node: Term) -> None:
        if node not in seen:
            seen.add(node)
            if isinstance(node, Variable):
                found[node] = None
            for child in children(node):
                visit(child)

    visit(term)
    return list(found)
