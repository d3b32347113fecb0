"""How a session wakes up: what understands declarations is loaded beside what is shown from memory.

Until then documents of which everything is remembered are opened, and what is known of them is told; any other message
waits in its place and is handled once the session is awake. Invariant: messages that change or ask for more than that
are handled in the order in which they came, and each once. Must not know what a method does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from importlib import import_module
from typing import Any

from lsprotocol import types
from msgspec import Struct, field

from rewright.lsp.commands import LIST
from rewright.lsp.features import BEGINNING, FEATURES, REMEMBERED
from rewright.lsp.session import Session
from rewright.lsp.uris import path_of

REST = 0.5
"""Seconds after the last message that was answered from memory until the session wakes up by itself: an editor that
asks for more does so sooner, and while verdicts are drawn nothing else is loaded."""

ASLEEP = BEGINNING | {types.SET_TRACE, types.CANCEL_REQUEST, types.EXIT}
"""The methods that a session takes while it is asleep."""

PARTS = ("rewright.workspace.editor", "rewright.lsp.semantic_tokens")
"""What a session needs to be awake, beside the handlers of its messages."""


class Waking(Struct):
    """The one way of a session from asleep to awake.

    `begin` loads what it needs and gives it its workspace, `handle` takes what waited, `spawn` runs what lasts.
    """

    begin: Callable[[], Awaitable[None]]
    handle: Callable[[Any], None]
    spawn: Callable[[Coroutine[Any, Any, None]], None]
    _held: list[Any] = field(default_factory=list)
    _soon: asyncio.TimerHandle | None = None
    _is_loading: bool = False
    _is_over: bool = False

    def holds(self, session: Session, message: dict[str, Any]) -> bool:
        """Whether a message waits for the session to be awake: it is handled then."""
        if self._is_over:
            return False
        if not self._held and _is_answered(session, message):
            self._wake_soon()
            return False
        self._held.append(message)
        self.wake()
        return True

    def wake(self) -> None:
        """Has the session wake up now, unless it does already."""
        if not self._is_loading:
            self._is_loading = True
            self.stop()
            self.spawn(self._wake())

    def stop(self) -> None:
        """Lets the session sleep on, if it did not begin to wake up."""
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None

    def _wake_soon(self) -> None:
        self.stop()
        if not self._is_loading:
            self._soon = asyncio.get_running_loop().call_later(REST, self.wake)

    async def _wake(self) -> None:
        await self.begin()
        await asyncio.sleep(0)  # until then, answers that were kept are in the report
        self._is_over = True
        held, self._held = self._held, []
        for message in held:
            self.handle(message)


def load() -> None:
    """Loads what a session needs that is awake."""
    for part in PARTS:
        import_module(part)
    for feature in FEATURES:
        feature.load()


def _is_answered(session: Session, message: dict[str, Any]) -> bool:
    """Whether a message is handled by a session that is asleep."""
    match message:
        case {"method": str(method)} if method in ASLEEP:
            return True
        case {"method": types.WORKSPACE_EXECUTE_COMMAND, "params": {"command": str(command)}}:
            return command == LIST
        case {"method": str(method), "params": {"textDocument": {"uri": str(uri)}}} if method in REMEMBERED:
            return session.recollection.file(path_of(uri)) is not None
        case _:
            return False
