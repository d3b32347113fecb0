"""The script that compares the answers of two versions notices what may not differ, and nothing else."""

import copy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[2] / "answers"))

from same_answers import differences

REPORT: Any = {
    "schema": 1,
    "results": [
        {
            "name": "r",
            "verdict": "refuted",
            "coverage": {"text": "rank 1", "bounded": True},
            "counterexample": {"values": {"n": ["2"]}},
            "diagnostics": [{"code": "RW201", "message": "differs", "range": {"start": {"line": 1}}, "related": []}],
            "ms": 3.1,
        }
    ],
}


def _verdict(report: Any) -> None:
    report["results"][0]["verdict"] = "proved"


def _coverage(report: Any) -> None:
    report["results"][0]["coverage"]["text"] = "rank 2"


def _counterexample(report: Any) -> None:
    report["results"][0]["counterexample"]["values"]["n"] = ["3"]


def _place(report: Any) -> None:
    report["results"][0]["diagnostics"][0]["range"]["start"]["line"] = 2


def _field(report: Any) -> None:
    del report["results"][0]["diagnostics"][0]["related"]


def _result(report: Any) -> None:
    report["results"].append({"name": "s"})


def _time(report: Any) -> None:
    report["results"][0]["ms"] = 90.0


def _message(report: Any) -> None:
    report["results"][0]["diagnostics"][0]["message"] = "the sides differ"


@pytest.mark.parametrize("change", [_verdict, _coverage, _counterexample, _place, _field, _result])
def test_what_may_not_differ_is_noticed(change: Callable[[Any], None]) -> None:
    changed = copy.deepcopy(REPORT)
    change(changed)
    assert list(differences(REPORT, changed))


@pytest.mark.parametrize("change", [_time, _message])
def test_times_and_messages_may_differ(change: Callable[[Any], None]) -> None:
    changed = copy.deepcopy(REPORT)
    change(changed)
    assert list(differences(REPORT, changed)) == []
