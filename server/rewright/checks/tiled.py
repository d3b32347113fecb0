"""Answers a transform with tile sizes: one question for each choice of them, and what they come to together.

Where the declaration lists the tile sizes, that each is proved proves the transform. Where it does not, those that were
looked at stand for all: the transform is checked.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from rewright.checks import transformation
from rewright.checks.nest_answers import unknown
from rewright.model.nest import TiledTransformation
from rewright.model.nest_text import values_text
from rewright.model.tile_sizes import Choice
from rewright.rules.decision import Budget
from rewright.verdict import Answer, Coverage, Verdict

RIGHT = (Verdict.PROVED, Verdict.CHECKED)


def answer(asked: TiledTransformation, budget: Budget) -> Answer:
    """The answer for all choices of tile sizes; the first that is not right decides."""
    answers: list[Answer] = []
    undecided: Answer | None = None
    for choice in asked.choices:
        found = transformation.answer(choice, budget)
        if found.verdict is Verdict.UNKNOWN:
            undecided = undecided or unknown(f"{values_text(choice.tiles)}: {found.reason}")
        elif found.verdict not in RIGHT:
            return found
        answers.append(found)
    return undecided or _together(asked, answers)


def _together(asked: TiledTransformation, answers: list[Answer]) -> Answer:
    first = answers[0]
    bounded = first.coverage.bounded or not asked.listed
    text = f"{tiles_text([each.tiles for each in asked.choices])}; {first.coverage.text}"
    assumed = dict.fromkeys(assumption for each in answers for assumption in each.coverage.assumptions)
    covered = Coverage(text, bounded=bounded, assumptions=tuple(assumed))
    return replace(
        answers[-1],
        verdict=Verdict.CHECKED if bounded else Verdict.PROVED,
        coverage=covered,
        replays=sum(each.replays or 0 for each in answers),
    )


def tiles_text(choices: Sequence[Choice]) -> str:
    """`T = 1, 2, 8`; of several tile sizes `(T, U) = (1, 1), (2, 2)`."""
    names = [name for name, _ in choices[0]]
    values = [[value for _, value in each] for each in choices]
    if len(names) == 1:
        return f"{names[0]} = {', '.join(str(value) for (value,) in values)}"
    tuples = ", ".join("(" + ", ".join(map(str, each)) + ")" for each in values)
    return f"({', '.join(names)}) = {tuples}"
