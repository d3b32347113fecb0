"""What opens the panel of a counterexample: a line above what has one, and a command.

A client that can show it offers the command `rewright.showCounterexample`, which takes a URI and a name. Must not know
what the panel shows.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.positions import range_of
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.report.document import Result
from rewright.syntax.text import Span

SHOW = "rewright.showCounterexample"
"""The client's command."""

TITLE = "Show the counterexample"


def opening(session: Session, result: Result) -> types.Command | None:
    """The command that shows a declaration's counterexample; None if it has none, or the client has no panel."""
    leading = result.leading
    if SHOW not in session.client.commands or leading is None or leading.answer is None:
        return None
    if leading.answer.witness is None:
        return None
    return types.Command(TITLE, SHOW, arguments=[session.buffers.uri(result.path), result.name])


def lenses(session: Session, uri: str) -> Iterator[types.CodeLens]:
    """A line above what has a counterexample: a declaration, and a kernel that another file declares."""
    path = path_of(uri)
    file = session.viewed.file(path)
    if file is None:
        return
    named = [(result.name_span, result) for result in file.results]
    for kernel, results in session.viewed.kernels(path):
        named += [(Span(kernel.start, kernel.end), each) for each in results if each.path != path]
    for span, result in named:
        if (command := opening(session, result)) is not None:
            yield types.CodeLens(range_of(file.text, span, session.client.encoding), command)
