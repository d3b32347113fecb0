"""Functions of elements for the solver: quotients, absolute values, exponentials, roots, declared functions.

Owns what the solver knows of them. A quotient by 0 is 0, as in terms. A declared function is uninterpreted, and
every model is one of it. Of the exponential and of others without exact values only laws are asserted, on the arguments
that occur, so a model need not be one: `Encoder.plain` says at which arguments it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING

from rewright.solve.builder import Expression
from rewright.solve.query import Quotients
from rewright.terms.node import Applied, Number, Special, Term

if TYPE_CHECKING:
    from rewright.solve.encoding import Encoder

ADDED_WITHIN = 4
"""Up to this many exponentials every sum of two arguments is compared with a third."""

Law = tuple[Expression, Expression]
"""An argument of the exponential and its value."""


def reciprocal(encoder: Encoder, operand: Expression) -> Expression:
    """1 / operand, 0 where it is 0."""
    build = encoder.build
    none, one = build.real_number(0), build.real_number(1)
    by_zero = build.same(operand, none)
    if encoder.quotients is Quotients.NATIVE:
        return build.either(by_zero, none, build.divided(one, operand))
    inverse = build.fresh("reciprocal", build.reals)
    exact = build.same(build.product([operand, inverse]), one)
    encoder.side.append(build.either(by_zero, build.same(inverse, none), exact))
    return inverse


def truncated(encoder: Encoder, left: Expression, right: Expression, divisor: Term) -> Expression:
    """left / right rounded towards 0.

    The solver's own remainder is never negative, so its quotient of a dividend that is not negative is rounded so.
    """
    build = encoder.build
    none = build.integer(0)
    above = build.at_least(left, none)
    if encoder.quotients is Quotients.NATIVE:
        opposite = build.negative(build.divided(build.negative(left), right))
        quotient = build.either(above, build.divided(left, right), opposite)
    else:
        quotient = build.fresh("truncated", build.integers)
        rest = build.total([left, build.negative(build.product([right, quotient]))])
        size = absolute(encoder, right, none)
        upwards = build.every([build.at_least(rest, none), build.less(rest, size)])
        downwards = build.every([build.at_least(none, rest), build.less(build.negative(size), rest)])
        by_zero = build.same(right, none)
        encoder.side.append(build.any([by_zero, build.either(above, upwards, downwards)]))
    return quotient if isinstance(divisor, Number) else build.either(build.same(right, none), none, quotient)


def absolute(encoder: Encoder, operand: Expression, none: Expression) -> Expression:
    """|operand|."""
    build = encoder.build
    return build.either(build.at_least(operand, none), operand, build.negative(operand))


def exponential(encoder: Encoder, argument: Expression) -> Expression:
    """An uninterpreted function's value; what is known of it is asserted besides."""
    build = encoder.build
    value = build.apply(build.function("exponential", [build.reals], build.reals), [argument])
    none, one = build.real_number(0), build.real_number(1)
    new, known = (argument, value), [(none, one), *encoder.exponentials]
    tangent = build.at_least(value, build.total([one, argument]))
    encoder.side += [build.less(none, value), tangent]
    encoder.side += (_ordered(encoder, new, other) for other in known)
    encoder.exponentials.append(new)
    encoder.plain.append(build.same(argument, none))
    if len(encoder.exponentials) <= ADDED_WITHIN:
        encoder.side += _added(encoder, new, known)
    return value


def _ordered(encoder: Encoder, first: Law, second: Law) -> Expression:
    """The exponential is strictly increasing."""
    build = encoder.build
    below = build.same(build.less(first[0], second[0]), build.less(first[1], second[1]))
    equal = build.same(build.same(first[0], second[0]), build.same(first[1], second[1]))
    return build.every([below, equal])


def _added(encoder: Encoder, new: Law, known: list[Law]) -> Iterator[Expression]:
    """exp(a + b) = exp(a)·exp(b), where a new argument is one of the three."""
    laws = [*known, new]
    for first, second in combinations_with_replacement(laws[1:], 2):
        for third in laws:
            if new in (first, second, third) and third is not first and third is not second:
                yield _sum(encoder, (first, second), third)


def _sum(encoder: Encoder, parts: tuple[Law, Law], whole: Law) -> Expression:
    build = encoder.build
    added = build.same(build.total([part[0] for part in parts]), whole[0])
    return build.implies(added, build.same(build.product([part[1] for part in parts]), whole[1]))


def root(encoder: Encoder, operand: Expression) -> Expression:
    """√|operand|: what is not negative and has this square; a rational number where the operand is 0 or 1."""
    build = encoder.build
    value = build.apply(build.function("sqrt", [build.reals], build.reals), [operand])
    none, one = build.real_number(0), build.real_number(1)
    square = build.same(build.product([value, value]), absolute(encoder, operand, none))
    encoder.side += [build.at_least(value, none), square]
    encoder.plain.append(build.any([build.same(operand, none), build.same(operand, one)]))
    return value


def logarithm(encoder: Encoder, operand: Expression) -> Expression:
    """ln |operand|, by its exponential; 0 where the operand is 0."""
    build = encoder.build
    value = build.apply(build.function("log", [build.reals], build.reals), [operand])
    none = build.real_number(0)
    inverse = build.same(exponential(encoder, value), absolute(encoder, operand, none))
    encoder.side.append(build.either(build.same(operand, none), build.same(value, none), inverse))
    return value


def special(encoder: Encoder, term: Special, operands: tuple[Expression, ...]) -> Expression:
    """The value of a function of which few laws are known; ⌊x⌋ is known."""
    build = encoder.build
    none = build.real_number(0)
    if term.function == "floor":
        whole = build.real(build.fresh("floor", build.integers))
        above = build.less(operands[0], build.total([whole, build.real_number(1)]))
        encoder.side += [build.at_least(operands[0], whole), above]
        return whole
    domain = [encoder.sort(operand.sort) for operand in term.operands]
    value = build.apply(build.function(term.function, domain, encoder.sort(term.sort)), operands)
    if term.function == "power":
        one = encoder.number(1, term.sort)
        encoder.plain += [build.same(operands[1], one), build.same(value, operands[0])]
        return value
    at_zero = build.real_number(1 if term.function == "cosine" else 0)
    encoder.side += [build.at_least(value, build.real_number(-1)), build.at_least(build.real_number(1), value)]
    encoder.plain += [build.same(operands[0], none), build.same(value, at_zero)]
    return value


def applied(encoder: Encoder, term: Applied, operands: tuple[Expression, ...]) -> Expression:
    """The value of a declared function; the encoder remembers at which operands it was met."""
    build = encoder.build
    calls = encoder.calls.setdefault(term.function, {})
    key = tuple(operand.value for operand in operands)
    if key not in calls:
        domain = [encoder.sort(operand.sort) for operand in term.operands]
        value = build.apply(build.function(term.function, domain, encoder.sort(term.sort)), operands)
        calls[key] = (operands, value)
    return calls[key][1]
