"""Whether a changed nest or transform is right: run at a few small sizes, then proved.

Most guesses fail when they are run, so few are left to prove.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, assert_never

from msgspec import Struct

from rewright.checks import nest, program
from rewright.checks.loops_allowing import is_proved
from rewright.checks.loops_races import races
from rewright.checks.nest_answers import operations_of
from rewright.model.index import Name
from rewright.model.nest import Nest, TiledTransformation, Transformation
from rewright.model.nest_program import ProgramTransformation
from rewright.replay.loops.bounds import first_outside
from rewright.replay.loops.comparing import compared
from rewright.replay.loops.running import RunTooLong, satisfied
from rewright.replay.loops.sizes import sizes_to_sample, sizes_to_try
from rewright.verdict import Verdict

if TYPE_CHECKING:
    from rewright.rules.decision import Budget

STEPS = 3_000
"""Operations and iterations of a run by which most guesses are excluded."""

LOOKS = 14
"""Choices of sizes at which a guess is run; the sample is beyond tiles of 32."""


class LoopsTrial(Struct, frozen=True):
    """What a changed declaration is tried with: the sizes at which it failed, and how much is decided."""

    sizes: tuple[tuple[str, int], ...]
    budget: Budget

    def is_right(self, changed: Nest | Transformation | TiledTransformation | ProgramTransformation) -> bool:
        """Whether a changed declaration is proved, or checked if it is run."""
        match changed:
            case ProgramTransformation() as asked:
                return program.answer(asked, self.budget).verdict is Verdict.CHECKED
            case Nest() as asked:
                return not self._is_outside(asked) and nest.answer(asked, self.budget).verdict is Verdict.PROVED
            case Transformation() as asked:
                return self._is_reordering(asked)
            case TiledTransformation(choices=choices):
                return all(map(self._agrees, choices)) and all(map(self._is_reordering, choices))
            case _:
                assert_never(changed)

    def _is_reordering(self, asked: Transformation) -> bool:
        if not self._agrees(asked) or not is_proved(asked, operations_of(self.budget)):
            return False
        return races(asked.transformed, asked.specification, asked.tiles, self.budget) is None

    def _is_outside(self, asked: Nest) -> bool:
        def look(values: dict[Name, int]) -> object:
            return first_outside(asked, values, STEPS)

        return any(_finds(look, values) for values in self._sizes((asked,)))

    def _agrees(self, asked: Transformation) -> bool:
        def look(values: dict[Name, int]) -> object:
            return compared(asked, values, STEPS)

        return not any(_finds(look, values) for values in self._sizes((asked.specification, asked.transformed)))

    def _sizes(self, nests: tuple[Nest, ...]) -> Iterator[dict[Name, int]]:
        """Where the declaration fails, small sizes, and some beyond a tile of 8."""
        failing = {Name(name): value for name, value in self.sizes if name in nests[0].parameters}
        if len(failing) == len(nests[0].parameters) and all(satisfied(each, failing) for each in nests):
            yield failing
        for sizes in (*islice(sizes_to_try(nests), LOOKS), *islice(sizes_to_sample(nests), 2)):
            yield dict(sizes)


def _finds(look: Callable[[dict[Name, int]], object], values: dict[Name, int]) -> bool:
    try:
        return look(values) is not None
    except RunTooLong:
        return False
