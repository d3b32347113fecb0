"""From loop nests in a source to what they ask: the text is read once, in a worker.

Invariant: the question says nothing of the text. Places are numbered, so an edit that only moves text, or a comment,
asks what was asked before. Must not know files: sources come by value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from msgspec import Struct, field

from rewright.checks.kernel_question import (
    LoweredKernel,
    NumberedQuestion,
    OutlinedSource,
    OutlinePayload,
    SourceEntry,
)
from rewright.checks.nest_question import (
    NestPayload,
    NestReadingPayload,
    ProgramPayload,
    TiledPayload,
    TransformationPayload,
)
from rewright.frontends.nests import NestOutline, NestRequest, NestSource, OutlinedNest
from rewright.frontends.preset import Preset
from rewright.frontends.table import NEST_LANGUAGES, nest_language_of
from rewright.model.canonical import canonical
from rewright.model.check_loops.transform import understood
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.foreign_nest import (
    ForeignNest,
    ForeignTransformation,
    SpeaksOfSources,
    WrittenTransformation,
    foreign_nests,
    read_first,
)
from rewright.model.index import Name
from rewright.model.nest import (
    Condition,
    Nest,
    Relaxations,
    TiledTransformation,
    Transformation,
    combining_operator,
    statements,
    variables_of,
)
from rewright.model.nest_program import ProgramTransformation
from rewright.model.placeless import Numbering
from rewright.model.tile_sizes import MANY, Choice, choices, one_of, pinned, too_many
from rewright.verdict import Diagnosis, Finding, InSource, Place, Severity, Site, fault
from rewright.verdict.codec import encode
from rewright.verdict.diagnostics.names import CannotStandHere, NameTaken, TakenBy, UnknownName
from rewright.verdict.diagnostics.rules import NotDecided

Asked = Nest | Transformation | TiledTransformation | ProgramTransformation
"""What is asked about once it is read."""

ONE_SITE = 1
"""How many sites a nest has that its source declares: its name."""

ONLY = f"only {' and '.join(f'{each.name} (`{each.endings[0]}`)' for each in NEST_LANGUAGES)} is read in this version"
"""What is said of a source in any other language."""


def read_nest(payload: NestReadingPayload) -> LoweredKernel:
    """What a declaration asks whose nests are written in sources."""
    asked = payload.asked
    nest = read_first(asked)
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
    reading = _Reading(Numbering(payload.sites), texts, payload.preset)
    asking = reading.asking(reading.value(asked))
    return LoweredKernel(asking, tuple(reading.findings), tuple(read))


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
    nests = tuple(_outlined(each, outline, source) for each in outline.nests)
    return OutlinedSource(nests, outline.findings, outline.read)


def outlined_nest(payload: OutlinePayload, name: str) -> SourceEntry | None:
    """The nest of a name of a source by itself, with what it asks; None if there is none."""
    language = nest_language_of(payload.path)
    assert language is not None, payload.path
    source = NestSource(payload.path, {each.path: each.text for each in payload.sources}, payload.preset)
    outline = language.front_end().outline(source)
    found = next((each for each in outline.nests if each.name == name), None)
    return _outlined(found, outline, source) if found is not None else None


def _outlined(found: OutlinedNest, outline: NestOutline, source: NestSource) -> SourceEntry:
    """A nest of a source; a fault of ours in reading it is a finding of it, and takes nothing from the others."""
    try:
        lowered = _lowered(found, outline, source)
    except MemoryError:
        raise  # that is no fault, but the limit of the worker
    except Exception as error:
        lowered = LoweredKernel(None, (fault(error, Site(0)),), ())
    kind = DeclarationKind.LOOPS if found.of is None else DeclarationKind.TRANSFORM
    return SourceEntry(
        found.name, found.place.start, found.place.end, 0, "", lowered, kind=kind, expected=found.expected
    )


def _lowered(found: OutlinedNest, outline: NestOutline, source: NestSource) -> LoweredKernel:
    reading = _Reading(Numbering(ONE_SITE), source.texts, source.preset)
    known = {each.name: each for each in outline.nests}
    chain = [found]
    while (of := chain[-1].of) is not None:
        if of not in known or known[of] in chain:
            said = UnknownName("specification", of, None)
            return LoweredKernel(None, (Finding(said, Severity.ERROR, chain[-1].place),), ())
        if known[of].tiles:
            reason = f"a transform of `{of}`, which has tile sizes, is not supported yet"
            return LoweredKernel(None, (Finding(NotDecided(reason), Severity.WARNING, Site(0)),), ())
        chain.append(known[of])
    nest: ForeignNest | None = None
    for each in reversed(chain):
        nest = ForeignNest(Name(each.name), source.path, each.name, (), nest, 0, each.relaxed)
    assert nest is not None
    at = tuple((Name(name), values) for name, values in found.at)
    made = reading.value(nest if found.of is None else ForeignTransformation(nest, found.tiles, at))
    return LoweredKernel(reading.asking(made), tuple(reading.findings), ())


class _Reading(Struct):
    """Nests while they are read, from these texts."""

    numbering: Numbering
    texts: Mapping[str, str]
    preset: Preset
    findings: list[Finding] = field(default_factory=list)
    among: list[str] = field(default_factory=list)

    def value(self, asked: SpeaksOfSources) -> Asked | None:
        """What is asked about; None, with why not noted, if a nest of it is not taken."""
        if isinstance(asked, ForeignNest):
            return self._nest(asked, _Given(None))
        if isinstance(asked, WrittenTransformation):
            return self._written(asked)
        needed, tiles, at = asked.transformed, asked.tiles, dict(asked.at)
        assert needed.of is not None
        of = self._specification(needed.of)
        if of is None or not self._fit(asked, of):
            return None
        given = pinned(tiles, at)
        found: list[Transformation] = []
        for choice in choices(tiles, at):
            made = self._nest(needed, _Given(of, choice, tuple(one_of(*each) for each in given)))
            if made is None:
                return self._program(needed, of, asked)
            found.append(Transformation(of, made, choice, given))
        return TiledTransformation(tuple(found), all(name in at for name in tiles)) if tiles else found[0]

    def _written(self, asked: WrittenTransformation) -> Asked | None:
        """A transform in our own syntax of a nest in a source."""
        of = self._specification(asked.of)
        if of is None:
            return None
        found = understood(asked.node, of)
        self.findings += found.findings
        return found.value

    def _program(self, needed: ForeignNest, of: Nest, declared: ForeignTransformation) -> ProgramTransformation | None:
        """A transform that is not affine as a program that is run; None, with why not noted, if it is not taken."""
        why = self.findings[0] if self.findings else None
        if why is None or not isinstance(why.diagnosis, NotDecided) or not isinstance(why.place, InSource):
            return None
        if any(each.severity is Severity.ERROR for each in self.findings):
            return None
        language = nest_language_of(needed.path)
        assert language is not None, needed.path
        tiles, at = declared.tiles, dict(declared.at)
        request = NestRequest(needed.name, of, tuple((each, 1) for each in tiles))
        source = NestSource(needed.path, self.texts, self.preset)
        found = language.front_end().program(source, needed.entry, request, self.numbering.number)
        self.findings = list(found.findings)
        if found.program is None:
            return None
        self.among.append(needed.name)
        return ProgramTransformation(
            of,
            found.program,
            pinned(tiles, at),
            why.diagnosis.reason,
            self.numbering.number(why.place),
            tuple(choices(tiles, at)),
            of.relaxed.also(needed.relaxed),
        )

    def _specification(self, of: Nest | ForeignNest) -> Nest | None:
        """What is transformed, which may be a transform itself."""
        if isinstance(of, Nest):
            return of
        before = self._specification(of.of) if of.of is not None else None
        return self._nest(of, _Given(before)) if before is not None or of.of is None else None

    def _fit(self, asked: ForeignTransformation, of: Nest) -> bool:
        """Whether tile sizes, and names with values, are names that can have them; what is wrong is noted."""
        place = Site(asked.transformed.site)
        taken = {*of.parameters, *(each.name for each in of.arrays)}
        wrong: list[Diagnosis] = [NameTaken(each, TakenBy.DECLARATION) for each in asked.tiles if each in taken]
        names = {*of.parameters, *asked.tiles}
        wrong += [UnknownName("parameter", name, None) for name, _ in asked.at if name not in names]
        wrong += _unknown_relaxed(asked.transformed.relaxed, of)
        if too_many(asked.tiles, dict(asked.at)):
            wrong.append(CannotStandHere("so many combinations of values", f"at most {MANY} of them"))
        for each in wrong:
            self._error(each, place)
        return not wrong

    def _nest(self, needed: ForeignNest, asked: _Given) -> Nest | None:
        """The nest of a name in a source."""
        language = nest_language_of(needed.path)
        assert language is not None, needed.path
        requires = (*needed.requires, *asked.requires)
        spoken = frozenset(str(name) for each in requires for name in variables_of(each))
        values = tuple((str(name), value) for name, value in asked.choice)
        request = NestRequest(needed.name, asked.of, values, spoken, requires, needed.relaxed)
        source = NestSource(needed.path, self.texts, self.preset)
        found = language.front_end().read(source, needed.entry, request, self.numbering.number)
        if found is None:
            self._error(UnknownName("region or function", needed.entry, None), Site(needed.site))
            return None
        # What is only remarked of a specification stands with the specification.
        self.findings = list(found.findings)
        if asked.of is None and found.nest is not None:
            for each in _unknown_relaxed(needed.relaxed, found.nest):
                self._error(each, Site(needed.site))
                return None
        if found.nest is not None and needed.name not in self.among:
            self.among.append(needed.name)
        return found.nest

    def asking(self, made: Asked | None) -> NumberedQuestion | None:
        """The question, with what its numbers stand for."""
        match made:
            case None:
                return None
            case Nest():
                whole: NestPayload | TransformationPayload | TiledPayload | ProgramPayload = NestPayload(made)
            case Transformation():
                whole = TransformationPayload(made)
            case TiledTransformation():
                whole = TiledPayload(made)
            case ProgramTransformation():
                whole = ProgramPayload(made)
            case _:
                assert_never(made)
        value, names = canonical(whole)
        places = self.numbering.places
        paths = {each.path: None for each in places}
        numbers = {path: number for number, path in enumerate(paths)}
        spans = " ".join(f"{numbers[each.path]} {each.start} {each.end}" for each in places)
        return NumberedQuestion(encode(value), names, tuple(paths), spans, among=tuple(self.among))

    def _error(self, diagnosis: Diagnosis, place: Place) -> None:
        self.findings.append(Finding(diagnosis, Severity.ERROR, place))


def _unknown_relaxed(relaxed: Relaxations, nest: Nest) -> Iterator[Diagnosis]:
    """What is relaxed that a nest does not have, or that cannot be."""
    arrays = {each.name for each in nest.arrays}
    yield from (UnknownName("array", name, None) for name in relaxed.private if name not in arrays)
    labelled = {each.label: each for each in statements(nest.body)}
    for label in relaxed.reductions:
        if label not in labelled:
            yield UnknownName("statement", label, None)
        elif combining_operator(labelled[label]) is None:
            yield CannotStandHere(f"`{label}`", COMBINING)


COMBINING = "a statement that combines a value into an element, as `x += e`"


class _Given(Struct, frozen=True):
    """What a nest is a transform of, if of any; the values of its tile sizes, and what is required besides."""

    of: Nest | None
    choice: Choice = ()
    requires: tuple[Condition, ...] = ()
