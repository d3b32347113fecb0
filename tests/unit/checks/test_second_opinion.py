"""A second opinion: what is asked again, what is said of it, and that a disagreement is an internal error."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from rewright.checks import second_opinion
from rewright.cli import checking
from rewright.cli.printing import Format
from rewright.model.file import check_file
from rewright.model.rule import Rule, RuleQuestion
from rewright.rules import second_opinion as asking
from rewright.rules.decision import Budget, Mode
from rewright.solve import Query, SolverOutcome
from rewright.solve.second import SecondVerdict, second_answer
from rewright.solve.second_meaning import AxisPlace, Expression, SecondMeaning
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.terms.node import Sort, Term
from rewright.verdict import Answer, Diagnosis, Verdict
from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.diagnostics.rules import SecondOpinion
from rewright.workspace import batch

D = TypeVar("D", bound=Diagnosis)

TRUE = "dynamic_slice(X, k, n) => X"
FALSE = "reverse(X, A) => X"
VACUOUS = "where n >= 1, n <= 0; X => reverse(X, A)"
ROWS = """rule r<T: any> {{
  axes A
  map n, k on A
  tensor X: T[A: n]
  {claim}
}}
"""


def question(claim: str) -> RuleQuestion:
    (declared,) = check_file(parse(Text.of("r.rw", ROWS.format(claim=claim))), lambda path: None).declarations
    assert isinstance(declared.value, Rule), declared.findings
    return RuleQuestion(declared.value, declared.value.domains[0], "=>")


def answer(claim: str) -> Answer:
    return second_opinion.answer(question(claim), Budget())


def the_one(found: Answer, kind: type[D]) -> D:
    (said,) = (each.diagnosis for each in found.findings if isinstance(each.diagnosis, kind))
    return said


@pytest.mark.parametrize(
    ("claim", "verdict", "asked"),
    [
        (TRUE, Verdict.PROVED, 5),  # three ranks, an input with a result, an input
        (FALSE, Verdict.REFUTED, 2),  # what was asked, the counterexample
        (VACUOUS, Verdict.REFUTED, 2),
    ],
)
def test_what_was_decided_is_asked_again(claim: str, verdict: Verdict, asked: int) -> None:
    found = answer(claim)
    said = the_one(found, SecondOpinion)
    assert found.verdict is verdict
    assert said.agreed >= asked
    assert said.unanswered == ()


def never_the_same(self: SecondMeaning, name: str, arguments: list[Expression], sort: Sort) -> Expression:
    return self._symbol(f"{name} {len(self.symbols)}", self._sort(sort), len(self.symbols))


def always_the_same(self: SecondMeaning, name: str, arguments: list[Expression], sort: Sort) -> Expression:
    return self._symbol(name, self._sort(sort), sort)


def never_below(self: SecondMeaning, term: Term, place: AxisPlace) -> Expression:
    return self.manager.mkBoolean(False)


@pytest.mark.parametrize(
    ("claim", "method", "fault"),
    [
        (TRUE, "_applied", never_the_same),
        (FALSE, "_applied", always_the_same),
        (VACUOUS, "_below_zero", never_below),
    ],
)
def test_a_wrong_encoding_is_an_internal_error(
    claim: str, method: str, fault: Callable[..., Expression], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SecondMeaning, method, fault)
    found = answer(claim)
    assert found.verdict is Verdict.ERROR
    said = the_one(found, InternalError)
    assert "cvc5 says" in said.detail
    assert said.question is not None and said.question.count("(check-sat)") >= 2


@pytest.mark.parametrize("claim", [TRUE, FALSE])
def test_a_flipped_answer_is_an_internal_error(claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    flipped = {
        SolverOutcome.SATISFIABLE: SolverOutcome.UNSATISFIABLE,
        SolverOutcome.UNSATISFIABLE: SolverOutcome.SATISFIABLE,
    }
    monkeypatch.setattr(asking, "second_answer", lambda query: SecondVerdict(flipped[second_answer(query).outcome]))
    assert answer(claim).verdict is Verdict.ERROR


def test_what_is_not_answered_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "second_answer", lambda query: SecondVerdict(SolverOutcome.GAVE_UP, "timeout"))
    found = answer(TRUE)
    said = the_one(found, SecondOpinion)
    assert found.verdict is Verdict.PROVED
    assert (said.agreed, said.is_unconfirmed) == (0, True)
    assert "the rule as it was read at A = 2: timeout" in said.unanswered


def test_after_the_resources_of_a_question_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    used_up = SecondVerdict(SolverOutcome.GAVE_UP, "resourceout", asking.RESOURCES)
    monkeypatch.setattr(asking, "second_answer", lambda query: used_up)
    first, *others = the_one(answer(TRUE), SecondOpinion).unanswered
    assert first.endswith(": resourceout")
    assert others and all(each.endswith(": not asked") for each in others)


@pytest.mark.parametrize(("claim", "about", "confirmed"), [(TRUE, 1, False), (TRUE, 4, True), (FALSE, 0, True)])
def test_a_proof_is_confirmed_if_what_would_refute_it_was_answered(
    claim: str, about: int, confirmed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()

    def once_too_slow(query: Query) -> SecondVerdict:
        asked.append(0)
        return SecondVerdict(SolverOutcome.GAVE_UP, "timeout") if len(asked) == about + 1 else second_answer(query)

    monkeypatch.setattr(asking, "second_answer", once_too_slow)
    said = the_one(answer(claim), SecondOpinion)
    assert (len(said.unanswered), said.is_unconfirmed) == (1, not confirmed)


def test_the_command_line_asks_for_it_and_adds_up(tmp_path: Path) -> None:
    (tmp_path / "r.rw").write_text(ROWS.format(claim=TRUE), encoding="utf-8")
    command = [sys.executable, "-m", "rewright.cli", "check", str(tmp_path), "--second-opinion"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "second opinion: cvc5 agrees on 5 answers" in shown
    report = json.loads(subprocess.run([*command, "--format", "json"], capture_output=True, check=True).stdout)
    codes = [each["code"] for each in report["results"][0]["diagnostics"]]
    assert codes.count("RW209") == 1
    refused = subprocess.run([*command, "--solver-only"], capture_output=True, text=True, check=False)
    assert refused.returncode == 2


FAULTY_WORKER = """
from rewright.workers.full import load
from rewright.engine.worker import serve
from rewright.solve.second_meaning import SecondMeaning

if __name__ == "__main__":
    SecondMeaning._applied = lambda self, name, arguments, sort: self._symbol(name, self._sort(sort), sort)
    serve(load)
"""
"""Every read of a tensor is the same element to the second solver."""


SLOW_WORKER = """
from rewright.workers.full import load
from rewright.engine.worker import serve
from rewright.rules import second_opinion
from rewright.solve import SolverOutcome
from rewright.solve.second import SecondVerdict

if __name__ == "__main__":
    second_opinion.second_answer = lambda query: SecondVerdict(SolverOutcome.GAVE_UP, "timeout")
    serve(load)
"""


def test_proofs_that_are_not_confirmed_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = ROWS.format(claim=TRUE) + "@expect(refuted)\n" + ROWS.format(claim=FALSE).replace("rule r", "rule s")
    (tmp_path / "r.rw").write_text(rules, encoding="utf-8")
    (tmp_path / "slow.py").write_text(SLOW_WORKER, encoding="utf-8")
    monkeypatch.setattr(batch, "WORKER", (sys.executable, str(tmp_path / "slow.py")))
    options = batch.CheckOptions(mode=Mode.SECOND_OPINION)
    assert checking.check(checking.CheckRequest([tmp_path / "r.rw"], options, Format.TEXT)) == 0
    shown = capsys.readouterr().out
    assert "not confirmed  r any =>" in shown and "1 proof not confirmed" in shown and "not confirmed  s" not in shown
    assert checking.check(checking.CheckRequest([tmp_path / "r.rw"], options, Format.JSON)) == 0
    summary = json.loads(capsys.readouterr().out)["summary"]
    assert summary["second_opinion"]["not_confirmed"] == ["r any =>"]
    assert summary["second_opinion"]["agreed"] == 0 and len(summary["second_opinion"]["not_answered"]) > 1


def test_a_disagreement_ends_the_program_with_status_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r.rw").write_text("@expect(refuted)\n" + ROWS.format(claim=FALSE), encoding="utf-8")
    (tmp_path / "faulty.py").write_text(FAULTY_WORKER, encoding="utf-8")
    monkeypatch.setattr(batch, "WORKER", (sys.executable, str(tmp_path / "faulty.py")))
    options = batch.CheckOptions(mode=Mode.SECOND_OPINION)
    assert checking.check(checking.CheckRequest([tmp_path / "r.rw"], options, Format.TEXT)) == 2
    shown = capsys.readouterr().out
    assert "RW901" in shown
    assert "decided as sat, cvc5 says unsat" in shown
    assert "; as z3 is asked" in shown and "; as cvc5 is asked" in shown


def test_a_proof_that_cannot_be_asked_again_is_not_confirmed() -> None:
    """An assumption on tensors with different groups, both reduced: the rule as it was read makes no query."""
    text = """rule r<T: int> {
  axes A, B
  map n on A
  map m on B
  tensor X: T[A: n]
  tensor Y: T[A: n, B: m]
  reduce(add, Y, A, B) => reduce(add, broadcast(X, B: m), A, B)
  assume forall i on A: forall j on B: Y[i, j] == X[i]
}
"""
    (declared,) = check_file(parse(Text.of("r.rw", text)), lambda path: None).declarations
    assert isinstance(declared.value, Rule), declared.findings
    found = second_opinion.answer(RuleQuestion(declared.value, declared.value.domains[0], "=>"), Budget())
    assert found.verdict is Verdict.PROVED
    assert the_one(found, SecondOpinion).is_unconfirmed
