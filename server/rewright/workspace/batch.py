"""One run over some files, without an editor: what the command line is made of.

Invariant: after `run` is exhausted, every question has an outcome and no process is left.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from rewright.checks import table
from rewright.engine import batch as engine_batch
from rewright.engine.cache import NoCache, open_cache
from rewright.engine.jobs import Answered, Ended, Job, Limits, Outcome
from rewright.engine.scheduler import Engine
from rewright.report.document import FileReport, Report
from rewright.rules.decision import Mode
from rewright.workspace.fold import Known
from rewright.workspace.jobs import job
from rewright.workspace.settings import load
from rewright.workspace.sources import Sources, Unreadable, workspace_root
from rewright.workspace.tracked import Tracked, track
from rewright.workspace.views import Folder, texts_of

WORKER = (sys.executable, "-m", "rewright.checks.worker")


class QueryError(ValueError):
    """A question cannot be shown; the text says why."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How to run: worker processes, the folder of the cache (None: none), names to restrict to, normal forms off."""

    workers: int = 1
    cache: Path | None = None
    only: frozenset[str] = frozenset()
    solver_only: bool = False

    @property
    def mode(self) -> Mode:
        """How rules are decided."""
        return Mode.SOLVER_ONLY if self.solver_only else Mode.NORMAL_FORMS


class Batch:
    """The declarations of some files, to be checked once."""

    def __init__(self, paths: tuple[str, ...], options: CheckOptions) -> None:
        """Reads the files. Raises `SettingsError` for a `rewright.toml` that cannot be used."""
        root = workspace_root(Path(os.path.commonpath(paths)))
        self._options = options
        self._settings = load(root)
        self._sources = Sources(root)
        self._outcomes: dict[str, Outcome] = {}
        self.notes: list[str] = []
        """What a person should know of the run, such as why it works without a cache."""
        self.unchecked: list[str] = []
        """What could not be checked at all, and why."""
        self._files = tuple(self._read(paths))

    @property
    def unknown_names(self) -> frozenset[str]:
        """The names asked for that no declaration has."""
        return self._options.only - {declared.name for file in self._files for declared in file.model.declarations}

    @property
    def total(self) -> int:
        """How many declarations ask something."""
        return sum(1 for _ in self._jobs())

    def run(self) -> Iterator[Job]:
        """Asks everything; yields each job as it ends."""
        cache = open_cache(self._options.cache, self.notes.append) if self._options.cache else NoCache()
        limits = Limits(memory=self._settings.memory << 20)
        with closing(cache), closing(self._events(Engine(cache, WORKER, self._options.workers, limits))) as ended:
            yield from ended

    def report(self) -> Report:
        """What is known of the files now."""
        folder, known = Folder(), Known(self._outcomes, ())
        files = tuple(self._restricted(folder.file(file, known)) for file in self._files)
        return Report(files, texts_of(self._files, self._sources))

    def question(self, start: str) -> table.Asked:
        """The question whose id begins with `start`. Raises `QueryError` if none does, or several do."""
        found = {
            key: asked
            for file in self._files
            for planned in file.planned
            for key, asked in zip(planned.keys, planned.asked, strict=True)
            if key.startswith(start)
        }
        if len(found) != 1:
            raise QueryError(
                f"{'several questions have' if found else 'no question has'} an id that starts with `{start}`"
            )
        return next(iter(found.values()))

    def _events(self, engine: Engine) -> Generator[Job]:
        with closing(engine_batch.run(engine, self._jobs())) as events:
            for event in events:
                match event:
                    case Answered(_, outcome):
                        self._outcomes[outcome.key] = outcome
                    case Ended(job, _):
                        yield job

    def _restricted(self, file: FileReport) -> FileReport:
        if not self._options.only:
            return file
        return replace(file, results=tuple(each for each in file.results if each.name in self._options.only))

    def _jobs(self) -> Iterator[Job]:
        for file in self._files:
            for planned in file.planned:
                if planned.asked and (not self._options.only or planned.declared.name in self._options.only):
                    yield job(planned, file.path, self._settings.budget, 0)

    def _read(self, paths: tuple[str, ...]) -> Iterator[Tracked]:
        for path in paths:
            tracked = track(path, self._sources, self._options.mode)
            if isinstance(tracked, Unreadable):
                self.unchecked.append(f"cannot read {path}: {tracked.reason}")
            else:
                yield tracked


def smtlib(asked: table.Asked) -> str:
    """The solver's question as SMT-LIB text. Raises `QueryError` for one that no solver is asked."""
    text = table.smtlib(asked)
    if text is None:
        raise QueryError("this question is answered by execution, no solver is asked")
    return text
