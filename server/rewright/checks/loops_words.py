"""Operations and elements of loop nests as text, for findings and witnesses."""

from __future__ import annotations

from rewright.model.nest_text import cell_text, statement_name, values_text
from rewright.replay.loops.running import Element, ExecutedOperation


def operation_text(operation: ExecutedOperation) -> str:
    """`S at t = 0, i = 4`."""
    name = statement_name(operation.statement)
    return f"{name} at {values_text(operation.iteration)}" if operation.iteration else name


def element_text(element: Element | int | None) -> str:
    """`A[2, 1]`; a plain value as its number, empty if there is none."""
    if element is None:
        return ""
    return str(element) if isinstance(element, int) else cell_text(*element)


def writer_text(operation: ExecutedOperation | None) -> str:
    """The operation, or that there is none."""
    return operation_text(operation) if operation is not None else "the initial value"
