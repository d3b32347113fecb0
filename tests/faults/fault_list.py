"""The faults that were fixed once, as edits that put them back, and the tests that notice.

Each list is a file `AREA.toml` beside this module:

    [[fault]]
    what = "comparisons inside a sum believe that reads are in range"
    test = "tests/unit/equality/test_sums.py::test_fillers_of_one_comparison"
    [[fault.edit]]
    file = "server/rewright/equality/sums/decide.py"
    fixed = '''frame({})'''
    faulty = '''frame(around.shapes)'''

`fixed` stands exactly once in its file. A fault may take several edits. `test` names one test, or several with spaces
between; each of them fails while the fault is back.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Edit:
    """A text of a file, and what stands in its place while the fault is back."""

    file: str
    fixed: str
    faulty: str

    def applied(self, text: str) -> str:
        """The file's text with the fault. Raises `ValueError` unless what is fixed stands there exactly once."""
        if (count := text.count(self.fixed)) != 1:
            raise ValueError(f"{self.file}: stands there {count} times: {self.fixed!r}")
        return text.replace(self.fixed, self.faulty)


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault in words, how to put it back, and the tests that then fail."""

    area: str
    what: str
    edits: tuple[Edit, ...]
    tests: tuple[str, ...]


def areas() -> list[str]:
    """The names of the lists."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.toml"))


def faults(area: str) -> Iterator[Fault]:
    """The faults of a list, in its order. Raises `KeyError` where an entry lacks a part."""
    listed = tomllib.loads((Path(__file__).parent / f"{area}.toml").read_text(encoding="utf-8"))
    for entry in listed["fault"]:
        edits = tuple(Edit(edit["file"], edit["fixed"], edit["faulty"]) for edit in entry["edit"])
        yield Fault(area, entry["what"], edits, tuple(entry["test"].split()))
