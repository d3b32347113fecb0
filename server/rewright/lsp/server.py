"""The server: one session behind the protocol, and where the errors of its own work end.

Invariant: nothing that fails in the background vanishes; it is logged and shown as an internal error. Must not know
what a method does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from rewright import __version__
from rewright.engine.jobs import Outcome
from rewright.lsp.protocol import Protocol, strict_converter
from rewright.lsp.refusal import RequestRefused
from rewright.lsp.session import Session
from rewright.lsp.settings import Trigger
from rewright.lsp.trace import keys, summary
from rewright.lsp.waking import Waking, load

if TYPE_CHECKING:
    from rewright.workspace.project import FileJob

log = logging.getLogger(__name__)


class RewrightServer(LanguageServer):
    """A language server with at most one session.

    `cache` is the cache's folder, None for the usual one. `admit` says by its options whether a client is served.
    """

    def __init__(self, cache: Path | None, admit: Callable[[object], bool] = lambda _: True) -> None:
        super().__init__("rewright", __version__, protocol_cls=Protocol, converter_factory=strict_converter)
        self.cache = cache
        self.admit = admit
        self.waking = Waking(self._wake_up, self.protocol.handle_message, self.spawn)
        self._session: Session | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._left: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @property
    def session(self) -> Session:
        """The session. Raises `RuntimeError` before `initialize`, when a client must not ask for anything."""
        if self._session is None:
            raise RuntimeError("the session has not started")
        return self._session

    def begin(self, session: Session) -> None:
        """Starts the one session."""
        self._session = session

    async def end(self) -> None:
        """Ends the session, if there is one, and what runs for it."""
        session, self._session = self._session, None
        self.waking.stop()
        for task in self._tasks:
            task.cancel()
        if session is not None:
            await session.close()

    def holds(self, message: dict[str, Any]) -> bool:
        """Whether a message waits until the session is awake: it is handled then."""
        return self._session is not None and self.waking.holds(self._session, message)

    def leave(self, status: int) -> None:
        """Asks the process to end with an exit status."""
        if not self._left.done():
            self._left.set_result(status)

    async def left(self) -> int:
        """Returns the exit status once the process is asked to end."""
        return await self._left

    def check(self, paths: Iterable[str]) -> None:
        """Enqueues the declarations that these files hold or that name them."""
        paths = list(paths)
        for path in paths:
            self.session.publisher.forgive(path)
        self.session.workspace.check(paths)
        self._show_progress()

    def check_named(self, path: str, names: frozenset[str]) -> None:
        """Enqueues the declarations of these names in a file."""
        self.session.publisher.forgive(path)
        self.session.workspace.check_named(path, names)
        self._show_progress()

    def check_all(self) -> None:
        """Enqueues every declaration that is known."""
        self.session.workspace.check_all()
        self._show_progress()

    async def scan(self) -> None:
        """Looks through the workspace, and has checked what turns out to name a source that is open already."""
        session = self.session
        await session.workspace.scan()
        if session.settings.trigger is not Trigger.MANUAL:
            self.check(session.buffers.paths())

    def apply(self, edit: types.WorkspaceEdit, label: str) -> None:
        """Has the client make an edit."""

        async def ask() -> None:
            await self.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label))

        self.spawn(ask())

    def show(self, document: types.ShowDocumentParams) -> None:
        """Has the client show a document."""

        async def ask() -> None:
            await self.window_show_document_async(document)

        self.spawn(ask())

    def spawn(self, work: Coroutine[Any, Any, None], path: str | None = None) -> None:
        """Runs work in the background; its failure is shown at the file with this path."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._finished(done, path))

    def fail(self, error: BaseException, path: str | None = None) -> None:
        """Logs a failure of the server's own and shows it as an internal error."""
        log.error("internal error", exc_info=error)
        detail = f"{type(error).__name__}: {error}"
        self.window_log_message(types.LogMessageParams(types.MessageType.Error, f"internal error: {detail}"))
        if self._session is not None:
            self._session.publisher.fail(path, detail)

    def trace(self, due: FileJob, outcomes: tuple[Outcome, ...]) -> None:
        """Tells a client that wants to know what was asked, and what it came to."""
        level = self.protocol.trace
        if level != types.TraceValue.Off:
            verbose = keys(due, outcomes) if level == types.TraceValue.Verbose else None
            self.log_trace(types.LogTraceParams(summary(due, outcomes, self.session.workspace.why_asked(due)), verbose))

    def inform(self, message: str) -> None:
        """Tells the user of something to do."""
        self.window_show_message(types.ShowMessageParams(types.MessageType.Info, message))

    def warn(self, message: str) -> None:
        """Tells the user of something that is wrong but does not stop the work."""
        log.warning(message)
        self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs an error that pygls met; handlers' own were shown where they arose, and a refusal is none."""
        if not isinstance(error, RequestRefused):
            log.error("%s: %s", getattr(source, "__name__", source), error)

    def loop_failed(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Deals with an exception that nothing awaits: a timer's, or a write to a client that is gone."""
        error = context.get("exception")
        if isinstance(error, BrokenPipeError | ConnectionError):
            self.leave(1)
        else:
            self.fail(error or RuntimeError(context["message"]))

    async def _wake_up(self) -> None:
        """Gives the session its workspace, with the documents that are open, and has it looked through.

        What that needs is loaded in a thread, beside which messages are answered and workers start. A session that
        cannot be woken up would never answer: the process ends.
        """
        try:
            session = self.session
            session.engines.checks.warm()
            await asyncio.to_thread(load)
            self._begin_work(session)
            self.spawn(self.scan())
            if session.settings.trigger is not Trigger.MANUAL:
                self.check(session.buffers.paths())
        except Exception:
            self.leave(1)
            raise

    def _begin_work(self, session: Session) -> None:
        # These load what understands declarations, which nobody needs who is shown what is remembered.
        from rewright.lsp.semantic_tokens import Words
        from rewright.workspace.editor import Workspace

        workspace = Workspace(session.engines, session.ground)
        session.wake(workspace, Words(session.client.encoding))
        workspace.witness(self.trace)

    def _show_progress(self) -> None:
        life = self.session.bar.start() if self.session.client.shows_progress else None
        if life is not None:
            self.spawn(life)

    def _finished(self, task: asyncio.Task[None], path: str | None) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.fail(error, path)
