"""`rewright` run inside the process of the tests, where to start one would take longer than what it is asked.

The workers that it starts are processes all the same. What is about the program's own process (its streams, signals,
its exit) is tested on a real one: `test_streams.py`, `test_library.py`.
"""

from __future__ import annotations

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from rewright.cli.commands import app


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


def check_by_one_worker(folder: Path, *arguments: str) -> Done:
    """What `rewright check` does; to start a second worker takes longer than the one needs for a few questions."""
    return rewright(folder, "check", "--jobs", "1", *arguments)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8")


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()
