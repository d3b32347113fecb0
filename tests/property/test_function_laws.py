"""Roots, logarithms and the other functions of elements: normal forms against decimals, at negative numbers, 0 and 1.

Random expressions are evaluated as they stand, by series, and as the term that the constructors, a substitution and a
simplification under true facts make of them.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import decimal_functions as d
import pytest

from rewright.equality import EVERYWHERE, Facts, simplify
from rewright.terms import (
    REAL,
    Term,
    absolute,
    add,
    at_most,
    ceiling,
    complement,
    cosine,
    equal,
    error_function,
    exponential,
    floor,
    hyperbolic_tangent,
    less,
    logarithm,
    logistic,
    multiply,
    negate,
    number,
    power,
    reciprocal,
    scale,
    sine,
    square_root,
    substitute,
    subterms,
    subtract,
    variable,
)
from rewright.terms import node as t
from rewright.terms.binding import rebuild

COUNT = 40_000 if os.environ.get("REWRIGHT_SOAK") else 2_000
DEPTH = 4

Node = tuple[Any, ...]
Values = dict[Term, Decimal]
X, Y, Z = (variable(name, None, REAL) for name in "xyz")
SAMPLES = [Fraction(n) for n in (0, 0, 1, -1, 2, -3, 4)] + [Fraction(1, 4), Fraction(-9, 4), Fraction(5, 2)]


def _logistic(value: Decimal) -> Decimal:
    return 1 / (1 + d.exponential(-value))


def _tangent(value: Decimal) -> Decimal:
    up, down = d.exponential(value), d.exponential(-value)
    return (up - down) / (up + down)


OF: dict[str, tuple[Callable[..., Term], Callable[..., Decimal]]] = {
    "add": (add, lambda a, b: a + b),
    "subtract": (subtract, lambda a, b: a - b),
    "multiply": (multiply, lambda a, b: a * b),
    "square": (lambda a: multiply(a, a), lambda a: a * a),
    "negate": (negate, lambda a: -a),
    "half": (lambda a: scale(Fraction(1, 2), a), lambda a: a / 2),
    "six": (lambda a: scale(6, a), lambda a: 6 * a),
    "absolute": (absolute, abs),
    "reciprocal": (reciprocal, d.inverse),
    "divide": (lambda a, b: multiply(a, reciprocal(b)), lambda a, b: a * d.inverse(b)),
    "exponential": (exponential, d.exponential),
    "root": (square_root, d.root),
    "root again": (lambda a: multiply(square_root(a), square_root(a)), abs),
    "logarithm": (logarithm, d.logarithm),
    "floor": (floor, d.floor),
    "ceiling": (ceiling, d.ceiling),
    "sine": (sine, d.sine),
    "cosine": (cosine, d.cosine),
    "erf": (error_function, d.error_function),
    "logistic": (logistic, _logistic),
    "tanh": (hyperbolic_tangent, _tangent),
    "power": (power, d.power),
}
ARITY = {name: 2 if name in ("add", "subtract", "multiply", "divide", "power") else 1 for name in OF}
FREQUENT = ["multiply", "divide", "root", "logarithm", "exponential"]


def drawn(rng: random.Random, depth: int) -> Node:
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.3:
            return ("number", rng.choice([0, 1, 2, -1, 6, 8, Fraction(1, 2), Fraction(-3, 4)]))
        return ("leaf", rng.choice([X, Y, Z]))
    if rng.random() < 0.2:
        # cancelling is rare by chance: the same operand twice
        shared = drawn(rng, depth - 2 if depth > 1 else 0)
        inner = (rng.choice(["root", "logarithm", "absolute", "reciprocal"]), shared)
        return (rng.choice(["multiply", "divide", "subtract"]), ("multiply", inner, drawn(rng, 1)), shared)
    name = rng.choice(FREQUENT if rng.random() < 0.5 else list(OF))
    return (name, *(drawn(rng, depth - 1) for _ in range(ARITY[name])))


def made(node: Node) -> Term:
    match node:
        case ("leaf", leaf):
            return leaf  # type: ignore[no-any-return]
        case ("number", value):
            return number(value, REAL)
        case (name, *operands):
            return OF[name][0](*map(made, operands))
    raise ValueError(node)


def meaning(node: Node, values: Values) -> Decimal:
    match node:
        case ("leaf", leaf):
            return values[leaf]
        case ("number", value):
            return d.of(value)
        case (name, *operands):
            found = OF[name][1](*(meaning(operand, values) for operand in operands))
            if abs(found) > 1 / d.APART:
                raise d.TooLarge
            return d.snapped(found)
    raise ValueError(node)


SPECIAL: dict[str, Callable[..., Decimal]] = {
    "sine": d.sine,
    "cosine": d.cosine,
    "erf": d.error_function,
    "floor": d.floor,
    "power": d.power,
}


def value(term: Term, values: Values) -> Decimal:
    """What a term means, read from the definitions of the nodes."""
    match term:
        case t.Variable():
            return values[term]
        case t.Number(value=exact):
            return d.of(exact)
        case t.Polynomial(monomials=monomials):
            total = Decimal(0)
            for monomial, factor in monomials:
                part = d.of(factor)
                for atom, count in monomial:
                    part *= value(atom, values) ** count
                total += part
            return d.snapped(total)
        case t.Reciprocal(operand=operand):
            return d.inverse(value(operand, values))
        case t.Absolute(operand=operand):
            return abs(value(operand, values))
        case t.Exponential(operand=operand):
            return d.exponential(value(operand, values))
        case t.Root(operand=operand):
            return d.root(value(operand, values))
        case t.Logarithm(operand=operand):
            return d.logarithm(value(operand, values))
        case t.Special(function=function, operands=operands):
            return SPECIAL[function](*(value(operand, values) for operand in operands))
    raise TypeError(type(term).__name__)


def holds(test: Term, values: Values) -> bool:
    match test:
        case t.Constant(value=known):
            return known
        case t.Not(operand=operand):
            return not holds(operand, values)
        case t.And(operands=operands):
            return all(holds(operand, values) for operand in operands)
        case t.Zero(polynomial=polynomial):
            return d.snapped(value(polynomial, values)) == 0
        case t.Negative(polynomial=polynomial):
            return d.snapped(value(polynomial, values)) < 0
    raise TypeError(type(test).__name__)


def facts(term: Term, values: Values, rng: random.Random) -> Iterator[Term]:
    """How operands of functions compare with 0: what a proof knows by definedness."""
    for inner in subterms(term):
        if isinstance(inner, t.Reciprocal | t.Absolute | t.Root | t.Logarithm) and rng.random() < 0.7:
            for test in (less(inner.operand, NONE), equal(inner.operand, NONE)):
                yield test if holds(test, values) else complement(test)


NONE = number(0, REAL)
TESTS: list[tuple[Callable[[Term, Term], Term], Callable[[Decimal, Decimal], bool]]] = [
    (less, lambda a, b: a < b),
    (at_most, lambda a, b: a <= b),
    (equal, lambda a, b: a == b),
]


def test_constructors_substitution_and_simplification_keep_every_value() -> None:
    rng = random.Random(3)
    kept = 0
    with localcontext(d.EXACT):
        for count in range(COUNT):
            node = drawn(rng, DEPTH)
            values: Values = {leaf: d.of(rng.choice(SAMPLES)) for leaf in (X, Y, Z)}
            try:
                kept += _agrees(rng, node, values, count)
            except d.TooLarge:
                continue
    assert kept > COUNT / 2


def _agrees(rng: random.Random, node: Node, values: Values, count: int) -> bool:
    expected, term = meaning(node, values), made(node)
    assert d.same(value(term, values), expected), (count, node, values, term)
    assert rebuild(term, lambda inner: rebuild(inner, lambda same: same)) is term, (count, node, term)
    known = [(EVERYWHERE, fact) for fact in facts(term, values, rng)]
    simple = simplify(term, Facts.of(known, frozenset()))
    assert d.same(value(simple, values), expected), (count, node, values, known, simple)
    image = drawn(rng, 2)
    moved = {**values, X: meaning(image, values)}
    replaced = substitute(term, {X: made(image)})
    assert d.same(value(replaced, values), meaning(node, moved)), (count, node, image, values, replaced)
    build, read = rng.choice(TESTS)
    other = rng.choice([("number", 0), drawn(rng, 2)])
    there = meaning(other, values)
    test = build(term, made(other))
    assert holds(test, values) == read(d.snapped(expected - there), Decimal(0)), (count, node, other, values, test)
    simple_test = simplify(test, Facts.of(known, frozenset()))
    assert holds(simple_test, values) == holds(test, values), (count, node, other, values, known, simple_test)
    return True


@pytest.mark.parametrize("sample", [Fraction(n, 4) for n in (-9, -4, -1, 0, 1, 4, 8, 9)], ids=str)
def test_functions_of_numbers_have_their_values(sample: Fraction) -> None:
    with localcontext(d.EXACT):
        for name, (build, read) in OF.items():
            if ARITY[name] == 1:
                assert d.same(value(build(number(sample, REAL)), {}), read(d.of(sample))), name


@pytest.mark.parametrize("factor", [1, 4, Fraction(9, 4)])
def test_a_root_of_the_square_of_a_sum_is_its_absolute_value(factor: Fraction) -> None:
    whole = subtract(add(multiply(X, Y), scale(Fraction(3, 2), Z)), number(2, REAL))
    square = multiply(whole, whole)
    assert square_root(scale(factor, square)) is multiply(square_root(number(factor, REAL)), absolute(whole))
    off = add(square, number(1, REAL))
    assert any(isinstance(inner, t.Root) for inner in subterms(square_root(off)))


def test_logistic_has_one_form_for_an_exponent_and_its_opposite() -> None:
    one, other = logistic(X), logistic(negate(X))
    assert multiply(one, exponential(negate(X))) is other
    assert reciprocal(one) is add(number(1, REAL), exponential(negate(X)))
    assert reciprocal(other) is add(number(1, REAL), exponential(X))
    assert add(logarithm(one), negate(X)) is logarithm(other)
