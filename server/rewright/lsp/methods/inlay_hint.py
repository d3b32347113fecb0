"""`textDocument/inlayHint`: the verdict after the first line of each declaration, and of each kernel in its source; how
ranks hold the tensors of a graph, after the lines that compute them."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.held import held_in
from rewright.lsp.positions import line_end, offset_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.model.source_kind import SourceKind
from rewright.report.document import FileReport, Result
from rewright.report.faults import shown
from rewright.report.held import held
from rewright.report.label import inlay
from rewright.report.summary import counted, leading
from rewright.syntax.nodes import Assign, GraphDecl, Name
from rewright.syntax.text import Span

METHOD = types.TEXT_DOCUMENT_INLAY_HINT

LONGEST_LINE = 80
"""Columns of a kernel's line that has its verdict after it: past the window's edge nobody reads it. The lens above the
kernel has it in any case."""


def handle(server: RewrightServer, params: types.InlayHintParams) -> list[types.InlayHint]:
    """The hints of the declarations named within the range; tooltips are made when they are looked at."""
    session = server.session
    file = session.workspace.file(path_of(params.text_document.uri))
    if file is None or not session.settings.verdict_hints:
        return []
    start, end = (offset_of(file.text, at, session.client.encoding) for at in (params.range.start, params.range.end))
    inside = [(name, results) for name, results in _verdicts(session, file) if start <= name.end and name.start <= end]
    hints = [_hint(session, file, name, results) for name, results in inside]
    hints += _placements(session, file, Span(start, end))
    if file.kind is SourceKind.DECLARATIONS or not session.client.shows_lenses:
        return hints
    return [hint for hint in hints if hint.position.character <= LONGEST_LINE]


def _verdicts(session: Session, file: FileReport) -> Iterator[tuple[Span, list[Result]]]:
    """The verdicts that are shown after each name."""
    if file.kind is SourceKind.DECLARATIONS:
        yield from ((result.name_span, [result]) for result in file.results if counted(result))
    for kernel, results in session.workspace.kernels(file.path):
        if results:
            yield Span(kernel.start, kernel.end), list(results)


def _placements(session: Session, file: FileReport, within: Span) -> Iterator[types.InlayHint]:
    """The placement after each assignment of a graph whose refinement is answered, in the range."""
    parsed, model = session.workspace.parsed(file.path), session.workspace.model(file.path)
    if parsed is None or model is None:
        return
    for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
        if not isinstance(placed.node, GraphDecl) or placed.span.end < within.start or placed.span.start > within.end:
            continue
        known = held_in(session, file.path, placed, declared)
        for item in placed.node.items:
            if isinstance(item, Assign) and isinstance(item.target, Name) and item.target.text in known:
                found = known[item.target.text]
                end = placed.span.start + item.span.end
                position = line_end(file.text, end, session.client.encoding)
                tooltip = types.MarkupContent(types.MarkupKind.Markdown, held(found.tensor, found.mesh, found.whole))
                yield types.InlayHint(position, found.tensor.placements, padding_left=True, tooltip=tooltip)


def _hint(session: Session, file: FileReport, name: Span, results: list[Result]) -> types.InlayHint:
    """The hint for the results of a name: the worst of several."""
    result = leading(results)
    said = shown(result, inlay)
    label = said if len(results) == 1 else f"{said} ({len(results)} declarations)"
    data = {"path": result.path, "name": result.name}
    position = line_end(file.text, name.end, session.client.encoding)
    return types.InlayHint(position, label, padding_left=True, data=data)
