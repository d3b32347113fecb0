"""Stories of a rule: proved, broken, fixed; what is shown meanwhile and from where."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from lsp_editor import PATIENCE, Editor, Kind, started
from lsp_sources import OTHER, PROVED, RIGHT, RULE, WRONG
from lsprotocol import types

NAME = "dynamic_slice_to_slice"


@pytest.mark.asyncio
async def test_a_right_rule_has_a_tick_when_its_file_is_opened(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "slice.rw"
    path.write_text(RULE)
    document = await editor.open(path)
    assert (await editor.settled(document))[1] == PROVED
    assert await editor.problems(document) == []
    assert editor.pushed(path) == []
    status = editor.statuses[-1]
    assert (status.state, status.proved, status.refuted, status.pending) == ("idle", 1, 0, 0)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_broken_rule_shows_a_counterexample_at_its_line_and_fixed_its_tick(
    shared: Editor, folder: Path
) -> None:
    path = folder / "slice.rw"
    path.write_text(RULE)
    document = await shared.open(path)
    await shared.settled(document)

    shared.replace(document, RIGHT, WRONG)
    shared.save(document)
    hints = await shared.settled(document)
    assert hints[1].startswith("✗ refuted")
    (found,) = shared.pushed(path)
    assert found.severity is types.DiagnosticSeverity.Error
    assert found.range.start.line == document.range(WRONG).start.line
    assert found.code == "RW201" or found.code in {"RW202", "RW203"}
    assert found.code_description is not None and found.code_description.href.endswith(f"/{found.code}.md")
    assert found.data is not None and found.data["name"] == NAME
    assert shared.published[-1].version == document.version
    hover = await shared.hover(document, WRONG, 4)
    assert "Counterexample" in hover and "| input | value |" in hover and "replayed" in hover

    shared.replace(document, WRONG, RIGHT)
    shared.save(document)
    assert (await shared.settled(document))[1] == PROVED
    assert shared.pushed(path) == []


@pytest.mark.asyncio
async def test_an_edit_outdates_one_verdict_and_its_findings_until_the_next_save(
    editor: Editor, tmp_path: Path
) -> None:
    path = tmp_path / "slice.rw"
    path.write_text(RULE.replace(RIGHT, WRONG) + OTHER)
    document = await editor.open(path)
    await editor.settled(document)
    (found,) = editor.pushed(path)

    editor.replace(document, WRONG, RIGHT)
    await editor.eventually(lambda: any(old.message.startswith("outdated: ") for old in editor.pushed(path)))
    (old,) = editor.pushed(path)
    assert old.message == f"outdated: {found.message}"
    assert old.severity is types.DiagnosticSeverity.Warning
    assert old.range == document.range(NAME)
    assert await editor.hint(document, f"rule {NAME}") == "· not checked"
    assert await editor.hint(document, "rule twice_reversed") == PROVED

    editor.save(document)
    assert set((await editor.settled(document)).values()) == {PROVED}
    assert editor.pushed(path) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_of_two_saves_in_a_row_the_later_wins(shared: Editor, folder: Path) -> None:
    path = folder / "slice.rw"
    path.write_text(RULE)
    document = await shared.open(path)
    await shared.settled(document)
    for _ in range(3):
        shared.replace(document, RIGHT, WRONG)
        shared.save(document)
        shared.replace(document, WRONG, RIGHT)
        shared.save(document)
    assert (await shared.settled(document))[1] == PROVED
    assert shared.pushed(path) == []
    shared.replace(document, RIGHT, WRONG)
    shared.save(document)
    shared.replace(document, WRONG, RIGHT)
    shared.save(document)
    shared.replace(document, RIGHT, WRONG)
    shared.save(document)
    assert (await shared.settled(document))[1].startswith("✗")
    assert len(shared.pushed(path)) == 1


@pytest.mark.asyncio
async def test_a_comment_changes_nothing_and_asks_nothing(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "slice.rw"
    path.write_text(RULE)
    document = await editor.open(path)
    await editor.settled(document)
    await editor.eventually(lambda: (editor.statuses[-1].state, editor.statuses[-1].proved) == ("idle", 1))
    before = len(editor.statuses)
    editor.replace(document, "  axes A\n", "  axes A  // any number of them\n\n")
    assert (await editor.hints(document))[1] == PROVED
    editor.save(document)
    assert (await editor.hints(document))[1] == PROVED
    await editor.settled(document)
    assert [status.state for status in editor.statuses[before:]] == []


@pytest.mark.asyncio
async def test_a_client_that_cannot_pull_gets_everything_pushed(tmp_path: Path) -> None:
    path = tmp_path / "slice.rw"
    path.write_text(RULE.replace("X, start, limit)", "X, start, limti)") + OTHER.replace("=> X", "=> reverse(X, A)"))
    async with started(tmp_path, Kind(pulls=False)) as editor:
        document = await editor.open(path)
        await editor.settled(document)
        by_line = {found.range.start.line: found for found in editor.pushed(path)}
        assert set(by_line) == {document.range("=> slice").start.line, document.range("=> reverse").start.line}
        editor.replace(document, "limti", "limit")
        await editor.eventually(lambda: len(editor.pushed(path)) == 1)
        editor.close(document)


@pytest.mark.asyncio
async def test_what_is_only_checked_on_command_waits_for_it(tmp_path: Path) -> None:
    path = tmp_path / "slice.rw"
    path.write_text(RULE + OTHER.replace("=> X", "=> reverse(X, A)"))
    async with started(tmp_path, Kind(options={"check": {"trigger": "manual", "workers": 1}})) as editor:
        document = await editor.open(path)
        editor.save(document)
        assert (await editor.hints(document))[1] == "· not checked"
        assert (await editor.titles(document))[0] == "Rewright: 2 not checked · check"
        first, other = await editor.rows()
        assert (first["uri"], first["line"], first["label"]) == (document.uri, 1, "· not checked")
        editor.client.set_trace(types.SetTraceParams(types.TraceValue.Verbose))

        await editor.run("rewright.server.checkAt", document.uri, other["line"] + 2)
        await editor.eventually(lambda: bool(editor.traces))
        first, other = await editor.rows()
        assert (first["state"], other["state"], other["verdict"]) == ("unchecked", "done", "refuted")
        (message,) = other["messages"]
        assert message["uri"] == document.uri and message["line"] == document.range("=> reverse(X, A)").start.line
        said = editor.traces[-1]
        assert said.message.startswith("slice.rw, twice_reversed: 1 question: 1 by a worker in ")
        assert said.verbose is not None and said.verbose.count("\n") == 0

        await editor.run("rewright.server.checkDeclarations", document.uri, NAME)
        assert (await editor.settled(document))[1] == PROVED
        assert (await editor.titles(document))[0] == "Rewright: 1 proved, 1 refuted · check"
        await editor.run("rewright.server.clearCache")
        assert [row["state"] for row in await editor.rows()] == ["unchecked", "unchecked"]

        (tmp_path / "closed.rw").write_text(OTHER)
        made = types.FileEvent((tmp_path / "closed.rw").as_uri(), types.FileChangeType.Created)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([made]))
        assert [row["state"] for row in await editor.rows()] == ["unchecked"] * 3
        await editor.run("rewright.server.check")
        async with asyncio.timeout(PATIENCE):
            while [row["verdict"] for row in await editor.rows()] != ["proved", "proved", "refuted"]:
                await asyncio.sleep(0.02)

        wanted = {"rewright": {"check": {"trigger": "change"}}}
        editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(wanted))
        editor.replace(document, RIGHT, WRONG)
        assert (await editor.hints(document))[1] == "· not checked"
        assert (await editor.settled(document))[1].startswith("✗ refuted")


@pytest.mark.asyncio
async def test_verdict_hints_can_be_switched_off(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "slice.rw"
    path.write_text(RULE)
    document = await editor.open(path)
    await editor.settled(document)
    refreshes = len(editor.hint_refreshes)
    settings = {"rewright": {"inlayHints": {"verdicts": False}}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    assert await editor.hints(document) == {}
    await editor.eventually(lambda: len(editor.hint_refreshes) > refreshes)


@pytest.mark.asyncio
async def test_hints_are_not_refreshed_more_than_ten_times_a_second(editor: Editor, tmp_path: Path) -> None:
    path = tmp_path / "many.rw"
    path.write_text("\n".join(RULE.replace(NAME, f"rule_{i}").replace("n)", f"n - {i})") for i in range(1, 30)))
    document = await editor.open(path)
    await editor.settled(document)
    await editor.eventually(lambda: bool(editor.statuses) and editor.statuses[-1].state == "idle")
    times = editor.hint_refreshes
    assert times and all(later - earlier > 0.09 for earlier, later in pairwise(times))


@pytest.mark.asyncio(loop_scope="module")
async def test_pictures_in_documentation_are_not_fetched(shared: Editor, folder: Path) -> None:
    path = folder / "documented.rw"
    path.write_text(
        RULE.replace("/// A", "/// ![p](https://e/p.png) <img src='x'> [run](command:x) [page](https://e): a")
    )
    hover = await shared.hover(await shared.open(path), NAME)
    assert "[page](https://e): a dynamic slice" in hover
    assert "p.png" in hover and "![" not in hover and "<img" not in hover and "](command" not in hover
