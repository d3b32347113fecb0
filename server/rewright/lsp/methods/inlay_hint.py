"""`textDocument/inlayHint`: the verdict after the first line of each declaration, and of each kernel in its source; how
ranks hold the tensors of a graph, after the lines that compute them."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.positions import line_end, offset_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.model.source_kind import SourceKind
from rewright.report.document import FileReport, Result
from rewright.report.faults import shown
from rewright.report.label import inlay
from rewright.report.summary import counted, leading
from rewright.syntax.text import Span

LONGEST_LINE = 80
"""Columns of a kernel's line that has its verdict after it: past the window's edge nobody reads it. The lens above the
kernel has it in any case."""


def handle(server: RewrightServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints of the declarations named within the range; tooltips are made when they are looked at."""
    session = server.session
    file = session.viewed.file(path_of(params.text_document.uri))
    if file is None or not session.settings.verdict_hints:
        return []
    start, end = (offset_of(file.text, at, session.client.encoding) for at in (params.range.start, params.range.end))
    inside = [(name, results) for name, results in _verdicts(session, file) if start <= name.end and name.start <= end]
    hints = [_hint(session, file, name, results) for name, results in inside]
    if session.awake is not None:
        from rewright.lsp.placements import placements

        hints += placements(session, file, Span(start, end))
    if file.kind is SourceKind.DECLARATIONS or not session.client.shows_lenses:
        return hints
    return [hint for hint in hints if hint.position.character <= LONGEST_LINE]


def _verdicts(session: Session, file: FileReport) -> Iterator[tuple[Span, list[Result]]]:
    """The verdicts that are shown after each name."""
    if file.kind is SourceKind.DECLARATIONS:
        yield from ((result.name_span, [result]) for result in file.results if counted(result))
    for kernel, results in session.viewed.kernels(file.path):
        if results:
            yield Span(kernel.start, kernel.end), list(results)


def _hint(session: Session, file: FileReport, name: Span, results: list[Result]) -> types.InlayHint:
    """The hint for the results of a name: the worst of several."""
    result = leading(results)
    said = shown(result, inlay)
    label = said if len(results) == 1 else f"{said} ({len(results)} declarations)"
    data = {"path": result.path, "name": result.name}
    position = line_end(file.text, name.end, session.client.encoding)
    return types.InlayHint(position, label, padding_left=True, data=data)
