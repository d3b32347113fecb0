"""Small sizes at which programs are run, the smallest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from rewright.model.index import Name
from rewright.model.nest import Nest
from rewright.replay.loops.running import satisfied

Sizes = tuple[tuple[Name, int], ...]

MANY = 81
"""Choices of sizes at most, besides those that are given."""


def sizes_to_try(nests: Iterable[Nest], given: Iterable[Sizes] = ()) -> Iterator[Sizes]:
    """Choices of sizes of which all the nests speak: small ones and those that are `given`, by their sum."""
    spoken = tuple(nests)
    parameters = spoken[0].parameters
    largest = next((each for each in range(8, 0, -1) if each ** len(parameters) <= MANY), 1) if parameters else 0
    small = (tuple(zip(parameters, each, strict=True)) for each in product(range(largest + 1), repeat=len(parameters)))
    found = dict.fromkeys((*small, *given))
    for sizes in sorted(found, key=lambda each: (sum(value for _, value in each), [value for _, value in each])):
        if all(satisfied(nest, dict(sizes)) for nest in spoken):
            yield sizes


def sizes_to_sample(nests: Iterable[Nest]) -> Iterator[Sizes]:
    """A few choices at which most of a program runs, at least one of them beyond a tile of 8."""
    spoken = tuple(nests)
    parameters = spoken[0].parameters
    for base, step in ((5, 1), (7, 2), (6, 3), (11, 1), (19, 2), (37, 3)):
        sizes = tuple((name, base + step * number) for number, name in enumerate(parameters))
        if all(satisfied(nest, dict(sizes)) for nest in spoken):
            yield sizes
