"""The declarations of some files, and the answers to what they ask: one run of the engine.

A file is read and understood when it is first needed, so that workers start while the next ones are. Invariant: after
`run` is exhausted, every question has an outcome and no process is left.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from rewright.checks.table import Asked
from rewright.engine import batch as engine_batch
from rewright.engine.jobs import Answered, Ended, Job, Outcome, Reply
from rewright.engine.scheduler import Engine
from rewright.report.document import FileReport
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.workspace.fold import Known
from rewright.workspace.jobs import How, Planned, job, lowering_job
from rewright.workspace.lowering import Lowerings
from rewright.workspace.remembered import Made, Recorded
from rewright.workspace.sources import Sources, Unreadable
from rewright.workspace.tracked import Tracked, replanned, track
from rewright.workspace.views import Folder, texts_of


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be asked: the files, the names of declarations (none: all of them), and how rules are decided."""

    paths: Collection[str]
    only: frozenset[str]
    mode: Mode


@dataclass(frozen=True, slots=True)
class _File:
    """A file, and the sources as they were asked for it."""

    tracked: Tracked
    recorded: Recorded


class Asking:
    """The declarations of the files that are wanted, to be checked once."""

    def __init__(self, wanted: Wanted, sources: Sources) -> None:
        self._wanted = wanted
        self._sources = sources
        self._how = How(wanted.mode, Lowerings())
        self._read: dict[str, _File | Unreadable] = {}
        self._outcomes: dict[str, Outcome] = {}
        self._lowering: dict[str, tuple[str, int]] = {}
        self._folder = Folder()

    @property
    def names(self) -> frozenset[str]:
        """The names of all declarations."""
        return frozenset(each.name for file in self._files() for each in file.tracked.model.declarations)

    @property
    def unreadable(self) -> dict[str, str]:
        """Why files cannot be read, by path."""
        made = ((path, self._file(path)) for path in self._wanted.paths)
        return {path: each.reason for path, each in made if isinstance(each, Unreadable)}

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
        return {file.tracked.path: self._folder.file(file.tracked, known) for file in self._files()}

    def lasting(self) -> Iterator[Made]:
        """The reports in which every question has an answer that no other may replace."""
        reports = self.reports()
        for file in self._files():
            if all(map(self._is_definite, file.tracked.planned)):
                named = tuple(sorted(file.tracked.named()))
                yield Made(reports[file.tracked.path], tuple(file.recorded.looks), named)

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
            for planned in self._asking(file):
                yield self._job(file.tracked, planned, budget)

    def _job(self, file: Tracked, planned: Planned, budget: int) -> Job:
        if planned.awaited is None:
            return job(planned, file.path, budget, 0)
        number = file.planned.index(planned)
        made = lowering_job(planned.awaited, str(number), file.path)
        self._lowering[made.id] = (file.path, number)
        return made

    def _following(self, ended: str, budget: int) -> Iterator[Job]:
        """What a declaration asks once its source is lowered: its question, or a lowering with more sources."""
        path, number = self._lowering.pop(ended, ("", 0))
        before = self._read.get(path)
        if not isinstance(before, _File):
            return
        planned = list(before.tracked.planned)
        planned[number] = after = replanned(planned[number], path, before.recorded, self._how)
        tracked = replace(before.tracked, planned=tuple(planned))
        self._read[path] = replace(before, tracked=tracked)
        if after.asked or after.awaited is not None:
            yield self._job(tracked, after, budget)

    def _asking(self, file: _File) -> Iterator[Planned]:
        for planned in file.tracked.planned:
            asks = planned.asked or planned.awaited is not None
            if asks and (not self._wanted.only or planned.declared.name in self._wanted.only):
                yield planned

    def _is_definite(self, planned: Planned) -> bool:
        """Whether all that a declaration asks has an answer that no other may replace."""
        outcomes = [self._outcomes.get(key) for key in planned.keys]
        answered = all(isinstance(outcome, Reply) and outcome.definite for outcome in outcomes)
        return answered and (planned.lowering is None or planned.lowering.lasting)

    def _files(self) -> Iterator[_File]:
        made = (self._file(path) for path in self._wanted.paths)
        return (each for each in made if isinstance(each, _File))

    def _file(self, path: str) -> _File | Unreadable:
        if path not in self._read:
            recorded = Recorded(self._sources)
            tracked = track(path, recorded, self._how)
            self._read[path] = tracked if isinstance(tracked, Unreadable) else _File(tracked, recorded)
        return self._read[path]
