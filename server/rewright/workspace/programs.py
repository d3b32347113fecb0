"""Kernels of a source as they were lowered, with where their places are in its text.

Invariant: what is told is of the text as it stands; while that is being lowered, there is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from rewright.checks.kernel_question import KernelPayload
from rewright.checks.table import named
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.kernel import Kernel
from rewright.model.simt.program import Program
from rewright.model.simt.wire import unwired
from rewright.syntax.text import Text
from rewright.verdict import InSource, Place, Site
from rewright.verdict.codec import decode
from rewright.workspace.jobs import Planned


class WrittenKernel(Struct, frozen=True):
    """A kernel as it was lowered from a text: its declaration, its program, and what is planned with it.

    Of `several` launches these are those of the first one; others may have other sizes.
    """

    text: Text
    kernel: Kernel
    program: Program
    planned: Planned
    several: bool

    def at(self, place: Place | None) -> InSource | None:
        """Where a place is, if it is in the text."""
        lowering, own = self.planned.lowering, len(self.planned.declared.sites)
        if not isinstance(place, Site) or lowering is None or place.number < own:
            return None
        found = lowering.places()[place.number - own]
        return found if dict(self.planned.sources).get(found.path) == self.text.uri else None


def written_kernels(planned: Iterable[Planned], text: Text) -> Iterator[WrittenKernel]:
    """The kernels that were lowered from this text."""
    for each in planned:
        if each.declared.kind is not DeclarationKind.KERNEL:
            continue
        lowered = each.lowering.texts if each.lowering is not None else ()
        if each.asked and any(found.digest == text.digest and found.uri == text.uri for found in lowered):
            payload: KernelPayload = decode(KernelPayload, named(each.asked[0].payload, each.asked[0].names))
            if payload.program is not None:
                yield WrittenKernel(text, payload.kernel, unwired(payload.program), each, bool(payload.further))
