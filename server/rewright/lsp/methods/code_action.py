"""`textDocument/codeAction`: what mends names and words, what was found for rules, holes and kernels, each checked,
all of a file at once; other orders of a loop nest; the relation of a refinement; a formula as LaTeX.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types
from msgspec import Struct

from rewright.lsp.commands import LATEX, REORDER, SEARCHED
from rewright.lsp.edits import workspace_edit
from rewright.lsp.formulas import formula_of
from rewright.lsp.names import spot_at
from rewright.lsp.panel import pin
from rewright.lsp.panel_lenses import opening
from rewright.lsp.positions import offset_of
from rewright.lsp.quick_fixes import at_place, of_file
from rewright.lsp.server import RewrightServer
from rewright.lsp.session import Session
from rewright.lsp.stated_relations import stated_relation
from rewright.lsp.uris import path_of, uri_of
from rewright.syntax.text import Span
from rewright.verdict import Fix, InSource
from rewright.verdict.diagnostics.graphs import HeldOtherwise, NoCleanExpression, SidesDiffer
from rewright.verdict.diagnostics.loops import (
    AnotherOperation,
    ExecutedTooOften,
    IterationsInterfere,
    NeverExecuted,
    OutsideArray,
    ReadOrWrittenTooSoon,
)
from rewright.verdict.diagnostics.rules import NotDecided, ShapesDiffer, SideNotValid, ValuesDiffer
from rewright.workspace.at_once import for_unknown
from rewright.writing.loop_orders import loop_orders

COPY = "Copy the formula as LaTeX"

PIN = "Pin the counterexample as an `example`"

SEARCHING = "Rewright is looking for fixes of"
NOTHING = "No precondition was found for"

FIXABLE = frozenset(
    each.code
    for each in (
        *(ValuesDiffer, ShapesDiffer, SideNotValid, NotDecided, NoCleanExpression, HeldOtherwise, SidesDiffer),
        *(ReadOrWrittenTooSoon, NeverExecuted, ExecutedTooOften, AnotherOperation, OutsideArray, IterationsInterfere),
    )
)
"""The codes of findings of rules, refinements and loops that a change may fix; any of a kernel may have its own."""


class _Subject(Struct, frozen=True):
    """The declaration that a diagnostic speaks of, and the number of what was found in it."""

    path: str
    name: str
    finding: int


def handle(server: RewrightServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The fixes of the diagnostics at the place that are known by now, the weakest precondition first.

    While there may be more, a line says so, and if there is none, how far it was looked for. A reduction is offered as
    LaTeX.
    """
    kinds = params.context.only
    session, quick, every = server.session, types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll
    fixes: list[types.CodeAction] = []
    if not kinds or any(_is_of(quick, kind) for kind in kinds):
        fixes = [*at_place(session, params), *_actions(session, params)]
    whole = of_file(session, params.text_document.uri) if any(_is_of(every, kind) for kind in kinds or ()) else None
    if not kinds or any(_is_of(types.CodeActionKind.RefactorRewrite, kind) for kind in kinds):
        fixes += [*_orders(session, params), *stated_relation(session, params)]
    return [*fixes, *([whole] if whole is not None else []), *([] if kinds else _formula(session, params))]


def _is_of(made: types.CodeActionKind, kind: types.CodeActionKind | str) -> bool:
    """Whether actions are of a kind, which may be the name of any that theirs is part of."""
    name = kind.value if isinstance(kind, types.CodeActionKind) else kind
    return made.value.startswith(name)


def _actions(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    offered: set[str] = set()
    for diagnostic in params.context.diagnostics:
        subject = _subject(diagnostic)
        fixes = session.workspace.fixes(subject.path, subject.name, subject.finding) if subject is not None else ()
        for number, fix in enumerate(fixes):
            edit = _edit(session, fix)
            if repr(edit) not in offered:
                offered.add(repr(edit))
                kind = types.CodeActionKind.QuickFix
                yield types.CodeAction(fix.title, kind, [diagnostic], is_preferred=number == 0, edit=edit)
    yield from _searches(session, params)
    yield from _next_steps(session, params)
    yield from _panels(session, params)


def _next_steps(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """What may be written where a declaration stays unknown."""
    named = {at: each for each in params.context.diagnostics if (at := _named(each)) is not None}
    for (path, name), diagnostic in named.items():
        for fix in for_unknown(session.workspace, path, name):
            yield types.CodeAction(fix.title, types.CodeActionKind.QuickFix, [diagnostic], edit=_edit(session, fix))


def _panels(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """What shows the counterexamples of the diagnostics, if the client can, and what pins them."""
    named = {at: each for each in params.context.diagnostics if (at := _named(each)) is not None}
    for (path, name), diagnostic in named.items():
        file = session.workspace.file(path)
        for result in file.results if file is not None else ():
            if result.name == name and (command := opening(session, result)) is not None:
                yield types.CodeAction(command.title, types.CodeActionKind.QuickFix, command=command)
        if not params.context.only and (edit := pin(session, path, name)) is not None:
            yield types.CodeAction(PIN, types.CodeActionKind.Empty, [diagnostic], edit=edit)


def _searches(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """A line for each declaration of which fixes are still looked for, or of which none was found, and how far."""
    subjects = {(at.path, at.name): each for each in params.context.diagnostics if (at := _subject(each)) is not None}
    for (path, name), diagnostic in subjects.items():
        if session.workspace.is_searching(path, name):
            title = f"{SEARCHING} `{name}` …"
            command = types.Command(title, SEARCHED, arguments=[uri_of(path), name])
            yield types.CodeAction(title, types.CodeActionKind.QuickFix, [diagnostic], command=command)
        elif (steps := session.workspace.found_nothing(path, name)) is not None:
            title = f"{NOTHING} `{name}` in {steps:,} steps"
            command = types.Command(title, SEARCHED, arguments=[uri_of(path), name])
            yield types.CodeAction(title, types.CodeActionKind.QuickFix, [diagnostic], command=command)


def _orders(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """Other orders of the loop nest at the place; none is looked for before somebody chooses it."""
    uri = params.text_document.uri
    path = path_of(uri)
    buffer = session.buffers.get(path)
    if buffer is None:
        return
    offset = offset_of(buffer.text, params.range.start, session.client.encoding)
    found = session.workspace.nests.at(path, offset)
    if found is None or found.nest is None:
        return
    for each in loop_orders(found.nest):
        command = types.Command(each.title, REORDER, arguments=[uri, found.name, each.schedule])
        title = f"Insert, once proved: {each.title[0].lower()}{each.title[1:]}"
        yield types.CodeAction(title, types.CodeActionKind.RefactorRewrite, command=command)


def _formula(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """Offers the formula of the reduction at the place as LaTeX, for the client to copy."""
    uri, at = params.text_document.uri, params.range.start
    spot = spot_at(session, uri, at)
    if spot is not None and formula_of(spot) is not None:
        command = types.Command(COPY, LATEX, arguments=[uri, at.line, at.character])
        yield types.CodeAction(COPY, types.CodeActionKind.Empty, command=command)


def _subject(diagnostic: types.Diagnostic) -> _Subject | None:
    """What a diagnostic speaks of, if it may be fixed."""
    named, finding = _named(diagnostic), _datum(diagnostic, "finding")
    code = diagnostic.code if isinstance(diagnostic.code, str) else ""
    fixable = code in FIXABLE or code.startswith("RW3")
    return _Subject(*named, finding) if fixable and named is not None and isinstance(finding, int) else None


def _named(diagnostic: types.Diagnostic) -> tuple[str, str] | None:
    """The file and the name of the declaration that a diagnostic speaks of."""
    path, name = _datum(diagnostic, "path"), _datum(diagnostic, "name")
    return (path, name) if isinstance(path, str) and isinstance(name, str) else None


def _datum(diagnostic: types.Diagnostic, name: str) -> Any:
    data = diagnostic.data
    return data.get(name) if isinstance(data, dict) else getattr(data, name, None)


def _edit(session: Session, fix: Fix) -> types.WorkspaceEdit:
    changes: dict[str, list[tuple[Span, str]]] = {}
    for edit in fix.edits:
        assert isinstance(edit.place, InSource)
        changes.setdefault(edit.place.path, []).append((Span(edit.place.start, edit.place.end), edit.text))
    return workspace_edit(session, changes)
