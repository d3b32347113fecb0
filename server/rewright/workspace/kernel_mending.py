"""Fixes for kernels: searched for in a worker after the verdict is known, checked there before they are told.

Belongs to a workspace and its event loop. Invariants: a fix is offered only while the texts are those that it was made
for; an edit kills the search for what it changes. Must not know how a change is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from rewright.checks.kernel_question import LoweringPayload, OutlinePayload, SourceText
from rewright.checks.table import restore
from rewright.engine.jobs import Answered, Event, Job, Outcome, Question, Reply
from rewright.engine.keys import digest
from rewright.engine.scheduler import Engine
from rewright.engine.tickets import Ticket
from rewright.fixes.kernels.question import Entry, Mendable, Mended, Mendings, OwnText
from rewright.fixes.table import mending
from rewright.model.body import Body
from rewright.model.kernel import Foreign, Kernel
from rewright.report.document import Result
from rewright.syntax.text import Text
from rewright.verdict import Edit, Finding, Fix, InSource, Place, Severity, Site, Verdict
from rewright.verdict.codec import decode
from rewright.workspace.documents import Document
from rewright.workspace.folders import Folders
from rewright.workspace.jobs import Planned, search_key_of
from rewright.workspace.lowering import preset
from rewright.workspace.settings import KernelSettings
from rewright.workspace.suggesting import PRIORITY
from rewright.workspace.tracked import Tracked

Stamp = tuple[str, ...]
"""What a search rests on: the texts, and what the kernel asks."""


@dataclass(slots=True)
class _Wanted:
    """A kernel that a search is made for."""

    stamp: Stamp
    ticket: Ticket | None = None
    found: tuple[Mended, ...] = ()


@dataclass(frozen=True, slots=True)
class _Subject:
    """A kernel in a file; `shift` is where the text of its own declaration begins."""

    file: Tracked | Document
    planned: Planned
    shift: int
    text: str

    @property
    def key(self) -> tuple[str, str]:
        """What it is known by."""
        return self.file.path, self.planned.declared.name

    @property
    def texts(self) -> tuple[Text, ...]:
        """The sources that it is written in, as they were lowered."""
        return self.planned.lowering.texts if self.planned.lowering is not None else ()

    @property
    def stamp(self) -> Stamp:
        """What a search for it rests on."""
        return (*self.planned.keys, *(text.digest for text in self.texts), "" if self.texts else self.text)


class KernelMending:
    """The searches for the kernels of a workspace; `changed` is called with a path that has new fixes."""

    def __init__(self, engine: Engine, folders: Folders, changed: Callable[[str], None]) -> None:
        self._engine = engine
        self._folders = folders
        self._changed = changed
        self._wanted: dict[tuple[str, str], _Wanted] = {}

    def consider(self, file: Tracked | Document, results: Iterable[Result], outcomes: dict[str, Outcome]) -> None:
        """Starts searches for those kernels of a file that need one, and ends those that an edit has left behind."""
        needed = {
            subject.key: subject
            for subject, result in zip(_subjects(file), results, strict=True)
            if subject is not None and _needs(result)
        }
        for key, wanted in list(self._wanted.items()):
            if key[0] == file.path and (key not in needed or needed[key].stamp != wanted.stamp):
                self._drop(key)
        for key, subject in needed.items():
            if key not in self._wanted:
                self._search(subject, outcomes)

    def offered(self, file: Tracked | Document, name: str, finding: int) -> tuple[Fix, ...]:
        """The fixes of a finding of a kernel, by its number in the answer, for the texts as they stand."""
        wanted = self._wanted.get((file.path, name))
        found = (each for each in _subjects(file) if each is not None and each.planned.declared.name == name)
        subject = next(found, None)
        if wanted is None or subject is None or subject.stamp != wanted.stamp or subject.planned.awaited is not None:
            return ()
        return tuple(_fix(subject, each) for each in wanted.found if each.finding == finding)

    def is_searching(self, path: str, name: str) -> bool:
        """Whether fixes of a kernel are looked for right now."""
        wanted = self._wanted.get((path, name))
        return wanted is not None and wanted.ticket is not None and not wanted.ticket.ended

    def make_way(self) -> None:
        """Ends the searches that are under way, for work that somebody waits for; they begin anew later."""
        for key, wanted in list(self._wanted.items()):
            if wanted.ticket is not None and not wanted.ticket.ended:
                self._drop(key)

    def stop(self) -> None:
        """Ends all searches."""
        for key in list(self._wanted):
            self._drop(key)

    def _drop(self, key: tuple[str, str]) -> None:
        wanted = self._wanted.pop(key)
        if wanted.ticket is not None:
            self._engine.cancel(wanted.ticket)

    def _search(self, subject: _Subject, outcomes: dict[str, Outcome]) -> None:
        wanted = self._wanted[subject.key] = _Wanted(subject.stamp)
        settings = self._folders.settings(subject.file.path).kernels
        asked = mending(_mendable(subject, settings), tuple(_findings(subject, outcomes)))
        key = search_key_of(Kernel, asked.payload)

        def take(event: Event) -> None:
            match event:
                case Answered(_, Reply(answer=told)) if self._wanted.get(subject.key) is wanted:
                    wanted.found = decode(Mendings, told).found
                    self._changed(subject.file.path)
                case _:
                    return

        job = Job(digest("mending", *subject.key), (Question(key, asked.payload),), 1, PRIORITY)
        wanted.ticket = self._engine.submit(job, take)


def _needs(result: Result) -> bool:
    """Whether something is wrong with a kernel that nobody expected, or something in it is not needed."""
    unexpected = result.verdict is Verdict.REFUTED and not result.as_expected
    return unexpected or any(found.severity is Severity.HINT for found in result.found)


def _subjects(file: Tracked | Document) -> Iterator[_Subject | None]:
    """The kernels of a file, None for each declaration that is none or asks nothing."""
    if isinstance(file, Document):
        yield from (_Subject(file, planned, 0, "") for planned in file.planned)
        return
    for placed, planned in zip(file.parsed.file.declarations, file.planned, strict=True):
        is_kernel = isinstance(planned.declared.value, Kernel) and bool(planned.keys)
        yield _Subject(file, planned, placed.span.start, file.text.slice(placed.span)) if is_kernel else None


def _mendable(subject: _Subject, settings: KernelSettings) -> Mendable:
    planned, before = subject.planned, preset(settings, subject.file.path)
    names = {path: name for name, path in planned.sources}
    sources = tuple(SourceText(names[text.uri], text.text) for text in subject.texts)
    match planned.declared.value:
        case Kernel(body=Body()):
            return OwnText(subject.text)
        case Kernel(body=Foreign()) as kernel:
            return LoweringPayload(kernel, len(planned.declared.sites), sources, before)
        case _:
            path = next(name for name, path in planned.sources if path == subject.file.path)
            return Entry(OutlinePayload(path, sources, before), planned.declared.name)


def _findings(subject: _Subject, outcomes: dict[str, Outcome]) -> Iterator[Finding]:
    """What the answer found, at places of the texts."""
    planned = subject.planned
    for key, asked in zip(planned.keys, planned.asked, strict=True):
        outcome = outcomes.get(key)
        if isinstance(outcome, Reply):
            for finding in restore(outcome.answer, asked.names).findings:
                related = tuple(replace(each, place=_place(subject, each.place)) for each in finding.related)
                yield replace(finding, place=_place(subject, finding.place), related=related)


def _place(subject: _Subject, place: Place) -> Place:
    """A place in one of the texts; a site of the declaration is one in its own text."""
    sites, lowering = subject.planned.declared.sites, subject.planned.lowering
    match place:
        case Site(number) if number >= len(sites) and lowering is not None:
            return lowering.places()[number - len(sites)]
        case Site(number) if lowering is None:
            return InSource("", sites[number].start, sites[number].end)
        case _:
            return place


def _fix(subject: _Subject, mended: Mended) -> Fix:
    return Fix(mended.title, tuple(_edit(subject, each) for each in mended.edits), ())


def _edit(subject: _Subject, edit: Edit) -> Edit:
    """The edit at its place in a file of the workspace."""
    place = edit.place
    assert isinstance(place, InSource)
    if place.path == "":
        return Edit(InSource(subject.file.path, place.start + subject.shift, place.end + subject.shift), edit.text)
    return Edit(InSource(dict(subject.planned.sources)[place.path], place.start, place.end), edit.text)
