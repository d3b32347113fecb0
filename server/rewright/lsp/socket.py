"""The server on a port of this machine, for a client that cannot start it over standard input and output.

Invariant: it listens on loopback only, and no request is answered before `initialize` has given the token, as
`initializationOptions.token`. Whoever gives another one is refused and cut off; the first who gives the right one is
the one client, and the process ends with it.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Awaitable, Callable

from msgspec import Struct

LOOPBACK = "127.0.0.1"

TOKEN = "REWRIGHT_TOKEN"
"""The environment variable with the token; a process list does not show it, as it does an argument."""

SHORTEST = 16
"""Characters that a given token must have."""

PATIENCE = 10.0
"""Seconds until a connection that gave no token is closed."""


class SocketWriter:
    """A connection's writer as pygls wants it. What the client does not read is kept."""

    def __init__(self, stream: asyncio.StreamWriter) -> None:
        self._stream = stream

    def close(self) -> None:
        """Closes the connection."""
        self._stream.close()

    def write(self, data: bytes) -> None:
        """Sends a message; one to a connection that is gone raises `ConnectionError`."""
        if self._stream.is_closing():
            raise ConnectionError("the client is gone")
        self._stream.write(data)


Admit = Callable[[object], bool]
"""Whether the options of an `initialize` are the client's that is to be served."""

Serve = Callable[[asyncio.StreamReader, SocketWriter, Admit], Awaitable[int]]
"""Serves one connection until it ends and returns the exit status."""


def token() -> str:
    """The token of this process: the environment's, or a new one. Raises `ValueError` for one that is too short."""
    given = os.environ.pop(TOKEN, "")
    if given and len(given) < SHORTEST:
        raise ValueError(f"`{TOKEN}` must have at least {SHORTEST} characters, got {len(given)}")
    return given or secrets.token_urlsafe(24)


async def listen(port: int, serve: Serve) -> int:
    """Waits for the client on a port, 0 for any, and serves it; returns the exit status.

    Address and token are printed on standard output, in one line. Raises `OSError` for a port that is taken, and
    `ValueError` for a token that is too short.
    """
    door = _Door(token(), serve, asyncio.get_running_loop().create_future())
    server = await asyncio.start_server(door.connected, LOOPBACK, port)
    print(f"{LOOPBACK}:{server.sockets[0].getsockname()[1]} {door.token}", flush=True)
    try:
        return await door.ended
    finally:
        server.close()


class _Door(Struct):
    """Who is let in: the first that has the token."""

    token: str
    serve: Serve
    ended: asyncio.Future[int]
    taken: bool = False

    async def connected(self, reader: asyncio.StreamReader, stream: asyncio.StreamWriter) -> None:
        """Serves a connection as long as it may last."""
        admitted = asyncio.Event()

        def admit(options: object) -> bool:
            if self.taken or not _is_right(options, self.token):
                return False
            self.taken = True
            admitted.set()
            return True

        if not self.taken:
            serving = asyncio.ensure_future(self.serve(reader, SocketWriter(stream), admit))
            waiting = asyncio.ensure_future(admitted.wait())
            await asyncio.wait({serving, waiting}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if not admitted.is_set():
                serving.cancel()
            (status,) = await asyncio.gather(serving, return_exceptions=True)
            if admitted.is_set() and not self.ended.done():
                self.ended.set_result(status if isinstance(status, int) else 1)
        stream.close()


def _is_right(options: object, expected: str) -> bool:
    """Whether the options of `initialize` hold the token."""
    said = options.get("token") if isinstance(options, dict) else None
    return isinstance(said, str) and secrets.compare_digest(said.encode(), expected.encode())
