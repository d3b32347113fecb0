"""The library that users start from: all of it comes out as this list says, cold and again from the cache."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from rewright.report import json_view

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((Path(json_view.__file__).parent / "report.schema.json").read_text())

PROVED = {
    "below_both_bounds",
    "broadcast_of_iota",
    "dynamic_slice_to_slice",
    "max_of_min_is_clamp",
    "pad_of_pad",
    "reduce_of_transpose",
    "select_of_not",
    "slice_of_concatenate",
    "slice_of_padding",
    "slice_of_slice",
    "transpose_of_reverse",
    "update_of_broadcast",
}
CHECKED = {"reduce", "softmax", "transpose"}
REFUTED = {
    "crop_that_never_applies": "vacuous",
    "merged_pads_of_any_sign": "value",
    "padding_at_rank_zero": "value",
    "slice_length_rounded_down": "shape",
    "slice_of_reverse_when_empty": "validity",
    "update_of_strided_slice": "value",
    "scan": "divergence",
    "softmax_without_barrier": "race",
    "stencil": "bounds",
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, dict[str, Any]]]:
    cache = str(tmp_path_factory.mktemp("cache"))
    command = [sys.executable, "-m", "rewright.cli", "check", "rules", "--format", "json", "--cache", cache]
    reports = []
    for _ in range(2):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        report = json.loads(done.stdout)
        jsonschema.validate(report, SCHEMA)
        reports.append({result["name"]: result for result in report["results"]})
    return reports


def test_the_list_is_complete(runs: list[dict[str, dict[str, Any]]]) -> None:
    for results in runs:
        assert set(results) == PROVED | CHECKED | set(REFUTED)


@pytest.mark.parametrize("name", sorted(PROVED))
def test_proved_at_all_ranks_and_sizes(name: str, runs: list[dict[str, dict[str, Any]]]) -> None:
    for results in runs:
        result = results[name]
        assert (result["verdict"], result["coverage"]["text"]) == ("proved", "all ranks and sizes")
        assert not result["coverage"]["bounded"]
        assert result["counterexample"] is None


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_checked_at_a_launch_that_is_named(name: str, runs: list[dict[str, dict[str, Any]]]) -> None:
    for results in runs:
        result = results[name]
        assert (result["verdict"], result["coverage"]["bounded"]) == ("checked", True)
        assert "block" in result["coverage"]["text"]


@pytest.mark.parametrize("name", sorted(REFUTED))
def test_refuted_and_replayed(name: str, runs: list[dict[str, dict[str, Any]]]) -> None:
    for results in runs:
        result = results[name]
        found = result["counterexample"]
        assert (result["verdict"], result["as_expected"]) == ("refuted", True)
        assert (found["fails"], found["replayed"]) == (REFUTED[name], True)


def test_the_update_rule_fails_at_rank_2_and_not_before(runs: list[dict[str, dict[str, Any]]]) -> None:
    assert runs[0]["update_of_strided_slice"]["counterexample"]["ranks"] == {"A": 2}


def test_the_second_run_is_answered_from_the_cache(runs: list[dict[str, dict[str, Any]]]) -> None:
    assert all(result["cached"] for result in runs[1].values())
