"""From elements to formal sums.

Owns the reading of a term over int or real as a sum of guarded summands: choices become conditions, reductions by `add`
binders with their ranges, everything that is no sum or product an atom. An infinity is an atom, too: arithmetic on it
is undefined, and where only a choice or a sign is involved, what holds for every value of the atoms holds for it. Every
reading makes new binders, so a square of a sum has two.
"""

from __future__ import annotations

from functools import reduce

from msgspec.structs import replace

from rewright.equality.closed_forms import exact_quotient
from rewright.equality.facts import EVERYWHERE
from rewright.equality.sums.summand import (
    ONE,
    Formal,
    FreshNames,
    NotSummable,
    Summand,
    conditioned,
    conditions_of,
    opposite,
    product,
    scaled,
    times,
    total,
    weighted,
)
from rewright.terms.binding import open_reduce, substitute
from rewright.terms.comparison import less, non_negative
from rewright.terms.interning import intern, subterms
from rewright.terms.node import (
    INDEX,
    INT,
    REAL,
    TRUTH,
    Access,
    And,
    Applied,
    AxisProduct,
    Choose,
    Constant,
    ElementOf,
    Exponential,
    Extremum,
    FloorDivide,
    Fold,
    IndexOf,
    Infinity,
    Negative,
    NonNegative,
    Not,
    Number,
    Polynomial,
    Reduce,
    Term,
    TruncatedDivide,
    Variable,
    Zero,
)
from rewright.terms.polynomial import collect, multiply, number, subtract
from rewright.terms.truth import complement, conjuncts


def formal(term: Term, names: FreshNames) -> Formal:
    """The formal sum of an element. Raises `NotSummable`."""
    return [_merged(summand) for summand in _formal(term, names)]


def _formal(term: Term, names: FreshNames) -> Formal:
    match term:
        case Number(value=value):
            return scaled(value, [ONE])
        case Polynomial(monomials=monomials):
            parts = []
            for monomial, factor in monomials:
                image: Formal = [ONE]
                for atom, power in monomial:
                    for _ in range(power):
                        image = product(image, _formal(atom, names))
                parts.append(scaled(factor, image))
            return total(parts)
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            inside = indicator(condition, names)
            return total(
                (
                    product(inside, _formal(consequent, names)),
                    # not 1 less the other: the complement of a comparison is one summand with one condition, too
                    product(indicator(complement(condition), names), _formal(alternative, names)),
                )
            )
        case Reduce(monoid="add"):
            ranges, body = opened(term, names)
            return [times(ranges, summand) for summand in _formal(body, names)]
        case ElementOf(index=index):
            return _number_of(index, names)
        case TruncatedDivide(left=left, right=right) if (exact := exact_quotient(left, right)) is not None:
            return _formal(exact, names)
        case Exponential(operand=Polynomial(monomials=monomials, sort=sort)):
            powers = (collect({monomial: factor}, sort) for monomial, factor in monomials)
            return [Summand(atoms=tuple(intern(Exponential, power, sort) for power in powers))]
        case _ if term.sort in (INT, REAL):
            return [Summand(atoms=(term,))]
        case _:
            raise NotSummable(f"elements of {term.sort}")


def opened(term: Reduce, names: FreshNames) -> tuple[Summand, Term]:
    """The binders of a reduction with their ranges, as fresh unknowns, and the body."""
    part = open_reduce(term)
    fresh = [names.fresh(item.rank_class) for item in part.ranges]
    conditions = [
        (item.rank_class or EVERYWHERE, bound)
        for index, item in zip(fresh, part.ranges, strict=True)
        for bound in (non_negative(index), less(index, item.size))
    ]
    body = substitute(part.body, dict(zip(part.indices, fresh, strict=True)))
    return Summand(binders=tuple(fresh), conditions=conditions_of(conditions)), body


def _number_of(index: Term, names: FreshNames) -> Formal:
    match index:
        case AxisProduct(rank_class=rank_class, factor=factor):
            return [weighted(rank_class, factor)]
        case Extremum(greatest=greatest, operands=operands):
            return _extremum(operands, names, greatest=greatest)
        case FloorDivide(left=left, right=right) if not index.classes:
            exact = exact_quotient(left, right)
            return [weighted(EVERYWHERE, index if exact is None else exact)]
        case _ if not index.classes:
            return [weighted(EVERYWHERE, index)]
        case _:
            raise NotSummable("an element of one axis")


def _extremum(operands: tuple[Term, ...], names: FreshNames, *, greatest: bool) -> Formal:
    """The first operand where no other is beyond it, else the extremum of the rest."""
    first, *others = operands
    if not others:
        return [weighted(EVERYWHERE, first)]
    beats = (subtract(first, other) if greatest else subtract(other, first) for other in others)
    chosen = conditions_of((EVERYWHERE, part) for beat in beats for part in conjuncts(non_negative(beat)))
    condition = [Summand(conditions=chosen)]
    rest = product(opposite(condition), _extremum(tuple(others), names, greatest=greatest))
    return total((product(condition, [weighted(EVERYWHERE, first)]), rest))


def indicator(truth: Term, names: FreshNames) -> Formal:
    """1 where the truth holds, else 0. Raises `NotSummable` for what has no such form."""
    match truth:
        case Constant(value=value):
            return [ONE] if value else []
        case And(operands=operands):
            image: Formal = [ONE]
            for operand in operands:
                image = product(image, indicator(operand, names))
            return image
        case Not(operand=operand):
            return opposite(indicator(operand, names))
        case Fold(rank_class=rank_class, predicate=predicate):
            if not is_index_condition(truth):
                raise NotSummable("a test of elements on every axis")
            return [conditioned(*((rank_class, part) for part in conjuncts(predicate)))]
        case NonNegative() | Zero() if is_index_condition(truth):
            return [conditioned((EVERYWHERE, truth))]
        case _:
            return [Summand(atoms=(truth,))]


def is_index_condition(truth: Term) -> bool:
    """Whether a truth compares indices only, none of them read from a tensor."""
    return all(
        not isinstance(inner, Access | Reduce | Infinity | Applied | IndexOf)
        and (not isinstance(inner, NonNegative | Negative | Zero) or inner.polynomial.sort == INDEX)
        and (not isinstance(inner, Variable) or inner.sort == INDEX)
        for inner in subterms(truth)
    )


def factors(term: Term, names: FreshNames) -> Formal:
    """What an element is the product of: how often each factor occurs, as a formal sum."""
    match term:
        case Number(value=1):
            return []
        case Polynomial(monomials=((monomial, value),)):
            parts = [scaled(power, factors(atom, names)) for atom, power in monomial]
            return total([*parts, factors(number(value, term.sort), names)])
        case Reduce(monoid="multiply"):
            ranges, body = opened(term, names)
            return [times(ranges, summand) for summand in factors(body, names)]
        case Choose(condition=condition, consequent=consequent, alternative=alternative):
            yes, no = indicator(condition, names), indicator(complement(condition), names)
            return total((product(yes, factors(consequent, names)), product(no, factors(alternative, names))))
        case _:
            return [Summand(atoms=(term,))]


def is_product(term: Term) -> bool:
    """Whether a term is a product that a reduction by `multiply` takes part in."""
    match term:
        case Reduce(monoid="multiply"):
            return True
        case Polynomial(monomials=((monomial, _),)):
            return any(is_product(atom) for atom, _ in monomial)
        case _:
            return False


def _merged(summand: Summand) -> Summand:
    """The summand with one product for all its elements, if a reduction by `multiply` is among them."""
    elements = [atom for atom in summand.atoms if atom.sort != TRUTH]
    if len(elements) < 2 or not any(is_product(atom) for atom in elements):
        return summand
    truths = tuple(atom for atom in summand.atoms if atom.sort == TRUTH)
    return replace(summand, atoms=(*truths, reduce(multiply, elements)))
