"""A source of kernels as a document of its own: its kernels, and what those ask whose launch it says.

Invariant: a `Document` is a function of the texts, of the lowerings that are known and of which kernels are declared
elsewhere; while a changed text is looked through, it stays what it was, and speaks of the text that it was made from.
Must not know how a source is read.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from rewright.checks.kernel_question import OutlinedKernel, OutlinedSource
from rewright.engine.jobs import Question
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.syntax.text import Span, Text
from rewright.verdict import Answer, Finding, InSource, Severity, Site
from rewright.workspace.jobs import How, Planned, planned_from
from rewright.workspace.lowering import LONGEST, Step, of_document, step, too_long
from rewright.workspace.sources import Reads, Unreadable


@dataclass(frozen=True, slots=True)
class Place:
    """Where a kernel of a document stands; its one site is its name, from the document's start."""

    span: Span
    start: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a source.

    `kernels` are all of it, `planned` those that are asked about here, at `places`. `sources` maps the names of the
    sources that it includes, and its own, to files; `findings` are about its text outside of what is asked. `question`
    is to be asked for the text as it stands now, None if the document is up to date.
    """

    path: str
    text: Text
    kernels: tuple[OutlinedKernel, ...]
    planned: tuple[Planned, ...]
    places: tuple[Place, ...]
    sources: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]
    texts: tuple[Text, ...]
    question: Question | None
    made_of: tuple[str, frozenset[str]] | None = None
    """The key of the lowering that it was made from, and which kernels were left out."""

    @property
    def awaited(self) -> tuple[Question, ...]:
        """What is to be lowered before the document speaks of its text."""
        return () if self.question is None else (self.question,)

    @property
    def imports(self) -> Collection[str]:
        """The files that it imports declarations from: none."""
        return ()

    def lowered_by(self) -> Iterator[str]:
        """The keys of the lowerings that it was made from."""
        return iter(() if self.made_of is None else self.made_of[:1])

    def named(self) -> frozenset[str]:
        """The sources that the document is made of."""
        return frozenset(path for _, path in self.sources)


def document(
    path: str, reading: tuple[Reads, How], before: Document | None, elsewhere: frozenset[str]
) -> Document | Unreadable:
    """The source at `path` as it stands now; kernels that are declared `elsewhere` are not asked about here."""
    sources, how = reading
    text = sources.read(path)
    if isinstance(text, Unreadable):
        return text
    if len(text.data) > LONGEST:
        finding = _at_start(path, Finding("RW310", Severity.WARNING, Site(0), (("reason", too_long(text)),)))
        return Document(path, text, (), (), (), ((os.path.basename(path), path),), (finding,), (), None)
    hints = () if before is None else dict(before.sources)
    done = step(of_document(path, how.kernels), sources, how.lowerings, hints)
    files = tuple(done.gathered.files.items())
    made_of = (done.keys[-1], elsewhere)
    if before is not None and before.question is None and (before.made_of, before.sources) == (made_of, files):
        return before
    match done.known:
        case OutlinedSource() as outlined:
            return _made(text, outlined, (files, done), elsewhere)
        case Answer(findings=told):
            findings = tuple(_at_start(path, each) for each in told)
            return Document(path, text, (), (), (), files, findings, (), None, made_of)
        case _ if before is None:
            return Document(path, text, (), (), (), files, (), (), done.question)
        case _:
            return _waiting(before, done.question, files)


def _at_start(path: str, finding: Finding) -> Finding:
    return replace(finding, place=InSource(os.path.basename(path), 0, 0))


def _made(
    text: Text, outlined: OutlinedSource, done: tuple[tuple[tuple[str, str], ...], Step], elsewhere: frozenset[str]
) -> Document:
    files, how_far = done
    texts = tuple(how_far.gathered.texts.values())
    asked = [each for each in outlined.kernels if each.lowered is not None and each.name not in elsewhere]
    places = tuple(Place(Span(each.start, each.end)) for each in asked)
    planned = tuple(planned_from(_declared(each), files, how_far, each.lowered) for each in asked)
    return Document(
        text.uri,
        text,
        outlined.kernels,
        planned,
        places,
        files,
        outlined.problems,
        texts,
        None,
        (how_far.keys[-1], elsewhere),
    )


def _declared(kernel: OutlinedKernel) -> Declared:
    """The declaration that a kernel with its launch comes to."""
    return Declared(kernel.name, DeclarationKind.KERNEL, None, (Span(kernel.start, kernel.end),))


def _waiting(before: Document, question: Question | None, files: tuple[tuple[str, str], ...]) -> Document:
    planned = tuple(
        replace(each, lowering=replace(each.lowering, question=question)) if each.lowering is not None else each
        for each in before.planned
    )
    return replace(before, planned=planned, sources=files, question=question)
