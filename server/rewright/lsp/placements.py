"""How ranks hold the tensors of a graph, as hints after the lines that compute them."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.held import held_in
from rewright.lsp.positions import line_end
from rewright.lsp.session import Session
from rewright.model.check_graph.statements import assignments
from rewright.report.document import FileReport
from rewright.report.held import held
from rewright.syntax.nodes import Assign, GraphDecl, Name
from rewright.syntax.text import Span


def placements(session: Session, file: FileReport, within: Span) -> Iterator[types.InlayHint]:
    """The placement after each assignment of a graph whose refinement is answered, in the range."""
    parsed, model = session.workspace.parsed(file.path), session.workspace.model(file.path)
    if parsed is None or model is None:
        return
    for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
        if not isinstance(placed.node, GraphDecl) or placed.span.end < within.start or placed.span.start > within.end:
            continue
        known = held_in(session, file.path, placed, declared)
        for item in assignments(placed.node.items):
            if isinstance(item, Assign) and isinstance(item.target, Name) and item.target.text in known:
                found = known[item.target.text]
                end = placed.span.start + item.span.end
                position = line_end(file.text, end, session.client.encoding)
                tooltip = types.MarkupContent(types.MarkupKind.Markdown, held(found.tensor, found.mesh, found.whole))
                yield types.InlayHint(position, found.tensor.placements, padding_left=True, tooltip=tooltip)
