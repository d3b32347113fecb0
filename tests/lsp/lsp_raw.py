"""A client of bare messages: it sends any JSON to the real server and sees what comes back, well formed or not."""

from __future__ import annotations

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from lsp_editor import PATIENCE


class Wire:
    """The server's standard input and output."""

    def __init__(self, process: Process, root: Path) -> None:
        self.process = process
        self.root = root
        self._next = 0

    def send(self, message: Any) -> None:
        """Sends one JSON value."""
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, **params: Any) -> None:
        """Sends a notification; without `params` in it where there are none."""
        self.send({"jsonrpc": "2.0", "method": method, **params})

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Sends a request and returns its response."""
        self._next += 1
        self.send({"jsonrpc": "2.0", "id": self._next, "method": method, **params})
        return await self.response(self._next)

    async def code(self, method: str, **params: Any) -> int | None:
        """The code with which a request is refused, None if it is not."""
        error = (await self.ask(method, **params)).get("error")
        return error["code"] if error is not None else None

    async def response(self, key: object) -> dict[str, Any]:
        """The response to a request; what else comes is passed over, the server's requests answered."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self._read()
                if "method" in message and "id" in message:
                    self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
                elif "method" not in message and message["id"] == key:
                    return message

    async def initialize(self) -> None:
        """Begins the session."""
        folder = {"uri": self.root.as_uri(), "name": "root"}
        params: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": [folder]}
        await self.ask("initialize", params={**params, "initializationOptions": {"check": {"workers": 1}}})
        self.notify("initialized", params={})

    async def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        head = await self.process.stdout.readuntil(b"\r\n\r\n")
        length = next(int(line.split(b":")[1]) for line in head.splitlines() if line.startswith(b"Content-Length"))
        message = json.loads(await self.process.stdout.readexactly(length))
        assert isinstance(message, dict)
        return message


@asynccontextmanager
async def wired(root: Path) -> AsyncIterator[Wire]:
    """A server of its own on the folder `root`, of which nothing was asked; killed at the end if it is there still."""
    command = [sys.executable, "-m", "rewright.lsp", "--cache", str(root / ".cache")]
    with (root / "server.log").open("w") as log:
        process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=log)
    try:
        yield Wire(process, root)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
