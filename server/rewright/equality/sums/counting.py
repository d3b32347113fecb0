"""Hidden unknowns that are summed out.

Owns counting: an unknown that no equation mentions and that runs over an interval leaves a polynomial, one that is a
quotient nothing but bounds of the dividend. Every condition about the unknown has to be one of its own class.
"""

from __future__ import annotations

from rewright.equality.facts import Fact
from rewright.equality.sums.addresses import Fibre
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.intervals import summed
from rewright.equality.sums.linear_forms import Linear, has_unknown, linear_form, polynomial_of, sign_of_unit
from rewright.equality.sums.summand import home_of, weight_at
from rewright.terms.comparison import non_negative
from rewright.terms.division import floor_divide
from rewright.terms.node import NonNegative, Term, Variable
from rewright.terms.polynomial import add, multiply, negate, plus, scale, subtract


def count(fibre: Fibre, entailment: Entailment) -> bool:
    """Sums out one hidden unknown that no equation mentions; whether there was one."""
    rules = (_interval, _quotient, _rounded) if fibre.idempotent else (_interval, _quotient)
    return any(rule(fibre, entailment, unknown) for rule in rules for unknown in list(fibre.hidden))


def bounds_of(fibre: Fibre, unknown: Variable) -> list[tuple[Fact, Linear]] | None:
    """The inequalities about an unknown, all linear in it and of its class; None if there are other conditions."""
    found = []
    for home, predicate in fibre.conditions:
        if has_unknown(predicate, unknown):
            form = linear_form((home, predicate), unknown) if isinstance(predicate, NonNegative) else None
            if form is None or home != home_of(unknown):
                return None
            found.append(((home, predicate), form))
    return found


def _interval(fibre: Fibre, entailment: Entailment, unknown: Variable) -> bool:
    """The unknown runs over an interval: its weight is summed, or in an idempotent sum the interval not empty."""
    home, bounds = home_of(unknown), bounds_of(fibre, unknown)
    if bounds is None or not all(sign_of_unit(form.factor) for _, form in bounds):
        return False
    if any(at != home and has_unknown(weight, unknown) for at, weight in fibre.weights.items()):
        return False
    low = [negate(form.rest) for _, form in bounds if sign_of_unit(form.factor) > 0]
    high = [form.rest for _, form in bounds if sign_of_unit(form.factor) < 0]
    used = {fact for fact, _ in bounds}
    rest = [fact for fact in fibre.conditions if fact not in used]
    if not low or not high:
        return False
    if not fibre.idempotent:
        guard = [*rest, *fibre.inside]
        low, high = _best((home, 1), low, guard, entailment), _best((home, -1), high, guard, entailment)
        if len(low) > 1 or len(high) > 1:
            return False
        weight = summed(weight_at(fibre.weights, home), unknown, low[0], high[0])
        if weight is None:
            return False
        fibre.weights[home] = weight
        if entailment.non_negative(home, plus(subtract(high[0], low[0]), 1), [*rest, *fibre.inside]):
            low = []  # the closed form is also right for the empty interval, where it is 0
    elif any(has_unknown(weight, unknown) for weight in fibre.weights.values()):
        return False
    fibre.hidden.remove(unknown)
    fibre.conditions = [*rest, *((home, non_negative(subtract(top, bottom))) for bottom in low for top in high)]
    return True


def _best(bounds: tuple[str, int], values: list[Term], guard: list[Fact], entailment: Entailment) -> list[Term]:
    """The bounds of a home, lower (1) or upper ones (−1), without those that another one implies."""
    home, sign = bounds
    kept = list(dict.fromkeys(values))
    for value in list(kept):
        others = [other for other in kept if other is not value]
        if any(entailment.non_negative(home, scale(sign, subtract(other, value)), guard) for other in others):
            kept.remove(value)
    return kept


def _quotient(fibre: Fibre, entailment: Entailment, unknown: Variable) -> bool:
    """n·h <= E < n·h + n with n >= 1 says that h is ⌊E / n⌋: there is one, and its bounds are bounds of E."""
    home, bounds = home_of(unknown), bounds_of(fibre, unknown)
    if bounds is None or any(has_unknown(weight, unknown) for weight in fibre.weights.values()):
        return False
    for fact, form in bounds:
        divisor, dividend = negate(form.factor), form.rest
        upper = (home, non_negative(plus(subtract(divisor, polynomial_of(fact)), -1)))
        if all(upper != other for other, _ in bounds) or upper == fact:
            continue
        if not entailment.positive(home, divisor, fibre.inside):
            continue
        others = [other for other in bounds if other[0] not in (fact, upper)]
        if not all(sign_of_unit(other.factor) for _, other in others):
            continue
        used = {other for other, _ in bounds}
        fibre.hidden.remove(unknown)
        fibre.conditions = [condition for condition in fibre.conditions if condition not in used]
        fibre.conditions += ((home, _bound_of_dividend(other, dividend, divisor)) for _, other in others)
        return True
    return False


def _bound_of_dividend(bound: Linear, dividend: Term, divisor: Term) -> Term:
    """What h + r >= 0 or −h + r >= 0 says of E, where h = ⌊E / n⌋."""
    whole = multiply(divisor, bound.rest)
    if sign_of_unit(bound.factor) > 0:
        return non_negative(add(dividend, whole))
    return non_negative(plus(subtract(add(whole, divisor), dividend), -1))


def _rounded(fibre: Fibre, entailment: Entailment, unknown: Variable) -> bool:
    """The unknown lies between bounds with positive divisors: there is an integer between them once they are rounded.

    a·h + r >= 0 says h >= −⌊r/a⌋, and −a·h + r >= 0 says h <= ⌊r/a⌋.
    """
    home, bounds = home_of(unknown), bounds_of(fibre, unknown)
    if not bounds or any(has_unknown(weight, unknown) for weight in fibre.weights.values()):
        return False
    low = [negate(floor_divide(f.rest, f.factor)) for _, f in bounds if entailment.positive(home, f.factor)]
    high = [floor_divide(f.rest, negate(f.factor)) for _, f in bounds if entailment.positive(home, negate(f.factor))]
    if not low or not high or len(low) + len(high) < len(bounds):
        return False
    used = {fact for fact, _ in bounds}
    rest = [fact for fact in fibre.conditions if fact not in used]
    fibre.hidden.remove(unknown)
    fibre.conditions = [*rest, *((home, non_negative(subtract(top, bottom))) for bottom in low for top in high)]
    return True
