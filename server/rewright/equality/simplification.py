"""Normal forms under facts.

Owns the rewriting of a term, bottom up, by what its facts entail: tests are decided, what the others imply is dropped
from a conjunction, floor divisions are reduced, dominated operands of minima and maxima disappear, the branches of a
choice are simplified under its condition, the body of a reduction under its ranges. Invariant: the result equals the
term wherever the facts hold, at every rank, 0 included. Identical results need no further proof.
"""

from __future__ import annotations

from rewright.equality.element_tests import normal_test
from rewright.equality.facts import Facts, decided, is_index_test
from rewright.equality.fractions import cancelled, has_fraction
from rewright.equality.logarithms import as_product, split
from rewright.equality.pinned import without_pinned
from rewright.equality.quotient import simplify_quotient, simplify_truncated
from rewright.equality.row_major import at_position, by_axes, index_at, joined_axes
from rewright.equality.signs import decided_negative, decided_zero, sign_of
from rewright.equality.taken_apart import in_pairs
from rewright.terms.axis_product import axis_product
from rewright.terms.binding import OpenReduce, close_reduce, open_reduce, rebuild
from rewright.terms.comparison import at_most
from rewright.terms.extremum import extremum_of
from rewright.terms.functions import absolute
from rewright.terms.interning import subterms
from rewright.terms.node import (
    REAL,
    TRUTH,
    Absolute,
    Access,
    And,
    AxisProduct,
    Choose,
    Digit,
    Exponential,
    Extremum,
    FloorDivide,
    Fold,
    Infinity,
    Logarithm,
    Negative,
    NonNegative,
    Polynomial,
    Position,
    Range,
    Reduce,
    Root,
    Slot,
    Term,
    TruncatedDivide,
    Zero,
)
from rewright.terms.polynomial import expand, negate, scale, subtract
from rewright.terms.selection import access, choose
from rewright.terms.truth import FALSE, TRUE, complement, conjoin, conjuncts, every_axis


def simplify(term: Term, facts: Facts) -> Term:
    """The normal form of a term under facts."""
    known = facts.normal.get(term)
    if known is None:
        known = facts.normal[term] = _step(term, facts)
    return known


def _step(term: Term, facts: Facts) -> Term:
    match term:
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            return _choice(simplify(condition, facts), consequent, alternative, facts)
        case Fold(rank_class=rank_class, predicate=predicate):
            return _fold(rank_class, simplify(predicate, facts.on_axis(rank_class)), facts)
        case AxisProduct(rank_class=rank_class, factor=factor):
            return axis_product(rank_class, simplify(factor, facts.on_axis(rank_class)))
        case Position(rank_class=rank_class, index=index, size=size):
            inside = facts.on_axis(rank_class)
            return at_position(rank_class, simplify(index, inside), simplify(size, inside), facts)
        case Digit(rank_class=rank_class, place=place, size=size):
            size = simplify(size, facts.on_axis(rank_class))
            return index_at(rank_class, simplify(place, facts), size, facts)
        case Access(tensor=tensor, slots=slots, sort=sort):
            return _known(access(tensor, tuple(_slot(slot, facts) for slot in slots), sort), facts)
        case Reduce():
            return _reduce(term, facts)
        case TruncatedDivide(left=left, right=right):
            return simplify_truncated(simplify(left, facts), simplify(right, facts), facts)
        case Absolute(operand=operand):
            return _absolute(absolute(simplify(operand, facts)), facts)
        case _:
            rebuilt = rebuild(term, lambda inner: simplify(inner, facts))
            return _shallow(rebuilt, facts)


def _slot(slot: Slot, facts: Facts) -> Slot:
    return Slot(slot.group, slot.rank_class, simplify(slot.index, facts.on_axis(slot.rank_class)))


def _shallow(term: Term, facts: Facts) -> Term:
    """The normal form of a term whose subterms are in normal form."""
    match term:
        case FloorDivide(left=left, right=right):
            return simplify_quotient(left, right, facts)
        case Extremum() if not any(isinstance(inner, Infinity | Reduce) for inner in subterms(term)):
            return _extremum(term, facts)
        case And(operands=operands):
            return conjoin(*_needed(list(operands), facts))
        case Polynomial() if any(isinstance(atom, Absolute) for monomial, _ in term.monomials for atom, _ in monomial):
            plain = _absolute(term, facts)
            if plain is not term:
                return _shallow(plain, facts)
            return cancelled(term, facts) if has_fraction(term) else term
        case Polynomial() if has_fraction(term):
            return cancelled(term, facts)
        case Logarithm():
            return split(term, facts)
        case Exponential() if any(isinstance(inner, Logarithm) for inner in subterms(term.operand)):
            return as_product(term, facts)
        case NonNegative() | Zero() | Negative():
            return _test(term, facts)
        case _:
            return _known(term, facts)


def _known(term: Term, facts: Facts) -> Term:
    """TRUE or FALSE for a truth that is literally known, else the term."""
    if term.sort != TRUTH:
        return term
    if facts.holds(term):
        return TRUE
    return FALSE if facts.holds(complement(term)) else term


def _test(test: NonNegative | Zero | Negative, facts: Facts) -> Term:
    known = decided(facts, test)
    if known is not test or isinstance(test, NonNegative) or test.polynomial.sort != REAL:
        return known
    for form in (normal_test, _by_sign):
        found = form(test, facts)
        if found is not test:
            return _settled(test, found, facts)
    return test


def _settled(test: Term, found: Term, facts: Facts) -> Term:
    """The normal form of what a test was found to be, which ends: a test that leads back to itself stays."""
    if test in facts.open_tests:
        return test
    facts.open_tests.add(test)
    try:
        return simplify(found, facts)
    finally:
        facts.open_tests.remove(test)


def _by_sign(test: Zero | Negative, facts: Facts) -> Term:
    """The test in other words, if something in it has a sign by what it is made of, or it is one of a product."""
    product = len(expand(test.polynomial)) == 1
    if not product and not any(isinstance(inner, Reduce | Exponential | Absolute | Root) for inner in subterms(test)):
        return test
    return (decided_zero if isinstance(test, Zero) else decided_negative)(test.polynomial, facts) or test


def _absolute(term: Term, facts: Facts) -> Term:
    """A product of absolute values without those whose sign is known."""
    known: dict[Term, Term] = {}
    for monomial in expand(term):
        for atom, _ in monomial:
            if isinstance(atom, Absolute):
                if facts.non_negative(atom.operand) or _has_sign(atom.operand, facts):
                    known[atom] = atom.operand
                elif facts.non_negative(negate(atom.operand)) or _has_sign(negate(atom.operand), facts):
                    known[atom] = negate(atom.operand)
    return rebuild(term, lambda atom: known.get(atom, atom)) if isinstance(term, Polynomial) else known.get(term, term)


def _has_sign(term: Term, facts: Facts) -> bool:
    return term.sort == REAL and sign_of(term, facts) is not None


def _choice(condition: Term, consequent: Term, alternative: Term, facts: Facts) -> Term:
    """The choice, each branch under what it may assume; of one axis nothing is, since a fold would take it for all."""
    if condition is TRUE:
        return simplify(consequent, facts)
    if condition is FALSE:
        return simplify(alternative, facts)
    if condition.classes:
        return choose(condition, simplify(consequent, facts), simplify(alternative, facts))
    return choose(
        condition,
        simplify(consequent, facts.also(condition)),
        simplify(alternative, facts.also(complement(condition))),
    )


def _fold(rank_class: str, predicate: Term, facts: Facts) -> Term:
    if facts.impossible(rank_class):
        return TRUE
    predicate = conjoin(*_needed(list(conjuncts(predicate)), facts.on_axis(rank_class)))
    # only where there is an axis: a test on all axes of none holds, whatever the predicate is
    if rank_class in facts.nonempty and rank_class not in predicate.classes:
        return predicate
    return decided(facts, every_axis(rank_class, predicate))


def _needed(parts: list[Term], facts: Facts) -> list[Term]:
    """The conjuncts that neither the facts nor the other conjuncts imply."""
    for part in list(parts):
        others = tuple(other for other in parts if other is not part)
        if is_index_test(part) and isinstance(part, NonNegative) and facts.non_negative(part.polynomial, others):
            # from now on without it: of two that imply each other one stays
            parts = list(others)
    return parts


def _extremum(term: Extremum, facts: Facts) -> Term:
    """The extremum without operands that another operand dominates."""
    sign = 1 if term.greatest else -1

    def dominates(left: Term, right: Term) -> bool:
        if facts.non_negative(scale(sign, subtract(left, right))):
            return True
        nested = isinstance(left, Extremum) or isinstance(right, Extremum)
        low, high = (right, left) if term.greatest else (left, right)
        return nested and simplify(at_most(low, high), facts) is TRUE

    kept = list(term.operands)
    for operand in term.operands:
        if any(other is not operand and dominates(other, operand) for other in kept):
            kept.remove(operand)
    return extremum_of(term, tuple(kept))


def _reduce(term: Reduce, facts: Facts) -> Term:
    part = open_reduce(term, facts.opened)
    ranges = tuple(Range(item.rank_class, simplify(item.size, facts)) for item in part.ranges)
    body = simplify(part.body, facts.below(OpenReduce(part.monoid, part.indices, ranges, part.body)))
    simplified = OpenReduce(part.monoid, part.indices, ranges, body)
    regrouped = next(filter(None, (way(simplified, facts) for way in (in_pairs, by_axes, joined_axes))), None)
    if regrouped is not None:
        return simplify(close_reduce(regrouped), facts)
    # each time there is an index less
    alone = without_pinned(simplified)
    return close_reduce(simplified) if alone is None else simplify(alone, facts)
