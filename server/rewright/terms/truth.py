"""Truths: negation, conjunction, folds.

Owns the canonical form of Boolean terms: only `Not` and `And` (flat, sorted, contradictions found), the rest is
expanded into them. Folds of one rank class in one conjunction merge, since (all p and all q) = all (p and q) at every
rank, 0 included. Two integer tests that exclude or imply each other syntactically are noticed.
"""

from __future__ import annotations

from rewright.terms.interning import intern
from rewright.terms.node import TRUTH, And, Constant, Fold, NonNegative, Not, Term
from rewright.terms.polynomial import negate, plus

TRUE: Term = intern(Constant, True, TRUTH)
FALSE: Term = intern(Constant, False, TRUTH)


def truth(value: bool) -> Term:
    """The constant."""
    return TRUE if value else FALSE


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; none for true."""
    if isinstance(term, And):
        return term.operands
    return () if term is TRUE else (term,)


def complement(term: Term) -> Term:
    """not term. Over the integers, not (p >= 0) is −p − 1 >= 0."""
    if isinstance(term, Not):
        return term.operand
    if isinstance(term, Constant):
        return truth(not term.value)
    if isinstance(term, NonNegative):
        return intern(NonNegative, plus(negate(term.polynomial), -1), TRUTH)
    return intern(Not, term, TRUTH)


def conjoin(*terms: Term) -> Term:
    """The conjunction."""
    parts: dict[Term, None] = {}
    folds: dict[str, list[Term]] = {}
    for term in terms:
        for part in conjuncts(term):
            if isinstance(part, Fold):
                folds.setdefault(part.rank_class, []).append(part.predicate)
            else:
                parts[part] = None
    for rank_class, predicates in folds.items():
        # kept even if the predicate is false: at rank 0 it holds
        parts[intern(Fold, rank_class, conjoin(*predicates), TRUTH)] = None
    if FALSE in parts or any(_excluded(part, parts) for part in parts):
        return FALSE
    if len(parts) < 2:
        return next(iter(parts), TRUE)
    return intern(And, tuple(sorted(parts, key=lambda part: part.digest)), TRUTH)


def _excluded(part: Term, parts: dict[Term, None]) -> bool:
    """Whether `part` contradicts the other parts."""
    if isinstance(part, NonNegative):
        return complement(part) in parts
    if not isinstance(part, Not):
        return False
    inner = part.operand
    if inner in parts:
        return True
    if isinstance(inner, And):
        return all(item in parts for item in inner.operands)
    if isinstance(inner, Fold):
        needed = conjuncts(inner.predicate)
        return any(
            isinstance(other, Fold) and other.rank_class == inner.rank_class and _covers(other, needed)
            for other in parts
        )
    return False


def _covers(fold: Fold, needed: tuple[Term, ...]) -> bool:
    return fold.predicate is FALSE or set(needed) <= set(conjuncts(fold.predicate))


def disjoin(*terms: Term) -> Term:
    """The disjunction, as a negated conjunction."""
    return complement(conjoin(*map(complement, terms)))


def implies(premise: Term, conclusion: Term) -> Term:
    """premise → conclusion."""
    return disjoin(complement(premise), conclusion)


def equivalent(left: Term, right: Term) -> Term:
    """left ↔ right."""
    if left is right:
        return TRUE
    return conjoin(implies(left, right), implies(right, left))


def every_axis(rank_class: str | None, predicate: Term) -> Term:
    """The predicate on every axis of the class; the predicate itself for a single axis."""
    if rank_class is None or predicate is TRUE:
        return predicate
    return intern(Fold, rank_class, predicate, TRUTH)


def some_axis(rank_class: str | None, predicate: Term) -> Term:
    """The predicate on some axis of the class."""
    return complement(every_axis(rank_class, complement(predicate)))
