"""The worker's side: the loop that a worker's main runs.

Owns the protocol channel and the ways in which a worker ends. Invariants: nothing but protocol messages reaches the
engine, whatever is printed (file descriptor 1 becomes standard error, the channel is a private copy); the process ends
when the engine does, also while the main thread is deep in a solver: a thread blocks on standard input and exits the
process at its end, and on Linux the kernel kills it (PR_SET_PDEATHSIG) even if that thread never gets Python's lock.
Must not know what a payload means.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import sys
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from time import perf_counter
from typing import NoReturn

from rewright.engine import process_limits, wire
from rewright.engine.jobs import Decision, Question

Handler = Callable[[str, int], Decision]
"""From payload and budget to a decision. Raises `MemoryError` to say that the memory limit was hit."""

_OUT_OF_MEMORY = wire.message_line(wire.OutOfMemory())


def serve(load: Callable[[], Handler]) -> NoReturn:
    """Answers tasks until the engine goes away. `load` does the slow imports, within the limits."""
    try:
        _serve(load)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


def _serve(load: Callable[[], Handler]) -> NoReturn:
    process_limits.die_with_parent()
    faulthandler.enable()
    lines, channel = _open_channel()
    hello = wire.read_hello(lines.get())
    process_limits.leave_if_orphaned(hello.parent)
    process_limits.apply(hello)
    handler = _loaded(load)
    much = process_limits.much_of(hello.memory)
    _send(channel, wire.Ready())
    while True:
        task = wire.read_task(lines.get())
        for question in task.questions:
            _send(channel, _answer(handler, question, task.budget, channel))
        _send(channel, wire.Done(worn=process_limits.address_space() > much))


def _loaded(load: Callable[[], Handler]) -> Handler:
    """What `load` gives. What it makes lives to the end: the garbage collector never looks through it."""
    gc.disable()
    handler = load()
    gc.freeze()
    gc.enable()
    return handler


def _answer(handler: Handler, question: Question, budget: int, channel: int) -> wire.Message:
    start = perf_counter()
    try:
        decision = handler(question.payload, budget)
    except MemoryError:
        _write(channel, _OUT_OF_MEMORY)
        os._exit(1)
    except Exception:
        return wire.Raised(question.key, traceback.format_exc(limit=-30), 1e3 * (perf_counter() - start))
    return wire.Decided(question.key, decision, 1e3 * (perf_counter() - start))


def _open_channel() -> tuple[SimpleQueue[bytes], int]:
    """The lines of standard input, as a thread reads them, and the descriptor to answer on; 0 and 1 become harmless."""
    source, channel = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(source, lines), name="listen", daemon=True).start()
    return lines, channel


def _listen(source: int, lines: SimpleQueue[bytes]) -> None:
    try:
        with open(source, "rb") as stream:
            for line in stream:
                lines.put(line)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(0)


def _send(channel: int, message: wire.Message) -> None:
    _write(channel, wire.message_line(message))


def _write(channel: int, data: bytes) -> None:
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(channel, rest) :]
    except BrokenPipeError:
        os._exit(0)
