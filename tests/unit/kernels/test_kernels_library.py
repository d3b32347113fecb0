"""The kernels that come with Rewright: what is found in each, line by line as its source says.

A comment `expect RW301` on a line of a source says that a finding of the kernel around it has this code and points
there, or has its other end there; `expect RW301, RW305 in a, b` says so of those declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rewright.syntax.parsed import parse
from rewright.syntax.text import Text

LIBRARY = Path(__file__).parents[3] / "rules" / "kernels"
MARK = re.compile(r"// expect (RW\d+(?:, RW\d+)*)(?: in (\w+(?:, \w+)*))?$")
FUNCTION = re.compile(r"__global__ void(?:\s+__launch_bounds__\(.*\))?\s*\n?\s*(\w+)\(")
FROM = re.compile(r'from "(\w+\.cu)"::(\w+)')

FEWEST, FEWEST_WRONG = 30, 12


@dataclass(frozen=True)
class Declared:
    """A declaration of the library, with the source and the function that its body is."""

    name: str
    text: str
    source: str | None
    entry: str | None

    @property
    def is_wrong(self) -> bool:
        return "@expect(refuted)" in self.text


def library() -> Iterator[Declared]:
    for path in sorted(LIBRARY.glob("*.rw")):
        text = Text.of(path.name, path.read_text(encoding="utf-8"))
        for placed in parse(text).file.declarations:
            assert placed.node.head.name is not None
            shown = text.slice(placed.span)
            source = FROM.search(shown)
            name = placed.node.head.name.text
            yield Declared(name, shown, source and source[1], source and source[2])


KERNELS = {each.name: each for each in library()}


def marks(kernel: Declared) -> set[tuple[int, str]]:
    """The lines that the source marks for this kernel, counted from 1, each with a code."""
    assert kernel.source is not None
    source = (LIBRARY / kernel.source).read_text(encoding="utf-8")
    starts = {source.count("\n", 0, found.start()): found[1] for found in FUNCTION.finditer(source)}
    around: str | None = None
    found: set[tuple[int, str]] = set()
    for number, line in enumerate(source.split("\n")):
        around = starts.get(number, around)
        mark = MARK.search(line)
        if mark and (kernel.name in mark[2].split(", ") if mark[2] else around == kernel.entry):
            found |= {(number + 1, code) for code in mark[1].split(", ")}
    return found


def lines(result: dict[str, Any]) -> set[tuple[int, str]]:
    """The lines of the source that errors point at, counted from 1, with their codes."""
    errors = [each for each in result["diagnostics"] if each["severity"] == "error"]
    places = [(place, each["code"]) for each in errors for place in (each, *each["related"])]
    assert {Path(place["file"]).suffix for place, _ in places} <= {".cu"}
    return {(place["range"]["start"]["line"] + 1, code) for place, code in places}


def test_enough_kernels_and_enough_wrong_ones() -> None:
    assert len(KERNELS) >= FEWEST
    assert sum(each.is_wrong for each in KERNELS.values()) >= FEWEST_WRONG


@pytest.mark.parametrize("name", KERNELS)
def test_verdict(name: str, checked_kernels: tuple[dict[str, Any], Path]) -> None:
    kernel = KERNELS[name]
    (result,) = (each for each in checked_kernels[0]["results"] if each["name"] == name)
    assert result["verdict"] == ("refuted" if kernel.is_wrong else "checked"), result["reason"]
    if kernel.source is not None:
        assert lines(result) == marks(kernel)
        assert bool(marks(kernel)) == kernel.is_wrong


@pytest.mark.parametrize("source", sorted({each.source for each in KERNELS.values() if each.source}))
def test_every_mark_belongs_to_a_kernel(source: str) -> None:
    text = (LIBRARY / source).read_text(encoding="utf-8").split("\n")
    written = {number for number, line in enumerate(text, 1) if MARK.search(line)}
    assert written == {number for each in KERNELS.values() if each.source == source for number, _ in marks(each)}
