"""A fault of ours in one declaration is told there, and all others are answered: one is put into every step at once."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import jsonschema
import pytest
from injected_sources import ASKING, SHOWING, STEPS, UNTOUCHED, VERDICTS, Step, View, given, steps
from lsp_editor import started
from lsprotocol import types

from rewright.report import json_view

SCHEMA = json.loads((Path(json_view.__file__).parent / "report.schema.json").read_text())

INJECTED = Path(__file__).with_name("injected.py")


@dataclass(frozen=True, slots=True)
class Ran:
    """How a run with faults ended, and what it printed."""

    status: int
    out: str
    err: str


def run(folder: Path, faults: str, *arguments: str) -> Ran:
    command = [sys.executable, str(INJECTED), "cli", faults, "check", ".", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return Ran(done.returncode, done.stdout, done.stderr)


def line(folder: Path, step: Step) -> int:
    """The line of the name of the declaration that a step works on, from 0."""
    lines = (folder / step.kind.file).read_text().splitlines()
    return next(number for number, text in enumerate(lines) if f" {step.name}" in text)


def test_json_reports_each_fault_at_its_place_and_answers_the_rest(tmp_path: Path) -> None:
    chosen = [step for step in STEPS if View.JSON in step.views]
    given(tmp_path, chosen)
    done = run(tmp_path, steps(chosen), "--no-cache", "--jobs", "1", "--format", "json")
    assert done.status == 2, done.err
    report = json.loads(done.out)
    jsonschema.validate(report, SCHEMA)
    results = {result["name"]: result for result in report["results"]}
    assert {name: results[name]["verdict"] for name in VERDICTS} == VERDICTS
    outside = {file["file"]: file["diagnostics"] for file in report["files"]}
    for step in chosen:
        found = outside[step.kind.file] if step.is_outside else results[step.name]["diagnostics"]
        faults = [each for each in found if each["code"] == "RW901"]
        assert line(tmp_path, step) in [each["range"]["start"]["line"] for each in faults], step
        assert step.function in " ".join(each["message"] for each in faults), step
        assert step.is_outside or (results[step.name]["verdict"], results[step.name]["as_expected"]) == (
            "error",
            False,
        ), step


def test_the_text_reports_each_fault_at_its_place_and_shows_the_rest(tmp_path: Path) -> None:
    chosen = [step for step in SHOWING if View.TEXT in step.views]
    given(tmp_path, chosen)
    done = run(tmp_path, steps(chosen), "--no-cache", "--jobs", "1")
    assert done.status == 2, done.err
    said = done.out.splitlines()
    marks = {"proved": "✓", "checked": "✓", "refuted": "✗"}
    heads = [tuple(each.split()[:2]) for each in said]
    assert {(marks[verdict], name) for name, verdict in VERDICTS.items()} <= set(heads)
    for step in chosen:
        place = f"{step.kind.file}:{line(tmp_path, step) + 1}:"
        assert sum("RW901" in each and step.function in each and place in each for each in said) == 1, (step, done.out)
        assert (("!", step.name) in heads) != step.is_outside, step


def test_what_cannot_be_remembered_is_asked(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.rw").write_text(UNTOUCHED["own.rw"].replace("m3", name))
    remembering, recalling = (
        "a=rewright.workspace.remembered:_from_memory",
        "a.rw=rewright.workspace.remembered:_recalled",
    )
    for fault, said in ((remembering, "nothing will be remembered"), ("", ""), (recalling, "nothing is remembered")):
        done = run(tmp_path, fault, "--cache", "kept", "--jobs", "1")
        assert (done.status, done.out.count("✓")) == (0, 2), done.err
        assert done.err.count("internal error") == bool(fault) and said in done.err


@pytest.mark.asyncio
async def test_the_editor_reports_each_fault_at_its_place_and_shows_the_rest(tmp_path: Path) -> None:
    chosen = [step for step in (*ASKING, *SHOWING) if step.views is View.NOWHERE or View.EDITOR in step.views]
    given(tmp_path, chosen)
    faults: list[tuple[str, types.Diagnostic]] = []
    hints: dict[str, str] = {}
    hovers: dict[str, str] = {}
    async with started(tmp_path, program=(str(INJECTED), "server", steps(chosen))) as editor:
        for file in UNTOUCHED:
            document = await editor.open(tmp_path / file)
            lines = document.text.splitlines()
            while not (shown := await editor.settled(document, 60)):  # a source is looked through first
                await asyncio.sleep(0.01)
            hints |= {re.findall(r"\bm\d+", lines[at])[0]: hint for at, hint in shown.items()}
            found = [*await editor.problems(document), *editor.pushed(document.path)]
            faults += ((file, each) for each in found if each.code == "RW901")
            for step in chosen:
                if step.kind.file == file:
                    hovers[step.name] = await editor.hover(document, f" {step.name}", 1)
    marks = {"proved": "✓", "checked": "✓", "refuted": "✗"}
    assert {name: hints[name][0] for name in VERDICTS} == {name: marks[verdict] for name, verdict in VERDICTS.items()}
    for step in chosen:
        own = (each for file, each in faults if file == step.kind.file)
        at_lines = {each.range.start.line for each in own if step.function in each.message}
        if step.function.startswith("rewright.lsp."):
            # what cannot be shown at its place is shown at the start of its file
            assert at_lines == {0}, step
        elif step.is_shown_by_hovers:
            assert step.function in hovers[step.name] and at_lines == set(), step
        else:
            assert at_lines == ({line(tmp_path, step)} if step.views else set()), (step, at_lines)
        if step.views is View.NOWHERE:
            assert hints[step.name][0] == marks[step.kind.verdict], step
        elif not step.is_outside and at_lines - {0}:
            assert hints[step.name] == "! internal error", step
