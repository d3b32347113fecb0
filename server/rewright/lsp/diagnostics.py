"""Findings as the protocol's diagnostics, in two shares that a client keeps apart.

Pulled: what syntax, names and shapes say, quick and of the text as it stands. Pushed: what answers say, as they arrive.
Invariant: each finding is in exactly one share, and both are functions of the report and the client's abilities.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from lsprotocol import types

from rewright.lsp.client import Client
from rewright.lsp.positions import range_of
from rewright.lsp.uris import uri_of
from rewright.report import codes
from rewright.report.document import Diagnostic, FileReport, Note, Report, Result
from rewright.verdict import Severity

SOURCE = "rewright"

TWO_SIDED = frozenset({"RW301", "RW309", "RW311", "RW313"})
"""The codes of findings that are shown at both of their ends: the two accesses of a race."""

UNNECESSARY = frozenset({"RW206", "RW312"})
"""The codes of findings about text that could be left out, which an editor shows greyed."""

OTHER_END = "the other access is here"

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def pulled(report: Report, file: FileReport, client: Client) -> list[types.Diagnostic]:
    """The diagnostics of syntax, names and shapes of a file of declarations; a source is looked through by a worker."""
    if not is_declaring(file):
        return []
    found = [*file.diagnostics, *(diagnostic for result in file.results for diagnostic in result.static)]
    made = (_diagnostic(diagnostic, None, report, client) for diagnostic in found if diagnostic.at.path == file.path)
    return [diagnostic for diagnostic in made if diagnostic is not None]


def pushed(
    report: Report, outdated: list[tuple[Result, Diagnostic]], client: Client
) -> dict[str, list[types.Diagnostic]]:
    """For each source, what workers found in it, whichever file declares what was asked; outdated findings last."""
    by_path: dict[str, list[types.Diagnostic]] = {}
    told: list[tuple[Result | None, Diagnostic]] = []
    told += ((None, found) for file in report.files if not is_declaring(file) for found in file.diagnostics)
    told += ((result, end) for result in report.results() for found in result.found for end in ends(found))
    for result, found in [*told, *outdated]:
        diagnostic = _diagnostic(found, result, report, client)
        if diagnostic is not None:
            by_path.setdefault(found.at.path, []).append(diagnostic)
    return by_path


def is_declaring(file: FileReport) -> bool:
    """Whether a file is one of declarations, and not a source of kernels."""
    return file.path.endswith(".rw")


def ends(found: Diagnostic) -> tuple[Diagnostic, ...]:
    """The finding, and again at its other end if both of its ends are to blame alike and stand apart."""
    if found.code not in TWO_SIDED:
        return (found,)
    here = Note(OTHER_END, found.at)
    there = (replace(found, at=note.at, related=(here,)) for note in found.related if note.at != found.at)
    return (found, *there)


def internal_error(detail: str) -> types.Diagnostic:
    """The diagnostic of a failure of the server itself, at the start of the file that it was busy with."""
    code = codes.lookup("RW901")
    message = code.message({"detail": detail}) if code else detail
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    return types.Diagnostic(start, message, types.DiagnosticSeverity.Error, "RW901", source=SOURCE)


def digest(diagnostics: list[types.Diagnostic]) -> str:
    """A name for exactly these diagnostics, by which a client says that it has them."""
    return hashlib.sha256(repr(diagnostics).encode()).hexdigest()[:16]


def _diagnostic(
    diagnostic: Diagnostic, result: Result | None, report: Report, client: Client
) -> types.Diagnostic | None:
    text = report.texts.get(diagnostic.at.path)
    if text is None:
        return None
    notes = [note for note in diagnostic.related if note.at.path in report.texts]
    return types.Diagnostic(
        range=range_of(text, diagnostic.at.span, client.encoding),
        message=diagnostic.message if client.related else _with_notes(diagnostic.message, notes),
        severity=_severity(diagnostic, result),
        code=diagnostic.code,
        code_description=types.CodeDescription(codes.page_url(diagnostic.code)),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if client.greys and diagnostic.code in UNNECESSARY else None,
        related_information=[_related(note, report, client) for note in notes] if client.related and notes else None,
        data=_data(result),
    )


def _severity(diagnostic: Diagnostic, result: Result | None) -> types.DiagnosticSeverity:
    """What was expected is no problem: it is told, and not as an error."""
    expected = result is not None and result.as_expected and diagnostic.severity is Severity.ERROR
    return SEVERITIES[Severity.INFORMATION if expected else diagnostic.severity]


def _related(note: Note, report: Report, client: Client) -> types.DiagnosticRelatedInformation:
    range = range_of(report.texts[note.at.path], note.at.span, client.encoding)
    return types.DiagnosticRelatedInformation(types.Location(uri_of(note.at.path), range), note.message)


def _with_notes(message: str, notes: list[Note]) -> str:
    return "\n".join([message, *(note.message for note in notes)])


def _data(result: Result | None) -> dict[str, str] | None:
    """What a later request needs to find the declaration and the question again."""
    if result is None:
        return None
    leading = result.leading
    return {"path": result.path, "name": result.name, "question": leading.id if leading else ""}
