"""Do weights add up to 0? A case distinction over which conditions hold, exact for every rank.

Owns the last step of a comparison. At one axis of a class the conditions of all guards are split on, and each case that
is possible shows which guards hold there; at rank r the guards that hold are those that hold at each of r axes, so the
sets of guards that can occur are the intersections, with "all" at rank 0. Then the conditions on single unknowns are
split on, and in each possible case the weights of the guards that hold must add up to 0. Cases are excluded by linear
arithmetic, or the solver. A case too many does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator

from rewright.equality.facts import EVERYWHERE, Fact
from rewright.equality.sums.addresses import Fibre
from rewright.equality.sums.entailment import Entailment
from rewright.equality.sums.fibres import ComparisonFrame
from rewright.equality.sums.linear_forms import has_unknown, linear
from rewright.equality.sums.summand import home_of, weight_at
from rewright.terms.binding import substitute
from rewright.terms.comparison import zero
from rewright.terms.division import floor_divide, remainder
from rewright.terms.node import INDEX, Term, Variable, Zero
from rewright.terms.polynomial import add, negate, number, scale
from rewright.terms.truth import FALSE, TRUE, complement

GUARDS = 16
"""So many guards are compared at most; each may double the cases, and the library's rules have 3."""

CASES = 64
"""So many cases are looked at in one class; the library's rules have 4."""

Conditions = tuple[Fact, ...]
Pattern = frozenset[int]
"""The guards that hold."""


def vanishes(fibres: list[Fibre], frame: ComparisonFrame) -> bool:
    """Whether the weights add up to 0 at every address and rank."""
    entailment = frame.entailment
    guards = [_functional(fibre, entailment) for fibre in fibres]
    if len(fibres) > GUARDS or any(guard is None for guard in guards):
        return False
    found = [guard for guard in guards if guard is not None]
    inside = tuple(dict.fromkeys(fact for fibre in fibres for fact in fibre.inside))
    patterns = _patterns(found, inside, entailment)
    if patterns is None:
        return False
    weights = [scale(fibre.coefficient, weight_at(fibre.weights, EVERYWHERE)) for fibre in fibres]
    return all(
        entailment.zero(EVERYWHERE, add(number(0), *(weights[place] for place in sorted(holding & pattern))), case)
        for holding, case in _cases(found, inside, EVERYWHERE, entailment)
        for pattern in patterns
    )


def same_unions(left: list[Fibre], right: list[Fibre], frame: ComparisonFrame) -> bool:
    """Whether at every address and rank some guard of the left holds iff some of the right does."""
    entailment, fibres = frame.entailment, [*left, *right]
    found = [guard for fibre in fibres if (guard := _functional(fibre, entailment)) is not None]
    inside = tuple(dict.fromkeys(fact for fibre in fibres for fact in fibre.inside))
    if len(found) < len(fibres) or len(fibres) > GUARDS or any(fibre.weights for fibre in fibres):
        return False
    patterns = _patterns(found, inside, entailment)
    return patterns is not None and all(
        any(place < len(left) for place in holding & pattern) == any(place >= len(left) for place in holding & pattern)
        for holding, _ in _cases(found, inside, EVERYWHERE, entailment)
        for pattern in patterns
    )


def _functional(fibre: Fibre, entailment: Entailment) -> Conditions | None:
    """The conditions without hidden unknowns, each of which an equation a·h = b pins: h = ⌊b/a⌋, where a divides b."""
    conditions = tuple(fibre.conditions)
    if any(has_unknown(weight, hidden) for weight in fibre.weights.values() for hidden in fibre.hidden):
        return None
    for hidden in fibre.hidden:
        pinned = _pinned(hidden, conditions, entailment)
        if pinned is None:
            return None
        fact, divisor, dividend = pinned
        value: dict[Term, Term] = {hidden: floor_divide(dividend, divisor)}
        rest = tuple((home, substitute(part, value)) for home, part in conditions if (home, part) != fact)
        conditions = (*rest, (fact[0], zero(remainder(dividend, divisor))))
    return conditions


def _pinned(hidden: Variable, conditions: Conditions, entailment: Entailment) -> tuple[Fact, Term, Term] | None:
    for fact in conditions:
        home, part = fact
        if home == home_of(hidden) and isinstance(part, Zero) and part.polynomial.sort == INDEX:
            form = linear(part.polynomial, hidden) if has_unknown(part, hidden) else None
            if form is not None and form.rest.classes <= hidden.classes:
                if entailment.positive(home, form.factor):
                    return fact, form.factor, negate(form.rest)
                if entailment.positive(home, negate(form.factor)):
                    return fact, negate(form.factor), form.rest
    return None


def _patterns(guards: list[Conditions], inside: Conditions, entailment: Entailment) -> set[Pattern] | None:
    """The sets of guards that may hold on all axes of every class together."""
    classes = sorted({home for guard in guards for home, _ in guard if home != EVERYWHERE})
    found = {frozenset(range(len(guards)))}
    for rank_class in classes:
        letters = {holding for holding, _ in _cases(guards, inside, rank_class, entailment)}
        while True:
            # one more axis of the class: what held on the axes so far, and holds on this one
            grown = found | {pattern & letter for pattern in found for letter in letters}
            if len(grown) > CASES:
                return None
            if grown == found:
                break
            found = grown
    return found


def _cases(
    guards: list[Conditions], inside: Conditions, home: str, entailment: Entailment
) -> Iterator[tuple[Pattern, Conditions]]:
    """Which guards' conditions of one home hold in each case that is possible, and the case."""
    tests = list(dict.fromkeys(part for guard in guards for at, part in guard if at == home))
    facts = tuple(fact for fact in inside if fact[0] in (home, EVERYWHERE))

    def split(place: int, case: Conditions) -> Iterator[Conditions]:
        if place == len(tests):
            if not entailment.excluded(home, (*facts, *case)):
                yield case
            return
        test = tests[place]
        for chosen in (test, complement(test)):
            if chosen is not FALSE and not entailment.impossible(home, (*facts, *case, (home, chosen))):
                yield from split(place + 1, (*case, (home, chosen)))

    for case in split(0, ()):
        known = set(case)
        holding = frozenset(
            number
            for number, guard in enumerate(guards)
            if all(at != home or part is TRUE or (at, part) in known for at, part in guard)
        )
        yield holding, (*facts, *case)
