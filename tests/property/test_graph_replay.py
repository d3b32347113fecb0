"""The replay of graphs against the oracle: the values of random graphs, and inputs on which planted faults show."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from graph_mutants import mutants
from graph_oracle import FLOATS, PRIME, Evaluation, Uneven, arithmetic_of, oracle_says
from graph_pairs import RandomPair, pairs
from spread import spread

from rewright.model.graph import Graph, Refinement
from rewright.model.index import Name
from rewright.replay.elements import TooLarge
from rewright.replay.enclosures import Enclosure
from rewright.replay.graphs.collectives import Held
from rewright.replay.graphs.drawing import DRAWS, Draw, drawn_inputs
from rewright.replay.graphs.evaluation import GraphValues, evaluate
from rewright.replay.graphs.expectation import failing_expectation
from rewright.replay.graphs.recovery import unrecoverable
from rewright.replay.graphs.sizes import sizes_to_try

LARGEST = 1e4
"""Floats are compared only where none on the way is larger: of larger ones a sine is not known well enough."""


def seeds(name: str, count: int) -> Iterator[str]:
    return (f"{name} {number}" for number in range(count))


def test_pairs_are_right_by_the_oracle() -> None:
    for seed in seeds("right", 100):
        pair = pairs(seed)
        says = oracle_says(pair.refinement, pair.sizes)
        assert says.recoverable and says.as_expected, seed


def stacked(held: Held, arithmetic: Any) -> Any:
    """The arrays of all ranks as one, as the oracle has them."""
    one = next(iter(held.values()))
    mesh = tuple(max(places) + 1 for places in zip(*held, strict=True))
    found = np.empty((*mesh, *one.shape), arithmetic.dtype)
    for rank, data in held.items():
        for at in np.ndindex(*one.shape):
            found[(*rank, *at)] = arithmetic.number(data[at])
    return found


def agrees(graph: Graph, sizes: dict[Name, int], inputs: dict[Name, Held]) -> bool | None:
    """Whether replay and oracle find the same values of all nodes; None where floats are too large to tell."""
    arithmetic = arithmetic_of(graph)
    replayed = evaluate(graph, sizes, inputs)
    assert isinstance(replayed, GraphValues), replayed
    with np.errstate(all="ignore"):
        held = {name: stacked(each, arithmetic) for name, each in inputs.items()}
        nodes = Evaluation(graph, sizes, held, arithmetic).nodes()
    if arithmetic is FLOATS and max(np.max(np.abs(node), initial=0) for node in nodes) > LARGEST:
        return None
    return all(
        same(element, node[(*rank, *at)], modular=arithmetic is not FLOATS)
        for node, values in zip(nodes, replayed.nodes, strict=True)
        for rank, data in values.items()
        for at in np.ndindex(*data.shape)
        for element in [data[at]]
    )


def same(element: Any, number: Any, *, modular: bool) -> bool:
    if modular:
        assert isinstance(element, Fraction)
        return bool(element.numerator % PRIME == number * element.denominator % PRIME)
    found = (element.low + element.high) / 2 if isinstance(element, Enclosure) else element
    return bool(abs(float(found) - float(number)) <= 1e-7 * max(1.0, abs(float(number))))


def of_both(pair: RandomPair, refinement: Refinement, draw: Draw) -> Iterator[bool | None]:
    drawn = drawn_inputs(refinement, pair.sizes, draw)
    assert drawn is not None
    yield agrees(refinement.sequential, pair.sizes, dict(drawn.sequential))
    yield agrees(refinement.distributed, pair.sizes, dict(drawn.distributed))


def values_of(seed: str) -> Counter[bool | None]:
    """How often replay and oracle agree on a pair and one mutant of it."""
    pair = pairs(seed)
    draw = random.Random(seed).choice(DRAWS[:6])
    found = Counter(of_both(pair, pair.refinement, draw))
    for mutant in mutants(pair.refinement, seed)[:1]:
        found.update(of_both(pair, mutant.refinement, draw))
    return found


def enough_agree(counted: Iterable[Counter[bool | None]]) -> None:
    found = sum(counted, Counter[bool | None]())
    assert not found[False]
    assert found[True] > 4 * found[None]


def test_values_are_those_of_the_oracle() -> None:
    enough_agree(map(values_of, seeds("values", 12)))


@pytest.mark.soak
def test_values_are_those_of_the_oracle_on_many() -> None:
    enough_agree(spread(values_of, seeds("many values", 2000)))


def shown(seed: str) -> Counter[str]:
    """Of the mutants of a pair and itself: whether the oracle denies it, and whether the replay shows an input."""
    pair = pairs(seed)
    found: Counter[str] = Counter()
    for refinement in (pair.refinement, *(mutant.refinement for mutant in mutants(pair.refinement, seed))):
        try:
            found[said(refinement, pair.sizes)] += 1
        except TooLarge:
            found["too large"] += 1
    return found


def denied(refinement: Refinement, sizes: dict[Name, int]) -> bool:
    says = oracle_says(refinement, sizes)
    return not says.as_expected if refinement.expected else not says.recoverable


def said(refinement: Refinement, sizes: dict[Name, int]) -> str:
    for tried in sizes_to_try(refinement):
        found = failing_expectation(refinement, tried) if refinement.expected else unrecoverable(refinement, tried)
        if found is not None:
            return "shown" if denied(refinement, tried) else f"shown, but right at {tried}: {found}"
    try:
        return "missed" if denied(refinement, sizes) else "right"
    except Uneven:
        return "uneven"


def enough_shown(counted: Iterable[Counter[str]]) -> None:
    found = sum(counted, Counter[str]())
    print(dict(found))
    assert set(found) <= {"shown", "missed", "right", "uneven", "too large"}, found
    assert found["shown"] >= 0.95 * (found["shown"] + found["missed"] + found["too large"])
    assert found["shown"] >= sum(found.values()) / 3


def test_faults_are_shown_and_nothing_else() -> None:
    enough_shown(map(shown, seeds("faults", 8)))


@pytest.mark.soak
def test_faults_are_shown_and_nothing_else_in_many() -> None:
    enough_shown(spread(shown, seeds("many faults", 2000)))
