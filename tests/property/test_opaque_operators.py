"""Verdicts on random refinements with opaque operators, against NumPy with functions that satisfy the lemmas.

What is proved holds with these functions, too. What is right by construction is never refuted; with a fault that these
functions show it is never proved.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from graph_oracle import FLOATS, Sayings, oracle_says, related_inputs, values
from opaque_refinements import FUNCTIONS, OpaqueRefinement, opaque_refinement
from spread import spread

from rewright.checks.refinement import answer
from rewright.model.file import check_file
from rewright.model.graph import Refinement
from rewright.model.index import Name
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

BUDGET = Budget(steps=2_000_000, seconds=2.0)
FEW, MANY = 14, 400
ARITHMETIC = replace(FLOATS, opaque=FUNCTIONS, drawn=lambda rng: rng.uniform(-0.5, 0.5))
"""Small numbers: of exponentials of exponentials others are soon too large for floats."""


def refinement_of(drawn: OpaqueRefinement) -> Refinement:
    """The refinement that the text declares."""
    *_, declared = check_file(parse(Text.of("test.rw", drawn.text)), lambda _: None).declarations
    assert isinstance(declared.value, Refinement), (declared.findings, drawn.text)
    return declared.value


def said_of(asked: Refinement, ranks: int, seed: int) -> Sayings:
    """What NumPy says at some sizes, each of which is a multiple of what it is divided by; nothing of no values."""
    sizes = {"t": 2 * ranks, "d": 3, "h": 2 * ranks, "n": ranks, "e": 2, "s": 2, "r": 3, "m": 2, "k": 2 * ranks}
    numbers = {Name(name): size for name, size in sizes.items()}
    with np.errstate(all="ignore"):
        says = oracle_says(asked, numbers, seed, ARITHMETIC)
        whole, _ = related_inputs(asked, numbers, random.Random(f"oracle {seed}"), ARITHMETIC)
        found = values(asked.sequential, numbers, whole, ARITHMETIC).values()
    is_valued = all(np.all(np.isfinite(each)) for each in found)
    return says if is_valued else replace(says, recoverable=True, as_expected=True)


def tried(seed: int) -> Counter[tuple[str, str]]:
    """The verdict on a right refinement, and on one with a fault."""
    counts: Counter[tuple[str, str]] = Counter()
    for faulty in (False, True):
        drawn = opaque_refinement(seed, faulty=faulty)
        if faulty and not drawn.has_fault:
            continue
        asked = refinement_of(drawn)
        found = answer(asked, BUDGET)
        if found.verdict is Verdict.PROVED:
            says = said_of(asked, drawn.ranks, seed)
            assert says.recoverable and says.as_expected, drawn.text
        assert faulty or found.verdict is not Verdict.REFUTED, drawn.text
        counts["fault" if faulty else "right", found.verdict.value] += 1
    return counts


def enough_decided(counts: Counter[tuple[str, str]]) -> None:
    print(dict(counts))
    for kind, verdict, part in (("right", "proved", 0.95), ("fault", "refuted", 0.55)):
        of_kind = sum(count for (each, _), count in counts.items() if each == kind)
        assert counts[kind, verdict] >= part * of_kind > 0


def test_the_functions_satisfy_the_lemmas() -> None:
    """Right refinements hold with them: what is compared with would else say nothing."""
    for seed in range(FEW):
        drawn = opaque_refinement(seed, faulty=False)
        says = said_of(refinement_of(drawn), drawn.ranks, seed)
        assert says.recoverable and says.as_expected, drawn.text


def test_the_faults_are_seen_by_numpy() -> None:
    faults = [each for each in (opaque_refinement(seed, faulty=True) for seed in range(FEW)) if each.has_fault]
    seen = [not said_of(refinement_of(each), each.ranks, 0).recoverable for each in faults]
    assert sum(seen) >= 0.7 * len(seen) > 0


def test_verdicts_on_refinements_with_opaque_operators() -> None:
    enough_decided(sum(map(tried, range(FEW)), Counter()))


@pytest.mark.soak
def test_verdicts_on_many_refinements_with_opaque_operators() -> None:
    enough_decided(sum(spread(tried, range(FEW, MANY)), Counter()))
