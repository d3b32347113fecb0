"""Normal forms of elements against what they were made from: on random expressions, at zeros, negatives and fractions.

Each expression is evaluated as it stands, without any term, and as the term that the constructors, a substitution and
a simplification under true facts make of it. The exponential is a power of two here: the laws that terms use hold for
every base above 1, and at integers it is exact.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from rewright.equality import EVERYWHERE, Facts, simplify
from rewright.equality.embedding import among_reals
from rewright.solve import Attempt, Encoding, Oracle, Query, SolverOutcome, TruthFails, TruthHolds
from rewright.solve.query import Quotients
from rewright.terms import (
    INT,
    REAL,
    TRUTH,
    Slot,
    Sort,
    Term,
    absolute,
    access,
    add,
    applied,
    at_most,
    choose,
    complement,
    conjoin,
    disjoin,
    element_of,
    equal,
    exponential,
    less,
    maximum,
    minimum,
    multiply,
    negate,
    number,
    reciprocal,
    scale,
    sign,
    substitute,
    subtract,
    truncated_divide,
    truncated_remainder,
    variable,
)
from rewright.terms.binding import rebuild
from rewright.terms.evaluation import evaluate
from rewright.terms.interning import subterms
from rewright.terms.node import Absolute, Access, Applied, Exponential, Reciprocal, TruncatedDivide, Variable

COUNT = 40_000 if os.environ.get("REWRIGHT_SOAK") else 2500
DEPTH = 4
FACTS = 4
ASKED = 600 if os.environ.get("REWRIGHT_SOAK") else 60

Values = dict[Term, Any]
Node = tuple[Any, ...]
"""An operator and its operands; a leaf is a term with its sort."""


class TooLarge(Exception):
    """A power of two that nobody wants to see."""


def test_constructors_substitution_and_simplification_keep_every_value() -> None:
    rng = random.Random(7)
    kept = 0
    for count in range(COUNT):
        sort = rng.choice([INT, REAL, TRUTH])
        node = drawn(rng, sort, DEPTH)
        values = inputs(rng)
        try:
            kept += _agrees(rng, node, values, count)
        except TooLarge:
            continue
    assert kept > COUNT / 2


@pytest.mark.parametrize("quotients", Quotients)
def test_the_solver_gives_every_value(quotients: Quotients) -> None:
    """At given values the term has no other value, and the laws that the solver is told of the exponential hold."""
    rng = random.Random(8)
    oracle = Oracle(10**9, 100.0)
    attempt = (Attempt(2_000_000, Encoding(quotients)),)
    for count in range(ASKED):
        sort = rng.choice([INT, REAL])
        node, values = drawn(rng, sort, DEPTH - 1), inputs(rng)
        try:
            term, expected = made(node), number(Fraction(meaning(node, values)), sort)
            known = list(_known(term, values))
        except TooLarge:
            continue
        right = equal(term, expected)
        assert oracle.ask(Query((), (*known, TruthFails(right))), attempt) is SolverOutcome.UNSATISFIABLE, (count, term)
        found = oracle.ask(Query((), (*known, TruthHolds(right))), attempt)
        assert found in (SolverOutcome.SATISFIABLE, SolverOutcome.ALLOWED), (count, term)


def test_integers_have_the_same_values_among_the_reals() -> None:
    """So do tests of them; what rounds has no image."""
    rng = random.Random(9)
    kept = rounding = 0
    for count in range(COUNT):
        node, values = drawn(rng, rng.choice([INT, TRUTH]), DEPTH), inputs(rng)
        values |= {variable(leaf.name, None, REAL): values[leaf] for leaf in LEAVES[INT] if isinstance(leaf, Variable)}
        try:
            term = made(node)
            image = among_reals(term)
            if image is None:
                rounding += 1
                assert any(isinstance(inner, TruncatedDivide) for inner in subterms(term)), (count, term)
                continue
            assert not any(inner.sort == INT for inner in subterms(image))
            assert evaluate(image, World(values)) == meaning(node, values), (count, node, values, term, image)
        except TooLarge:
            continue
        kept += image is not term
    assert kept > COUNT / 4 and rounding > COUNT / 50


def _known(term: Term, values: Values) -> Iterator[TruthHolds]:
    """The values of unknowns, reads, calls and powers, as what holds."""
    for inner in subterms(term):
        if isinstance(inner, Variable) and inner.sort == TRUTH:
            yield TruthHolds(inner if values[inner] else complement(inner))
        elif isinstance(inner, Variable | Access | Applied | Exponential):
            yield TruthHolds(equal(inner, number(Fraction(evaluate(inner, World(values))), inner.sort)))


def _agrees(rng: random.Random, node: Node, values: Values, count: int) -> bool:
    term, expected = made(node), meaning(node, values)
    assert evaluate(term, World(values)) == expected, (count, node, values, term)
    assert rebuild(term, lambda inner: rebuild(inner, lambda same: same)) is term, (count, node, term)
    known = [_fact(rng, values) for _ in range(rng.randint(1, FACTS))]
    known += rng.sample(relevant := list(_relevant(term, values)), rng.randint(0, min(FACTS, len(relevant))))
    facts = Facts.of([(EVERYWHERE, fact) for fact in known], frozenset())
    simple = simplify(term, facts)
    assert evaluate(simple, World(values)) == expected, (count, node, values, known, simple)
    unknown = rng.choice([leaf for leaf in LEAVES[INT] + LEAVES[REAL] if leaf in values])
    image = drawn(rng, unknown.sort, 2)
    there = meaning(image, values)
    replaced = substitute(term, {unknown: made(image)})
    assert evaluate(replaced, World(values)) == meaning(node, {**values, unknown: there}), (count, node, image, values)
    return True


def _fact(rng: random.Random, values: Values) -> Term:
    """A test that holds; every second one compares a small expression with 0."""
    node = drawn(rng, TRUTH, 2)
    if rng.random() < 0.5:
        sort = rng.choice([INT, REAL])
        node = ("test", rng.choice(list(TESTS)), drawn(rng, sort, rng.randint(0, 1)), ("number", 0, sort))
    try:
        holds = meaning(node, values)
    except TooLarge:
        return _fact(rng, values)
    return made(node) if holds else complement(made(node))


def _relevant(term: Term, values: Values) -> Iterator[Term]:
    """How operands of quotients and absolute values compare with 0 and with each other."""
    for inner in subterms(term):
        match inner:
            case Reciprocal(operand=operand) | Absolute(operand=operand):
                yield from _compared(operand, number(0, inner.sort), values)
            case TruncatedDivide(left=left, right=right):
                yield from _compared(left, number(0, INT), values)
                yield from _compared(right, number(0, INT), values)
                yield from (fact for side in (left, negate(left)) for fact in _compared(side, right, values))
            case _:
                pass


def _compared(left: Term, right: Term, values: Values) -> Iterator[Term]:
    for test in (less(left, right), less(right, left), equal(left, right)):
        yield test if evaluate(test, World(values)) else complement(test)


def single(name: str, sort: Sort) -> Term:
    return variable(name, None, sort)


INDICES = [variable(name, None) for name in ("i", "j")]
LEAVES: dict[Sort, list[Term]] = {
    INT: [single("m", INT), single("n", INT), *(element_of(index, INT) for index in INDICES)],
    REAL: [single("x", REAL), single("y", REAL), single("z", REAL), element_of(INDICES[0], REAL)],
    TRUTH: [single("p", TRUTH), single("q", TRUTH)],
}
WHOLE = [single("e", REAL), single("f", REAL)]
"""Reals whose values are integers, for exponents."""
READ = {sort: access(f"{sort}s", (Slot("d", None, INDICES[0]),), sort) for sort in (INT, REAL)}

Build = Callable[..., Term]
Reading = Callable[..., Any]


def _divided(left: int, right: int) -> int:
    return 0 if right == 0 else abs(left) // abs(right) * (1 if (left >= 0) == (right > 0) else -1)


def _rest(left: int, right: int) -> int:
    return left - right * _divided(left, right)


def _power(exponent: Fraction) -> Fraction:
    if exponent != int(exponent) or abs(exponent) > 64:
        raise TooLarge
    return Fraction(2) ** int(exponent)


def _scrambled(*operands: Any) -> int:
    return hash(tuple(map(Fraction, operands))) % 7 - 3


NUMBERS: dict[str, tuple[int, Build, Reading]] = {
    "add": (2, add, lambda a, b: a + b),
    "subtract": (2, subtract, lambda a, b: a - b),
    "multiply": (2, multiply, lambda a, b: a * b),
    "square": (1, lambda a: multiply(a, a), lambda a: a * a),
    "negate": (1, negate, lambda a: -a),
    "double": (1, lambda a: scale(2, a), lambda a: 2 * a),
    "maximum": (2, maximum, max),
    "minimum": (2, minimum, min),
    "absolute": (1, absolute, abs),
    "sign": (1, sign, lambda a: (a > 0) - (a < 0)),
}
OF: dict[Sort, dict[str, tuple[int, Build, Reading]]] = {
    INT: {
        **NUMBERS,
        "divide": (2, truncated_divide, _divided),
        "remainder": (2, truncated_remainder, _rest),
        "remainder twice": (2, lambda a, b: truncated_remainder(truncated_remainder(a, b), b), _rest),
        "f": (2, lambda a, b: applied("f", (a, b), INT), _scrambled),
    },
    REAL: {
        **NUMBERS,
        "reciprocal": (1, reciprocal, lambda a: 1 / Fraction(a) if a else 0),
        "divide": (2, lambda a, b: multiply(a, reciprocal(b)), lambda a, b: a / Fraction(b) if b else 0),
        "half": (1, lambda a: scale(Fraction(1, 2), a), lambda a: Fraction(a) / 2),
        "g": (1, lambda a: applied("g", (a,), REAL), _scrambled),
    },
}
TESTS: dict[str, tuple[Build, Reading]] = {
    "less": (less, lambda a, b: a < b),
    "at most": (at_most, lambda a, b: a <= b),
    "equal": (equal, lambda a, b: a == b),
}
LOGIC: dict[str, tuple[Build, Reading]] = {
    "and": (conjoin, lambda a, b: a and b),
    "or": (disjoin, lambda a, b: a or b),
}


def drawn(rng: random.Random, sort: Sort, depth: int) -> Node:
    if depth == 0 or rng.random() < 0.15:
        return _leaf(rng, sort)
    if sort == TRUTH:
        return _test(rng, depth)
    chance = rng.random()
    if chance < 0.1:
        return ("choose", drawn(rng, TRUTH, depth - 2 if depth > 1 else 0), *_two(rng, sort, depth))
    if chance < 0.2 and sort == REAL:
        return ("exponential", *rng.choices(range(-2, 3), k=3))
    if chance < 0.3:
        # cancelling is rare by chance: the same operand twice
        name = rng.choice(["divide", "multiply", "subtract"])
        shared = drawn(rng, sort, depth - 2 if depth > 1 else 0)
        return ("own", name, sort, ("own", "multiply", sort, shared, drawn(rng, sort, 1)), shared)
    name = rng.choice(list(OF[sort]))
    return ("own", name, sort, *(drawn(rng, sort, depth - 1) for _ in range(OF[sort][name][0])))


def _two(rng: random.Random, sort: Sort, depth: int) -> tuple[Node, Node]:
    return drawn(rng, sort, depth - 1), drawn(rng, sort, depth - 1)


def _leaf(rng: random.Random, sort: Sort) -> Node:
    if sort == TRUTH:
        return ("leaf", rng.choice(LEAVES[TRUTH]))
    if rng.random() < 0.25:
        return ("number", rng.choice([0, 1, 2, -1, -3]), sort)
    return ("leaf", rng.choice([*LEAVES[sort], READ[sort]]))


def _test(rng: random.Random, depth: int) -> Node:
    if rng.random() < 0.6:
        return ("test", rng.choice(list(TESTS)), *_two(rng, rng.choice([INT, REAL]), depth))
    if rng.random() < 0.3:
        return ("not", drawn(rng, TRUTH, depth - 1))
    return ("logic", rng.choice(list(LOGIC)), *_two(rng, TRUTH, depth))


def made(node: Node) -> Term:
    match node:
        case ("leaf", Term() as leaf):
            return leaf
        case ("number", value, sort):
            return number(value, sort)
        case ("own", name, sort, *operands):
            return OF[sort][name][1](*map(made, operands))
        case ("choose", *operands):
            return choose(*map(made, operands))
        case ("exponential", first, second, constant):
            return exponential(add(scale(first, WHOLE[0]), scale(second, WHOLE[1]), number(constant, REAL)))
        case ("test", name, left, right):
            return TESTS[name][0](made(left), made(right))
        case ("logic", name, left, right):
            return LOGIC[name][0](made(left), made(right))
        case ("not", operand):
            return complement(made(operand))
    raise ValueError(node)


def meaning(node: Node, values: Values) -> Any:
    match node:
        case ("leaf", Term() as leaf):
            return evaluate(leaf, World(values))
        case ("number", value, _):
            return value
        case ("own", name, sort, *operands):
            return OF[sort][name][2](*(meaning(operand, values) for operand in operands))
        case ("choose", condition, yes, no):
            chosen = [meaning(operand, values) for operand in (yes, no)]
            return chosen[0] if meaning(condition, values) else chosen[1]
        case ("exponential", first, second, constant):
            return _power(first * values[WHOLE[0]] + second * values[WHOLE[1]] + constant)
        case ("test", name, left, right):
            return TESTS[name][1](meaning(left, values), meaning(right, values))
        case ("logic", name, left, right):
            both = meaning(left, values), meaning(right, values)
            return LOGIC[name][1](*both)
        case ("not", operand):
            return not meaning(operand, values)
    raise ValueError(node)


class World(dict[Term, Any]):
    """Values of unknowns, and with them of reads, applications and exponentials."""

    def __missing__(self, term: Term) -> Any:
        match term:
            case Exponential(operand=operand):
                return _power(Fraction(evaluate(operand, self)))
            case Applied(operands=operands):
                return _scrambled(*(evaluate(operand, self) for operand in operands))
            case Access(slots=slots, tensor=tensor):
                place = evaluate(slots[0].index, self)
                return ([2, -1, 0, 3] if tensor == "ints" else [Fraction(1, 2), -2, 0, 1])[int(place) % 4]
        raise KeyError(term)


def inputs(rng: random.Random) -> Values:
    whole = [*LEAVES[INT][:2], *INDICES, *WHOLE]
    values: Values = {leaf: rng.choice([0, 0, 1, -1, 2, -2, 3, -5]) for leaf in whole}
    values |= {leaf: rng.choice([0, 0, 1, -1, 2, Fraction(1, 2), Fraction(-3, 2), -3]) for leaf in LEAVES[REAL][:3]}
    values |= {leaf: rng.random() < 0.5 for leaf in LEAVES[TRUTH]}
    return values
