"""What kernels in foreign sources come to: asked of a worker whenever a text changes, and remembered while it is true.

A lowering tells which sources it looked for; those that are there are given to it and it is asked again, until it looks
for no more. Invariant: how far the lowering of a declaration has come is a function of the texts and of the lowerings
that are known. Must not know how a worker is asked, nor what a program is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.checks.kernel_question import (
    LoweredKernel,
    LoweringPayload,
    OutlinedSource,
    OutlinePayload,
    SourceText,
)
from rewright.checks.nest_question import NestReadingPayload
from rewright.checks.refinement_question import ImportedRefinement, ImportPayload
from rewright.engine.jobs import FailureKind, JobFailure, Outcome, Question, Reply
from rewright.engine.keys import digest
from rewright.frontends.preset import Preset, is_anywhere
from rewright.model.declared import Declared
from rewright.model.foreign_graph import ForeignRefinement
from rewright.model.foreign_nest import (
    ForeignNest,
    ForeignTransformation,
    WrittenTransformation,
    foreign_nests,
    read_first,
)
from rewright.model.kernel import Foreign, Kernel
from rewright.syntax.text import Text
from rewright.verdict import NOTHING, Answer, Finding, Severity, Site, Verdict, internal_error
from rewright.verdict.codec import decode, encode
from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.diagnostics.rules import NotDecided
from rewright.workspace.compile_commands import NO_BUILD, BuildSettings, build_settings
from rewright.workspace.settings import NO_SETTINGS, KernelSettings
from rewright.workspace.sources import Reads, Unreadable

MOST_NAMES = 1000
"""Sources after which a lowering is given no more."""

LONGEST = 2 << 20
"""Bytes of the longest source that is lowered."""

Known = LoweredKernel | OutlinedSource | ImportedRefinement | Answer
"""What a lowering said, or how it failed."""


class Lowerings(Struct, frozen=True):
    """The lowerings that are known, by key."""

    _known: Mapping[str, Known] = field(default_factory=dict)

    def get(self, key: str) -> Known | None:
        """What is known under a key."""
        return self._known.get(key)

    def taking(self, outcome: Outcome) -> Lowerings:
        """These with what the engine said; a lowering that was cancelled is as good as not asked."""
        known = _known(outcome)
        return self if known is None else Lowerings({**self._known, outcome.key: known})

    def keeping(self, keys: Iterable[str]) -> Lowerings:
        """Those of these that have one of the keys."""
        return Lowerings({key: self._known[key] for key in keys if key in self._known})


class Gathered(Struct, frozen=True):
    """The sources of a declaration: under each path that it or one of them names, the file that it means, if any.

    `texts` are those of the files that can be read; `unreadable` says of the others why. `elsewhere` are the files that
    are meant where no folder is known that has them.
    """

    files: Mapping[str, str]
    texts: Mapping[str, Text]
    unreadable: Mapping[str, str]
    elsewhere: tuple[tuple[str, tuple[str, ...]], ...] = ()


class LoweringStep(Struct, frozen=True):
    """How far a lowering has come: what was said under `keys`, one after the other, and what is to be asked next.

    `build` is what the build of the source says of it.
    """

    gathered: Gathered
    keys: tuple[str, ...]
    known: Known | None
    question: Question | None
    build: BuildSettings = NO_BUILD


class NeededSource(Struct, frozen=True):
    """What is to be lowered: the source `name`, as the file `by` means it; `of` tells all that matters beside texts.

    `asks` is the payload, still without texts. `build` is what its build says of the source; `beside` are further
    sources that are needed for certain.
    """

    name: str
    by: str
    of: str
    asks: LoweringPayload | OutlinePayload | ImportPayload | NestReadingPayload
    build: BuildSettings
    beside: tuple[str, ...] = ()


def preset(settings: KernelSettings, named: tuple[str, str], sources: Reads) -> Preset:
    """What holds for a source that a file names and for all that it includes, their folders as the file means them.

    What the settings of the project say comes before what its build says.
    """
    return _preset(settings, build_of(named, sources), named, sources)


def build_of(named: tuple[str, str], sources: Reads) -> BuildSettings:
    """What its build says of a source that a file names."""
    target = sources.resolve(*named)
    return NO_BUILD if isinstance(target, Unreadable) else build_settings(target, sources)


def _preset(settings: KernelSettings, build: BuildSettings, named: tuple[str, str], sources: Reads) -> Preset:
    name, by = named
    beside = os.path.realpath(os.path.dirname(by))
    folders = dict.fromkeys((*settings.include, *build.include))
    include = tuple(os.path.relpath(folder, beside) for folder in folders)
    define = tuple(({**dict(build.define), **dict(settings.define)}).items())
    return Preset(include, define, sources.nearby(name, by))


def of_declaration(
    declared: Declared, path: str, sources: Reads, settings: KernelSettings = NO_SETTINGS
) -> NeededSource:
    """What is to be lowered of a kernel in a source, declared in the file at `path`."""
    kernel, sites = declared.value, len(declared.sites)
    assert isinstance(kernel, Kernel) and isinstance(kernel.body, Foreign)
    named = kernel.body.path, path
    build = build_of(named, sources)
    before = _preset(settings, build, named, sources)
    of = f"{kernel!r} {sites} {before!r}"
    return NeededSource(*named, of, LoweringPayload(kernel, sites, (), before), build)


def of_refinement(declared: Declared, path: str) -> NeededSource:
    """What is to be read of a refinement of graphs in sources, declared in the file at `path`."""
    refinement, sites = declared.value, len(declared.sites)
    assert isinstance(refinement, ForeignRefinement)
    first, *others = dict.fromkeys(each.path for each in refinement.foreign)
    asks = ImportPayload(refinement, sites, ())
    return NeededSource(first, path, f"{refinement!r} {sites}", asks, NO_BUILD, tuple(others))


def of_nest(declared: Declared, path: str, sources: Reads, settings: KernelSettings = NO_SETTINGS) -> NeededSource:
    """What is to be read of a loop nest or a transform in sources, declared in the file at `path`."""
    asked, sites = declared.value, len(declared.sites)
    assert isinstance(asked, ForeignNest | ForeignTransformation | WrittenTransformation)
    first, *others = dict.fromkeys(each.path for each in foreign_nests(read_first(asked)))
    build = build_of((first, path), sources)
    before = _preset(settings, build, (first, path), sources)
    of = f"{asked!r} {sites} {before!r}"
    return NeededSource(first, path, of, NestReadingPayload(asked, sites, (), before), build, tuple(others))


def of_document(path: str, sources: Reads, settings: KernelSettings = NO_SETTINGS) -> NeededSource:
    """What is to be lowered of a source by itself."""
    name = os.path.basename(path)
    build = build_of((name, path), sources)
    before = _preset(settings, build, (name, path), sources)
    return NeededSource(name, path, repr(before), OutlinePayload(name, (), before), build)


def step(needed: NeededSource, sources: Reads, lowerings: Lowerings, hints: Iterable[str]) -> LoweringStep:
    """How far a lowering has come; `hints` are sources that it will probably look for."""
    names = dict.fromkeys((needed.name, *needed.beside, *hints))
    keys: list[str] = []
    while True:
        gathered = gather(names, needed.by, sources)
        names |= dict.fromkeys(gathered.files)
        sought = None if len(gathered.texts) > MOST_NAMES else tuple(sorted(names))
        key = _key(needed, gathered, sought)
        known = lowerings.get(key)
        keys.append(key)
        if known is None:
            question = Question(key, _payload(needed, gathered, sought))
            return LoweringStep(gathered, tuple(keys), None, question, needed.build)
        if isinstance(known, Answer) or sought is None or all(name in names for name in known.read):
            return LoweringStep(gathered, tuple(keys), known, None, needed.build)
        names |= dict.fromkeys(known.read)


def gather(names: Iterable[str], by: str, sources: Reads) -> Gathered:
    """The sources that the file `by` means by these names."""
    files: dict[str, str] = {}
    texts: dict[str, Text] = {}
    unreadable: dict[str, str] = {}
    listed = dict.fromkeys(names)
    found = elsewhere(listed, by, sources)
    listed |= dict.fromkeys(path for _, paths in found for path in paths)
    for name in listed:
        target = sources.resolve(name, by)
        text = target if isinstance(target, Unreadable) else _bounded(sources.read(target))
        if not isinstance(target, Unreadable):
            files[name] = target
        if isinstance(text, Unreadable):
            unreadable[name] = text.reason
        else:
            texts[name] = text
    return Gathered(files, texts, unreadable, found)


def elsewhere(names: Iterable[str], by: str, sources: Reads) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The files that are meant by those of the names that are of `anywhere`."""
    return tuple((name, sources.ending(name, by)) for name in sorted(filter(is_anywhere, names)))


def _bounded(text: Text | Unreadable) -> Text | Unreadable:
    """The text, unless it is too long to be sent to a worker with every change."""
    if isinstance(text, Text) and len(text.data) > LONGEST:
        return Unreadable(too_long(text))
    return text


def too_long(text: Text) -> str:
    """Why a text is not lowered that is too long."""
    return f"has {len(text.data) / (1 << 20):.1f} MiB, more than the {LONGEST >> 20} MiB that are looked through"


def _key(needed: NeededSource, gathered: Gathered, sought: tuple[str, ...] | None) -> str:
    texts = [part for name, text in sorted(gathered.texts.items()) for part in (name, text.digest)]
    return digest("lowering", needed.name, needed.of, repr(sought), repr(gathered.elsewhere), *texts)


def _payload(needed: NeededSource, gathered: Gathered, sought: tuple[str, ...] | None) -> str:
    texts = tuple(SourceText(name, text.text) for name, text in sorted(gathered.texts.items()))
    if isinstance(needed.asks, ImportPayload):
        return encode(replace(needed.asks, sources=texts, sought=sought))
    before = replace(needed.asks.preset, elsewhere=gathered.elsewhere)
    return encode(replace(needed.asks, sources=texts, sought=sought, preset=before))


def _known(outcome: Outcome) -> Known | None:
    match outcome:
        case Reply():
            return _decoded(outcome)
        case JobFailure(kind=FailureKind.CANCELLED):
            return None
        case JobFailure():
            return failed(outcome)
        case _:
            assert_never(outcome)


def _decoded(reply: Reply) -> Known:
    try:
        known: Known = decode(Known, reply.answer)
    except Exception as error:
        return failing(internal_error(error))
    return known


def failing(fault: InternalError) -> Answer:
    """The answer to a question that a fault of ours keeps from having one."""
    finding = Finding(fault, Severity.ERROR, Site(0))
    return Answer(Verdict.ERROR, NOTHING, reason=fault.detail, findings=(finding,))


def failed(outcome: JobFailure) -> Answer | None:
    """What a failure of the engine says about a question, None if it says nothing. It is never a success."""
    detail = outcome.detail.strip()
    match outcome.kind:
        case FailureKind.CRASHED:
            return failing(InternalError(detail, None))
        case FailureKind.TIME | FailureKind.MEMORY:
            finding = Finding(NotDecided(detail), Severity.INFORMATION, Site(0))
            return Answer(Verdict.UNKNOWN, NOTHING, reason=detail, findings=(finding,))
        case FailureKind.CANCELLED:
            return None
        case _:
            assert_never(outcome.kind)
