"""Tables and code in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table, nothing without rows."""
    if not rows:
        return ""
    bar = "|".join("---" for _ in head)
    body = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    return f"| {' | '.join(head)} |\n|{bar}|\n{body}"


def code(text: str) -> str:
    """Text as code on one line, backticks in it included."""
    line = " ".join(text.split("\n"))
    marks = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    space = " " if "`" in (line[:1], line[-1:]) else ""
    return f"{marks}{space}{line}{space}{marks}"


def fenced(text: str) -> str:
    """Text as a block of code, fences in it included."""
    marks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{marks}text\n{text}\n{marks}"
