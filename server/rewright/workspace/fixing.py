"""The searches for fixes of what an editor shows, by workers, once the verdicts are known.

Belongs to a workspace and its event loop. Invariant: an edit ends the search for what it changes. What is searched for
and what is offered is said by `fixes/offering.py`. Must not know how a fix is found.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_question import LoweringPayload, OutlinePayload, SourceText
from rewright.engine.jobs import Answered, Event, Job, Question
from rewright.engine.keys import digest
from rewright.engine.scheduler import Engine
from rewright.engine.tickets import Ticket
from rewright.fixes.generating.question import SourceLoops
from rewright.fixes.graphs.placed import called_by, graphs_of
from rewright.fixes.kernels.question import OWN, DeclaredKernel, DocumentKernel, KernelText, OwnText
from rewright.fixes.loops.texts import chain
from rewright.fixes.offering import (
    FixSearch,
    GraphSubject,
    KernelSubject,
    LoopsSubject,
    RuleSubject,
    SourceLoopsSubject,
    Subject,
    after,
    begun,
    due,
    found_nothing,
    is_about,
    needs_fix,
    offered,
)
from rewright.fixes.preconditions.edits import RuleText
from rewright.frontends.preset import Preset
from rewright.model.body import Body
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.graph import Refinement, RefinementFamily
from rewright.model.kernel import Foreign, Kernel
from rewright.model.nest import Nest, TiledTransformation, Transformation
from rewright.model.rule import Rule
from rewright.report.document import Result
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Text
from rewright.verdict import Fix, InSource, Place, Site
from rewright.workspace.documents import Document
from rewright.workspace.folders import Folders
from rewright.workspace.jobs import How, Planned, search_key_of, transform_key_of
from rewright.workspace.lowering import elsewhere, preset
from rewright.workspace.sources import Reads, Unreadable
from rewright.workspace.tracked import Tracked, track
from rewright.workspace.transforming import loops_of_document

PRIORITY = -1
"""Searches and checks of fixes wait for everything that is asked for."""

KEYS: dict[type[Subject], Callable[[str], str]] = {
    RuleSubject: partial(search_key_of, Rule),
    KernelSubject: partial(search_key_of, Kernel),
    GraphSubject: partial(search_key_of, Refinement),
    LoopsSubject: partial(search_key_of, Transformation),
    SourceLoopsSubject: transform_key_of,
}
"""The content keys of searches."""

Key = tuple[str, str]
"""A file's path and the name of a declaration."""


class _Running(Struct):
    """A search, and the ticket of what was asked last."""

    search: FixSearch
    ticket: Ticket | None = None

    @property
    def under_way(self) -> bool:
        """Whether something that was asked has not come out yet."""
        return self.ticket is not None and not self.ticket.ended


class Means(Struct, frozen=True):
    """What changed texts are understood with: the sources, how declarations are understood, and what folders set."""

    sources: Reads
    how: Callable[[], How]
    folders: Folders


class Fixing:
    """The searches for the files of a workspace; `changed` is called with a path that has new fixes."""

    def __init__(self, engine: Engine, means: Means, changed: Callable[[str], None]) -> None:
        self._engine = engine
        self._means = means
        self._changed = changed
        self._running: dict[Key, _Running] = {}

    def consider(self, file: Tracked | Document, results: Sequence[Result], opened: Collection[str]) -> None:
        """Starts searches for those declarations of a file that need one, and ends those that an edit has outdated.

        Kernels are searched for wherever they are declared, all others in files that are `opened`.
        """
        needed = {
            (file.path, subject.result.name): subject
            for subject in self._subjects(file, results)
            if needs_fix(subject) and (isinstance(subject, KernelSubject) or file.path in opened)
        }
        for key, running in list(self._running.items()):
            if key[0] == file.path and (key not in needed or not is_about(running.search, needed[key])):
                self._drop(key)
        for key, subject in needed.items():
            if key not in self._running:
                self._begin(key, file, subject)

    def offered(self, file: Tracked | Document, results: Sequence[Result], name: str, finding: int) -> tuple[Fix, ...]:
        """The fixes that are known for a declaration, for the texts as they stand; for a kernel, those of a finding."""
        running = self._running.get((file.path, name))
        if running is None or any(each.declared.name == name and each.awaited is not None for each in file.planned):
            return ()
        named = {subject.result.name: subject for subject in self._subjects(file, results)}
        return offered(running.search, named[name], finding) if name in named else ()

    def found_nothing(self, file: Tracked | Document, results: Sequence[Result], name: str) -> int | None:
        """In how many steps no fix of a rule was found; None if one was, or may be yet."""
        running = self._running.get((file.path, name))
        if running is None:
            return None
        named = {subject.result.name: subject for subject in self._subjects(file, results)}
        return found_nothing(running.search, named[name]) if name in named else None

    def is_searching(self, path: str, name: str) -> bool:
        """Whether fixes of a declaration are looked for, or checked, right now."""
        running = self._running.get((path, name))
        return running is not None and running.under_way

    def make_way(self) -> None:
        """Ends the searches that are under way, for work that somebody waits for; they begin again later."""
        for key, running in list(self._running.items()):
            if running.under_way:
                self._drop(key)

    def stop(self) -> None:
        """Ends all searches."""
        for key in list(self._running):
            self._drop(key)

    def _drop(self, key: Key) -> None:
        running = self._running.pop(key)
        if running.ticket is not None:
            self._engine.cancel(running.ticket)

    def _begin(self, key: Key, file: Tracked | Document, subject: Subject) -> None:
        running = self._running[key] = _Running(begun(subject, KEYS[type(subject)]))
        self._ask(key, file, running)

    def _ask(self, key: Key, file: Tracked | Document, running: _Running) -> None:
        """Asks what is due, and what is due after that, until nothing is."""

        def changed(text: Text) -> tuple[Question, ...]:
            return _asked_in(text, file, key[1], self._means)

        def take(event: Event) -> None:
            if self._running.get(key) is not running:
                return
            match event:
                case Answered(_, outcome):
                    running.search = after(running.search, outcome, changed)
                case _ if due(running.search):
                    self._ask(key, file, running)
                case _ if running.search.candidates:
                    self._changed(key[0])
                case _:
                    return

        step = "changed" if running.search.answered else "fixes"
        job = Job(digest(step, *key), due(running.search), 1, PRIORITY)
        running.ticket = self._engine.submit(job, take)

    def _subjects(self, file: Tracked | Document, results: Sequence[Result]) -> Iterator[Subject]:
        """The declarations of a file that a fix may be found for."""
        match file:
            case Document():
                for planned, result in zip(file.planned, results, strict=True):
                    if planned.keys and planned.declared.kind is DeclarationKind.KERNEL:
                        name = next(name for name, path in planned.sources if path == file.path)
                        outlined = OutlinePayload(name, _sources(planned), self._preset(name, file.path, planned))
                        of_document = DocumentKernel(outlined, result.name)
                        yield _in_sources(of_document, planned, result, {})
                    elif planned.keys and file.question is None:
                        settings = self._means.folders.settings(file.path).kernels
                        loops = loops_of_document(file, result.name, self._means.sources, settings)
                        if isinstance(loops, SourceLoops):
                            yield SourceLoopsSubject(file.path, loops, result)
            case Tracked():
                for placed, planned, result in zip(file.parsed.file.declarations, file.planned, results, strict=True):
                    match planned.declared.value:
                        case Rule():
                            yield RuleSubject(RuleText(file.text, placed, planned.declared), result)
                        case Kernel(body=Body()) if planned.keys:
                            yield _in_file(file, placed, planned, result)
                        case Kernel(body=Foreign() as foreign) as declared if planned.keys:
                            before = self._preset(foreign.path, file.path, planned)
                            sites = len(planned.declared.sites)
                            lowering = LoweringPayload(declared, sites, _sources(planned), before)
                            entry = DeclaredKernel(file.text.slice(placed.span), lowering)
                            own = {OWN: (file.path, placed.span.start)}
                            yield _in_sources(entry, planned, result, own)
                        case Refinement() | RefinementFamily():
                            graphs = graphs_of(file.parsed.file.declarations, planned.declared.speaks_of)
                            if graphs is not None and planned.keys:
                                called = called_by(file.parsed.file.declarations, graphs)
                                yield GraphSubject(file.text, (*graphs, placed), result, called)
                        case Nest() | Transformation() | TiledTransformation():
                            found = chain(file.parsed.file.declarations, placed)
                            if found and planned.keys:
                                yield LoopsSubject(file.text, found, result)

    def _preset(self, name: str, by: str, planned: Planned) -> Preset:
        """What holds for a source that the file `by` names, and that asks for what is planned."""
        sources = self._means.sources
        before = preset(self._means.folders.settings(by).kernels, (name, by), sources)
        return replace(before, elsewhere=elsewhere((name for name, _ in planned.sources), by, sources))


def _in_file(file: Tracked, placed: Placed, planned: Planned, result: Result) -> KernelSubject:
    """A kernel in our own syntax."""
    places = tuple(InSource(OWN, span.start, span.end) for span in planned.declared.sites)
    text = OwnText(file.text.slice(placed.span))
    return KernelSubject(text, result, places, {OWN: (file.path, placed.span.start)})


def _in_sources(
    kernel: KernelText, planned: Planned, result: Result, own_text: Mapping[str, tuple[str, int]]
) -> KernelSubject:
    """A kernel that is written in sources; the first sites are those of its declaration, which has its own text."""
    assert planned.lowering is not None
    own = (Site(number) for number in range(len(planned.declared.sites)))
    places: tuple[Place, ...] = (*own, *planned.lowering.places())
    return KernelSubject(kernel, result, places, {**own_text, **{name: (path, 0) for name, path in planned.sources}})


def _sources(planned: Planned) -> tuple[SourceText, ...]:
    """The sources of a kernel as they were lowered."""
    names = {path: name for name, path in planned.sources}
    assert planned.lowering is not None
    return tuple(SourceText(names[text.uri], text.text) for text in planned.lowering.texts)


def _asked_in(text: Text, file: Tracked | Document, name: str, means: Means) -> tuple[Question, ...]:
    """What a declaration asks once its file has another text."""
    before = file if isinstance(file, Tracked) else None
    after_it = track(file.path, _Edited(means.sources, file.path, text), means.how(), before)
    planned = () if isinstance(after_it, Unreadable) else after_it.planned
    return next((each.questions() for each in planned if each.declared.name == name), ())


class _Edited(Struct, frozen=True):
    """Sources in which one file has another text."""

    sources: Reads
    path: str
    text: Text

    def read(self, path: str) -> Text | Unreadable:
        """The text of `path`, the changed one if it is the file's."""
        return self.text if path == self.path else self.sources.read(path)

    def resolve(self, named: str, by: str) -> str | Unreadable:
        """The path that the file `by` means when it names `named`."""
        return self.sources.resolve(named, by)

    def nearby(self, named: str, by: str) -> tuple[str, ...]:
        """The folders in which what the source `named` includes may be."""
        return self.sources.nearby(named, by)

    def ending(self, named: str, by: str) -> tuple[str, ...]:
        """The files of the workspace that are meant by a name of `anywhere`."""
        return self.sources.ending(named, by)
