"""Reading and writing CUDA: hovers of shared arrays and barriers, offers in launch comments, the outline."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsp_editor import PATIENCE, Document, Editor
from lsp_kernels import BARRIER, NAME, OTHER, READ, SUMS, WRITTEN, written
from lsprotocol import types


async def lowered(editor: Editor, path: Path) -> Document:
    """The document, once its kernels have a verdict."""
    source = await editor.open(path)
    line = source.range(NAME).start.line
    async with asyncio.timeout(PATIENCE):
        while not (await editor.hints(source)).get(line, "").startswith("✓"):
            await asyncio.sleep(0.02)
    return source


@pytest.mark.asyncio(loop_scope="module")
async def test_a_shared_array_says_who_accesses_it_in_which_interval(shared: Editor, folder: Path) -> None:
    source = await lowered(shared, written(folder))
    barrier, write, read = (line_of(each) for each in (BARRIER.strip(), WRITTEN, READ))
    for place in ("partial[WARPS]", WRITTEN, READ):
        said = await shared.hover(source, place, 3)
        assert "`partial[4]`: shared by the threads of a block, f32, 16 bytes" in said
        assert f"- line {write} writes it, in the interval that begins at the start" in said
        assert f"- line {read} reads it, in the interval that begins at the barrier in line {barrier}" in said
    assert "shared by" not in await shared.hover(source, OTHER, 6)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_barrier_says_who_waits_and_what_it_separates(shared: Editor, folder: Path) -> None:
    source = await lowered(shared, written(folder))
    said = await shared.hover(source, BARRIER.strip(), 4)
    assert "all 128 threads of a block wait here for each other" in said
    assert f"- before it: `partial` (writes, line {line_of(WRITTEN)})" in said
    assert f"- after it: `partial` (reads, line {line_of(READ)})" in said
    shared.replace(source, "128 / WARP", "128  / WARP")
    assert await shared.hover(source, "sum = warp_sum", 2) == ""


@pytest.mark.asyncio(loop_scope="module")
async def test_a_launch_comment_is_completed_and_kernels_are_in_the_outline(shared: Editor, folder: Path) -> None:
    source = await lowered(shared, written(folder))
    at = source.position(source.text.index("n = 300"))
    found = await shared.client.text_document_completion_async(types.CompletionParams(source.identifier, at))
    assert isinstance(found, types.CompletionList)
    offered = {item.label: item.text_edit for item in found.items}
    assert {"launch", "requires", "x", "y", "n"} <= offered.keys()
    assert offered["x"] == types.TextEdit(types.Range(at, at), "x: in f32[${1:n}]")
    inside = source.position(source.text.index("float sum"))
    nothing = await shared.client.text_document_completion_async(types.CompletionParams(source.identifier, inside))
    assert isinstance(nothing, types.CompletionList) and not nothing.items
    symbols = await shared.client.text_document_document_symbol_async(types.DocumentSymbolParams(source.identifier))
    assert [(each.name, each.kind) for each in symbols or ()] == [
        ("sums", types.SymbolKind.Function),
        ("twice", types.SymbolKind.Function),
    ]


def line_of(text: str) -> int:
    """The number of the first line with a text, counted from 1."""
    return SUMS[: SUMS.index(text)].count("\n") + 1
