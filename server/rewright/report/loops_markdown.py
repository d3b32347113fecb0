"""A loop nest or a transform in a hover: the first operation that is wrong. Must not know how it was found."""

from __future__ import annotations

from collections.abc import Iterator

from rewright.report.tables import code, table
from rewright.verdict import LoopsWitness


def loops_witness(witness: LoopsWitness) -> Iterator[str]:
    """The counterexample as Markdown: sizes, and the operation with what it should read or write."""
    yield f"**Counterexample** ({witness.fails})" + (", replayed one operation at a time" if witness.replayed else "")
    rows = [(what, code(text)) for what, text in facts(witness)]
    if rows:
        yield table(("what", "value"), rows)


def facts(witness: LoopsWitness) -> Iterator[tuple[str, str]]:
    """The sizes and what is known of the operation, as text."""
    yield from ((name, str(size)) for name, size in witness.sizes)
    said = ("operation", witness.statement), ("due", witness.due), ("element", witness.element)
    more = ("expected", witness.expected), ("found", witness.found)
    yield from ((what, text) for what, text in (*said, *more) if text)
