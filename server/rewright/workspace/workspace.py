"""The workspace of an editor: its sources, what is known of their declarations, and the work that is under way.

Belongs to one event loop. Invariants: requests only enqueue; the report is a function of the tracked files and the
outcomes so far; a question that is being asked again keeps its place until its new outcome is there.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from rewright.checks.kernel_question import OutlinedKernel
from rewright.engine.jobs import Answered, Ended, Event, Outcome, Question, Reply
from rewright.engine.scheduler import Engine
from rewright.engine.tickets import Ticket
from rewright.fixes.offering import lacks_precondition
from rewright.model.file import FileModel
from rewright.report.document import FileReport, Report, Result
from rewright.report.summary import counted, is_unchecked
from rewright.rules.decision import Mode
from rewright.syntax.parsed import Parsed
from rewright.verdict import Fix
from rewright.workspace.documents import Document, document
from rewright.workspace.fixing import Fixing, Reading
from rewright.workspace.fold import Known
from rewright.workspace.folders import Folders, is_in
from rewright.workspace.front import Front
from rewright.workspace.jobs import How, Planned, job
from rewright.workspace.lowering import Lowerings
from rewright.workspace.settings import Settings, in_editor
from rewright.workspace.sources import Sources, Unreadable, declaring_files, holds_kernels, workspace_root
from rewright.workspace.tracked import Tracked, track
from rewright.workspace.views import Folder, texts_of

log = logging.getLogger(__name__)

MOST_FILES = 5000
"""Files of the workspace that are tracked without being opened."""

Listener = Callable[[frozenset[str]], None]


@dataclass(frozen=True, slots=True)
class Engines:
    """Who works: one on checks, one that lowers sources while they are typed."""

    checks: Engine
    front: Engine


class Workspace:
    """The declarations below some folders and of every open file."""

    def __init__(self, engines: Engines) -> None:
        self.sources = Sources(Path.cwd())
        self._folders = Folders()
        self._engine = engines.checks
        self._how = How(Mode.NORMAL_FORMS, Lowerings())
        self._front = Front(engines.front, self._how.lowerings, self._awaited, self._lowered)
        self._waiting: dict[str, int] = {}
        self._behind: set[str] = set()
        self._files: dict[str, Tracked | Document] = {}
        self._asked: set[str] = set()
        self._outcomes: dict[str, Outcome] = {}
        self._tickets: dict[str, Ticket] = {}
        self._folder = Folder()
        self._made: dict[str, FileReport] = {}
        self._report: Report | None = None
        self._listeners: list[Listener] = []
        self._fixing = Fixing(self._engine, Reading(self.sources, lambda: self._how, self._folders), self._tell_of)

    # ------------------------------------------------------------------------------------------------------ folders

    def add(self, folder: Path, settings: Settings) -> None:
        """Takes in a folder with what its `rewright.toml` says; its files are tracked once it is scanned.

        Limits that are above the usual ones are not raised: that somebody opened a folder is no leave to work for long.
        """
        self._folders.add(folder, in_editor(settings))
        self._refolded()

    def remove(self, folder: Path) -> None:
        """Lets go of a folder and of its files, but for those that are open or in another folder too."""
        if self._folders.remove(folder):
            self._refolded()
            for path in [path for path in self._files if is_in(path, folder)]:
                if not self.sources.is_open(path) and not self._folders.hold(path):
                    self._let_go(path)

    async def scan(self) -> None:
        """Tracks every `.rw` file below the folders, so that a source knows the declarations that name it."""
        for folder in self._folders.roots():
            for path in await asyncio.to_thread(_declaring, folder):
                if path not in self._files and self._folders.hold(path) and len(self._files) < MOST_FILES:
                    self._retrack(path)
                    await asyncio.sleep(0)

    def _refolded(self) -> None:
        """Has the open files go by the folders as they are now."""
        roots = self._folders.roots()
        self.sources.root, self.sources.folders = roots[0] if roots else Path.cwd(), roots
        for path in self.sources.open_paths():
            self._files.pop(path, None)
            self._retrack(path)

    def _let_go(self, path: str) -> None:
        """Forgets a file that is no part of the workspace any more."""
        file = self._files.pop(path)
        self._waiting.pop(path, None)
        self._behind.discard(path)
        self._asked.discard(path)
        for planned in file.planned:
            if (ticket := self._tickets.get(job(planned, path, 1, 0).id)) is not None:
                self._engine.cancel(ticket)
        self._tell(self._paths(file))

    # ------------------------------------------------------------------------------------------------------ sources

    def open(self, path: str, text: str) -> None:
        """Makes `text` the text of `path`."""
        if not self._folders.roots() and not self._files:
            self.sources.root = workspace_root(Path(path))
        self.sources.open(path, text)
        self._retrack(path)

    def change(self, path: str, text: str) -> None:
        """Replaces the text of an open buffer."""
        self.sources.open(path, text)
        self._retrack(path)

    def close(self, path: str) -> None:
        """Lets the file on disk speak for `path` again."""
        self.sources.close(path)
        self._retrack(path)

    def watched(self, path: str) -> None:
        """Takes note that the file on disk was changed, made or deleted."""
        if not self.sources.is_open(path):
            self._retrack(path)

    def _retrack(self, path: str) -> None:
        """Brings what depends on the text of `path` up to date and tells who listens."""
        stale = list(self._dependent(path))
        for each in stale:
            self._track(each)
        self._tell(frozenset({path, *stale}))
        self._front.go_on()
        self._search_fixes()

    def _dependent(self, path: str) -> Iterator[str]:
        """The files whose declarations the text of `path` may change, itself first; what it declares, others do not."""
        if path.endswith(".rw") or path in self._files or self._is_document(path):
            yield path
        real = os.path.realpath(path)
        for file in self._files.values():
            declared = path.endswith(".rw") and isinstance(file, Document)
            names = not {path, real}.isdisjoint(file.named()) or path in file.imports or real in file.imports
            if file.path != path and (declared or names):
                yield file.path

    def _is_document(self, path: str) -> bool:
        return holds_kernels(path) and self.sources.is_open(path)

    def _track(self, path: str) -> None:
        before = self._files.get(path)
        how = replace(self._how, kernels=self._folders.settings(path).kernels)
        tracked: Tracked | Document | Unreadable
        match before:
            case Tracked() | None if path.endswith(".rw"):
                tracked = track(path, self.sources, how, before)
            case Document() | None if self._is_document(path):
                tracked = document(path, (self.sources, how), before, self._declared(path))
            case _:
                tracked = Unreadable("is not open")
        if isinstance(tracked, Unreadable):
            self._files.pop(path, None)
            self._waiting.pop(path, None)
            self._behind.discard(path)
        else:
            self._files[path] = tracked
            (self._behind.add if tracked.awaited else self._behind.discard)(path)

    def _declared(self, path: str) -> frozenset[str]:
        """The kernels of a source that a file of declarations names."""
        return frozenset(entry for each in self._tracked() for file, entry, _ in each.entries() if file == path)

    def _tracked(self) -> Iterator[Tracked]:
        return (file for file in self._files.values() if isinstance(file, Tracked))

    def _awaited(self) -> dict[str, Question]:
        """What is to be lowered for the files that are shown or to be checked."""
        return {question.key: question for file in self._shown() for question in file.awaited}

    def _shown(self) -> Iterator[Tracked | Document]:
        """What waits for a lowering and is to be checked, or open, or has declarations written in an open source."""
        opened = set(self.sources.open_paths())
        for file in [self._files[path] for path in self._behind]:
            shown = file.path in self._waiting or self.sources.is_open(file.path)
            if shown or not opened.isdisjoint(file.named()):
                yield file

    def _lowered(self, keys: frozenset[str]) -> None:
        """Takes note of what sources come to, and has checked what waited for it."""
        behind = [self._files[path] for path in self._behind]
        stale = [file.path for file in behind if any(question.key in keys for question in file.awaited)]
        for path in stale:
            self._track(path)
        self._how.lowerings.keep(key for file in self._files.values() for key in file.lowered_by())
        there = [self._files[path] for path in stale if path in self._files]
        self._tell(frozenset(stale).union(*(self._paths(file) for file in there)))
        for file in there:
            if not file.awaited and (priority := self._waiting.pop(file.path, None)) is not None:
                self._check_file(file, priority)

    def _asking(self, path: str) -> list[Tracked | Document]:
        """The files with declarations in the file at `path` or written in it, and the sources that it may declare."""
        names = {path, os.path.realpath(path)}
        return [
            file
            for file in self._files.values()
            if file.path == path
            or not names.isdisjoint(file.named())
            or (isinstance(file, Document) and path.endswith(".rw"))
        ]

    # ------------------------------------------------------------------------------------------------------- views

    def parsed(self, path: str) -> Parsed | None:
        """The tree of a file."""
        file = self._files.get(path)
        return file.parsed if isinstance(file, Tracked) else None

    def model(self, path: str) -> FileModel | None:
        """Names, types and shapes of a file."""
        file = self._files.get(path)
        return file.model if isinstance(file, Tracked) else None

    def file(self, path: str) -> FileReport | None:
        """What is known of one file."""
        made = self._made.get(path)
        if made is None and path in self._files:
            self._made[path] = made = self._folder.file(self._files[path], self._known())
        return made

    def fixes(self, path: str, name: str, finding: int) -> tuple[Fix, ...]:
        """The fixes that are known for a declaration, each of them checked; for a kernel, those of one finding."""
        file, known = self._files.get(path), self.file(path)
        if file is None or known is None:
            return ()
        return self._fixing.offered(file, known.results, name, finding)

    def is_searching(self, path: str, name: str) -> bool:
        """Whether fixes are looked for that are not known yet: now, or when what somebody waits for is done."""
        known = self.file(path)
        wrong = known is not None and any(each.name == name and lacks_precondition(each) for each in known.results)
        later = wrong and self.pending() > 0
        return later or self._fixing.is_searching(path, name)

    def kernels(self, path: str) -> list[tuple[OutlinedKernel, tuple[Result, ...]]]:
        """The kernels of an open source, each with what is known of it, wherever it is declared."""
        document = self._files.get(path)
        if not isinstance(document, Document):
            return []
        known: dict[str, list[Result]] = {}
        for result in self._results(document):
            known.setdefault(result.name, []).append(result)
        for file in self._tracked():
            if path in file.named():
                of = {id(planned): result for planned, result in zip(file.planned, self._results(file), strict=True)}
                for at, entry, planned in file.entries():
                    known.setdefault(entry, []).extend([of[id(planned)]] if at == path else [])
        return [(kernel, tuple(known.get(kernel.name, ()))) for kernel in document.kernels]

    def _results(self, file: Tracked | Document) -> tuple[Result, ...]:
        made = self.file(file.path)
        return made.results if made is not None else ()

    def report(self) -> Report:
        """What is known of every file."""
        if self._report is None:
            files = tuple(file for path in sorted(self._files) if (file := self.file(path)) is not None)
            self._report = Report(files, texts_of(self._files.values(), self.sources))
        return self._report

    def pending(self) -> int:
        """How many declarations are being checked."""
        return len(self._tickets) + len(self._waiting)

    def unchecked(self) -> int:
        """How many declarations of files that are open, or were to be checked, have no verdict and are not checked."""
        files = (self.file(path) for path in {*self._asked, *self.sources.open_paths()})
        return sum(counted(each) and is_unchecked(each) for file in files if file is not None for each in file.results)

    def subscribe(self, listener: Listener) -> None:
        """Has `listener` called with the paths whose part of the report may have changed."""
        self._listeners.append(listener)

    def _known(self) -> Known:
        running = {question.key for ticket in self._tickets.values() for question in ticket.job.questions}
        waiting = (self._files[path] for path in self._waiting if path in self._files)
        wanted = {question.key for file in waiting for question in file.awaited}
        return Known(self._outcomes, running | wanted, () if self._front.is_slow else self._awaited())

    def _tell_of(self, path: str) -> None:
        self._tell(frozenset({path}))

    def _tell(self, paths: frozenset[str]) -> None:
        self._report = None
        for path in paths:
            self._made.pop(path, None)
        for listener in self._listeners:
            listener(paths)

    # -------------------------------------------------------------------------------------------------------- work

    def check(self, paths: Iterable[str]) -> None:
        """Enqueues the declarations that these files hold or that name them, the ones given first to be done first."""
        for path in paths:
            self._retrack(path)
            for file in self._asking(path):
                self._check_file(file, priority=1)

    def check_all(self) -> None:
        """Enqueues every declaration of every tracked file."""
        for file in list(self._files.values()):
            self._check_file(file, priority=0)

    def stop(self) -> None:
        """Ends everything that is being worked on."""
        self._fixing.stop()
        self._front.stop()
        self._waiting.clear()
        for ticket in list(self._tickets.values()):
            self._engine.cancel(ticket)

    def forget(self) -> None:
        """Stops everything and forgets all outcomes, as if nothing had been checked."""
        self.stop()
        self._outcomes.clear()
        self._tell(frozenset(self._files))

    async def close_all(self) -> None:
        """Ends all work and all workers."""
        self._listeners.clear()
        await self._front.close()
        await self._engine.close()

    def _check_file(self, file: Tracked | Document, priority: int) -> None:
        """Enqueues what is open of a file; what is not lowered yet, once it is."""
        self._asked.add(file.path)
        if file.awaited:
            self._waiting[file.path] = priority
        for planned in file.planned:
            if planned.awaited is None and self._open_questions(planned):
                self._submit(file, planned, priority)
        self._tell(self._paths(file))
        self._front.go_on()
        self._search_fixes()

    def _search_fixes(self) -> None:
        """Has fixes searched for what is shown and wrong, once nothing else is to be done."""
        opened = set(self.sources.open_paths())
        for file in list(self._files.values()) if opened and not self.pending() else ():
            if file.path not in opened and opened.isdisjoint(file.named()):
                continue
            known = self.file(file.path)
            try:
                if known is not None:
                    self._fixing.consider(file, known.results, opened)
            except Exception:  # it takes a fix from this file, and no answer from any
                log.exception("no fixes are searched for in %s", file.path)

    def _open_questions(self, planned: Planned) -> bool:
        """Whether a question has no definite answer; one that was unknown is asked again."""
        outcomes = (self._outcomes.get(key) for key in planned.keys)
        return not all(isinstance(outcome, Reply) and outcome.definite for outcome in outcomes)

    def _submit(self, file: Tracked | Document, planned: Planned, priority: int) -> None:
        self._fixing.make_way()
        made = job(planned, file.path, self._folders.settings(file.path).budget, priority)
        listener = _Listener(self, file.path)
        self._tickets[made.id] = listener.ticket = self._engine.submit(made, listener)

    def take(self, event: Event, path: str, ticket: Ticket | None) -> None:
        """Folds what the engine said about a job of the file at `path`."""
        match event:
            case Answered(_, outcome):
                if isinstance(outcome, Reply) or not isinstance(self._outcomes.get(outcome.key), Reply):
                    self._outcomes[outcome.key] = outcome
            case Ended(ended, _):
                if self._tickets.get(ended.id) is ticket:
                    del self._tickets[ended.id]
        file = self._files.get(path)
        self._tell(self._paths(file) if file else frozenset({path}))
        if isinstance(event, Ended):
            self._search_fixes()

    def _paths(self, file: Tracked | Document) -> frozenset[str]:
        return frozenset({file.path, *file.named()})


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
