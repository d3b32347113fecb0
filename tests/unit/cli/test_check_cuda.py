"""`rewright check` of CUDA files: what is a result, what is silent, what is told of sources that are not right."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from command_line import check_here
from test_check import check

SHIFT = """\
__global__ void shift(const float *x, float *y, int n) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = tile[63 - threadIdx.x];
}
"""
LAUNCH = "// rewright: launch block(64); n = 64; x: in f32[64]; y: out f32[64]\n"
RACY = SHIFT.replace("  __syncthreads();\n", "")
KERNEL = 'kernel shift(x: in f32[64], y: out f32[64], n: s32 = 64) from "shift.cu"::shift {\n  launch block(64)\n}\n'
CALL = "void run(float *x, float *y) { shift<<<1, 64>>>(x, y, 64); }\n"
OWN = "kernel other(y: out s32[4]) {\n  launch block(4)\n  y[thread.x] = 1\n}\n"


def verdicts(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(result["file"], result["name"], result["verdict"]) for result in report["results"]]


def test_of_a_folder_each_kernel_whose_launch_is_known_is_a_result_and_the_others_are_named(tmp_path: Path) -> None:
    (tmp_path / "said.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "silent.cuh").write_text("#pragma once\n" + SHIFT)
    (tmp_path / "called.cu").write_text(SHIFT + CALL)
    (tmp_path / "hidden.cu").write_text('#include "kernel.h"\n' + SHIFT.replace("__global__", "KERNEL") + CALL)
    (tmp_path / "kernel.h").write_text("#define KERNEL __global__\n")
    (tmp_path / "host.cu").write_text("int main() { return 0; }\n")
    status, report = check(tmp_path)
    names = ["called.cu", "hidden.cu", "said.cu"]
    assert (status, verdicts(report)) == (0, [(name, "shift", "checked") for name in names])
    assert {file["file"]: codes(file) for file in report["files"]} == {
        **{name: [] for name in names},
        "silent.cuh": [("RW131", 1, len("__global__ void "))],
    }
    (result,) = [each for each in report["results"] if each["file"] == "said.cu"]
    assert (result["kind"], result["expected"]) == ("kernel", ["proved", "checked", "conditional"])
    assert result["range"]["start"] == {"line": 1, "character": len("__global__ void ")}


def test_a_file_that_is_named_is_checked_by_its_own_calls_too(tmp_path: Path) -> None:
    (tmp_path / "called.cu").write_text(RACY + "void run(float *x, float *y) { shift<<<1, 64>>>(x, y, 64); }\n")
    status, report = check(tmp_path, "called.cu")
    assert (status, verdicts(report)) == (1, [("called.cu", "shift", "refuted")])
    (found,) = [each for each in report["results"][0]["diagnostics"] if each["severity"] == "error"]
    assert found["code"] == "RW301" and found["file"] == "called.cu"
    assert (found["range"]["start"]["line"], found["related"][0]["range"]["start"]["line"]) == (2, 3)


def test_a_kernel_that_is_declared_is_reported_once_and_nothing_else_of_its_declarations(tmp_path: Path) -> None:
    (tmp_path / "shift.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "shift.rw").write_text(OWN + KERNEL)
    assert verdicts(check(tmp_path, "shift.cu")[1]) == [("shift.rw", "shift", "checked")]
    assert verdicts(check(tmp_path)[1]) == [("shift.rw", "other", "checked"), ("shift.rw", "shift", "checked")]


VARIABLE = CALL.replace("<<<1, ", "<<<").replace("<<<1,", "<<<")


BARE = [
    SHIFT,
    SHIFT + VARIABLE,
    '#include "not_there.h"\n' + SHIFT,
    "__global__ void shift(void) { __shared__ int a; a = threadIdx.x; }\n",
    '#define KERNEL extern "C" __global__ void\r\nKERNEL shift(int *x) { x[0] = 1; }\r\n',
    "namespace ä { template <class T> __global__ void shift(T *x) { x[0] = 1; } }\n",
    "struct S { static __global__ void shift(int *x) { x[0] = 1; } };\n",
]
HOST = [
    "",
    "int main() { return 0; }\n",
    "__global__ void shift(int *x);\n",
    "#if 0\n" + SHIFT + "#endif\n// __global__\n",
]


def test_a_file_of_kernels_none_of_which_has_a_launch_is_not_as_expected(tmp_path: Path) -> None:
    names = [f"bare{number}.cu" for number in range(len(BARE))]
    for name, text in zip(names, BARE, strict=True):
        (tmp_path / name).write_text(text, newline="")
    done = check_here(tmp_path, *names, "--no-cache")
    assert done.returncode == 2
    for name in names:
        assert f"{name}: no kernel states its launch, as in `// rewright: launch" in done.stderr
    assert done.stdout.count("RW131 `shift` is not checked: no launch of it is known") == len(names)
    assert "is known: the source has no call of it; state one" in done.stdout
    assert "as in `// rewright: launch block(256)`  bare3.cu:1:17" in done.stdout
    assert f"nothing to check, {len(names)} kernels without a launch" in done.stdout and "expected" not in done.stdout


def test_a_kernel_of_an_included_file_is_checked_where_it_is_launched(tmp_path: Path) -> None:
    (tmp_path / "shift.cuh").write_text(SHIFT)
    (tmp_path / "run.cu").write_text('#include "shift.cuh"\n' + CALL)
    status, report = check(tmp_path)
    assert verdicts(report) == [("run.cu", "shift", "checked")] and status == 0
    assert not any(each["diagnostics"] for each in report["files"])


def test_a_file_without_kernels_is_no_failure(tmp_path: Path) -> None:
    names = [f"host{number}.cu" for number in range(len(HOST))]
    for name, text in zip(names, HOST, strict=True):
        (tmp_path / name).write_text(text)
    done = check_here(tmp_path, *names, "--no-cache")
    assert (done.returncode, done.stderr) == (0, "")
    assert "nothing to check" in done.stdout and "expected" not in done.stdout


def test_of_a_folder_and_beside_others_a_kernel_without_launch_is_named_and_no_failure(tmp_path: Path) -> None:
    (tmp_path / "bare.cu").write_text(SHIFT)
    (tmp_path / "mixed.cu").write_text(SHIFT.replace("shift", "other") + LAUNCH + SHIFT)
    for paths, expected in ((["."], 0), (["mixed.cu"], 0), ([".", "bare.cu"], 2)):
        status, report = check(tmp_path, *paths)
        assert (status, verdicts(report)) == (expected, [("mixed.cu", "shift", "checked")])
        assert codes(report["files"][-1]) == [("RW131", 0, len("__global__ void "))]


def test_a_name_that_no_source_has_is_reported(tmp_path: Path) -> None:
    (tmp_path / "said.cu").write_text(LAUNCH + SHIFT)
    done = check_here(tmp_path, "said.cu", "--no-cache", "--only", "shirt")
    assert done.returncode == 2 and "no declaration is called `shirt`" in done.stderr


def test_a_source_that_is_too_long_is_reported_wherever_it_is_found(tmp_path: Path) -> None:
    (tmp_path / "long.cu").write_text(LAUNCH + SHIFT + "// padding\n" * 200_000)
    status, report = check(tmp_path)
    assert (status, report["results"]) == (2, [])
    (found,) = report["files"][0]["diagnostics"]
    assert (found["code"], found["severity"]) == ("RW010", "error") and "2.1 MiB" in found["message"]
    done = check_here(tmp_path, "long.cu", "--no-cache")
    assert done.returncode == 2
    assert "long.cu: nothing is checked here: the text has 2.1 MiB, more than the 2 MiB" in " ".join(
        done.stderr.split()
    )


def test_a_source_that_cannot_be_read_is_reported_wherever_it_is_found(tmp_path: Path) -> None:
    (tmp_path / "said.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "folder.cu").mkdir()
    os.mkfifo(tmp_path / "fifo.cu")
    links = {"zero.cu": "/dev/zero", "loop.cu": "loop.cu", "nowhere.cu": "not there", "to_fifo.cu": "fifo.cu"}
    for name, target in links.items():
        (tmp_path / name).symlink_to(target)
    done = check_here(tmp_path, ".", "--no-cache")
    assert done.returncode == 2 and "1 checked" in done.stdout
    for name in ("fifo.cu", *links):
        assert f"cannot read {tmp_path / name}: " in done.stderr
    assert "folder.cu" not in done.stderr


def codes(file: dict[str, Any]) -> list[tuple[str, int, int]]:
    starts = ((each["code"], each["range"]["start"]) for each in file["diagnostics"])
    return [(code, start["line"], start["character"]) for code, start in starts]


def test_what_is_included_is_read_and_what_is_not_there_is_reported(tmp_path: Path) -> None:
    header = '#pragma once\n#include "deep.cuh"\n#define LAST (SIZE - 1)\n'
    text = '#include <cuda_runtime.h>\n#include "inc/size.cuh"\n#include "torch/extension.h"\n' + LAUNCH
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc/size.cuh").write_text(header)
    (tmp_path / "inc/deep.cuh").write_text("#define SIZE 64\n")
    (tmp_path / "shift.cu").write_text(text + SHIFT.replace("[64]", "[SIZE]").replace("63", "LAST"))
    status, report = check(tmp_path, "shift.cu")
    assert (status, verdicts(report)) == (0, [("shift.cu", "shift", "checked")])
    (found,) = report["files"][0]["diagnostics"]
    assert "torch/extension.h" in found["message"] and found["range"]["start"]["line"] == 2


def test_a_broken_kernel_leaves_the_others(tmp_path: Path) -> None:
    broken = SHIFT.replace("shift", "broken").replace("63 - threadIdx.x]", "63 - ")
    unknown = SHIFT.replace("shift", "unknown").replace("__syncthreads()", "__mystery()")
    texts = [LAUNCH + each for each in (SHIFT, broken, unknown, RACY.replace("shift", "racy"))]
    (tmp_path / "many.cu").write_text("\n".join(texts))
    status, report = check(tmp_path, "many.cu")
    verdicts = {result["name"]: result["verdict"] for result in report["results"]}
    assert verdicts == {"shift": "checked", "broken": "unknown", "unknown": "unknown", "racy": "refuted"}
    assert status == 1
    for result, line in zip(report["results"][1:3], (13, 20), strict=True):
        assert {each["code"] for each in result["diagnostics"]} == {"RW310"}
        assert line in {each["range"]["start"]["line"] for each in result["diagnostics"]}


def test_names_bytes_and_line_ends_of_every_kind(tmp_path: Path) -> None:
    (tmp_path / "größe 𝒳.cu").write_bytes(b"// \xff\xfe\r\n" + (LAUNCH + RACY).replace("\n", "\r\n").encode())
    status, report = check(tmp_path)
    assert (status, verdicts(report)) == (1, [("größe 𝒳.cu", "shift", "refuted")])
    assert report["results"][0]["diagnostics"][0]["range"]["start"]["line"] == 4


def test_a_second_run_asks_nothing_again(tmp_path: Path) -> None:
    (tmp_path / "said.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "said.rw").write_text(KERNEL.replace("shift.cu", "other.cu"))
    (tmp_path / "other.cu").write_text("// moved\n" + SHIFT)
    command = [".", "--cache", str(tmp_path / "cache"), "--format", "json"]
    assert check_here(tmp_path, *command).returncode == 0
    (tmp_path / "other.cu").write_text("// moved again\n\n" + SHIFT)
    again = check_here(tmp_path, *command)
    assert again.returncode == 0
    assert again.stdout.count('"cached": true') == 4


def test_a_second_run_reports_a_declared_kernel_once_too(tmp_path: Path) -> None:
    (tmp_path / "shift.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "shift.rw").write_text(KERNEL)
    for _ in range(2):
        done = check_here(tmp_path, ".", "--cache", str(tmp_path / "cache"), "--format", "json")
        assert verdicts(json.loads(done.stdout)) == [("shift.rw", "shift", "checked")]


# ------------------------------------------------------------------------------------------------ what a project says

PROJECT = (
    '[kernels]\ninclude = ["include", "third_party/x"]\n[kernels.define]\nSIZE = 64\nREAL = "float"\nSYNC = true\n'
)
PARTS = '#include "size.h"\n#include <x/last.h>\n#include <vector>\n' + LAUNCH + SHIFT.replace("[64]", "[EXTENT]")
PARTS = PARTS.replace("63", "LAST").replace("float", "REAL").replace("  __sync", "#ifdef SYNC\n  __sync")
PARTS = PARTS.replace("();\n", "();\n#endif\n")


def project(folder: Path) -> None:
    (folder / "src").mkdir()
    (folder / "include").mkdir()
    (folder / "third_party/x/x").mkdir(parents=True)
    (folder / "include/size.h").write_text("#pragma once\n#define EXTENT SIZE\n")
    (folder / "third_party/x/x/last.h").write_text('#include "size.h"\n#define LAST (EXTENT - 1)\n')
    (folder / "src/shift.cu").write_text(PARTS)
    (folder / "rewright.toml").write_text(PROJECT)


@pytest.mark.parametrize("declared", [None, "src/shift.rw", "shift.rw", "declared/shift.rw"])
def test_sources_are_read_with_the_folders_and_macros_of_the_project(tmp_path: Path, declared: str | None) -> None:
    project(tmp_path)
    if declared is not None:
        path = tmp_path / declared
        path.parent.mkdir(exist_ok=True)
        text = KERNEL.replace('"shift.cu"', f'"{os.path.relpath(tmp_path / "src/shift.cu", path.parent)}"')
        path.write_text(text)
    status, report = check(tmp_path)
    assert (status, verdicts(report)) == (0, [(declared or "src/shift.cu", "shift", "checked")])
    assert [file["diagnostics"] for file in report["files"]] == [[]] * len(report["files"])


def test_what_is_remembered_rests_on_what_the_project_says_and_where_files_are_found(tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / "shift.rw").write_text(KERNEL.replace("shift.cu", "src/shift.cu"))

    def verdicts() -> list[str]:
        done = check_here(tmp_path, ".", "--cache", str(tmp_path / "cache"), "--format", "json")
        return [result["verdict"] for result in json.loads(done.stdout)["results"]]

    assert verdicts() == ["checked"]
    (tmp_path / "rewright.toml").write_text(PROJECT.replace("SYNC", "OTHER"))
    assert verdicts() == ["refuted"]
    (tmp_path / "rewright.toml").write_text(PROJECT)
    assert verdicts() == ["checked"]
    (tmp_path / "include/x").mkdir()
    (tmp_path / "include/x/last.h").write_text("#define LAST 64\n")
    assert verdicts() == ["refuted"], "out of bounds: it is found in an earlier folder now"
    (tmp_path / "rewright.toml").write_text(PROJECT.replace('"include", "third_party/x"', '"third_party/x", "include"'))
    assert verdicts() == ["checked"]
    (tmp_path / "src/size.h").write_text("#undef SIZE\n#define SIZE 32\n")
    assert verdicts() == ["refuted"], "out of bounds: it is found beside the file now"


@pytest.mark.parametrize("declared", [None, "shift.rw", "declared/shift.rw"])
def test_what_nobody_says_where_it_is_is_looked_for_in_the_folders_around(tmp_path: Path, declared: str | None) -> None:
    for folder in (".git", "src/deep/inside", "include/x", "src/common"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "include/x/size.h").write_text('#pragma once\n#include "plain.h"\n#define EXTENT SIZE\n')
    (tmp_path / "include/x/plain.h").write_text("#define SIZE 64\n")
    (tmp_path / "src/common/last.h").write_text("#define LAST (EXTENT - 1)\n")
    (tmp_path / "src/common/stdio.h").write_text("#error another one\n")
    parts = '#include "x/size.h"\n#include <last.h>\n#include <stdio.h>\n' + LAUNCH + SHIFT.replace("[64]", "[EXTENT]")
    source = tmp_path / "src/deep/inside/shift.cu"
    source.write_text(parts.replace("63", "LAST"))
    if declared is not None:
        (tmp_path / declared).parent.mkdir(exist_ok=True)
        text = KERNEL.replace('"shift.cu"', f'"{os.path.relpath(source, (tmp_path / declared).parent)}"')
        (tmp_path / declared).write_text(text)
    asked = declared or "src/deep/inside/shift.cu"

    def said() -> tuple[list[str], list[str]]:
        done = check_here(tmp_path, asked, "--cache", str(tmp_path / "cache"), "--format", "json")
        report = json.loads(done.stdout)
        findings = [each["code"] for result in report["results"] for each in result["diagnostics"]]
        return [result["verdict"] for result in report["results"]], findings

    assert said() == said() == (["checked"], [])
    (tmp_path / "src/deep/include/x").mkdir(parents=True)
    (tmp_path / "src/deep/include/x/size.h").write_text("#define EXTENT 32\n")
    assert said()[0] == ["refuted"], "out of bounds: there is a nearer one, in a folder that was not there"


def test_what_is_looked_for_around_is_inside_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "inside/.git").mkdir(parents=True)
    (tmp_path / "include/size.h").write_text("#define EXTENT 64\n")
    (tmp_path / "inside/shift.cu").write_text('#include "size.h"\n' + LAUNCH + SHIFT.replace("[64]", "[EXTENT]"))
    status, report = check(tmp_path / "inside", "shift.cu")
    assert (status, verdicts(report)) == (1, [("shift.cu", "shift", "unknown")])


def test_a_folder_outside_of_the_workspace_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside/shift.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "inside/rewright.toml").write_text('[kernels]\ninclude = ["../other"]\n')
    done = check_here(tmp_path, "inside")
    assert done.returncode == 2
    assert "rewright.toml: `include`: `../other` is outside the workspace" in " ".join(done.stderr.split())


UNGUARDED = """\
__global__ void doubled(float *x, int n) { x[blockIdx.x * 64 + threadIdx.x] *= 2; }
// rewright: x: inout f32[n]
__global__ void kept(float *x, int n) { x[blockIdx.x * 64 + threadIdx.x] *= 2; }
void run(float *x, int n) { kept<<<(n + 63) / 64, 64>>>(x, n); }
"""
EXPECTED = """\
@expect(conditional)
kernel looked_at<N>(x: inout f32[N], n: s32 = N) from "kept.cu"::doubled {
  launch grid((N + 63) / 64), block(64)
}
"""


def test_a_conditional_kernel_is_expected_unless_everything_is_to_be_stated(tmp_path: Path) -> None:
    (tmp_path / "kept.cu").write_text(UNGUARDED)
    status, report = check(tmp_path, "kept.cu")
    (result,) = report["results"]
    assert (status, result["verdict"], result["as_expected"]) == (0, "conditional", True)
    assert result["coverage"]["conditions"] == ["n % 64 == 0"]
    assert report["summary"]["conditional"] == 1
    status, report = check(tmp_path, "kept.cu", "--strict")
    (result,) = report["results"]
    assert (status, result["as_expected"], result["expected"]) == (1, False, ["proved", "checked"])


def test_who_expects_a_conditional_kernel_has_looked_at_it(tmp_path: Path) -> None:
    (tmp_path / "kept.cu").write_text(UNGUARDED)
    (tmp_path / "kept.rw").write_text(EXPECTED)
    (tmp_path / "rewright.toml").write_text("[check]\nstrict = true\n")
    status, report = check(tmp_path, "kept.rw")
    assert (status, verdicts(report)) == (0, [("kept.rw", "looked_at", "conditional")])
    assert check(tmp_path, "kept.cu")[0] == 1


def built(folder: Path, **defines: int) -> None:
    """A source that needs what its build says, with what that says."""
    (folder / ".git").mkdir(exist_ok=True)
    (folder / "src").mkdir(exist_ok=True)
    (folder / "deps").mkdir(exist_ok=True)
    (folder / "deps/wait.h").write_text("#define WAIT __syncthreads()\n")
    source = "#include <wait.h>\n" + LAUNCH + SHIFT.replace("__syncthreads()", "WAIT").replace("63 -", "LAST -")
    (folder / "src/shift.cu").write_text(source)
    arguments = ["nvcc", "-isystem", "deps", *(f"-D{name}={value}" for name, value in defines.items())]
    commands = [{"directory": str(folder), "file": "src/shift.cu", "arguments": arguments}]
    (folder / "build").mkdir(exist_ok=True)
    (folder / "build/compile_commands.json").write_text(json.dumps(commands))


def test_include_folders_and_macros_are_those_of_the_build_and_a_change_checks_again(tmp_path: Path) -> None:
    for last, expected in ((63, "checked"), (64, "refuted"), (63, "checked"), (63, "checked")):
        built(tmp_path, LAST=last)
        done = check_here(tmp_path, ".", "--cache", "cache", "--format", "json")
        assert verdicts(json.loads(done.stdout)) == [("src/shift.cu", "shift", expected)]
    (tmp_path / "rewright.toml").write_text("[kernels]\ndefine = { LAST = 64 }\n")
    assert verdicts(check(tmp_path)[1]) == [("src/shift.cu", "shift", "refuted")], "settings come first"


def test_a_kernel_that_a_declaration_names_is_read_as_its_build_does(tmp_path: Path) -> None:
    built(tmp_path, LAST=63)
    (tmp_path / "shift.rw").write_text(KERNEL.replace("shift.cu", "src/shift.cu"))
    assert verdicts(check(tmp_path, "shift.rw")[1]) == [("shift.rw", "shift", "checked")]


def test_commands_of_a_build_that_cannot_be_used_are_told_once_where_they_stand(tmp_path: Path) -> None:
    built(tmp_path)
    (tmp_path / "build/compile_commands.json").write_text('[{"file": "src/shift.cu"},\n x]')
    for name in ("one.cu", "two.cu"):
        (tmp_path / "src" / name).write_text(LAUNCH + SHIFT)
    status, report = check(tmp_path, "src/one.cu", "src/two.cu")
    assert (status, [each["verdict"] for each in report["results"]]) == (0, ["checked", "checked"])
    (told,) = [each for file in report["files"] for each in file["diagnostics"]]
    assert (told["code"], told["severity"], told["file"]) == ("RW132", "warning", "build/compile_commands.json")
    assert told["range"]["start"] == {"line": 1, "character": 1}
