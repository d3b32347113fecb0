"""What mends a document here and now: names, words, and preconditions that are not needed.

Invariant: each change was checked, by the model or by the proof that said that a precondition is not needed. Must not
know what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from lsprotocol import types
from msgspec import Struct

from rewright.lsp.edits import workspace_edit
from rewright.lsp.positions import span_of
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of
from rewright.model.declared import Declared
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Span, Text
from rewright.verdict import Finding, Site
from rewright.verdict.diagnostics.rules import NotNeeded
from rewright.writing.alone import Change
from rewright.writing.quick_fixes import quick_fixes
from rewright.writing.unneeded import without

LEAVE_OUT = "Leave it out: it is not needed"
LEAVE_ALL_OUT = "Leave out all that this rule does not need"
ALL = "Fix all in the file that has one likely fix"

MOST_FINDINGS = 20
"""Findings whose fixes are looked for at once: each takes up to some 20 ms."""


class _Standing(Struct, frozen=True):
    """A declaration in its file."""

    path: str
    text: Text
    placed: Placed
    declared: Declared

    def findings(self) -> Iterator[tuple[Finding, Span]]:
        """What the model found in it, with its place in the file."""
        for finding in self.declared.findings:
            if isinstance(finding.place, Site):
                yield finding, self.placed.absolute(self.declared.sites[finding.place.number])


def at_place(session: Session, params: types.CodeActionParams) -> Iterator[types.CodeAction]:
    """The fixes of what is wrong, or not needed, at a place."""
    for standing in _declarations(session, params.text_document.uri):
        span = span_of(standing.text, params.range, session.client.encoding)
        if standing.placed.span.start <= span.end and span.start <= standing.placed.span.end:
            yield from _fixed(session, standing, (span, params.context.diagnostics))
            yield from _unneeded(session, standing, (span, params.context.diagnostics))


def of_file(session: Session, uri: str) -> types.CodeAction | None:
    """All fixes of a file that are likely meant, None if there is none."""
    changes: list[Change] = []
    wrong = 0
    for standing in _declarations(session, uri):
        wrong += len(standing.declared.findings)
        if wrong <= MOST_FINDINGS:
            changes += _likely(standing)
        greyed = _greyed(session, standing)
        changes += ((span, "") for span in without(standing.text, standing.placed, greyed))
    if not changes:
        return None
    edit = workspace_edit(session, {path_of(uri): changes})
    return types.CodeAction(ALL, types.CodeActionKind.SourceFixAll, edit=edit)


def _declarations(session: Session, uri: str) -> Iterator[_Standing]:
    path = path_of(uri)
    parsed, model = session.workspace.parsed(path), session.workspace.model(path)
    if parsed is not None and model is not None:
        for placed, declared in zip(parsed.file.declarations, model.declarations, strict=True):
            yield _Standing(path, parsed.text, placed, declared)


def _fixed(
    session: Session, standing: _Standing, at: tuple[Span, Sequence[types.Diagnostic]]
) -> Iterator[types.CodeAction]:
    here = (finding for finding, span in standing.findings() if _touch(span, at[0]))
    for finding in islice(here, MOST_FINDINGS):
        reported = [each for each in at[1] if each.code == finding.code]
        for number, fix in enumerate(quick_fixes(standing.text, standing.placed, standing.declared, finding)):
            edit = workspace_edit(session, {standing.path: fix.changes})
            kind, preferred = types.CodeActionKind.QuickFix, fix.sure and number == 0
            yield types.CodeAction(fix.title, kind, reported, is_preferred=preferred, edit=edit)


def _unneeded(
    session: Session, standing: _Standing, at: tuple[Span, Sequence[types.Diagnostic]]
) -> Iterator[types.CodeAction]:
    greyed = _greyed(session, standing)
    here = [span for span in greyed if _touch(span, at[0])]
    reported = [each for each in at[1] if each.code == NotNeeded.code]
    choices = ((LEAVE_OUT, here), *(((LEAVE_ALL_OUT, greyed),) if len(greyed) > 1 else ()))
    for title, spans in choices if here else ():
        changes = [(span, "") for span in without(standing.text, standing.placed, spans)]
        edit = workspace_edit(session, {standing.path: changes})
        preferred = title == LEAVE_OUT
        yield types.CodeAction(title, types.CodeActionKind.QuickFix, reported, is_preferred=preferred, edit=edit)


def _greyed(session: Session, standing: _Standing) -> list[Span]:
    """What the proof of a rule did without, in the file."""
    file = session.workspace.file(standing.path)
    results = file.results if file is not None and file.text.digest == standing.text.digest else ()
    return [
        found.at.span
        for result in results
        if result.span.start == standing.placed.start
        for found in result.found
        if found.code == NotNeeded.code and found.at.path == standing.path
    ]


def _likely(standing: _Standing) -> list[Change]:
    """The changes that are sure, as far as they do not meet."""
    changes: list[Change] = []
    for finding, _ in standing.findings() if standing.declared.has_errors else ():
        sure = (fix for fix in quick_fixes(standing.text, standing.placed, standing.declared, finding) if fix.sure)
        for fix in list(sure)[:1]:
            if not any(_touch(span, other) for span, _ in fix.changes for other, _ in changes):
                changes += fix.changes
    return changes


def _touch(span: Span, other: Span) -> bool:
    return span.start <= other.end and other.start <= span.end
