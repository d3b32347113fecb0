"""Asks a worker for a nest in another order, of the nest as its texts stand now, and says what came of it.

Must not know how an order is found, nor what is shown of it.
"""

from __future__ import annotations

import os
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_question import SourceText
from rewright.engine.jobs import FailureKind, Job, JobFailure, Outcome, Question, Reply
from rewright.engine.keys import digest
from rewright.fixes.generating.question import (
    DeclaredLoops,
    NotWritten,
    OrderForbidden,
    SourceLoops,
    TransformReply,
    TransformRequest,
    WrittenTransform,
)
from rewright.fixes.generating.words import said
from rewright.fixes.loops.texts import chain
from rewright.frontends.nests import NestSource
from rewright.frontends.table import nest_language_of
from rewright.syntax.parsed import Parsed, parse
from rewright.verdict.codec import decode, encode
from rewright.workspace.documents import Document
from rewright.workspace.jobs import transform_key_of
from rewright.workspace.lowering import elsewhere, gather, preset
from rewright.workspace.settings import KernelSettings, Settings
from rewright.workspace.sources import Reads, Unreadable, holds_declarations

PRIORITY = 3
"""Somebody waits for it."""


class Came(StrEnum):
    """What comes of a request: a proof, a dependence that forbids the order, or neither."""

    PROVED = "proved"
    FORBIDDEN = "forbidden"
    NOTHING = "nothing"


class OrderReply(Struct, frozen=True):
    """What came of a request for another order, in a sentence; if it was proved the text, to be put at a byte."""

    came: Came
    said: str
    at: int = 0
    text: str = ""


class OrderRequest(Struct, frozen=True):
    """A nest of a file by its name that is to be written in the order of a schedule, and called so unless None."""

    name: str
    schedule: str
    called: str | None = None


class OrderJob(Struct, frozen=True):
    """What the engine is asked for a request; the answer speaks of a text that begins at a byte of the file."""

    job: Job
    start: int

    def reply(self, outcome: Outcome) -> OrderReply:
        """What came of it."""
        found = reply_of(outcome)
        match found:
            case WrittenTransform(at=at, text=text):
                return OrderReply(Came.PROVED, said(found), self.start + at, text)
            case OrderForbidden():
                return OrderReply(Came.FORBIDDEN, said(found))
            case NotWritten():
                return OrderReply(Came.NOTHING, said(found))


def job_for(path: str, request: OrderRequest, sources: Reads, settings: Settings) -> OrderJob | OrderReply:
    """The job for a nest of a file on disk; a reply if there is no such nest. For the command line."""
    text = sources.read(path)
    loops: DeclaredLoops | SourceLoops | NotWritten
    start = 0
    if isinstance(text, Unreadable):
        return nothing(NotWritten(f"cannot read {path}: {text.reason}", complete=True))
    if holds_declarations(path):
        parsed = parse(text)
        loops, start = declared_loops(parsed, request.name), start_of(parsed, request.name)
    else:
        loops = source_loops(path, request.name, sources, settings.kernels)
    if isinstance(loops, NotWritten):
        return nothing(loops)
    return order_job(loops, start, request, settings.budget)


def nothing(why: NotWritten) -> OrderReply:
    """The reply where there is nothing to ask for."""
    return OrderReply(Came.NOTHING, said(why))


def start_of(parsed: Parsed, name: str) -> int:
    """Where the declaration of a name begins; 0 if there is none."""
    named = ((each, each.node.head.name) for each in parsed.file.declarations)
    return next((placed.span.start for placed, head in named if head is not None and head.text == name), 0)


def declared_loops(parsed: Parsed, name: str) -> DeclaredLoops | NotWritten:
    """The nest of a name in a file of declarations, with those that it transforms."""
    placed = parsed.file.declarations
    named = {each.node.head.name.text: each for each in placed if each.node.head.name is not None}
    if name not in named:
        return NotWritten(f"there is no declaration `{name}`", complete=True)
    found = chain(placed, named[name])
    if not found or named[name].node.head.word.text not in ("loops", "transform"):
        return NotWritten(f"`{name}` is no loop nest in this file, nor a transform of one", complete=True)
    if any(_is_elsewhere(parsed, each.span.start, each.span.end) for each in found):
        return NotWritten(
            f"the loops of `{name}` stand in a source: ask for another order of them there", complete=True
        )
    return DeclaredLoops(tuple(parsed.text.slice(each.span) for each in found), tuple(named))


def _is_elsewhere(parsed: Parsed, start: int, end: int) -> bool:
    return b"{" not in parsed.text.data[start:end]


def source_loops(path: str, name: str, sources: Reads, settings: KernelSettings) -> SourceLoops | NotWritten:
    """The nest of a name in a source, which is looked through here for what it includes: for the command line."""
    language = nest_language_of(path)
    if language is None:
        return NotWritten("no loop nests are read of sources in this language", complete=True)
    own = os.path.basename(path)
    before = preset(settings, (own, path), sources)
    names = dict.fromkeys((own,))
    while True:
        gathered = gather(names, path, sources)
        names |= dict.fromkeys(gathered.files)
        texts = {each: text.text for each, text in gathered.texts.items()}
        if own not in texts:
            return NotWritten(f"cannot read {path}: {gathered.unreadable.get(own, 'it is not there')}", complete=True)
        held = replace(before, elsewhere=gathered.elsewhere)
        read = language.front_end().reads(NestSource(own, texts, held))
        if all(each in names for each in read):
            return SourceLoops(own, name, tuple(SourceText(*each) for each in sorted(texts.items())), held)
        names |= dict.fromkeys(read)


def loops_of_document(
    document: Document, name: str, sources: Reads, settings: KernelSettings
) -> SourceLoops | NotWritten:
    """The nest of a name in an open source, with the texts that it was read with."""
    if document.question is not None:
        return NotWritten("the source is being read: try again", complete=False)
    own = os.path.basename(document.path)
    names = {path: name for name, path in document.sources}
    texts = {names[text.uri]: text.text for text in document.texts if text.uri in names}
    if own not in texts:
        return NotWritten("the source has no loop nest", complete=True)
    before = preset(settings, (own, document.path), sources)
    held = replace(before, elsewhere=elsewhere(dict(document.sources), document.path, sources))
    return SourceLoops(own, name, tuple(SourceText(*each) for each in sorted(texts.items())), held)


def order_job(loops: DeclaredLoops | SourceLoops, start: int, request: OrderRequest, budget: int) -> OrderJob:
    """The engine's job for a nest whose text begins at a byte of its file."""
    payload = encode(TransformRequest(loops, request.schedule, request.called))
    question = Question(transform_key_of(payload), payload)
    return OrderJob(Job(digest("transform", question.key), (question,), budget, PRIORITY), start)


def reply_of(outcome: Outcome) -> TransformReply:
    """What the engine's outcome says."""
    match outcome:
        case Reply(answer=answer):
            reply: TransformReply = decode(TransformReply, answer)
            return reply
        case JobFailure(kind=FailureKind.CANCELLED):
            return NotWritten("it was stopped", complete=False)
        case JobFailure(detail=detail):
            return NotWritten(detail.strip().splitlines()[-1] if detail.strip() else "a worker failed", complete=False)
