"""The workspace of an editor: buffers, sources that appear, imports, stops, and what is asked again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rewright.engine.cache import NoCache
from rewright.engine.jobs import Job, WorkerLimits
from rewright.engine.scheduler import Engine
from rewright.engine.tickets import Ticket
from rewright.report.document import Progress, Result
from rewright.verdict import Verdict
from rewright.workspace import front
from rewright.workspace.batch import FRONT_WORKER, WORKER
from rewright.workspace.editor import Workspace
from rewright.workspace.engines import Engines
from rewright.workspace.settings import Settings

RULE = """rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(reverse(X, A), A) => X
}
"""
KERNEL = """kernel k<N = 4>(y: out f32[N]) from "k.cu"::k {
  launch block(N)
}
"""
CUDA = "__global__ void k(float* y) { y[threadIdx.x] = 1.0f; }\n"

Story = Callable[[Workspace], Awaitable[None]]


def play(folder: Path, story: Story) -> None:
    """Runs a story in a workspace with one real worker, which is gone afterwards."""

    async def run() -> None:
        engines = Engines(
            Engine(NoCache(), WORKER, 1, WorkerLimits()), Engine(NoCache(), FRONT_WORKER, 1, WorkerLimits())
        )
        workspace = Workspace(engines)
        workspace.add(folder, Settings())
        try:
            await story(workspace)
        finally:
            await workspace.close_all()

    asyncio.run(run())


async def settled(workspace: Workspace) -> None:
    for _ in range(12_000):
        if not workspace.pending():
            return
        await asyncio.sleep(0.01)
    pytest.fail("the workspace does not settle")


def only(workspace: Workspace, path: Path) -> Result:
    file = workspace.file(str(path))
    assert file is not None
    (result,) = file.results
    return result


def test_a_change_waits_for_a_save(tmp_path: Path) -> None:
    path = tmp_path / "a.rw"

    async def story(workspace: Workspace) -> None:
        workspace.open(str(path), RULE)
        assert only(workspace, path).verdict is None
        workspace.check([str(path)])
        assert only(workspace, path).questions[0].progress is Progress.CHECKING
        await settled(workspace)
        assert only(workspace, path).verdict is Verdict.PROVED
        workspace.change(str(path), RULE.replace("reverse(reverse(X, A), A)", "reverse(X, A)"))
        assert only(workspace, path).verdict is None
        workspace.check([str(path)])
        await settled(workspace)
        assert only(workspace, path).verdict is Verdict.REFUTED
        workspace.change(str(path), "// why\n" + RULE.replace("X", "Y"))
        assert only(workspace, path).verdict is Verdict.PROVED, "it means what was already answered"

    play(tmp_path, story)


def test_a_source_that_appears_and_changes(tmp_path: Path) -> None:
    path, source = tmp_path / "a.rw", tmp_path / "k.cu"

    async def story(workspace: Workspace) -> None:
        path.write_text(KERNEL)
        await workspace.scan()
        assert only(workspace, path).verdict is Verdict.INVALID
        source.write_text(CUDA)
        workspace.watched(str(source))
        workspace.check([str(source)])
        await settled(workspace)
        assert only(workspace, path).verdict is Verdict.CHECKED
        workspace.open(str(source), CUDA.replace("threadIdx.x", "threadIdx.x + 1"))
        assert only(workspace, path).verdict is Verdict.CHECKED, "until the new text is lowered"
        workspace.check([str(path)])
        assert only(workspace, path).questions[0].progress is Progress.CHECKING
        await settled(workspace)
        refuted = only(workspace, path)
        assert (refuted.verdict, refuted.found[0].at.path) == (Verdict.REFUTED, str(source))
        workspace.close(str(source))
        workspace.check([str(path)])
        await settled(workspace)
        assert only(workspace, path).verdict is Verdict.CHECKED

    play(tmp_path, story)


def test_an_import_that_changes(tmp_path: Path) -> None:
    path, other = tmp_path / "a.rw", tmp_path / "other.rw"

    async def story(workspace: Workspace) -> None:
        workspace.open(str(other), RULE.replace("rule r", "rule s"))
        workspace.open(str(path), 'import "other.rw"\n' + RULE)
        assert not findings(workspace)
        workspace.change(str(other), RULE)
        assert findings(workspace) == ["RW102"], "the name is now imported, too"

    def findings(workspace: Workspace) -> list[str]:
        file = workspace.file(str(path))
        assert file is not None
        return [diagnostic.code for result in file.results for diagnostic in result.static]

    other.write_text("")
    play(tmp_path, story)


def test_a_stop_leaves_nothing_running(tmp_path: Path) -> None:
    path = tmp_path / "a.rw"

    async def story(workspace: Workspace) -> None:
        workspace.open(str(path), RULE)
        workspace.check([str(path)])
        workspace.stop()
        await settled(workspace)
        assert only(workspace, path).questions[0].progress is Progress.UNCHECKED
        workspace.check([str(path)])
        await settled(workspace)
        assert only(workspace, path).verdict is Verdict.PROVED

    play(tmp_path, story)


def test_a_file_that_is_deleted_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "a.rw"

    async def story(workspace: Workspace) -> None:
        path.write_text(RULE)
        await workspace.scan()
        assert workspace.file(str(path)) is not None
        path.unlink()
        workspace.watched(str(path))
        assert workspace.file(str(path)) is None
        assert not workspace.report().files

    play(tmp_path, story)


def test_who_listens_hears_of_sources_too(tmp_path: Path) -> None:
    path, source = tmp_path / "a.rw", tmp_path / "k.cu"
    heard: set[str] = set()

    async def story(workspace: Workspace) -> None:
        source.write_text(CUDA)
        workspace.open(str(path), KERNEL)
        workspace.subscribe(heard.update)
        workspace.check([str(path)])
        await settled(workspace)
        assert heard == {str(path), str(source)}

    play(tmp_path, story)


def test_a_text_that_is_not_shown_keeps_no_verdict_of_the_one_before(tmp_path: Path) -> None:
    path, source = tmp_path / "a.rw", tmp_path / "k.cu"

    async def story(workspace: Workspace) -> None:
        source.write_text(CUDA)
        path.write_text(KERNEL)
        await workspace.scan()
        workspace.check_all()
        await settled(workspace)
        assert only(workspace, path).verdict is Verdict.CHECKED
        source.write_text("// another text\n" + CUDA)
        workspace.watched(str(source))
        assert only(workspace, path).verdict is None
        workspace.check_all()
        await settled(workspace)
        assert only(workspace, path).verdict is Verdict.CHECKED

    play(tmp_path, story)


def test_a_lowering_that_takes_long_is_no_longer_covered_by_the_verdict_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, source = tmp_path / "a.rw", tmp_path / "k.cu"
    monkeypatch.setattr(front, "PATIENCE", 0.0)

    async def story(workspace: Workspace) -> None:
        source.write_text(CUDA)
        workspace.open(str(path), KERNEL)
        workspace.check([str(path)])
        await settled(workspace)
        workspace.open(str(source), CUDA.replace("1.0f", "2.0f"))
        assert only(workspace, path).verdict is None

    play(tmp_path, story)


def test_typing_queues_nothing_up_and_the_latest_text_counts(tmp_path: Path) -> None:
    path, source = tmp_path / "a.rw", tmp_path / "k.cu"

    async def story(workspace: Workspace) -> None:
        source.write_text(CUDA)
        workspace.open(str(path), KERNEL)
        for number in range(20):
            workspace.open(str(source), CUDA.replace("1.0f", f"{number}.0f"))
            await asyncio.sleep(0)
        workspace.open(str(source), CUDA.replace("threadIdx.x", "threadIdx.x + 1"))
        workspace.check([str(source)])
        await settled(workspace)
        refuted = only(workspace, path)
        assert refuted.verdict is Verdict.REFUTED
        assert workspace.report().texts[str(source)].text.count("+ 1") == 1

    play(tmp_path, story)


def test_a_folder_that_is_opened_does_not_raise_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    budgets = []

    async def story(workspace: Workspace) -> None:
        workspace.add(tmp_path, Settings(budget=1000))
        path = tmp_path / "a.rw"
        workspace.open(str(path), RULE + RULE.replace("rule r", "@budget(3)\nrule s"))
        submit = workspace._engine.submit

        def noted(job: Job, *listener: Any) -> Ticket:
            budgets.append(job.budget)
            return submit(job, *listener)

        monkeypatch.setattr(workspace._engine, "submit", noted)
        workspace.check([str(path)])

    play(tmp_path, story)
    assert sorted(budgets) == [1, 3]
