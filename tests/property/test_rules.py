"""Random rules, and mutants of the library's: the prover against brute force at ranks 0 to 2 and sizes 0 to 3."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable
from pathlib import Path

import brute
import pytest
from agreement import Tally, judge, tally
from builders import questions
from mutation import mutants
from random_rules import random_rules

from rewright.checks.counterexample import NotReproduced
from rewright.model.file import check_file
from rewright.model.rule import Rule
from rewright.rules.bound import Bound
from rewright.rules.decide import decide
from rewright.rules.decision import Budget, Mode, Unknown
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Verdict

LIBRARY = Path(__file__).parents[2] / "rules" / "xla"
MUTANTS = 12 if os.environ.get("REWRIGHT_SOAK") else 4


def test_random_rules() -> None:
    """1,000 rules, each compared on sampled inputs."""
    _check(tally(random_rules(seed=2, count=1_000)), 1_000)


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


def library() -> list[Rule]:
    """The rules of `rules/xla`."""
    files = [
        check_file(parse(Text.of(str(path), path.read_text())), lambda path: None) for path in LIBRARY.glob("*.rw")
    ]
    return [each.value for file in files for each in file.declarations if isinstance(each.value, Rule)]


@pytest.mark.parametrize("rule", library(), ids=lambda rule: str(rule.name))
def test_a_mutated_library_rule_is_refuted_or_still_true(rule: Rule) -> None:
    plan = brute.Search(trials=120)
    for number, mutant in enumerate(mutants(rule, random.Random(str(rule.name)), MUTANTS)):
        for question in questions(mutant):
            judged = judge(question, number, plan)
            assert judged.wrong is None
            assert judged.answer.verdict is Verdict.REFUTED or judged.seen.failure is None, judged.answer.reason


def test_normal_forms_and_the_solver_alone_never_contradict_each_other() -> None:
    for number, drawn in enumerate(random_rules(seed=3, count=100)):
        question = questions(drawn.rule)[0]
        kinds = {type(decide(question, Budget(), mode)) for mode in Mode}
        assert len(kinds - {Unknown}) <= 1, f"#{number} {drawn.family}: {kinds}"


def _no_pairs(bound: Bound, reads: Iterable[object], same: object) -> None:
    """A bound that does not count the pairs of reads that may differ."""


def _one_axis(bound: Bound) -> list[tuple[tuple[str, int], ...]]:
    """Rank vectors cut at rank 1."""
    vectors = COUNTED(bound)
    return [tuple((rank_class, min(rank, 1)) for rank_class, rank in vector) for vector in vectors]


COUNTED = Bound.vectors


@pytest.mark.parametrize(("method", "fault"), [("count_reads", _no_pairs), ("vectors", _one_axis)])
def test_brute_force_notices_a_bound_that_is_too_small(
    method: str, fault: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oracle can fail: with a fault in the prover's bound it contradicts a proof within these rules."""
    monkeypatch.setattr(Bound, method, fault)
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
