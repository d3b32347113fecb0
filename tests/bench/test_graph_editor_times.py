"""How long an editor waits for the verdict of a layer of a transformer on 8 ranks, one operator changed and saved."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from lsp_editor import Document, Editor, started
from test_editor_times import Limit, report
from test_library_times import LIBRARY

SAVES = 20
SAVE = Limit("a GPT layer on 8 ranks, save to verdict, p95", baseline=200.0, limit=300.0)
WRONG = Limit("the same, one wrong layer after the other, p95", baseline=400.0, limit=300.0)
"""Above its limit: each save stops the search for fixes of the one before, and its worker with it."""
OPERATOR = "y = t + reduce_scatter(add, tanh(nt @ u + c) @ w, 0, over = tp) + j"
RIGHT = OPERATOR.replace("+ j", "+ {number} * j - {less} * j")


def layer() -> str:
    """The layer of the library and its refinement, on 8 ranks."""
    text = (LIBRARY / "graphs" / "gpt.rw").read_text()
    start, end = text.index("graph layer("), text.index("/// After attention")
    return text[start:end].replace("at tp = 2, 4, 8", "at tp = 8")


@pytest.mark.asyncio
async def test_save_to_verdict_of_a_layer(tmp_path: Path, enforced: bool) -> None:
    path = tmp_path / "gpt.rw"
    path.write_text(layer())
    async with started(tmp_path) as editor:
        document = await editor.open(path)
        await verdict(editor, document, "✓")
        times = [await save(editor, document, 2 * number + 1) for number in range(SAVES)]
        wrong = [await save(editor, document, 2 * number) for number in range(SAVES)]
    report(SAVE, times, enforced)
    report(WRONG, wrong, enforced=False)


def changed(number: int) -> str:
    """The text with another operator: written otherwise, or if the number is even scaled where it must not be."""
    operator = RIGHT.format(number=number + 2, less=number + 1) if number % 2 else f"{OPERATOR} * {number + 2}"
    return layer().replace(OPERATOR, operator)


async def save(editor: Editor, document: Document, number: int) -> float:
    """Types another text, saves, and waits until the verdict is seen."""
    editor.replace(document, document.text, changed(number))
    await editor.hints(document)
    start = time.perf_counter()
    editor.save(document)
    await verdict(editor, document, "✓" if number % 2 else "✗")
    elapsed = 1e3 * (time.perf_counter() - start)
    await asyncio.sleep(0.5)
    return elapsed


async def verdict(editor: Editor, document: Document, mark: str) -> None:
    """Waits until the refinement has a verdict that begins with a mark."""
    line = document.range("refine layer_tp").start.line
    while not (await editor.hints(document)).get(line, "").startswith(mark):
        await asyncio.sleep(0.01)
