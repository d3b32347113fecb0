"""Fixes of kernels: found once a kernel is refuted, checked before they are offered, at both ends of a race."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import Document, Editor
from lsp_kernels import BARRIER, NAME, written
from lsp_sources import CUDA, KERNEL
from lsprotocol import types

OWN = """\
kernel reversed(x: in f32[64], y: out f32[64]) {
  launch block(64)
  shared tile: f32[64]
  tile[thread.x] = x[thread.x]
  y[thread.x] = tile[63 - thread.x]
}
"""


async def fixed(editor: Editor, document: Document, declaration: Document) -> str:
    """The hint of a declaration after the first fix of the first diagnostic of a document was applied and saved."""
    (action, *_) = await editor.fixes(document, editor.pushed(document.path)[0])
    assert action.edit is not None and action.edit.changes is not None
    ((uri, (edit,)),) = action.edit.changes.items()
    assert uri == document.uri and isinstance(edit, types.TextEdit)
    editor.apply(document, edit)
    editor.save(document)
    return (await editor.settled(declaration))[0]


@pytest.mark.asyncio(loop_scope="module")
async def test_both_ends_of_a_race_offer_the_barrier(shared: Editor, folder: Path) -> None:
    path = written(folder)
    path.write_text(path.read_text().replace(BARRIER, ""))
    source = await shared.open(path)
    await shared.eventually(lambda: len(shared.pushed(path)) == 2)
    first, second = shared.pushed(path)
    (action, *_), (same, *_) = await shared.fixes(source, first), await shared.fixes(source, second)
    assert "__syncthreads()" in action.title and action.is_preferred
    assert (action.title, action.edit) == (same.title, same.edit)
    assert action.edit is not None and action.edit.changes is not None
    ((_, (edit,)),) = action.edit.changes.items()
    assert isinstance(edit, types.TextEdit) and edit.new_text == BARRIER
    shared.apply(source, edit)
    shared.save(source)
    hints = await shared.settled(source)
    assert hints[source.range(NAME).start.line].startswith("✓ checked")
    assert [found for found in shared.pushed(path) if found.severity is types.DiagnosticSeverity.Error] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_kernel_in_our_own_syntax_is_fixed_where_it_stands(shared: Editor, folder: Path) -> None:
    path = folder / "own.rw"
    path.write_text("// größer\n" + OWN)
    document = await shared.open(path)
    await shared.eventually(lambda: len(shared.pushed(path)) == 2)
    (action, *_) = await shared.fixes(document, shared.pushed(path)[0])
    assert action.edit is not None and action.edit.changes is not None
    ((_, (edit,)),) = action.edit.changes.items()
    assert isinstance(edit, types.TextEdit)
    shared.apply(document, edit)
    assert "= x[thread.x]\n  barrier()\n  y[thread.x]" in document.text
    shared.save(document)
    assert (await shared.settled(document))[1].startswith("✓ checked")


@pytest.mark.asyncio(loop_scope="module")
async def test_a_declared_kernel_is_fixed_in_its_source(shared: Editor, folder: Path) -> None:
    (folder / "shift.cu").write_text(CUDA.replace(BARRIER, ""))
    (folder / "shift.rw").write_text(KERNEL)
    declaration = await shared.open(folder / "shift.rw")
    source = await shared.open(folder / "shift.cu")
    await shared.eventually(lambda: len(shared.pushed(source.path)) == 2)
    assert (await fixed(shared, source, declaration)).startswith("✓ checked")


@pytest.mark.asyncio(loop_scope="module")
async def test_an_edit_withdraws_what_was_found_for_the_text_before(shared: Editor, folder: Path) -> None:
    path = written(folder)
    path.write_text(path.read_text().replace(BARRIER, ""))
    source = await shared.open(path)
    await shared.eventually(lambda: len(shared.pushed(path)) == 2)
    found = shared.pushed(path)[0]
    await shared.fixes(source, found)
    shared.replace(source, "total += partial[w]", "total += 2.0f * partial[w]")
    params = types.CodeActionParams(source.identifier, found.range, types.CodeActionContext([found]))
    assert not await shared.client.text_document_code_action_async(params)
    await shared.eventually(lambda: shared.pushed(path) != [found])
    assert not await shared.client.text_document_code_action_async(params)
