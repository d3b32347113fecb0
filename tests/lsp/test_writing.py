"""Stories of writing: what is offered, taken and explained, over the protocol."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import Document, Editor
from lsp_sources import CUDA, OTHER
from lsprotocol import types


async def offered(editor: Editor, document: Document, at: str) -> dict[str, types.CompletionItem]:
    """What is offered after the first occurrence of a text, by label."""
    position = document.position(document.text.index(at) + len(at), editor.encoding)
    params = types.CompletionParams(document.identifier, position)
    found = await editor.client.text_document_completion_async(params)
    assert isinstance(found, types.CompletionList)
    return {item.label: item for item in found.items}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rule_is_written_from_an_empty_file_by_what_is_offered(shared: Editor, folder: Path) -> None:
    (folder / "empty.rw").write_text("")
    document = await shared.open(folder / "empty.rw")
    item = (await offered(shared, document, ""))["rule"]
    assert item.insert_text_format is types.InsertTextFormat.Snippet
    assert isinstance(item.text_edit, types.TextEdit) and item.text_edit.new_text.startswith("rule ${1:name}<T: any> {")
    resolved = await shared.client.completion_item_resolve_async(item)
    assert isinstance(resolved.documentation, types.MarkupContent) and "rewrite" in resolved.documentation.value


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_offered_replaces_the_word_typed_whatever_units_count(shared: Editor, folder: Path) -> None:
    text = "// 𝒳∀ß\n" + OTHER.replace("tensor X", "tensor 𝒳").replace("reverse(reverse(X, A), A)", "𝒳 + sli")
    text = text.replace("\n", "\r\n")
    (folder / "units.rw").write_bytes(text.encode())
    document = await shared.open(folder / "units.rw")
    found = await offered(shared, document, "+ sli")
    edit = found["slice"].text_edit
    assert isinstance(edit, types.TextEdit) and edit.range == document.range("sli", shared.encoding)
    assert edit.new_text == "slice(${1:𝒳}, ${2:0}, ${3:n})"
    resolved = await shared.client.completion_item_resolve_async(found["slice"])
    assert isinstance(resolved.documentation, types.MarkupContent)
    assert "0 <= start <= limit" in resolved.documentation.value


@pytest.mark.asyncio(loop_scope="module")
async def test_files_that_can_be_named_are_offered(shared: Editor, folder: Path) -> None:
    (folder / "deep").mkdir()
    for name in ("first.cu", "other.rw", "deep/second.cu", "text.md"):
        (folder / name).write_text(CUDA)
    (folder / "names.rw").write_text('import "\nkernel k() from "deep/')
    document = await shared.open(folder / "names.rw")
    assert (await offered(shared, document, 'import "')).keys() == {"deep/", "other.rw"}
    found = await offered(shared, document, 'from "deep/')
    assert found.keys() == {"deep/second.cu"}
    (folder / "outside.rw").write_text('import "../../../')
    document = await shared.open(folder / "outside.rw")
    assert await offered(shared, document, 'import "../../../') == {}


@pytest.mark.asyncio(loop_scope="module")
async def test_a_signature_marks_the_argument_that_is_written(shared: Editor, folder: Path) -> None:
    (folder / "call.rw").write_text(OTHER)
    document = await shared.open(folder / "call.rw")
    position = document.position(document.text.index("(X, A)") + len("(X, "))
    params = types.SignatureHelpParams(document.identifier, position)
    found = await shared.client.text_document_signature_help_async(params)
    assert found is not None and found.active_parameter == 1
    (signature,) = found.signatures
    assert signature.label == "reverse(X, A)" and signature.parameters is not None
    assert [each.label for each in signature.parameters] == [(8, 9), (11, 12)]
    assert (
        await shared.client.text_document_signature_help_async(
            types.SignatureHelpParams(document.identifier, types.Position(0, 0))
        )
        is None
    )


@pytest.mark.asyncio(loop_scope="module")
async def test_a_text_is_formatted_as_a_whole_in_a_range_and_while_it_is_typed(shared: Editor, folder: Path) -> None:
    good = "rule  good{axes A}\n"
    (folder / "layout.rw").write_text(good + "\n\nrule  bad { axes (\n}\n" + "rule  last{axes A}\n")
    document = await shared.open(folder / "layout.rw")
    options = types.FormattingOptions(tab_size=8, insert_spaces=False)
    whole = types.DocumentFormattingParams(document.identifier, options)
    changes = await shared.client.text_document_formatting_async(whole)
    assert {change.range.start.line for change in changes or ()} == {0, 5}
    at = types.Range(types.Position(0, 8), types.Position(0, 8))
    part = await shared.client.text_document_range_formatting_async(
        types.DocumentRangeFormattingParams(document.identifier, at, options)
    )
    assert {change.range.start.line for change in part or ()} == {0}
    (folder / "typed.rw").write_text("rule r {\n  where a <= b,\n")
    document = await shared.open(folder / "typed.rw")
    (indented,) = (
        await shared.client.text_document_on_type_formatting_async(
            types.DocumentOnTypeFormattingParams(document.identifier, types.Position(2, 0), "\n", options)
        )
        or ()
    )
    assert indented.new_text == "    "
