"""Files on disk: a version tells every change, and no read waits or goes on for ever."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rewright.engine import disk


def test_a_file_is_read_with_its_version(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\xff\x00\r\n")
    content = disk.read(path, 4)
    assert (content.data, content.version) == (b"\xff\x00\r\n", disk.version(path))
    (tmp_path / "empty").touch()
    assert disk.read(tmp_path / "empty", 0).data == b""


def test_a_larger_file_says_how_large(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 1025)
    with pytest.raises(OSError, match="has 2 KiB, more than the 1 KiB that are read"):
        disk.read(path, 1024)
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(OSError, match=r"has 1048576 MiB, more than the 1\.5 MiB that are read"):
        disk.read(path, 3 << 19)


@pytest.mark.skipif(not os.path.isfile("/proc/self/smaps"), reason="no file here says that it is empty and is not")
def test_a_file_that_says_it_is_empty_is_bounded_all_the_same() -> None:
    assert disk.version("/proc/self/smaps").size == 0
    with pytest.raises(OSError, match="goes on, more than the 1 KiB that are read"):
        disk.read("/proc/self/smaps", 1000)
    assert len(disk.read("/proc/self/smaps", 1 << 24).data) > 1000


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _terminal(path: Path) -> None:
    path.symlink_to(os.ttyname(os.openpty()[1]))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (_fifo, "is not a regular file"),
        (_terminal, "is not a regular file"),
        (lambda path: path.symlink_to("/dev/zero"), "is not a regular file"),
        (Path.mkdir, "is a directory"),
        (lambda path: path.symlink_to(path), "symbolic links"),
        (lambda path: path.symlink_to("not there"), "No such file"),
    ],
)
def test_what_is_no_regular_file_is_refused_at_once(
    make: Callable[[Path], object], reason: str, tmp_path: Path
) -> None:
    make(tmp_path / "a")
    (tmp_path / "link").symlink_to("a")
    for path in (tmp_path / "a", tmp_path / "link"):
        with pytest.raises(OSError, match=reason):
            disk.read(path, 100)
        with pytest.raises(OSError, match=reason):
            disk.version(path)


def test_a_file_that_becomes_a_pipe_before_it_is_opened_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.touch()
    regular = os.stat(path)
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(os, "stat", lambda _: regular)
    # An open that waits for a writer is ended by the alarm, as an error of its own.
    with _alarm(1.0), pytest.raises(OSError, match="is not a regular file"):
        disk.read(path, 100)


@pytest.mark.skipif(not os.access("/proc/kmsg", os.R_OK), reason="the system's messages cannot be read here")
def test_a_regular_file_whose_reader_would_wait_is_refused_or_bounded() -> None:
    with _alarm(5.0):
        try:
            assert len(disk.read("/proc/kmsg", 1 << 16).data) <= 1 << 16
        except OSError as error:
            assert not isinstance(error, TimeoutError)


@pytest.mark.parametrize("change", ["contents", "replaced", "moved"])
def test_every_change_is_another_version_whatever_times_are_set(change: str, tmp_path: Path) -> None:
    path, other = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"one")
    other.write_bytes(b"two")
    before = disk.version(path)
    time.sleep(0.02)
    match change:
        case "contents":
            path.write_bytes(b"two")
        case "replaced":
            other.replace(path)
        case _:
            path.rename(tmp_path / "c")
            (tmp_path / "c").rename(path)
    os.utime(path, ns=(before.modified, before.modified))
    after = disk.version(path)
    assert (after.modified, after.size) == (before.modified, before.size)
    assert after != before
    assert (after.identity == before.identity) == (change != "replaced")


def test_a_version_lasts_once_the_clock_has_gone_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    assert not disk.read(path, 100).lasting
    later = time.time_ns() + int(2 * disk.TICK_SECONDS * 1e9)
    monkeypatch.setattr(time, "time_ns", lambda: later)
    assert disk.read(path, 100).lasting


class _alarm:
    """Raises `TimeoutError` in what takes longer than so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        import signal

        def ring(*_: object) -> None:
            raise TimeoutError("waited")

        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *_: object) -> None:
        import signal

        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
