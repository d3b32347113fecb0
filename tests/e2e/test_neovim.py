"""The set-up of the page on other editors, in a headless Neovim: type, take a fix, save, read a counterexample."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/start/other-editors.md"
STORY = Path(__file__).parent / "neovim_story.lua"
NEEDED = os.environ.get("REWRIGHT_E2E") == "required"

RULE = """\
rule twice_reversed<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]

  reverse(reverse(X, A), A) => X
}
"""


@pytest.mark.skipif(shutil.which("nvim") is None and not NEEDED, reason="there is no Neovim")
def test_neovim_fixes_a_name_and_shows_a_counterexample(tmp_path: Path) -> None:
    first = re.search(r"```lua\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    assert first is not None
    (tmp_path / "init.lua").write_text(first[1])
    (tmp_path / "rule.rw").write_text(RULE)
    environment = os.environ | {
        "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}",
        **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CACHE", "CONFIG", "DATA", "STATE")},
    }
    command = ["nvim", "--headless", "-n", "-u", "init.lua", "-c", f"luafile {STORY}", "-c", "cquit"]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "the left reads X[0]" in done.stdout
    assert (tmp_path / "rule.rw").read_text() == RULE
