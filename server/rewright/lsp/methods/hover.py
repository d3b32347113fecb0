"""`textDocument/hover`: what a name or an operator is; what is known of a declaration, and of a place that is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from lsprotocol import types

from rewright.lsp.diagnostics import ends
from rewright.lsp.formulas import formula_of, shorter_condition
from rewright.lsp.held import held_in
from rewright.lsp.names import Spot, spot_at
from rewright.lsp.positions import offset_of
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.shared_memory import inside
from rewright.lsp.uris import path_of
from rewright.model.check_graph.opaque_calls import opaque_text
from rewright.model.declared import Symbol, SymbolKind
from rewright.model.graph import OpaqueOperator
from rewright.model.nest_facts import LoopFacts, StatementFacts
from rewright.model.operator_table import ROWS
from rewright.report.document import Result
from rewright.report.faults import shown
from rewright.report.formulas.text import text
from rewright.report.held import held
from rewright.report.launched import listed
from rewright.report.markdown import hover
from rewright.report.nest_facts_markdown import loop_markdown, statement_markdown
from rewright.report.quoted import quoted
from rewright.report.tables import code
from rewright.report.weaker import tables
from rewright.writing.graph_calls import GRAPH_CALLS
from rewright.writing.operator_page import page
from rewright.writing.words import explained, word_around

INCLUDE = re.compile(rb'[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"')


def handle(server: RewrightServer, params: types.HoverParams) -> types.Hover | None:
    """The verdicts that speak of the place, and below them what the text says there."""
    spot = spot_at(server.session, params.text_document.uri, params.position)
    parts = [
        *_verdicts(server.session, params),
        *_launches(server.session, params),
        *inside(server.session, path_of(params.text_document.uri), params.position),
        *_loops(server.session, params),
        *_included(server.session, params),
        *(_meaning(spot) if spot is not None else ()),
        *(_opaque(server.session, path_of(params.text_document.uri), spot) if spot is not None else ()),
        *(_held(server.session, path_of(params.text_document.uri), spot) if spot is not None else ()),
    ]
    if not parts:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(parts)))


def _meaning(spot: Spot) -> Iterator[str]:
    symbol = spot.declared.symbol_at(spot.offset)
    use = spot.declared.operator_at(spot.offset)
    if symbol is not None and symbol.kind is not SymbolKind.DECLARATION:
        yield _name(symbol)
    elif use is not None and use.operator in ROWS:
        formula = formula_of(spot)
        if formula is not None:
            yield f"```\n{text(formula)}\n```"
        yield page(ROWS[use.operator])
    elif symbol is not None and spot.declared.doc:
        yield quoted(spot.declared.doc)
    elif symbol is None:
        yield from _word(spot)
    condition = shorter_condition(spot)
    if condition is not None:
        yield f"The same condition, shorter:\n```rw\n{condition}\n```"


def _held(session: Session, path: str, spot: Spot) -> Iterator[str]:
    """What the ranks hold of the tensor at the place."""
    symbol = spot.declared.symbol_at(spot.offset)
    if symbol is not None and symbol.kind is SymbolKind.TENSOR:
        found = held_in(session, path, spot.placed, spot.declared).get(symbol.name)
        if found is not None:
            yield held(found.tensor, found.mesh, found.whole)


def _word(spot: Spot) -> Iterator[str]:
    """What a word of the language means, if one is at the place."""
    word = word_around(spot.text.data[spot.placed.start : spot.placed.span.end], spot.offset)
    kind = spot.placed.node.head.word.text
    call = GRAPH_CALLS.get(word) if kind in ("graph", "refine") else None
    meaning = call.meaning if call is not None else explained(word, kind)
    if meaning:
        yield f"`{word}`: {meaning}"


def _opaque(session: Session, path: str, spot: Spot) -> Iterator[str]:
    """The shapes of the opaque operator that the word is."""
    word = word_around(spot.text.data[spot.placed.start : spot.placed.span.end], spot.offset)
    model = session.workspace.model(path)
    for declared in model.declarations if model is not None else ():
        if isinstance(declared.value, OpaqueOperator) and declared.name == word:
            yield f"`{opaque_text(declared.value)}`: of this operator only the shapes are known, and what lemmas say"
            if declared.doc and declared is not spot.declared:
                yield quoted(declared.doc)


def _name(symbol: Symbol) -> str:
    count = len(symbol.uses)
    used = "not used" if count == 0 else "used once" if count == 1 else f"used {count} times"
    return f"```rw\n{symbol.detail}\n```\n{symbol.kind} `{symbol.name}`, {used}"


def _verdicts(session: Session, params: types.HoverParams) -> Iterator[str]:
    path = path_of(params.text_document.uri)
    report = session.workspace.report()
    document = report.texts.get(path)
    if document is None:
        return
    offset = offset_of(document, params.position, session.client.encoding)
    kernels = session.workspace.kernels(path)
    named = {id(each) for kernel, results in kernels if kernel.start <= offset <= kernel.end for each in results}
    for file in report.files:
        for result in file.results:
            if id(result) in named or _speaks_of(result, path, offset):
                yield shown(result, partial(hover, file=file, texts=report.texts))
                why = session.workspace.why(result)
                if why is not None:
                    yield f"Checked again because {why}."
                yield from tables(session.workspace.fixes(result.path, result.name, 0))


def _loops(session: Session, params: types.HoverParams) -> Iterator[str]:
    """What is known of the loop or the statement of a nest at the place."""
    path = path_of(params.text_document.uri)
    text = session.workspace.report().texts.get(path)
    if text is None:
        return
    match session.workspace.nests.facts_at(path, offset_of(text, params.position, session.client.encoding)):
        case StatementFacts() as facts:
            yield statement_markdown(facts)
        case LoopFacts() as loop:
            yield loop_markdown(loop)
        case None:
            return


def _launches(session: Session, params: types.HoverParams) -> Iterator[str]:
    """The launches of the kernel whose name is at the place, which the source itself says."""
    path = path_of(params.text_document.uri)
    file = session.workspace.file(path)
    if file is None:
        return
    offset = offset_of(file.text, params.position, session.client.encoding)
    for kernel, _ in session.workspace.kernels(path):
        if kernel.start <= offset <= kernel.end and kernel.launches:
            yield "\n".join(listed(kernel.launches))


def _included(session: Session, params: types.HoverParams) -> Iterator[str]:
    """Which file an `#include` at the place was taken to mean, if no include folder has it."""
    path = path_of(params.text_document.uri)
    file = session.workspace.file(path)
    if file is None:
        return
    starts, line = file.text.line_starts, params.position.line
    named = INCLUDE.match(file.text.data, starts[line]) if line < len(starts) else None
    found = session.workspace.found_elsewhere(path, named[1].decode(errors="replace")) if named is not None else None
    if named is not None and found is not None:
        yield f"{code(found)}: no include folder has it, and no other file of that name is as near"


def _speaks_of(result: Result, path: str, offset: int) -> bool:
    """Whether the place is the head of the declaration, or one at which its answers found something."""
    if result.path == path and result.span.start <= offset <= result.name_span.end:
        return True
    places = (end.at for found in result.found for end in ends(found))
    return any(at.path == path and at.span.contains(offset) for at in places)
