"""`compile_commands.json`: which one counts for a source, what it says, and what makes it unusable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rewright.report import codes
from rewright.verdict import InSource, Severity
from rewright.workspace.compile_commands import LONGEST, MOST_FOLDERS, BuildSettings, build_settings
from rewright.workspace.lowering import preset
from rewright.workspace.settings import KernelSettings
from rewright.workspace.sources import Sources


def written(folder: Path, *arguments: str, at: str = "compile_commands.json", **entry: object) -> Path:
    """One command for `src/k.cu`, in a file of the folder."""
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src/k.cu").write_text("kernel")
    whole = {"directory": str(folder), "file": "src/k.cu", "arguments": ["nvcc", *arguments]} | entry
    target = folder / at
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps([{k: v for k, v in whole.items() if v is not None}]))
    return target


def found(folder: Path) -> BuildSettings:
    return build_settings(str(folder / "src/k.cu"), Sources(folder))


def wrong(folder: Path) -> str:
    """What is said of commands that are not used."""
    said = found(folder)
    assert said.problem is not None and said.problem.severity is Severity.WARNING
    assert (said.include, said.define) == ((), ())
    return codes.message(said.problem)


OPTIONS = {
    "apart": (["-I", "a", "-D", "N=2"], ["a"], {"N": "2"}),
    "joined": (["-Ia", "-DN=2"], ["a"], {"N": "2"}),
    "system": (["-isystem", "a", "-isystem=b", "-iquote", "c"], ["a", "b", "c"], {}),
    "long": (["--include-path", "a", "--define-macro=N=2"], ["a"], {"N": "2"}),
    "no value": (["-DN", "-DM="], [], {"N": "1", "M": ""}),
    "undefined": (["-DN=1", "-UN", "-DM", "-DK", "-U", "K"], [], {"M": "1"}),
    "again": (["-DN=1", "-DM", "-DN=2", "-Ia", "-I./a"], ["a"], {"M": "1", "N": "2"}),
    "text": (['-DNAME="x"', "-DTYPE=long double"], [], {"NAME": '"x"', "TYPE": "long double"}),
    "of a call": (["-DF(x)=x", "-D=1", "-D"], [], {}),
    "others": (["-O3", "-Xcompiler", "-Wall", "-o", "k.o", "-I"], [], {}),
}


@pytest.mark.parametrize(("arguments", "include", "define"), OPTIONS.values(), ids=OPTIONS)
def test_options(tmp_path: Path, arguments: list[str], include: list[str], define: dict[str, str]) -> None:
    written(tmp_path, *arguments)
    said = found(tmp_path)
    assert (said.include, dict(said.define)) == (tuple(str(tmp_path / each) for each in include), define)
    assert said.problem is None


def test_a_command_is_split_as_a_shell_splits_it(tmp_path: Path) -> None:
    written(tmp_path, arguments=None, command='nvcc -I\'a b\' "-DN=4 * 2" -DM=\\"x\\" -c src/k.cu')
    said = found(tmp_path)
    assert (said.include, dict(said.define)) == ((str(tmp_path / "a b"),), {"N": "4 * 2", "M": '"x"'})


def test_paths_are_relative_to_the_directory_of_the_command(tmp_path: Path) -> None:
    written(
        tmp_path, "-I../include", at="build/compile_commands.json", directory=str(tmp_path / "out"), file="../src/k.cu"
    )
    assert found(tmp_path).include == (str(tmp_path / "include"),)
    written(tmp_path, "-Iinclude", at="build/compile_commands.json", directory="..", file="src/k.cu")
    assert found(tmp_path).include == (str(tmp_path / "include"),), "relative to the file where that is relative"


def test_the_nearest_one_counts(tmp_path: Path) -> None:
    for number, at in enumerate(("build", ".", "src/build", "src")):
        written(tmp_path, f"-DN={number}", at=f"{at}/compile_commands.json")
        assert dict(found(tmp_path).define) == {"N": str(number)}
    assert [Path(path).parent.name for path, _ in found(tmp_path).looked] == ["src"]


def test_what_was_looked_for_is_known_with_what_it_said(tmp_path: Path) -> None:
    at = written(tmp_path, "-DN=1")
    before = found(tmp_path).looked
    assert [(Path(path).relative_to(tmp_path).as_posix(), bool(digest)) for path, digest in before] == [
        ("src/compile_commands.json", False),
        ("src/build/compile_commands.json", False),
        ("compile_commands.json", True),
    ]
    at.write_text(at.read_text().replace("N=1", "N=2"))
    assert found(tmp_path).looked != before


def test_a_source_without_a_command_has_none_of_another(tmp_path: Path) -> None:
    written(tmp_path, "-DN=1", file="other/k.cu")
    assert (found(tmp_path).define, found(tmp_path).problem) == ((), None)


def test_nothing_outside_the_workspace_is_read(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside").mkdir()
    (inside / "link").symlink_to(tmp_path / "outside", target_is_directory=True)
    written(tmp_path, "-DN=1", directory=str(inside))
    written(inside, "-DN=2", "-I/usr/include", "-I../outside", "-Ilink", "-I.", at="other.json")
    assert found(inside) == BuildSettings(looked=found(inside).looked), "commands around the workspace are not read"
    (inside / "other.json").rename(inside / "compile_commands.json")
    assert (found(inside).include, dict(found(inside).define)) == ((str(inside),), {"N": "2"})
    (inside / "compile_commands.json").rename(tmp_path / "outside/compile_commands.json")
    (inside / "compile_commands.json").symlink_to(tmp_path / "outside/compile_commands.json")
    assert found(inside).define == (), "nor by a link"


UNUSABLE = {
    "{": "it is no JSON",
    "[" * 100_000: "it is no JSON",
    "{}": "it must be a list of commands",
    "[1]": "its entry 1 names no `file`",
    '[{"file": "a.cu"}, {"file": 3}]': "its entry 2 names no `file`",
    '[{"file": "src/k.cu"}]': "`src/k.cu` has neither `arguments`, a list of texts, nor `command`, a text",
    '[{"file": "src/k.cu", "arguments": "nvcc"}]': "`src/k.cu` has neither `arguments`",
    '[{"file": "src/k.cu", "command": "nvcc \'-DN"}]': "the `command` of `src/k.cu` cannot be split into words",
    '[{"file": "src/k.cu", "directory": 3, "arguments": []}]': "`directory` of `src/k.cu` must be the path of a folder",
}


@pytest.mark.parametrize(("text", "reason"), UNUSABLE.items(), ids=map(str, range(len(UNUSABLE))))
def test_what_cannot_be_used_is_said(tmp_path: Path, text: str, reason: str) -> None:
    written(tmp_path).write_text(text)
    assert f"`compile_commands.json` is not used: {reason}" in wrong(tmp_path)


def test_broken_json_is_named_at_its_place(tmp_path: Path) -> None:
    at = written(tmp_path)
    at.write_text('["größe", x]')
    problem = found(tmp_path).problem
    assert problem is not None and problem.place == InSource(str(at), 12, 12)


def test_a_huge_one_is_not_read(tmp_path: Path) -> None:
    written(tmp_path, "-DN=1").write_text("[" + " " * LONGEST + "]")
    assert "it has 16.0 MiB, more than the 16 MiB that are read" in wrong(tmp_path)


def test_a_folder_of_that_name_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    at = written(tmp_path)
    at.write_bytes(b"\xff\xfe[")
    assert "it is no JSON" in wrong(tmp_path)
    at.unlink()
    at.mkdir()
    assert "is not used" in wrong(tmp_path)


def test_so_many_folders_and_no_more(tmp_path: Path) -> None:
    written(tmp_path, *(f"-Ifolder{number}" for number in range(MOST_FOLDERS + 9)))
    assert len(found(tmp_path).include) == MOST_FOLDERS


def test_the_settings_of_the_project_come_first(tmp_path: Path) -> None:
    written(tmp_path, "-Ifrom_build", "-DN=1", "-DM=1")
    settings = KernelSettings((str(tmp_path / "from_settings"),), (("N", "2"),))
    made = preset(settings, ("src/k.cu", str(tmp_path / "k.rw")), Sources(tmp_path))
    assert made.include == ("from_settings", "from_build")
    assert dict(made.defines) == {"N": "2", "M": "1"}
