"""Messages as no client should send them: each request is answered with the code that fits, nothing ends the server."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsp_raw import Wire, wired
from lsp_sources import OTHER

INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
NOT_INITIALIZED = -32002

HERE = {"line": 0, "character": 6}
AREA = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}
WRONG: tuple[Any, ...] = (
    None,
    3,
    "text",
    [],
    {},
    {"textDocument": {"uri": 3}, "position": {"line": -1}, "command": 3},
)
"""Parameters that no request has."""


def requests(uri: str) -> dict[str, Any]:
    """For each method that is a request, parameters that are right."""
    document = {"textDocument": {"uri": uri}}
    at = {**document, "position": HERE}
    found = {"range": AREA, "message": "m", "code": "RW201", "data": {"path": "p", "name": "n", "finding": 0}}
    return {
        "textDocument/hover": at,
        "textDocument/definition": at,
        "textDocument/references": {**at, "context": {"includeDeclaration": True}},
        "textDocument/documentHighlight": at,
        "textDocument/documentSymbol": document,
        "textDocument/foldingRange": document,
        "textDocument/codeLens": document,
        "textDocument/codeAction": {**document, "range": AREA, "context": {"diagnostics": [found]}},
        "textDocument/diagnostic": {**document, "previousResultId": "x"},
        "textDocument/inlayHint": {**document, "range": AREA},
        "inlayHint/resolve": {"position": HERE, "label": "l", "data": {"path": "p", "name": "n"}},
        "textDocument/semanticTokens/full": document,
        "textDocument/semanticTokens/range": {**document, "range": AREA},
        "workspace/executeCommand": {"command": "rewright.server.check", "arguments": [uri, "name"]},
    }


def notifications(uri: str) -> dict[str, Any]:
    """For each method that is a notification and does not end the server, parameters that are right."""
    document = {"uri": uri, "version": 2}
    changes = [{"range": AREA, "text": "rule"}, {"text": "rule"}]
    folder = {"uri": uri.rpartition("/")[0], "name": "other"}
    return {
        "textDocument/didOpen": {"textDocument": {**document, "languageId": "rewright", "text": "rule"}},
        "textDocument/didChange": {"textDocument": document, "contentChanges": changes},
        "textDocument/didSave": {"textDocument": {"uri": uri}, "text": "rule"},
        "textDocument/didClose": {"textDocument": {"uri": uri}},
        "workspace/didChangeConfiguration": {"settings": {"rewright": {"check": {"workers": 2}}}},
        "workspace/didChangeWatchedFiles": {"changes": [{"uri": uri, "type": 2}]},
        "workspace/didChangeWorkspaceFolders": {"event": {"added": [folder], "removed": [folder]}},
        "window/workDoneProgress/cancel": {"token": "t"},
        "$/cancelRequest": {"id": 7},
        "$/setTrace": {"value": "off"},
        "initialized": {},
    }


STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 7, 1.5, 2**31, 2**64, -(2**63), 1e300),
    *(
        "",
        "x",
        "file:///",
        "file://[",
        "file:///a%00b.rw",
        "file:///proc/self/mem",
        "untitled:Untitled-1",
        "\ud800",
        "∀" * 99,
    ),
    *(
        [],
        {},
        [[]],
        [None],
        {"": None},
        {"uri": {}},
        {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "id": 1, "method": "shutdown"},
    ),
)


def variants(right: Any, rng: random.Random) -> Iterator[Any]:
    """Something else in place of the whole, of each part of it, and of nothing."""
    yield from rng.sample(STRANGE, 4)
    match right:
        case dict():
            for key, value in right.items():
                yield {other: each for other, each in right.items() if other != key}
                yield from ({**right, key: each} for each in variants(value, rng))
        case list():
            for place, value in enumerate(right):
                yield from ([*right[:place], each, *right[place + 1 :]] for each in variants(value, rng))
                yield right * 3


async def is_well(wire: Wire) -> None:
    """Has a rule checked, from the text to the verdict."""
    document = {"uri": (wire.root / "well.rw").as_uri()}
    opened = {**document, "languageId": "rewright", "version": 1, "text": OTHER}
    wire.notify("textDocument/didOpen", params={"textDocument": opened})
    found: list[Any] = []
    while not found:
        found = (await wire.ask("textDocument/inlayHint", params={"textDocument": document, "range": AREA}))["result"]
    wire.notify("textDocument/didClose", params={"textDocument": document})


@pytest.mark.asyncio
async def test_a_request_that_is_cancelled_after_its_response_is_no_word_in_the_log(tmp_path: Path) -> None:
    async with wired(tmp_path) as wire:
        await wire.initialize()
        wire.notify("$/cancelRequest", params={"id": 1})
        wire.notify("$/cancelRequest", params={"id": 999})
        await wire.ask("shutdown")
        assert (tmp_path / "server.log").read_text() == ""


@pytest.mark.asyncio
async def test_a_refusal_is_told_and_is_no_error_in_the_log(tmp_path: Path) -> None:
    async with wired(tmp_path) as wire:
        await wire.initialize()
        opened = {"uri": (tmp_path / "a.rw").as_uri(), "languageId": "rewright", "version": 1, "text": OTHER}
        wire.notify("textDocument/didOpen", params={"textDocument": opened})
        at = {"textDocument": {"uri": opened["uri"]}, "position": HERE}
        answer = await wire.ask("textDocument/rename", params={**at, "newName": "1x"})
        assert "is not a name" in answer["error"]["message"]
        await wire.ask("shutdown")
        assert (tmp_path / "server.log").read_text() == ""


@pytest.mark.asyncio
async def test_what_comes_too_early_too_late_or_twice_is_refused_with_its_code(tmp_path: Path) -> None:
    async with wired(tmp_path) as wire:
        for method, params in requests("file:///a.rw").items():
            assert await wire.code(method, params=params) == NOT_INITIALIZED, method
        assert await wire.code("shutdown") == NOT_INITIALIZED
        wire.notify("textDocument/didOpen", params={"textDocument": {"uri": "file:///a.rw"}})
        assert await wire.code("initialize", params={"capabilities": 3}) == INVALID_PARAMS
        await wire.initialize()
        again: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
        assert await wire.code("initialize", params=again) == INVALID_REQUEST
        await is_well(wire)
        assert await wire.code("shutdown") is None
        for method, params in {**requests("file:///a.rw"), "shutdown": None}.items():
            assert await wire.code(method, params=params) == INVALID_REQUEST, method
        wire.notify("textDocument/didSave", params={"textDocument": {"uri": "file:///a.rw"}})
        wire.notify("exit")
        assert await wire.process.wait() == 0


@pytest.mark.asyncio
async def test_malformed_parameters_of_a_request_are_invalid_parameters(tmp_path: Path) -> None:
    async with wired(tmp_path) as wire:
        await wire.initialize()
        for method in requests(""):
            for wrong in WRONG:
                assert await wire.code(method, params=wrong) == INVALID_PARAMS, (method, wrong)
            assert await wire.code(method) == INVALID_PARAMS, method
        assert await wire.code("workspace/executeCommand", params={"command": "no.such.command"}) == INVALID_PARAMS
        assert await wire.code("no/such/method", params=[1]) == METHOD_NOT_FOUND
        at = {"textDocument": {"uri": "file:///a.rw"}, "position": {"line": 0, "character": "1"}}
        error = (await wire.ask("textDocument/hover", params=at))["error"]
        assert "character" in error["message"], "the place that does not fit is named"


@pytest.mark.asyncio
async def test_messages_that_are_none_are_answered_if_they_have_an_id_and_dropped_else(tmp_path: Path) -> None:
    async with wired(tmp_path) as wire:
        await wire.initialize()
        malformed: tuple[dict[str, Any], ...] = ({}, {"jsonrpc": "1.0", "method": "shutdown"}, {"method": 3})
        for number, message in enumerate(malformed):
            wire.send({**message, "id": f"none {number}"})
            assert (await wire.response(f"none {number}"))["error"]["code"] == INVALID_REQUEST
        for nothing in (
            3,
            None,
            [],
            "text",
            [{"jsonrpc": "2.0"}],
            {"id": [1]},
            {"jsonrpc": "2.0", "id": True, "method": "x"},
        ):
            wire.send(nothing)
        for answer in ({}, {"result": 3}, {"error": 3}, {"error": {"code": "x"}}):
            wire.send({"jsonrpc": "2.0", "id": 1, **answer})
        await is_well(wire)


@pytest.mark.asyncio
async def test_no_message_ends_the_server_or_is_an_error_of_its_own(tmp_path: Path) -> None:
    """Each method with each part of its parameters replaced: an answer or word that they are invalid, and no more."""
    rng = random.Random(11)
    path = tmp_path / "a.rw"
    path.write_text(OTHER)
    uri = path.as_uri()
    opened = {"uri": uri, "languageId": "rewright", "version": 1, "text": OTHER}
    async with wired(tmp_path) as wire:
        await wire.initialize()
        wire.notify("textDocument/didOpen", params={"textDocument": opened})
        for method, right in notifications(uri).items():
            for wrong in variants(right, rng):
                wire.notify(method, params=wrong)
        for method, right in requests(uri).items():
            for wrong in (right, *variants(right, rng)):
                assert await wire.code(method, params=wrong) in (None, INVALID_PARAMS), (method, wrong)
        await is_well(wire)
    log = (tmp_path / "server.log").read_text()
    assert "dropped `textDocument/didChange`" in log
    assert "internal error" not in log and "Unable to handle" not in log, log
