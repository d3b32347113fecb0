"""The report: everything that is known about a snapshot of the workspace, as one immutable value.

Places are resolved here: a path and a byte range of that path's text. Only `lsp/` and the JSON and text views turn
them into lines and characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct, field

from rewright.model.source_kind import SourceKind
from rewright.syntax.text import Span, Text
from rewright.verdict import Answer, Severity, Verdict


class Located(Struct, frozen=True):
    """A byte range of the source at `path` (absolute, as the workspace knows it)."""

    path: str
    span: Span


class RelatedNote(Struct, frozen=True):
    """A second place of a diagnostic with its sentence."""

    message: str
    at: Located


class Diagnostic(Struct, frozen=True):
    """A finding with its words and places. `message` is plain text of one or a few lines.

    `answered` are the numbers of what it tells among the findings of the answers.
    `unstated` are the values that it needs and that are not stated; the message names them.
    """

    code: str
    severity: Severity
    message: str
    at: Located
    related: tuple[RelatedNote, ...] = ()
    answered: tuple[int, ...] = ()
    unstated: tuple[tuple[str, str], ...] = ()


class Sites(Struct, frozen=True):
    """The spans of a declaration's sites by number, kept from the declaration's start: it may move without them."""

    start: int
    spans: tuple[Span, ...]

    def __getitem__(self, number: int) -> Span:
        """The span of a site in the file."""
        return self.spans[number].shifted(self.start)


class Progress(StrEnum):
    """Where a question stands that has no answer yet."""

    UNCHECKED = "unchecked"
    CHECKING = "checking"


class QuestionState(Struct, frozen=True):
    """One question: its id (content key), what it asks, and its answer if there is one.

    `domain` is the element domain ("any", "int", …; empty for kernels), `direction` "=>", "<=" or empty. Names in
    `answer` are those of the text.
    """

    id: str
    domain: str
    direction: str
    expected: tuple[Verdict, ...]
    answer: Answer | None
    progress: Progress
    milliseconds: float = 0.0
    cached: bool = False


class Result(Struct, frozen=True):
    """A declaration with its questions.

    `verdict` is None while a question is open. `expected` is what is accepted for the declaration as a whole.
    `sites` gives the span of each site that a witness speaks of, so that intermediate values can be shown beside the
    text that they belong to; `moments` says where each moment of a kernel's witness stands, in their order, `opened`
    where the barrier does that began its interval. `diagnostics` are all findings, static ones first.
    """

    path: str
    name: str
    kind: str
    span: Span
    name_span: Span
    verdict: Verdict | None
    expected: tuple[Verdict, ...]
    as_expected: bool
    reason: str | None
    questions: tuple[QuestionState, ...]
    sites: Sites
    static: tuple[Diagnostic, ...]
    found: tuple[Diagnostic, ...]
    moments: tuple[Located, ...] = ()
    opened: Located | None = None

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings: those of names and shapes first, then those of the answers."""
        return self.static + self.found

    @property
    def leading(self) -> QuestionState | None:
        """The question that gave the verdict, None while any is open or if none was asked."""
        return next((q for q in self.questions if q.answer is not None and q.answer.verdict is self.verdict), None)


class FileReport(Struct, frozen=True):
    """A file, of declarations or of kernels: its text, its results in order, and the diagnostics outside of these."""

    path: str
    kind: SourceKind
    text: Text
    results: Sequence[Result]
    diagnostics: tuple[Diagnostic, ...]


class Report(Struct, frozen=True):
    """The report of one snapshot. `texts` holds every source that a diagnostic may point into, by path."""

    files: tuple[FileReport, ...]
    texts: Mapping[str, Text] = field(default_factory=dict)

    def results(self) -> tuple[Result, ...]:
        """Every declaration of every file, in order."""
        return tuple(result for file in self.files for result in file.results)
