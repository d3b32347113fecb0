"""How often a statement is executed, as a formula: sums of polynomials over the loops around it, from inside out.

A formula is given only where it is exact: no guard, step 1, bounds that are sums, and no loop that ends before it
begins. Source: Faulhaber's formula.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import comb, lcm

import islpy as isl

from rewright.loops.linear import difference, linear
from rewright.loops.polyhedra import Naming, PolyhedralStatement
from rewright.loops.texts import isl_expression, isl_range
from rewright.model.index import Name
from rewright.model.infix import BINDS
from rewright.model.nest import AffineExpression, NestLoop
from rewright.model.nest_text import expression_infix, expression_text

Monomial = tuple[tuple[Name, int], ...]
Polynomial = dict[Monomial, Fraction]

LONGEST = 12
"""Terms of a formula; a longer one nobody reads."""


def count_text(statement: PolyhedralStatement, names: Naming, holds: isl.Set, *, guarded: bool) -> str | None:
    """The number of instances of a statement at all sizes, None if none is known. Nothing is known if it is guarded."""
    loops = statement.loops
    if guarded or any(loop.step != 1 for loop in loops):
        return None
    formula = _formula(loops)
    if formula is None or _never_backward(loops, names, holds):
        return formula
    iterators = {loop.iterator for loop in loops}
    fixed = [each for each in loops if not iterators & {*(linear(each.low) or ()), *(linear(each.high) or ())}]
    needed = {text: said for text, said in map(partial(_in_order, names), fixed) if not _holds(text, names, holds)}
    given = isl.Set.read_from_str(holds.get_ctx(), f"{names.prefix}{{ : {' and '.join(needed) or '0 = 0'} }}")
    if not _never_backward(loops, names, holds.intersect(given)):
        return None
    return f"{formula} where {', '.join(needed.values())}"


def _in_order(names: Naming, loop: NestLoop) -> tuple[str, str]:
    """That a loop does not end before it begins, in isl's notation and as text."""
    low, high = isl_expression(loop.low, names.parameters), isl_expression(loop.high, names.parameters)
    return f"{low} <= {high}", f"{expression_text(loop.low)} <= {expression_text(loop.high)}"


def _holds(text: str, names: Naming, holds: isl.Set) -> bool:
    return bool(holds.is_subset(isl.Set.read_from_str(holds.get_ctx(), f"{names.prefix}{{ : {text} }}")))


def _formula(loops: Sequence[NestLoop]) -> str | None:
    lengths = [difference(loop.high, loop.low) for loop in loops]
    iterators = {loop.iterator for loop in loops}
    if all(linear(each) is not None and not iterators & set(linear(each) or ()) for each in lengths):
        factors = [expression_infix(each).within(BINDS["*"]) for each in lengths if expression_text(each) != "1"]
        return " * ".join(factors) or "1"
    total: Polynomial = {(): Fraction(1)}
    for loop in reversed(loops):
        low, high = _polynomial(loop.low), _polynomial(loop.high)
        if low is None or high is None:
            return None
        total = _summed(total, loop.iterator, low, high)
    return _text(total) if len(total) <= LONGEST else None


def _never_backward(loops: Sequence[NestLoop], names: Naming, holds: isl.Set) -> bool:
    """Whether no loop has its end before its start, in any iteration of the loops around it."""
    known = dict(names.parameters)
    around: list[str] = []
    for number, loop in enumerate(loops):
        iterators = ", ".join(f"i{at}" for at in range(number))
        backward = f"{isl_expression(loop.high, known)} < {isl_expression(loop.low, known)}"
        text = f"{names.prefix}{{ [{iterators}] : {' and '.join((*around, backward))} }}"
        if not isl.Set.read_from_str(holds.get_ctx(), text).intersect_params(holds).is_empty():
            return False
        known[loop.iterator] = f"i{number}"
        around.append(isl_range(loop, known))
    return True


def _polynomial(expression: AffineExpression) -> Polynomial | None:
    found = linear(expression)
    if found is None:
        return None
    return {((name, 1),) if name is not None else (): Fraction(factor) for name, factor in found.items() if factor}


def _summed(inner: Polynomial, iterator: Name, low: Polynomial, high: Polynomial) -> Polynomial:
    """The sum of a polynomial over `low <= iterator < high`."""
    total: Polynomial = {}
    for monomial, factor in inner.items():
        power = dict(monomial).get(iterator, 0)
        rest: Polynomial = {tuple(each for each in monomial if each[0] != iterator): factor}
        ends = _added(_powers(power, high), _powers(power, low), -1)
        total = _added(total, _times(rest, ends), 1)
    return total


def _powers(power: int, end: Polynomial) -> Polynomial:
    """The sum of x ** power for 0 <= x < end, as a polynomial in `end`; its difference is right for any start."""
    made: Polynomial = {}
    for number in range(power + 1):
        factor = Fraction(comb(power + 1, number)) * _bernoulli(number) / (power + 1)
        raised: Polynomial = {(): factor}
        for _ in range(power + 1 - number):
            raised = _times(raised, end)
        made = _added(made, raised, 1)
    return made


def _bernoulli(number: int) -> Fraction:
    """The Bernoulli numbers with -1/2 for 1, as sums without the last term have them."""
    values = [Fraction(1)]
    for each in range(1, number + 1):
        values.append(-sum((comb(each + 1, at) * values[at] for at in range(each)), Fraction(0)) / (each + 1))
    return values[number]


def _added(one: Polynomial, other: Polynomial, sign: int) -> Polynomial:
    made = dict(one)
    for monomial, factor in other.items():
        made[monomial] = made.get(monomial, Fraction(0)) + sign * factor
    return {monomial: factor for monomial, factor in made.items() if factor}


def _times(one: Polynomial, other: Polynomial) -> Polynomial:
    made: Polynomial = {}
    for first, factor in one.items():
        for second, by in other.items():
            powers = dict(first)
            for name, power in second:
                powers[name] = powers.get(name, 0) + power
            monomial = tuple(sorted(powers.items()))
            made[monomial] = made.get(monomial, Fraction(0)) + factor * by
    return {monomial: factor for monomial, factor in made.items() if factor}


def _text(polynomial: Polynomial) -> str:
    below = lcm(*(each.denominator for each in polynomial.values())) if polynomial else 1
    terms = sorted(polynomial.items(), key=lambda each: (-sum(power for _, power in each[0]), each[0]))
    made = ""
    for monomial, factor in terms:
        whole = int(factor * below)
        names = " * ".join(name if power == 1 else f"{name}**{power}" for name, power in monomial)
        size = abs(whole)
        term = names if size == 1 and names else f"{size} * {names}" if names else str(size)
        made += (f" {'-' if whole < 0 else '+'} " if made else "-" if whole < 0 else "") + term
    made = made or "0"
    return made if below == 1 else f"({made}) / {below}"
