"""Processes that decide loop nests: isl is loaded in workers that are asked about nests; none outlives its server."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lsp_editor import PATIENCE, Editor, started
from lsp_sources import RIGHT, RULE, WRONG
from test_c_documents import PROVED, verdict, written
from test_processes import busy, children, gone

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

GUARD = "(i + j + k) % 5 == 2 or (i + 2 * j + k) % 7 == 3 or (i + 3 * j + k) % 11 == 4"


def undecided(number: int) -> str:
    """A nest and a transform that isl works on for seconds until its budget ends."""
    body = f"""if {GUARD} {{
      S: A[i, j, k] = A[i - 1, j + 1, k] + A[i, j - 1, k + 1] + A[i + 1, j, k - 1] + A[i, j, k + {number}]
    }} else {{ R: A[i, j, k] = A[i, j, k] + A[i + 1, j, k] }}"""
    return f"""loops nest{number}(T, N) {{
  array A: f64[N + 99, N + 99, N + 99]
  for t in 0..T, i in 1..N, j in 1..N, k in 1..N {{ {body} }}
}}
transform tiled{number} of nest{number} {{
  for t in 0..T, ii in 1..N step 8, i in ii..min(ii + 8, N), j in 1..N, k in 1..N {{ {body} }}
}}
"""


def has_isl(process: int) -> bool:
    """Whether a process has loaded isl."""
    try:
        return "islpy" in Path(f"/proc/{process}/maps").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


async def in_isl(editor: Editor, root: Path, count: int = 12) -> set[int]:
    """Opens a file of nests that are not decided; the server's workers, once one is deep in isl."""
    (root / "nests.rw").write_text("".join(map(undecided, range(count))))
    await editor.open(root / "nests.rw")
    async with asyncio.timeout(PATIENCE):
        while not (loaded := [each for each in children(editor.process) if has_isl(each)]):
            await asyncio.sleep(0.02)
        before = busy(loaded[0])
        # To load it takes a third of a second; the smallest runs and the proof of the first nest a tenth.
        while busy(loaded[0]) < before + 1.2:
            await asyncio.sleep(0.02)
    return children(editor.process)


@pytest.mark.asyncio
async def test_workers_die_with_a_server_that_is_killed_in_the_middle_of_isl(tmp_path: Path) -> None:
    async with started(tmp_path) as editor:
        workers = await in_isl(editor, tmp_path)
        os.kill(editor.process, signal.SIGKILL)
        await editor.ended()
        await gone(workers)


@pytest.mark.asyncio
async def test_a_worker_that_is_killed_in_the_middle_of_isl_leaves_no_process(tmp_path: Path) -> None:
    async with started(tmp_path) as editor:
        killed = {each for each in await in_isl(editor, tmp_path, 1) if has_isl(each)}
        for worker in killed:
            os.kill(worker, signal.SIGKILL)
        await gone(killed)
        source = await editor.open(written(tmp_path))
        assert await verdict(editor, source, "tiled of") == PROVED, "others are asked in its place"
        server, workers = editor.process, children(editor.process)
    await gone({server, *workers})


@pytest.mark.asyncio
async def test_isl_is_loaded_by_no_keystroke_and_for_no_rule(tmp_path: Path) -> None:
    async with started(tmp_path) as editor:
        (tmp_path / "rule.rw").write_text(RULE)
        rule = await editor.open(tmp_path / "rule.rw")
        await editor.settled(rule)
        editor.replace(rule, RIGHT, WRONG)
        editor.save(rule)
        await editor.settled(rule)
        assert not any(map(has_isl, (editor.process, *children(editor.process)))), "a rule needs no isl"

        source = await editor.open(written(tmp_path))
        assert await verdict(editor, source, "tiled of") == PROVED
        deciding = {each for each in children(editor.process) if has_isl(each)}
        assert deciding, "a nest needs it"
        for number in range(10):
            editor.replace(source, "A[i - 1][j]" if number % 2 == 0 else "A[i - 2][j]", f"A[i - {2 - number % 2}][j]")
            await editor.hover(source, "A[i][j] = A")
        await editor.eventually(lambda: True)
        assert {each for each in children(editor.process) if has_isl(each)} == deciding
        assert not has_isl(editor.process)


def test_the_command_line_loads_isl_for_loops_only(tmp_path: Path) -> None:
    (tmp_path / "islpy.py").write_text(
        f"import os\nwith open({str(tmp_path / 'loaded.txt')!r}, 'a') as log: log.write(f'{{os.getpid()}}\\n')\n"
        "raise ImportError('this is not islpy')\n"
    )
    (tmp_path / "rule.rw").write_text(RULE)
    written(tmp_path)
    checked = ("-m", "rewright.cli", "check", "--no-cache", "--jobs", "1")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}

    def loads(file: str) -> int:
        subprocess.run(
            [sys.executable, *checked, file], check=False, cwd=tmp_path, env=environment, capture_output=True
        )
        log = tmp_path / "loaded.txt"
        return len(log.read_text().splitlines()) if log.exists() else 0

    assert loads("rule.rw") == 0
    assert loads("seidel.c") > 0, "this test would not notice"
