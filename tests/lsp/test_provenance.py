"""What a hover says of where a verdict is from: which programs decided it, and why it was asked about again."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from pathlib import Path

import pytest
from lsp_editor import PATIENCE, Editor
from lsp_kernels import BARRIER, NAME, written
from lsprotocol import types

from rewright import __version__

BY_SOLVER = """\
rule folded {
  axes A
  map n on A
  tensor P, Q: pred[A: n]

  select(P > Q, P, Q) => P or Q
}
"""
GRAPHS = """\
graph whole(x: f32[k]) -> y {
  y = max(x, 0)
}

graph parts(x: f32[k / tp]) -> y on mesh(tp = 2) {
  y = max(x, 0)
}

refine parts of whole {
  x: shard(0, tp)
}
"""


@pytest.mark.asyncio(loop_scope="module")
async def test_a_verdict_names_the_programs_that_decided_it(shared: Editor, folder: Path) -> None:
    (folder / "solver.rw").write_text(BY_SOLVER)
    document = await shared.open(folder / "solver.rw")
    await shared.settled(document)
    hover = await shared.hover(document, "folded")
    assert "proved by solver" in hover and f"rewright {__version__}, z3-solver {version('z3-solver')}" in hover
    assert "Checked again" not in hover


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_checked_again_says_which_change_caused_it(shared: Editor, folder: Path) -> None:
    (folder / "graphs.rw").write_text(GRAPHS)
    document = await shared.open(folder / "graphs.rw")
    await shared.settled(document)
    shared.client.set_trace(types.SetTraceParams(types.TraceValue.Messages))
    shared.replace(document, "max(x, 0)", "max(x, 1)")
    shared.save(document)
    await shared.settled(document)
    assert "Checked again because `whole` changed (line 1)." in await shared.hover(document, "refine", 8)
    await shared.eventually(lambda: any("again because `whole`" in each.message for each in shared.traces))
    shared.replace(document, "shard(0, tp)", "shard(0, tp)\n  expect y: shard(0, tp)")
    shared.save(document)
    await shared.settled(document)
    assert "Checked again because its text changed." in await shared.hover(document, "refine", 8)
    shared.client.set_trace(types.SetTraceParams(types.TraceValue.Off))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_kernel_is_checked_again_because_its_source_changed(shared: Editor, folder: Path) -> None:
    path = written(folder)
    source = await shared.open(path)
    line = source.range(NAME).start.line
    async with asyncio.timeout(PATIENCE):
        while not (await shared.hints(source)).get(line, "").startswith("✓"):
            await asyncio.sleep(0.02)
    shared.replace(source, BARRIER, "")
    shared.save(source)
    await shared.eventually(lambda: bool(shared.pushed(path)))
    assert f"Checked again because `{path.name}` changed." in await shared.hover(source, NAME, 6)
