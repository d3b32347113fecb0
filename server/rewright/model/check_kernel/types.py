"""Types of elements and variables written in a kernel: machine types and `pred`. Must not know what has them."""

from __future__ import annotations

from rewright.model.notes import Notes
from rewright.model.simt.types import Scalar
from rewright.syntax.nodes import TypeRef
from rewright.verdict.diagnostics.names import UnknownElementType

ACCEPTED = ", ".join(f"`{scalar}`" for scalar in Scalar)


def scalar_type(notes: Notes, written: TypeRef) -> Scalar | None:
    """The element type that is written, None (noted) if it is none that a kernel has."""
    if written.element is None:
        return None
    try:
        return Scalar(written.element.text)
    except ValueError:
        notes.error(UnknownElementType(written.element.text, ACCEPTED), written.element.span)
        return None
