"""One run over some files, without an editor: what the command line is made of.

What is remembered of a file and still true is taken as it is; the rest is asked, and what takes time to load for that
is loaded only then. Invariant: after `run` is exhausted, every question has an outcome and no process is left.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from rewright.engine.cache import Cache, NoCache
from rewright.engine.opening import open_cache
from rewright.frontends.table import kind_of
from rewright.model.source_kind import SourceKind
from rewright.report.document import Diagnostic, FileReport, Report
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.verdict.diagnostics.rules import NotDecided
from rewright.verdict.diagnostics.sources import UnusableCommands
from rewright.verdict.diagnostics.syntax import TextTooLong
from rewright.workspace.remembered import Recalled, ReportMemory, decided_by
from rewright.workspace.settings import load
from rewright.workspace.sources import (
    Sources,
    Unreadable,
    anew_each_time,
    beside,
    naming_nests,
    speaks_for_itself,
    workspace_root,
)

if TYPE_CHECKING:
    from rewright.checks.table import Asked
    from rewright.engine.jobs import Job
    from rewright.workspace.asking import Asking

WORKER: tuple[str, ...] = (sys.executable, "-m", "rewright.workers.full")
KERNEL_WORKER: tuple[str, ...] = (sys.executable, "-m", "rewright.workers.kernels")
FRONT_WORKER: tuple[str, ...] = (sys.executable, "-m", "rewright.workers.front")
"""The programs of workers: for all questions, for those of a run about kernels only, and to lower sources only."""

NO_LAUNCH = "no kernel states its launch, as in `// rewright: launch grid(4), block(256); n = 1024`"
"""Why nothing of a file with kernels is checked."""

UNCHECKED = {TextTooLong.code, NotDecided.code}
"""Codes that say outside of all declarations why nothing of a file is checked: its length, or a limit of time."""

SECONDS = {Mode.NORMAL_FORMS: 30.0, Mode.SOLVER_ONLY: 30.0, Mode.SECOND_OPINION: 300.0}
"""What a declaration may take, by how rules are decided."""


class QueryError(ValueError):
    """A question cannot be shown; the text says why."""


class CheckOptions(Struct, frozen=True):
    """How to run: worker processes, the folder of the cache (None: none), names to restrict to, how rules are decided.

    `named` are the files that somebody asked for by name: that nothing in one is checked is told as a failure. A second
    opinion is asked afresh each time: no cache is used, and it may take longer than an answer usually may. `strict`:
    what is only right under conditions that are not stated is not as expected.
    """

    workers: int = 1
    cache: Path | None = None
    only: frozenset[str] = frozenset()
    mode: Mode = Mode.NORMAL_FORMS
    named: frozenset[str] = frozenset()
    strict: bool = False


class Batch:
    """The declarations of some files, to be checked once."""

    def __init__(self, paths: tuple[str, ...], options: CheckOptions) -> None:
        """Reads the files. Raises `SettingsError` for a `rewright.toml` that cannot be used."""
        root = workspace_root(Path(os.path.commonpath(paths)))
        self._paths = paths
        self._options = options
        self._settings = load(root)
        self._sources = Sources(root)
        self._beside = beside(paths, root)
        self._naming = naming_nests(paths)
        self._memory = ReportMemory(self._how)
        self.notes: list[str] = []
        """What a person should know of the run, such as why it works without a cache."""
        with closing(self._cache()) as cache:
            anew = anew_each_time(paths, self._beside)
            self._recalled = self._recall([path for path in paths if path not in anew], cache)

    @property
    def unknown_names(self) -> frozenset[str]:
        """The names asked for that no declaration has; of sources this is known once `run` is exhausted."""
        if not self._options.only or (self._rest and self._asking.has_unread_sources):
            return frozenset()
        recalled = {result.name for file in self._recalled.values() for result in file.report.results}
        return self._options.only - recalled - (self._asking.names if self._rest else set())

    @property
    def unchecked(self) -> list[str]:
        """What could not be checked at all, and why: of sources this is known once `run` is exhausted."""
        unreadable = self._asking.unreadable if self._rest else {}
        messages = [f"cannot read {path}: {reason}" for path, reason in unreadable.items()]
        failed = ((file.path, each) for file in self.report().files for each in file.diagnostics)
        messages += [f"{os.path.relpath(path)}: {each.message}" for path, each in failed if each.code in UNCHECKED]
        unlaunched = self._asking.unlaunched if self._rest else ()
        messages += [f"{os.path.relpath(path)}: {NO_LAUNCH}" for path in unlaunched if path in self._options.named]
        return messages

    @property
    def complete(self) -> bool:
        """Whether everything is remembered and nothing is left to be asked."""
        return not self._rest

    @property
    def total(self) -> int:
        """How many declarations are known so far to ask something."""
        return self._asking.total if self._rest else 0

    def run(self, meanwhile: Callable[[], None] = lambda: None) -> Iterator[Job]:
        """Asks everything that is not remembered; yields each job as it ends. `meanwhile` runs while workers load."""
        if self.complete:
            return
        from rewright.engine.batch import running
        from rewright.engine.jobs import WorkerLimits
        from rewright.engine.scheduler import Engine

        limits = WorkerLimits(SECONDS[self._options.mode], self._settings.memory << 20, niceness=0)
        sources = sum(map(speaks_for_itself, self._rest))
        kernels_only = all(kind_of(path) is SourceKind.KERNELS for path in self._rest)
        command = KERNEL_WORKER if kernels_only else WORKER
        with closing(self._cache()) as cache:
            engine = Engine(cache, command, self._options.workers, limits)
            # A source needs a worker whatever is known: it loads while this process does.
            with running(engine, min(sources, self._options.workers)) as at_work:
                asking = self._asking
                meanwhile()
                with closing(asking.run(at_work)) as ended:
                    yield from ended
            self._remember(asking, cache)

    def _recall(self, paths: list[str], cache: Cache) -> dict[str, Recalled]:
        """What is remembered of these files; nothing after an internal error: they are asked again then."""
        try:
            return self._whole(self._memory.recall(paths, self._sources, cache))
        except Exception as error:
            self._note(f"internal error, nothing is remembered: {type(error).__name__}: {error}")
            return {}

    def _whole(self, recalled: dict[str, Recalled]) -> dict[str, Recalled]:
        """Of these files those that stand without the rest: a source and the files that name it are asked together."""
        groups = [{source, *files} for source, files in self._naming.items()]
        apart = [group for group in groups if not group <= recalled.keys()]
        left = {path: each for path, each in recalled.items() if not any(path in group for group in apart)}
        return left if len(left) == len(recalled) else self._whole(left)

    def _how(self, path: str) -> str:
        """All that decides what is said of a file, beside the program and what the sources are asked for it."""
        named_in = [f"{file} {_digest(self._sources.read(file))}" for file in self._naming.get(path, ())]
        return "\n".join([decided_by(self._options.mode, self._settings.kernels), *named_in])

    def _remember(self, asking: Asking, cache: Cache) -> None:
        """Keeps what stands for good. To fail at that takes nothing from the answers."""
        try:
            self._memory.remember(asking.lasting(), cache)
        except Exception as error:
            self._note(f"internal error, nothing will be remembered: {type(error).__name__}: {error}")

    def report(self) -> Report:
        """What is known of the files now."""
        reports = {path: each.report for path, each in self._recalled.items()}
        texts = {path: text for each in self._recalled.values() for path, text in each.texts.items()}
        if self._rest:
            reports |= self._asking.reports()
            texts |= self._asking.texts()
        paths = (*self._paths, *(path for path in self._beside if path in reports and reports[path].results))
        made = Report(_once(self._restricted(reports[path]) for path in paths if path in reports), texts)
        if not (self._options.strict or self._settings.strict):
            return made
        from rewright.report.strict import strictly

        return strictly(made)

    def question(self, start: str) -> Asked:
        """The question whose id begins with `start`. Raises `QueryError` if none does, or several do."""
        found = self._asking.questions(start) if self._rest else ()
        if len(found) != 1:
            raise QueryError(
                f"{'several questions have' if found else 'no question has'} an id that starts with `{start}`"
            )
        return found[0]

    @cached_property
    def _rest(self) -> list[str]:
        """The files of which nothing is remembered."""
        return [path for path in self._paths if path not in self._recalled]

    @cached_property
    def _asking(self) -> Asking:
        """What is left to be asked."""
        from rewright.workspace.asking import Asking, Requested

        requested = Requested(self._rest, self._beside, self._options.only, self._options.mode)
        return Asking(requested, self._sources, self._settings)

    def _cache(self) -> Cache:
        directory = None if self._options.mode is Mode.SECOND_OPINION else self._options.cache
        return NoCache() if directory is None else open_cache(directory, self._note)

    def _note(self, message: str) -> None:
        if message not in self.notes:
            self.notes.append(message)

    def _restricted(self, file: FileReport) -> FileReport:
        if not self._options.only:
            return file
        return replace(file, results=tuple(each for each in file.results if each.name in self._options.only))


def _once(files: Iterable[FileReport]) -> tuple[FileReport, ...]:
    """The files, what is wrong with a build's commands only at the first of those that it compiles."""
    reported: set[Diagnostic] = set()
    made = []
    for file in files:
        kept = tuple(each for each in file.diagnostics if each not in reported)
        reported |= {each for each in kept if each.code == UnusableCommands.code}
        made.append(replace(file, diagnostics=kept))
    return tuple(made)


def _digest(text: Text | Unreadable) -> str:
    return text.digest if isinstance(text, Text) else ""


def smtlib(asked: Asked) -> str:
    """The solver's question as SMT-LIB text. Raises `QueryError` for one that no solver is asked."""
    from rewright.checks import table

    text = table.smtlib(asked)
    if text is None:
        raise QueryError("this question is answered by execution, no solver is asked")
    return text
