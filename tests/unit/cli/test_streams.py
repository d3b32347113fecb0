"""What reaches the terminal, whatever the text, the streams and the moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer

from rewright.cli import checking
from rewright.cli.main import main
from rewright.cli.printing import Format, visible
from rewright.workspace.batch import CheckOptions

RULE = """import "\x1b[31mred.rw"
rule r<T: any> {
  axes A
  map n on A
  tensor X: T[A: n]
  reverse(reverse(X, A), A) => X
}
"""


def rewright(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "rewright.cli", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False, env={**os.environ, **environment})


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain, Größe, 𝒳, שלום", "plain, Größe, 𝒳, שלום"),
        ("\x1b[31m\n\t\0", "\\x1b[31m\\n\\t\\x00"),
        ("\u202efdp.rw", "\\u202efdp.rw"),
        ("a\udcff", "a\\udcff"),
    ],
)
def test_what_does_not_print_as_itself_is_spelled_out(text: str, seen: str) -> None:
    assert visible(text) == seen


def test_a_text_cannot_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[2J.rw").write_text(RULE)
    done = rewright(tmp_path, "check", ".", "--no-cache")
    assert b"\x1b" not in done.stdout
    assert b"cannot read `\\x1b[31mred.rw`" in done.stdout


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "markdown", "github", "text"])
def test_a_path_that_is_not_unicode_is_shown_in_every_form(tmp_path: Path, form: str) -> None:
    (tmp_path / os.fsdecode(b"a\xff.rw")).write_text(RULE)
    done = rewright(tmp_path, "check", ".", "--no-cache", "--format", form)
    assert (done.returncode, done.stderr) == (1, b""), done.stderr.decode()
    assert b"red.rw" in done.stdout
    if form == "json":
        assert b"a\\udcff.rw" in done.stdout and json.loads(done.stdout)


def test_an_encoding_without_the_marks(tmp_path: Path) -> None:
    (tmp_path / "größe.rw").write_text(RULE.partition("\n")[2])
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = rewright(tmp_path, "check", ".", "--no-cache", **ascii_only)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"gr\\xf6\\xdfe.rw" in done.stdout
    assert b"+ r  all ranks and sizes" in done.stdout
    report = json.loads(rewright(tmp_path, "check", ".", "--no-cache", "--format", "json", **ascii_only).stdout)
    assert report["files"][0]["file"] == "größe.rw"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["explain", "RW201"], ["check", ".", "--no-cache", "--format", "text"]])
def test_a_full_stream_is_reported(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.rw").write_text("// nothing\n")
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "rewright.cli", *arguments]
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.decode() == "rewright: cannot write: No space left on device\n"


def test_a_ctrl_c_leaves_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(**_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "rewright.cli.commands", SimpleNamespace(app=interrupted))
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130


def test_a_working_directory_that_is_gone_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone() -> str:
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setattr(os, "getcwd", gone)
    with pytest.raises(typer.Exit) as ended:
        checking.check(checking.CheckRequest([Path("/a.rw")], CheckOptions(), Format.JSON))
    assert ended.value.exit_code == 2
    assert capsys.readouterr() == ("", "rewright: there is no working directory: No such file or directory\n")
