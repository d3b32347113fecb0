"""From a declaration to the engine's job: its questions with their content keys.

Invariant: the key of a question is made of what it asks, canonically, and of a digest of what decides it; names, spans
and budgets are not in it. A kernel in a foreign source has its question once it is lowered. Must not know how a job is
run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from rewright.checks.kernel_question import LoweredKernel, NumberedQuestion, OutlinedSource
from rewright.checks.refinement_question import ImportedRefinement
from rewright.checks.table import Asked, lowered, questions
from rewright.engine.jobs import Job, Question
from rewright.engine.keys import digest, digest_of_deciders
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.model.foreign_graph import ForeignGraph, ForeignRefinement
from rewright.model.foreign_nest import (
    ForeignNest,
    ForeignTransformation,
    WrittenTransformation,
    foreign_nests,
    read_first,
)
from rewright.model.graph import GraphLemma, Refinement, RefinementFamily
from rewright.model.kernel import Foreign, Kernel
from rewright.model.nest import Nest, TiledTransformation, Transformation
from rewright.model.rule import Rule
from rewright.rules.decision import Mode
from rewright.syntax.text import Text
from rewright.verdict import NOTHING, Answer, Finding, InSource, Severity, Site, Verdict, fault
from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.diagnostics.kernels import NotChecked
from rewright.verdict.diagnostics.rules import NotDecided
from rewright.verdict.diagnostics.sources import UnreadableSource
from rewright.workspace.lowering import (
    Gathered,
    Lowerings,
    LoweringStep,
    gather,
    of_declaration,
    of_nest,
    of_refinement,
    step,
)
from rewright.workspace.settings import NO_SETTINGS, KernelSettings
from rewright.workspace.sources import Reads

SHARED = ("rewright.verdict", "rewright.model", "rewright.replay", "rewright.checks", "rewright.workers")
REFINING = (*SHARED, "rewright.terms", "rewright.graphs", "rewright.rules.decision")
REORDERING = (*SHARED, "rewright.loops", "rewright.rules.decision")
DECIDERS: dict[type, tuple[str, ...]] = {
    Rule: (*SHARED, "rewright.terms", "rewright.solve", "rewright.equality", "rewright.meaning", "rewright.rules"),
    Kernel: (*SHARED, "rewright.emit", "rewright.frontends", "rewright.kernels", "rewright.rules.decision"),
    Refinement: REFINING,
    RefinementFamily: REFINING,
    GraphLemma: REFINING,
    Nest: REORDERING,
    Transformation: REORDERING,
    TiledTransformation: REORDERING,
}
SEARCHERS = ("rewright.fixes", "rewright.syntax")
"""What decides, besides, which fixes are found."""

LIBRARIES: dict[type, tuple[str, ...]] = {
    Rule: ("z3-solver", "cvc5", "numpy", "python-flint"),
    Kernel: ("numpy", "tree-sitter", "tree-sitter-cuda"),
    Refinement: ("numpy", "python-flint"),
    RefinementFamily: ("numpy", "python-flint"),
    GraphLemma: ("numpy", "python-flint"),
    Nest: ("islpy",),
    Transformation: ("islpy",),
    TiledTransformation: ("islpy",),
}

UNREADABLE = "its source has errors"
"""Why a kernel is not checked whose source has errors that are reported elsewhere."""

LOWERING = 2
"""The priority of lowerings: before anything else, since they take moments."""


class How(Struct, frozen=True):
    """How declarations are understood: how rules are decided, and what kernels in sources are known to come to.

    `kernels` says how sources are read.
    """

    mode: Mode
    lowerings: Lowerings
    kernels: KernelSettings = NO_SETTINGS


class LoweringStatus(Struct, frozen=True):
    """How far the lowering of a kernel in a source has come.

    It rests on what was said under `keys`, and waits for `question`, None if for nothing. `settled`: nothing is asked
    and this is the answer, which is `lasting` unless no lowering was to be had. `remarks` are about the text of what is
    asked. Sites beyond those of the declaration are places in the `texts` that were lowered, as `asking` knows them.
    """

    keys: tuple[str, ...]
    question: Question | None
    settled: Answer | None
    lasting: bool
    remarks: tuple[Finding, ...]
    asking: NumberedQuestion | None
    texts: tuple[Text, ...]

    def places(self) -> tuple[InSource, ...]:
        """The places of the sites beyond those of the declaration."""
        return self.asking.places() if self.asking is not None else ()


class Planned(Struct, frozen=True):
    """What a declaration asks, in the texts of one snapshot.

    `keys` are the content keys of `asked`, in order. `looked` are the files in which what the build says of its source
    was looked for, each with its digest. `sources` maps each path that the declaration, or one of its
    sources, names to the file it means, there or not; `findings` are about sources that cannot be read, and then
    nothing is asked.
    """

    declared: Declared
    asked: tuple[Asked, ...]
    keys: tuple[str, ...]
    sources: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()
    lowering: LoweringStatus | None = None
    looked: tuple[tuple[str, str], ...] = ()

    @property
    def awaited(self) -> Question | None:
        """The lowering that is to be asked for before anything else, None if nothing is."""
        return self.lowering.question if self.lowering is not None else None

    def questions(self) -> tuple[Question, ...]:
        """The questions as the engine takes them."""
        return tuple(Question(key, asked.payload) for key, asked in zip(self.keys, self.asked, strict=True))


def plan(declared: Declared, path: str, reading: tuple[Reads, How], hints: Iterable[str] = ()) -> Planned:
    """What the declaration in the file at `path` asks; nothing if it has errors or is not supported.

    `hints` are sources that a kernel will probably look for.
    """
    try:
        return _plan(declared, path, reading, hints)
    except Exception as error:
        return Planned(declared, (), (), findings=(fault(error, Site(0)),))


def _plan(declared: Declared, path: str, reading: tuple[Reads, How], hints: Iterable[str]) -> Planned:
    sources, how = reading
    if declared.value is None or declared.has_errors or declared.unsupported:
        return Planned(declared, (), ())
    match declared.value:
        case Kernel(body=Foreign() as foreign):
            needed = of_declaration(declared, path, sources, how.kernels)
            done = step(needed, sources, how.lowerings, hints)
            made = _from_sources(declared, [(foreign.path, foreign.site)], done)
            return replace(made, looked=needed.build.looked)
        case ForeignGraph(path=source, site=site):
            return _present(declared, (source, site), gather((source,), path, sources))
        case ForeignRefinement(foreign=foreign_graphs):
            needed = of_refinement(declared, path)
            done = step(needed, sources, how.lowerings, hints)
            return _from_sources(declared, [(each.path, 0) for each in foreign_graphs], done)
        case ForeignNest() | ForeignTransformation() | WrittenTransformation() as asked:
            needed = of_nest(declared, path, sources, how.kernels)
            done = step(needed, sources, how.lowerings, hints)
            nest = read_first(asked)
            own = None if isinstance(asked, WrittenTransformation) else nest
            named = [(each.path, each.site if each is own else 0) for each in foreign_nests(nest)]
            return replace(_from_sources(declared, named, done), looked=needed.build.looked)
        case value:
            return _planned(declared, questions(value, how.mode))


def _planned(declared: Declared, asked: tuple[Asked, ...]) -> Planned:
    return Planned(declared, asked, tuple(key_of(type(declared.value), each.payload) for each in asked))


def _present(declared: Declared, named: tuple[str, int], gathered: Gathered) -> Planned:
    """What a declaration asks by itself that names a source at a site: nothing, but the source should be there."""
    path, site = named
    files = tuple(gathered.files.items())
    unreadable = gathered.unreadable.get(path)
    if unreadable is None:
        return Planned(declared, (), (), files)
    return Planned(declared, (), (), files, (Finding(UnreadableSource(path, unreadable), Severity.ERROR, Site(site)),))


def _from_sources(declared: Declared, named: Iterable[tuple[str, int]], done: LoweringStep) -> Planned:
    """What a declaration asks that needs the sources that are named at these sites."""
    for each in named:
        missing = _present(declared, each, done.gathered)
        if missing.findings:
            return missing
    assert not isinstance(done.known, OutlinedSource)
    return planned_from(declared, tuple(done.gathered.files.items()), done, done.known)


def planned_from(
    declared: Declared,
    files: tuple[tuple[str, str], ...],
    done: LoweringStep,
    known: LoweredKernel | ImportedRefinement | Answer | None,
) -> Planned:
    """What a declaration asks of whose lowering so much is known, which named these files."""
    texts = tuple(done.gathered.texts.values())
    waiting = LoweringStatus(done.keys, done.question, None, lasting=False, remarks=(), asking=None, texts=texts)
    match known:
        case None:
            return Planned(declared, (), (), files, (), waiting)
        case Answer():
            return Planned(declared, (), (), files, (), replace(waiting, settled=known))
        case LoweredKernel(None, problems) | ImportedRefinement(None, problems):
            answer = _refused(problems)
            lasting = answer.verdict is Verdict.UNKNOWN
            return Planned(declared, (), (), files, (), replace(waiting, settled=answer, lasting=lasting))
        case LoweredKernel(asking, problems) | ImportedRefinement(asking, problems):
            assert asking is not None
            asked = lowered(asking)
            lowering = replace(waiting, lasting=True, asking=asking, remarks=problems)
            return Planned(
                declared,
                (asked,),
                (key_of(_ASKED[declared.kind], asked.payload),),
                files,
                (),
                lowering,
            )
        case _:
            assert_never(known)


_ASKED = {
    DeclarationKind.KERNEL: Kernel,
    DeclarationKind.REFINEMENT: Refinement,
    DeclarationKind.LOOPS: Nest,
    DeclarationKind.TRANSFORM: Transformation,
}
"""What a declaration comes to whose sources were read."""


def _refused(problems: tuple[Finding, ...]) -> Answer:
    """The answer for a declaration whose sources give no question, with what keeps them from giving one."""
    said = [problem.diagnosis for problem in problems]
    for each in said:
        if isinstance(each, InternalError):
            return Answer(Verdict.ERROR, NOTHING, reason=each.detail, findings=problems)
    reasons = (each.reason for each in said if isinstance(each, NotChecked | NotDecided))
    return Answer(Verdict.UNKNOWN, NOTHING, reason=next(reasons, UNREADABLE), findings=problems)


def job(planned: Planned, path: str, budget: int, priority: int, number: int = 0) -> Job:
    """The engine's job for a declaration of the file at `path`, which of so many of its name comes before."""
    declared = planned.declared
    name = job_id(path, declared.kind, declared.name, number)
    return Job(name, planned.questions(), budget * declared.budget, priority)


def job_id(path: str, kind: str, name: str, number: int) -> str:
    """The id of the job for a declaration of the file at `path`, which of so many of its name comes before."""
    return digest(path, kind, name, str(number))


def lowering_job(question: Question) -> Job:
    """The engine's job for what is to be lowered before a declaration asks anything."""
    return Job(question.key, (question,), 1, LOWERING)


def key_of(kind: type, payload: str) -> str:
    """The content key of a question of a rule, a kernel, a refinement, a loop nest or a transform."""
    return digest(digest_of_deciders(DECIDERS[kind], LIBRARIES[kind]), payload)


def search_key_of(kind: type, payload: str) -> str:
    """The content key of the question which fixes there are for a rule or a kernel."""
    return digest(digest_of_deciders((*DECIDERS[kind], *SEARCHERS), LIBRARIES[kind]), payload)


def transform_key_of(payload: str) -> str:
    """The content key of the question how a nest is written in another order."""
    deciders = (*REORDERING, *SEARCHERS, "rewright.frontends")
    return digest(digest_of_deciders(deciders, ("islpy", "tree-sitter", "tree-sitter-c")), payload)


def facts_key_of(payload: str) -> str:
    """The content key of the question what the loops of a nest do."""
    return digest(digest_of_deciders(REORDERING, ("islpy",)), "facts", payload)
