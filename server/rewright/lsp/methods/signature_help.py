"""`textDocument/signatureHelp`: how the operator around a place is called, and the argument that is being written."""

from __future__ import annotations

from lsprotocol import types

from rewright.lsp.server import RewrightServer
from rewright.lsp.typed import writing_at
from rewright.model.operator_table import ROWS
from rewright.writing.operator_page import page
from rewright.writing.signature import CallHelp, CallPart, signature


def handle(server: RewrightServer, params: types.SignatureHelpParams) -> types.SignatureHelp | None:
    """The innermost call around the position; None outside of all."""
    writing = writing_at(server.session, params.text_document.uri, params.position)
    found = signature(writing.place, writing.around.scope) if writing is not None else None
    if found is None:
        return None
    return types.SignatureHelp([_information(found, server.session.client.label_offsets)], 0, found.active)


def _information(found: CallHelp, offsets: bool) -> types.SignatureInformation:
    text = page(ROWS[found.page]) if found.page in ROWS else found.meaning
    return types.SignatureInformation(
        found.label,
        types.MarkupContent(types.MarkupKind.Markdown, text) if text else None,
        [types.ParameterInformation(_label(found, each, offsets)) for each in found.parameters],
        found.active,
    )


def _label(found: CallHelp, parameter: CallPart, offsets: bool) -> str | tuple[int, int]:
    """Where a parameter stands in the signature, whose characters are one unit of UTF-16 each; or what it is."""
    return (parameter.start, parameter.end) if offsets else found.label[parameter.start : parameter.end]
