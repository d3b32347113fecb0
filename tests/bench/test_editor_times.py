"""How long an editor waits, over the real server: from a save to its verdict, from a key to names and shapes.

Each value is printed with its ratio to a baseline measured on a machine of two cores, and with its limit.
"""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from lsp_editor import Document, Editor, Kind, started
from lsprotocol import types

RULES = 100
SAVES = 50
LINES = 5000
KEYS = 200
FILES = 4
"""Of so many rules each, in the workspace that is opened again."""


@dataclass(frozen=True, slots=True)
class Limit:
    """What is measured, in milliseconds: what it was when the baseline was taken, and what it may be."""

    name: str
    baseline: float
    limit: float


SAVE = Limit("save to verdict, p95", baseline=38.0, limit=60.0)
COMPLETION = Limit("completion in 10,000 lines, p95", baseline=10.0, limit=30.0)
SIGNATURE = Limit("signature in 10,000 lines, p95", baseline=2.0, limit=20.0)
FORMAT = Limit("formatting 1,000 lines, p95", baseline=60.0, limit=150.0)
KEY = Limit("keystroke to names and shapes in 5,000 lines, p95", baseline=10.0, limit=20.0)
TOKENS = Limit("keystroke to the colours of what is seen in 5,000 lines, p95", baseline=10.0, limit=20.0)
OPENING = Limit("opening a checked workspace of 400 declarations to all verdicts", baseline=550.0, limit=1000.0)


def rule(number: int, shift: int | None = None, beyond: str = "") -> str:
    """A rule of ten lines that needs all that it demands; each shift, usually its number, gives it another meaning.

    It is true if nothing is added to what it says `beyond` the limit.
    """
    shift = number if shift is None else shift
    return f"""\
rule r{number}<T: any> {{
  axes A
  map n, start, length, limit on A
  tensor X: T[A: n]

  dynamic_slice(X, start + {shift}, length) => slice(X, start + {shift}, limit + {shift}{beyond})

  where 0 <= start, limit == start + length, limit + {shift} <= n
}}

"""


def report(what: Limit, milliseconds: list[float], enforced: bool) -> None:
    """Prints what was measured against what is expected, and fails above the limit if that is asked for."""
    ordered = sorted(milliseconds)
    p50, p95 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95) - 1]
    ratio = p95 / what.baseline
    print(
        f"\n{what.name}: {p95:.1f} ms, {ratio:.2f} of the baseline {what.baseline:g} ms, limit {what.limit:g} ms"
        f" (median {p50:.1f} ms, worst {ordered[-1]:.1f} ms, {len(ordered)} measured)"
    )
    assert not enforced or p95 <= what.limit, f"{what.name} is {p95:.1f} ms, above {what.limit:g} ms"


@pytest.mark.asyncio
async def test_save_to_verdict(tmp_path: Path, enforced: bool) -> None:
    path = tmp_path / "hundred.rw"
    path.write_text("".join(rule(number) for number in range(RULES)))
    async with started(tmp_path) as editor:
        document = await editor.open(path)
        await editor.settled(document, patience=300)
        gc.disable()
        times = [await save(editor, document, number) for number in range(SAVES)]
        gc.enable()
    report(SAVE, times, enforced)


async def save(editor: Editor, document: Document, number: int) -> float:
    """Changes what a rule says, every other one to something wrong, saves, and waits until the verdict is seen."""
    editor.replace(document, rule(number), rule(number, number + RULES, " + 1" if number % 2 else ""))
    await editor.pull(document)
    await editor.hints(document)
    seen = refuted(editor, document, number) if number % 2 else proved(editor, document, number)
    start = time.perf_counter()
    editor.save(document)
    async with asyncio.timeout(20):
        await seen
    elapsed = 1e3 * (time.perf_counter() - start)
    await asyncio.sleep(0.15)
    return elapsed


async def proved(editor: Editor, document: Document, number: int) -> None:
    """Asks for the hints again whenever the server says so, until the rule has its tick."""
    known = len(editor.hint_refreshes)
    hint = ""
    while not hint.startswith("✓"):
        known = await editor.refreshed(known)
        hint = await editor.hint(document, f"rule r{number}<")


async def refuted(editor: Editor, document: Document, number: int) -> None:
    """Waits for an error in the rule."""
    line = document.range(f"rule r{number}<").start.line

    def shown() -> bool:
        inside = range(line, line + 9)
        return any(found.range.start.line in inside for found in editor.pushed(document.path))

    await editor.eventually(shown)


@pytest.mark.asyncio
async def test_keystroke_to_names_and_shapes(tmp_path: Path, enforced: bool) -> None:
    path = tmp_path / "long.rw"
    path.write_text("".join(rule(number) for number in range(LINES // 10)))
    async with started(tmp_path) as editor:
        document = await editor.open(path)
        await editor.settled(document, patience=600)
        assert document.text.count("\n") == LINES
        times = [await press(editor, document, place) for place in places(document)]
        colours = [await colour(editor, document, place) for place in places(document)]
    report(KEY, times, enforced)
    report(TOKENS, colours, enforced)


async def colour(editor: Editor, document: Document, place: int) -> float:
    """Types a letter in a name, measures until the fifty lines around it have their colours, and takes it back."""
    at = document.position(place)
    changes = [types.TextDocumentContentChangePartial(types.Range(at, at), "q")]
    seen = types.Range(types.Position(max(0, at.line - 25), 0), types.Position(at.line + 25, 0))
    start = time.perf_counter()
    type_into(editor, document, changes)
    params = types.SemanticTokensRangeParams(document.identifier, seen)
    tokens = await editor.client.text_document_semantic_tokens_range_async(params)
    elapsed = 1e3 * (time.perf_counter() - start)
    assert tokens is not None and len(tokens.data) > 500
    undone = types.Range(at, document.position(place + 1))
    type_into(editor, document, [types.TextDocumentContentChangePartial(undone, "")])
    return elapsed


@pytest.mark.asyncio
async def test_a_checked_workspace_is_opened(tmp_path: Path, enforced: bool) -> None:
    paths = [tmp_path / f"rules{number}.rw" for number in range(FILES)]
    for number, path in enumerate(paths):
        path.write_text("".join(rule(each) for each in range(number * RULES, (number + 1) * RULES)))
    await opened(tmp_path, paths)
    times = [await opened(tmp_path, paths) for _ in range(5)]
    report(OPENING, times, enforced)


async def opened(folder: Path, paths: list[Path]) -> float:
    """Starts a server and opens files; returns the milliseconds until each declaration has its verdict."""
    start = time.perf_counter()
    async with started(folder) as editor:
        documents = [await editor.open(path) for path in paths]
        for document in documents:
            await editor.decided(document, patience=600)
        elapsed = 1e3 * (time.perf_counter() - start)
        assert sum(row["verdict"] == "proved" for row in await editor.rows()) == FILES * RULES
        print(f"\nmemory: {memory(editor.process)}; processor time of the server: {processor(editor.process):.2f} s")
    return elapsed


def memory(server: int) -> str:
    """The largest resident memory of the server and of each worker that it has now."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    parts = [f"server {resident(server)} MiB", *(f"worker {resident(int(each))} MiB" for each in children)]
    return ", ".join(parts)


def resident(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) // 1024


def processor(process: int) -> float:
    """The seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.asyncio
async def test_completion_and_signature(tmp_path: Path, enforced: bool) -> None:
    path = tmp_path / "longest.rw"
    path.write_text("".join(rule(number) for number in range(1000)))
    completions, signatures = [], []
    async with started(tmp_path, Kind(options={"check": {"trigger": "manual", "workers": 1}})) as editor:
        document = await editor.open(path)
        await editor.pull(document)
        for place in places(document):
            at = document.position(document.text.rindex("slice(X, ", 0, place) + len("slice(X, "))
            start = time.perf_counter()
            await editor.client.text_document_completion_async(types.CompletionParams(document.identifier, at))
            between = time.perf_counter()
            await editor.client.text_document_signature_help_async(types.SignatureHelpParams(document.identifier, at))
            completions.append(1e3 * (between - start))
            signatures.append(1e3 * (time.perf_counter() - between))
    report(COMPLETION, completions, enforced)
    report(SIGNATURE, signatures, enforced)


@pytest.mark.asyncio
async def test_formatting(tmp_path: Path, enforced: bool) -> None:
    path = tmp_path / "hundred.rw"
    path.write_text("".join(rule(number) for number in range(100)).replace(", ", " ,"))
    times = []
    async with started(tmp_path, Kind(options={"check": {"trigger": "manual", "workers": 1}})) as editor:
        document = await editor.open(path)
        await editor.pull(document)
        params = types.DocumentFormattingParams(document.identifier, types.FormattingOptions(2, True))
        for _ in range(20):
            start = time.perf_counter()
            assert await editor.client.text_document_formatting_async(params)
            times.append(1e3 * (time.perf_counter() - start))
    report(FORMAT, times, enforced)


def places(document: Document) -> Iterator[int]:
    """Places all over the file, in the middle of names."""
    for number in range(KEYS):
        yield document.text.index("limit == start", len(document.text) * number // (KEYS + 2)) + 2


async def press(editor: Editor, document: Document, place: int) -> float:
    """Types a letter in a name, measures until its error is there, and takes the letter back."""
    changes = [types.TextDocumentContentChangePartial(types.Range(at, at), "q") for at in [document.position(place)]]
    start = time.perf_counter()
    type_into(editor, document, changes)
    (problem,) = await editor.problems(document)
    elapsed = 1e3 * (time.perf_counter() - start)
    assert "liqmit" in problem.message
    undone = types.Range(document.position(place), document.position(place + 1))
    type_into(editor, document, [types.TextDocumentContentChangePartial(undone, "")])
    assert await editor.problems(document) == []
    return elapsed


def type_into(editor: Editor, document: Document, changes: list[types.TextDocumentContentChangePartial]) -> None:
    document.version += 1
    identifier = types.VersionedTextDocumentIdentifier(document.version, document.uri)
    editor.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, list(changes)))
