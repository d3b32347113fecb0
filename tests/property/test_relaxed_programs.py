"""Programs that are run under `private` and `reduction`, against an execution in numbers that knows neither.

Statements in a row, and the same in another order, some left out or doubled. What is checked must leave the same
numbers in every array that is not private, where what is combined is added up and anything else is a hash.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rewright.checks import program as programs
from rewright.checks.kernel_question import OutlinePayload, SourceText
from rewright.checks.nest_question import ProgramPayload
from rewright.checks.reading_nests import outlined_nest
from rewright.checks.table import LoopsPayload, named
from rewright.rules.decision import Budget
from rewright.verdict import Verdict
from rewright.verdict.codec import decode

CELLS = ("s[0]", "t[0]", "B[0]")
READ = (*CELLS, "A[0]", "A[1]", "A[2]", "A[3]")
HEAD = "(int N, double s[2], double t[2], double B[2], double A[4])"
PRIME = (1 << 61) - 1
DRAWS = 120

Statement = tuple[str, str, str, str]
"""What is written, the operator, and the two elements that are read."""


def drawn(rng: random.Random) -> Statement:
    if rng.random() < 0.4:
        return rng.choice(CELLS[:2]), rng.choice("+-") + "=", rng.choice(READ[3:]), rng.choice(READ[3:])
    return rng.choice(CELLS), rng.choice(("=", "+=", "+=", "-=", "*=")), rng.choice(READ), rng.choice(READ)


def text(statement: Statement) -> str:
    write, sign, one, other = statement
    return f"{write} {sign} f({one}, {other});"


def executed(statements: list[Statement], seed: int) -> dict[str, int]:
    """What the elements hold after statements."""
    cells = {cell: random.Random(f"{seed} {cell}").randrange(2, PRIME) for cell in READ}
    for write, sign, one, other in statements:
        value = random.Random(f"f {cells[one]} {cells[other]}").randrange(2, PRIME)
        before = cells[write]
        made = {"=": value, "+=": before + value, "-=": before - value, "*=": before * value}
        cells[write] = made[sign] % PRIME
    return cells


def reordered(rng: random.Random, statements: list[Statement]) -> list[Statement]:
    """Another order: some neighbours exchanged, seldom one left out or doubled."""
    made = list(statements)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(len(made) - 1)
        made[at], made[at + 1] = made[at + 1], made[at]
    if rng.random() < 0.1:
        made.pop(rng.randrange(len(made)))
    elif rng.random() < 0.1:
        made.insert(rng.randrange(len(made)), rng.choice(made))
    return made


def verdict(specified: list[Statement], transformed: list[Statement], relaxed: str) -> Verdict:
    labelled = " ".join(f"L{number}: {text(each)}" for number, each in enumerate(specified))
    written = (
        f"#pragma rewright spec a{relaxed}\nvoid a{HEAD} {{ for (int i = 0; i < N; i++) {{ {labelled} }} }}\n"
        f"#pragma rewright transform b of a at N = 1, 2\n"
        f"void b{HEAD} {{ int i = 0; while (i++ < N) {{ {' '.join(map(text, transformed))} }} }}\n"
    )
    found = outlined_nest(OutlinePayload("a.c", (SourceText("a.c", written),)), "b")
    assert found is not None and found.lowered is not None and found.lowered.asking is not None, written
    asked: LoopsPayload = decode(LoopsPayload, named(found.lowered.asking.payload, found.lowered.asking.names))
    assert isinstance(asked, ProgramPayload)
    return programs.answer(asked.transformation, Budget()).verdict


@pytest.mark.parametrize("seed", range(4))
def test_what_is_checked_leaves_the_same_numbers(seed: int) -> None:
    rng = random.Random(seed)
    seen: Counter[Verdict] = Counter()
    freed = 0
    for _ in range(DRAWS):
        specified = [drawn(rng) for _ in range(rng.randrange(3, 6))]
        transformed = reordered(rng, specified)
        labels = [f"L{at}" for at, (_, sign, *_) in enumerate(specified) if sign != "=" and rng.random() < 0.9]
        used = " ".join(map(text, specified))
        private = [each for each in ("s", "t") if rng.random() < 0.3 and f"{each}[" in used]
        relaxed = (f" private {', '.join(private)}" if private else "") + (
            f" reduction {', '.join(labels)}" if labels else ""
        )
        found = verdict(specified, transformed, relaxed)
        seen[found] += 1
        same = all(
            executed(specified * many, each)[cell] == executed(transformed * many, each)[cell]
            for many in (1, 2)
            for each in range(2)
            for cell in CELLS
            if cell[0] not in private
        )
        if found is Verdict.CHECKED:
            assert same, (specified, transformed, relaxed)
            freed += bool(relaxed) and verdict(specified, transformed, "") is Verdict.REFUTED
    assert seen[Verdict.CHECKED] > DRAWS // 6 and seen[Verdict.REFUTED] > DRAWS // 6, seen
    assert freed > 3, (seen, freed)
