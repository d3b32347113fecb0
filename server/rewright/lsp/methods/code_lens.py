"""`textDocument/codeLens`: above a file of declarations, how they stand; a click checks them, or stops that.

Above each kernel of a source, its verdict with the launch that was found and what that leaves free; where none is
known, a click gives it one. Above what has a counterexample, what shows that. Above a loop nest of a file that has no
transform, another order.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

from lsprotocol import types

from rewright.lsp.commands import CHECK, GIVE_LAUNCH, REORDER, SHOW, STOP
from rewright.lsp.panel_lenses import lenses
from rewright.lsp.positions import range_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of, uri_of
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.source_kind import SourceKind
from rewright.report.document import FileReport, Result
from rewright.report.label import mark
from rewright.report.launched import in_line
from rewright.report.summary import counted, is_unchecked, leading
from rewright.syntax.text import Span
from rewright.verdict import Verdict
from rewright.writing.loop_orders import loop_orders

GIVE = "Rewright: give a launch"


def handle(server: RewrightServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """One lens per file of declarations, one per kernel of a source, and one per counterexample."""
    uri = params.text_document.uri
    return [*_lenses(server.session, uri), *lenses(server.session, uri), *_orders(server.session, uri)]


def _orders(session: Session, uri: str) -> Iterator[types.CodeLens]:
    """Another order of each nest that is proved, as long as no nest of the file has a transform."""
    path = path_of(uri)
    file = session.viewed.file(path)
    if file is None or any(each.kind == DeclarationKind.TRANSFORM for each in file.results):
        return
    for result in file.results:
        if result.kind != DeclarationKind.LOOPS or result.verdict is not Verdict.PROVED:
            continue
        found = session.workspace.nests.at(path, result.name_span.start)
        orders = loop_orders(found.nest) if found is not None and found.nest is not None else ()
        for each in orders[:1]:
            title = f"Rewright: insert it {each.title[0].lower()}{each.title[1:]}"
            command = types.Command(title, REORDER, arguments=[uri, result.name, each.schedule])
            yield types.CodeLens(range_of(file.text, result.name_span, session.client.encoding), command)


def _lenses(session: Session, uri: str) -> Iterator[types.CodeLens]:
    path = path_of(uri)
    file = session.viewed.file(path)
    if file is None:
        return
    standing = _standing(file, uri)
    if standing is not None:
        yield types.CodeLens(types.Range(types.Position(0, 0), types.Position(0, 0)), standing)
    for kernel, results in session.viewed.kernels(path):
        if not results and not kernel.launch:
            continue
        command = (
            _known(path, uri, results, in_line(kernel.launches))
            if results
            else types.Command(GIVE, GIVE_LAUNCH, arguments=[uri, kernel.name])
        )
        span = Span(kernel.start, kernel.end)
        yield types.CodeLens(range_of(file.text, span, session.client.encoding), command)


def _standing(file: FileReport, uri: str) -> types.Command | None:
    """How many declarations have which verdict; nothing for a source or a file without any."""
    results = [each for each in file.results if counted(each)]
    if file.kind is not SourceKind.DECLARATIONS or not results:
        return None
    checking = sum(each.verdict is None and not is_unchecked(each) for each in results)
    if checking:
        return types.Command(f"Rewright: checking {checking} of {len(results)} · stop", STOP)
    counts = Counter("not checked" if each.verdict is None else each.verdict.value for each in results)
    parts = [f"{counts[word]} {word}" for word in (*Verdict, "not checked") if counts[word]]
    return types.Command(f"Rewright: {', '.join(parts)} · check", CHECK, arguments=[uri])


def _known(path: str, uri: str, results: tuple[Result, ...], launched: str) -> types.Command:
    """What is known of a kernel; a click goes to its declaration, or has it checked where it has none."""
    lead = leading(results)
    verdict = f"{mark(lead.verdict)} {lead.verdict}" if lead.verdict is not None else "not checked"
    if lead.path == path:
        title = f"Rewright: {verdict} · {launched}" if launched else f"Rewright: {verdict}"
        return types.Command(title, CHECK, arguments=[uri])
    title = f"Rewright: {verdict}, declared in {os.path.basename(lead.path)}"
    return types.Command(title, SHOW, arguments=[uri_of(lead.path), lead.name])
