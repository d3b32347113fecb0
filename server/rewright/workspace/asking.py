"""The declarations of some files, and the answers to what they ask: one run of the engine.

A file is read and understood when it is first needed, so that workers start while the next ones are. Invariant: after
`run` is exhausted, every question has an outcome and no process is left.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from rewright.checks.table import Asked
from rewright.engine import batch as engine_batch
from rewright.engine.jobs import Answered, Ended, Job, Outcome, Question, Reply
from rewright.engine.scheduler import Engine
from rewright.report.document import FileReport
from rewright.report.summary import is_faulty
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.workspace.documents import Document, document, unlaunched
from rewright.workspace.fold import Known
from rewright.workspace.jobs import How, Planned, job, lowering_job
from rewright.workspace.lowering import Lowerings
from rewright.workspace.remembered import Made, Recorded
from rewright.workspace.settings import KernelSettings
from rewright.workspace.sources import Sources, Unreadable, holds_kernels
from rewright.workspace.tracked import Tracked, replanned, track
from rewright.workspace.views import Folder, outside, texts_of


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be asked: the files, the names of declarations (none: all of them), and how rules are decided.

    Of the files `beside` these, only what they declare of kernels in the sources among them. `kernels` says how sources
    are read.
    """

    paths: Collection[str]
    beside: Collection[str]
    only: frozenset[str]
    mode: Mode
    kernels: KernelSettings


@dataclass(frozen=True, slots=True)
class _File:
    """A file, and the sources as they were asked for it."""

    tracked: Tracked | Document
    recorded: Recorded

    @property
    def path(self) -> str:
        """The path of the file."""
        return self.tracked.path


class Asking:
    """The declarations of the files that are wanted, to be checked once."""

    def __init__(self, wanted: Wanted, sources: Sources) -> None:
        self._wanted = wanted
        self._sources = sources
        self._how = How(wanted.mode, Lowerings(), wanted.kernels)
        self._read: dict[str, _File | Unreadable] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._lowering: dict[str, tuple[str, int | None]] = {}
        self._wanted_sources = {os.path.realpath(path) for path in wanted.paths if holds_kernels(path)}
        self._folder = Folder()

    @property
    def names(self) -> frozenset[str]:
        """The names of all declarations."""
        return frozenset(planned.declared.name for file in self._files() for planned in self._about(file))

    @property
    def behind(self) -> bool:
        """Whether a source is still to be looked through, which may have more declarations."""
        return any(isinstance(file.tracked, Document) and file.tracked.question is not None for file in self._files())

    @property
    def unreadable(self) -> dict[str, str]:
        """Why files cannot be read, by path."""
        made = ((path, self._file(path)) for path in self._wanted.paths)
        return {path: each.reason for path, each in made if isinstance(each, Unreadable)}

    @property
    def unlaunched(self) -> list[str]:
        """The sources none of whose kernels has a launch that is known."""
        documents = [file.tracked for file in self._files() if isinstance(file.tracked, Document)]
        return [each.path for each in documents if each.kernels and not each.planned and not self._declared(each.path)]

    @property
    def total(self) -> int:
        """How many declarations are known so far to ask something."""
        return sum(1 for file in self._read.values() if isinstance(file, _File) for _ in self._asking(file))

    def run(self, engine: Engine, budget: int) -> Generator[Job]:
        """Asks everything; yields the job of each declaration as it ends."""

        def following(ended: Ended) -> Iterator[Job]:
            return self._following(ended.job.id, budget)

        with closing(engine_batch.run(engine, self._jobs(budget), following)) as events:
            for event in events:
                match event:
                    case Answered(job, outcome) if job.id in self._lowering:
                        self._how.lowerings.take(outcome)
                    case Answered(_, outcome):
                        self._outcomes[outcome.key] = outcome
                    case Ended(ended, _) if ended.id not in self._lowering:
                        yield ended

    def reports(self) -> dict[str, FileReport]:
        """What is known of the files now, by path."""
        known = Known(self._outcomes, ())
        return {file.path: self._report(file, known) for file in self._files()}

    def _report(self, file: _File, known: Known) -> FileReport:
        made = self._folder.file(file.tracked, known)
        if isinstance(file.tracked, Document):
            told = outside(file.tracked, unlaunched(file.tracked, self._declared(file.path)))
            made = replace(made, diagnostics=(*made.diagnostics, *told))
        wanted = {id(planned) for planned in self._about(file)}
        planned = zip(file.tracked.planned, made.results, strict=True)
        return replace(made, results=tuple(result for each, result in planned if id(each) in wanted))

    def lasting(self) -> Iterator[Made]:
        """The reports in which every question has an answer that no other may replace."""
        reports = self.reports()
        for file in self._files():
            lasts = self._is_whole(file) and all(map(self._is_definite, file.tracked.planned))
            if lasts and not is_faulty(reports[file.path]):
                named = tuple(sorted(file.tracked.named()))
                yield Made(reports[file.path], tuple(file.recorded.looks), named)

    def texts(self) -> dict[str, Text]:
        """Every text that a diagnostic of these files may point into, by path."""
        return texts_of((file.tracked for file in self._files()), self._sources)

    def questions(self, start: str) -> tuple[Asked, ...]:
        """The different questions whose ids begin with `start`."""
        planned = (planned for file in self._files() for planned in file.tracked.planned)
        pairs = (pair for each in planned for pair in zip(each.keys, each.asked, strict=True))
        return tuple({key: asked for key, asked in pairs if key.startswith(start)}.values())

    def _jobs(self, budget: int) -> Iterator[Job]:
        for file in self._files():
            yield from self._jobs_of(file, self._asking(file), budget)

    def _jobs_of(self, file: _File, asking: Iterable[Planned], budget: int) -> Iterator[Job]:
        """What a file asks: its lowering if it waits for one as a whole, else the question of each declaration."""
        tracked = file.tracked
        if isinstance(tracked, Document) and tracked.question is not None:
            yield self._lower(tracked.question, file.path, None)
            return
        for planned in asking:
            if planned.awaited is None:
                yield job(planned, file.path, budget, 0)
            else:
                yield self._lower(planned.awaited, file.path, tracked.planned.index(planned))

    def _lower(self, question: Question, path: str, number: int | None) -> Job:
        made = lowering_job(question, str(number), path)
        self._lowering[made.id] = (path, number)
        return made

    def _following(self, ended: str, budget: int) -> Iterator[Job]:
        """What a declaration asks once its source is lowered: its question, or a lowering with more sources."""
        path, number = self._lowering.pop(ended, ("", None))
        before = self._read.get(path)
        match before:
            case _File(Tracked() as tracked, recorded) if number is not None:
                planned = list(tracked.planned)
                planned[number] = replanned(planned[number], path, recorded, self._how)
                self._read[path] = after = _File(replace(tracked, planned=tuple(planned)), recorded)
                yield from self._jobs_of(
                    after, [each for each in self._asking(after) if each is planned[number]], budget
                )
            case _File(Document(), recorded):
                del self._read[path]
                made = self._made(path, recorded)
                if isinstance(made, _File):
                    yield from self._jobs_of(made, self._asking(made), budget)
            case _:
                return

    def _asking(self, file: _File) -> Iterator[Planned]:
        """What is wanted of a file that asks something, or may yet do so."""
        return (planned for planned in self._wanted_of(file) if planned.asked or planned.awaited is not None)

    def _wanted_of(self, file: _File) -> Iterator[Planned]:
        only = self._wanted.only
        return (planned for planned in self._about(file) if not only or planned.declared.name in only)

    def _about(self, file: _File) -> Iterator[Planned]:
        """The declarations that belong to the report."""
        for planned in file.tracked.planned:
            if self._is_whole(file) or not self._wanted_sources.isdisjoint(path for _, path in planned.sources):
                yield planned

    def _is_whole(self, file: _File) -> bool:
        return file.path not in self._wanted.beside

    def _is_definite(self, planned: Planned) -> bool:
        """Whether all that a declaration asks has an answer that no other may replace."""
        outcomes = [self._outcomes.get(key) for key in planned.keys]
        answered = all(isinstance(outcome, Reply) and outcome.definite for outcome in outcomes)
        return answered and (planned.lowering is None or planned.lowering.lasting)

    def _files(self) -> Iterator[_File]:
        """The files, those of declarations first: sources leave to them what they declare."""
        paths = sorted((*self._wanted.paths, *self._wanted.beside), key=holds_kernels)
        return (each for path in paths if isinstance(each := self._file(path), _File))

    def _file(self, path: str) -> _File | Unreadable:
        if path not in self._read:
            self._read[path] = self._made(path, Recorded(self._sources))
        return self._read[path]

    def _made(self, path: str, recorded: Recorded) -> _File | Unreadable:
        if holds_kernels(path):
            made: Tracked | Document | Unreadable = document(path, (recorded, self._how), None, self._declared(path))
        else:
            made = track(path, recorded, self._how)
        self._read[path] = after = made if isinstance(made, Unreadable) else _File(made, recorded)
        return after

    def _declared(self, path: str) -> frozenset[str]:
        """The kernels of a source that a file of declarations names."""
        real = os.path.realpath(path)
        paths = (each for each in (*self._wanted.paths, *self._wanted.beside) if not holds_kernels(each))
        files = (file.tracked for each in paths if isinstance(file := self._file(each), _File))
        tracked = (each for each in files if isinstance(each, Tracked))
        return frozenset(entry for each in tracked for at, entry, _ in each.entries() if at == real)
