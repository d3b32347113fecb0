"""Tables and code in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table, nothing without rows."""
    if not rows:
        return ""
    bar = "|".join("---" for _ in head)
    body = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows)
    return f"| {' | '.join(head)} |\n|{bar}|\n{body}"


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`"
