"""What is sent without being asked for: verdicts as diagnostics, the status, and hints to ask again.

Invariant: everything sent is a function of the report at the time of sending and of the server's own failures; what has
not changed is not sent again. Must not know why the report changed.
"""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rewright.lsp import diagnostics
from rewright.lsp.buffers import Buffers
from rewright.lsp.client import Client
from rewright.lsp.outdated import LastFindings
from rewright.lsp.status import METHOD, WorkStatus, status_of
from rewright.lsp.throttle import Throttle
from rewright.report.document import FileReport, Report
from rewright.workspace.viewed import Viewed

DIAGNOSTICS_INTERVAL = 0.02
"""Seconds between two publications of diagnostics: not noticed, and still many answers in one."""

REFRESH_INTERVAL = 0.1
"""Seconds between two messages of a kind."""


class Publisher:
    """The client's picture of the report, kept up to date."""

    def __init__(self, channel: LanguageServer, client: Client, viewed: Viewed, buffers: Buffers) -> None:
        self._channel = channel
        self._client = client
        self._viewed = viewed
        self._buffers = buffers
        self._sent: dict[str, list[types.Diagnostic]] = {}
        self._pulled: dict[str, str] = {}
        self._last = LastFindings()
        self._pending = 0
        self._failures: dict[str, str] = {}
        self._failure: str | None = None
        self._status: dict[str, str | int | None] = {}
        self._publish = Throttle(DIAGNOSTICS_INTERVAL, self._send_diagnostics)
        self._refresh = Throttle(REFRESH_INTERVAL, self._send_refreshes)
        self._count = Throttle(REFRESH_INTERVAL, self._send_status)

    def show(self, viewed: Viewed) -> None:
        """Goes by what is known there from now on."""
        self._viewed = viewed

    def changed(self) -> None:
        """Notes that the report is another one; the news go out soon, those that end a wait first.

        Where no request waits, a key was pressed and findings at most moved: what the client pulls goes first.
        """
        before, self._pending = self._pending, self._viewed.pending()
        self._publish.now() if before or self._pending else self._publish.later()
        over = before > 0 and self._pending == 0
        for throttle in (self._refresh, self._count):
            throttle.now() if over else throttle.later()

    def fail(self, path: str | None, detail: str) -> None:
        """Shows an internal error, at the file that was worked on if that is known."""
        self._failure = detail
        if path is not None:
            self._failures[path] = detail
        self._publish.now()
        self._count.now()

    def forgive(self, path: str) -> None:
        """Forgets the internal errors at a file that is worked on again."""
        self._failures.pop(path, None)
        self._failure = next(iter(self._failures.values()), None)

    def pull(self, file: FileReport) -> tuple[str, list[types.Diagnostic]]:
        """Returns the pulled diagnostics of a file with their digest, which the client is then taken to have."""
        items = diagnostics.pulled(self._viewed.report(), file, self._client)
        self._pulled[file.path] = digest = diagnostics.digest(items)
        return digest, items

    def refresh(self) -> None:
        """Asks the client to ask again for what it shows."""
        self._refresh.now()

    def close(self, path: str) -> None:
        """Notes that the client shows a document no more."""
        self._pulled.pop(path, None)
        self._publish.now()

    def stop(self) -> None:
        """Sends nothing any more."""
        for throttle in (self._publish, self._refresh, self._count):
            throttle.stop()

    def _send_diagnostics(self) -> None:
        report = self._viewed.report()
        current = self._diagnostics(report)
        for path in sorted({*current, *self._sent}):
            items = current.get(path, [])
            if items != self._sent.get(path, []) and self._speaks_of_buffer(report, path):
                self._send(path, items)

    def _speaks_of_buffer(self, report: Report, path: str) -> bool:
        """Whether the report is of the text that is shown; while a source is lowered, it is of the one before."""
        buffer, text = self._buffers.get(path), report.texts.get(path)
        return buffer is None or text is None or buffer.text.digest == text.digest

    def _diagnostics(self, report: Report) -> dict[str, list[types.Diagnostic]]:
        current = diagnostics.pushed(report, self._last.outdated(report), self._client)
        if not self._client.pulls:
            for file in report.files:
                if self._buffers.get(file.path) is not None:
                    current.setdefault(file.path, [])[:0] = diagnostics.pulled(report, file, self._client)
        for path, detail in self._failures.items():
            current.setdefault(path, []).insert(0, diagnostics.internal_error(detail))
        return current

    def _send(self, path: str, items: list[types.Diagnostic]) -> None:
        self._sent[path] = items
        buffer = self._buffers.get(path)
        uri, version = self._buffers.uri(path), buffer.version if buffer else None
        self._channel.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items, version))

    def _send_refreshes(self) -> None:
        if self._client.refreshes_hints:
            self._channel.workspace_inlay_hint_refresh(None)
        if self._client.refreshes_lenses and self._buffers.paths():
            self._channel.workspace_code_lens_refresh(None)
        if self._client.refreshes_diagnostics and self._outdated():
            self._channel.workspace_diagnostic_refresh(None)

    def _outdated(self) -> bool:
        """Whether another file's change altered what the client pulled for an open one."""
        report = self._viewed.report()
        return any(
            diagnostics.digest(diagnostics.pulled(report, file, self._client)) != self._pulled[file.path]
            for file in report.files
            if file.path in self._pulled
        )

    def _send_status(self) -> None:
        work = WorkStatus(self._viewed.pending(), self._viewed.unchecked())
        status = status_of(self._viewed.report(), work, self._failure)
        if status != self._status:
            self._status = status
            self._channel.protocol.notify(METHOD, status)
