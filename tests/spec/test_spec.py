"""The pages of this folder and of docs/ hold: from cold, from a warm cache, and with the solver alone."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from literate import Block, blocks, said, stated_diagnostics, stated_verdict

ROOT = Path(__file__).parents[2]
DOCS = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page.parent.name != "codes"]
PAGES = [*sorted(Path(__file__).parent.glob("*.md")), ROOT / "README.md", *DOCS]
BLOCKS = [block for page in PAGES for block in blocks(page)]
WITH_RULES = [block for block in BLOCKS if re.search(r"^rule ", block.text, re.MULTILINE)]
"""Those whose answers depend on whether there are normal forms."""

Reports = dict[str, dict[str, Any]]

VERDICT_IN_WORDS = {
    f"RW{number}"
    for number in (201, 202, 203, 204, 205, *range(301, 311), 313, 314, 321, 401, 402, 417, 418, *range(501, 508))
}
"""The codes whose finding says no more than the verdict that a block states."""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Reports]:
    folder = tmp_path_factory.mktemp("spec")
    for block in BLOCKS:
        (folder / block.file_name).write_text(block.text, encoding="utf-8")
    cache = ["--cache", str(tmp_path_factory.mktemp("cache"))]
    return {
        "cold": check(folder, ["."], cache),
        "warm": check(folder, ["."], cache),
        "solver only": check(folder, [block.file_name for block in WITH_RULES], ["--no-cache", "--solver-only"]),
    }


def check(folder: Path, paths: list[str], options: list[str]) -> Reports:
    command = [sys.executable, "-m", "rewright.cli", "check", *paths, "--format", "json", *options]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    report = json.loads(done.stdout)
    by_file: Reports = {file["file"]: {"results": [], "outside": file["diagnostics"]} for file in report["files"]}
    for result in report["results"]:
        by_file[result["file"]]["results"].append(result)
    return by_file


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block.page}: {block.heading} {block.number}")
@pytest.mark.parametrize("way", ["cold", "warm"])
def test_block(block: Block, way: str, reports: dict[str, Reports]) -> None:
    file = reports[way][block.file_name]
    for result in file["results"]:
        hold_verdict(block, result)
    hold_diagnostics(block, file)


@pytest.mark.parametrize("block", WITH_RULES, ids=lambda block: f"{block.page}: {block.heading} {block.number}")
def test_block_with_the_solver_alone(block: Block, reports: dict[str, Reports]) -> None:
    """The solver may not know, or only up to some rank; it never proves what is refuted or refutes what is proved."""
    for cold, alone in zip(
        reports["cold"][block.file_name]["results"], reports["solver only"][block.file_name]["results"], strict=True
    ):
        weaker = ("checked", "unknown") if cold["verdict"] == "proved" else ("unknown",)
        assert alone["verdict"] in (cold["verdict"], *weaker), alone


def test_the_second_run_is_answered_from_the_cache(reports: dict[str, Reports]) -> None:
    results = [result for file in reports["warm"].values() for result in file["results"]]
    definite = [result for result in results if result["verdict"] in ("proved", "checked", "conditional", "refuted")]
    assert definite
    assert all(result["cached"] for result in definite)


def hold_verdict(block: Block, result: dict[str, Any]) -> None:
    first, last = result["range"]["start"]["line"], result["range"]["end"]["line"]
    stated = stated_verdict(block.text, first, last)
    assert stated, f"`{result['name']}` is {result['verdict']} ({said(result)}) and nothing is stated"
    verdict, words = stated
    if verdict == "race":
        hold_race(result, words)
        return
    assert (result["verdict"], words in said(result)) == (verdict, True), f"{result['verdict']}: {said(result)}"
    if verdict == "refuted":
        assert result["counterexample"] is not None
        assert result["counterexample"]["replayed"]


def hold_race(result: dict[str, Any], lines: str) -> None:
    races = [d for d in result["diagnostics"] if d["code"] == "RW301"]
    found = {frozenset((d["range"]["start"]["line"], d["related"][0]["range"]["start"]["line"])) for d in races}
    assert frozenset(int(line) - 1 for line in lines.split()) in found, races


def hold_diagnostics(block: Block, file: dict[str, Any]) -> None:
    found = [*file["outside"], *(d for result in file["results"] for d in diagnostics(block, result))]
    stated = stated_diagnostics(block.text)
    for expected in stated:
        fitting = [diagnostic for diagnostic in found if expected.fits(diagnostic)]
        assert fitting, f"{expected} is stated; found are {found}"
        found.remove(fitting[0])
    assert not found, f"not stated: {found}"


def diagnostics(block: Block, result: dict[str, Any]) -> list[dict[str, Any]]:
    """The diagnostics that a block must state: not those that only put its stated verdict into words."""
    stated = stated_diagnostics(block.text)
    return [
        diagnostic
        for diagnostic in result["diagnostics"]
        if diagnostic["code"] not in VERDICT_IN_WORDS or any(expected.fits(diagnostic) for expected in stated)
    ]
