"""Verdicts on random reorderings against execution, which shares no code with the product."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from loop_programs import Program, Trace, as_declarations, drawn, executed, reordered

from rewright.checks import transformation
from rewright.model.file import check_file
from rewright.model.nest import Transformation
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, LoopsWitness, Verdict

SIZES = (1, 2, 3, 4, 5, 7, 10)
"""At 10 every tile and cut that is drawn has been passed twice."""


def answered(specification: Program, transformed: Program) -> Answer:
    text = Text.of("drawn.rw", as_declarations(specification, transformed))
    declared = check_file(parse(text), lambda path: None).declarations[-1]
    assert isinstance(declared.value, Transformation), (text, declared.findings)
    return transformation.answer(declared.value, Budget())


def same(specification: Program, transformed: Program, size: int) -> bool:
    """Whether both leave the same array, by the same operations on the same versions of elements.

    An order that changes the version of an element which nothing needs leaves the same array.
    """
    (cells, trace), (others, other_trace) = executed(specification, size), executed(transformed, size)
    versions = [Counter(versioned(each)) for each in (trace, other_trace)]
    assert cells == others or versions[0] != versions[1]
    return versions[0] == versions[1]


def versioned(trace: Trace) -> Iterator[object]:
    """Each operation with how often what it writes and reads was written before."""
    written: Counter[object] = Counter()
    for label, write, reads in trace:
        yield label, write, written[write], tuple((each, written[each]) for each in reads)
        written[write] += 1


def held(seeds: range) -> Counter[str]:
    """Counts the verdicts; each agrees with execution."""
    found: Counter[str] = Counter()
    for seed in seeds:
        random = Random(seed)
        specification = drawn(random)
        transformed = reordered(random, specification)
        answer = answered(specification, transformed)
        text = f"seed {seed}\n{as_declarations(specification, transformed)}{answer}"
        found[answer.verdict] += 1
        if answer.verdict is Verdict.PROVED:
            assert all(same(specification, transformed, size) for size in SIZES), text
        elif answer.verdict is Verdict.REFUTED and isinstance(answer.witness, LoopsWitness):
            if answer.witness.fails == "vacuous":
                continue
            (size,) = (value for _, value in answer.witness.sizes)
            assert not same(specification, transformed, size), text
            assert all(same(specification, transformed, smaller) for smaller in range(1, size)), text
        else:
            assert answer.verdict is Verdict.UNKNOWN, text
    return found


def test_verdicts_are_what_execution_says() -> None:
    found = held(range(300))
    assert found["proved"] >= 100 and found["refuted"] >= 100, found
    assert found["unknown"] < 15, found


@pytest.mark.soak
def test_many_verdicts_are_what_execution_says() -> None:
    found = held(range(1000, 4000))
    print(dict(found))
    assert found["proved"] >= 1000 and found["refuted"] >= 1000, found
    assert found["unknown"] < 150, found
