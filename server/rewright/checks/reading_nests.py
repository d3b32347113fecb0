"""From loop nests in a source to what they ask: the text is read once, in a worker.

Invariant: the question says nothing of the text. Places are numbered, so an edit that only moves text, or a comment,
asks what was asked before. Must not know files: sources come by value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rewright.checks.kernel_question import (
    LoweredKernel,
    NumberedQuestion,
    OutlinedSource,
    OutlinePayload,
    SourceKernel,
)
from rewright.checks.nest_question import NestPayload, NestReadingPayload, TransformationPayload
from rewright.frontends.nests import NestFrontEnd, NestOutline, NestRequest, NestSource, OutlinedNest
from rewright.frontends.table import NEST_LANGUAGES, nest_language_of
from rewright.model.canonical import canonical
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.foreign_nest import ForeignNest, foreign_nests
from rewright.model.index import Name
from rewright.model.nest import Nest, Transformation, variables_of
from rewright.model.placeless import Numbering
from rewright.verdict import Diagnosis, Finding, Place, Severity, Site, fault
from rewright.verdict.codec import encode
from rewright.verdict.diagnostics.names import UnknownName
from rewright.verdict.diagnostics.rules import NotDecided

ONE_SITE = 1
"""How many sites a nest has that its source declares: its name."""

ONLY = f"only {' and '.join(f'{each.name} (`{each.endings[0]}`)' for each in NEST_LANGUAGES)} is read in this version"
"""What is said of a source in any other language."""


def read_nest(payload: NestReadingPayload) -> LoweredKernel:
    """What a declaration asks whose nests are written in sources."""
    asked = payload.asked
    nest = asked if isinstance(asked, ForeignNest) else asked.transformed
    texts = {each.path: each.text for each in payload.sources}
    read: dict[str, None] = {}
    for each in foreign_nests(nest):
        language = nest_language_of(each.path)
        if language is None:
            finding = Finding(NotDecided(f"`{each.path}`: {ONLY}"), Severity.WARNING, Site(each.site))
            return LoweredKernel(None, (finding,), tuple(read))
        read[each.path] = None
        if each.path in texts:
            read |= dict.fromkeys(language.front_end().reads(NestSource(each.path, texts, payload.preset)))
    if payload.sought is not None and not set(read) <= set(payload.sought):
        return LoweredKernel(None, (), tuple(read))
    reading = _Reading(Numbering(payload.sites))
    made = reading.foreign(nest, lambda path: NestSource(path, texts, payload.preset))
    return LoweredKernel(reading.asking(made), tuple(reading.findings), tuple(read))


def outline_nests(payload: OutlinePayload) -> OutlinedSource:
    """The nests of a source by itself, with what each asks."""
    language = nest_language_of(payload.path)
    assert language is not None, payload.path
    front_end = language.front_end()
    source = NestSource(payload.path, {each.path: each.text for each in payload.sources}, payload.preset)
    read = front_end.reads(source)
    if payload.sought is not None and not set(read) <= set(payload.sought):
        return OutlinedSource((), (), read)
    outline = front_end.outline(source)
    nests = tuple(_outlined(each, outline, (front_end, source)) for each in outline.nests)
    return OutlinedSource(nests, outline.findings, outline.read)


def _outlined(found: OutlinedNest, outline: NestOutline, reader: tuple[NestFrontEnd, NestSource]) -> SourceKernel:
    """A nest of a source; a fault of ours in reading it is a finding of it, and takes nothing from the others."""
    try:
        lowered = _lowered(found, outline, reader)
    except MemoryError:
        raise  # that is no fault, but the limit of the worker
    except Exception as error:
        lowered = LoweredKernel(None, (fault(error, Site(0)),), ())
    kind = DeclarationKind.LOOPS if found.of is None else DeclarationKind.TRANSFORM
    return SourceKernel(
        found.name, found.place.start, found.place.end, 0, "", lowered, kind=kind, expected=found.expected
    )


def _lowered(found: OutlinedNest, outline: NestOutline, reader: tuple[NestFrontEnd, NestSource]) -> LoweredKernel:
    front_end, source = reader
    reading = _Reading(Numbering(ONE_SITE))
    known = {each.name: each for each in outline.nests}
    chain = [found]
    while (of := chain[-1].of) is not None:
        if of not in known or known[of] in chain:
            said = UnknownName("specification", of, None)
            return LoweredKernel(None, (Finding(said, Severity.ERROR, chain[-1].place),), ())
        chain.append(known[of])
    made: _Made | None = None
    for each in reversed(chain):
        request = NestRequest(Name(each.name), made.nest if made is not None else None)
        made = reading.one(front_end, source, each.name, (request, Site(0)))
        if made is None:
            break
    return LoweredKernel(reading.asking(made), tuple(reading.findings), ())


@dataclass(frozen=True, slots=True)
class _Made:
    """A nest that was read, and what it is a transform of."""

    nest: Nest
    of: Nest | None


@dataclass(slots=True)
class _Reading:
    """Nests while they are read."""

    numbering: Numbering
    findings: list[Finding] = field(default_factory=list)
    among: list[str] = field(default_factory=list)

    def foreign(self, nest: ForeignNest, source_of: Callable[[str], NestSource]) -> _Made | None:
        """A nest of a source, with what it is a transform of; None, with why not noted, if it is not taken."""
        of = nest.of
        if isinstance(of, ForeignNest):
            made = self.foreign(of, source_of)
            if made is None:
                return None
            of = made.nest
        language = nest_language_of(nest.path)
        assert language is not None, nest.path
        spoken = frozenset(str(name) for each in nest.requires for name in variables_of(each))
        request = NestRequest(nest.name, of, (), spoken, nest.requires)
        return self.one(language.front_end(), source_of(nest.path), nest.entry, (request, Site(nest.site)))

    def one(
        self, front_end: NestFrontEnd, source: NestSource, entry: str, asked: tuple[NestRequest, Place]
    ) -> _Made | None:
        """The nest of a name in a source."""
        request, place = asked
        found = front_end.read(source, entry, request, self.numbering.number)
        if found is None:
            self._error(UnknownName("region or function", entry, None), place)
            return None
        # What is only remarked of a specification stands with the specification.
        self.findings = list(found.findings)
        if found.nest is None:
            return None
        self.among.append(request.name)
        return _Made(found.nest, request.specification)

    def asking(self, made: _Made | None) -> NumberedQuestion | None:
        """The question, with what its numbers stand for."""
        if made is None:
            return None
        whole = NestPayload(made.nest) if made.of is None else TransformationPayload(Transformation(made.of, made.nest))
        value, names = canonical(whole)
        places = self.numbering.places
        paths = {each.path: None for each in places}
        numbers = {path: number for number, path in enumerate(paths)}
        spans = " ".join(f"{numbers[each.path]} {each.start} {each.end}" for each in places)
        return NumberedQuestion(encode(value), names, tuple(paths), spans, among=tuple(self.among))

    def _error(self, diagnosis: Diagnosis, place: Place) -> None:
        self.findings.append(Finding(diagnosis, Severity.ERROR, place))
