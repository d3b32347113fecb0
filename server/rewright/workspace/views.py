"""From tracked files and outcomes to the report, with memory: what did not change is not made again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rewright.engine.jobs import Outcome
from rewright.report import codes
from rewright.report.document import Diagnostic, FileReport, Located, Result
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, InSource, Place, Site
from rewright.workspace.fold import Known, moved, result
from rewright.workspace.jobs import Planned
from rewright.workspace.sources import Sources
from rewright.workspace.tracked import Tracked

_State = tuple[tuple[Outcome | None, bool], ...]


@dataclass(frozen=True, slots=True)
class _Made:
    """A result with what it was made from; the outcomes are compared by identity."""

    placed: Placed
    planned: Planned
    state: _State
    result: Result


@dataclass(slots=True)
class Folder:
    """Folds files, each declaration once per change of what it is made from."""

    _made: dict[str, tuple[_Made, ...]] = field(default_factory=dict)

    def file(self, tracked: Tracked, known: Known) -> FileReport:
        """What is known of one file."""
        before = {id(made.planned): made for made in self._made.get(tracked.path, ())}
        made = tuple(
            _make(tracked.path, placed, planned, (known, before.get(id(planned))))
            for placed, planned in zip(tracked.parsed.file.declarations, tracked.planned, strict=True)
        )
        self._made[tracked.path] = made
        outside = tuple(_outside(tracked.path, finding) for finding in tracked.model.findings)
        return FileReport(tracked.path, tracked.text, tuple(each.result for each in made), outside)


def texts_of(files: Iterable[Tracked], sources: Sources) -> dict[str, Text]:
    """Every text that a diagnostic of these files may point into, by path."""
    texts: dict[str, Text] = {}
    for file in files:
        texts[file.path] = file.text
        for path in file.named():
            text = sources.read(path)
            if isinstance(text, Text):
                texts[path] = text
        texts |= {text.uri: text for planned in file.planned if planned.lowering for text in planned.lowering.texts}
    return texts


def _make(path: str, placed: Placed, planned: Planned, memory: tuple[Known, _Made | None]) -> _Made:
    known, before = memory
    awaited = () if planned.awaited is None else (planned.awaited.key,)
    state = tuple((known.outcomes.get(key), key in known.running) for key in (*planned.keys, *awaited))
    if before is None or before.state != state:
        return _Made(placed, planned, state, result(path, placed, planned, known))
    by = placed.start - before.placed.start
    return _Made(placed, planned, state, moved(before.result, by)) if by else before


def _outside(path: str, finding: Finding) -> Diagnostic:
    """A finding of the file itself, whose places are byte ranges in it."""
    message = codes.sentence(finding.code, None, dict(finding.arguments))
    return Diagnostic(finding.code, finding.severity, message, _located(path, finding.place))


def _located(path: str, place: Place) -> Located:
    match place:
        case InSource(_, start, end):
            return Located(path, Span(start, end))
        case Site():
            raise ValueError("a finding outside any declaration has no site")
