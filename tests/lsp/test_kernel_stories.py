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


@pytest.mark.asyncio(loop_scope="module")
async def test_a_barrier_deleted_in_an_open_file_underlines_both_accesses_on_save(shared: Editor, folder: Path) -> None:
    source, declaration = await opened(shared, folder)
    assert (await shared.hints(declaration))[0].startswith("✓ checked")
    assert shared.pushed(source.path) == []

    shared.replace(source, BARRIER, "")
    shared.save(source)
    assert (await shared.settled(declaration))[0].startswith("✗ refuted")
    both = shared.pushed(source.path)
    assert lines(both) == [source.range(STORE).start.line, source.range(LOAD).start.line]
    for found in both:
        assert found.code == "RW301" and found.severity is types.DiagnosticSeverity.Error
        (other,) = found.related_information or ()
        assert other.location.uri == source.uri
        assert other.location.range.start.line != found.range.start.line
    hover = await shared.hover(source, LOAD, 1)
    assert "| line " in hover and "**→ reads `tile[" in hover

    shared.replace(source, "  y[", BARRIER + "  y[")
    shared.save(source)
    assert (await shared.settled(declaration))[0].startswith("✓ checked")
    assert shared.pushed(source.path) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_the_unsaved_buffer_of_a_source_is_what_is_checked(shared: Editor, folder: Path) -> None:
    source, declaration = await opened(shared, folder)
    shared.replace(source, BARRIER, "")
    shared.save(declaration)
    assert (await shared.settled(declaration))[0].startswith("✗ refuted")
    assert lines(shared.pushed(source.path)) == [source.range(STORE).start.line, source.range(LOAD).start.line]
    assert source.path.read_text() == CUDA


@pytest.mark.asyncio
async def test_a_source_opened_alone_is_checked_by_the_declaration_that_names_it(
    editor: Editor, tmp_path: Path
) -> None:
    (tmp_path / "shift.cu").write_text(CUDA.replace(BARRIER, ""))
    (tmp_path / "shift.rw").write_text(KERNEL)
    source = await editor.open(tmp_path / "shift.cu")
    await editor.eventually(lambda: len(editor.pushed(source.path)) == 2)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_source_changed_on_disk_is_checked_again(shared: Editor, folder: Path) -> None:
    (folder / "shift.cu").write_text(CUDA)
    (folder / "shift.rw").write_text(KERNEL)
    declaration = await shared.open(folder / "shift.rw")
    await shared.settled(declaration)
    path = folder / "shift.cu"
    path.write_text(CUDA.replace(BARRIER, ""))
    event = types.FileEvent(path.as_uri(), types.FileChangeType.Changed)
    shared.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
    await shared.eventually(lambda: len(shared.pushed(path)) == 2)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_source_that_is_not_there_is_an_error_where_it_is_named(shared: Editor, folder: Path) -> None:
    (folder / "shift.rw").write_text(KERNEL)
    declaration = await shared.open(folder / "shift.rw")
    (problem,) = await shared.problems(declaration)
    assert problem.code == "RW130"
    assert problem.range.start.line == 0
