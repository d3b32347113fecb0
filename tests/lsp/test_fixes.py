"""Fixes of refuted rules: found after the verdict, checked, offered at the squiggle, applied in the file's style."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsp_editor import PATIENCE, Document, Editor, made_to_edit
from lsp_sources import PROVED
from lsprotocol import types

from rewright.lsp.commands import SEARCHED
from rewright.lsp.methods.code_action import SEARCHING
from rewright.syntax.formatting import formatted
from rewright.syntax.text import Text

NAME = "dynamic_slice_of_full_length"
UNRESTRICTED = """rule dynamic_slice_of_full_length<T: any> {
    axes A
    map n, start, length on A
    tensor X: T[A: n]

    dynamic_slice(X, start, length) => X
}
"""

PADS = """rule slice_of_padded_data<T: any> {
  axes A
  map n, low, high, start, limit on A
  scalar v: T
  tensor X: T[A: n]

  slice(pad(X, v, low, high), start, limit) => slice(X, start - low, limit - low)

  where start >= low
}
"""


async def fixes(editor: Editor, document: Document) -> list[types.CodeAction]:
    """The quick fixes of the diagnostics that were pushed for a document, once there are any and none is looked for."""
    async with asyncio.timeout(PATIENCE):
        while True:
            pushed = editor.pushed(document.path)
            context = types.CodeActionContext(pushed, only=[types.CodeActionKind.QuickFix])
            whole = types.Range(types.Position(0, 0), types.Position(100, 0))
            params = types.CodeActionParams(document.identifier, whole, context)
            menu = await editor.client.text_document_code_action_async(params) or ()
            found = made_to_edit(menu)
            if found and not any(each.title.startswith(SEARCHING) for each in menu):
                return found
            await asyncio.sleep(0.05)


def applied(editor: Editor, document: Document, action: types.CodeAction) -> None:
    """Makes the edit of a quick fix."""
    assert action.edit is not None and action.edit.changes is not None
    ((uri, (edit,)),) = action.edit.changes.items()
    assert uri == document.uri
    assert isinstance(edit, types.TextEdit)
    editor.apply(document, edit)
    written = f"rule r {{\n  where {edit.new_text.strip().removeprefix('where ')}\n}}\n"
    assert formatted(Text.of("", written)) == written, "a fix is written in the one layout"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rule_without_its_precondition_is_fixed_by_the_first_fix(shared: Editor, folder: Path) -> None:
    path = folder / "slice.rw"
    path.write_text(UNRESTRICTED)
    document = await shared.open(path)
    assert (await shared.settled(document))[0].startswith("✗ refuted")
    first, *_ = await fixes(shared, document)
    assert first.title.startswith("Add `where n == length` (keeps ") and first.title.endswith(" small inputs)")
    assert first.kind == "quickfix" and first.is_preferred
    hover = await shared.hover(document, "rule dynamic")
    assert f"**{first.title}**" in hover and "| `n >= length` | `rank of A: 1, n = [1], " in hover
    assert "n >= length" in str(await shared.run("rewright.server.counterexample", document.uri, NAME))

    applied(shared, document, first)
    assert document.text == UNRESTRICTED.replace("=> X\n}", "=> X\n\n    where n == length\n}")
    shared.save(document)
    assert (await shared.settled(document))[0] == PROVED
    assert shared.pushed(path) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_the_menu_says_that_fixes_are_looked_for_until_they_are_found(shared: Editor, folder: Path) -> None:
    path = folder / "slice.rw"
    path.write_text(UNRESTRICTED.replace("T: any", "T: int"))  # so that nothing is known of it yet
    document = await shared.open(path)
    await shared.eventually(lambda: bool(shared.pushed(path)))
    (found,) = shared.pushed(path)
    assert found.data is not None
    params = types.CodeActionParams(
        document.identifier, found.range, types.CodeActionContext([found], only=[types.CodeActionKind.QuickFix])
    )
    menu = await shared.client.text_document_code_action_async(params)
    assert menu is not None
    assert [each.title for each in menu] == [f"{SEARCHING} `{found.data['name']}` …"]
    await shared.run(SEARCHED, document.uri, found.data["name"])
    assert "still being searched for" in shared.client.messages[-1].message
    await shared.fixes(document, found)
    async with asyncio.timeout(PATIENCE):
        while any(each.title.startswith(SEARCHING) for each in menu or ()):
            menu = await shared.client.text_document_code_action_async(params)
    assert len(made_to_edit(menu)) == len(menu or ()) > 0
    await shared.run(SEARCHED, document.uri, found.data["name"])
    assert "were searched for" in shared.client.messages[-1].message


@pytest.mark.asyncio(loop_scope="module")
async def test_a_precondition_joins_those_that_there_are(shared: Editor, folder: Path) -> None:
    path = folder / "pad.rw"
    path.write_text(PADS)
    document = await shared.open(path)
    await shared.settled(document)
    first, *_ = await fixes(shared, document)
    applied(shared, document, first)
    assert "  where start >= low, limit <= n + low\n}" in document.text
    shared.save(document)
    assert (await shared.settled(document))[0] == PROVED


@pytest.mark.asyncio(loop_scope="module")
async def test_a_hole_is_filled(shared: Editor, folder: Path) -> None:
    path = folder / "hole.rw"
    path.write_text(UNRESTRICTED.replace("=> X\n}", "=> X\n    where ? // what?\n}"))
    document = await shared.open(path)
    assert (await shared.settled(document))[0].startswith("? unknown")
    first, *_ = await fixes(shared, document)
    applied(shared, document, first)
    assert "    where n == length // what?\n}" in document.text
    shared.save(document)
    assert (await shared.settled(document))[0] == PROVED


@pytest.mark.asyncio(loop_scope="module")
async def test_an_edit_withdraws_the_fixes_of_its_rule(shared: Editor, folder: Path) -> None:
    path = folder / "slice.rw"
    path.write_text(UNRESTRICTED)
    document = await shared.open(path)
    await shared.settled(document)
    pushed = shared.pushed(path)
    await fixes(shared, document)
    shared.replace(document, "=> X\n", "=> slice(X)\n")
    context = types.CodeActionContext(pushed)
    params = types.CodeActionParams(document.identifier, pushed[0].range, context)
    assert not await shared.client.text_document_code_action_async(params)


@pytest.mark.asyncio(loop_scope="module")
async def test_the_holes_of_attributes_are_filled(shared: Editor, folder: Path) -> None:
    path = folder / "pads.rw"
    path.write_text(
        """rule pad_of_pad<T: any> {
  axes A
  map n, low, high, outer_low, outer_high on A
  scalar v: T
  tensor X: T[A: n]

  pad(pad(X, v, low, high), v, outer_low, outer_high) => pad(X, v, low = ?, high = high + ?)

  where low >= 0, high >= 0
}
"""
    )
    document = await shared.open(path)
    assert (await shared.settled(document))[0].startswith("? unknown")
    first, *_ = await fixes(shared, document)
    assert first.title == "Fill in `low + outer_low`, `outer_high`"
    assert first.edit is not None and first.edit.changes is not None
    for edit in reversed(first.edit.changes[document.uri]):
        assert isinstance(edit, types.TextEdit)
        shared.apply(document, edit)
    assert "pad(X, v, low = low + outer_low, high = high + outer_high)" in document.text
    shared.save(document)
    assert (await shared.settled(document))[0] == PROVED
