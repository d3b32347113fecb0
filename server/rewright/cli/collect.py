"""Which files a command line means."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from rewright.workspace.sources import declaring_files


class NothingToCheck(ValueError):
    """A path cannot be checked at all; the text says why."""


def collect(paths: Iterable[Path]) -> tuple[str, ...]:
    """The absolute paths of all `.rw` files that `paths` mean, in order, each once. Raises `NothingToCheck`."""
    found = dict.fromkeys(file for path in paths for file in _files(path))
    if not found:
        raise NothingToCheck("no `.rw` file here")
    return tuple(found)


def _files(path: Path) -> Iterator[str]:
    if path.is_dir():
        yield from map(os.path.abspath, declaring_files(str(path)))
    elif not os.path.lexists(path):
        raise NothingToCheck(f"`{path}` does not exist")
    elif path.suffix != ".rw":
        raise NothingToCheck(f"`{path}` is not a `.rw` file; sources are checked through the file that declares them")
    else:
        yield os.path.abspath(path)
