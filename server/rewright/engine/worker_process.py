"""The engine's side of one worker process: start it, hand it tasks, read its messages, kill it.

Owns process and pipes. Invariants: a worker is a session of its own, so a Ctrl-C at the terminal passes it by and a
kill takes what it started along; its standard error is always drained, and its end is kept to explain a death; after
`closed` no process is left. Must not know about jobs.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress

from rewright.engine import wire
from rewright.engine.jobs import WorkerLimits

_LONGEST_LINE = 256 << 20
"""Bytes of one answer, which is a line; asyncio's own limit of 64 KiB is less than some have."""

_TAIL = 4000
"""Bytes of what a worker wrote last to its error output, which are reported if it dies."""

_REAP_SECONDS = 10.0
"""How long a killed process is waited for: one that hangs in the kernel must not hold up the end."""

_USER, _SYSTEM = 11, 12
"""Where times stand in /proc/PID/stat, counted after the name of the program."""
_MEMORY_MARKS = (
    "MemoryError",
    "bad_alloc",
    "out of memory",
    "Cannot allocate memory",
    "Memory allocation",
    "failed to map",
)
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Numeric libraries start a thread per processor, each with address space of its own, which the limit counts."""


class WorkerDied(Exception):
    """The worker is gone, or said what is no message; the text says how."""


class WorkerOutOfMemory(Exception):
    """The worker hit its memory limit and is gone."""


class Worker:
    """One worker process, starting from the moment this object is made."""

    def __init__(self, command: tuple[str, ...], limits: WorkerLimits) -> None:
        self.worn = False
        """Whether it is known to be no longer worth a task: dead, dying or grown."""
        self.tasks = 0
        """How many tasks it was handed."""
        self._limits = limits
        self._process: asyncio.subprocess.Process | None = None
        self._tail = b""
        self._drain: asyncio.Task[None] | None = None
        self._greeted = asyncio.Event()
        self._started = asyncio.create_task(self._start(command))
        self._started.add_done_callback(_retrieve)

    @property
    def pid(self) -> int | None:
        """The process id, None until the process exists."""
        return None if self._process is None else self._process.pid

    def processor_seconds(self) -> float | None:
        """The processor time that the process has used, None where the system does not say."""
        try:
            with open(f"/proc/{self.pid}/stat", "rb") as stat:
                fields = stat.read().rpartition(b")")[2].split()
            return (int(fields[_USER]) + int(fields[_SYSTEM])) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError, AttributeError):
            return None

    @property
    def usable(self) -> bool:
        """Whether the worker can be handed a task, as far as is known."""
        return not self.worn and (self._process is None or self._process.returncode is None)

    async def greeted(self) -> None:
        """Waits until the worker knows its limits and loads by itself, or could not be started."""
        await self._greeted.wait()

    async def ready(self) -> None:
        """Waits until the worker has loaded. Raises `WorkerDied` or `WorkerOutOfMemory`."""
        await asyncio.shield(self._started)

    async def hand_over(self, task: wire.Task) -> None:
        """Gives the worker a task."""
        self.tasks += 1
        await self._write(wire.task_line(task))

    async def answer(self) -> wire.Decided | wire.Raised | None:
        """The next answer of the task, None at its end. Raises `WorkerDied` or `WorkerOutOfMemory`."""
        match await self._read():
            case wire.Decided() | wire.Raised() as message:
                return message
            case wire.Done(worn):
                self.worn = self.worn or worn
                return None
            case wire.OutOfMemory():
                raise WorkerOutOfMemory
            case wire.Ready():
                raise WorkerDied("the worker restarted in the middle of a task")

    def kill(self) -> None:
        """Kills the process and what it started, at once."""
        self.worn = True
        if self._process is not None:
            _kill_session(self._process)

    async def closed(self) -> None:
        """Kills the worker and waits until the process is gone."""
        self.kill()
        await asyncio.wait([self._started])
        if self._process is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(_REAP_SECONDS):
                    await self._process.wait()
        if self._drain is not None:
            await asyncio.wait([self._drain], timeout=_REAP_SECONDS)

    async def _start(self, command: tuple[str, ...]) -> None:
        try:
            await self._greet(command)
        finally:
            self._greeted.set()
        try:
            async with asyncio.timeout(self._limits.start_seconds):
                message = await self._read()
        except TimeoutError:
            raise WorkerDied(f"the worker did not start within {self._limits.start_seconds:g} s") from None
        if message != wire.Ready():
            raise WorkerDied("the worker wrote before it was ready")

    async def _greet(self, command: tuple[str, ...]) -> None:
        self._process = await _spawn(command)
        if self.worn:
            _kill_session(self._process)
        assert self._process.stderr is not None
        self._drain = asyncio.create_task(self._keep_tail(self._process.stderr))
        await self._write(wire.hello_line(wire.Hello(os.getpid(), self._limits.memory, self._limits.niceness)))

    async def _write(self, line: bytes) -> None:
        assert self._process is not None and self._process.stdin is not None
        with suppress(ConnectionError, RuntimeError):  # reading will tell how the worker ended
            self._process.stdin.write(line)
            await self._process.stdin.drain()

    async def _read(self) -> wire.Message:
        assert self._process is not None and self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
            if line.endswith(b"\n"):
                return wire.read_message(line)
        except ValueError as error:  # no message, or a line beyond all bounds
            raise WorkerDied(f"the worker broke the protocol: {error}") from error
        return await self._explain_death()

    async def _explain_death(self) -> wire.Message:
        """Raises what the end of the process means."""
        self.kill()
        assert self._process is not None and self._drain is not None
        code = await self._process.wait()
        await asyncio.wait([self._drain], timeout=1.0)
        said = self._tail.decode("utf-8", "replace").strip()
        if any(mark in said for mark in _MEMORY_MARKS):
            raise WorkerOutOfMemory
        raise WorkerDied(f"the worker {_manner(code)}" + (f":\n{said}" if said else ""))

    async def _keep_tail(self, stream: asyncio.StreamReader) -> None:
        while chunk := await stream.read(65536):
            self._tail = (self._tail + chunk)[-_TAIL:]


async def _spawn(command: tuple[str, ...]) -> asyncio.subprocess.Process:
    # Safe path: a module in the working directory, which may be an untrusted workspace, must not be imported.
    # Fixed hashes: an answer is a function of its question, whichever worker gives it.
    environment = {**os.environ, **_ONE_THREAD, "PYTHONSAFEPATH": "1", "PYTHONHASHSEED": "0"}
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=_LONGEST_LINE,
            env=environment,
            start_new_session=True,
        )
    except OSError as error:
        raise WorkerDied(f"the worker cannot be started: {error}") from error


def _kill_session(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def _manner(code: int) -> str:
    if code >= 0:
        return f"exited with status {code}"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"


def _retrieve(task: asyncio.Task[None]) -> None:
    """Marks the outcome of a start as seen: it is raised to whoever waits in `ready`, and a spare has nobody."""
    if not task.cancelled():
        task.exception()
