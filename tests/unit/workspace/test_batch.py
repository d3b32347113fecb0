"""A run over some files: which workers it starts, and that the least memory that can be set is enough to work with."""

from __future__ import annotations

import subprocess
import sys
from asyncio.subprocess import Process
from pathlib import Path

import pytest

from rewright.engine import worker_process
from rewright.verdict import Verdict
from rewright.workspace.batch import KERNEL_WORKER, WORKER, Batch, CheckOptions
from rewright.workspace.settings import MEMORIES

RULE = """rule r{n}<T: any> {{
  axes A
  map n, s, e, p on A
  tensor X: T[A: n]
  slice(reverse(X, A), s + {n}, e, p) => reverse(slice(X, n - e, n - s - {n}), A)
  where p == 1, s >= 0
}}
"""


KERNEL = """__global__ void store(int *x) { x[threadIdx.x] = 1; }
void run(int *x) { store<<<1, 64>>>(x); }
"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The commands of the workers that are started."""
    commands: list[tuple[str, ...]] = []
    spawn = worker_process._spawn

    async def counted(command: tuple[str, ...]) -> Process:
        commands.append(command)
        return await spawn(command)

    monkeypatch.setattr(worker_process, "_spawn", counted)
    return commands


def test_the_least_memory_does_not_wear_out_a_worker_per_question(
    tmp_path: Path, started: list[tuple[str, ...]]
) -> None:
    (tmp_path / "rewright.toml").write_text(f"[check]\nmemory = {MEMORIES[0]}\n")
    (tmp_path / "a.rw").write_text("".join(RULE.format(n=n) for n in range(6)))
    batch = Batch((str(tmp_path / "a.rw"),), CheckOptions())
    assert len(list(batch.run())) == 6
    assert {result.verdict for result in batch.report().results()} == {Verdict.PROVED}
    assert len(started) == 1


@pytest.mark.parametrize(("files", "command"), [(("a.cu",), KERNEL_WORKER), (("a.cu", "b.rw"), WORKER)])
def test_one_source_starts_one_worker_with_no_more_than_it_needs(
    files: tuple[str, ...], command: tuple[str, ...], tmp_path: Path, started: list[tuple[str, ...]]
) -> None:
    (tmp_path / "a.cu").write_text(KERNEL)
    (tmp_path / "b.rw").write_text(RULE.format(n=0))
    batch = Batch(tuple(str(tmp_path / name) for name in files), CheckOptions(workers=2))
    seen: list[int] = []
    list(batch.run(lambda: seen.append(len(started))))
    verdicts = {"a.cu": Verdict.CHECKED, "b.rw": Verdict.PROVED}
    assert [result.verdict for result in batch.report().results()] == [verdicts[name] for name in files]
    assert seen == [1], "a source is known to need a worker: it loads while this process does"
    assert set(started) == {command} and len(started) <= len(files)


def test_a_worker_for_kernels_loads_no_solver() -> None:
    program = (
        "import sys; from rewright.workers.kernels import load; load();"
        "print(*({'z3', 'cvc5', 'rewright.rules.decide', 'rewright.solve', 'rewright.replay.kernel.replayed',"
        " 'rewright.kernels.conditions'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
