"""From a kernel in a foreign source to the question that it asks: the text is lowered once, in a worker.

Invariant: the question says what the threads do and nothing of the text that says so. Names and places are numbered, so
an edit that only moves text, a comment, or a change of another function of the source asks what was asked before; what
the numbers stand for is told beside it. Must not know files: sources come by value, and what else is wanted is told.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rewright.checks.kernel_findings import refused
from rewright.checks.kernel_question import (
    Asking,
    KernelPayload,
    LoweredKernel,
    LoweringPayload,
    OutlinedSource,
    OutlinePayload,
)
from rewright.kernels.front import Problem, lower
from rewright.model.body import Body
from rewright.model.canonical import canonical
from rewright.model.kernel import Foreign, Kernel
from rewright.model.placeless import Numbering, placeless
from rewright.verdict import Finding
from rewright.verdict.codec import encode


def lower_kernel(payload: LoweringPayload) -> LoweredKernel:
    """What a kernel asks that is written in a source."""
    sources = {source.path: source.text for source in payload.sources}
    program, problems = lower(payload.kernel, sources)
    read = (payload.kernel.body.path,) if isinstance(payload.kernel.body, Foreign) else ()
    if program is None:
        return LoweredKernel(None, tuple(_findings(problems)), read)
    return LoweredKernel(_asking(payload.kernel, program, payload.sites), (), read)


def outline_source(payload: OutlinePayload) -> OutlinedSource:
    """The kernels of a source, with what those ask whose launch it says."""
    return OutlinedSource((), (), (payload.path,))


def _findings(problems: Iterable[Problem]) -> Iterable[Finding]:
    return (refused(problem.reason, problem.place) for problem in problems)


def _asking(kernel: Kernel, program: Body, sites: int) -> Asking:
    numbering = Numbering(sites)
    body = placeless(program, numbering)
    value, names = canonical(KernelPayload(replace(kernel, body=body)))
    paths = {place.path: None for place in numbering.places}
    numbers = {path: number for number, path in enumerate(paths)}
    spans = (part for place in numbering.places for part in (numbers[place.path], place.start, place.end))
    return Asking(encode(value), names, tuple(paths), tuple(spans))
