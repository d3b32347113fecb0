"""Declarations as rows of a client's own views: a list, a tree of tests. Plain data, as JSON has it.

Invariant: a row says what every other view of the same report says. Lines and characters count from 0, characters in
the client's units.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rewright.lsp.positions import position_of
from rewright.lsp.session import Session
from rewright.report.document import FileReport, Result
from rewright.report.faults import shown
from rewright.report.label import inlay
from rewright.report.summary import counted, is_unchecked


def rows(session: Session) -> list[dict[str, Any]]:
    """A row for each declaration that has a verdict or could have one, by file and in order."""
    report = session.viewed.report()
    return [_row(file, each, session) for file in report.files for each in file.results if counted(each)]


def _row(file: FileReport, result: Result, session: Session) -> dict[str, Any]:
    state = "done" if result.verdict is not None else "unchecked" if is_unchecked(result) else "checking"
    return {
        "name": result.name,
        "kind": result.kind,
        "uri": session.buffers.uri(result.path),
        "line": file.text.position(result.name_span.start).line,
        "last": file.text.position(result.span.end).line,
        "state": state,
        "verdict": result.verdict,
        "asExpected": result.as_expected,
        "label": shown(result, inlay),
        "reason": result.reason,
        "milliseconds": sum(question.milliseconds for question in result.questions),
        "messages": list(_messages(result, session)),
    }


def _messages(result: Result, session: Session) -> Iterator[dict[str, Any]]:
    """What was found, each where it stands."""
    texts = session.viewed.report().texts
    for found in result.diagnostics:
        text = texts.get(found.at.path)
        if text is not None:
            at = position_of(text, found.at.span.start, session.client.encoding)
            place = {"uri": session.buffers.uri(found.at.path), "line": at.line, "character": at.character}
            yield {"code": found.code, "text": found.message, **place}
