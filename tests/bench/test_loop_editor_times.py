"""How long an editor waits for the verdict of a loop nest in C after a save: a product of matrices in tiles."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from lsp_editor import Document, Editor, started
from test_editor_times import Limit, report

SAVES = 20
SAVE = Limit("tiled product of matrices in C, save to verdict, p95", baseline=250.0, limit=1000.0)
PRODUCT = """#define min(a, b) ((a) < (b) ? (a) : (b))

void product(int N, double A[N][N], double B[N][N], double C[N][N]) {
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}

#pragma rewright transform product_tiled of product
void product_tiled(int N, double A[N][N], double B[N][N], double C[N][N]) {
  for (int ii = 0; ii < N; ii += 32)
    for (int jj = 0; jj < N; jj += 32)
      for (int kk = 0; kk < N; kk += 32)
        for (int i = ii; i < min(ii + 32, N); i++)
          for (int j = jj; j < min(jj + 32, N); j++)
            for (int k = kk; k < min(kk + 32, N); k++)
              C[i][j] += A[i][k] * B[k][j];
}
"""


def tiled(number: int) -> str:
    """The text with tiles of another size each time, up to 32; every other one loses the rest of the rows."""
    size = 33 - SAVES + number
    text = PRODUCT.replace("32", str(size))
    return text if number % 2 else text.replace(f"i < min(ii + {size}, N)", f"i < min(ii + {size - 1}, N)")


@pytest.mark.asyncio
async def test_save_to_verdict_of_a_tiled_product(tmp_path: Path, enforced: bool) -> None:
    path = tmp_path / "product.c"
    path.write_text(PRODUCT)
    async with started(tmp_path) as editor:
        document = await editor.open(path)
        await verdict(editor, document, "✓")
        times = [await save(editor, document, number) for number in range(SAVES)]
    report(SAVE, times, enforced)


async def save(editor: Editor, document: Document, number: int) -> float:
    """Types another text, saves, and waits until the verdict is seen."""
    editor.replace(document, document.text, tiled(number))
    await editor.hints(document)
    start = time.perf_counter()
    editor.save(document)
    await verdict(editor, document, "✓" if number % 2 else "✗")
    elapsed = 1e3 * (time.perf_counter() - start)
    await asyncio.sleep(0.15)
    return elapsed


async def verdict(editor: Editor, document: Document, mark: str) -> None:
    """Waits until the transform has a verdict that begins with a mark."""
    line = document.range("transform product_tiled").start.line
    while not (await editor.hints(document)).get(line, "").startswith(mark):
        await asyncio.sleep(0.01)
