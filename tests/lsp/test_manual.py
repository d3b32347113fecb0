"""Codes lead to their pages, which are documents of the editor, or files where it cannot show those."""

from __future__ import annotations

from pathlib import Path
from urllib.request import url2pathname

import pytest
from lsp_editor import Editor
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from rewright.lsp.client import client_of
from rewright.lsp.manual import page_of_code, text_at


@pytest.mark.asyncio(loop_scope="module")
async def test_the_code_of_a_problem_opens_its_page_in_the_editor(shared: Editor, folder: Path) -> None:
    assert shared.capabilities is not None and shared.capabilities.workspace is not None
    assert shared.capabilities.workspace.text_document_content is not None
    (folder / "wrong.rw").write_text("rule f {\n  axes A\n  A => B\n}\n")
    document = await shared.open(folder / "wrong.rw")
    found = (await shared.problems(document))[0]
    assert found.code_description is not None and found.code_description.href == f"rewright:/codes/{found.code}.md"
    params = types.TextDocumentContentParams(found.code_description.href)
    page = await shared.client.workspace_text_document_content_async(params)
    assert page.text.startswith(f"# {found.code}: ")
    with pytest.raises(JsonRpcException, match="there is no page"):
        await shared.client.workspace_text_document_content_async(types.TextDocumentContentParams("rewright:/x.md"))


def test_a_client_that_shows_no_such_documents_gets_the_file() -> None:
    href = page_of_code("RW201", client_of(types.ClientCapabilities()))
    assert Path(url2pathname(href.removeprefix("file://"))).read_text("utf-8") == text_at("rewright:/codes/RW201.md")


def test_no_file_beside_the_pages_is_read() -> None:
    assert text_at("rewright:/tutorial.md") is not None
    for uri in ("rewright:/../README.md", "rewright:/codes/../index.md", "file:///index.md"):
        assert text_at(uri) is None
