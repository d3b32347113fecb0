"""Findings as the protocol's diagnostics, in two shares that a client keeps apart.

Pulled: what syntax, names and shapes say, quick and of the text as it stands. Pushed: what answers say, as they arrive.
Invariant: each finding is in exactly one share, and both are functions of the report and the client's abilities.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator

from lsprotocol import types
from msgspec import Struct
from msgspec.structs import replace

from rewright.lsp.client import Client
from rewright.lsp.manual import page_of_code
from rewright.lsp.positions import range_of
from rewright.lsp.uris import uri_of
from rewright.model.source_kind import SourceKind
from rewright.report import codes
from rewright.report.document import Diagnostic, FileReport, RelatedNote, Report, Result
from rewright.report.placed_results import PlacedResults
from rewright.verdict import Severity
from rewright.verdict import internal_error as fault_of
from rewright.verdict.diagnostics.internal import InternalError
from rewright.verdict.diagnostics.kernels import (
    BarrierNotNeeded,
    BlockScopeBetweenBlocks,
    DataRace,
    EqualWrites,
    RaceBetweenBlocks,
    RaceWithinWarp,
)
from rewright.verdict.diagnostics.loops import IterationsInterfere, NeverRan, PrivateValuePasses
from rewright.verdict.diagnostics.rules import NotNeeded

log = logging.getLogger(__name__)

SOURCE = "rewright"

TWO_SIDED = frozenset(
    each.code
    for each in (
        DataRace,
        RaceWithinWarp,
        EqualWrites,
        RaceBetweenBlocks,
        BlockScopeBetweenBlocks,
        IterationsInterfere,
        PrivateValuePasses,
    )
)
"""The codes of findings that are shown at both of their ends: the two accesses of a race."""

UNNECESSARY = frozenset({NotNeeded.code, BarrierNotNeeded.code, NeverRan.code})
"""The codes of findings about text that could be left out or was not run, which an editor shows greyed."""

OTHER_END = "the other access is here"

SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def pulled(report: Report, file: FileReport, client: Client) -> list[types.Diagnostic]:
    """The diagnostics of syntax, names and shapes of a file of declarations; a source is looked through by a worker."""
    if file.kind is not SourceKind.DECLARATIONS:
        return []
    results = file.results
    static = (
        results.static() if isinstance(results, PlacedResults) else (each for one in results for each in one.static)
    )
    found = [*file.diagnostics, *static]
    made = (_made(diagnostic, None, report, client) for diagnostic in found if diagnostic.at.path == file.path)
    return [diagnostic for diagnostic in made if diagnostic is not None]


def pushed(
    report: Report, outdated: list[tuple[Result, Diagnostic]], client: Client
) -> dict[str, list[types.Diagnostic]]:
    """For each source, what workers found in it, whichever file declares what was asked; outdated findings last."""
    by_path: dict[str, list[types.Diagnostic]] = {}
    for origin, found in (*_outside(report), *_found(report), *((_Origin(result), old) for result, old in outdated)):
        diagnostic = _made(found, origin, report, client)
        if diagnostic is not None:
            by_path.setdefault(found.at.path, []).append(diagnostic)
    return by_path


class _Origin(Struct, frozen=True):
    """The declaration that a finding is of, and its number among what was found there, None for one of before."""

    result: Result
    number: int | None = None


def _outside(report: Report) -> Iterator[tuple[None, Diagnostic]]:
    """What was found in sources outside of what is asked about, once if it is found from several."""
    return ((None, found) for found in dict.fromkeys(each for file in _sources(report) for each in file.diagnostics))


def _found(report: Report) -> Iterator[tuple[_Origin, Diagnostic]]:
    """What answers found, at both ends where there are two."""
    for result in report.results():
        for number, found in enumerate(result.found):
            yield from ((_Origin(result, number), end) for end in ends(found))


def _sources(report: Report) -> Iterator[FileReport]:
    return (file for file in report.files if file.kind.speaks_for_itself)


def ends(found: Diagnostic) -> tuple[Diagnostic, ...]:
    """The finding, and again at its other end if both of its ends are to blame alike and stand apart.

    The other end is the first related place; more of them are those of a chain (`workspace/chains.py`).
    """
    if found.code not in TWO_SIDED:
        return (found,)
    here = RelatedNote(OTHER_END, found.at)
    there = (replace(found, at=note.at, related=(here,)) for note in found.related[:1] if note.at != found.at)
    return (found, *there)


def internal_error(detail: str) -> types.Diagnostic:
    """The diagnostic of a failure of the server itself, at the start of the file that it was busy with."""
    message = codes.sentence(InternalError(detail, None))
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    return types.Diagnostic(start, message, types.DiagnosticSeverity.Error, InternalError.code, source=SOURCE)


def digest(diagnostics: list[types.Diagnostic]) -> str:
    """A name for exactly these diagnostics, by which a client says that it has them."""
    return hashlib.sha256(repr(diagnostics).encode()).hexdigest()[:16]


def _made(diagnostic: Diagnostic, origin: _Origin | None, report: Report, client: Client) -> types.Diagnostic | None:
    """The finding for the client; an internal error in that is reported in its place, at the start of its file."""
    try:
        return _diagnostic(diagnostic, origin, report, client)
    except Exception as error:
        log.exception("a finding of %s cannot be shown", diagnostic.at.path)
        return internal_error(fault_of(error).detail)


def _diagnostic(
    diagnostic: Diagnostic, origin: _Origin | None, report: Report, client: Client
) -> types.Diagnostic | None:
    text = report.texts.get(diagnostic.at.path)
    if text is None:
        return None
    notes = [note for note in diagnostic.related if note.at.path in report.texts]
    return types.Diagnostic(
        range=range_of(text, diagnostic.at.span, client.encoding),
        message=diagnostic.message if client.related else _with_notes(diagnostic.message, notes),
        severity=_severity(diagnostic, origin),
        code=diagnostic.code,
        code_description=types.CodeDescription(page_of_code(diagnostic.code, client)),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if client.greys and diagnostic.code in UNNECESSARY else None,
        related_information=[_related(note, report, client) for note in notes] if client.related and notes else None,
        data=_data(origin),
    )


def _severity(diagnostic: Diagnostic, origin: _Origin | None) -> types.DiagnosticSeverity:
    """What was expected is no problem: it is reported, but not as an error."""
    expected = origin is not None and origin.result.as_expected and diagnostic.severity is Severity.ERROR
    return SEVERITIES[Severity.INFORMATION if expected else diagnostic.severity]


def _related(note: RelatedNote, report: Report, client: Client) -> types.DiagnosticRelatedInformation:
    range = range_of(report.texts[note.at.path], note.at.span, client.encoding)
    return types.DiagnosticRelatedInformation(types.Location(uri_of(note.at.path), range), note.message)


def _with_notes(message: str, notes: list[RelatedNote]) -> str:
    return "\n".join([message, *(note.message for note in notes)])


def _data(origin: _Origin | None) -> dict[str, str | int | None] | None:
    """What a later request needs to find the declaration, the question and the finding again."""
    if origin is None:
        return None
    result, leading = origin.result, origin.result.leading
    question = leading.id if leading else ""
    return {"path": result.path, "name": result.name, "question": question, "finding": origin.number}
