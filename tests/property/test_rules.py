"""Random rules, and mutants of the library's: the prover against brute force at ranks 0 to 2 and sizes 0 to 3."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest
from agreement import Tally, judge, tally
from builders import questions
from library_mutants import Fate, every_library_mutant, fates, library, table
from random_rules import random_rules

from rewright.checks.counterexample import NotReproduced
from rewright.rules.bound import RankBound
from rewright.rules.decide import decide
from rewright.rules.decision import Bounded, Budget, Mode, Proved, Unknown
from rewright.verdict import Verdict

WITHOUT_MUTANTS = {
    "transpose_of_transpose",
    "dot_commutes",
    "dot_reassociate_to_the_left",
    "dot_reassociate_to_the_right",
    "reduction_of_reduction",
}
"""One renaming, contracted or reduced group less, or another, and the two sides have different axis groups."""


def test_random_rules() -> None:
    """120 rules, each compared on sampled inputs."""
    _check(tally(random_rules(seed=2, count=120)), 120)


@pytest.mark.soak
def test_many_random_rules() -> None:
    """10,000 rules."""
    _check(tally(random_rules(seed=1, count=10_000)), 10_000)


def _check(found: Tally, count: int) -> None:
    print(*found.lines(), sep="\n")
    assert not found.disagreements
    assert found.rules == count
    assert found.share(Verdict.PROVED) >= 1 / 4
    assert found.refuted_with_input / count >= 1 / 4
    assert found.only_ranks / count >= 1 / 20
    assert found.share(Verdict.UNKNOWN) < 1 / 20, found.unknown
    assert found.tried > 20 * count


@pytest.mark.soak
def test_every_mutant_of_the_library() -> None:
    """The whole table."""
    found = list(fates(every_library_mutant()))
    print(*table(found), sep="\n")
    assert {each.of for each in found} == {rule.name for rule in library()} - WITHOUT_MUTANTS
    assert sum(each.verdict is Verdict.UNKNOWN for each in found) <= len(found) / 20
    _all_right(found)


def test_some_mutants_of_the_library() -> None:
    """Some of them, spread over the rules."""
    every = every_library_mutant()
    _all_right(list(fates(random.Random(5).sample(every, 24))))


def _all_right(found: list[Fate]) -> None:
    """Refuted, true as far as brute force sees, or unknown."""
    assert not [(each.of, each.wrong, each.text) for each in found if each.wrong]
    assert {each.verdict for each in found} <= {Verdict.REFUTED, Verdict.PROVED, Verdict.CHECKED, Verdict.UNKNOWN}


def test_normal_forms_and_the_solver_alone_never_contradict_each_other() -> None:
    for number, drawn in enumerate(random_rules(seed=3, count=50)):
        question = questions(drawn.rule)[0]
        modes = (Mode.NORMAL_FORMS, Mode.SOLVER_ONLY)
        kinds = {type(decide(question, Budget(seconds=5.0), mode)) for mode in modes} - {Unknown}
        assert len(kinds) <= 1 or kinds == {Proved, Bounded}, f"#{number} {drawn.family}: {kinds}"


def _no_pairs(bound: RankBound, reads: Iterable[object], same: object) -> None:
    """A bound that does not count the pairs of reads that may differ."""


def _one_axis(bound: RankBound) -> list[tuple[tuple[str, int], ...]]:
    """Rank vectors cut at rank 1."""
    vectors = COUNTED(bound)
    return [tuple((rank_class, min(rank, 1)) for rank_class, rank in vector) for vector in vectors]


COUNTED = RankBound.vectors


@pytest.mark.parametrize(("method", "fault"), [("count_reads", _no_pairs), ("vectors", _one_axis)])
def test_brute_force_notices_a_bound_that_is_too_small(
    method: str, fault: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oracle can fail: with a fault in the prover's bound it contradicts a proof within these rules."""
    monkeypatch.setattr(RankBound, method, fault)
    for number, drawn in enumerate(random_rules(seed=2, count=300)):
        question = questions(drawn.rule)[0]
        try:
            judged = judge(question, number)
        except NotReproduced:
            continue
        if judged.wrong is not None:
            assert judged.answer.verdict is Verdict.PROVED
            return
    pytest.fail("no wrong proof was noticed")
