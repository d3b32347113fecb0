"""`choose`: one of two terms by a truth, and accesses."""

from __future__ import annotations

from rewright.terms.interning import intern
from rewright.terms.node import TRUTH, Access, Choose, NonNegative, Not, Slot, Sort, Term
from rewright.terms.truth import FALSE, TRUE, complement, conjoin, disjoin, implies


def choose(condition: Term, consequent: Term, alternative: Term) -> Term:
    """`consequent` where the condition holds, else `alternative`. Nested choices with a common branch merge."""
    if condition is TRUE or consequent is alternative:
        return consequent
    if condition is FALSE:
        return alternative
    if isinstance(condition, Not) or (isinstance(condition, NonNegative) and _negated_first(condition)):
        return choose(complement(condition), alternative, consequent)
    if alternative is FALSE:
        return conjoin(condition, consequent)
    if consequent is TRUE:
        return disjoin(condition, alternative)
    if consequent.sort == TRUTH:
        return conjoin(implies(condition, consequent), disjoin(condition, alternative))
    if isinstance(consequent, Choose):
        inner, first, second = consequent.condition, consequent.consequent, consequent.alternative
        if inner is condition:
            return choose(condition, first, alternative)
        if second is alternative:
            return choose(conjoin(condition, inner), first, alternative)
        if first is alternative:
            return choose(conjoin(condition, complement(inner)), second, alternative)
    if isinstance(alternative, Choose):
        inner, first, second = alternative.condition, alternative.consequent, alternative.alternative
        if inner is condition:
            return choose(condition, consequent, second)
        if first is consequent:
            return choose(disjoin(condition, inner), consequent, second)
        if second is consequent:
            return choose(conjoin(complement(condition), inner), first, consequent)
    return intern(Choose, condition, consequent, alternative, consequent.sort)


def _negated_first(condition: NonNegative) -> bool:
    """Of an integer test and its complement, which is no `Not`, one is chosen."""
    return complement(condition).digest < condition.digest


def access(tensor: str, slots: tuple[Slot, ...], sort: Sort) -> Term:
    """The tensor's entry at one index per group; the order of the slots does not matter."""
    return intern(Access, tensor, tuple(sorted(slots, key=lambda slot: slot.group)), sort)
