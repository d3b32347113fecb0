"""What stands at a place of a document: its declaration.

Invariant: spans are of the file here; those of the model, which count from a declaration's start, are shifted once.
Must not know what is shown of it.
"""

from __future__ import annotations

from lsprotocol import types
from msgspec import Struct

from rewright.lsp.positions import offset_of
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.model.declared import Declared
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Text


class Spot(Struct, frozen=True):
    """An offset in a declaration, from the declaration's start."""

    text: Text
    placed: Placed
    declared: Declared
    offset: int


def spot_at(session: Session, uri: str, position: types.Position) -> Spot | None:
    """The declaration at a position; None between declarations and in documents that hold none."""
    path = path_of(uri)
    parsed, model = session.workspace.parsed(path), session.workspace.model(path)
    if parsed is None or model is None:
        return None
    offset = offset_of(parsed.text, position, session.client.encoding)
    for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
        if placed.span.contains(offset):
            return Spot(parsed.text, placed, declared, placed.local(offset))
    return None
