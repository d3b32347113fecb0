"""The editor and the command line say the same of the same sources, whatever order they come to know it in."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from rewright.cli.collect import collect
from rewright.engine.cache import NoCache
from rewright.engine.jobs import WorkerLimits
from rewright.engine.scheduler import Engine
from rewright.report.document import Report
from rewright.report.json_view import to_json
from rewright.workspace.batch import FRONT_WORKER, WORKER, Batch, CheckOptions
from rewright.workspace.editor import Workspace
from rewright.workspace.engines import Engines
from rewright.workspace.settings import load

RULE = """rule {name}<T: any> {{
  axes A
  map n on A
  tensor X: T[A: n]
  {side} => X
}}
"""
TWICE = "reverse(reverse(X, A), A)"
SHIFT = """{launch}__global__ void {name}(int *y) {{
  __shared__ int tile[WIDTH];
  tile[threadIdx.x] = threadIdx.x;
  {barrier}
  y[threadIdx.x] = tile[WIDTH - 1 - threadIdx.x];
}}
"""
LAUNCH = "// rewright: launch block(64); y: out s32[64]\n"
SYNC = "__syncthreads();"
INCLUDE = '#include "include/width.h"\n'

TREE = {
    "rules/right.rw": RULE.format(name="twice", side=TWICE) + RULE.format(name="once", side="reverse(X, A)"),
    "rules/wrong.rw": "// ä\n@expect(refuted)\n"
    + RULE.format(name="once", side="reverse(X, A)")
    + RULE.format(name="broken", side="reverse(X,")
    + RULE.format(name="unknown_axis", side="reverse(X, B)"),
    "rules/importing.rw": 'import "right.rw"\n' + RULE.format(name="twice", side=TWICE),
    "rules/missing.rw": 'import "not_there.rw"\nimport "../kernels/said.cu"\n' + RULE.format(name="r", side="X"),
    "kernels/include/width.h": "#pragma once\n#define WIDTH 64\n",
    "kernels/declared.cu": INCLUDE
    + SHIFT.format(launch="", name="right", barrier=SYNC)
    + SHIFT.format(launch="", name="racy", barrier=""),
    "kernels/declared.rw": 'kernel right(y: out s32[64]) from "declared.cu" {\n  launch block(64)\n}\n'
    '@expect(refuted)\nkernel racy(y: out s32[64]) from "declared.cu" {\n  launch block(64)\n}\n'
    'kernel gone(y: out s32[64]) from "not_there.cu" {\n  launch block(64)\n}\n'
    'kernel other(y: out s32[64]) from "declared.cu" {\n  launch block(64)\n}\n'
    "kernel own(y: out s32[4]) {\n  launch block(4)\n  y[thread.x] = 1\n}\n",
    "kernels/said.cu": INCLUDE
    + SHIFT.format(launch=LAUNCH, name="right", barrier=SYNC)
    + SHIFT.format(launch=LAUNCH, name="racy", barrier="")
    + SHIFT.format(launch="", name="silent", barrier=SYNC),
    "kernels/both.cu": INCLUDE
    + SHIFT.format(launch=LAUNCH, name="here", barrier=SYNC)
    + SHIFT.format(launch=LAUNCH, name="there", barrier=SYNC),
    "kernels/both.rw": 'kernel there(y: out s32[64]) from "both.cu" {\n  launch block(64)\n}\n',
    "kernels/faulty.cu": '#include "not_there.h"\n' + SHIFT.format(launch=LAUNCH, name="faulty", barrier=SYNC),
    "rewright.toml": "[check]\nbudget = 1\n",
}
"""A bit of everything: true, refuted, broken; imports, includes, kernels declared here, there or nowhere."""

UNLAUNCHED = "RW131"
"""Told on the command line; an editor has a lens there."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def once(folder: Path) -> Report:
    """What the command line says."""
    batch = Batch(collect([folder]).paths, CheckOptions())
    for _ in batch.run():
        pass
    return batch.report()


def edited(folder: Path, paths: list[str]) -> Report:
    """What an editor says once these files were opened and all is checked."""

    async def run() -> Report:
        engines = Engines(
            Engine(NoCache(), WORKER, 1, WorkerLimits()), Engine(NoCache(), FRONT_WORKER, 1, WorkerLimits())
        )
        workspace = Workspace(engines)
        workspace.add(folder, load(folder))
        try:
            await workspace.scan()
            for path in paths:
                workspace.open(path, Path(path).read_text())
            workspace.check_all()
            async with asyncio.timeout(240):
                while workspace.pending():
                    await asyncio.sleep(0.01)
            return workspace.report()
        finally:
            await workspace.close_all()

    return asyncio.run(run())


def said(report: Report, folder: Path) -> dict[str, Any]:
    """The JSON of a report, its files in order, without what it cost and what only one driver says."""
    shown = to_json(report, 0.0, str(folder))
    del shown["summary"]["ms"]
    for each in shown["results"]:
        del each["ms"], each["cached"]
        for question in each["questions"]:
            del question["ms"], question["cached"]
    for file in shown["files"]:
        file["diagnostics"] = [found for found in file["diagnostics"] if found["code"] != UNLAUNCHED]
    files = sorted(shown["files"], key=lambda file: file["file"])
    results = sorted(shown["results"], key=lambda result: result["file"])
    return shown | {"files": files, "results": results}


def test_both_drivers_say_the_same_of_the_same_sources(tree: Path) -> None:
    report = once(tree)
    expected = said(report, tree)
    assert len(expected["results"]) == 17
    verdicts = {result["verdict"] for result in expected["results"]}
    assert verdicts == {"proved", "checked", "refuted", "unknown", "invalid"}
    opened = [file.path for file in report.files if file.path.endswith(".cu")]
    for order in (opened, opened[::-1]):
        assert said(edited(tree, order), tree) == expected
