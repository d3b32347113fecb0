"""Elements that may be infinite: `lowest`, `highest`, and reductions by min and max of nothing.

Owns what may be done with them: moving, comparing, negating, min and max. Everything else is undefined where an
operand is infinite. Invariant: an infinity stands alone or at the leaf of choices, never inside arithmetic, an
extremum or a test; so terms without infinities obey the laws of numbers.
"""

from __future__ import annotations

from collections.abc import Callable

from rewright.meaning.scope import NotCovered
from rewright.terms import (
    FALSE,
    INT,
    REAL,
    TRUE,
    TRUTH,
    Range,
    Term,
    at_most,
    choose,
    complement,
    conjoin,
    disjoin,
    equal,
    equivalent,
    every_axis,
    less,
    maximum,
    minimum,
    negate,
    non_negative,
    number,
    plus,
    subterms,
    truth,
)
from rewright.terms.interning import intern
from rewright.terms.node import Choose, Extremum, Infinity, Polynomial, Reduce


def negated(term: Term) -> Term:
    """−term; the infinities swap."""
    if isinstance(term, Infinity):
        return intern(Infinity, not term.positive, term.sort)
    if isinstance(term, Choose) and has_infinity(term):
        return choose(term.condition, negated(term.consequent), negated(term.alternative))
    return negate(term)


def greater(left: Term, right: Term) -> Term:
    """The maximum of two; of truths, their disjunction."""
    return disjoin(left, right) if left.sort == TRUTH else _spread(maximum, left, right)


def lesser(left: Term, right: Term) -> Term:
    """The minimum of two; of truths, their conjunction."""
    return conjoin(left, right) if left.sort == TRUTH else _spread(minimum, left, right)


def compared(operator: str, left: Term, right: Term) -> Term:
    """left `operator` right, for eq, ne, lt, le, gt, ge. Raises `NotCovered` for any other."""
    match operator:
        case "ne" | "ge" | "gt":
            opposite = {"ne": "eq", "ge": "lt", "gt": "le"}[operator]
            return complement(compared(opposite, left, right))
        case "eq" if left.sort == TRUTH:
            return equivalent(left, right)
        case "lt" if left.sort == TRUTH:
            return conjoin(complement(left), right)
        case "le" if left.sort == TRUTH:
            return disjoin(complement(left), right)
        case "eq" | "lt" | "le":
            return _spread(lambda a, b: _compare(operator, a, b), left, right)
    raise NotCovered(f"the comparison `{operator}` is not decided yet")


def _compare(operator: str, left: Term, right: Term) -> Term:
    if not (isinstance(left, Infinity) or isinstance(right, Infinity)):
        return {"eq": equal, "lt": less, "le": at_most}[operator](left, right)
    if left is right:
        return truth(operator != "lt")
    for term in (left, right):
        if not isinstance(term, Infinity) and _reductions(term):
            raise NotCovered("comparing a reduction with `lowest` or `highest` is not decided yet")
    if operator == "eq":
        return FALSE
    return truth((isinstance(left, Infinity) and not left.positive) or (isinstance(right, Infinity) and right.positive))


def _spread(operation: Callable[[Term, Term], Term], left: Term, right: Term) -> Term:
    """The operation, below the choices that have an infinity at a leaf."""
    if isinstance(left, Choose) and has_infinity(left):
        return choose(
            left.condition,
            _spread(operation, left.consequent, right),
            _spread(operation, left.alternative, right),
        )
    if isinstance(right, Choose) and has_infinity(right):
        return choose(
            right.condition,
            _spread(operation, left, right.consequent),
            _spread(operation, left, right.alternative),
        )
    return operation(left, right)


def has_infinity(term: Term) -> bool:
    """Whether an infinity occurs in a term."""
    return any(isinstance(inner, Infinity) for inner in subterms(term))


def number_part(term: Term) -> Term:
    """The term without infinities, equal to it where it is finite: only there do arithmetic and functions count."""
    match term:
        case Infinity(sort=sort):
            return number(0, sort)
        case Choose() if not has_infinity(term):
            return term
        case Choose(consequent=Infinity(), alternative=other) | Choose(consequent=other, alternative=Infinity()):
            return number_part(other)
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            return choose(condition, number_part(consequent), number_part(alternative))
        case _:
            return term


def is_finite(term: Term) -> bool:
    """Whether an element is finite wherever it is defined. Raises `NotCovered`."""
    return term.sort not in (INT, REAL) or (not has_infinity(term) and finite(term) is TRUE)


def finite(term: Term) -> Term:
    """The truth that a defined element is finite."""
    return complement(disjoin(_infinite(term, positive=False), _infinite(term, positive=True)))


def _infinite(term: Term, *, positive: bool) -> Term:
    """The truth that a defined element is that infinity."""
    match term:
        case Infinity():
            return truth(term.positive is positive)
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            branches = (_infinite(branch, positive=positive) for branch in (consequent, alternative))
            return choose(condition, *branches)
        case Extremum(greatest=greatest, operands=operands):
            join = disjoin if greatest is positive else conjoin
            return join(*(_infinite(operand, positive=positive) for operand in operands))
        case Reduce(monoid="maximum" | "minimum"):
            none = _no_infinity_in(term)
            return empty(term.ranges) if (term.monoid == "minimum") is positive else none
        case Polynomial(monomials=((((atom, 1),), -1),)):
            return _infinite(atom, positive=not positive)
        case _:
            return FALSE


def empty(ranges: tuple[Range, ...]) -> Term:
    """The truth that a reduction has no terms: some reduced axis has size 0."""
    return complement(conjoin(*(every_axis(item.rank_class, non_negative(plus(item.size, -1))) for item in ranges)))


def _no_infinity_in(term: Reduce) -> Term:
    if has_infinity(term.body) or _reductions(term.body):
        raise NotCovered("arithmetic on a min or max reduction of elements that may be infinite is not decided yet")
    return FALSE


def _reductions(term: Term) -> list[Term]:
    return [inner for inner in subterms(term) if isinstance(inner, Reduce) and inner.monoid in ("maximum", "minimum")]
