"""Stories of half-typed text: nothing raises, problems stand where they are, other declarations keep their verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import Document, Editor, Kind, started
from lsp_sources import CUDA, KERNEL, OTHER, PROVED, RIGHT, RULE, WRONG
from lsprotocol import types


async def everything(editor: Editor, document: Document) -> None:
    """Asks all that an editor asks of a document, at every place of its text."""
    identifier, client = document.identifier, editor.client
    await editor.pull(document)
    await editor.hints(document)
    await client.text_document_document_symbol_async(types.DocumentSymbolParams(identifier))
    await client.text_document_folding_range_async(types.FoldingRangeParams(identifier))
    await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(identifier))
    for offset in range(0, len(document.text) + 1, 5):
        position = document.position(offset)
        await client.text_document_hover_async(types.HoverParams(identifier, position))
        await client.text_document_definition_async(types.DefinitionParams(identifier, position))


@pytest.mark.asyncio(loop_scope="module")
async def test_a_file_typed_key_by_key_gets_answers_all_the_way(shared: Editor, folder: Path) -> None:
    path = folder / "typed.rw"
    path.write_text("")
    document = await shared.open(path)
    for number, key in enumerate(RULE):
        end = types.Range(document.position(len(document.text)), document.position(len(document.text)))
        document.text += key
        document.version += 1
        shared.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(document.version, document.uri),
                [types.TextDocumentContentChangePartial(end, key)],
            )
        )
        if number % 40 == 0:
            await everything(shared, document)
    assert await shared.problems(document) == []
    shared.save(document)
    assert (await shared.settled(document))[1] == PROVED
    assert [status for status in shared.statuses if status.state == "error"] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_name_that_is_not_declared_is_reported_at_once_and_at_its_place(shared: Editor, folder: Path) -> None:
    path = folder / "names.rw"
    path.write_text(RULE + OTHER)
    document = await shared.open(path)
    await shared.settled(document)
    shared.replace(document, "X, start, limit)", "X, start, limti)")
    (problem,) = await shared.problems(document)
    assert problem.range == document.range("limti")
    assert problem.code is not None and str(problem.code).startswith("RW1")
    assert "limti" in problem.message
    hints = await shared.hints(document)
    assert hints[1].startswith("✗") and PROVED in hints.values()


@pytest.mark.asyncio(loop_scope="module")
async def test_an_unfinished_declaration_does_not_swallow_the_next(shared: Editor, folder: Path) -> None:
    path = folder / "half.rw"
    path.write_text("rule half<T: any> {\n  axes A\n  tensor X: T[A: \n\n" + OTHER)
    document = await shared.open(path)
    hints = await shared.settled(document)
    assert hints[document.range("rule twice").start.line] == PROVED
    problems = await shared.problems(document)
    assert problems and all(found.range.start.line < document.range("rule twice").start.line for found in problems)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_client_that_has_the_diagnostics_is_not_sent_them_again(shared: Editor, folder: Path) -> None:
    path = folder / "slice.rw"
    path.write_text(RULE.replace(RIGHT, "=> slice(X, start, limti)"))
    document = await shared.open(path)
    first = await shared.pull(document)
    assert isinstance(first, types.RelatedFullDocumentDiagnosticReport) and len(first.items) == 1
    again = await shared.pull(document, first.result_id)
    assert isinstance(again, types.RelatedUnchangedDocumentDiagnosticReport)
    shared.replace(document, "limti", "limit")
    last = await shared.pull(document, first.result_id)
    assert isinstance(last, types.RelatedFullDocumentDiagnosticReport) and not last.items


@pytest.mark.asyncio(loop_scope="module")
async def test_documents_that_are_not_ours_have_nothing(shared: Editor, folder: Path) -> None:
    (folder / "shift.cu").write_text(CUDA)
    await everything(shared, await shared.open(folder / "shift.cu"))
    unknown = Document(folder / "never_opened.rw", RULE)
    await everything(shared, unknown)
    shared.replace(unknown, RIGHT, WRONG)
    shared.client.text_document_did_save(types.DidSaveTextDocumentParams(unknown.identifier))
    shared.close(unknown)
    await everything(shared, unknown)
    assert [status for status in shared.statuses if status.state == "error"] == []


@pytest.mark.asyncio
async def test_an_untitled_document_is_checked_too(editor: Editor) -> None:
    item = types.TextDocumentItem("untitled:Untitled-1", "rewright", 1, OTHER + KERNEL)
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await editor.eventually(lambda: bool(editor.statuses) and editor.statuses[-1].proved == 1)
    empty = types.TextDocumentItem("untitled:Untitled-2", "rewright", 1, "")
    new = OTHER.replace("reverse(reverse(X, A), A) => X", "X => reverse(reverse(X, A), A)")  # no answer is known of it
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(empty))
    typed = types.DidChangeTextDocumentParams(
        types.VersionedTextDocumentIdentifier(2, empty.uri), [types.TextDocumentContentChangeWholeDocument(new)]
    )
    editor.client.text_document_did_change(typed)
    await editor.eventually(lambda: editor.statuses[-1].proved == 2)


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_ranges_count_the_agreed_units_and_any_line_end(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "units.rw"
    text = ("// 𝒳∀ß\n" + OTHER.replace("X", "𝒳").replace("=> 𝒳", "=> Ẋ")).replace("\n", "\r\n")
    path.write_bytes(text.encode())
    async with started(tmp_path, Kind(encodings=("utf-16", encoding))) as editor:
        assert editor.encoding == ("utf-8" if encoding == "utf-8" else "utf-16")
        document = await editor.open(path)
        (problem,) = await editor.problems(document)
        assert problem.range == document.range("Ẋ", editor.encoding)
        editor.replace(document, "Ẋ", "𝒳")
        assert await editor.problems(document) == []
        editor.save(document)
        hints = await editor.settled(document)
        assert hints == {1: PROVED}
