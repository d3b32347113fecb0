"""A run over some files: the least memory that can be set is enough to work with."""

from __future__ import annotations

from asyncio.subprocess import Process
from pathlib import Path

import pytest

from rewright.engine import worker_process
from rewright.verdict import Verdict
from rewright.workspace.batch import Batch, CheckOptions
from rewright.workspace.settings import MEMORIES

RULE = """rule r{n}<T: any> {{
  axes A
  map n, s, e, p on A
  tensor X: T[A: n]
  slice(reverse(X, A), s + {n}, e, p) => reverse(slice(X, n - e, n - s - {n}), A)
  where p == 1, s >= 0
}}
"""


def test_the_least_memory_does_not_wear_out_a_worker_per_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, ...]] = []
    spawn = worker_process._spawn

    async def counted(command: tuple[str, ...]) -> Process:
        started.append(command)
        return await spawn(command)

    monkeypatch.setattr(worker_process, "_spawn", counted)
    (tmp_path / "rewright.toml").write_text(f"[check]\nmemory = {MEMORIES[0]}\n")
    (tmp_path / "a.rw").write_text("".join(RULE.format(n=n) for n in range(6)))
    batch = Batch((str(tmp_path / "a.rw"),), CheckOptions())
    assert len(list(batch.run())) == 6
    assert {result.verdict for result in batch.report().results()} == {Verdict.PROVED}
    assert len(started) == 1
