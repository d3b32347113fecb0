"""Stories of writing: what is offered, taken and explained, over the protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsp_editor import Document, Editor, Kind, started
from lsp_sources import CUDA, OTHER
from lsprotocol import types
from pygls.exceptions import JsonRpcException


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """One editor for the tests here, which knows the versions of documents."""
    async with started(tmp_path_factory.mktemp("shared"), Kind(versions=True)) as editor:
        yield editor


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


GRAPHS = """\
graph one(X: f32[m]) -> Y {
  Y = X
}

graph other(X: f32[m]) -> Y {
  Y = X
}
"""
REFINED = """\
import "graphs.rw"

refine one of other {
  X: replicate
}
"""


async def renamed(editor: Editor, document: Document, at: str, new: str) -> dict[str, list[str]]:
    """The places, as `line:character`, at which a name becomes another one, by the name of the file."""
    position = document.position(document.text.index(at), editor.encoding)
    params = types.RenameParams(document.identifier, position, new)
    edit = await editor.client.text_document_rename_async(params)
    assert edit is not None and edit.changes is None
    found: dict[str, list[str]] = {}
    for change in edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        is_open = change.text_document.uri == document.uri
        assert change.text_document.version == (document.version if is_open else None)
        starts = [each.range.start for each in change.edits]
        found[Path(change.text_document.uri).name] = [f"{start.line}:{start.character}" for start in starts]
    return found


@pytest.mark.asyncio(loop_scope="module")
async def test_a_name_is_renamed_over_all_files_that_share_it(shared: Editor, folder: Path) -> None:
    (folder / "graphs.rw").write_text(GRAPHS)
    (folder / "own.rw").write_text(GRAPHS)
    (folder / "refined.rw").write_text(REFINED)
    shared.client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams(
            [
                types.FileEvent((folder / name).as_uri(), types.FileChangeType.Created)
                for name in ("graphs.rw", "own.rw")
            ]
        )
    )
    document = await shared.open(folder / "refined.rw")
    assert await renamed(shared, document, "one of", "first") == {"graphs.rw": ["0:6"], "refined.rw": ["2:7"]}
    with pytest.raises(JsonRpcException, match="`other` is declared already"):
        await renamed(shared, document, "one of", "other")
    graphs = await shared.open(folder / "graphs.rw")
    with pytest.raises(JsonRpcException, match="`m` is a name of both graphs that `one of other` compares"):
        await renamed(shared, graphs, "m]", "rows")
    own = await shared.open(folder / "own.rw")
    assert await renamed(shared, own, "m]", "rows") == {"own.rw": ["0:17"]}
    at = document.position(document.text.index("other {"))
    params = types.ReferenceParams(types.ReferenceContext(include_declaration=True), document.identifier, at)
    found = await shared.client.text_document_references_async(params)
    assert [Path(place.uri).name for place in found or ()] == ["graphs.rw", "refined.rw"]
    definition = await shared.client.text_document_definition_async(types.DefinitionParams(document.identifier, at))
    assert isinstance(definition, types.Location) and definition.range.start == types.Position(4, 6)
    symbols = await shared.client.workspace_symbol_async(types.WorkspaceSymbolParams("oTr"))
    names = {
        (Path(each.location.uri).name, each.name) for each in symbols or () if isinstance(each.location, types.Location)
    }
    assert {("graphs.rw", "other"), ("own.rw", "other"), ("refined.rw", "one of other")} <= names


@pytest.mark.asyncio(loop_scope="module")
async def test_a_name_within_a_rule_is_renamed_or_refused_with_a_reason(shared: Editor, folder: Path) -> None:
    (folder / "names.rw").write_text(OTHER)
    document = await shared.open(folder / "names.rw")
    assert await renamed(shared, document, "n on A", "size") == {"names.rw": ["2:6", "3:17"]}
    for new, reason in (
        ("X", "declared already"),
        ("rule", "reserved"),
        ("slice", "an operator's name"),
        ("any", "fixed meaning"),
        ("two words", "is not a name"),
    ):
        with pytest.raises(JsonRpcException, match=reason):
            await renamed(shared, document, "n on A", new)
    at = document.position(document.text.index("reverse("))
    with pytest.raises(JsonRpcException, match="`reverse` is an operator"):
        await shared.client.text_document_prepare_rename_async(types.PrepareRenameParams(document.identifier, at))
    at = document.position(document.text.index("A: n"))
    prepared = await shared.client.text_document_prepare_rename_async(
        types.PrepareRenameParams(document.identifier, at)
    )
    assert isinstance(prepared, types.PrepareRenamePlaceholder) and prepared.placeholder == "A"
    assert [status for status in shared.statuses if status.state == "error"] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_selection_grows_from_a_word_to_the_file(shared: Editor, folder: Path) -> None:
    (folder / "grows.rw").write_text(OTHER)
    document = await shared.open(folder / "grows.rw")
    at = document.position(document.text.index("X, A)"))
    found = await shared.client.text_document_selection_range_async(
        types.SelectionRangeParams(document.identifier, [at])
    )
    assert found is not None
    texts, each = [], found[0]
    lines = document.text.split("\n")
    while each.parent is not None:
        start, end = each.range.start, each.range.end
        texts.append(lines[start.line][start.character : end.character] if start.line == end.line else "…")
        each = each.parent
    assert texts[:3] == ["X", "reverse(X, A)", "reverse(reverse(X, A), A)"]
    assert each.range.start == types.Position(0, 0)


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_wrong_or_not_needed_has_a_fix_and_all_of_a_file_have_one(shared: Editor, folder: Path) -> None:
    text = OTHER.replace("=> X", "=> x").replace("\n}", "\n\n  where 0 <= n, n == n\n}")
    (folder / "wrong.rw").write_text(
        text + OTHER.replace("rule twice", "rule again").replace("=> X", "=> X\n  where 0 <= n")
    )
    document = await shared.open(folder / "wrong.rw")
    (problem,) = await shared.problems(document)
    (action, *_) = await shared.fixes(document, problem)
    assert action.title == "Change `x` to `X`" and action.is_preferred
    await shared.settled(document)
    await shared.eventually(lambda: any(each.code == "RW206" for each in shared.pushed(document.path)))
    greyed = next(each for each in shared.pushed(document.path) if each.code == "RW206")
    assert (await shared.fixes(document, greyed))[0].title == "Leave it out: it is not needed"
    everywhere = types.Range(types.Position(0, 0), types.Position(100, 0))
    context = types.CodeActionContext([], only=[types.CodeActionKind.SourceFixAll])
    params = types.CodeActionParams(document.identifier, everywhere, context)
    (whole,) = await shared.client.text_document_code_action_async(params) or ()
    assert isinstance(whole, types.CodeAction) and whole.edit is not None and whole.edit.document_changes is not None
    (change,) = whole.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit) and change.text_document.version == 1
    assert sorted(each.new_text for each in change.edits if isinstance(each, types.TextEdit)) == ["", "X"]
