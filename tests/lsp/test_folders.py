"""The folders of a workspace: all of them are looked through, each goes by its own settings, and they come and go."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsp_editor import PATIENCE, Document, Editor, Kind, started
from lsp_sources import CUDA, KERNEL, OTHER, PROVED
from lsprotocol import types


def folder(path: Path) -> types.WorkspaceFolder:
    return types.WorkspaceFolder(path.as_uri(), path.name)


def move(editor: Editor, added: tuple[Path, ...] = (), removed: tuple[Path, ...] = ()) -> None:
    """Adds folders to the workspace of an editor and takes others out."""
    event = types.WorkspaceFoldersChangeEvent(list(map(folder, added)), list(map(folder, removed)))
    editor.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))


async def shows(editor: Editor, document: Document, start: str) -> None:
    """Waits until the hint on the first line begins so; with nothing, until there is none."""
    async with asyncio.timeout(PATIENCE):
        while not (hint := (await editor.hints(document)).get(0, "")).startswith(start) or bool(hint) != bool(start):
            await asyncio.sleep(0.01)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """A folder with a rule that has an error in it, and one with a source and the declaration that names it."""
    rules, kernels = tmp_path / "rules", tmp_path / "kernels"
    rules.mkdir()
    kernels.mkdir()
    (rules / "twice.rw").write_text(OTHER)
    (kernels / "shift.cu").write_text(CUDA)
    (kernels / "shift.rw").write_text(KERNEL)
    return rules, kernels


@pytest.mark.asyncio
async def test_every_folder_is_looked_through(two: tuple[Path, Path], tmp_path: Path) -> None:
    """A source knows the declaration that names it, in whichever folder both are."""
    rules, kernels = two
    async with started(rules, Kind(folders=(rules, kernels)), tmp_path / "cache") as editor:
        assert editor.capabilities is not None and editor.capabilities.workspace is not None
        support = editor.capabilities.workspace.workspace_folders
        assert support is not None and support.supported and support.change_notifications
        source = await editor.open(kernels / "shift.cu")
        await shows(editor, source, "✓ checked")
        twice = await editor.open(rules / "twice.rw")
        assert await editor.settled(twice) == {0: PROVED}


@pytest.mark.asyncio
async def test_folders_come_and_go(two: tuple[Path, Path], tmp_path: Path) -> None:
    rules, kernels = two
    (kernels / "shift.cu").write_text(CUDA.replace("  __syncthreads();\n", ""))
    async with started(rules, Kind(folders=(rules,)), tmp_path / "cache") as editor:
        source = await editor.open(kernels / "shift.cu")
        await shows(editor, source, "")  # nothing declares it as far as is known
        move(editor, added=(kernels,))
        await editor.eventually(lambda: any(each.code == "RW301" for each in editor.pushed(source.path)))
        move(editor, removed=(kernels,))
        await editor.eventually(lambda: editor.pushed(source.path) == [])
        await shows(editor, source, "")
        twice = await editor.open(rules / "twice.rw")
        move(editor, removed=(rules,))
        assert await editor.settled(twice) == {0: PROVED}, "an open file stays"


@pytest.mark.asyncio
async def test_each_folder_goes_by_its_own_settings(two: tuple[Path, Path], tmp_path: Path) -> None:
    rules, kernels = two
    (kernels / "shift.cu").write_text(CUDA.replace("tile[64]", "tile[SIZE]"))
    (kernels / "rewright.toml").write_text("[kernels.define]\nSIZE = 64\n")
    (rules / "rewright.toml").write_text("[kernels.define]\nSIZE = 1\n")
    async with started(rules, Kind(folders=(rules, kernels)), tmp_path / "cache") as editor:
        declared = await editor.open(kernels / "shift.rw")
        await shows(editor, declared, "✓ checked")
        move(editor, removed=(kernels,))
        await shows(editor, declared, "? unknown")


@pytest.mark.asyncio
async def test_a_name_stays_in_the_folder_of_the_file_that_has_it(two: tuple[Path, Path], tmp_path: Path) -> None:
    rules, kernels = two
    (rules / "far.rw").write_text(KERNEL.replace('"shift.cu"', '"../kernels/shift.cu"'))
    async with started(rules, Kind(folders=(rules, kernels)), tmp_path / "cache") as editor:
        far = await editor.open(rules / "far.rw")
        (found,) = await editor.problems(far)
        assert found.code == "RW130" and f"outside the workspace {rules}" in found.message
