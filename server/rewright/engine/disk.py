"""Files on disk: how a version of one is known, and how one is read.

Invariants: two equal versions that are settled are of the same contents; nothing but a regular file is read, never more
of it than a stated number of bytes, and no read waits until somebody writes. Must not know what a file means.
"""

from __future__ import annotations

import errno
import os
import stat
import time

from msgspec import Struct

TICK_SECONDS = 2.5
"""Longer than the tick of any file system's clock; the coarsest, FAT's, has two seconds."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)

_CHUNK = 1 << 20
"""Bytes read at once: no more than asked for is held, however large a file claims to be."""


class Version(Struct, frozen=True):
    """What tells one version of a file from another: which file it is, its size, and its times in nanoseconds.

    Programs can set the time of modification (`cp -p`, rsync); the time of change only the system sets.
    """

    device: int
    inode: int
    size: int
    modified: int
    changed: int

    @property
    def identity(self) -> tuple[int, int]:
        """Which file it is, whatever it holds: device and inode."""
        return self.device, self.inode

    def settled(self, seconds: float = TICK_SECONDS) -> bool:
        """Whether the file last changed so many seconds ago: another change will then have another time."""
        return max(self.modified, self.changed) < time.time_ns() - int(seconds * 1e9)


class Content(Struct, frozen=True):
    """What a file held, in which version. `lasting`: as long as it has this version, it holds the same."""

    data: bytes
    version: Version
    lasting: bool


def version_of(status: os.stat_result) -> Version:
    """The version that the system tells of."""
    return Version(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def version(path: str | os.PathLike[str]) -> Version:
    """The version of the regular file at `path`. Raises `OSError` where there is none."""
    return _regular(os.stat(path))


def read(path: str | os.PathLike[str], most: int) -> Content:
    """What the regular file at `path` holds. Raises `OSError` if there is none, or it has more than `most` bytes.

    A file that looks regular and would have its reader wait, as `/proc/kmsg` does, is refused, too.
    """
    _regular(os.stat(path))  # before it is opened: to open a device may have effects
    descriptor = os.open(path, _FLAGS)
    try:
        before = _regular(os.fstat(descriptor))
        lasting = before.settled()
        data = _read(descriptor, before.size, most)
        return Content(data, before, lasting and version_of(os.fstat(descriptor)) == before)
    except BlockingIOError as error:
        raise OSError(errno.EINVAL, "cannot be read without waiting") from error
    finally:
        os.close(descriptor)


def _read(descriptor: int, size: int, most: int) -> bytes:
    """All bytes, however many the system says there are: a file may grow, and some say they have none."""
    if size > most:
        raise _too_large(f"has {shown(size)}", most)
    chunks, left = [], most + 1
    while left > 0 and (chunk := os.read(descriptor, min(left, _CHUNK))):
        chunks.append(chunk)
        left -= len(chunk)
    if left <= 0:
        raise _too_large("goes on", most)
    return b"".join(chunks)


def _too_large(what: str, most: int) -> OSError:
    return OSError(errno.EFBIG, f"{what}, more than the {shown(most)} that are read")


def shown(size: int) -> str:
    """A number of bytes as it is shown, rounded up: `2.5 MiB`, `64 KiB`."""
    tenths = -((-10 * size) >> 20)
    return f"{tenths / 10:.1f} MiB".replace(".0 ", " ") if size >= 1 << 20 else f"{-(-size // 1024)} KiB"


def _regular(status: os.stat_result) -> Version:
    if stat.S_ISREG(status.st_mode):
        return version_of(status)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    raise OSError(errno.EINVAL, "is not a regular file")
