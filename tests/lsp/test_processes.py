"""Processes: no worker outlives its server, however that ends; a worker's death is not the end of a check."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest
from lsp_editor import PATIENCE, Editor, Kind, started
from lsp_sources import OTHER, PROVED, slow
from lsprotocol import types

from rewright.lsp import progress

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def parent_of(process: int) -> int | None:
    """The parent of a live process, None for one that is gone or only waits to be reaped."""
    try:
        state, parent = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state == "Z" else int(parent)


def children(process: int) -> set[int]:
    """The live children of a process."""
    return {int(entry) for entry in os.listdir("/proc") if entry.isdigit() and parent_of(int(entry)) == process}


def busy(process: int) -> float:
    """The seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def gone(processes: set[int]) -> None:
    """Waits until none of these processes lives."""
    async with asyncio.timeout(PATIENCE):
        while any(parent_of(process) is not None for process in processes):
            await asyncio.sleep(0.02)


async def at_work(editor: Editor, root: Path, text: str = slow("first") + slow("second")) -> set[int]:
    """Opens a file that takes long, and returns the server's workers when one of them is deep in it."""
    (root / "slow.rw").write_text(text)
    document = await editor.open(root / "slow.rw")
    async with asyncio.timeout(PATIENCE):
        while "… checking" not in (await editor.hints(document)).values():
            await asyncio.sleep(0.02)
        before = {process: busy(process) for process in children(editor.process)}
        while not any(busy(process) > used + 0.1 for process, used in before.items()):
            await asyncio.sleep(0.02)
            before |= {process: busy(process) for process in children(editor.process) - set(before)}
    return children(editor.process)


@pytest.mark.asyncio
async def test_shutdown_ends_a_running_check_and_all_workers(tmp_path: Path) -> None:
    async with started(tmp_path) as editor:
        workers = await at_work(editor, tmp_path)
        server = editor.process
    await gone({server, *workers})


@pytest.mark.asyncio
async def test_workers_die_with_a_killed_server(tmp_path: Path) -> None:
    async with started(tmp_path) as editor:
        workers = await at_work(editor, tmp_path)
        os.kill(editor.process, signal.SIGKILL)
        await editor.ended()
        await gone(workers)


@pytest.mark.asyncio
async def test_the_server_ends_with_its_input(tmp_path: Path) -> None:
    async with started(tmp_path) as editor:
        workers = await at_work(editor, tmp_path)
        assert editor.client._server is not None and editor.client._server.stdin is not None
        editor.client._server.stdin.close()
        await editor.ended()
        await gone(workers)


@pytest.mark.asyncio
async def test_the_server_ends_with_the_process_that_it_serves(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as client:
        async with started(tmp_path, Kind(process=client.pid)) as editor:
            workers = await at_work(editor, tmp_path)
            client.kill()
            client.wait()
            await editor.ended()
            await gone(workers)


@pytest.mark.asyncio
async def test_a_check_survives_the_death_of_its_worker(editor: Editor, tmp_path: Path) -> None:
    workers = await at_work(editor, tmp_path)
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    (tmp_path / "other.rw").write_text(OTHER)
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams("rewright-check-1"))
    other = await editor.open(tmp_path / "other.rw")
    assert (await editor.settled(other)) == {0: PROVED}


@pytest.mark.asyncio
async def test_a_check_whose_workers_die_twice_ends_as_an_internal_error(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "slow.rw"
    dead: set[int] = set()
    await at_work(editor, tmp_path, slow("first") + OTHER)
    document = await editor.open(path)
    first = document.range("first").start.line
    async with asyncio.timeout(PATIENCE):
        while (await editor.hints(document))[first] != "! internal error":
            for worker in children(editor.process) - dead:
                if busy(worker) > 1:
                    os.kill(worker, signal.SIGKILL)
                    dead.add(worker)
            await asyncio.sleep(0.05)
    assert len(dead) >= 2, "on a slow machine a worker that only starts may be taken for one that is at work"
    found = [each for each in editor.pushed(path) if each.code == "RW901"]
    assert [each.range.start.line for each in found] == [first]


@pytest.mark.asyncio
async def test_a_long_check_shows_progress_that_can_be_cancelled(editor: Editor, tmp_path: Path) -> None:
    workers = await at_work(editor, tmp_path)
    await editor.until(lambda: any(editor.client.progress_reports.values()))
    (token,) = editor.client.progress_reports
    begin = editor.client.progress_reports[token][0]
    assert isinstance(begin, types.WorkDoneProgressBegin) and begin.cancellable
    editor.client.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token))
    await editor.until(lambda: isinstance(editor.client.progress_reports[token][-1], types.WorkDoneProgressEnd))
    await editor.eventually(lambda: editor.statuses[-1].state == "idle")
    await editor.until(lambda: any(parent_of(worker) is None for worker in workers))


@pytest.mark.asyncio
async def test_stop_leaves_what_was_not_decided_unchecked(editor: Editor, tmp_path: Path) -> None:
    await at_work(editor, tmp_path)
    await editor.eventually(lambda: bool(editor.statuses) and editor.statuses[-1].pending == 2)
    assert editor.statuses[-1].unchecked == 0
    await editor.run("rewright.server.stop")
    await editor.eventually(lambda: editor.statuses[-1].state == "idle")
    assert (editor.statuses[-1].pending, editor.statuses[-1].unchecked) == (0, 2)
    (document,) = [await editor.open(tmp_path / "slow.rw", "")]
    assert await editor.hints(document) == {}


@pytest.mark.asyncio
async def test_a_short_check_shows_no_progress(editor: Editor, tmp_path: Path) -> None:
    """On a busy machine a check may take long: of several questions, the first that is answered soon is looked at."""
    for number in range(1, 9):
        shown, start = len(editor.client.progress_reports), perf_counter()
        (tmp_path / f"{number}.rw").write_text(
            OTHER.replace("reverse(reverse(X, A), A) => X", f"slice(X, {number}) => X")
        )
        await editor.settled(await editor.open(tmp_path / f"{number}.rw"))
        if perf_counter() - start < progress.PATIENCE:
            await asyncio.sleep(progress.PATIENCE)
            assert len(editor.client.progress_reports) == shown
            return
    pytest.fail("no check was short")
