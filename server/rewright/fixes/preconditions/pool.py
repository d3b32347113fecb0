"""Small inputs of a rule, each replayed: those on which the rule holds, and those on which it fails.

Owns what a precondition is measured by: which of the inputs that were drawn are kept, and which of those count as
typical. Must not know how inputs are drawn, nor what a precondition looks like.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from rewright.fixes.preconditions.drawing import Drawn, identity
from rewright.fixes.preconditions.lanes import Bits
from rewright.replay.inputs import Inputs

SEVERAL = 8
"""Inputs that have to be known before those with more special cases count as unusual."""

MOST = 160
"""Inputs kept of those on which the rule holds, and of those on which it fails."""

FURTHER = 60
"""Failing inputs that are added at most to those that are known, if they are many."""

OTHERS = 24
"""Inputs kept without axes of the classes on which the rule can fail."""

EMPTY = 8
"""Inputs with an empty result that are kept, the rest having one."""


class Pool(Struct, frozen=True, eq=False, dict=True):
    """Inputs on which a question holds, and inputs on which it fails.

    `special`: for each of the former, how much of it is a special case; None where the result is empty.
    """

    positive: tuple[Inputs, ...]
    special: tuple[int | None, ...]
    negative: tuple[Inputs, ...]

    @cached_property
    def solid(self) -> Bits:
        """The positive inputs with an axis of every class and a result that is not empty."""
        solid = (count is not None and all(each.ranks.values()) for each, count in self._judged())
        return sum(1 << place for place, is_solid in enumerate(solid) if is_solid)

    @cached_property
    def filled(self) -> Bits:
        """The positive inputs with a result that is not empty."""
        return sum(1 << place for place, count in enumerate(self.special) if count is not None)

    @cached_property
    def typical(self) -> Bits:
        """The positive inputs of which the least is a special case, of those with axes on which the rule can fail."""
        failing = {_support(each) for each in self.negative}
        counts = [count if _support(each) in failing else None for each, count in self._judged()]
        listed = sorted(count for count in counts if count is not None)
        least = listed[min(len(listed), SEVERAL) - 1] if listed else 0
        return sum(1 << place for place, count in enumerate(counts) if count is not None and count <= least)

    @property
    def thick(self) -> int:
        """How many of the typical inputs are no special case at all."""
        typical = self.typical
        return sum(count == 0 for place, count in enumerate(self.special) if typical >> place & 1)

    def with_failing(self, failing: Sequence[Inputs]) -> Pool:
        """The pool with more inputs on which the rule fails."""
        return replace(self, negative=(*self.negative, *failing))

    def joined(self, others: Sequence[Pool]) -> Pool:
        """The inputs of several pools."""
        special = {identity(each): count for pool in (self, *others) for each, count in pool._judged()}
        positive = _distinct(each for pool in (self, *others) for each in pool.positive)
        more = _in_turn(each for pool in others for each in pool.negative)[: max(FURTHER, MOST - len(self.negative))]
        negative = _distinct((*self.negative, *more))
        return Pool(positive, tuple(special[identity(each)] for each in positive), negative)

    def _judged(self) -> Iterable[tuple[Inputs, int | None]]:
        return zip(self.positive, self.special, strict=True)


def gathered(rng: random.Random, drawn: Drawn) -> Pool:
    """What was drawn, of much the inputs with the fewest special cases, of each combination of ranks as many."""
    failing = {_support(each) for each in drawn.negative.values()}
    listed = list(drawn.positive.items())
    rng.shuffle(listed)
    listed.sort(key=lambda item: drawn.special[item[0]])
    relevant = [each for _, each in listed if _support(each) in failing or not failing]
    others = [each for _, each in listed if _support(each) not in failing and failing]
    empty, negative = list(drawn.empty.values()), list(drawn.negative.values())
    rng.shuffle(empty)
    rng.shuffle(negative)
    positive = (*_in_turn(relevant)[:MOST], *_in_turn(others)[:OTHERS])
    special = (*(drawn.special[identity(each)] for each in positive), *(None for _ in empty[:EMPTY]))
    return Pool((*positive, *empty[:EMPTY]), special, _in_turn(negative)[:MOST])


def _in_turn(inputs: Iterable[Inputs]) -> tuple[Inputs, ...]:
    """The inputs, in turn one of each combination of ranks."""
    by_ranks: dict[tuple[int, ...], list[Inputs]] = {}
    for each in inputs:
        by_ranks.setdefault(tuple(each.ranks.values()), []).append(each)
    rounds = itertools.zip_longest(*by_ranks.values())
    return tuple(each for round_ in rounds for each in round_ if each is not None)


def _support(inputs: Inputs) -> frozenset[str]:
    """The groups that have an axis."""
    return frozenset(group for group, rank in inputs.ranks.items() if rank)


def _distinct(inputs: Iterable[Inputs]) -> tuple[Inputs, ...]:
    return tuple({identity(each): each for each in inputs}.values())
