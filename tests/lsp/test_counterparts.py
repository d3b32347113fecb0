"""From a tensor of a graph on a mesh to its counterpart in the sequential graph, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsp_editor import Document, Editor
from lsprotocol import types

TEXT = """\
graph mlp(x: f32[m, k], a: f32[k, h], b: f32[h, n]) -> y {
  z = max(x @ a, 0)
  y = z @ b
}

graph mlp_tp(x: f32[m, k], a: f32[k, h / tp], b: f32[h / tp, n]) -> y on mesh(tp = 2) {
  u = max(x @ a, 0)
  p = u @ b
  y = all_reduce(add, p, over = tp)
}

refine mlp_tp of mlp {
  a: shard(1, tp)
  b: shard(0, tp)
}
"""


@pytest.mark.asyncio(loop_scope="module")
async def test_a_tensor_leads_to_its_counterpart(shared: Editor, folder: Path) -> None:
    path = folder / "größer.rw"
    path.write_text("// größer\n" + TEXT)
    document = await shared.open(path)
    assert await counterparts(shared, document, "u = max") == []  # nothing was checked yet
    shared.save(document)
    await shared.settled(document)
    assert await counterparts(shared, document, "u = max") == ["max(x @ a, 0)"]
    assert await counterparts(shared, document, "p = u") == ["z @ b"]
    assert await counterparts(shared, document, "a: f32[k, h / tp]") == ["a"]
    assert await counterparts(shared, document, "z = max") == ["max(x @ a, 0)"]
    assert await counterparts(shared, document, "y = z") == ["u @ b", "all_reduce(add, p, over = tp)"]
    assert await counterparts(shared, document, "refine") == await counterparts(shared, document, "tp = 2") == []


async def counterparts(editor: Editor, document: Document, name: str) -> list[str]:
    """What stands where a name leads to."""
    params = types.ImplementationParams(document.identifier, document.range(name).start)
    found = await editor.client.text_document_implementation_async(params)
    assert isinstance(found, list) or found is None
    lines = document.text.split("\n")
    places = [each.range for each in found or () if isinstance(each, types.Location)]
    return [lines[at.start.line][at.start.character : at.end.character] for at in places]
