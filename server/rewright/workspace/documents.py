"""A source of kernels or loop nests as a document of its own: what is in it, and what that asks.

Of kernels, those ask whose launch the source says; of a text in C, its regions, and one without any says nothing.

Invariant: a `Document` is a function of the texts, of the lowerings that are known and of which kernels are declared
elsewhere; while a changed text is looked through, it stays what it was, and speaks of the text that it was made from.
Must not know how a source is read.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_question import OutlinedSource, SourceEntry
from rewright.engine.jobs import Question
from rewright.frontends.table import kind_of
from rewright.model.declared import Declared, Expectation
from rewright.model.source_kind import SourceKind
from rewright.syntax.text import Span, Text
from rewright.verdict import Answer, Finding, InSource, Severity, Site, fault, internal_error
from rewright.verdict.diagnostics.sources import NoLaunchKnown, UnusableCommands
from rewright.verdict.diagnostics.syntax import TextTooLong
from rewright.workspace.compile_commands import NO_BUILD, BuildSettings
from rewright.workspace.jobs import How, LoweringStatus, Planned, planned_from
from rewright.workspace.lowering import LONGEST, LoweringStep, failing, of_document, step, too_long
from rewright.workspace.sources import REGIONS, Reads, Unreadable


class Place(Struct, frozen=True):
    """Where a kernel of a document stands; its one site is its name, from the document's start."""

    span: Span
    start: int = 0


class Document(Struct, frozen=True):
    """One version of a source.

    `kernels` are all of it, `planned` those that are asked about here, at `places`. `sources` maps the names of the
    sources that it includes, and its own, to files; `build` is what its build says of it. `findings` are about its text
    outside of what is asked. `question` is to be asked for the text as it stands now, None if the document is up to
    date.
    """

    path: str
    text: Text
    kernels: tuple[SourceEntry, ...]
    planned: tuple[Planned, ...]
    places: tuple[Place, ...]
    sources: tuple[tuple[str, str], ...]
    findings: tuple[Finding, ...]
    texts: tuple[Text, ...]
    question: Question | None
    made_of: tuple[str, frozenset[str]] | None = None
    """The key of the lowering that it was made from, and which kernels were left out."""
    build: BuildSettings = NO_BUILD

    @property
    def kind(self) -> SourceKind:
        """What it holds."""
        return kind_of(self.path)

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

    def looked(self) -> frozenset[str]:
        """The files in which its build may say how it is compiled, there or not."""
        return frozenset(path for path, _ in self.build.looked)


def document(
    path: str, reading: tuple[Reads, How], before: Document | None, elsewhere: frozenset[str]
) -> Document | Unreadable:
    """The source at `path` as it stands now; kernels that are declared `elsewhere` are not asked about here."""
    text = reading[0].read(path)
    if isinstance(text, Unreadable):
        return text
    try:
        return _document(text, reading, before, elsewhere)
    except Exception as error:
        return _only(text, _at_start(path, fault(error, Site(0))))


def _document(text: Text, reading: tuple[Reads, How], before: Document | None, elsewhere: frozenset[str]) -> Document:
    (sources, how), path = reading, text.uri
    if kind_of(path) is SourceKind.LOOPS and not REGIONS.search(text.data):
        return _only(text)
    if len(text.data) > LONGEST:
        return _only(text, _at_start(path, _too_long(text)))
    hints = () if before is None else dict(before.sources)
    done = step(of_document(path, sources, how.kernels), sources, how.lowerings, hints)
    files = tuple(done.gathered.files.items())
    made_of = (done.keys[-1], elsewhere)
    if before is not None and before.question is None and (before.made_of, before.sources) == (made_of, files):
        return before if before.build == done.build else _built(before, done.build)
    return _built(_known(text, done, before, elsewhere), done.build)


def _known(text: Text, done: LoweringStep, before: Document | None, elsewhere: frozenset[str]) -> Document:
    """The source of which so much is known."""
    path, files, made_of = text.uri, tuple(done.gathered.files.items()), (done.keys[-1], elsewhere)
    match done.known:
        case OutlinedSource() as outlined:
            return _made(text, outlined, (files, done), elsewhere)
        case Answer(findings=found):
            findings = tuple(_at_start(path, each) for each in found)
            return Document(path, text, (), (), (), files, findings, (), None, made_of)
        case _ if before is None:
            return Document(path, text, (), (), (), files, (), (), done.question)
        case _:
            return _waiting(before, done.question, files)


def _built(made: Document, build: BuildSettings) -> Document:
    """The document with what its build says of it, and what keeps that from being used."""
    findings = tuple(each for each in made.findings if not isinstance(each.diagnosis, UnusableCommands))
    return replace(made, build=build, findings=(*findings, *([build.problem] if build.problem is not None else [])))


def _only(text: Text, *findings: Finding) -> Document:
    """A source of which nothing is said but this."""
    return Document(text.uri, text, (), (), (), ((os.path.basename(text.uri), text.uri),), findings, (), None)


def unlaunched(document: Document, elsewhere: frozenset[str]) -> tuple[Finding, ...]:
    """A hint at each kernel of which no launch is known, here or where it is declared `elsewhere`.

    An editor does without: there each kernel has a lens that says so and offers a launch.
    """
    kernels = [each for each in document.kernels if each.lowered is None and each.name not in elsewhere]
    name = os.path.basename(document.path)
    places = [InSource(name, each.start, each.end) for each in kernels]
    hints = [NoLaunchKnown(each.name, each.launch.strip(), each.unlaunched) for each in kernels]
    return tuple(Finding(each, Severity.HINT, at) for at, each in zip(places, hints, strict=True))


def _too_long(text: Text) -> Finding:
    return Finding(TextTooLong("the text", too_long(text)), Severity.ERROR, Site(0))


def _at_start(path: str, finding: Finding) -> Finding:
    return replace(finding, place=InSource(os.path.basename(path), 0, 0))


def _made(
    text: Text,
    outlined: OutlinedSource,
    done: tuple[tuple[tuple[str, str], ...], LoweringStep],
    elsewhere: frozenset[str],
) -> Document:
    files, how_far = done
    texts = tuple(how_far.gathered.texts.values())
    asked = [each for each in outlined.kernels if each.lowered is not None and each.name not in elsewhere]
    places = tuple(Place(Span(each.start, each.end)) for each in asked)
    planned = tuple(_planned(each, files, how_far) for each in asked)
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


def _planned(kernel: SourceEntry, files: tuple[tuple[str, str], ...], how_far: LoweringStep) -> Planned:
    try:
        return planned_from(_declared(kernel), files, how_far, kernel.lowered)
    except Exception as error:
        texts = tuple(how_far.gathered.texts.values())
        settled = LoweringStatus(
            how_far.keys, None, failing(internal_error(error)), lasting=False, remarks=(), asking=None, texts=texts
        )
        return Planned(_declared(kernel), (), (), files, (), settled)


def _declared(kernel: SourceEntry) -> Declared:
    """The declaration that a kernel with its launch comes to."""
    span = Span(kernel.start, kernel.end)
    expectations = (Expectation(kernel.expected),) if kernel.expected else ()
    return Declared(kernel.name, kernel.kind, None, (span,), expectations=expectations, budget=kernel.budget)


def _waiting(before: Document, question: Question | None, files: tuple[tuple[str, str], ...]) -> Document:
    planned = tuple(
        replace(each, lowering=replace(each.lowering, question=question)) if each.lowering is not None else each
        for each in before.planned
    )
    return replace(before, planned=planned, sources=files, question=question)
