"""`rewright` run inside the process of the tests, where to start one would take longer than what it is asked.

`check_here` answers its questions there, too, with the handlers of the workers. What is about processes (streams,
signals, an exit, the death of a worker) is tested on real ones: `test_streams.py`, `test_library.py`, and the tests of
the engine.
"""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest.mock import patch

from worker_here import WorkerHere, handler_of

from rewright.cli.commands import app
from rewright.engine import worker_pool


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def rewright(folder: Path, *arguments: str) -> Done:
    """What a command does in a folder, its streams being pipes in UTF-8. Raises what it does not catch itself."""
    stdout, stderr = _stream(), _stream()
    with chdir(folder), redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            app(list(arguments), prog_name="rewright")
        except SystemExit as ended:
            status = ended.code
    assert isinstance(status, int)
    return Done(status, _written(stdout), _written(stderr))


def check_here(folder: Path, *arguments: str) -> Done:
    """What `rewright check` does, its worker being in this process: to start one takes longer than a few questions."""
    with patch.object(worker_pool, "Worker", partial(WorkerHere, handler_of)):
        return rewright(folder, "check", "--jobs", "1", *arguments)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
