"""`--changed-since` and `--watch`: which files are checked, and when."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Collection
from pathlib import Path

import pytest
from command_line import check_here, rewright
from test_check import TRUE

from rewright.cli.watching import watch

KERNEL = '#include "deep.h"\n__global__ void k(int *p) { p[0] = 0; }\n// rewright: launch k grid(1), block(1); p = 1\n'


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(("git", *identity, *arguments), cwd=folder, check=True, capture_output=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with rules that import others, a kernel that includes a header through another one."""
    (tmp_path / "base.rw").write_text(TRUE)
    (tmp_path / "user.rw").write_text('import "base.rw"\n' + TRUE.replace("reverse_twice", "other"))
    (tmp_path / "alone.rw").write_text(TRUE.replace("reverse_twice", "alone"))
    (tmp_path / "kernel.cu").write_text(KERNEL)
    (tmp_path / "deep.h").write_text('#include "deeper.h"\n')
    (tmp_path / "deeper.h").write_text("")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "first")
    return tmp_path


def checked(folder: Path, *arguments: str) -> set[str]:
    """The files that a run since the last commit checks."""
    done = check_here(folder, *(arguments or (".",)), "--no-cache", "--changed-since", "HEAD", "--format", "json")
    assert done.returncode in (0, 1), done.stderr
    return {each["file"] for each in json.loads(done.stdout)["files"]}


def test_nothing_changed(folder: Path) -> None:
    assert checked(folder) == set()
    done = rewright(folder, "check", ".", "--changed-since", "HEAD")
    assert (done.returncode, "nothing to check" in done.stdout) == (0, True)
    assert "nothing that is checked here has changed since HEAD" in done.stderr


def test_what_a_change_reaches_is_checked(folder: Path) -> None:
    (folder / "base.rw").write_text(TRUE + "\n")
    assert checked(folder) == {"base.rw", "user.rw"}
    assert checked(folder, "alone.rw", "user.rw") == {"user.rw"}
    (folder / "new.rw").write_text(TRUE)
    assert checked(folder) == {"base.rw", "user.rw", "new.rw"}


def test_a_header_reaches_through_others(folder: Path) -> None:
    (folder / "deeper.h").write_text("\n")
    assert checked(folder) == {"kernel.cu"}


def test_what_was_deleted_reaches_what_named_it(folder: Path) -> None:
    (folder / "base.rw").unlink()
    assert checked(folder) == {"user.rw"}


def test_settings_reach_everything(folder: Path) -> None:
    (folder / "rewright.toml").write_text("")
    assert checked(folder) == {"base.rw", "user.rw", "alone.rw", "kernel.cu"}


def test_what_git_ignores_is_checked(folder: Path) -> None:
    (folder / ".git" / "info" / "exclude").write_text("alone.rw\nignored.rw\n")
    (folder / "ignored.rw").write_text(TRUE)
    assert checked(folder) == {"ignored.rw"}


@pytest.mark.parametrize(("revision", "said"), [("nothing", "knows no revision"), ("--output=x", "is not a revision")])
def test_a_revision_that_is_not_there(folder: Path, revision: str, said: str) -> None:
    done = rewright(folder, "check", ".", f"--changed-since={revision}")
    assert (done.returncode, said in done.stderr) == (2, True)
    assert not (folder / "x").exists()


def test_a_folder_without_git(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE)
    done = rewright(tmp_path, "check", ".", "--changed-since", "HEAD")
    assert (done.returncode, "not a git repository" in done.stderr) == (2, True)


def test_git_runs_no_program_of_the_repository(folder: Path) -> None:
    for setting in ("core.fsmonitor", "diff.external", "diff.rw.textconv", "core.pager"):
        git(folder, "config", setting, "touch ran; false")
    (folder / ".gitattributes").write_text("*.rw diff=rw\n")
    (folder / "base.rw").write_text(TRUE + "\n")
    assert checked(folder) == {"base.rw", "user.rw"}
    assert not (folder / "ran").exists()


def test_a_change_is_checked_again(tmp_path: Path) -> None:
    """Each round changes a file that matters; a round begins at once if it changed while the last one ran."""
    (tmp_path / "a.rw").write_text(TRUE)
    read = tmp_path / "b.h"
    rounds: list[int] = []

    def once() -> Collection[str]:
        rounds.append(len(rounds))
        if len(rounds) == 1:
            (tmp_path / "a.rw").write_text(TRUE + "\n")
        read.write_text("\n" * len(rounds))
        return [str(read)]

    watch([tmp_path], once, iter(range(2)))
    assert len(rounds) == 2


def test_watch_prints_for_people(tmp_path: Path) -> None:
    (tmp_path / "a.rw").write_text(TRUE)
    done = rewright(tmp_path, "check", ".", "--watch", "--format", "json")
    assert (done.returncode, "leave out `--format`" in done.stderr) == (2, True)
