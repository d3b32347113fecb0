"""Which files a command line means."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from rewright.workspace.sources import checked_files, holds_kernels


class NothingToCheck(ValueError):
    """A path cannot be checked at all; the text says why."""


def collect(paths: Iterable[Path]) -> tuple[str, ...]:
    """The absolute paths of all files that `paths` mean, in order, each once. Raises `NothingToCheck`.

    Of a folder these are the `.rw` files and the CUDA files with a comment that says how to launch a kernel.
    """
    found = dict.fromkeys(file for path in paths for file in _files(path))
    if not found:
        raise NothingToCheck("no `.rw` file here, and no `.cu` file that says how a kernel is launched")
    return tuple(found)


def _files(path: Path) -> Iterator[str]:
    if path.is_dir():
        yield from map(os.path.abspath, checked_files(str(path)))
    elif not os.path.lexists(path):
        raise NothingToCheck(f"`{path}` does not exist")
    elif path.suffix != ".rw" and not holds_kernels(str(path)):
        raise NothingToCheck(
            f"`{path}` is neither a `.rw` nor a `.cu` file; other sources are checked through a `.rw` file"
        )
    else:
        yield os.path.abspath(path)
