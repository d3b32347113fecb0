"""`rewright check` of CUDA files: what is a result, what is silent, what is told of sources that are not right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from test_check import check, rewright

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
OWN = "kernel other(y: out s32[4]) {\n  launch block(4)\n  y[thread.x] = 1\n}\n"


def told(report: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(result["file"], result["name"], result["verdict"]) for result in report["results"]]


def test_of_a_folder_only_what_says_how_it_is_launched_is_a_result(tmp_path: Path) -> None:
    (tmp_path / "said.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "silent.cu").write_text(SHIFT)
    (tmp_path / "called.cu").write_text(SHIFT + "void run(float *x, float *y) { shift<<<1, 64>>>(x, y, 64); }\n")
    status, report = check(tmp_path)
    assert (status, told(report)) == (0, [("said.cu", "shift", "checked")])
    assert [file["file"] for file in report["files"]] == ["said.cu"]
    (result,) = report["results"]
    assert (result["kind"], result["expected"]) == ("kernel", ["proved", "checked"])
    assert result["range"]["start"] == {"line": 1, "character": len("__global__ void ")}


def test_a_file_that_is_named_is_checked_by_its_own_calls_too(tmp_path: Path) -> None:
    (tmp_path / "called.cu").write_text(RACY + "void run(float *x, float *y) { shift<<<1, 64>>>(x, y, 64); }\n")
    status, report = check(tmp_path, "called.cu")
    assert (status, told(report)) == (1, [("called.cu", "shift", "refuted")])
    (found,) = [each for each in report["results"][0]["diagnostics"] if each["severity"] == "error"]
    assert found["code"] == "RW301" and found["file"] == "called.cu"
    assert (found["range"]["start"]["line"], found["related"][0]["range"]["start"]["line"]) == (2, 3)


def test_a_kernel_that_is_declared_is_told_once_and_nothing_else_of_its_declarations(tmp_path: Path) -> None:
    (tmp_path / "shift.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "shift.rw").write_text(OWN + KERNEL)
    assert told(check(tmp_path, "shift.cu")[1]) == [("shift.rw", "shift", "checked")]
    assert told(check(tmp_path)[1]) == [("shift.rw", "other", "checked"), ("shift.rw", "shift", "checked")]


def test_a_file_without_any_launch_says_how_to_give_one(tmp_path: Path) -> None:
    (tmp_path / "bare.cu").write_text(SHIFT)
    done = rewright(tmp_path, "check", "bare.cu", "--no-cache")
    assert done.returncode == 0
    assert "bare.cu: no kernel says how it is launched" in done.stderr


def test_what_is_included_is_read_and_what_is_not_there_is_told(tmp_path: Path) -> None:
    header = '#pragma once\n#include "deep.cuh"\n#define LAST (SIZE - 1)\n'
    text = '#include <cuda_runtime.h>\n#include "inc/size.cuh"\n#include "torch/extension.h"\n' + LAUNCH
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc/size.cuh").write_text(header)
    (tmp_path / "inc/deep.cuh").write_text("#define SIZE 64\n")
    (tmp_path / "shift.cu").write_text(text + SHIFT.replace("[64]", "[SIZE]").replace("63", "LAST"))
    status, report = check(tmp_path, "shift.cu")
    assert (status, told(report)) == (0, [("shift.cu", "shift", "checked")])
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
    assert (status, told(report)) == (1, [("größe 𝒳.cu", "shift", "refuted")])
    assert report["results"][0]["diagnostics"][0]["range"]["start"]["line"] == 4


def test_a_second_run_asks_nothing_again(tmp_path: Path) -> None:
    (tmp_path / "said.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "said.rw").write_text(KERNEL.replace("shift.cu", "other.cu"))
    (tmp_path / "other.cu").write_text("// moved\n" + SHIFT)
    command = ["check", ".", "--cache", str(tmp_path / "cache"), "--format", "json"]
    assert rewright(tmp_path, *command).returncode == 0
    (tmp_path / "other.cu").write_text("// moved again\n\n" + SHIFT)
    again = rewright(tmp_path, *command)
    assert again.returncode == 0
    assert again.stdout.count('"cached": true') == 4


def test_a_second_run_tells_a_declared_kernel_once_too(tmp_path: Path) -> None:
    (tmp_path / "shift.cu").write_text(LAUNCH + SHIFT)
    (tmp_path / "shift.rw").write_text(KERNEL)
    for _ in range(2):
        done = rewright(tmp_path, "check", ".", "--cache", str(tmp_path / "cache"), "--format", "json")
        assert told(json.loads(done.stdout)) == [("shift.rw", "shift", "checked")]
