"""The formula of a reduction is offered as LaTeX, which a command returns; conditions are shown in fewer words."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import Editor
from lsprotocol import types

from rewright.lsp.commands import LATEX
from rewright.lsp.methods.code_action import COPY

SUM = """rule sum<T: real> {
  axis k
  int n

  reduce(add, iota(T, k, k: n), k) => elem(n * (n - 1)) / 2
}
"""


@pytest.mark.asyncio(loop_scope="module")
async def test_a_reduction_is_copied_as_latex(shared: Editor, folder: Path) -> None:
    path = folder / "sum.rw"
    path.write_text(SUM)
    document = await shared.open(path)
    await shared.settled(document)
    assert "Σ[k < n] k" in await shared.hover(document, "reduce")
    at = document.position(SUM.index("reduce"))
    params = types.CodeActionParams(document.identifier, types.Range(at, at), types.CodeActionContext([]))
    (offered,) = await shared.client.text_document_code_action_async(params) or ()
    assert offered.title == COPY  # of an action with a command lsprotocol reads no more
    asked = types.ExecuteCommandParams(LATEX, [document.uri, at.line, at.character])
    copied = await shared.client.workspace_execute_command_async(asked)
    assert copied == r"\sum_{k=0}^{n - 1} k = \frac{n \left(n - 1\right)}{2}"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_condition_is_shown_in_fewer_words(shared: Editor, folder: Path) -> None:
    path = folder / "condition.rw"
    path.write_text(SUM.replace("/ 2\n", "/ 2\n  where n >= 0, 2 * n - 2 >= n + 1\n"))
    document = await shared.open(path)
    assert "The same condition, shorter:\n```rw\nn >= 3\n```" in await shared.hover(document, ">= n + 1")
    assert "shorter" not in await shared.hover(document, "n >= 0")


@pytest.mark.asyncio(loop_scope="module")
async def test_where_there_is_no_reduction_there_is_nothing_to_copy(shared: Editor, folder: Path) -> None:
    path = folder / "none.rw"
    path.write_text(SUM)
    document = await shared.open(path)
    at = document.position(SUM.index("elem"))
    params = types.CodeActionParams(document.identifier, types.Range(at, at), types.CodeActionContext([]))
    assert not await shared.client.text_document_code_action_async(params)
    asked = types.ExecuteCommandParams(LATEX, [document.uri, at.line, at.character])
    assert await shared.client.workspace_execute_command_async(asked) == ""
