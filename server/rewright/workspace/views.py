"""From the project to the report, with memory: what did not change is not made again.

Invariant: a report is a function of the project; memories only save work. Must not know who looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.engine.jobs import Outcome
from rewright.model.file import Elsewhere
from rewright.report import codes
from rewright.report.document import Diagnostic, FileReport, Located, Report, Result
from rewright.report.placed_results import PlacedResults
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, InDeclaration, InSource, Site, Verdict, fault
from rewright.workspace.documents import Document
from rewright.workspace.fold import KnownAnswers, Standing, result
from rewright.workspace.jobs import Planned
from rewright.workspace.project import Project, Reading
from rewright.workspace.sources import Sources
from rewright.workspace.tracked import Tracked

_State = tuple[tuple[Outcome | None, bool], ...]


class _Made(Struct, frozen=True):
    """A result with what it was made from; the outcomes are compared by identity.

    `elsewhere` is where the declarations stand that it may speak of, and its own start, None if it speaks of none.
    """

    planned: Planned
    state: _State
    elsewhere: tuple[Elsewhere | int, ...] | None
    result: Result


class _MadeFile(Struct, frozen=True):
    """The results of a file, and what was known when they were made."""

    known: KnownAnswers
    made: tuple[_Made, ...]


_NOTHING = _MadeFile(KnownAnswers({}, ()), ())


class Folder(Struct):
    """Folds files, each declaration once per change of what it is made from."""

    _files: dict[str, _MadeFile] = field(default_factory=dict)

    def file(self, file: Reading, known: KnownAnswers) -> FileReport:
        """What is known of one file."""
        last = self._files.get(file.path, _NOTHING)
        before = {id(made.planned): made for made in last.made}
        if isinstance(file, Tracked):
            known = replace(known, elsewhere=file.model.spoken_of)
        make = _moved if _same_answers(last.known, known) else _make
        made = tuple(
            [
                make(file.path, placed, planned, (known, before.get(id(planned))))
                for placed, planned in zip(_places(file), file.planned, strict=True)
            ]
        )
        self._files[file.path] = _MadeFile(known, made)
        findings = file.findings if isinstance(file, Document) else file.model.findings
        results = PlacedResults([each.result for each in made], [placed.start for placed in _places(file)])
        return FileReport(file.path, file.kind, file.text, results, outside(file, findings))


class Seen(Struct):
    """The report as it was last looked at: only what is stale since then is made again."""

    _folder: Folder = field(default_factory=Folder)
    _files: dict[str, FileReport] = field(default_factory=dict)
    _report: Report | None = None

    def stale(self, paths: Iterable[str]) -> None:
        """Takes note that something else may be said of these files, or of what they point into."""
        self._report = None
        for path in paths:
            self._files.pop(path, None)

    def file(self, project: Project, path: str, lowering: Callable[[], Collection[str]]) -> FileReport | None:
        """What is known of the file at `path`, None if it is not read."""
        made = self._files.get(path)
        if made is None and path in project.readings:
            self._files[path] = made = folded(project, path, self._folder, lowering())
        return made

    def report(self, project: Project, sources: Sources, lowering: Callable[[], Collection[str]]) -> Report:
        """What is known of every file."""
        if self._report is None:
            made = (self.file(project, path, lowering) for path in sorted(project.readings))
            files = tuple(file for file in made if file is not None)
            self._report = Report(files, texts_of(project.readings.values(), sources))
        return self._report


def folded(project: Project, path: str, memory: Folder, lowering: Collection[str] = ()) -> FileReport:
    """What is known of the file at `path`; `memory` only saves work.

    Texts under the keys of `lowering` are being lowered, which will not take long.
    """
    reading = project.readings[path]
    made = memory.file(reading, _known(project, lowering))
    if path not in project.scope.beside:
        return made
    pairs = zip(reading.planned, made.results, strict=True)
    return replace(made, results=tuple(result for planned, result in pairs if project.scope.holds(path, planned)))


def _known(project: Project, lowering: Collection[str]) -> KnownAnswers:
    running = {question.key for due in project.running.values() for question in due.job.questions}
    waiting = (project.readings[path] for path in project.waiting if path in project.readings)
    awaited = {question.key for reading in waiting for question in reading.awaited}
    return KnownAnswers(project.outcomes, running | awaited, lowering)


def _places(file: Reading) -> tuple[Standing, ...]:
    return file.places if isinstance(file, Document) else file.parsed.file.declarations


def texts_of(files: Iterable[Reading], sources: Sources) -> dict[str, Text]:
    """Every text that a diagnostic of these files may point into, by path."""
    texts: dict[str, Text] = {}
    for file in files:
        texts[file.path] = file.text
        for path in file.named() | file.looked():
            text = sources.read(path)
            if isinstance(text, Text):
                texts[path] = text
        texts |= {text.uri: text for text in _lowered(file)}
        texts |= {text.uri: text for text in _spoken_of(file)}
    return texts


def _spoken_of(file: Reading) -> Iterator[Text]:
    """The texts of imported files that declarations speak of which this one mentions."""
    if isinstance(file, Tracked):
        uris = file.spoken_of()
        yield from (each.text for each in file.imports.values() if each is not None and each.text.uri in uris)


def _lowered(file: Reading) -> Iterator[Text]:
    """The texts of sources as they were when that was understood which speaks of them."""
    yield from file.texts if isinstance(file, Document) else ()
    for planned in file.planned:
        yield from planned.lowering.texts if planned.lowering is not None else ()


def _same_answers(before: KnownAnswers, now: KnownAnswers) -> bool:
    """Whether nothing was answered since, nor begun: while somebody types."""
    return before.outcomes is now.outcomes and (before.running, before.lowering) == (now.running, now.lowering)


def _moved(path: str, placed: Standing, planned: Planned, memory: tuple[KnownAnswers, _Made | None]) -> _Made:
    """The same as `_make` where the same is known as before: what was made once is at most at another place."""
    _, before = memory
    if before is None or planned.declared.speaks_of or before.result.verdict is Verdict.ERROR:
        return _make(path, placed, planned, memory)
    return before


def _make(path: str, placed: Standing, planned: Planned, memory: tuple[KnownAnswers, _Made | None]) -> _Made:
    known, before = memory
    state = tuple((known.outcomes.get(key), key in known.running) for key in planned.keys)
    if planned.awaited is not None:
        state += ((None, planned.awaited.key in known.running), (None, planned.awaited.key in known.lowering))
    # What it speaks of does not move with it, so that its result is made again if either moves.
    others = tuple(known.elsewhere[name] for name in planned.declared.speaks_of if name in known.elsewhere)
    elsewhere: tuple[Elsewhere | int, ...] | None = (placed.start, *others) if others else None
    stale = before is None or before.state != state or before.elsewhere != elsewhere
    if before is None or stale or before.result.verdict is Verdict.ERROR:
        return _Made(planned, state, elsewhere, result(path, placed, planned, known))
    return before


def outside(file: Reading, findings: Iterable[Finding]) -> tuple[Diagnostic, ...]:
    """Findings of the file itself, whose places are byte ranges in it or in what it includes."""
    sources: dict[str, str] = {}
    if isinstance(file, Document):
        sources = {path: path for path, _ in file.build.looked} | dict(file.sources)
    return tuple(_diagnostic_or_fault(finding, file.path, sources) for finding in findings)


def _diagnostic_or_fault(finding: Finding, path: str, sources: Mapping[str, str]) -> Diagnostic:
    """The finding in words, or an internal error at the start of the file if it cannot be put into words."""
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
        case Site() | InDeclaration():
            raise ValueError("a finding outside any declaration has no site")
