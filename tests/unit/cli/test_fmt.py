"""`rewright fmt`: what is written, what is only said, and the exit status."""

from __future__ import annotations

from pathlib import Path

from command_line import rewright

UGLY, FINE = "rule  r{X=>X}\n", "rule r { X => X }\n"


def test_fmt_writes_what_check_says_and_then_nothing(tmp_path: Path) -> None:
    (tmp_path / "ugly.rw").write_text(UGLY)
    (tmp_path / "fine.rw").write_text(FINE)
    said = rewright(tmp_path, "fmt", "--check", ".")
    assert (said.returncode, said.stdout) == (1, "would format ugly.rw\n")
    assert (tmp_path / "ugly.rw").read_text() == UGLY
    assert rewright(tmp_path, "fmt", ".").returncode == 0
    assert (tmp_path / "ugly.rw").read_text() == FINE
    assert rewright(tmp_path, "fmt", "--check", ".").returncode == 0


def test_fmt_keeps_a_byte_order_mark_and_refuses_what_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "mark.rw").write_bytes(b"\xef\xbb\xbf" + UGLY.encode())
    (tmp_path / "other.rw").write_bytes(b"rule  \xff{}\n")
    done = rewright(tmp_path, "fmt", "mark.rw", "other.rw")
    assert done.returncode == 2 and "other.rw: is not UTF-8" in done.stderr
    assert (tmp_path / "mark.rw").read_bytes() == b"\xef\xbb\xbf" + FINE.encode()
    assert (tmp_path / "other.rw").read_bytes() == b"rule  \xff{}\n"
    assert rewright(tmp_path, "fmt", "none.rw").returncode == 2
