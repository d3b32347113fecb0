"""Mutants of sources, as `tests/mutants` draws them."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_mutants_are_python_and_have_names_of_their_own() -> None:
    sys.path.append(str(ROOT / "tests" / "mutants"))
    from source_mutants import mutants

    files = ["kernels/cuda/preprocessor/conditions.py", "replay/kernel/pairs.py", "checks/kernel_fixes/__init__.py"]
    found = [mutant for file in files for mutant in mutants(ROOT, f"server/rewright/{file}")]
    assert len({mutant.key for mutant in found}) == len(found) > 300
    for mutant in found:
        compile(mutant.text, mutant.file, "exec")
        assert mutant.text != (ROOT / mutant.file).read_text(encoding="utf-8")
