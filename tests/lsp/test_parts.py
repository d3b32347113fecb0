"""The parts of the server that need no server: texts under edits, settings, throttles, diagnostics' names."""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from rewright.lsp import machine
from rewright.lsp.buffers import edited
from rewright.lsp.client import client_of, preferred_encodings
from rewright.lsp.methods import guarded, waiting
from rewright.lsp.positions import line_end, offset_of, range_of, span_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.settings import Trigger, UserSettings, merged
from rewright.lsp.throttle import Throttle
from rewright.lsp.uris import path_of, uri_of
from rewright.syntax.text import PositionEncoding, Span, Text

TRICKY = st.text(st.sampled_from("aß∀𝒳\u2028\x0c\r\n "), max_size=30)


def place(line: int, character: int) -> types.Position:
    return types.Position(line, character)


def change(start: tuple[int, int], end: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(types.Range(place(*start), place(*end)), text)


def test_edits_count_utf16_units_and_end_lines_only_where_the_protocol_does() -> None:
    text = Text.of("t", "𝒳\u2028∀b\r\nc")
    after = edited(text, [change((0, 4), (0, 5), "B"), change((1, 0), (1, 1), "C")], PositionEncoding.UTF16)
    assert after.text == "𝒳\u2028∀B\r\nC"


def test_a_change_without_a_range_replaces_everything() -> None:
    whole = types.TextDocumentContentChangeWholeDocument("new")
    assert edited(Text.of("t", "old"), [whole], PositionEncoding.UTF16).text == "new"


def test_an_edit_past_the_end_is_an_edit_at_the_end() -> None:
    assert edited(Text.of("t", "ab"), [change((7, 9), (7, 9), "c")], PositionEncoding.UTF16).text == "abc"


@given(TRICKY, st.data(), st.sampled_from(list(PositionEncoding)))
def test_spans_survive_the_way_to_the_editor_and_back(
    content: str, data: st.DataObject, encoding: PositionEncoding
) -> None:
    text = Text.of("t", content)
    ends = [len(content[:i].encode()) for i in range(len(content) + 1) if content[i - 1 : i + 1] != "\r\n" or i == 0]
    start, end = sorted((data.draw(st.sampled_from(ends)), data.draw(st.sampled_from(ends))))
    assert span_of(text, range_of(text, Span(start, end), encoding), encoding) == Span(start, end)


def test_the_end_of_a_line_stands_before_its_line_end() -> None:
    text = Text.of("t", "ab𝒳\r\nc")
    assert line_end(text, 0, PositionEncoding.UTF16) == place(0, 4)
    assert offset_of(text, place(0, 99), PositionEncoding.UTF16) == len("ab𝒳".encode())


def test_utf8_is_preferred_wherever_a_client_lists_it() -> None:
    def offering(*encodings: str) -> types.ClientCapabilities:
        return types.ClientCapabilities(general=types.GeneralClientCapabilities(position_encodings=list(encodings)))

    assert preferred_encodings(offering("utf-16", "utf-8"))[0] == "utf-8"
    assert client_of(offering("utf-16")).encoding is PositionEncoding.UTF16
    assert client_of(offering("ebcdic")).encoding is PositionEncoding.UTF16
    assert client_of(types.ClientCapabilities()).encoding is PositionEncoding.UTF16


@pytest.mark.parametrize(
    ("tags", "greys"),
    [(None, False), ([], False), ([types.DiagnosticTag.Deprecated], False), ([types.DiagnosticTag.Unnecessary], True)],
)
def test_text_is_greyed_by_clients_that_can(tags: list[types.DiagnosticTag] | None, greys: bool) -> None:
    options = None if tags is None else types.ClientDiagnosticsTagOptions(tags)
    publishing = types.PublishDiagnosticsClientCapabilities(tag_support=options)
    document = types.TextDocumentClientCapabilities(publish_diagnostics=publishing)
    assert client_of(types.ClientCapabilities(text_document=document)).greys is greys


def test_settings_take_what_is_valid_and_keep_the_rest() -> None:
    sent = {"check": {"trigger": "manual", "workers": -1, "memory": True}, "inlayHints": {"verdicts": False}}
    assert merged(UserSettings(), sent) == UserSettings(trigger=Trigger.MANUAL, verdict_hints=False)
    assert merged(UserSettings(), {"rewright": {"check": {"workers": 3}}}) == UserSettings(workers=3)
    nonsense: list[Any] = [None, [], "x", {"check": 3}, {"inlayHints": {"verdicts": "yes"}}, {"check": {"trigger": []}}]
    for each in nonsense:
        assert merged(UserSettings(), each) == UserSettings()


def test_no_setting_asks_more_of_the_machine_than_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 2 << 18}.__getitem__)
    assert [machine.workers(requested) for requested in (0, 1, 4, 5, 10**9)] == [4, 1, 4, 4, 4]
    assert [machine.memory(requested) for requested in (512, 2048, 4096)] == [512, 2048, 2048]


def test_the_extension_takes_no_limits_from_a_folder_that_is_not_trusted() -> None:
    manifest = json.loads((Path(__file__).parents[2] / "vscode-extension/package.json").read_text())
    restricted = manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert {"rewright.path", "rewright.interpreter", "rewright.check.workers", "rewright.check.memory"} <= {*restricted}


def test_files_have_paths_and_other_documents_keep_their_uris() -> None:
    assert path_of("file:///a/b%20c/%CE%B1.rw") == "/a/b c/α.rw"
    assert path_of(uri_of("/a/b c/α#1.rw")) == "/a/b c/α#1.rw"
    assert uri_of(path_of("untitled:Untitled-1")) == "untitled:Untitled-1"


class Failures:
    """Stands for a server where only its failures are looked at."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str | None]] = []

    def fail(self, error: BaseException, path: str | None = None) -> None:
        self.seen.append((str(error), path))


def test_what_fails_in_a_handler_is_shown_at_the_document_and_passed_on() -> None:
    def broken(server: object, params: object) -> None:
        raise KeyError("lost")

    async def broken_later(server: object, params: object) -> None:
        raise KeyError("lost later")

    failures = Failures()
    params = types.HoverParams(types.TextDocumentIdentifier("file:///a.rw"), place(0, 0))
    with pytest.raises(KeyError):
        guarded(cast(RewrightServer, failures), broken)(params)
    with pytest.raises(KeyError):
        asyncio.run(waiting(cast(RewrightServer, failures), broken_later)(None))
    assert failures.seen == [("'lost'", "/a.rw"), ("'lost later'", None)]


class VirtualClock(selectors.SelectSelector):
    """Waits by moving the time on, so that a test of times does not depend on how busy the machine is."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return super().select(0)


def test_a_throttle_keeps_its_distance_and_forgets_nothing() -> None:
    async def scenario() -> list[float]:
        loop = asyncio.get_running_loop()
        runs: list[float] = []
        throttle = Throttle(5, lambda: runs.append(loop.time()))
        throttle.now()
        await asyncio.sleep(1)
        for _ in range(5):
            throttle.now()
            throttle.later()
        await asyncio.sleep(19)
        throttle.later()
        await asyncio.sleep(1)
        throttle.now()
        throttle.later()
        await asyncio.sleep(20)
        return runs

    clock = VirtualClock()
    loop = asyncio.SelectorEventLoop(clock)
    loop.time = lambda: clock.now  # type: ignore[method-assign]
    try:
        runs = [round(run) for run in loop.run_until_complete(scenario())]
    finally:
        loop.close()
    assert runs == [0, 5, 21], "at once, after the interval, and at once again although `later` was asked for before"


ASLEEP = """
import sys
import rewright.lsp.main
from rewright.lsp.methods import register

class Server:
    def feature(self, name, options):
        return lambda handle: handle
    def command(self, name):
        return lambda handle: handle

register(Server())
print(*(name for name in sys.modules if name.startswith(("rewright.", "tree_sitter", "numpy", "z3", "islpy"))))
"""


def test_what_a_session_answers_that_is_asleep_is_loaded_and_nothing_that_parses() -> None:
    loaded = subprocess.run([sys.executable, "-c", ASLEEP], check=True, capture_output=True, text=True).stdout.split()
    assert {"rewright.lsp.methods.inlay_hint", "rewright.workspace.recollection"} <= set(loaded)
    needless = ("rewright.syntax.", "rewright.model.check", "rewright.checks", "tree_sitter", "numpy", "z3", "islpy")
    assert [name for name in loaded if name.startswith(needless) and name != "rewright.syntax.text"] == []
    assert "rewright.workspace.editor" not in loaded
