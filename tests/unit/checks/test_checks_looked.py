"""A proof of what folds is looked at before it is believed: small inputs are replayed, and how many is told."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from test_checks_rule import ask, question

from rewright.checks import rule as checks
from rewright.checks.looked import Contradiction
from rewright.model.index import Name
from rewright.model.rule import RuleQuestion
from rewright.replay import looking
from rewright.replay.inputs import Inputs
from rewright.replay.looking import ALL, before_believing, look
from rewright.replay.outcomes import Outcome
from rewright.replay.rule import claim, unobserved
from rewright.report import markdown
from rewright.report.document import Progress, QuestionState
from rewright.report.json_view import question as as_json
from rewright.rules.decision import Proved
from rewright.verdict import Answer, Method, Verdict

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT / "tests" / "faults"))

from fault_list import faults  # noqa: E402

SUM = "axes A\nmap n on A\ntensor X: T[A: n]\nreduce(add, reverse(X, A), A) => reduce(add, X, A)"
TWO = "axes A, B\nmap n on A\nmap m on B\ntensor X: T[A: n, B: m]\n"
DOT = "axes A, C\nmap n, low on A\nmap k on C\ntensor X: T[A: n, C: k]\ntensor Y: T[C: k]\n"
WINDOW = "axis d\nint n\ntensor X: T[d: n]\n"

FALSE = {
    "only where there is nothing": SUM.replace("=> reduce(add, X, A)", "=> reduce(add, X, A) * 2 - reduce(max, X, A)"),
    "only of no elements": "axis d\nint n\nfn f: (T) -> T\ntensor X: T[d: n]\n"
    "reduce(add, f(pad(X, 0, d: (high = 1))), d) => reduce(add, f(reduce_window(multiply, X, d: (size = 2, stride = 2,"
    " base = 2, high = 3))), d)",
    "another monoid": TWO + "reduce(max, reduce(min, X, A), B) => reduce(min, reduce(max, X, B), A)",
    "an initial value twice": "axes A\nmap n on A\nscalar c: T\ntensor X: T[A: n]\n"
    "reduce(add, X, A, init = c) => reduce(add, X, A, init = c) + c",
    "one axis left out": TWO + "reduce(add, X, [A, B]) => reduce(add, broadcast(reduce(add, X, A), A: 1), [A, B]) * 1"
    " + reduce(add, X, [A, B]) - reduce(add, reverse(X, A) * X, [A, B])",
    "a window too far": WINDOW + "reduce_window(add, X, d: (size = 2, low = 1)) =>"
    " reduce_window(add, X, d: (size = 2, low = 1, high = 1))\nwhere n == 0",
    "a contraction": DOT + "dot(slice(X, A: (0, low)), Y, contract = C) => dot(X, Y, contract = C)\nwhere low + 1 == n",
    "elements that cancel": DOT + "dot(X, Y, contract = C) => dot(abs(X), abs(Y), contract = C)",
    "from rank 2 on": "axes A\nmap n on A\ntensor X: T[A: n]\n"
    "reduce(add, X, A) => reduce(add, reverse(X, A) * 2 - X, A) * 2 - reduce(add, X * X, A)\nwhere some A: n == 2",
}


TRUE = {
    "a sum": SUM,
    "a convolution": "axis d\nint n, k, low, high\ntensor X: T[d: n]\ntensor K: T[d: k]\n"
    "convolution(X, K, d: (low = low, high = high)) => convolution(X, K, d: (low = low, high = high))",
    "windows at every rank": "axes A\nmap n, size, low on A\ntensor X: T[A: n]\n"
    "reduce_window(add, X, A: (size = size, low = low)) => reduce_window(add, X, A: (size = size, low = low))",
}


@pytest.mark.parametrize("name", FALSE)
def test_no_tick_for_what_fails_on_a_small_input(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever believes that it was proved."""
    monkeypatch.setattr(checks, "decide", lambda *_: Proved(Method.NORMAL_FORM, None, (), only_empty=False))
    with pytest.raises(Contradiction, match="replay fails"):
        ask(FALSE[name], "T: int")


def _looked_at(asked: RuleQuestion, monkeypatch: pytest.MonkeyPatch) -> list[Inputs]:
    seen: list[Inputs] = []

    def recorded(question_: RuleQuestion, inputs: Inputs, observe: object) -> Outcome:
        seen.append(inputs)
        return claim(question_, inputs, unobserved)

    monkeypatch.setattr(looking, "claim", recorded)
    look(asked, before_believing(asked))
    return seen


def test_sizes_0_1_and_2_come_first_and_every_rank_up_to_2(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = _looked_at(question(SUM, "T: int"), monkeypatch)
    of_one = [inputs.maps[Name("n")] for inputs in seen if inputs.ranks[Name("A")] == 1]
    assert list(dict.fromkeys(of_one))[:3] == [(0,), (1,), (2,)]
    assert {inputs.ranks[Name("A")] for inputs in seen} == {0, 1, 2}


def test_the_same_inputs_every_time() -> None:
    asked = question(FALSE["a contraction"], "T: real")
    first, second = (look(asked, before_believing(asked)) for _ in range(2))
    assert first.replayed == second.replayed
    assert first.failing is not None and second.failing is not None
    assert first.failing.maps == second.failing.maps


@pytest.mark.parametrize("name", TRUE)
def test_steps_are_far_more_than_a_look_takes(name: str) -> None:
    asked = question(TRUE[name], "T: int")
    limits = before_believing(asked)
    assert look(asked, replace(limits, steps=limits.steps // 20)).replayed == ALL


def test_how_many_were_replayed_is_reported() -> None:
    found = ask(SUM, "T: int")
    assert found.verdict is Verdict.PROVED
    assert found.replays is not None and found.replays >= 24
    assert as_json(_state(found))["replays"] == found.replays
    assert f"replayed on {found.replays} small inputs, correct on each" in "\n".join(markdown._covered(found))


def test_none_is_reported_where_none_is_small_enough() -> None:
    found = ask(SUM + "\nwhere prod(n) >= 32", "T: int")
    assert (found.verdict, found.replays) == (Verdict.PROVED, 0)
    assert as_json(_state(found))["replays"] == 0
    assert "not replayed: no small input" in "\n".join(markdown._covered(found))


def test_what_does_not_fold_is_not_looked_at() -> None:
    found = ask("axes A\nmap n on A\ntensor X: T[A: n]\nreverse(reverse(X, A), A) => X")
    assert (found.verdict, found.replays) == (Verdict.PROVED, None)
    assert "replayed" not in "\n".join(markdown._covered(found))


def _state(answer: Answer) -> QuestionState:
    return QuestionState("id", "int", "=>", (Verdict.PROVED,), answer, Progress.UNCHECKED)


PROGRAM = "from rewright.cli.main import main; main()"
FALSELY_PROVED = """rule believed<T: int> {
  axis d
  int n
  fn f: (T) -> T
  tensor X: T[d: n]
  reduce(add, f(X), d) + reduce(add, f(reduce_window(add, X, d: (size = 2, stride = 2, base = 2, high = 3))), d)
    => reduce(add, f(X), d) +
       reduce(add, f(reduce_window(multiply, X, d: (size = 2, stride = 2, base = 2, high = 3))), d)
}

rule right<T: int> {
  axes A
  map n on A
  tensor X: T[A: n]
  reduce(add, reverse(X, A), A) => reduce(add, X, A)
}
"""


def test_a_false_proof_is_reported_as_a_fault_of_ours_and_the_rest_is_answered(tmp_path: Path) -> None:
    """Through the command line and its workers, with a prover that is wrong as it once was."""
    shutil.copytree(ROOT / "server" / "rewright", tmp_path / "server" / "rewright")
    (fault,) = (each for each in faults("rules") if each.what.startswith("values inside a reduction are compared"))
    for edit in fault.edits:
        file = tmp_path / edit.file
        file.write_text(edit.applied(file.read_text(encoding="utf-8")), encoding="utf-8")
    (tmp_path / "asked.rw").write_text(FALSELY_PROVED)
    command = [sys.executable, "-c", PROGRAM, "check", "asked.rw", "--no-cache", "--format", "json"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "server")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    results = {result["name"]: result for result in json.loads(done.stdout)["results"]}
    assert {name: result["verdict"] for name, result in results.items()} == {"believed": "error", "right": "proved"}
    (diagnostic,) = results["believed"]["diagnostics"]
    assert diagnostic["code"] == "RW901"
    assert "proved, but the replay fails on" in diagnostic["message"]
