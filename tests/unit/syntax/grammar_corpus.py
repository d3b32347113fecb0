"""Reads the grammar's corpus files, so that the corpus runs without the tree-sitter command line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

GRAMMAR = Path(__file__).parents[3] / "grammar"

_CASE = re.compile(rb"={3,}\n(.*?)\n={3,}\n(.*?)\n-{3,}\n(.*?)(?=\n={3,}\n|\Z)", re.S)


@dataclass(frozen=True, slots=True)
class Case:
    """A case of a corpus file: what is parsed, and the tree that is expected."""

    name: str
    source: bytes
    tree: str


def cases() -> list[Case]:
    """Returns all cases of all corpus files."""
    return [
        Case(f"{file.stem}: {name.decode()}", source, one_line(tree.decode()))
        for file in sorted((GRAMMAR / "test" / "corpus").glob("*.txt"))
        for name, source, tree in _CASE.findall(file.read_bytes())
    ]


def one_line(tree: str) -> str:
    """Returns the text of a tree without its layout."""
    return re.sub(r"\s+", " ", tree).replace(" )", ")").strip()
