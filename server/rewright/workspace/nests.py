"""Loop nests of an editor: other orders, which a worker writes and proves because somebody asked, and facts for hovers.

Belongs to a workspace and its event loop. Must not know how an order is found, nor the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_question import NumberedQuestion
from rewright.checks.nest_question import NestFactsPayload, NestPayload, TransformationPayload
from rewright.checks.table import Asked, Payload, canonically, named
from rewright.engine.jobs import Answered, Ended, Event, Job, Question, Reply
from rewright.engine.keys import digest
from rewright.engine.scheduler import Engine
from rewright.fixes.generating.question import DeclaredLoops, NotWritten, SourceLoops
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.index import Name
from rewright.model.nest import Nest, Transformation
from rewright.model.nest_facts import LoopFacts, NestFacts, StatementFacts
from rewright.report.document import Result
from rewright.syntax.text import Span
from rewright.verdict import LoopsWitness
from rewright.verdict.codec import decode
from rewright.workspace.documents import Document
from rewright.workspace.folders import Folders
from rewright.workspace.jobs import facts_key_of
from rewright.workspace.sources import Sources
from rewright.workspace.tracked import Tracked
from rewright.workspace.transforming import (
    OrderReply,
    OrderRequest,
    declared_loops,
    loops_of_document,
    nothing,
    order_job,
    start_of,
)

Reading = Tracked | Document
Values = tuple[tuple[Name, int], ...]

LATER = -1
"""The priority of facts: everything that is asked for comes first."""

NOT_READ = NotWritten("the file is not read", complete=False)
CHANGED = NotWritten("the text was changed meanwhile: ask again", complete=False)


class NestAt(Struct, frozen=True):
    """A nest of a file by its name, and where it stands; `nest` is None if it is not known yet, or not affine."""

    name: str
    span: Span
    nest: Nest | None


class _Facts(Struct, frozen=True):
    """What was asked about a nest, under a key, and what is known of it by now."""

    key: str
    asked: Asked
    facts: NestFacts | None = None


class Nests:
    """The nests of the files of a workspace; `reading_of` gives what is read of a file now."""

    def __init__(
        self, engine: Engine, reading_of: Callable[[str], Reading | None], means: tuple[Sources, Folders]
    ) -> None:
        self._engine = engine
        self._reading_of = reading_of
        self._sources, self._folders = means
        self._facts: dict[tuple[str, str], _Facts] = {}

    def consider(self, path: str, results: Sequence[Result]) -> None:
        """Has facts looked for of the nests of a file, once each; of those that fail with what is wrong."""
        failing = {each.name: _failing(each) for each in results}
        due: dict[str, _Facts] = {}
        for each in self._nests(path):
            if each.nest is not None and each.name in failing:
                asked = canonically(NestFactsPayload(each.nest, *failing[each.name]))
                due[each.name] = _Facts(facts_key_of(asked.payload), asked)
        for name, facts in due.items():
            if self._facts.get((path, name), facts).key != facts.key or (path, name) not in self._facts:
                self._facts[path, name] = facts
                job = Job(digest("facts", path, name), (Question(facts.key, facts.asked.payload),), 1, LATER)
                self._engine.submit(job, partial(self._take, path, name))
        for path_, name in list(self._facts):
            if path_ == path and name not in due:
                del self._facts[path, name]

    def _take(self, path: str, name: str, event: Event) -> None:
        known = self._facts.get((path, name))
        if known is None or not isinstance(event, Answered) or event.outcome.key != known.key:
            return
        if isinstance(event.outcome, Reply):
            facts: NestFacts = decode(NestFacts, named(event.outcome.answer, known.asked.names))
            self._facts[path, name] = replace(known, facts=facts)
        else:
            del self._facts[path, name]

    def facts_at(self, path: str, offset: int) -> StatementFacts | LoopFacts | None:
        """What is known of the statement or the loop at a place; None while nothing is."""
        reading = self._reading_of(path)
        if reading is None:
            return None
        found: list[tuple[int, StatementFacts | LoopFacts]] = []
        for number, planned in enumerate(reading.planned):
            known = self._facts.get((path, planned.declared.name))
            if known is None or known.facts is None:
                continue
            parts: tuple[StatementFacts | LoopFacts, ...] = (*known.facts.statements, *known.facts.loops)
            for each in parts:
                place = _place(reading, number, each.site)
                if place is not None and place.start <= offset <= place.end:
                    found.append((place.end - place.start, each))
        return min(found, key=lambda each: each[0])[1] if found else None

    def at(self, path: str, offset: int) -> NestAt | None:
        """The nest at a place of a file: the declaration there, or in a source the last one that begins before it."""
        found: NestAt | None = None
        for each in self._nests(path):
            if each.span.start <= offset and (offset <= each.span.end or isinstance(self._reading_of(path), Document)):
                found = each
        return found

    def _nests(self, path: str) -> Iterator[NestAt]:
        reading = self._reading_of(path)
        match reading:
            case Tracked():
                for placed, planned in zip(reading.parsed.file.declarations, reading.planned, strict=True):
                    match planned.declared.value:
                        case (Nest() as nest) | Transformation(transformed=nest):
                            yield NestAt(planned.declared.name, placed.span, nest)
                        case _:
                            pass
            case Document():
                kinds = (DeclarationKind.LOOPS, DeclarationKind.TRANSFORM)
                for each in sorted(reading.kernels, key=lambda kernel: kernel.start):
                    if each.kind in kinds:
                        asking = each.lowered.asking if each.lowered is not None else None
                        yield NestAt(each.name, Span(each.start, each.end), _nest(asking) if asking else None)
            case None:
                return

    def write(self, path: str, request: OrderRequest, take: Callable[[OrderReply], None]) -> None:
        """Has a nest written in another order; `take` is called with what came of it."""
        reading = self._reading_of(path)
        loops = self._loops(path, reading, request.name)
        if isinstance(loops, NotWritten) or reading is None:
            take(nothing(loops if isinstance(loops, NotWritten) else NOT_READ))
            return
        start = start_of(reading.parsed, request.name) if isinstance(reading, Tracked) else 0
        asked, before = order_job(loops, start, request, 1), reading.text.digest

        def taken(event: Event) -> None:
            if isinstance(event, Ended):
                now = self._reading_of(path)
                is_same = now is not None and now.text.digest == before
                take(asked.reply(event.outcomes[0]) if is_same else nothing(CHANGED))

        self._engine.submit(asked.job, taken)

    def _loops(self, path: str, reading: Reading | None, name: str) -> DeclaredLoops | SourceLoops | NotWritten:
        match reading:
            case Tracked(parsed=parsed):
                return declared_loops(parsed, name)
            case Document():
                return loops_of_document(reading, name, self._sources, self._folders.settings(path).kernels)
            case None:
                return NOT_READ


def _failing(result: Result) -> tuple[Values, Values]:
    """The sizes at which a nest fails, and the iteration that does."""
    answers = (state.answer for state in result.questions if state.answer is not None)
    witness = next((each.witness for each in answers if isinstance(each.witness, LoopsWitness)), None)
    return (_names(witness.sizes), _names(witness.iteration)) if witness is not None else ((), ())


def _names(values: tuple[tuple[str, int], ...]) -> Values:
    return tuple((Name(name), value) for name, value in values)


def _place(reading: Reading, number: int, site: int) -> Span | None:
    """Where a site of a declaration stands in its file, None if it is in another one."""
    planned = reading.planned[number]
    if isinstance(reading, Tracked):
        placed = reading.parsed.file.declarations[number]
        return placed.absolute(planned.declared.sites[site]) if site < len(planned.declared.sites) else None
    places = planned.lowering.places() if planned.lowering is not None else ()
    at = site - len(planned.declared.sites)
    if not 0 <= at < len(places) or dict(reading.sources).get(places[at].path) != reading.path:
        return None
    return Span(places[at].start, places[at].end)


@lru_cache(maxsize=64)
def _nest(asking: NumberedQuestion) -> Nest | None:
    """The nest of which a source asks."""
    asked: Payload = decode(Payload, named(asking.payload, asking.names))
    match asked:
        case NestPayload(nest):
            return nest
        case TransformationPayload(transformation):
            return transformation.transformed
        case _:
            return None
