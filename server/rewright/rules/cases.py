"""Cases of elements: choices, signs and orders that a leaf leaves open, tried before the solver is asked.

Owns the search for a proof by cases of what elements at one index are. Each case is a truth about the leaf's elements,
which holds or does not, at every rank alike; so a leaf that closes in both holds. Finding none costs a few
simplifications and means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from rewright.equality import Facts, simplify
from rewright.rules.instances import instances
from rewright.rules.obligations import Goal
from rewright.terms import (
    FALSE,
    TRUE,
    OpenReduce,
    Term,
    at_most,
    close_reduce,
    complement,
    conjoin,
    conjuncts,
    equal,
    non_negative,
    number,
    open_reduce,
)
from rewright.terms.interning import children, subterms
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
    Negative,
    NonNegative,
    Not,
    Opened,
    Range,
    Reciprocal,
    Reduce,
    TruncatedDivide,
    Zero,
)

IDLE = 4
"""So many indices that a conjunction does not use may be left out."""

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


def without_what_is_given(goal: Goal) -> Goal:
    """The goal without the conjuncts that are given for all indices but some that they do not use.

    So a divisor that no term of a sum uses is not 0, if none of them is empty.
    """
    if goal.right is not TRUE:
        return goal
    given = set(conjuncts(goal.given))
    return replace(goal, left=conjoin(*(part for part in conjuncts(goal.left) if not _is_given(part, given))))


def _is_given(part: Term, given: set[Term]) -> bool:
    if not isinstance(part, Reduce) or part.monoid != "and":
        return False
    whole = open_reduce(part)
    used = set(subterms(whole.body))
    pairs = list(zip(whole.indices, whole.ranges, strict=True))
    idle = [pair for pair in pairs if pair[0] not in used][:IDLE]
    fewer = (set(left_out) for count in range(1, len(idle) + 1) for left_out in combinations(idle, count))
    return any(_over([pair for pair in pairs if pair not in left_out], whole.body) in given for left_out in fewer)


def _over(pairs: list[tuple[Opened, Range]], body: Term) -> Term:
    indices, ranges = tuple(index for index, _ in pairs), tuple(item for _, item in pairs)
    return close_reduce(OpenReduce("and", indices, ranges, body))


def choice_of_scalars(goal: Goal) -> Term | None:
    """The first condition on scalars alone by which a choice is made beside a reduction and that facts do not decide.

    Below the sum it is one factor of many terms; each of its two cases has reductions of a form that is known. That a
    divisor is 0 is such a condition: the sum of quotients is then defined only where it has no terms.
    """
    among = list(subterms(goal.left, goal.right))
    if not any(isinstance(inner, Reduce) for inner in among):
        return None
    divisors = (_is_zero(inner) for inner in among if isinstance(inner, Reciprocal))
    for condition in (*_choices(among), *divisors):
        literal = None if condition.loose or condition.classes else _literal(condition)
        if literal is not None and _is_of_scalars(literal) and simplify(literal, goal.facts) is literal:
            return literal
    return None


def divided_by_zero(goal: Goal, case: Term) -> dict[Term, Term]:
    """The quotients of which the case says that the divisor is 0, with their value: as terms they are 0."""
    quotients = (inner for inner in subterms(goal.left, goal.right) if isinstance(inner, Reciprocal))
    return {inner: number(0, inner.sort) for inner in quotients if _is_zero(inner) is case}


def _is_zero(quotient: Reciprocal) -> Term:
    return equal(quotient.operand, number(0, quotient.sort))


def _is_of_scalars(literal: Term) -> bool:
    if not isinstance(literal, NonNegative | Zero | Negative) or literal.polynomial.sort == INDEX:
        return False
    return not any(isinstance(inner, Reduce | Infinity | Choose) for inner in subterms(literal))


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
