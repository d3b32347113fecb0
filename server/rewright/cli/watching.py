"""`rewright check --watch`: checks again whenever a file that matters has changed, until Ctrl+C.

Files are looked at by their times and sizes: no service of the system is needed, and a save through a renamed file is
seen as well. With the cache, only what changed is asked again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from itertools import count
from pathlib import Path

from rewright.frontends.table import COMMANDS, SETTINGS
from rewright.workspace.sources import listed_sources, workspace_root

SECONDS = 0.3
"""Between two looks: a save is noticed at once, and a look at 1,000 files takes some milliseconds."""

Seen = dict[str, tuple[int, ...]]
"""What tells that a file is as it was, by path."""


def watch(paths: list[Path], once: Callable[[], Collection[str]], rounds: Iterator[int] | None = None) -> None:
    """Runs `once`, which returns further files that it read, and again after each change; `rounds` bounds how often."""
    for _ in rounds if rounds is not None else count():
        before = _seen(paths, ())
        read = once()
        known = _seen(paths, read)
        # What changed while it ran is seen now or never.
        if all(known.get(path) == version for path, version in before.items()):
            while _seen(paths, read) == known:
                time.sleep(SECONDS)


def _seen(paths: list[Path], read: Collection[str]) -> Seen:
    files = {os.path.abspath(file) for path in paths for file in _below(path)} | set(read)
    return {path: version for path in files if (version := _version(path)) is not None}


def _below(path: Path) -> Iterator[str]:
    root = workspace_root(path)
    yield from (str(root / name) for name in (SETTINGS, COMMANDS))
    if os.path.isdir(path):
        yield from listed_sources(str(path))
    else:
        yield str(path)


def _version(path: str) -> tuple[int, ...] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
