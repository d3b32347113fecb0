"""Fixes of refinements: a collective that was deleted is offered again at the operator that lacks it."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import Document, Editor
from lsprotocol import types

LIBRARY = Path(__file__).parents[2] / "rules" / "graphs"
WHOLE = "y = all_reduce(add, z @ b, over = tp)"


@pytest.mark.asyncio(loop_scope="module")
async def test_an_all_reduce_that_was_deleted_is_put_back(shared: Editor, folder: Path) -> None:
    text = (LIBRARY / "mlp.rw").read_text(encoding="utf-8")
    text = text[: text.index("graph mlp_tp8")]
    path = folder / "mlp.rw"
    path.write_text("// größer\n" + text)
    document = await shared.open(path)
    shared.save(document)
    hints = await shared.settled(document)
    assert [each for each in hints.values() if each[0] in "✓✗?"] == ["✓ all sizes, tp = 2"]

    shared.replace(document, WHOLE, "y = z @ b")
    shared.save(document)
    await shared.eventually(lambda: [each.code for each in shared.pushed(path)] == ["RW402"])
    (found,) = shared.pushed(path)
    assert found.range.start == types.Position(10, 6)
    (action, *others) = await shared.fixes(document, found, least=2)
    assert action.title == "Insert `all_reduce(add, …, over = tp)`" and action.is_preferred
    assert [each.title for each in others] == ["Expect `y: partial(add, tp)`, as it is held"]
    assert action.edit is not None and action.edit.changes is not None
    ((_, (edit,)),) = action.edit.changes.items()
    assert isinstance(edit, types.TextEdit)
    shared.apply(document, edit)
    assert WHOLE in document.text
    shared.save(document)
    hints = await shared.settled(document)
    assert [each for each in hints.values() if each[0] in "✓✗?"] == ["✓ all sizes, tp = 2"] and shared.pushed(
        path
    ) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_the_relation_that_was_found_is_stated(shared: Editor, folder: Path) -> None:
    text = (LIBRARY / "mlp.rw").read_text(encoding="utf-8")
    text = "// größer\n" + text[: text.index("graph mlp_tp8")].replace("  expect y: replicate\n", "")
    path = folder / "unstated.rw"
    path.write_text(text)
    document = await shared.open(path)
    at = document.range("refine mlp_tp2").start
    assert await offered(shared, document, at) == []
    shared.save(document)
    await shared.settled(document)
    (action,) = await offered(shared, document, at)
    assert action.title == "Expect `y: replicate`, as it is held"
    assert action.edit is not None and action.edit.changes is not None
    ((_, (edit,)),) = action.edit.changes.items()
    assert isinstance(edit, types.TextEdit)
    shared.apply(document, edit)
    assert document.text.rstrip().endswith("  b: shard(0, tp)\n  expect y: replicate\n}")
    shared.save(document)
    hints = await shared.settled(document)
    assert [each for each in hints.values() if each[0] in "✓✗?"] == ["✓ all sizes, tp = 2"]
    assert await offered(shared, document, at) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_layer_that_is_called_twice_is_mended_once(shared: Editor, folder: Path) -> None:
    text = (LIBRARY / "calls.rw").read_text(encoding="utf-8")
    text = text[: text.index("refine model_tp of model")] + "refine model_tp of model at tp = 2 {\n"
    text += "".join(f"  {name}: shard({d}, tp)\n" for name, d in (("a", 1), ("b", 0), ("e", 1), ("f", 0)))
    text += "  expect y: replicate\n}\n"
    right = "all_reduce(add, max(x @ a, 0) @ b, over = tp)"
    assert text.count(right) == 1
    path = folder / "called.rw"
    path.write_text("// größer\n" + text.replace(right, "max(x @ a, 0) @ b"))
    document = await shared.open(path)
    shared.save(document)
    await shared.eventually(lambda: [each.code for each in shared.pushed(path)] == ["RW402"])
    (found,) = shared.pushed(path)
    actions = await shared.fixes(document, found)
    action = next(each for each in actions if each.title.endswith("in `layer_tp`"))
    assert action.edit is not None and action.edit.changes is not None
    ((_, (edit,)),) = action.edit.changes.items()
    assert isinstance(edit, types.TextEdit)
    shared.apply(document, edit)
    assert right in document.text
    shared.save(document)
    await shared.settled(document)
    assert shared.pushed(path) == []


async def offered(editor: Editor, document: Document, at: types.Position) -> list[types.CodeAction]:
    """The actions at a place that change the text in another way than a fix."""
    context = types.CodeActionContext([], only=[types.CodeActionKind.RefactorRewrite])
    found = await editor.client.text_document_code_action_async(
        types.CodeActionParams(document.identifier, types.Range(at, at), context)
    )
    return [each for each in found or () if isinstance(each, types.CodeAction)]
