"""Single axes in the place of others: random rules about joining, splitting and cutting anew, against brute force."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import brute
import pytest
from agreement import judge
from builders import IllFormed, questions
from drafts import Draft
from identities_bitcasts import ANY_BITCASTS, joined_and_reduced
from mutation import mutant
from printing import rule_text
from random_rules import Drawn, drawn_from, mutated

from rewright.meaning import movement
from rewright.terms import Term, add, multiply, number
from rewright.verdict import Verdict


def test_random_bitcasts() -> None:
    """Sixty rules, two in five of them mutants: no answer is contradicted, true ones are not refuted."""
    verdicts = _judged(seed=3, count=30)
    assert verdicts[Verdict.PROVED] > 12
    assert verdicts[Verdict.REFUTED] > 6
    assert verdicts[Verdict.UNKNOWN] < 8


@pytest.mark.soak
def test_many_random_bitcasts() -> None:
    """1,500 of them."""
    verdicts = _judged(seed=4, count=1_500)
    assert verdicts[Verdict.UNKNOWN] < 150


def test_brute_force_notices_an_index_that_is_counted_the_other_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle can fail: with the last axis as the slowest, a proof is contradicted within these rules."""

    def column_major(at: list[Term], sizes: list[Any], old: list[Any]) -> list[Term]:
        place = number(0)
        for index, axes in zip(reversed(at), reversed(sizes), strict=True):
            place = add(multiply(place, axes.count), index)
        return [place] * len(old)

    monkeypatch.setattr(movement, "_regrouped", column_major)
    for number_, drawn in enumerate(_drawn(seed=3, count=40)):
        question = questions(drawn.rule)[0]
        try:
            if judge(question, number_).wrong is not None:
                return
        except Exception:  # a refutation that does not replay notices it, too
            return
    pytest.fail("no wrong answer was noticed")


def _judged(seed: int, count: int) -> Counter[Verdict]:
    verdicts: Counter[Verdict] = Counter()
    for number_, drawn in enumerate(_drawn(seed, count)):
        judged = judge(questions(drawn.rule)[0], number_, brute.USUAL)
        assert judged.wrong is None, (number_, judged.wrong, rule_text(drawn.rule))
        assert drawn.mutations or judged.answer.verdict is not Verdict.REFUTED or not judged.seen.valid
        verdicts[judged.answer.verdict] += 1
    return verdicts


def _drawn(seed: int, count: int) -> Iterator[Drawn]:
    rng = random.Random(seed)
    families = (*ANY_BITCASTS, joined_and_reduced)
    made = 0
    while made < count:
        family = families[made % len(families)]
        try:
            drawn = drawn_from(Draft(rng, "num" if family is joined_and_reduced else "any"), family)
            changed = mutated(drawn, [mutant], rng) if rng.random() < 0.4 else None
        except IllFormed:
            continue
        made += 1
        yield changed or drawn
