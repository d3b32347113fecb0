"""Sums with pinned indices against adding up: ranks 0 to 2, sizes and offsets from −1, single axes and classes."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from term_values import World, value

from rewright.equality import pinned
from rewright.equality.pinned import without_pinned
from rewright.model.index import Name
from rewright.replay.inputs import Inputs
from rewright.terms import (
    INT,
    TRUE,
    OpenReduce,
    Range,
    Term,
    add,
    choose,
    close_reduce,
    conjoin,
    element_of,
    equal,
    every_axis,
    multiply,
    non_negative,
    number,
    opened_indices,
    plus,
    scale,
    subtract,
    variable,
)
from rewright.terms.axis_product import axis_product

COUNT = 4_000 if os.environ.get("REWRIGHT_SOAK") else 80
WORLDS = 12
M, S, P, Q = variable("m", "A"), variable("s", "A"), variable("p", None), variable("q", None)


def test_pinned_sums_are_what_they_were() -> None:
    drawn = list(_drawn(COUNT))
    assert sum(after is not None for _, after in drawn) > COUNT / 3
    for number_, (before, after) in enumerate(drawn):
        rng = random.Random(f"worlds {number_}")
        for world in (_world(rng) for _ in range(WORLDS if after is not None else 0)):
            assert after is not None
            assert value(before, world) == value(after, world), (before, after, world.inputs)


def test_an_index_that_is_used_beyond_its_range_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinned, "less", lambda left, right: TRUE)
    with pytest.raises(AssertionError):
        test_pinned_sums_are_what_they_were()


def _drawn(count: int) -> Iterator[tuple[Term, Term | None]]:
    for place in range(count):
        rng = random.Random(f"pinned {place}")
        part = _sum(rng)
        yield close_reduce(part), without_pinned(part)


def _sum(rng: random.Random) -> OpenReduce:
    kinds = rng.sample((None, None, "A"), rng.randint(1, 3))
    sizes = {"A": (M, plus(M, 1), number(3)), None: (P, Q, number(2))}
    ranges = tuple(Range(kind, rng.choice(sizes[kind])) for kind in kinds)
    indices = opened_indices(ranges, 0)
    body = add(*(_product(rng, indices) for _ in range(rng.randint(1, 2))))
    return OpenReduce("add", indices, ranges, body)


def _product(rng: random.Random, indices: tuple[Term, ...]) -> Term:
    zero = number(0, INT)
    guards = [_guard(rng, rng.choice(indices), indices) for _ in range(rng.randint(1, 3))]
    factors = [choose(guard, _element(rng, indices), zero) for guard in guards]
    if rng.random() < 0.3:
        factors = [choose(conjoin(*guards), _element(rng, indices), zero)]
    product = number(rng.choice((1, 2, -1)), INT)
    for factor in (*factors, _element(rng, indices)):
        product = multiply(product, factor)
    return product


def _guard(rng: random.Random, index: Term, indices: tuple[Term, ...]) -> Term:
    """An equation, two opposite bounds, or a bound, on every axis if the index is one of a class."""
    classes = index.classes
    others = [other for other in indices if other is not index and other.classes <= classes]
    place = plus(rng.choice([number(0), Q, *((S, M) if classes else ()), *others]), rng.randint(-1, 2))
    apart = subtract(scale(rng.choice((1, 1, -1, 2)), index), place)
    match rng.randrange(4):
        case 0:
            found = non_negative(apart)
        case 1:
            found = conjoin(non_negative(apart), non_negative(scale(-1, apart)))
        case _:
            found = equal(apart, number(0))
    return every_axis("A", found) if found.classes else found


def _element(rng: random.Random, indices: tuple[Term, ...]) -> Term:
    """A different number at each place, as far as the ranks are small."""
    total = number(rng.randint(1, 9), INT)
    for factor, index in enumerate(indices, 2):
        at = plus(scale(factor, index), rng.randint(0, 3))
        total = add(
            total, scale(rng.choice((1, 10, 100)), element_of(axis_product("A", at) if at.classes else at, INT))
        )
    return total


def _world(rng: random.Random) -> World:
    rank = rng.choice((0, 1, 1, 2))
    maps = {name: tuple(rng.randint(-1, 3) for _ in range(rank)) for name in (Name("m"), Name("s"))}
    integers = {name: rng.randint(-1, 3) for name in (Name("p"), Name("q"))}
    return World(Inputs({Name("A"): rank}, maps, integers, {}, {}, {}, {}), {})
