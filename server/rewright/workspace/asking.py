"""The command line's driver: what is known of some files is carried to the engine and back, once, until all is asked.

A file is read and understood when it is first needed, so that workers start while the next ones are. Invariant: after
`run` is exhausted, every question has an outcome and no process is left. Must not know what is due (`plan`).
"""

from __future__ import annotations

import os
from collections.abc import Collection, Generator, Iterator
from contextlib import closing

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.checks.table import Asked
from rewright.engine.batch import Running
from rewright.engine.jobs import Answered, Ended, Job, Question
from rewright.report.document import FileReport
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.workspace import plan, project
from rewright.workspace.documents import Document, unlaunched
from rewright.workspace.jobs import Planned, lowering_job
from rewright.workspace.lasting import lasting
from rewright.workspace.plan import Due
from rewright.workspace.project import Project, Reading, ReportScope
from rewright.workspace.remembered import Made, Recorded
from rewright.workspace.settings import Settings
from rewright.workspace.sources import Sources, speaks_for_itself
from rewright.workspace.views import Folder, folded, outside, texts_of


class Requested(Struct, frozen=True):
    """What is to be asked: the files, the names of declarations (none: all of them), and how rules are decided.

    Of the files `beside` these, only what they declare of kernels in the sources among them.
    """

    paths: Collection[str]
    beside: Collection[str]
    only: frozenset[str]
    mode: Mode


class _Given(Struct, frozen=True):
    """The sources on disk, each file with what they were asked for it, and the settings of the one workspace."""

    sources: Sources
    all_settings: Settings
    recorded: dict[str, Recorded] = field(default_factory=dict)

    def reads(self, path: str) -> Recorded:
        """The sources, as they are asked for the file at `path`."""
        return self.recorded.setdefault(path, Recorded(self.sources))

    def settings(self, _: str) -> Settings:
        """The settings that hold for every file."""
        return self.all_settings


class Asking:
    """The declarations of the requested files, to be checked once."""

    def __init__(self, requested: Requested, sources: Sources, settings: Settings) -> None:
        kernels = frozenset(os.path.realpath(path) for path in requested.paths if speaks_for_itself(path))
        self._requested = requested
        self._paths = sorted((*requested.paths, *requested.beside), key=speaks_for_itself)
        self._sources = sources
        self._given = _Given(sources, settings)
        self._project = Project(requested.mode, ReportScope(requested.only, frozenset(requested.beside), kernels))
        self._lowering: dict[str, Question] = {}
        self._jobs_handed_out = 0
        self._folder = Folder()

    @property
    def names(self) -> frozenset[str]:
        """The names of all declarations."""
        return frozenset(planned.declared.name for reading in self._readings() for planned in self._held(reading))

    @property
    def has_unread_sources(self) -> bool:
        """Whether a source has still to be read, which may have more declarations."""
        return any(isinstance(reading, Document) and reading.question is not None for reading in self._readings())

    @property
    def unreadable(self) -> dict[str, str]:
        """Why files cannot be read, by path."""
        list(self._readings())
        unreadable = self._project.unreadable
        return {path: unreadable[path] for path in self._requested.paths if path in unreadable}

    @property
    def unlaunched(self) -> list[str]:
        """The sources none of whose kernels has a launch that is known."""
        documents = [reading for reading in self._readings() if isinstance(reading, Document)]
        silent = (each for each in documents if each.kernels and not each.planned)
        return [each.path for each in silent if not self._project.declared(each.path)]

    @property
    def total(self) -> int:
        """How many declarations are known so far to ask something."""
        waiting = (plan.to_lower(self._project, reading) for reading in self._project.readings.values())
        return self._jobs_handed_out + sum(1 for questions in waiting for _ in questions)

    def run(self, engine: Running) -> Generator[Job]:
        """Asks everything; yields the job of each declaration as it ends."""
        with closing(engine.ask(self._jobs(), self._following)) as events:
            for event in events:
                match event:
                    case Answered(job, outcome) if job.id in self._lowering:
                        self._project = plan.lowered(self._project, outcome)
                    case Answered(_, outcome):
                        self._project = project.answered(self._project, outcome)
                    case Ended(ended, _) if ended.id not in self._lowering:
                        yield ended

    def _jobs(self) -> Iterator[Job]:
        for reading in self._readings():
            yield from self._due(plan.check(self._project, reading.path, 0, self._given))

    def _following(self, ended: Ended) -> Iterator[Job]:
        """What is asked once a source is lowered."""
        question = self._lowering.pop(ended.job.id, None)
        if question is not None:
            yield from self._due(plan.caught_up(self._project, (question.key,), self._given))

    def _due(self, due: Due) -> Iterator[Job]:
        self._project = due.project
        readings = (due.project.readings[path] for path in due.paths if path in due.project.readings)
        for question in (question for reading in readings for question in plan.to_lower(due.project, reading)):
            made = lowering_job(question)
            if made.id not in self._lowering:
                self._lowering[made.id] = question
                yield made
        self._jobs_handed_out += len(due.jobs)
        yield from (each.job for each in due.jobs)

    def reports(self) -> dict[str, FileReport]:
        """What is known of the files now, by path."""
        return {reading.path: self._report(reading) for reading in self._readings()}

    def _report(self, reading: Reading) -> FileReport:
        made = folded(self._project, reading.path, self._folder)
        if isinstance(reading, Document):
            known = self._project.declared(reading.path) | self._launched_elsewhere(reading.path)
            remarks = outside(reading, unlaunched(reading, known))
            made = replace(made, diagnostics=(*made.diagnostics, *remarks))
        return made

    def _launched_elsewhere(self, path: str) -> frozenset[str]:
        """The kernels that other sources launch which include the one at `path`."""
        file = os.path.realpath(path)
        others = (each for each in self._readings() if isinstance(each, Document) and each.path != path)
        including = (each for each in others if file in map(os.path.realpath, each.named()))
        return frozenset(planned.declared.name for each in including for planned in each.planned)

    def lasting(self) -> Iterator[Made]:
        """The reports in which every question has an answer that no other may replace."""
        for path, report in self.reports().items():
            made = lasting(self._project, path, report, self._given.reads(path))
            if made is not None and path not in self._requested.beside:
                yield made

    def texts(self) -> dict[str, Text]:
        """Every text that a diagnostic of these files may point into, by path."""
        return texts_of(self._readings(), self._sources)

    def questions(self, start: str) -> tuple[Asked, ...]:
        """The different questions whose ids begin with `start`."""
        planned = (planned for reading in self._readings() for planned in reading.planned)
        pairs = (pair for each in planned for pair in zip(each.keys, each.asked, strict=True))
        return tuple({key: asked for key, asked in pairs if key.startswith(start)}.values())

    def _held(self, reading: Reading) -> Iterator[Planned]:
        return (each for each in reading.planned if self._project.scope.holds(reading.path, each))

    def _readings(self) -> Iterator[Reading]:
        """What is read in the files, those of declarations first: sources leave to them what they declare."""
        for path in self._paths:
            if path not in self._project.readings and path not in self._project.unreadable:
                self._project = project.read(self._project, path, self._given)
            if path in self._project.readings:
                yield self._project.readings[path]
