"""Sources: the text behind a path, from an open buffer or from disk.

Invariants: an open buffer shadows the file; a text is read once per version of the file; a path that a declaration
names is relative to the file that names it and stays inside the workspace. Must not know what a text means.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from rewright.syntax.text import Text

SKIPPED = {"node_modules", "build", "__pycache__"}
"""Folders in which nothing is looked for, besides those whose name starts with a dot."""

LAUNCHED = re.compile(rb"//\s*rewright:\s*launch\b")
"""How a comment begins that says with which launch the kernel below it is to be checked."""

LARGEST = 32 << 20
"""Bytes of the largest file that is read."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a source has no text."""

    reason: str


class Reads(Protocol):
    """What the making of a report asks of the sources."""

    def read(self, path: str) -> Text | Unreadable:
        """The current text of `path`."""

    def resolve(self, named: str, by: str) -> str | Unreadable:
        """The path that the file `by` means when it names `named`."""


@dataclass(slots=True)
class Sources:
    """The texts of a workspace below `root`."""

    root: Path
    _buffers: dict[str, Text] = field(default_factory=dict)
    _opened_as: dict[str, str] = field(default_factory=dict)
    _disk: dict[str, tuple[tuple[int, int], Text]] = field(default_factory=dict)

    def open(self, path: str, text: str) -> Text:
        """Makes `text` the text of `path` until it is closed, and returns it."""
        self._buffers[path] = made = Text.of(path, text)
        self._opened_as[os.path.realpath(path)] = path
        return made

    def close(self, path: str) -> None:
        """Lets the file on disk speak for `path` again."""
        self._buffers.pop(path, None)
        self._opened_as.pop(os.path.realpath(path), None)

    def is_open(self, path: str) -> bool:
        """Whether a buffer shadows the file."""
        return path in self._buffers

    def open_paths(self) -> tuple[str, ...]:
        """The files that a buffer shadows."""
        return tuple(self._buffers)

    def read(self, path: str) -> Text | Unreadable:
        """The current text of `path`."""
        if path in self._buffers:
            return self._buffers[path]
        try:
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                return Unreadable("is a directory" if stat.S_ISDIR(status.st_mode) else "is not a regular file")
            version = (status.st_mtime_ns, status.st_size)
            known = self._disk.get(path)
            if known and known[0] == version:
                return known[1]
            if status.st_size > LARGEST:
                return Unreadable(f"has {status.st_size >> 20} MiB, more than the {LARGEST >> 20} MiB that are read")
            text = Text.of_bytes(path, Path(path).read_bytes())
        except OSError as error:
            return Unreadable(error.strerror or str(error))
        self._disk[path] = (version, text)
        return text

    def resolve(self, named: str, by: str) -> str | Unreadable:
        """The path that the file `by` means when it names `named`, if that is inside the workspace.

        It is the path that the file was opened as, if it is open, else one without symbolic links.
        """
        if "\0" in named:
            return Unreadable("is no path: it has a NUL character")
        target = os.path.realpath(os.path.join(os.path.dirname(by), named))
        inside = os.path.realpath(self.root)
        if os.path.commonpath([inside, target]) != inside:
            return Unreadable(f"is outside the workspace {inside}")
        return self._opened_as.get(target, target)


def holds_kernels(path: str) -> bool:
    """Whether a file is a source of kernels that speaks for itself."""
    return path.endswith((".cu", ".cuh"))


def declaring_files(folder: str) -> Iterator[str]:
    """The `.rw` files below a folder, in order."""
    return (path for path in _files(folder) if path.endswith(".rw"))


def checked_files(folder: str) -> Iterator[str]:
    """The files below a folder that say what is to be checked: `.rw` files, and sources with a comment that does."""
    return (path for path in _files(folder) if path.endswith(".rw") or (holds_kernels(path) and _says(path, LAUNCHED)))


def beside(paths: Collection[str], root: Path) -> tuple[str, ...]:
    """The `.rw` files below `root` that name one of the sources among `paths`, and are not among these themselves."""
    if not any(map(holds_kernels, paths)):
        return ()
    files = map(os.path.abspath, declaring_files(str(root)))
    return naming(paths, (path for path in files if path not in paths))


def naming(sources: Iterable[str], files: Iterable[str]) -> tuple[str, ...]:
    """Which of the files may name one of the sources, by its last part."""
    names = [re.escape(os.path.basename(path).encode()) for path in sources if holds_kernels(path)]
    pattern = re.compile(b"|".join(names))
    return tuple(path for path in files if _says(path, pattern)) if names else ()


def _files(folder: str) -> Iterator[str]:
    for directory, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if not name.startswith(".") and name not in SKIPPED)
        yield from (os.path.join(directory, file) for file in sorted(files))


def _says(path: str, pattern: re.Pattern[bytes]) -> bool:
    """Whether a file can be read and holds what matches the pattern."""
    try:
        if not stat.S_ISREG((status := os.stat(path)).st_mode) or status.st_size > LARGEST:
            return False
        return pattern.search(Path(path).read_bytes()) is not None
    except OSError:
        return False


def workspace_root(path: Path) -> Path:
    """The nearest folder at or above `path` that holds a `rewright.toml` or a `.git`, else the folder of `path`."""
    folder = path if path.is_dir() else path.parent
    for candidate in (folder, *folder.parents):
        if (candidate / "rewright.toml").is_file() or (candidate / ".git").exists():
            return candidate
    return folder
