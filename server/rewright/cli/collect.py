"""Which files a command line means."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from rewright.frontends.table import kind_of
from rewright.model.source_kind import SourceKind
from rewright.workspace.sources import checked_files


class NothingToCheck(ValueError):
    """A path cannot be checked at all; the text says why."""


class Collected(Struct, frozen=True):
    """The absolute paths of files, in order, each once, and those among them that were named, not found in a folder."""

    paths: tuple[str, ...]
    named: frozenset[str]


def collect(paths: Iterable[Path]) -> Collected:
    """All files that `paths` mean. Raises `NothingToCheck`.

    Of a folder these are the `.rw` files, the CUDA files that have kernels, and the C files that have regions.
    """
    given = tuple(paths)
    found = dict.fromkeys(file for path in given for file in _files(path))
    if not found:
        raise NothingToCheck("no `.rw` file here, no `.cu` file with a kernel, no `.c` file with a region")
    return Collected(tuple(found), frozenset(os.path.abspath(path) for path in given))


def _files(path: Path) -> Iterator[str]:
    if os.path.isdir(path):
        yield from map(os.path.abspath, checked_files(str(path)))
    elif not os.path.lexists(path):
        raise NothingToCheck(f"`{path}` does not exist")
    elif kind_of(str(path)) is not SourceKind.DECLARATIONS and not kind_of(str(path)).speaks_for_itself:
        raise NothingToCheck(
            f"`{path}` is no `.rw`, `.cu` or `.c` file; other sources are checked through a `.rw` file"
        )
    else:
        yield os.path.abspath(path)
