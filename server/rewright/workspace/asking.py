"""The declarations of some files, and the answers to what they ask: one run of the engine.

A file is read and understood when it is first needed, so that workers start while the next ones are. Invariant: after
`run` is exhausted, every question has an outcome and no process is left.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass

from rewright.checks.table import Asked
from rewright.engine import batch as engine_batch
from rewright.engine.jobs import Answered, Ended, Job, Outcome, Reply
from rewright.engine.scheduler import Engine
from rewright.report.document import FileReport
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.workspace.fold import Known
from rewright.workspace.jobs import Planned, job
from rewright.workspace.remembered import Made, Recorded
from rewright.workspace.sources import Sources, Unreadable
from rewright.workspace.tracked import Tracked, track
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
        self._read: dict[str, _File | Unreadable] = {}
        self._outcomes: dict[str, Outcome] = {}
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
        """Asks everything; yields each job as it ends."""
        with closing(engine_batch.run(engine, self._jobs(budget))) as events:
            for event in events:
                match event:
                    case Answered(_, outcome):
                        self._outcomes[outcome.key] = outcome
                    case Ended(ended, _):
                        yield ended

    def reports(self) -> dict[str, FileReport]:
        """What is known of the files now, by path."""
        known = Known(self._outcomes, ())
        return {file.tracked.path: self._folder.file(file.tracked, known) for file in self._files()}

    def lasting(self) -> Iterator[Made]:
        """The reports in which every question has an answer that no other may replace."""
        reports = self.reports()
        for file in self._files():
            if all(self._is_definite(key) for planned in file.tracked.planned for key in planned.keys):
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
                yield job(planned, file.tracked.path, budget, 0)

    def _asking(self, file: _File) -> Iterator[Planned]:
        for planned in file.tracked.planned:
            if planned.asked and (not self._wanted.only or planned.declared.name in self._wanted.only):
                yield planned

    def _is_definite(self, key: str) -> bool:
        outcome = self._outcomes.get(key)
        return isinstance(outcome, Reply) and outcome.definite

    def _files(self) -> Iterator[_File]:
        made = (self._file(path) for path in self._wanted.paths)
        return (each for each in made if isinstance(each, _File))

    def _file(self, path: str) -> _File | Unreadable:
        if path not in self._read:
            recorded = Recorded(self._sources)
            tracked = track(path, recorded, self._wanted.mode)
            self._read[path] = tracked if isinstance(tracked, Unreadable) else _File(tracked, recorded)
        return self._read[path]
