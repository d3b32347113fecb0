"""The launch of a kernel as the text of a declaration in our own syntax, read by the model as any other is.

So expressions in a comment of a `.cu` file mean what they mean in a `.rw` file. Invariant: each byte that was copied
from the source is known by its place there. Must not know C.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, TypeVar

from rewright.kernels.cuda.lowering import Problem
from rewright.model.check_declaration import check_declaration
from rewright.model.kernel import Kernel
from rewright.model.surroundings import Surroundings
from rewright.syntax.parsed import parse
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, InSource, Place, Related, Severity, Site

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a text declares: a kernel, unless something is wrong with it or not supported."""

    kernel: Kernel | None
    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()


class LaunchText:
    """The text of a declaration while it is put together from parts of ours and parts of the source."""

    def __init__(self, path: str, fallback: InSource) -> None:
        self.path = path
        self.fallback = fallback
        self._data = bytearray()
        self._copies: list[tuple[int, int, int]] = []

    def own(self, text: str) -> None:
        """Appends a text of ours."""
        self._data += text.encode()

    def copy(self, text: str, start: int) -> None:
        """Appends a text that stands in the source from a byte on."""
        encoded = text.encode()
        self._copies.append((len(self._data), len(self._data) + len(encoded), start))
        self._data += encoded

    def declared(self) -> Declaration:
        """What the text declares, all its sites 0, and what is wrong with it, at places of the source."""
        parsed = parse(Text.of("", self._data.decode()))
        if len(parsed.file.declarations) != 1:
            return Declaration(None, (), (Problem("this is no launch of a kernel", self.fallback),))
        placed = parsed.file.declarations[0]
        declared = check_declaration(placed.node, placed.problems, Surroundings())
        spans = tuple(span.shifted(placed.start) for span in declared.sites)
        findings = [self._finding(finding, spans) for finding in declared.findings]
        findings += [Finding(p.code, Severity.ERROR, self._place(p.span), p.arguments) for p in parsed.stray]
        problems = tuple(Problem(each.reason, self._place(spans[each.site])) for each in declared.unsupported)
        is_right = not findings and not problems and isinstance(declared.value, Kernel)
        kernel = without_sites(declared.value) if is_right and isinstance(declared.value, Kernel) else None
        return Declaration(kernel, tuple(findings), problems)

    def _finding(self, finding: Finding, spans: tuple[Span, ...]) -> Finding:
        related = tuple(Related(each.role, self._placed(each.place, spans), each.arguments) for each in finding.related)
        return Finding(finding.code, finding.severity, self._placed(finding.place, spans), finding.arguments, related)

    def _placed(self, place: Place, spans: tuple[Span, ...]) -> Place:
        return self._place(spans[place.number]) if isinstance(place, Site) else place

    def _place(self, span: Span) -> InSource:
        """The place in the source of a span of the text; where nothing of it was copied, the fallback."""
        touched = [
            (start + max(span.start, low) - low, start + min(span.end, high) - low)
            for low, high, start in self._copies
            if span.start <= high and span.end >= low
        ]
        inside = [(low, high) for low, high in touched if high > low] or touched
        return InSource(self.path, inside[0][0], inside[-1][1]) if inside else self.fallback


def without_sites(value: T) -> T:
    """The value with 0 for every site."""
    rewritten: T = _rewritten(value)
    return rewritten


def _rewritten(value: Any) -> Any:
    if isinstance(value, Site):
        return Site(0)
    if isinstance(value, tuple):
        return tuple([_rewritten(item) for item in value])
    if not is_dataclass(value):
        return value
    cls: Any = type(value)
    return cls(*(0 if field.name == "site" else _rewritten(getattr(value, field.name)) for field in fields(value)))
