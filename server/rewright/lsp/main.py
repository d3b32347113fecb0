"""The command `rewright-lsp`: a language server on standard input and output, or on a port of this machine.

Invariant: file descriptor 1 carries the protocol and nothing else; whatever prints in this process or a child of it
prints to standard error. The process ends when the client says so, closes its end or dies, and its workers with it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from pygls.io_ import StdinAsyncReader, StdoutWriter, run_async

from rewright import __version__
from rewright.lsp.methods import register
from rewright.lsp.refusal import is_refusal
from rewright.lsp.server import RewrightServer
from rewright.lsp.socket import Admit, SocketWriter, listen

if TYPE_CHECKING:
    from pygls.io_ import AsyncReader, Writer

log = logging.getLogger(__name__)

COLLECTED = (20_000, 50, 10)
"""When garbage is collected: a whole collection takes 0.23 s for 2,000 rules; by default every seventh key met one."""


def main() -> None:
    """Serves one client and ends the process."""
    arguments = _arguments()
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls.protocol.json_rpc").addFilter(lambda record: not is_refusal(record))
    if arguments.tcp is not None:
        sys.exit(_on_port(arguments.tcp, arguments.cache))
    channel = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    status = asyncio.run(_standard(channel, arguments.cache))
    sys.stderr.flush()
    # The thread that reads standard input may wait there for ever, so the interpreter is not asked to join it.
    os._exit(status)


async def _standard(channel: BinaryIO, cache: Path | None) -> int:
    reader = StdinAsyncReader(sys.stdin.buffer, ThreadPoolExecutor(1, "stdin"))
    return await serve(reader, StdoutWriter(channel), RewrightServer(cache))


def _on_port(port: int, cache: Path | None) -> int:
    async def one(reader: asyncio.StreamReader, writer: SocketWriter, admit: Admit) -> int:
        return await serve(reader, writer, RewrightServer(cache, admit))

    try:
        return asyncio.run(listen(port, one))
    except (OSError, OverflowError, ValueError) as error:
        print(f"rewright-lsp: {error}", file=sys.stderr)
        return 2


async def serve(reader: AsyncReader, writer: Writer, server: RewrightServer) -> int:
    """Serves until the client leaves, and returns the exit status."""
    register(server)
    asyncio.get_running_loop().set_exception_handler(server.loop_failed)
    server.protocol.set_writer(writer)
    reading = asyncio.create_task(
        run_async(threading.Event(), reader, server.protocol, log, server.report_server_error), name="reading"
    )
    leaving = asyncio.create_task(server.left(), name="leaving")
    gc.freeze()
    gc.set_threshold(*COLLECTED)
    gc.enable()
    try:
        await asyncio.wait({reading, leaving}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await server.end()
    return leaving.result() if leaving.done() else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser("rewright-lsp", description="The language server of Rewright, on standard input.")
    parser.add_argument("--cache", metavar="DIR", type=Path, help="the folder of the answer cache")
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="accepted for editors that pass it: standard input and output are always used",
    )
    parser.add_argument(
        "--tcp",
        metavar="PORT",
        type=int,
        help="listen on this port of 127.0.0.1, 0 for any, and print address and token; the client gives the token as "
        "initializationOptions.token",
    )
    parser.add_argument("--version", action="version", version=__version__)
    return parser.parse_args()
