"""The examples of the extension's walkthrough are what their steps say."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import check_here

EXTENSION = Path(__file__).parents[3] / "vscode-extension"


def test_each_step_has_its_page_and_an_example_with_its_verdict(tmp_path: Path) -> None:
    (walkthrough,) = json.loads((EXTENSION / "package.json").read_text("utf-8"))["contributes"]["walkthroughs"]
    steps = [step["id"] for step in walkthrough["steps"]]
    assert all((EXTENSION / step["media"]["markdown"]).is_file() for step in walkthrough["steps"])
    assert [step["completionEvents"] for step in walkthrough["steps"]] == [
        [f"onContext:rewright.opened.{step}"] for step in steps
    ]
    files = [str(EXTENSION / "walkthrough" / f"{step}.rw") for step in steps]
    done = json.loads(check_here(tmp_path, "--format", "json", *files).stdout)
    verdicts = {Path(result["file"]).stem: result["verdict"] for result in done["results"]}
    assert verdicts == {"rule": "proved", "counterexample": "refuted", "fix": "refuted", "race": "refuted"}
