"""From a kernel in a foreign source to the question that it asks: the text is lowered once, in a worker.

Invariant: the question says what the threads do and nothing of the text that says so. Names and places are numbered, so
an edit that only moves text, a comment, or a change of another function of the source asks what was asked before; what
the numbers stand for is returned beside it. Must not know files: sources come by value, what else is needed is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from rewright.checks.kernel_question import (
    FurtherLaunch,
    KernelPayload,
    LaunchLeftOut,
    LoweredKernel,
    LoweringPayload,
    NumberedQuestion,
    OutlinedSource,
    OutlinePayload,
    SourceEntry,
    refused,
)
from rewright.emit.problem import Problem
from rewright.frontends.lowered import Lowered
from rewright.frontends.outlined import OutlinedKernel as Outlined
from rewright.frontends.programs import lower, reads
from rewright.frontends.table import language_of
from rewright.model.body import Body
from rewright.model.canonical import canonical
from rewright.model.found_launch import FoundLaunch
from rewright.model.kernel import Foreign, Kernel, without_value
from rewright.model.placeless import Numbering
from rewright.model.simt.program import Program
from rewright.model.simt.wire import wired
from rewright.verdict import Finding, Site, fault
from rewright.verdict.codec import encode

UNREAD = "it cannot be read"

ONE_SITE = 1
"""How many sites a kernel has that is declared by its source: its name."""


def lower_kernel(payload: LoweringPayload) -> LoweredKernel:
    """What a kernel asks that is written in a source."""
    if further := _further_sources(payload):
        return LoweredKernel(None, (), further)
    lowered = lower(payload.kernel, _texts(payload), payload.preset)
    problems = tuple(_findings(lowered.problems))
    if lowered.program is None:
        return LoweredKernel(None, problems, lowered.read)
    launch = _Launch(payload.kernel, lowered.program, "", is_needed=True)
    return LoweredKernel(_asking([launch], (), payload.sites), problems, lowered.read)


def outline_source(payload: OutlinePayload) -> OutlinedSource:
    """The kernels of a source, with what those ask whose launch it says."""
    language = language_of(payload.path)
    assert language is not None, payload.path
    if further := _further_sources(payload):
        return OutlinedSource((), (), further)
    found = language.front_end().outline(payload.path, _texts(payload), payload.preset)
    lowered = {each.name: _lowered(each, payload) for each in found.kernels if each.launches}
    outside = tuple(_outside_kernels(found.problems, lowered.values()))
    kernels = tuple(_outlined(each, lowered.get(each.name), frozenset(outside)) for each in found.kernels)
    lost = (finding for each in found.kernels if not each.launches and not each.problems for finding in each.findings)
    read = (name for kernel in kernels if kernel.lowered is not None for name in kernel.lowered.read)
    problems = dict.fromkeys((*outside, *lost))
    return OutlinedSource(kernels, tuple(problems), tuple(dict.fromkeys((*found.read, *read))))


def _texts(payload: LoweringPayload | OutlinePayload) -> dict[str, str]:
    return {source.path: source.text for source in payload.sources}


def _further_sources(payload: LoweringPayload | OutlinePayload) -> tuple[str, ...]:
    """What a source looks for, if sources are among it that were not looked for yet: then it is to be asked again."""
    if payload.sought is None:
        return ()
    match payload:
        case OutlinePayload(path=path):
            read = reads(path, _texts(payload), {}, payload.preset)
        case LoweringPayload(kernel=Kernel(body=Foreign(path=path, defines=defines))):
            read = reads(path, _texts(payload), {each.name: each.value for each in defines}, payload.preset)
        case _:
            return ()
    return () if set(read) <= set(payload.sought) else read


class _Launch(NamedTuple):
    """A launch of a kernel, its program, how it is written, and whether a verdict needs it."""

    kernel: Kernel
    program: Program
    written: str
    is_needed: bool


def _lowered(outlined: Outlined, payload: OutlinePayload) -> LoweredKernel:
    """What a kernel asks that states its launches itself; an internal error in it is reported for this kernel only."""
    try:
        return _launched(outlined, payload)
    except MemoryError:
        raise  # that is no fault, but the limit of the worker
    except Exception as error:
        return LoweredKernel(None, (fault(error, Site(0)),), ())


def _launched(outlined: Outlined, payload: OutlinePayload) -> LoweredKernel:
    """The launches that can be lowered, if one that is needed can."""
    sources = _texts(payload)
    lowered = [lower(each.kernel, sources, payload.preset) for each in outlined.launches]
    read = tuple(dict.fromkeys(name for each in lowered for name in each.read))
    problems = tuple(dict.fromkeys(_findings(problem for each in lowered for problem in each.problems)))
    made = [
        _Launch(said.kernel, each.program, said.written, said.is_needed)
        for said, each in zip(outlined.launches, lowered, strict=True)
        if each.program is not None
    ]
    if not any(each.is_needed for each in made):
        return LoweredKernel(None, problems, read)
    return LoweredKernel(_asking(made, tuple(_left_out(outlined, lowered)), ONE_SITE), problems, read)


def _left_out(outlined: Outlined, lowered: Iterable[Lowered]) -> Iterator[LaunchLeftOut]:
    """The launches whose sizes are not known, and those that cannot be lowered."""
    for said, each in zip(outlined.launches, lowered, strict=True):
        if each.program is None:
            yield LaunchLeftOut(said.written, each.problems[0].reason if each.problems else UNREAD)
    yield from (LaunchLeftOut(each.launch, each.reason) for each in outlined.left_out)


def _outside_kernels(problems: Iterable[Problem], lowered: Collection[LoweredKernel]) -> Iterator[Finding]:
    """What is wrong outside of kernels, unless no kernel is read so: with the macros that its launch defines."""
    for finding in _findings(problems):
        if not lowered or any(finding in kernel.problems for kernel in lowered):
            yield finding


def _outlined(found: Outlined, lowered: LoweredKernel | None, reported: frozenset[Finding]) -> SourceEntry:
    """A kernel of a source; `reported` are the findings that the source has already."""
    if lowered is None:
        lowered = LoweredKernel(None, tuple(_said(found)), ()) if found.problems else None
    else:
        known = reported if lowered.asking is not None else frozenset()
        problems = tuple(problem for problem in lowered.problems if problem not in known)
        lowered = replace(lowered, problems=(*problems, *_said(found)))
    place = found.place
    why = found.unlaunched if lowered is None else ""
    return SourceEntry(
        found.name,
        place.start,
        place.end,
        found.insert,
        found.comment,
        lowered,
        found.budget,
        why,
        tuple(FoundLaunch(each.shown, each.written.strip("`"), _free(each.kernel)) for each in found.launches),
    )


def _free(kernel: Kernel) -> tuple[str, ...]:
    """The names of the integers of a launch that nothing gives a value."""
    free = without_value(kernel.sizes, kernel.parameters)
    return tuple(str(name) for name, scalar in free.items() if scalar.is_integer)


def _said(found: Outlined) -> Iterable[Finding]:
    """What is said of how a kernel is launched."""
    return (*_findings(found.problems), *found.findings)


def _findings(problems: Iterable[Problem]) -> Iterable[Finding]:
    return (refused(problem.reason, problem.place) for problem in problems)


def _asking(launches: list[_Launch], left_out: tuple[LaunchLeftOut, ...], sites: int) -> NumberedQuestion:
    """The question of a kernel in a source with its launches, the first that is needed before the others."""
    numbering = Numbering(sites)
    first, *others = sorted(launches, key=lambda each: not each.is_needed)
    program = wired(first.program, numbering)
    further = tuple(_further(each, first.program, numbering) for each in others)
    asked = KernelPayload(_bare(first.kernel), program, first.written if others else "", further, left_out)
    value, names = canonical(asked)
    paths = {place.path: None for place in numbering.places}
    numbers = {path: number for number, path in enumerate(paths)}
    spans = " ".join(f"{numbers[place.path]} {place.start} {place.end}" for place in numbering.places)
    return NumberedQuestion(encode(value), names, tuple(paths), spans)


def _further(launch: _Launch, first: Program, numbering: Numbering) -> FurtherLaunch:
    program = None if launch.program == first else wired(launch.program, numbering)
    return FurtherLaunch(_bare(launch.kernel), program, launch.written, launch.is_needed)


def _bare(kernel: Kernel) -> Kernel:
    """The kernel without the text that it was made from."""
    return replace(kernel, body=Body((), (), (), ()))
