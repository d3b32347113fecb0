"""Kernels of documents whose launches are said by comments: lowered, and run once."""

from __future__ import annotations

from collections.abc import Mapping

from rewright.frontends.cuda.launches.outline import outline
from rewright.frontends.cuda.lower.kernel import lower_cuda
from rewright.frontends.lowered import Lowered
from rewright.kernels.execution.run import Machine, RunOutcome
from rewright.model.body import Expression, Integer
from rewright.model.index import Name
from rewright.model.kernel import Foreign, Kernel
from rewright.model.simt.violation import Setting, Triple
from rewright.verdict import InSource, Place

STEPS = 1_000_000


def the_kernel(document: str, name: str) -> Kernel:
    """The kernel of a document with this name, whose launch must be known."""
    (outlined,) = (each for each in outline("k.cu", {"k.cu": document}).kernels if each.name == name)
    assert outlined.kernel is not None, (outlined.findings, outlined.problems)
    return outlined.kernel


def documented(document: str, name: str) -> Lowered:
    """What the front end makes of a kernel of a document."""
    kernel = the_kernel(document, name)
    assert isinstance(kernel.body, Foreign)
    return lower_cuda(kernel, kernel.body, {"k.cu": document})


def ran(document: str, contents: Mapping[str, tuple[int | float, ...]], name: str) -> RunOutcome:
    """What one run of a kernel's first block shows, for a launch by literals."""
    kernel, lowered = the_kernel(document, name), documented(document, name)
    assert lowered.program is not None, [(each.reason, shown(document, each.place)) for each in lowered.problems]
    filled = tuple((Name(name), values) for name, values in contents.items())
    setting = Setting(_triple(kernel.launch.grid), _triple(kernel.launch.block), (), filled)
    return Machine(lowered.program).run(setting, (0, 0, 0), STEPS)


def _triple(sizes: tuple[Expression, ...]) -> Triple:
    x, y, z = (*(size.value for size in sizes if isinstance(size, Integer)), 1, 1)[:3]
    return x, y, z


def shown(document: str, place: Place) -> str:
    """The text at a place of a document."""
    assert isinstance(place, InSource)
    return document.encode()[place.start : place.end].decode()
