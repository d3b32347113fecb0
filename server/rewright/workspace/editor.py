"""The editor's driver: the workspace that is open, and the work that is under way for it.

Belongs to one event loop. Carries texts and outcomes into the project and what is due out of it. Invariants: requests
only enqueue; the report is a function of the project; a question that is being asked again keeps its place until its
new outcome is there. Must not know what is due (`plan`), nor how anything is read.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from rewright.checks.kernel_question import SourceEntry
from rewright.engine.jobs import Answered, Ended, Event, Outcome, Question
from rewright.engine.tickets import Ticket
from rewright.fixes.offering import needs_precondition
from rewright.frontends.preset import anywhere
from rewright.model.file import FileModel
from rewright.report.document import FileReport, Report, Result
from rewright.report.summary import counted, is_unchecked
from rewright.rules.decision import Mode
from rewright.syntax.parsed import Parsed
from rewright.syntax.text import Text
from rewright.verdict import Fix
from rewright.workspace import plan, project
from rewright.workspace.documents import Document
from rewright.workspace.engines import Engines
from rewright.workspace.fixing import Fixing, Means
from rewright.workspace.folders import is_in
from rewright.workspace.front import Front
from rewright.workspace.ground import Ground
from rewright.workspace.jobs import How, job_id
from rewright.workspace.lasting import lasting
from rewright.workspace.nests import Nests
from rewright.workspace.plan import Due
from rewright.workspace.programs import WrittenKernel, written_kernels
from rewright.workspace.project import FileJob, Project
from rewright.workspace.reasons import Reasons
from rewright.workspace.remembered import Made
from rewright.workspace.settings import NO_SETTINGS, Settings
from rewright.workspace.sources import declaring_files, holds_declarations, speaks_for_itself
from rewright.workspace.spoken import declared_in, imports, sharing
from rewright.workspace.tracked import Tracked
from rewright.workspace.views import Seen

log = logging.getLogger(__name__)

MOST_FILES = 5000
"""Files of the workspace that are tracked without being opened."""

PAUSE = 0.2
"""Seconds without a key after which fixes are searched for: looking for what needs one took a quarter of each key."""

Listener = Callable[[frozenset[str]], None]
Witness = Callable[[FileJob, tuple[Outcome, ...]], None]


class Workspace:
    """The declarations below some folders and of every open file."""

    def __init__(self, engines: Engines, ground: Ground | None = None) -> None:
        self._given = ground or Ground()
        self.sources, self._folders = self._given.sources, self._given.folders
        self._engine = engines.checks
        self._project = Project(Mode.NORMAL_FORMS)
        self._front = Front(engines.front, self._awaited, self._note_outcome, self._lowered)
        self._tickets: dict[str, Ticket] = {}
        self._seen = Seen()
        self._reasons = Reasons()
        self._soon: asyncio.TimerHandle | None = None
        self._listeners: list[Listener] = []
        self._witnesses: list[Witness] = []
        self._fixing = Fixing(self._engine, Means(self.sources, self._how, self._folders), self._notify_of)
        self.nests = Nests(self._engine, lambda path: self._project.readings.get(path), (self.sources, self._folders))

    # ------------------------------------------------------------------------------------------------------ folders

    def add(self, folder: Path, settings: Settings) -> None:
        """Takes in a folder with what its `rewright.toml` says; its files are tracked once it is scanned."""
        self._given.add(folder, settings)
        self._refolded()

    def roots(self) -> tuple[Path, ...]:
        """The folders."""
        return self._folders.roots()

    def resettle(self, folder: Path, settings: Settings) -> None:
        """Goes by what the `rewright.toml` of a folder says now, in all of its files."""
        self.add(folder, settings)
        for path in [path for path in self._project.readings if is_in(path, folder)]:
            self._project = project.unread(self._project, path)
            self._retrack(path)

    def remove(self, folder: Path) -> None:
        """Lets go of a folder and of its files, but for those that are open or in another folder too."""
        if self._given.remove(folder):
            self._refolded()
            for path in [path for path in self._project.readings if is_in(path, folder)]:
                if not self.sources.is_open(path) and not self._folders.hold(path):
                    self._let_go(path)

    async def scan(self) -> None:
        """Tracks every `.rw` file below the folders, so that a source knows the declarations that name it."""
        for folder in self._folders.roots():
            for path in await asyncio.to_thread(_declaring, folder):
                room = len(self._project.readings) < MOST_FILES
                if room and path not in self._project.readings and self._folders.hold(path):
                    self._retrack(path)
                    await asyncio.sleep(0)

    def _refolded(self) -> None:
        """Has the open files go by the folders as they are now."""
        for path in self.sources.open_paths():
            self._project = project.unread(self._project, path)
            self._retrack(path)

    def _let_go(self, path: str) -> None:
        """Forgets a file that is no part of the workspace any more."""
        paths = _paths(self._project, path)
        self._project = project.let_go(self._project, path)
        for due in list(self._project.running.values()):
            if due.path == path:
                self._engine.cancel(self._tickets[due.job.id])
        self._notify(paths)

    # ------------------------------------------------------------------------------------------------------ sources

    def open(self, path: str, text: str | Text) -> None:
        """Makes `text` the text of `path`."""
        if not self._project.readings:
            self._given.settle(path)
        self.sources.open(path, text)
        self._retrack(path)

    def change(self, path: str, text: str | Text) -> None:
        """Replaces the text of an open buffer."""
        self.sources.open(path, text)
        self._retrack(path)

    def close(self, path: str) -> None:
        """Lets the file on disk speak for `path` again."""
        self.sources.close(path)
        self._retrack(path)

    def watched(self, path: str) -> None:
        """Takes note that the file on disk was changed, made or deleted."""
        self.sources.relist(path)
        if not self.sources.is_open(path):
            self._retrack(path)

    def _retrack(self, path: str) -> None:
        """Brings what depends on the text of `path` up to date and tells who listens."""
        itself = (path,) if self._is_read(path) or path in self._project.readings else ()
        stale = (*itself, *project.dependent(self._project, path))
        for each in stale:
            if self._is_read(each):
                self._project = project.read(self._project, each, self._given)
            else:
                self._project = project.without(self._project, each)
        self._notify(frozenset({path, *stale}))
        self._front.go_on()
        self._search_fixes_soon()

    def _is_read(self, path: str) -> bool:
        """Whether a file is read for itself: one of declarations, or a source that is open."""
        return holds_declarations(path) or (speaks_for_itself(path) and self.sources.is_open(path))

    def _awaited(self) -> dict[str, Question]:
        """What is to be lowered for the files that are shown or to be checked."""
        return plan.awaited(self._project, self._shown())

    def _shown(self) -> Iterator[str]:
        """What waits for a lowering and is to be checked, or open, or has declarations written in an open source."""
        opened = set(self.sources.open_paths())
        for path in self._project.unlowered:
            shown = path in self._project.waiting or path in opened
            if shown or not opened.isdisjoint(self._project.readings[path].named()):
                yield path

    def _note_outcome(self, outcome: Outcome) -> None:
        """Takes note of what a source comes to."""
        self._project = plan.lowered(self._project, outcome)

    def _lowered(self, keys: frozenset[str]) -> None:
        """Goes on with what waited for these sources, if they are lowered now."""
        waiting = self._project.waiting
        due = plan.caught_up(self._project, keys, self._given)
        self._take_up(replace(due, project=plan.pruned(due.project)))
        if due.project.waiting != waiting or due.jobs:
            self._search_fixes()

    # ------------------------------------------------------------------------------------------------------- views

    def parsed(self, path: str) -> Parsed | None:
        """The tree of a file."""
        reading = self._project.readings.get(path)
        return reading.parsed if isinstance(reading, Tracked) else None

    def model(self, path: str) -> FileModel | None:
        """Names, types and shapes of a file."""
        reading = self._project.readings.get(path)
        return reading.model if isinstance(reading, Tracked) else None

    def declaring(self) -> tuple[str, ...]:
        """The files of declarations, in order."""
        return tuple(sorted(self._trees()))

    def sharing(self, path: str, name: str) -> tuple[str, ...]:
        """The files that share a top-level name that the file at `path` speaks of, the one that declares it first."""
        return sharing(self._trees(), path, name, self.sources)

    def names_around(self, paths: Iterable[str]) -> frozenset[str]:
        """The top-level names that these files declare or import."""
        trees = self._trees()
        around = {each for path in paths for each in (path, *imports(trees[path], path, self.sources)) if each in trees}
        return frozenset(name for path in around for name in declared_in(trees[path]))

    def _trees(self) -> dict[str, Parsed]:
        readings = self._project.readings.items()
        return {path: reading.parsed for path, reading in readings if isinstance(reading, Tracked)}

    def file(self, path: str) -> FileReport | None:
        """What is known of one file."""
        return self._seen.file(self._project, path, self._lowering)

    def _lowering(self) -> Collection[str]:
        """What is being lowered and will not take long."""
        return () if self._front.is_slow else self._awaited()

    def fixes(self, path: str, name: str, finding: int) -> tuple[Fix, ...]:
        """The fixes that are known for a declaration, each of them checked; for a kernel, those of one finding."""
        file, known = self._project.readings.get(path), self.file(path)
        if file is None or known is None:
            return ()
        return self._fixing.offered(file, known.results, name, finding)

    def found_nothing(self, path: str, name: str) -> int | None:
        """In how many steps no fix of a rule was found; None if one was, or may be yet."""
        file, known = self._project.readings.get(path), self.file(path)
        return None if file is None or known is None else self._fixing.found_nothing(file, known.results, name)

    def is_searching(self, path: str, name: str) -> bool:
        """Whether fixes are looked for that are not known yet: now, or when what somebody waits for is done."""
        known = self.file(path)
        wrong = known is not None and any(each.name == name and needs_precondition(each) for each in known.results)
        later = wrong and (self.pending() > 0 or self._soon is not None)
        return later or self._fixing.is_searching(path, name)

    def kernels(self, path: str) -> list[tuple[SourceEntry, tuple[Result, ...]]]:
        """The kernels of an open source, each with what is known of it, wherever it is declared."""
        asked = project.kernels(self._project, path)
        return [(kernel, tuple(self._result(at, number) for at, number in places)) for kernel, places in asked]

    def why(self, result: Result) -> str | None:
        """Why a declaration was asked about again, None if it was asked about once at most."""
        file = self.file(result.path)
        alike = [each for each in file.results if (each.kind, each.name) == (result.kind, result.name)] if file else []
        number = next((number for number, each in enumerate(alike) if each is result), 0)
        return self._reasons.why(job_id(result.path, result.kind, result.name, number))

    def why_asked(self, due: FileJob) -> str | None:
        """The same of a job that is under way, or has just come to its end."""
        return self._reasons.why(due.job.id)

    def written_kernels(self, path: str) -> Iterator[WrittenKernel]:
        """The kernels of an open source as they were lowered from its text as it stands."""
        reading = self._project.readings.get(path)
        asked = [place for _, places in project.kernels(self._project, path) for place in places]
        if reading is not None:
            yield from written_kernels(
                (self._project.readings[at].planned[number] for at, number in asked), reading.text
            )

    def found_elsewhere(self, path: str, named: str) -> str | None:
        """The file that a source includes under a name though no include folder has it, as a path from the source."""
        reading = self._project.readings.get(path)
        name = anywhere("", named)
        if not isinstance(reading, Document) or name not in dict(reading.sources):
            return None
        found = self.sources.ending(name, path)
        return found[0] if len(found) == 1 else None

    def _result(self, path: str, number: int) -> Result:
        file = self.file(path)
        assert file is not None
        return file.results[number]

    def report(self) -> Report:
        """What is known of every file."""
        return self._seen.report(self._project, self.sources, self._lowering)

    def pending(self) -> int:
        """How many declarations are being checked."""
        return len(self._project.running) + len(self._project.waiting)

    def unchecked(self) -> int:
        """How many declarations of files that are open, or were to be checked, have no verdict and are not checked."""
        files = (self.file(path) for path in {*self._project.asked, *self.sources.open_paths()})
        return sum(counted(each) and is_unchecked(each) for file in files if file is not None for each in file.results)

    def lasting(self) -> Iterator[Made]:
        """What may be remembered of the files that were checked."""
        for path in sorted(self._project.asked & self._project.readings.keys()):
            report = self.file(path)
            made = lasting(self._project, path, report, self._given.reads(path)) if report is not None else None
            if made is not None:
                yield made

    def subscribe(self, listener: Listener) -> None:
        """Has `listener` called with the paths whose part of the report may have changed."""
        self._listeners.append(listener)

    def witness(self, witness: Witness) -> None:
        """Has `witness` called with each declaration whose questions came to an end, and with what they came to."""
        self._witnesses.append(witness)

    def _how(self) -> How:
        """How declarations are understood now, for who looks for fixes."""
        return self._project.how(NO_SETTINGS)

    def _notify_of(self, path: str) -> None:
        self._notify(frozenset({path}))

    def _notify(self, paths: frozenset[str]) -> None:
        self._seen.stale(paths)
        for listener in self._listeners:
            listener(paths)

    # -------------------------------------------------------------------------------------------------------- work

    def check(self, paths: Iterable[str]) -> None:
        """Enqueues the declarations that these files hold or that name them, the ones given first to be done first."""
        for path in paths:
            self._retrack(path)
            for each in tuple(project.concerned(self._project, path)):
                self._check_file(each, priority=plan.AT_ONCE)

    def check_named(self, path: str, names: Collection[str]) -> None:
        """Enqueues the declarations of these names in a file, to be done first."""
        self._retrack(path)
        if path in self._project.readings:
            self._take_up(plan.check_named(self._project, path, names, self._given))
            self._front.go_on()

    def check_all(self) -> None:
        """Enqueues every declaration of every tracked file."""
        for path in tuple(self._project.readings):
            self._check_file(path, priority=0)

    def stop(self) -> None:
        """Ends everything that is being worked on."""
        self._let_fixes_be()
        self._front.stop()
        self._project = plan.stopped(self._project)
        for ticket in list(self._tickets.values()):
            self._engine.cancel(ticket)

    def forget(self) -> None:
        """Stops everything and forgets all outcomes, as if nothing had been checked."""
        self.stop()
        self._project = project.forgotten(self._project)
        self._notify(frozenset(self._project.readings))

    async def close_all(self) -> None:
        """Ends all work and all workers."""
        self._listeners.clear()
        self._let_fixes_be()
        await self._front.close()
        await self._engine.close()

    def _check_file(self, path: str, priority: int) -> None:
        """Enqueues what is open of a file; what is not lowered yet, once it is."""
        self._take_up(plan.check(self._project, path, priority, self._given))
        self._front.go_on()
        self._search_fixes()

    def _take_up(self, due: Due) -> None:
        """Makes a step of the project, and has asked what is due after it."""
        before, self._project = self._project, due.project
        for each in due.jobs:
            self._submit(each)
        self._notify(
            frozenset(due.paths).union(*(_paths(at, path) for at in (before, due.project) for path in due.paths))
        )

    def _let_fixes_be(self) -> None:
        """Ends the searches for fixes, also the one that was to begin soon."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        self._fixing.stop()

    def _search_fixes_soon(self) -> None:
        """Has fixes searched for once nothing was typed for a moment: of a long file it is looked at as a whole."""
        if self._soon is not None:
            self._soon.cancel()
        self._soon = asyncio.get_running_loop().call_later(PAUSE, self._search_fixes)

    def _search_fixes(self) -> None:
        """Has fixes searched for what is shown and wrong, once nothing else is to be done."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        opened = set(self.sources.open_paths())
        for file in tuple(self._project.readings.values()) if opened and not self.pending() else ():
            if file.path not in opened and opened.isdisjoint(file.named()):
                continue
            known = self.file(file.path)
            try:
                if known is not None:
                    self._fixing.consider(file, known.results, opened)
                    self.nests.consider(file.path, known.results)
            except Exception:  # it takes a fix from this file, and no answer from any
                log.exception("no fixes are searched for in %s", file.path)

    def _submit(self, due: FileJob) -> None:
        self._fixing.make_way()
        self._reasons.note(due, self._project.readings[due.path])
        listener = _Listener(self, due.path)
        self._tickets[due.job.id] = listener.ticket = self._engine.submit(due.job, listener)
        self._project = project.started(self._project, due)

    def take(self, event: Event, path: str, ticket: Ticket | None) -> None:
        """Takes in what the engine said about a job of the file at `path`."""
        match event:
            case Answered(_, outcome):
                self._project = project.answered(self._project, outcome)
            case Ended(ended, outcomes) if self._tickets.get(ended.id) is ticket:
                del self._tickets[ended.id]
                for witness in self._witnesses:
                    witness(self._project.running[ended.id], outcomes)
                self._project = project.ended(self._project, ended)
        self._notify(_paths(self._project, path))
        if isinstance(event, Ended):
            self._search_fixes()


def _paths(project: Project, path: str) -> frozenset[str]:
    """A file, and the sources that it names."""
    reading = project.readings.get(path)
    return frozenset({path, *(reading.named() if reading is not None else ())})


def _declaring(folder: Path) -> list[str]:
    return list(islice(declaring_files(str(folder)), MOST_FILES))


class _Listener:
    """Hands what the engine says about one ticket to the workspace."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._path = path
        self.ticket: Ticket | None = None

    def __call__(self, event: Event) -> None:
        self._workspace.take(event, self._path, self.ticket)
