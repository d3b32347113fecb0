"""Stories of graphs in sources: findings in the text that a compiler printed, from unsaved buffers too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lsp_editor import Editor
from lsprotocol import types

LIBRARY = Path(__file__).parents[2] / "rules" / "graphs" / "jax"
TEXT = """graph mlp from "mlp.mlir"::main
graph mlp_tp from "mlp_tp.mlir"::main

refine mlp_tp of mlp
"""
PSUM = "sdy.return %5"


def codes(found: list[types.Diagnostic]) -> list[object]:
    return [each.code for each in found]


@pytest.mark.asyncio(loop_scope="module")
async def test_a_collective_that_is_gone_is_underlined_in_the_text_with_the_model_s_line(
    shared: Editor, folder: Path
) -> None:
    for name in ("mlp.mlir", "mlp_tp.mlir", "models.py"):
        shutil.copy(LIBRARY / name, folder / name)
    (folder / "mlp.rw").write_text(TEXT)
    rules = await shared.open(folder / "mlp.rw")
    shared.save(rules)
    source = await shared.open(folder / "mlp_tp.mlir")
    hints = await shared.settled(rules)
    assert [each[0] for each in hints.values()] == ["✓"]

    shared.replace(source, PSUM, "sdy.return %4")
    shared.save(source)
    await shared.eventually(lambda: codes(shared.pushed(source.path)) == ["RW402"])
    (found,) = shared.pushed(source.path)
    assert found.range.start == source.range("%4 = stablehlo.dot_general").start
    places = {each.location.uri: each.message for each in found.related_information or ()}
    assert places[(folder / "models.py").as_uri()] == "the model says this here"

    shared.replace(source, "sdy.return %4", "sdy.return %")
    await shared.eventually(lambda: "RW205" in codes(shared.pushed(source.path)))
    shared.replace(source, "sdy.return %", PSUM)
    shared.save(source)
    await shared.eventually(lambda: shared.pushed(source.path) == [])
    assert [each[0] for each in (await shared.settled(rules)).values()] == ["✓"]
