"""Which few of many possible conditions explain the runs of a kernel: one is false in each run that fails.

Sets of runs are integers, with a bit for each. Must not know what a condition says, or how a kernel is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec import Struct, field

MOST_TOGETHER = 3
"""Conditions that are told of one launch."""

_MOST_STRONG, _MOST_SIMPLE = 24, 24
"""Conditions of which pairs and triples are looked at: those that exclude most, and those that are simple to say."""

_SHARE_OF_A_CONDITION = 4
"""A further condition is worth it if it keeps one part in so many of the runs that are not to be excluded."""

_SIZES_KEPT = 2
"""Realistic sizes at which conditions have to hold together."""


class Runs(Struct, frozen=True):
    """The runs that fail, those that pass and are not to be excluded, and for each realistic size those that pass.

    Of the realistic ones what matters is that some are left. `doubtful` ones pass, but may be excluded.
    """

    fails: int
    kept: int
    realistic: tuple[int, ...]
    doubtful: int = 0


class Explanations(Struct):
    """The sets of conditions that explain runs, best first, each once.

    Better is what excludes fewer runs that are not to be excluded, then fewer conditions, then what excludes fewer
    doubtful runs, then what is simpler to say, by `weights`, then what excludes less of all that was run.
    """

    weights: Sequence[int]
    refused: set[tuple[int, ...]] = field(default_factory=set)

    def best(self, truths: Sequence[Sequence[bool]], runs: Runs) -> tuple[int, ...] | None:
        """The best set by the numbers of its conditions, whose `truths` are given for each run; None if there is none.

        All of a set hold in realistic runs that pass, of more than one size if there are such.
        """
        conditions = [
            _Condition(number, bits(not holds for holds in truth), self.weights[number])
            for number, truth in enumerate(truths)
        ]
        useful = [each for each in conditions if each.false_in & runs.fails and _is_realistic(each.false_in, runs)]
        found: list[tuple[_Condition, ...]] = []
        for count in range(1, MOST_TOGETHER + 1):
            screened = useful if count == 1 else _screened(useful, runs)
            found += (
                chosen
                for chosen in combinations(screened, count)
                if not runs.fails & ~_false_in(chosen)
                and _is_realistic(_false_in(chosen), runs)
                and _numbers(chosen) not in self.refused
            )
        best = min(found, key=lambda chosen: _price(chosen, runs), default=None)
        return None if best is None else _numbers(best)


class _Condition(Struct, frozen=True):
    """A condition: its number, the runs in which it is false, and how simple it is to say."""

    number: int
    false_in: int
    weight: int


def bits(truths: Iterable[bool]) -> int:
    """The set of the runs of which something is true."""
    return sum(1 << at for at, truth in enumerate(truths) if truth)


def _screened(useful: list[_Condition], runs: Runs) -> list[_Condition]:
    """Those that are looked at together, by number."""

    def lost(each: _Condition) -> int:
        return (each.false_in & runs.kept).bit_count()

    def excluded(each: _Condition) -> int:
        return (each.false_in & runs.fails).bit_count()

    strong = sorted(useful, key=lambda each: (lost(each), -excluded(each), each.number))[:_MOST_STRONG]
    simple = sorted(useful, key=lambda each: (lost(each), each.weight, -excluded(each), each.number))[:_MOST_SIMPLE]
    return [each for each in useful if each in strong or each in simple]


def _numbers(chosen: tuple[_Condition, ...]) -> tuple[int, ...]:
    return tuple(each.number for each in chosen)


def _false_in(chosen: tuple[_Condition, ...]) -> int:
    excluded = 0
    for each in chosen:
        excluded |= each.false_in
    return excluded


def _is_realistic(excluded: int, runs: Runs) -> bool:
    """Whether enough of the realistic runs are left."""
    left = sum(1 for passes in runs.realistic if passes & ~excluded)
    return left >= min(_SIZES_KEPT, len(runs.realistic))


def _price(chosen: tuple[_Condition, ...], runs: Runs) -> tuple[int, ...]:
    lost = (_false_in(chosen) & runs.kept).bit_count()
    doubtful = (_false_in(chosen) & runs.doubtful).bit_count()
    excluded = sum(each.false_in.bit_count() for each in chosen)
    priced = lost + (len(chosen) - 1) * (runs.kept.bit_count() // _SHARE_OF_A_CONDITION)
    return priced, len(chosen), doubtful, sum(each.weight for each in chosen), excluded, *_numbers(chosen)
