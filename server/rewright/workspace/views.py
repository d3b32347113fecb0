"""From tracked files and outcomes to the report, with memory: what did not change is not made again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from rewright.engine.jobs import Outcome
from rewright.report import codes
from rewright.report.document import Diagnostic, FileReport, Located, Result
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, InSource, Site, Verdict, fault
from rewright.workspace.documents import Document
from rewright.workspace.fold import Known, Standing, moved, result
from rewright.workspace.jobs import Planned
from rewright.workspace.sources import Sources
from rewright.workspace.tracked import Tracked

_State = tuple[tuple[Outcome | None, bool], ...]


@dataclass(frozen=True, slots=True)
class _Made:
    """A result with what it was made from; the outcomes are compared by identity."""

    placed: Standing
    planned: Planned
    state: _State
    result: Result


@dataclass(slots=True)
class Folder:
    """Folds files, each declaration once per change of what it is made from."""

    _made: dict[str, tuple[_Made, ...]] = field(default_factory=dict)

    def file(self, file: Tracked | Document, known: Known) -> FileReport:
        """What is known of one file."""
        before = {id(made.planned): made for made in self._made.get(file.path, ())}
        made = tuple(
            _make(file.path, placed, planned, (known, before.get(id(planned))))
            for placed, planned in zip(_places(file), file.planned, strict=True)
        )
        self._made[file.path] = made
        findings = file.findings if isinstance(file, Document) else file.model.findings
        results = tuple(each.result for each in made)
        return FileReport(file.path, file.kind, file.text, results, outside(file, findings))


def _places(file: Tracked | Document) -> tuple[Standing, ...]:
    return file.places if isinstance(file, Document) else file.parsed.file.declarations


def texts_of(files: Iterable[Tracked | Document], sources: Sources) -> dict[str, Text]:
    """Every text that a diagnostic of these files may point into, by path."""
    texts: dict[str, Text] = {}
    for file in files:
        texts[file.path] = file.text
        for path in file.named():
            text = sources.read(path)
            if isinstance(text, Text):
                texts[path] = text
        texts |= {text.uri: text for text in _lowered(file)}
    return texts


def _lowered(file: Tracked | Document) -> Iterator[Text]:
    """The texts of sources as they were when that was understood which speaks of them."""
    yield from file.texts if isinstance(file, Document) else ()
    for planned in file.planned:
        yield from planned.lowering.texts if planned.lowering is not None else ()


def _make(path: str, placed: Standing, planned: Planned, memory: tuple[Known, _Made | None]) -> _Made:
    known, before = memory
    state = tuple((known.outcomes.get(key), key in known.running) for key in planned.keys)
    if planned.awaited is not None:
        state += ((None, planned.awaited.key in known.running), (None, planned.awaited.key in known.lowering))
    if before is None or before.state != state or before.result.verdict is Verdict.ERROR:
        return _Made(placed, planned, state, result(path, placed, planned, known))
    by = placed.start - before.placed.start
    return _Made(placed, planned, state, moved(before.result, by)) if by else before


def outside(file: Tracked | Document, findings: Iterable[Finding]) -> tuple[Diagnostic, ...]:
    """Findings of the file itself, whose places are byte ranges in it or in what it includes."""
    sources = dict(file.sources) if isinstance(file, Document) else {}
    return tuple(_told(finding, file.path, sources) for finding in findings)


def _told(finding: Finding, path: str, sources: Mapping[str, str]) -> Diagnostic:
    """The finding in words, or at the start of the file that a fault of ours keeps it from being told."""
    try:
        return _diagnostic(finding, path, sources)
    except Exception as error:
        return _diagnostic(fault(error, InSource(path, 0, 0)), path, {path: path})


def _diagnostic(finding: Finding, path: str, sources: Mapping[str, str]) -> Diagnostic:
    message = codes.message(finding)
    match finding.place:
        case InSource(named, start, end):
            at = Located(sources.get(named, path), Span(start, end))
            return Diagnostic(finding.code, finding.severity, message, at)
        case Site():
            raise ValueError("a finding outside any declaration has no site")
