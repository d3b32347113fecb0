"""What a client's panel of a counterexample is given, over the protocol."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from lsp_editor import PATIENCE, Editor, Kind, made_to_edit, started
from lsp_kernels import BARRIER, written
from lsprotocol import types

SHOW = "rewright.showCounterexample"
PAGE = "rewright.server.counterexample"

REFUTED = """\
rule turned<T: int> {
  axis d
  map n on d
  tensor X: T[d: n]
  X => reverse(X, d)
  where n >= 2, n <= 3
}
"""


async def page_of(editor: Editor, *arguments: Any) -> SimpleNamespace:
    """What the panel of a declaration is given."""
    given = await editor.run(PAGE, *arguments)
    read: SimpleNamespace = json.loads(json.dumps(plain(given)), object_hook=lambda found: SimpleNamespace(**found))
    return read


def printed(program: str) -> str:
    """What a program prints."""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def plain(value: Any) -> Any:
    """The tables and lists that an answer was read from."""
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """One editor for the tests here, which has a panel."""
    async with started(tmp_path_factory.mktemp("shared"), Kind(versions=True, commands=(SHOW,))) as editor:
        yield editor


@pytest.mark.asyncio(loop_scope="module")
async def test_a_panel_has_all_values_and_the_way_of_the_element_until_they_are_gone(
    shared: Editor, folder: Path
) -> None:
    (folder / "refuted.rw").write_text(REFUTED)
    document = await shared.open(folder / "refuted.rw")
    await shared.settled(document)
    (lens,) = [each.command for each in await shared.lenses(document) if each.command and each.command.command == SHOW]
    assert lens.arguments is not None and [*lens.arguments] == [document.uri, "turned"]
    page = await page_of(shared, *lens.arguments)
    assert page.sentence.startswith("at [0] the left reads X[0] = 1, the right reads X[1] = 2")
    assert [each.expression for each in page.steps] == ["X", "X", "reverse(X, d)"]
    (edge,) = page.edges
    assert (edge.element, edge.into) == (1, 0)
    assert [side.value.text for side in page.sides] == ["[⟦1⟧, 2]", "[⟦2⟧, 1]"]
    assert [each.name for each in page.scripts] == ["Markdown", "NumPy"]
    assert printed(page.scripts[1].text).endswith(
        "they differ at [0] left 1 right 2\nthey differ at [1] left 2 right 1\n"
    )
    assert page.pins
    (found,) = shared.pushed(document.path)
    params = types.CodeActionParams(document.identifier, found.range, types.CodeActionContext([found]))
    actions = made_to_edit(await shared.client.text_document_code_action_async(params))
    (pinning,) = [action for action in actions if "Pin" in action.title]
    assert pinning.edit is not None and pinning.edit.document_changes
    (change,) = pinning.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit) and isinstance(change.edits[0], types.TextEdit)
    assert change.edits[0].new_text == "\n\n  example { n = [2]; X = [1, 2] }"
    shared.apply(document, change.edits[0])
    shared.save(document)
    await shared.settled(document)
    assert "refuted by replay" in await shared.hover(document, "turned")
    assert not (await page_of(shared, *lens.arguments)).pins
    shared.replace(document, "reverse(X, d)", "X")
    shared.save(document)
    await shared.settled(document)
    page = await page_of(shared, *lens.arguments)
    assert page.trouble == "turned has no counterexample now: ✓ all ranks and sizes over int"
    assert not any(each.command and each.command.command == SHOW for each in await shared.lenses(document))
    shared.replace(document, "rule turned", "rule straight")
    page = await page_of(shared, *lens.arguments)
    assert page.trouble == "There is no declaration turned in refuted.rw any more."


@pytest.mark.asyncio(loop_scope="module")
async def test_what_stays_unknown_is_accepted_by_a_fix(shared: Editor, folder: Path) -> None:
    (folder / "machine.rw").write_text("rule machine {\n  scalar v: s32\n  v => v\n}\n")
    document = await shared.open(folder / "machine.rw")
    await shared.settled(document)
    reported = [*shared.pushed(document.path), *await shared.problems(document)]
    (found,) = [each for each in reported if each.code == "RW205"]
    (accepted,) = await shared.fixes(document, found)
    assert accepted.edit is not None and accepted.edit.document_changes
    (change,) = accepted.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit) and isinstance(change.edits[0], types.TextEdit)
    assert change.edits[0].new_text == "@expect(unknown)\n"


@pytest.mark.asyncio(loop_scope="module")
async def test_a_race_is_a_timeline_of_its_threads(shared: Editor, folder: Path) -> None:
    path = written(folder)
    path.write_text(path.read_text().replace(BARRIER, ""))
    source = await shared.open(path)
    await shared.eventually(lambda: len(shared.pushed(path)) == 2)
    page = await page_of(shared, source.uri, "sums")
    assert len(page.timeline.threads) == 2
    marked = [(turn.line, event.thread) for turn in page.timeline.turns for event in turn.events if event.collides]
    assert len(marked) == 2 and {thread for _, thread in marked} == {0, 1}
    assert page.timeline.ending == "no barrier between the marked accesses"


@pytest.mark.asyncio(loop_scope="module")
async def test_the_verdict_of_a_kernel_with_a_long_line_stands_above_it(shared: Editor, folder: Path) -> None:
    path = written(folder)
    path.write_text(path.read_text().replace("int n) {", f"int n{' ' * 60}) {{", 1))
    source = await shared.open(path)
    line = source.range("void sums").start.line
    async with asyncio.timeout(PATIENCE):
        while "✓ checked" not in (await shared.titles(source)).get(line, ""):
            await asyncio.sleep(0.02)
    assert line not in await shared.hints(source)
