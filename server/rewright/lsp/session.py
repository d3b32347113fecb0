"""One client's session: what it can do and wants, its open documents, the workspace and the views of it.

Invariant: there is exactly one session between `initialize` and `shutdown`, and closing it leaves no process.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rewright.engine.cache import Cache
from rewright.engine.scheduler import Engine
from rewright.lsp.buffers import Buffers
from rewright.lsp.client import Client
from rewright.lsp.pauses import Pauses
from rewright.lsp.progress import Bar
from rewright.lsp.publishing import Publisher
from rewright.lsp.semantic_tokens import Words
from rewright.lsp.settings import UserSettings
from rewright.workspace.editor import Workspace


@dataclass(slots=True)
class Session:
    """The state behind all requests. `settings` is replaced when the user changes them."""

    client: Client
    settings: UserSettings
    buffers: Buffers
    workspace: Workspace
    publisher: Publisher
    bar: Bar
    words: Words
    engine: Engine
    cache: Cache
    pauses: Pauses = field(default_factory=Pauses)

    def changed(self, _: frozenset[str]) -> None:
        """Takes note that the report is another one."""
        self.publisher.changed()
        self.bar.changed()

    async def close(self) -> None:
        """Stops all work and everything that is sent."""
        self.pauses.stop()
        self.publisher.stop()
        await self.workspace.close_all()
        self.cache.close()
