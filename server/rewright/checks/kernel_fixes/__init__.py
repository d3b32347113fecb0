"""Which changes of a kernel's text may mend a finding, in the order in which they are to be tried.

Each is a guess. Must not know whether it mends anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rewright.kernels.mending.barriers import insertions
from rewright.kernels.mending.tree import Source, cuda, own
from rewright.syntax.text import Span
from rewright.verdict import Edit, Finding, InSource


@dataclass(frozen=True, slots=True)
class Candidate:
    """A titled change of texts. Of one `kind`, one that mends is enough."""

    kind: str
    title: str
    edits: tuple[Edit, ...]


def candidates(finding: Finding, texts: Mapping[str, str]) -> Iterator[Candidate]:
    """What may mend a finding whose places are in these texts; that of a declaration itself has the empty path."""
    match finding.place, [note.place for note in finding.related]:
        case InSource(path, start, end), [InSource(other, begin, until)] if path == other and finding.code == "RW301":
            source = _source(path, texts[path])
            barrier = source.dialect.barrier
            for edits in insertions(source, Span(start, end), Span(begin, until), barrier):
                yield Candidate("barrier", f"Insert `{barrier}`", edits)
        case _:
            return


def _source(path: str, text: str) -> Source:
    return cuda(path, text) if path else own(text)
