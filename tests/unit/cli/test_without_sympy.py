"""A check loads no sympy, whose import takes most of a second: neither a cold one with its workers, nor a warm one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_a_check_loads_no_sympy(tmp_path: Path) -> None:
    loaded = tmp_path / "loaded"
    (tmp_path / "sympy.py").write_text(f"open({str(loaded)!r}, 'w').close()\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    command = [sys.executable, "-m", "rewright.cli", "check", "rules/nn/closed_forms.rw", "rules/nn/norms.rw"]
    for _ in ("cold", "warm"):
        subprocess.run([*command, "--cache", str(tmp_path / "cache")], cwd=ROOT, env=environment, check=True)
        assert not loaded.exists()
    subprocess.run([sys.executable, "-c", "import sympy"], env=environment, check=True)
    assert loaded.exists()
