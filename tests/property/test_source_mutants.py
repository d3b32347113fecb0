"""Mutants of sources, as `tests/mutants` draws them: whether tests notice each, or it is listed with a reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MUTANTS = ROOT / "tests" / "mutants"
sys.path.append(str(MUTANTS))

from source_mutants import mutants  # noqa: E402


def test_mutants_are_python_and_have_names_of_their_own() -> None:
    files = ["frontends/preprocessor/conditions.py", "replay/kernel/pairs.py", "fixes/kernels/candidates.py"]
    found = [mutant for file in files for mutant in mutants(ROOT, f"server/rewright/{file}")]
    assert len({mutant.key for mutant in found}) == len(found) > 300
    for mutant in found:
        compile(mutant.text, mutant.file, "exec")
        assert mutant.text != (ROOT / mutant.file).read_text(encoding="utf-8")


@pytest.mark.soak
def test_each_of_two_hundred_mutants_is_noticed_or_listed() -> None:
    assert subprocess.run([sys.executable, MUTANTS / "draw_mutants.py"], cwd=ROOT, check=False).returncode == 0
