"""Sources: the text behind a path, from an open buffer or from disk.

Invariants: an open buffer shadows the file; a text is read once per version of the file; a path that a declaration
names is relative to the file that names it and stays inside the workspace. Must not know what a text means.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice, takewhile
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from rewright.engine import disk
from rewright.frontends.preset import around_and_end
from rewright.frontends.table import ENDINGS, SETTINGS, kind_of
from rewright.model.source_kind import SourceKind
from rewright.syntax.text import Text
from rewright.workspace.folders import innermost, is_in

SKIPPED = {"node_modules", "build", "__pycache__"}
"""Folders in which nothing is looked for; nor are files and folders whose name starts with a dot: locks of editors."""

LAUNCHES = re.compile(rb"<<<|//\s*rewright:\s*launch\b")
"""What a source holds in which a kernel is launched: a call, or a comment that says how."""

KERNELS = re.compile(rb"\b__global__\b")
"""What a source holds that defines kernels."""

REGIONS = re.compile(rb"^[ \t]*#[ \t]*pragma[ \t]+(?:scop|rewright)\b", re.MULTILINE)
"""What a text in C holds that has a loop nest to be checked."""

NEARBY = ("", "include", "includes", "inc", "common", "Common", "utils", "util", "src", "csrc")
"""Folders around a source that builds give to the compiler, in repositories that were looked at: 400 of their 430
includes that are not beside the file are there."""

MOST_LISTED = 100_000
"""Files of a workspace among which an included one is looked for that no folder has: listed in half a second."""

LARGEST = 32 << 20
"""Bytes of the largest file that is read."""


class Unreadable(Struct, frozen=True):
    """Why a source has no text."""

    reason: str


class Reads(Protocol):
    """What the making of a report asks of the sources."""

    def read(self, path: str) -> Text | Unreadable:
        """The current text of `path`."""

    def resolve(self, named: str, by: str) -> str | Unreadable:
        """The path that the file `by` means when it names `named`."""

    def nearby(self, named: str, by: str) -> tuple[str, ...]:
        """The folders in which what the source `named` includes may be though nobody says so, as `by` means them."""

    def ending(self, named: str, by: str) -> tuple[str, ...]:
        """The files of the workspace that are meant by a name of `anywhere`, the nearest ones, as `by` means them."""


class _OnDisk(Struct, frozen=True):
    """A text as it was read. `lasting`: it is that of the file as long as that has this version."""

    text: Text
    version: disk.Version
    lasting: bool
    digest: bytes


class Sources(Struct):
    """The texts of a workspace below `root`, and below further folders."""

    root: Path
    folders: tuple[Path, ...] = ()
    _buffers: dict[str, Text] = field(default_factory=dict)
    _opened_as: dict[str, str] = field(default_factory=dict)
    _disk: dict[str, _OnDisk] = field(default_factory=dict)
    _listings: dict[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)

    def open(self, path: str, text: str | Text) -> Text:
        """Makes `text` the text of `path` until it is closed, and returns it; one that was read already is kept."""
        self._buffers[path] = made = Text.of(path, text) if isinstance(text, str) else text
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
        known = self._disk.get(path)
        try:
            if known is None or not known.lasting or disk.version(path) != known.version:
                self._disk[path] = known = _on_disk(path, known)
        except OSError as error:
            return Unreadable(error.strerror or str(error))
        return known.text

    def resolve(self, named: str, by: str) -> str | Unreadable:
        """The path that the file `by` means when it names `named`, if that is inside the workspace.

        Of several folders the one that `by` is in counts; for a file outside of all of them, its workspace is what
        it is on the command line. The path is the one that the file was opened as, if it is open, else without symbolic
        links.
        """
        if "\0" in named:
            return Unreadable("is not a path: it has a NUL character")
        target = os.path.realpath(os.path.join(os.path.dirname(by), named))
        inside = self._inside(by)
        if os.path.commonpath([inside, target]) != inside:
            return Unreadable(f"is outside the workspace {inside}")
        return self._opened_as.get(target, target)

    def nearby(self, named: str, by: str) -> tuple[str, ...]:
        """The folders around a source up to that of the workspace, the nearest first, each with those in it that builds
        usually name; as paths from the file `by`.
        """
        beside, inside = os.path.realpath(os.path.dirname(by)), self._inside(by)
        path = Path(os.path.realpath(os.path.join(beside, named)))
        around = list(map(str, path.parents))
        within = around[: around.index(inside) + 1] if inside in around else []
        folders = (os.path.join(folder, name) for folder in within for name in NEARBY)
        return tuple(dict.fromkeys(os.path.relpath(folder, beside) for folder in folders if os.path.isdir(folder)))

    def ending(self, named: str, by: str) -> tuple[str, ...]:
        """The files of the workspace whose paths end as a name of `anywhere` does, as paths from the file `by`.

        Of several, those from whose folder the fewest steps lead to the folder of the text that includes them.
        """
        beside, inside = os.path.realpath(os.path.dirname(by)), self._inside(by)
        around, end = around_and_end(named)
        listing = self._listing(inside)
        name = os.path.basename(end)
        paths = [path for path in listing.get(name, ()) if f"/{path}".endswith(f"/{end}")]
        folder = os.path.relpath(os.path.realpath(os.path.join(beside, around)), inside).split(os.sep)
        steps = {path: _steps(folder, os.path.normpath(os.path.dirname(path)).split(os.sep)) for path in paths}
        least = min(steps.values(), default=0)
        nearest = sorted(path for path in paths if steps[path] == least)
        return tuple(os.path.relpath(os.path.join(inside, path), beside) for path in nearest)

    def relist(self, path: str) -> None:
        """Takes note that a file may have been made or deleted."""
        for folder, listing in list(self._listings.items()):
            known = os.path.relpath(path, folder) in listing.get(os.path.basename(path), ())
            if is_in(path, Path(folder)) and known != os.path.lexists(path):
                del self._listings[folder]

    def _listing(self, folder: str) -> Mapping[str, Sequence[str]]:
        """The files below a folder, as paths from there, by their last part; none if they are too many."""
        if folder not in self._listings:
            listing: dict[str, list[str]] = {}
            for path in islice(_files(folder), MOST_LISTED + 1):
                listing.setdefault(os.path.basename(path), []).append(path.removeprefix(folder).lstrip(os.sep))
            self._listings[folder] = listing if sum(map(len, listing.values())) <= MOST_LISTED else {}
        return self._listings[folder]

    def _inside(self, by: str) -> str:
        """The folder of the workspace that a file is in."""
        folder = (innermost(by, self.folders) or workspace_root(Path(by))) if self.folders else self.root
        return os.path.realpath(folder)


def _steps(one: Sequence[str], other: Sequence[str]) -> int:
    """How many steps lead from one folder to another, up and down; folders are given by their parts."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return len(one) + len(other) - 2 * shared


def _on_disk(path: str, before: _OnDisk | None) -> _OnDisk:
    """What a file holds now; the very text of before if its bytes are the same. Raises `OSError`."""
    content = disk.read(path, LARGEST)
    digest = blake2b(content.data).digest()
    unchanged = before is not None and before.digest == digest
    text = before.text if before is not None and unchanged else Text.of_bytes(path, content.data)
    return _OnDisk(text, content.version, content.lasting, digest)


def speaks_for_itself(path: str) -> bool:
    """Whether a file is a source that speaks for itself: of kernels, or of loop nests."""
    return kind_of(path).speaks_for_itself


def holds_declarations(path: str) -> bool:
    """Whether a file is one of declarations."""
    return kind_of(path) is SourceKind.DECLARATIONS


def declaring_files(folder: str) -> Iterator[str]:
    """The `.rw` files below a folder, in order."""
    return filter(holds_declarations, _files(folder))


def listed_sources(folder: str) -> Iterator[str]:
    """Every file below a folder that a check may read, in order."""
    return (path for path in _files(folder) if path.endswith(ENDINGS))


def checked_files(folder: str) -> tuple[str, ...]:
    """The files below a folder in which something is to be checked: `.rw` files, and sources with kernels.

    To read a source takes longer than to see that there is nothing to do: one without a launch is left to the `.rw`
    files that name it. A source that cannot be read is among them, so that it is reported.
    """
    files = tuple(_files(folder))
    checked, silent = set(), set()
    for path in filter(speaks_for_itself, files):
        held = _data(path)
        speaks = REGIONS if kind_of(path) is SourceKind.LOOPS else LAUNCHES
        if held is None or speaks.search(held):
            checked.add(path)
        elif kind_of(path) is SourceKind.LOOPS:
            continue
        elif KERNELS.search(held):
            silent.add(path)
    checked |= silent - _named(silent, filter(holds_declarations, files))
    return tuple(path for path in files if holds_declarations(path) or path in checked)


def _named(sources: Collection[str], files: Iterable[str]) -> frozenset[str]:
    """Which of the sources one of the files may name, by its last part."""
    pattern = _last_parts(sources)
    found = {part for path in files for part in pattern.findall(_data(path) or b"")} if sources else set()
    return frozenset(path for path in sources if os.path.basename(path).encode("utf-8", "surrogateescape") in found)


def _last_parts(paths: Iterable[str]) -> re.Pattern[bytes]:
    """What matches the last part of a path where it is a word by itself: `sgemm.cu` is no `gemm.c`."""
    names = {os.path.basename(path).encode("utf-8", "surrogateescape") for path in paths}
    return re.compile(rb"(?<![\w.-])(?:" + b"|".join(map(re.escape, sorted(names))) + rb")(?![\w-])")


def beside(paths: Collection[str], root: Path) -> tuple[str, ...]:
    """The `.rw` files below `root` that name one of the sources among `paths`, and are not among these themselves."""
    if not any(map(speaks_for_itself, paths)):
        return ()
    files = map(os.path.abspath, declaring_files(str(root)))
    return naming(paths, (path for path in files if path not in paths))


def naming(sources: Iterable[str], files: Iterable[str]) -> tuple[str, ...]:
    """Which of the files may name one of the sources, by its last part."""
    named = [path for path in sources if speaks_for_itself(path)]
    pattern = _last_parts(named)
    return tuple(path for path in files if pattern.search(_data(path) or b"")) if named else ()


def anew_each_time(paths: Collection[str], others: Iterable[str]) -> frozenset[str]:
    """Which of the files nothing is remembered of: what is said of one depends on the other files that are checked.

    Of a kernel, which may be launched in another source; of a loop nest, if one of the `others` names its source, whose
    declarations are then shown with it; and of the files that name such sources.
    """
    nests = [path for path in paths if kind_of(path) is SourceKind.LOOPS]
    kernels = [path for path in paths if speaks_for_itself(path) and kind_of(path) is not SourceKind.LOOPS]
    sources = {*kernels, *_named(nests, others)}
    return frozenset((*sources, *naming(sources, paths)))


def naming_nests(paths: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The sources of loop nests that others of the files may name, each with those: what they declare, it does not."""
    nests = [path for path in paths if kind_of(path) is SourceKind.LOOPS]
    declaring = naming(nests, filter(holds_declarations, paths))
    named = {source: naming([source], declaring) for source in _named(nests, declaring)}
    return {source: files for source, files in named.items() if files}


def _files(folder: str) -> Iterator[str]:
    for directory, names, files in os.walk(folder):
        names[:] = sorted(name for name in names if not name.startswith(".") and name not in SKIPPED)
        yield from (os.path.join(directory, file) for file in sorted(files) if not file.startswith("."))


def _data(path: str) -> bytes | None:
    """What a file holds, None if it cannot be read."""
    try:
        return disk.read(path, LARGEST).data
    except OSError:
        return None


def workspace_root(path: Path) -> Path:
    """The nearest folder at or above `path` that holds a `rewright.toml` or a `.git`, else the folder of `path`."""
    folder = path if os.path.isdir(path) else path.parent
    for candidate in (folder, *folder.parents):
        if os.path.lexists(candidate / SETTINGS) or os.path.lexists(candidate / ".git"):
            return candidate
    return folder
