"""Which declaration a line belongs to."""

from __future__ import annotations

from rewright.lsp.session import Session
from rewright.report.summary import counted


def declared_at(session: Session, path: str, line: int) -> tuple[tuple[str, str], ...]:
    """The path and the name of the last declaration that begins at or above a line; of a source, of all that its
    kernel is asked about by. Nothing if there is none."""
    file = session.workspace.file(path)
    if file is None:
        return ()
    begun = [each for each in file.results if counted(each) and file.text.position(each.span.start).line <= line]
    last = [(begun[-1].path, begun[-1].name)] if begun else []
    kernels = session.workspace.kernels(path)
    above = [results for kernel, results in kernels if file.text.position(kernel.start).line <= line]
    return tuple((each.path, each.name) for each in above[-1]) if above else tuple(last)
