"""Signs, zeros and sums by monomials of random elements, against the elements' values at small inputs.

Elements are drawn as terms, with sums and products over a group of axes and over a single axis, at ranks 0 to 2 and
sizes 0 to 3. Facts are drawn from what holds at the input. The exponential is a power of two here, which is exact at
integers: the laws that terms use hold for every base above 1.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pytest
import term_values
from term_values import World, value

from rewright.equality import (
    EVERYWHERE,
    Fact,
    Facts,
    closed_forms,
    closed_sums,
    distribution,
    signs,
    simplify,
    whole_powers,
)
from rewright.equality.distribution import distributed
from rewright.equality.signs import Sign, sign_of, vanishing
from rewright.model.index import Name
from rewright.replay.arrays import Array
from rewright.replay.inputs import Inputs
from rewright.terms import (
    INDEX,
    REAL,
    OpenReduce,
    Range,
    Slot,
    Term,
    absolute,
    access,
    add,
    axis_product,
    choose,
    close_reduce,
    complement,
    conjoin,
    element_of,
    equal,
    every_axis,
    exponential,
    floor_divide,
    less,
    maximum,
    minimum,
    multiply,
    negate,
    non_negative,
    number,
    opened_indices,
    plus,
    power,
    reciprocal,
    scale,
    subtract,
    variable,
)
from rewright.terms.comparison import zero
from rewright.terms.node import Opened

COUNT = 20_000 if os.environ.get("REWRIGHT_SOAK") else 600
DEPTH = 4
LARGEST_POWER = 40

LARGE = 10**60
"""The minimum of nothing: what is shown holds of every number that is greater than all others."""

SIZE_OF_A, SIZE_OF_D, JOINT = variable("n", "A"), variable("m", None), variable("t", None)
SCALARS = [variable(name, None, REAL) for name in ("x", "y")]


class TooLarge(Exception):
    """A power of two that nobody wants to see, or one with a fraction for its exponent."""


def power_of_two(power: Any) -> Fraction:
    if Fraction(power).denominator != 1 or abs(power) > LARGEST_POWER:
        raise TooLarge
    return Fraction(2) ** int(power)


@pytest.fixture(autouse=True)
def _exact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_values, "power_of_e", power_of_two)
    monkeypatch.setattr(term_values, "GREATEST", LARGE)


@dataclass
class Seen:
    """How much was seen."""

    signs: int = 0
    zeros: int = 0
    sums: int = 0


def test_signs_and_sums_by_monomials_hold_of_every_value() -> None:
    seen = Seen()
    wrong = [place for place in range(COUNT) if not _agrees(place, seen)]
    assert not wrong
    assert seen.signs > COUNT / 4
    assert seen.zeros > COUNT / 12
    assert seen.sums > COUNT / 6


def _noticed(most: int = 400, first: int = 0) -> bool:
    """Whether a fault shows at one of so many places; those from `first`, where it did before, are tried first."""
    return any(not _agrees(place, Seen()) for place in (*range(first, most), *range(first)))


def test_a_range_taken_to_have_an_index_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "is_occupied", lambda ranges, facts: True)
    assert _noticed()


def test_one_axis_with_an_index_taken_for_all_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(ranges: tuple[Range, ...]) -> Term:
        return every_axis(ranges[0].rank_class, non_negative(plus(ranges[0].size, -1)))

    monkeypatch.setattr(signs, "occupied", careless)
    assert _noticed(2000)


def test_a_sum_of_ones_taken_for_one_size_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "axis_product", lambda rank_class, size: number(2))
    assert _noticed()


def test_a_joint_that_may_lie_beyond_the_range_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    holds = Facts.non_negative

    def careless(self: Facts, term: Term, extra: tuple[Term, ...] = ()) -> bool:
        return term is subtract(SIZE_OF_D, JOINT) or holds(self, term, extra)

    monkeypatch.setattr(Facts, "non_negative", careless)
    assert _noticed(2000)


def test_a_maximum_of_nothing_taken_for_a_number_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "is_occupied", lambda ranges, facts: True)
    assert _noticed(2000, first=460)


def test_a_factor_that_depends_on_the_index_taken_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distribution, "_is_free", lambda term, indices: not isinstance(term, Opened))
    with pytest.raises(TypeError, match="Opened"):  # an index without a value
        _noticed()


def test_a_sum_of_powers_with_a_term_too_many_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = closed_forms.sum_of_powers
    monkeypatch.setattr(closed_sums, "sum_of_powers", lambda power, last: right(power, plus(last, 1)))
    assert _noticed()


def test_a_base_that_may_be_one_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_sums, "not_zero", lambda divisor, facts: True)
    assert _noticed(2000, first=480)


def test_exponents_of_a_base_that_may_be_zero_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_powers, "not_zero", lambda base, facts: True)
    assert _noticed(2000, first=1120)


def test_a_product_of_powers_below_zero_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    holds = Facts.non_negative

    def careless(self: Facts, term: Term, extra: tuple[Term, ...] = ()) -> bool:
        return term.sort == REAL or holds(self, term, extra)

    monkeypatch.setattr(Facts, "non_negative", careless)
    assert _noticed(2000)


def _agrees(place: int, seen: Seen) -> bool:
    """Whether signs, zeros and sums of one drawn element agree with its value at one drawn input."""
    rng = random.Random(f"signs and sums {place}")
    world = _world(rng)
    term = _element(rng, DEPTH, ())
    facts = Facts.of(_facts(rng, world, term), frozenset())
    try:
        truth = value(term, world)
        if abs(truth) >= LARGE // 10**9:  # calculated from the minimum of nothing
            return True
        return _signs_agree(term, facts, truth, world, seen) and _sums_agree(term, facts, truth, world, seen)
    except TooLarge:
        return True


def _signs_agree(term: Term, facts: Facts, truth: Any, world: World, seen: Seen) -> bool:
    sign = sign_of(term, facts)
    test, below = zero(term), less(term, number(0, REAL))
    if value(simplify(test, facts), world) != (truth == 0) or value(simplify(below, facts), world) != (truth < 0):
        return False
    if sign is None:
        return True
    seen.signs += 1
    if truth < 0 or (sign is Sign.ABOVE_ZERO and truth == 0):
        return False
    vanishes = vanishing(term, facts)
    seen.zeros += vanishes is not test
    return bool(value(vanishes, world) == (truth == 0))


def _sums_agree(term: Term, facts: Facts, truth: Any, world: World, seen: Seen) -> bool:
    by_monomials = distributed(term, facts)
    seen.sums += by_monomials is not term
    again = distributed(by_monomials, Facts(facts.known, facts.nonempty))
    return bool(value(by_monomials, world) == truth) and again is by_monomials


def _world(rng: random.Random) -> World:
    rank = rng.choice([0, 1, 1, 2])
    sizes = tuple(rng.choice([0, 1, 2, 2, 3]) for _ in range(rank))
    inputs = Inputs(
        ranks={Name("A"): rank, Name("d"): 1},
        maps={Name("n"): sizes},
        integers={Name("m"): rng.choice([0, 1, 2, 3]), Name("t"): rng.choice([-1, 0, 1, 1, 2, 3])},
        scalars={Name("x"): rng.choice([-2, -1, 0, 1, 2]), Name("y"): rng.choice([-1, 0, 1])},
        tensors={
            Name("X"): _array(rng, ("A",), (3,) * rank),
            Name("Y"): _array(rng, ("d",), (7,)),
            Name("Z"): _array(rng, ("A", "d"), (3,) * rank + (7,)),
        },
        functions={},
        domain={},
    )
    return World(inputs, {})


def _array(rng: random.Random, groups: tuple[str, ...], shape: tuple[int, ...]) -> Array:
    low = rng.choice([-2, 0, 1])
    data = np.empty(shape, dtype=object)
    for place in np.ndindex(*shape):
        data[place] = rng.randint(low, 2)
    return Array(tuple(map(Name, groups)), data)


def _facts(rng: random.Random, world: World, term: Term) -> list[Fact]:
    """Facts that hold at the input: sizes, where the joint lies, and what is not 0."""
    candidates: list[tuple[Fact, float]] = [
        (("A", non_negative(SIZE_OF_A)), 1.0),
        ((EVERYWHERE, non_negative(SIZE_OF_D)), 1.0),
        (("A", non_negative(plus(SIZE_OF_A, -1))), 0.4),
        ((EVERYWHERE, non_negative(plus(SIZE_OF_D, -1))), 0.4),
        ((EVERYWHERE, conjoin(non_negative(JOINT), non_negative(subtract(SIZE_OF_D, JOINT)))), 0.7),
        ((EVERYWHERE, non_negative(JOINT)), 0.5),
        *(((EVERYWHERE, complement(zero(scalar))), 0.4) for scalar in SCALARS),
        *(((EVERYWHERE, less(number(0, REAL), scalar)), 0.3) for scalar in SCALARS),
        *(((EVERYWHERE, complement(equal(scalar, number(1, REAL)))), 0.6) for scalar in SCALARS),
        ((EVERYWHERE, complement(zero(term))), 0.2),
        ((EVERYWHERE, less(number(0, REAL), term)), 0.2),
    ]
    return [fact for fact, share in candidates if rng.random() < share and _holds(fact, world)]


def _holds(fact: Fact, world: World) -> bool:
    home, part = fact
    try:
        return bool(value(every_axis(home or None, part), world))
    except TooLarge:
        return False


Binders = tuple[Opened, ...]


def _element(rng: random.Random, depth: int, binders: Binders) -> Term:
    if depth == 0 or rng.random() < 0.15:
        return _leaf(rng, binders)
    parts: Iterator[Term] = (_element(rng, depth - 1, binders) for _ in count())
    match rng.randrange(12):
        case 0 | 1:
            return add(next(parts), scale(rng.choice([1, 1, -1, 2]), next(parts)))
        case 2:
            return multiply(next(parts), next(parts))
        case 3:
            part = next(parts)
            return multiply(part, part)
        case 4:
            return exponential(_exponent(rng, binders))
        case 5:
            return multiply(next(parts), exponential(_exponent(rng, binders)))
        case 6:
            return rng.choice([absolute, reciprocal, negate])(next(parts))
        case 7:
            return rng.choice([maximum, minimum])(next(parts), next(parts))
        case 8:
            condition = _condition(rng, binders)
            return next(parts) if condition is None else choose(condition, next(parts), next(parts))
        case _:
            return _reduction(rng, depth, binders)


def _reduction(rng: random.Random, depth: int, binders: Binders) -> Term:
    choices = [Range("A", SIZE_OF_A), Range(None, SIZE_OF_D), Range(None, JOINT)]
    ranges = tuple(rng.sample(choices[:2], rng.randint(1, 2)) if rng.random() < 0.85 else choices[2:])
    indices = opened_indices(ranges, max((binder.number for binder in binders), default=0))
    body = _element(rng, depth - 1, (*binders, *indices))
    if rng.random() < 0.3:
        body = multiply(exponential(_exponent(rng, (*binders, *indices))), body)
    monoid = rng.choice(["add", "add", "add", "add", "multiply", "maximum", "minimum"])
    return close_reduce(OpenReduce(monoid, indices, ranges, body))


def _exponent(rng: random.Random, binders: Binders) -> Term:
    leaves = [_leaf(rng, binders) for _ in range(rng.randint(1, 3))]
    return add(*(scale(rng.choice([1, 1, -1]), leaf) for leaf in leaves))


def _leaf(rng: random.Random, binders: Binders) -> Term:
    of_a = [binder for binder in binders if binder.rank_class == "A"]
    of_d = [binder for binder in binders if binder.rank_class is None]
    choices = [number(rng.choice([0, 1, 1, 2, -1]), REAL), rng.choice(SCALARS)]
    choices.append(element_of(rng.choice([axis_product("A", SIZE_OF_A), SIZE_OF_D, JOINT]), REAL))
    if of_a:
        choices += [access("X", (Slot("A", "A", rng.choice(of_a)),), REAL)] * 3
    if of_d:
        choices += [access("Y", (Slot("d", None, plus(rng.choice(of_d), rng.choice([0, 0, 1]))),), REAL)] * 3
    if of_d:
        choices += [element_of(rng.choice(of_d), REAL)] * 2
    if rng.random() < 0.25:
        choices = [_power(rng, of_d)]
    if of_a and of_d:
        choices += [access("Z", (Slot("A", "A", rng.choice(of_a)), Slot("d", None, rng.choice(of_d))), REAL)] * 3
    return rng.choice(choices)


def _power(rng: random.Random, indices: Sequence[Term]) -> Term:
    """A power with a whole exponent, mostly of an index; 0 to a power below 0 is 0."""
    wholes = [*indices, *indices, *indices, SIZE_OF_D, JOINT, axis_product("A", SIZE_OF_A)]
    parts = [scale(rng.choice([1, 1, 1, 2, -1]), rng.choice(wholes)) for _ in range(rng.choice([1, 1, 2]))]
    exponent = add(number(rng.choice([0, 0, 1, -1])), *parts)
    if rng.random() < 0.2:
        exponent = floor_divide(multiply(parts[0], plus(parts[0], 1)), number(2))
    base = rng.choice([*SCALARS, *SCALARS, multiply(*SCALARS), negate(SCALARS[0]), number(rng.choice([-1, 0]), REAL)])
    return power(base, element_of(exponent, REAL))


def _condition(rng: random.Random, binders: Binders) -> Term | None:
    """A test of an index against the joint, of sizes, or of elements."""
    of_a: list[Term] = [binder for binder in binders if binder.rank_class == "A"]
    of_d: list[Term] = [binder for binder in binders if binder.rank_class is None]
    choices = [equal(rng.choice(SCALARS), number(0, REAL)), less(SIZE_OF_D, JOINT)]
    choices += [less(*rng.choice([(index, JOINT), (JOINT, index)])) for index in of_d] * 3
    choices += [every_axis("A", less(index, plus(SIZE_OF_A, -1))) for index in of_a]
    choices += [less(*(_leaf(rng, binders) for _ in range(2)))]
    assert all(choice.sort != INDEX for choice in choices)
    return rng.choice(choices)
