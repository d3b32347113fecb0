"""The cache under the server: what was seen is there at the next start; two servers share it."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from lsp_editor import Editor, started
from lsp_sources import PROVED, RULE, slow

NAME = "dynamic_slice_to_slice"


def many(count: int) -> str:
    """Rules that are all true and all mean something else."""
    return "\n".join(RULE.replace(NAME, f"rule_{i}").replace("limit <= n", f"limit + {i} <= n") for i in range(count))


@pytest.mark.asyncio
async def test_a_verdict_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "rule.rw"
    path.write_text(RULE)
    for source in (" ms", "from the cache"):
        async with started(tmp_path) as editor:
            document = await editor.open(path)
            assert PROVED in (await editor.settled(document)).values()
            assert source in await editor.hover(document, NAME)


@pytest.mark.asyncio
async def test_what_a_killed_server_had_shown_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "many.rw"
    path.write_text(many(30) + slow("endless"))
    shown: dict[int, str] = {}
    async with started(tmp_path) as editor:
        document = await editor.open(path)
        async with asyncio.timeout(20):
            while sum(hint == PROVED for hint in shown.values()) < 5:
                shown = await editor.hints(document)
        os.kill(editor.process, signal.SIGKILL)
        await editor.ended()
    path.write_text(many(30))
    async with started(tmp_path) as editor:
        document = await editor.open(path)
        await editor.settled(document)
        names = [line.split("<")[0] for line in document.text.splitlines() if line.startswith("rule ")]
        lines = {document.range(f"{name}<").start.line: name for name in names}
        for line, hint in shown.items():
            if hint == PROVED:
                assert "from the cache" in await editor.hover(document, f"{lines[line]}<", 5)


@pytest.mark.asyncio
async def test_two_servers_share_a_cache(tmp_path: Path) -> None:
    path = tmp_path / "many.rw"
    path.write_text(many(20))
    cache = tmp_path / "shared"
    async with started(tmp_path, cache=cache) as one, started(tmp_path, cache=cache) as two:
        documents = [await one.open(path), await two.open(path)]
        both = await asyncio.gather(*(e.settled(d) for e, d in zip((one, two), documents, strict=True)))
        for editor, hints in zip((one, two), both, strict=True):
            assert set(hints.values()) == {PROVED}
            assert all(status.state != "error" for status in editor.statuses)
            assert editor.client.messages == []


@pytest.mark.asyncio
async def test_a_cache_that_is_cleared_is_asked_again(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "rule.rw"
    path.write_text(RULE)
    document = await editor.open(path)
    await editor.settled(document)
    await editor.run("rewright.server.clearCache")
    assert (await editor.hints(document))[1] == "· not checked"
    editor.save(document)
    assert PROVED in (await editor.settled(document)).values()
    assert "from the cache" not in await editor.hover(document, NAME)
