"""Loop nests of an editor: other orders of them, which a worker writes and proves because somebody asked.

Belongs to a workspace and its event loop. Must not know how an order is found, nor the protocol.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rewright.checks.kernel_question import NumberedQuestion
from rewright.checks.nest_question import NestPayload, TransformationPayload
from rewright.checks.table import Payload, named
from rewright.engine.jobs import Ended, Event
from rewright.engine.scheduler import Engine
from rewright.fixes.generating.question import DeclaredLoops, NotWritten, SourceLoops
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.nest import Nest, Transformation
from rewright.syntax.text import Span
from rewright.verdict.codec import decode
from rewright.workspace.documents import Document
from rewright.workspace.folders import Folders
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

NOT_READ = NotWritten("the file is not read", complete=False)
CHANGED = NotWritten("the text was changed meanwhile: ask again", complete=False)


@dataclass(frozen=True, slots=True)
class NestAt:
    """A nest of a file by its name, and where it stands; `nest` is None if it is not known yet, or not affine."""

    name: str
    span: Span
    nest: Nest | None


class Nests:
    """The nests of the files of a workspace; `reading_of` gives what is read of a file now."""

    def __init__(
        self, engine: Engine, reading_of: Callable[[str], Reading | None], means: tuple[Sources, Folders]
    ) -> None:
        self._engine = engine
        self._reading_of = reading_of
        self._sources, self._folders = means

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
        asked, digest = order_job(loops, start, request, 1), reading.text.digest

        def taken(event: Event) -> None:
            if isinstance(event, Ended):
                now = self._reading_of(path)
                is_same = now is not None and now.text.digest == digest
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
