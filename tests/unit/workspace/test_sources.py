"""Sources: buffers shadow files, and a named path stays inside the workspace."""

import os
import time
from pathlib import Path

import pytest

from rewright.engine import disk
from rewright.frontends.preset import anywhere
from rewright.syntax.text import Text
from rewright.workspace.sources import Sources, Unreadable, checked_files, naming, workspace_root


def test_a_buffer_shadows_the_file_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("disk")
    sources = Sources(tmp_path)
    sources.open(str(path), "buffer")
    assert text(sources, path) == "buffer"
    sources.close(str(path))
    assert text(sources, path) == "disk"


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("one")
    sources = Sources(tmp_path)
    first = sources.read(str(path))
    assert sources.read(str(path)) is first
    path.write_text("two")
    os.utime(path, ns=(1, 1))
    assert text(sources, path) == "two"


def test_an_unchanged_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.cu"
    path.write_text("one")
    sources = Sources(tmp_path)
    _let_time_go_on(monkeypatch)
    first = sources.read(str(path))
    monkeypatch.setattr(disk, "read", lambda *_: pytest.fail("read again"))
    assert sources.read(str(path)) is first


@pytest.mark.parametrize("by", ["written", "replaced"])
def test_a_file_whose_times_and_size_were_kept_is_read_again(
    by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `cp -p`, rsync and builds with fixed times leave it."""
    path, other = tmp_path / "a.cuh", tmp_path / "b.cuh"
    path.write_text("#define N 64")
    other.write_text("#define N 65")
    os.utime(path, ns=(1, 1))
    sources = Sources(tmp_path)
    _let_time_go_on(monkeypatch)
    assert text(sources, path) == "#define N 64"
    time.sleep(0.02)
    if by == "replaced":
        other.replace(path)
    else:
        path.write_text("#define N 65")
    os.utime(path, ns=(1, 1))
    assert text(sources, path) == "#define N 65"


def test_a_file_that_changes_within_a_tick_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a file system that counts seconds."""
    path = tmp_path / "a.cuh"
    path.write_text("one")
    version = disk.version(path)
    monkeypatch.setattr(disk, "version_of", lambda _: version)
    sources = Sources(tmp_path)
    assert text(sources, path) == "one"
    path.write_text("two")
    assert text(sources, path) == "two"


def test_what_is_not_there_says_why(tmp_path: Path) -> None:
    missing = Sources(tmp_path).read(str(tmp_path / "no.cu"))
    assert isinstance(missing, Unreadable)
    assert "No such file" in missing.reason
    assert Sources(tmp_path).read(str(tmp_path)) == Unreadable("is a directory")


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.rw")
    assert Sources(tmp_path).read(str(tmp_path / "a.rw")) == Unreadable("is not a regular file")


def test_a_path_that_none_can_be(tmp_path: Path) -> None:
    assert isinstance(Sources(tmp_path).resolve("a\0b.cu", str(tmp_path / "a.rw")), Unreadable)


def test_a_named_path_stays_inside(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "out")
    sources = Sources(tmp_path / "in")
    by = str(tmp_path / "in" / "a.rw")
    assert sources.resolve("k.cu", by) == str(tmp_path / "in" / "k.cu")
    assert isinstance(sources.resolve("../out/k.cu", by), Unreadable)
    assert isinstance(sources.resolve("link/k.cu", by), Unreadable)
    assert isinstance(sources.resolve("/etc/passwd", by), Unreadable)


def test_files_that_end_with_a_path_the_nearest_first(tmp_path: Path) -> None:
    for path in ("lib/gpu/a.h", "far/away/gpu/a.h", "one/b.h", "two/b.h", "src/xa.h", "build/c.h"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    sources, by = Sources(tmp_path), str(tmp_path / "src/k.cu")
    assert sources.ending(anywhere("k.cu", "../gpu/a.h"), by) == ("../lib/gpu/a.h",)
    assert sources.ending(anywhere("../far/k.cu", "a.h"), by) == ("../far/away/gpu/a.h",)
    assert sources.ending(anywhere("k.cu", "b.h"), by) == ("../one/b.h", "../two/b.h")
    assert sources.ending(anywhere("k.cu", "c.h"), by) == ()
    (tmp_path / "src/gpu").mkdir()
    (tmp_path / "src/gpu/c.h").touch()
    sources.relist(str(tmp_path / "src/gpu/c.h"))
    assert sources.ending(anywhere("k.cu", "c.h"), by) == ("gpu/c.h",)


def test_what_is_hidden_is_not_looked_for(tmp_path: Path) -> None:
    """An editor that locks a file leaves a link to nowhere beside it."""
    (tmp_path / "a.rw").touch()
    (tmp_path / ".a.rw").touch()
    (tmp_path / ".#a.rw").symlink_to("someone@elsewhere.1234:5678")
    assert checked_files(str(tmp_path)) == (str(tmp_path / "a.rw"),)


def test_the_root_is_the_nearest_marked_folder(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "a" / "rewright.toml").touch()
    assert workspace_root(inner / "x.rw") == tmp_path / "a"
    assert workspace_root(inner) == tmp_path / "a"


def _let_time_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    later = time.time_ns() + int(2 * disk.TICK_SECONDS * 1e9)
    monkeypatch.setattr(time, "time_ns", lambda: later)


def text(sources: Sources, path: Path) -> str:
    found = sources.read(str(path))
    assert isinstance(found, Text)
    return found.text


def test_a_file_names_a_source_only_by_its_whole_last_part(tmp_path: Path) -> None:
    names = tmp_path / "names.rw"
    names.write_text('kernel k() from "in/sgemm.cu" {}\nloops l from "lu.c"::lu\n')
    assert naming([str(tmp_path / "sgemm.cu")], [str(names)]) == (str(names),)
    assert naming([str(tmp_path / "lu.c")], [str(names)]) == (str(names),)
    assert naming([str(tmp_path / "gemm.c")], [str(names)]) == ()
    assert naming([str(tmp_path / "lu.cu")], [str(names)]) == ()
