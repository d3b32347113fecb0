"""Cases of elements: choices, signs and orders that a leaf leaves open, tried before the solver is asked.

Owns the search for a proof by cases of what elements at one index are. Each case is a truth about the leaf's elements,
which holds or does not, at every rank alike; so a leaf that closes in both holds. Finding none costs a few
simplifications and means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.equality import Facts, simplify
from rewright.rules.instances import instances
from rewright.rules.obligations import Goal
from rewright.terms import FALSE, TRUE, Term, at_most, complement, equal, non_negative, number
from rewright.terms.node import (
    INDEX,
    INT,
    REAL,
    TRUTH,
    Absolute,
    Access,
    And,
    Choose,
    Extremum,
    Infinity,
    Not,
    Reduce,
    TruncatedDivide,
    children,
    subterms,
)

DEPTH = 4
"""So many cases are distinguished on one path; the library's proofs need 2."""


def by_cases(goal: Goal) -> bool:
    """Whether both sides are shown to be equal by cases of their elements, under assumptions on contents, too."""
    sides = goal.left, goal.right
    if goal.left.sort == TRUTH or any(isinstance(inner, Reduce | Infinity) for inner in subterms(*sides)):
        return False
    facts = goal.facts.also(goal.given)
    for instance in instances((linked for linked in goal.linked if not linked.uneven), sides):
        facts = facts.also(simplify(instance, facts))
    return _closes(*sides, facts, DEPTH)


def _closes(left: Term, right: Term, facts: Facts, depth: int) -> bool:
    left, right = simplify(left, facts), simplify(right, facts)
    if left is right or _impossible(facts):
        return True
    if left.sort in (INT, REAL) and simplify(equal(left, right), facts) is TRUE:
        return True
    if depth == 0:
        return False
    case = next(_open(left, right, facts), None)
    if case is None:
        return False
    return all(_closes(left, right, facts.also(known), depth - 1) for known in (case, complement(case)))


def _impossible(facts: Facts) -> bool:
    return facts.holds(FALSE)


def _open(left: Term, right: Term, facts: Facts) -> Iterator[Term]:
    """The cases that facts do not decide, those that choices are made by first."""
    terms = _outside_reads(left, right)
    for case in (*_choices(terms), *_signs(terms), *_orders(terms)):
        literal = _literal(simplify(case, facts))
        if literal is not None and not literal.classes and not literal.loose:
            yield literal


def _outside_reads(*roots: Term) -> list[Term]:
    """The subterms that are not below the index of a read."""
    found: dict[Term, None] = {}
    stack = list(reversed(roots))
    while stack:
        term = stack.pop()
        if term not in found:
            found[term] = None
            if not isinstance(term, Access):
                stack.extend(reversed(children(term)))
    return list(found)


def _choices(terms: list[Term]) -> Iterator[Term]:
    return (term.condition for term in terms if isinstance(term, Choose))


def _signs(terms: list[Term]) -> Iterator[Term]:
    """The signs of what is divided; they give that of the quotient. Then those of absolute values."""
    quotients = [term for term in terms if isinstance(term, TruncatedDivide)]
    yield from (non_negative(operand) for term in reversed(quotients) for operand in (term.right, term.left))
    for term in terms:
        if isinstance(term, Absolute):
            yield at_most(number(0, term.sort), term.operand)


def _orders(terms: list[Term]) -> Iterator[Term]:
    """How the operands of a maximum compare with those of a minimum in it, and the other way round."""
    for term in terms:
        if isinstance(term, Extremum) and term.sort != INDEX:
            inner = [operand for operand in term.operands if isinstance(operand, Extremum)]
            outer = [operand for operand in term.operands if not isinstance(operand, Extremum)]
            yield from (at_most(low, high) for high in outer for part in inner for low in part.operands)


def _literal(test: Term) -> Term | None:
    """A truth on which the test depends; none where it is decided."""
    match test:
        case Not(operand=operand):
            return _literal(operand)
        case And(operands=operands):
            return _literal(operands[0])
        case _:
            return None if test in (TRUE, FALSE) else test
