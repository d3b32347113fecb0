"""The server on a port: it takes one client, the one with the token, and ends with it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from lsp_editor import PATIENCE

GIVEN = "a token of the environment"


@asynccontextmanager
async def listening(root: Path, port: int = 0, **variables: str) -> AsyncIterator[Process]:
    """A server on a port; killed at the end if it is there still."""
    command = [sys.executable, "-m", "rewright.lsp", "--tcp", str(port), "--cache", str(root / ".cache")]
    environment = os.environ | variables
    process = await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE, env=environment)
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def announced(process: Process) -> tuple[int, str]:
    """The port and the token that a server prints."""
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE):
        address, token = (await process.stdout.readline()).decode().rstrip("\n").split(" ", 1)
    host, port = address.split(":")
    assert host == "127.0.0.1"
    return int(port), token


async def asked(port: int, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """The responses to some requests on a connection of their own, until it is closed or all are there."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for number, message in enumerate(messages):
        body = json.dumps({"jsonrpc": "2.0", "id": number, **message}).encode()
        writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE):
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while len(found) < len(messages):
                head = await reader.readuntil(b"\r\n\r\n")
                body = await reader.readexactly(int(head.split(b"Length: ")[1].split(b"\r\n")[0]))
                found += [read] if "id" in (read := json.loads(body)) else []
    writer.close()
    return found


def initialize(token: object) -> dict[str, Any]:
    options = {"token": token, "check": {"workers": 1}}
    return {
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}, "initializationOptions": options},
    }


@pytest.mark.asyncio
async def test_only_the_client_with_the_token_is_served_and_the_server_ends_with_it(tmp_path: Path) -> None:
    async with listening(tmp_path) as process:
        port, token = await announced(process)
        for wrong in ("", None, 7, token[:-1], [token]):
            (answer,) = await asked(port, initialize(wrong))
            assert "token" in answer["error"]["message"]
        (answer,) = await asked(
            port,
            {"method": "workspace/executeCommand", "params": {"command": "x"}},
        )
        assert "not initialized" in answer["error"]["message"]
        found = await asked(port, initialize(token), {"method": "shutdown"})
        assert "capabilities" in found[0]["result"] and "error" not in found[1]
        async with asyncio.timeout(PATIENCE):
            await process.wait()
        with pytest.raises(OSError):
            await asyncio.open_connection("127.0.0.1", port)


@pytest.mark.asyncio
async def test_the_token_may_be_given_and_what_cannot_be_is_told(tmp_path: Path) -> None:
    async with listening(tmp_path, REWRIGHT_TOKEN=GIVEN) as process:
        port, token = await announced(process)
        assert token == GIVEN
        async with listening(tmp_path, port) as second:
            _, error = await second.communicate()
            assert second.returncode == 2 and b"rewright-lsp: " in error and str(port).encode() in error
    for refused in (listening(tmp_path, REWRIGHT_TOKEN="short"), listening(tmp_path, port=99999)):
        async with refused as process:
            _, error = await process.communicate()
            assert process.returncode == 2 and error.startswith(b"rewright-lsp: ") and error.count(b"\n") == 1
