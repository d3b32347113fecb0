"""Literate fixtures: Markdown whose fenced `rw` and `cuda` blocks state in comments what must come out.

In a block, `// proved: all ranks and sizes` inside a declaration states its verdict and part of what is said of it, in
a CUDA source on the line of the kernel's name;
`// race: line 4 with line 6` states a race between lines of the block (counted from 1); `// error[RW101]: text` at the
end of a line states a diagnostic that starts on it, and `//   ^^^ error[RW101]: text` on a line of its own one that
covers exactly those columns of the line above. What is not stated must not come out.

A block may have a title, its file's name: ```` ```rw title="pad.rw" ````. A `console` block shows commands on such
files.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```(rw|cuda)(?: title=\"([^\"\n]*)\")?\n(.*?)^```", re.MULTILINE | re.DOTALL)
ENDING = {"rw": "rw", "cuda": "cu"}
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
VERDICT = re.compile(r"//\s*(proved|checked|conditional|refuted|unknown|invalid)\b(?::\s*(.*?))?\s*$")
RACE = re.compile(r"//\s*race: line (\d+) with line (\d+)\s*$")
UNDER = re.compile(r"^\s*//\s*(\^+) (error|warning|information|hint)\[(RW\d+)\]:\s*(.*?)\s*$")
BESIDE = re.compile(r"\S.*//\s*(error|warning|information|hint)\[(RW\d+)\]:\s*(.*?)\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block with its place in the prose."""

    page: str
    heading: str
    number: int
    language: str
    title: str | None
    text: str

    @property
    def file_name(self) -> str:
        """A file name that says where the block stands."""
        return f"{self.page}-{self.number}.{ENDING[self.language]}"


@dataclass(frozen=True, slots=True)
class Stated:
    """A diagnostic that the comments state; `columns` is None where only the line is stated."""

    line: int
    columns: tuple[int, int] | None
    severity: str
    code: str
    message: str

    def fits(self, diagnostic: dict[str, Any]) -> bool:
        """Whether a diagnostic of the report is the one that is stated."""
        start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
        placed = start["line"] == self.line and self.columns in (None, (start["character"], end["character"]))
        words = self.message in diagnostic["message"]
        return placed and words and (diagnostic["severity"], diagnostic["code"]) == (self.severity, self.code)


def blocks(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    prose = page.read_text(encoding="utf-8")
    name = page.stem if page.parent == Path(__file__).parent else f"{page.parent.name}-{page.stem}"
    found = []
    for number, fence in enumerate(FENCE.finditer(prose), 1):
        headings = HEADING.findall(prose[: fence.start()])
        found.append(Block(name, headings[-1] if headings else "", number, *fence.groups()))
    return found


def stated_diagnostics(text: str) -> list[Stated]:
    """Every diagnostic that the comments of a block state."""
    found, code_line = [], 0
    for number, line in enumerate(text.splitlines()):
        if under := UNDER.match(line):
            columns = (under.start(1), under.end(1))
            found.append(Stated(code_line, columns, under[2], under[3], under[4]))
        else:
            code_line = number
            if beside := BESIDE.search(line):
                found.append(Stated(number, None, beside[1], beside[2], beside[3]))
    return found


def stated_verdict(text: str, first: int, last: int) -> tuple[str, str] | None:
    """The verdict and words that are stated between two lines of a block, None if none is."""
    for line in text.splitlines()[first : last + 1]:
        if race := RACE.search(line):
            return "race", f"{race[1]} {race[2]}"
        if verdict := VERDICT.search(line):
            return verdict[1], verdict[2] or ""
    return None


def said(result: dict[str, Any]) -> str:
    """What the report says about a declaration beside its verdict, on one line."""
    words = [result["reason"] or "", (result["coverage"] or {}).get("text", "")]
    words += (result["coverage"] or {}).get("conditions", [])
    found = result["counterexample"]
    if found:
        words.append(found["fails"])
        words += [f"rank {group} = {rank}" for group, rank in found.get("ranks", {}).items()]
        words += [f"{name} = [{', '.join(values)}]" for name, values in found.get("values", {}).items()]
        words += [f"{name} = {size}" for name, size in found.get("sizes", {}).items()]
    return "; ".join(filter(None, words))
