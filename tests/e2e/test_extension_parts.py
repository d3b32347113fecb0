"""Parts of the extension that know nothing of the editor, run by themselves in the editor's Node."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from workbench import ROOT, home

EXTENSION = ROOT / "vscode-extension"


def test_a_run_of_tests_is_told_of_what_was_listed_after_it_was_asked_for(tmp_path: Path) -> None:
    node, module = home() / "node_modules/.bin/node", tmp_path / "waiting.mjs"
    build: list[Path | str] = [
        EXTENSION / "node_modules/.bin/esbuild",
        EXTENSION / "src/waiting.ts",
        "--format=esm",
        f"--outfile={module}",
    ]
    subprocess.run(build, check=True, capture_output=True)
    told = subprocess.run(
        [node, "--test", Path(__file__).parent / "waiting_test.mjs"],
        env=os.environ | {"WAITING": module.as_uri()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout
    assert "pass 4" in told.stdout
