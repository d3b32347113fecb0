"""Stories of a kernel in CUDA: the race is shown in its own file, also from an unsaved buffer."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import Document, Editor
from lsp_sources import BARRIER, CUDA, KERNEL
from lsprotocol import types

STORE = "tile[threadIdx.x] = x[threadIdx.x]"
LOAD = "tile[63 - threadIdx.x]"


async def opened(editor: Editor, root: Path) -> tuple[Document, Document]:
    """The CUDA file and the declaration that names it, both right and both open."""
    (root / "shift.cu").write_text(CUDA)
    (root / "shift.rw").write_text(KERNEL)
    declaration = await editor.open(root / "shift.rw")
    source = await editor.open(root / "shift.cu")
    await editor.settled(declaration)
    return source, declaration


def lines(found: list[types.Diagnostic]) -> list[int]:
    return sorted(each.range.start.line for each in found)


@pytest.mark.asyncio
async def test_a_barrier_deleted_in_an_open_file_underlines_both_accesses_on_save(
    editor: Editor, tmp_path: Path
) -> None:
    source, declaration = await opened(editor, tmp_path)
    assert (await editor.hints(declaration))[0].startswith("✓ checked")
    assert editor.pushed(source.path) == []

    editor.replace(source, BARRIER, "")
    editor.save(source)
    assert (await editor.settled(declaration))[0].startswith("✗ refuted")
    both = editor.pushed(source.path)
    assert lines(both) == [source.range(STORE).start.line, source.range(LOAD).start.line]
    for found in both:
        assert found.code == "RW301" and found.severity is types.DiagnosticSeverity.Error
        (other,) = found.related_information or ()
        assert other.location.uri == source.uri
        assert other.location.range.start.line != found.range.start.line
    assert "thread" in await editor.hover(source, LOAD, 1)

    editor.replace(source, "  y[", BARRIER + "  y[")
    editor.save(source)
    assert (await editor.settled(declaration))[0].startswith("✓ checked")
    assert editor.pushed(source.path) == []


@pytest.mark.asyncio
async def test_the_unsaved_buffer_of_a_source_is_what_is_checked(editor: Editor, tmp_path: Path) -> None:
    source, declaration = await opened(editor, tmp_path)
    editor.replace(source, BARRIER, "")
    editor.save(declaration)
    assert (await editor.settled(declaration))[0].startswith("✗ refuted")
    assert lines(editor.pushed(source.path)) == [source.range(STORE).start.line, source.range(LOAD).start.line]
    assert source.path.read_text() == CUDA


@pytest.mark.asyncio
async def test_a_source_opened_alone_is_checked_by_the_declaration_that_names_it(
    editor: Editor, tmp_path: Path
) -> None:
    (tmp_path / "shift.cu").write_text(CUDA.replace(BARRIER, ""))
    (tmp_path / "shift.rw").write_text(KERNEL)
    source = await editor.open(tmp_path / "shift.cu")
    await editor.eventually(lambda: len(editor.pushed(source.path)) == 2)


@pytest.mark.asyncio
async def test_a_source_changed_on_disk_is_checked_again(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "shift.cu").write_text(CUDA)
    (tmp_path / "shift.rw").write_text(KERNEL)
    declaration = await editor.open(tmp_path / "shift.rw")
    await editor.settled(declaration)
    path = tmp_path / "shift.cu"
    path.write_text(CUDA.replace(BARRIER, ""))
    event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await editor.eventually(lambda: len(editor.pushed(path)) == 2)


@pytest.mark.asyncio
async def test_a_source_that_is_not_there_is_an_error_where_it_is_named(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / "shift.rw").write_text(KERNEL)
    declaration = await editor.open(tmp_path / "shift.rw")
    (problem,) = await editor.problems(declaration)
    assert problem.code == "RW130"
    assert problem.range.start.line == 0
