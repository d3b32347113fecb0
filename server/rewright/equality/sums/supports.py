"""Minima, maxima and conjunctions: unions of guarded members, compared by which addresses they have at all.

Owns the reading of what an idempotent monoid combines as members, each with binders and conditions, and the comparison
of two such unions: each guard of one side lies within the other's. A minimum is the negative of a maximum of negatives.
Members that are the identity vanish, empty ranges have none. Source: any semilattice, so multiplicities do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from rewright.equality.facts import EVERYWHERE
from rewright.equality.sums.addresses import Fibre
from rewright.equality.sums.conversion import is_index_condition, opened
from rewright.equality.sums.fibres import ComparisonFrame, support_of
from rewright.equality.sums.patterns import same_unions
from rewright.equality.sums.summand import LIMIT, Formal, FreshNames, NotSummable, Summand, conditioned, times
from rewright.equality.sums.weights import agree, implies, pruned
from rewright.terms.binding import substitute
from rewright.terms.comparison import non_negative
from rewright.terms.conversion import element_of
from rewright.terms.interning import children
from rewright.terms.node import (
    INDEX,
    Access,
    And,
    Choose,
    Coefficient,
    ElementOf,
    Extremum,
    Fold,
    Infinity,
    NonNegative,
    Not,
    Polynomial,
    Reduce,
    Term,
    Zero,
)
from rewright.terms.polynomial import add, negate, plus, scale, subtract
from rewright.terms.truth import FALSE, TRUE, complement, conjuncts


def sense(term: Term) -> int:
    """1 for a maximum, reduced or not, or the negative of a minimum; −1 for their opposites; 0 for what is neither."""
    match term:
        case Extremum(greatest=greatest) | ElementOf(index=Extremum(greatest=greatest)):
            return 1 if greatest else -1
        case Reduce(monoid="maximum" | "minimum"):
            return 1 if term.monoid == "maximum" else -1
        case Polynomial(monomials=((((atom, 1),), -1),)):
            return -sense(atom)
        case _:
            return 0


def shifted(term: Term) -> tuple[Term, Term] | None:
    """A multiple of the one extremum in a sum that stands alone in its monomial, and the rest; None if there is none.

    max(S) + c is the maximum of all s + c, unless S is empty: then it is undefined.
    """
    if not isinstance(term, Polynomial) or len(term.monomials) < 2:
        return None
    alone = [(m, value) for m, value in term.monomials if len(m) == 1 and m[0][1] == 1 and sense(m[0][0])]
    if len(alone) != 1:
        return None
    monomial, value = alone[0]
    extremum = scale(value, monomial[0][0])
    return extremum, subtract(term, extremum)


def same_extrema(left: Term, right: Term, frame: ComparisonFrame) -> bool:
    """Whether two elements, of which one is an extremum, perhaps with something added, are shown to be the same."""
    factor = _sense_of_sum(left) or _sense_of_sum(right)
    if factor == 0:
        return False
    mine, theirs = list(members(left, factor, frame.names)), list(members(right, factor, frame.names))
    if all(_is_opposite_read(atom) for member in (*mine, *theirs) for atom in member.atoms):
        # both are minima of reads: the reads are the same if their opposites are
        mine, theirs = (
            [replace(each, atoms=tuple(map(negate, each.atoms))) for each in side] for side in (mine, theirs)
        )
    return _same(mine, theirs, frame)


def _is_opposite_read(atom: Term) -> bool:
    return isinstance(atom, Polynomial) and isinstance(negate(atom), Access)


def _sense_of_sum(term: Term) -> int:
    parts = shifted(term)
    if parts is None:
        return sense(term)
    match parts[0]:
        case Polynomial(monomials=((((atom, 1),), value),)):
            return sense(atom) if value > 0 else -sense(atom)
        case extremum:
            return sense(extremum)


def same_truths(left: Term, right: Term, frame: ComparisonFrame) -> bool:
    """Whether two truths are shown to be the same conjunction."""
    if isinstance(left, Not) or isinstance(right, Not):
        left, right = complement(left), complement(right)
    mine, theirs = list(demands(left, frame.names)), list(demands(right, frame.names))
    if all(_is_negated_read(atom) for demand in (*mine, *theirs) for atom in demand.atoms):
        mine, theirs = list(map(_affirmed, mine)), list(map(_affirmed, theirs))
    return _same(mine, theirs, frame)


def _is_negated_read(atom: Term) -> bool:
    return isinstance(atom, Not) and isinstance(atom.operand, Access)


def _affirmed(demand: Summand) -> Summand:
    """The read instead of its negation. Where all are negated, a read beyond the tensor may be false."""
    return replace(demand, atoms=tuple(map(complement, demand.atoms)))


def members(term: Term, factor: Coefficient, names: FreshNames) -> Iterator[Summand]:
    """The members of the maximum that factor · term is; the factor is not 0."""
    match term:
        case Polynomial(monomials=((((atom, 1),), value),)):
            yield from members(atom, factor * value, names)
        case Polynomial() if (parts := shifted(term)) is not None:
            extremum, rest = parts
            for member in members(extremum, factor, names):
                yield replace(member, atoms=tuple(add(atom, scale(factor, rest)) for atom in member.atoms))
        case Extremum(greatest=greatest, operands=operands) if greatest == (factor > 0):
            for operand in operands:
                yield from members(operand, factor, names)
        case Reduce(monoid="maximum" | "minimum") if (term.monoid == "maximum") == (factor > 0):
            ranges, body = opened(term, names)
            yield from (times(ranges, member) for member in members(body, factor, names))
        case Choose(condition=condition, consequent=consequent, alternative=alternative) if is_index_condition(
            condition
        ):
            for truth, branch in ((condition, consequent), (complement(condition), alternative)):
                inner = list(members(branch, factor, names))
                yield from (times(guard, member) for guard, member in product(guards(truth), inner))
        case ElementOf(index=Extremum(greatest=greatest, operands=operands), sort=sort) if greatest == (factor > 0):
            for operand in operands:
                yield from members(element_of(operand, sort), factor, names)
        case Infinity(positive=positive) if positive != (factor > 0):
            return
        case _:
            yield Summand(atoms=(scale(factor, term),))


def guards(truth: Term) -> list[Summand]:
    """Conditions of which the truth is the union; a test that some axis fails is one condition as it stands.

    Raises `NotSummable` where there are too many, and for what is no condition on indices.
    """
    if truth is TRUE or truth is FALSE:
        return [Summand()] if truth is TRUE else []
    match truth:
        case And(operands=operands):
            found = [Summand()]
            for operand in operands:
                found = [times(one, other) for one, other in product(found, guards(operand))]
                if len(found) > LIMIT:
                    raise NotSummable("too many cases")
            return found
        case Not(operand=And(operands=operands)):
            return [guard for operand in operands for guard in guards(complement(operand))]
        case Not(operand=Zero(polynomial=polynomial)) if polynomial.sort == INDEX and is_index_condition(truth):
            sides = (non_negative(plus(polynomial, -1)), non_negative(plus(negate(polynomial), -1)))
            return [guard for side in sides for guard in guards(side)]
        case Fold(rank_class=rank_class, predicate=predicate) if is_index_condition(truth):
            return [conditioned(*((rank_class, part) for part in conjuncts(predicate)))]
        case _ if is_index_condition(truth):
            return [conditioned((EVERYWHERE, truth))]
        case _:
            raise NotSummable("a choice by elements among what is compared")


def demands(truth: Term, names: FreshNames) -> Iterator[Summand]:
    """What a truth is the conjunction of: where the conditions hold, the atom (FALSE for none) holds."""
    match truth:
        case And(operands=operands):
            for operand in operands:
                yield from demands(operand, names)
        case Reduce(monoid="and"):
            ranges, body = opened(truth, names)
            yield from (times(ranges, demand) for demand in demands(body, names))
        case _ if truth is TRUE:
            return
        case _ if truth is FALSE:
            yield Summand(atoms=(FALSE,))
        case _:
            test = _test_in(truth)
            if test is None:
                yield Summand(atoms=(truth,))
                return
            for condition, other in ((test, complement(test)), (complement(test), test)):
                rest = substitute(truth, {condition: TRUE, other: FALSE})
                inner = list(demands(rest, names))
                yield from (times(guard, demand) for guard, demand in product(guards(condition), inner))


def _test_in(truth: Term) -> Term | None:
    """A comparison of indices on which a truth depends, the least by digest; none inside reads and reductions."""
    found: set[Term] = set()
    stack = [truth]
    while stack:
        term = stack.pop()
        if isinstance(term, Fold | NonNegative | Zero) and is_index_condition(term):
            found.add(term)
        elif not isinstance(term, Access | Reduce | Fold):
            stack.extend(children(term))
    return min(found, key=lambda term: term.digest, default=None)


def _same(left: Formal, right: Formal, frame: ComparisonFrame) -> bool:
    groups: dict[tuple[str, ...], tuple[list[Fibre], list[Fibre]]] = {}
    for side, terms in enumerate((left, right)):
        if len(terms) > LIMIT:
            raise NotSummable("too many members")
        for term in terms:
            fibre = support_of(replace(term, coefficient=1), frame)
            if fibre is not None and pruned(fibre, frame.entailment):
                groups.setdefault(fibre.heads, ([], []))[side].append(fibre)
    if not all(_same_union(*sides, frame) for sides in groups.values()):
        return False
    for mine, theirs in groups.values():
        frame.matches.extend((one, other) for one in mine for other in theirs if one.signature == other.signature)
    return True


def _same_union(left: list[Fibre], right: list[Fibre], frame: ComparisonFrame) -> bool:
    """Whether each guard lies within one of the other side, or the cases show the unions to be the same."""
    if {fibre.signature for fibre in left} == {fibre.signature for fibre in right}:
        return True
    if _within(left, right, frame) and _within(right, left, frame):
        return True
    return same_unions(left, right, frame)


def _within(inner: list[Fibre], outer: list[Fibre], frame: ComparisonFrame) -> bool:
    return all(any(_covers(other, fibre, frame) for other in outer) for fibre in inner)


def _covers(outer: Fibre, inner: Fibre, frame: ComparisonFrame) -> bool:
    if outer.weights or inner.weights:
        return False
    if not outer.hidden:
        return implies(inner, outer, frame.entailment)
    return agree(inner, outer, frame.entailment)
