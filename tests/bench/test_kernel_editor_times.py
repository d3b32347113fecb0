"""How long an editor waits in a CUDA file: from a save to the verdict, and what typing in a long one costs.

The kernel is the layer norm that the tests in the real editor tell of, with its header, macros, templates and shuffles.
"""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from lsp_editor import Document, Editor, started
from lsprotocol import types
from test_editor_times import Limit, report, type_into

KERNELS = Path(__file__).parent.parent / "e2e/kernels"
SAVES = 20
KEYS = 50
COPIES = 40
LAUNCHED = 10
"""Of so many kernels one says how it is launched."""

EPSILON = "1e-5f"
BARRIER = "  if (lane == 0) partial[warp] = sum;\n  __syncthreads();\n"
NAME = "void layer_norm"

SAVE = Limit("layer norm, save to verdict, p95", baseline=450.0, limit=250.0)
KEY = Limit("keystroke in 2,000 lines of CUDA, answer to a request, p95", baseline=10.0, limit=20.0)
SEEN = Limit("keystroke in 2,000 lines of CUDA to what is not known, p95", baseline=300.0, limit=1000.0)


@pytest.mark.asyncio
async def test_save_to_verdict_of_a_kernel(tmp_path: Path, enforced: bool) -> None:
    (tmp_path / "reductions.cuh").write_text((KERNELS / "reductions.cuh").read_text())
    path = tmp_path / "layer_norm.cu"
    path.write_text((KERNELS / "layer_norm.cu").read_text())
    async with started(tmp_path) as editor:
        document = await editor.open(path)
        await editor.until(lambda: True)
        await verdict(editor, document, "✓")
        times = [await save(editor, document, number) for number in range(SAVES)]
    report(SAVE, times, enforced)


async def save(editor: Editor, document: Document, number: int) -> float:
    """Makes another kernel of it, every other one without a barrier, saves, and waits until the verdict is seen."""
    editor.replace(document, EPSILON if not number else f"{number}e-6f", f"{number + 1}e-6f")
    without = BARRIER.replace("  __syncthreads();\n", "")
    editor.replace(document, without if number % 2 else BARRIER, BARRIER if number % 2 else without)
    await editor.titles(document)
    start = time.perf_counter()
    editor.save(document)
    await verdict(editor, document, "✓" if number % 2 else "✗")
    elapsed = 1e3 * (time.perf_counter() - start)
    await asyncio.sleep(0.15)
    return elapsed


async def verdict(editor: Editor, document: Document, mark: str) -> None:
    """Asks for the lenses again whenever the server says that there is something new, until the kernel has this mark.

    Its line is long, so the verdict stands above it.
    """
    known, line = len(editor.hint_refreshes), document.range(NAME).start.line
    while f" {mark} " not in (await editor.titles(document)).get(line, ""):
        known = await editor.refreshed(known)


@pytest.mark.asyncio
async def test_keystrokes_in_a_long_source(tmp_path: Path, enforced: bool) -> None:
    (tmp_path / "reductions.cuh").write_text((KERNELS / "reductions.cuh").read_text())
    head, kernel = (KERNELS / "layer_norm.cu").read_text().split("// rewright", 1)
    words = ["// rewright" if number % LAUNCHED == 0 else "//" for number in range(COPIES)]
    copies = (f"{word}{kernel}".replace("layer_norm", f"layer_norm_{n}") for n, word in enumerate(words))
    path = tmp_path / "long.cu"
    path.write_text(head + "\n".join(copies))
    answers, seen = [], []
    async with started(tmp_path, None) as editor:
        document = await editor.open(path)
        await editor.settled(document, patience=300)
        assert document.text.count("\n") > 1600
        for number in range(KEYS):
            answered, shown = await press(editor, document, LAUNCHED * number % COPIES)
            answers.append(answered)
            seen.append(shown)
    report(KEY, answers, enforced)
    report(SEEN, seen, enforced)


async def press(editor: Editor, document: Document, number: int) -> tuple[float, float]:
    """Types a letter in a name: how long a request takes then, and how long until the name is told as not known."""
    at = document.position(document.text.index("squares = warp_sum", document.text.index(f"layer_norm_{number}(")) + 11)
    start = time.perf_counter()
    type_into(editor, document, [types.TextDocumentContentChangePartial(types.Range(at, at), "q")])
    await editor.hints(document)
    answered = 1e3 * (time.perf_counter() - start)
    await editor.eventually(lambda: any("wqarp_sum" in found.message for found in editor.pushed(document.path)))
    shown = 1e3 * (time.perf_counter() - start)
    after = types.Position(at.line, at.character + 1)
    type_into(editor, document, [types.TextDocumentContentChangePartial(types.Range(at, after), "")])
    await editor.eventually(lambda: not any("wqarp" in found.message for found in editor.pushed(document.path)))
    return answered, shown
