"""The cache under the server: what was seen is there at the next start; two servers share it."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from lsp_editor import Editor, started
from lsp_sources import PROVED, RIGHT, RULE, WRONG, slow

from rewright.engine.signature import signature
from rewright.workspace.remembered import PROGRAM

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


@pytest.mark.asyncio
async def test_what_is_remembered_is_shown_before_anything_is_parsed(tmp_path: Path) -> None:
    await settled_program()
    path, cache = tmp_path / "many.rw", tmp_path / "cache"
    path.write_text(many(20) + RULE.replace(RIGHT, WRONG))
    seen: list[object] = []
    for _ in range(2):
        async with started(tmp_path, cache=cache) as editor:
            document = await editor.open(path)
            first = await editor.hints(document)
            hints = await editor.settled(document)
            lenses, problems = await editor.titles(document), await editor.problems(document)
            hover = await editor.hover(document, NAME)  # waits until the session is awake
            await editor.settled(document)
            sent = [each.diagnostics for each in editor.published if each.uri == document.uri]
            seen.append((hints, lenses, problems, sent[-1]))
    assert seen[0] == seen[1] and "from the cache" in hover
    assert first == hints and len(hints) == 21, "the first hints are of memory, and there is nothing to wait for"
    assert sent and all(each == sent[0] for each in sent), "findings that are remembered do not come and go"


@pytest.mark.asyncio
async def test_of_a_text_that_is_not_as_it_was_nothing_is_remembered(tmp_path: Path) -> None:
    await settled_program()
    path, cache = tmp_path / "rule.rw", tmp_path / "cache"
    path.write_text(RULE)
    async with started(tmp_path, cache=cache) as editor:
        await editor.settled(await editor.open(path))
    path.write_text(RULE.replace(RIGHT, WRONG))
    async with started(tmp_path, cache=cache) as editor:
        document = await editor.open(path)
        assert PROVED not in (await editor.hints(document)).values()
        assert PROVED not in (await editor.settled(document)).values()


@pytest.mark.asyncio
async def test_what_is_asked_after_a_change_is_of_the_changed_text(tmp_path: Path) -> None:
    await settled_program()
    path, cache = tmp_path / "rule.rw", tmp_path / "cache"
    path.write_text(RULE)
    for is_known in (False, True):
        async with started(tmp_path, cache=cache) as editor:
            document = await editor.open(path)
            if is_known:
                editor.replace(document, RIGHT, WRONG)
            hints = await editor.hints(document)
            await editor.settled(document)
    assert PROVED not in hints.values(), "no answer from memory goes before a change that came before it"


async def settled_program() -> None:
    """Waits until the program has a signature: of one that was changed a moment ago nothing is remembered."""
    async with asyncio.timeout(30):
        while signature(PROGRAM) is None:
            await asyncio.sleep(0.5)
