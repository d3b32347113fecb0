"""From a kernel in a foreign source to the question that it asks: the text is lowered once, in a worker.

Invariant: the question says what the threads do and nothing of the text that says so. Names and places are numbered, so
an edit that only moves text, a comment, or a change of another function of the source asks what was asked before; what
the numbers stand for is told beside it. Must not know files: sources come by value, and what else is wanted is told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from rewright.checks.kernel_question import (
    Asking,
    KernelPayload,
    LoweredKernel,
    LoweringPayload,
    OutlinedKernel,
    OutlinedSource,
    OutlinePayload,
    refused,
)
from rewright.kernels.front import Problem, lower
from rewright.model.body import Body
from rewright.model.canonical import canonical
from rewright.model.kernel import Kernel
from rewright.model.placeless import Numbering
from rewright.model.simt.program import Program
from rewright.model.simt.wire import wired
from rewright.verdict import Finding
from rewright.verdict.codec import encode

if TYPE_CHECKING:
    from rewright.kernels.cuda.outline import OutlinedKernel as Outlined

ONE_SITE = 1
"""How many sites a kernel has that is declared by its source: its name."""


def lower_kernel(payload: LoweringPayload) -> LoweredKernel:
    """What a kernel asks that is written in a source."""
    sources = {source.path: source.text for source in payload.sources}
    lowered = lower(payload.kernel, sources, payload.preset)
    problems = tuple(_findings(lowered.problems))
    if lowered.program is None:
        return LoweredKernel(None, problems, lowered.read)
    return LoweredKernel(_asking(payload.kernel, lowered.program, payload.sites), problems, lowered.read)


def outline_source(payload: OutlinePayload) -> OutlinedSource:
    """The kernels of a source, with what those ask whose launch it says."""
    from rewright.kernels.cuda.outline import outline

    sources = {source.path: source.text for source in payload.sources}
    found = outline(payload.path, sources, payload.preset)
    lowered = {each.name: _lowered(each.kernel, payload) for each in found.kernels if each.kernel is not None}
    told = tuple(_told(found.problems, lowered.values()))
    kernels = tuple(_outlined(each, lowered.get(each.name), frozenset(told)) for each in found.kernels)
    lost = (finding for each in found.kernels if each.kernel is None and not each.problems for finding in each.findings)
    read = (name for kernel in kernels if kernel.lowered is not None for name in kernel.lowered.read)
    problems = dict.fromkeys((*told, *lost))
    return OutlinedSource(kernels, tuple(problems), tuple(dict.fromkeys((*found.read, *read))))


def _lowered(kernel: Kernel, payload: OutlinePayload) -> LoweredKernel:
    return lower_kernel(LoweringPayload(kernel, ONE_SITE, payload.sources, payload.preset))


def _told(problems: Iterable[Problem], lowered: Collection[LoweredKernel]) -> Iterator[Finding]:
    """What is wrong outside of kernels, unless no kernel is read so: with the macros that its launch defines."""
    for finding in _findings(problems):
        if not lowered or any(finding in kernel.problems for kernel in lowered):
            yield finding


def _outlined(found: Outlined, lowered: LoweredKernel | None, told: frozenset[Finding]) -> OutlinedKernel:
    """A kernel of a source of which so much is told already."""
    if lowered is None:
        lowered = LoweredKernel(None, tuple(_said(found)), ()) if found.problems else None
    else:
        known = told if lowered.asking is not None else frozenset()
        problems = tuple(problem for problem in lowered.problems if problem not in known)
        lowered = replace(lowered, problems=(*problems, *_said(found)))
    place = found.place
    return OutlinedKernel(found.name, place.start, place.end, found.insert, found.suggestion, lowered)


def _said(found: Outlined) -> Iterable[Finding]:
    """What is said of how a kernel is launched."""
    return (*_findings(found.problems), *found.findings)


def _findings(problems: Iterable[Problem]) -> Iterable[Finding]:
    return (refused(problem.reason, problem.place) for problem in problems)


def _asking(kernel: Kernel, program: Program, sites: int) -> Asking:
    numbering = Numbering(sites)
    bare = replace(kernel, body=Body((), (), (), ()))
    value, names = canonical(KernelPayload(bare, wired(program, numbering)))
    paths = {place.path: None for place in numbering.places}
    numbers = {path: number for number, path in enumerate(paths)}
    spans = " ".join(f"{numbers[place.path]} {place.start} {place.end}" for place in numbering.places)
    return Asking(encode(value), names, tuple(paths), spans)
