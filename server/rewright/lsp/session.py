"""One client's session: what it can do and wants, its open documents, the workspace and the views of it.

It begins asleep: it knows what is remembered of the documents that are opened, and has loaded nothing that could parse
one. Once it is awake, it has a workspace. Invariant: there is exactly one session between `initialize` and `shutdown`,
and closing it leaves no process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

from rewright.engine.cache import Cache
from rewright.lsp.buffers import Buffers
from rewright.lsp.client import Client
from rewright.lsp.pauses import Pauses
from rewright.lsp.settings import UserSettings
from rewright.workspace.engines import Engines
from rewright.workspace.ground import Ground
from rewright.workspace.recollection import Recollection
from rewright.workspace.viewed import Viewed

if TYPE_CHECKING:
    from rewright.lsp.progress import Bar
    from rewright.lsp.publishing import Publisher
    from rewright.lsp.semantic_tokens import Words
    from rewright.workspace.editor import Workspace

EVERYTHING = ""
"""What waits for a pause in typing and is for no document."""


class Awake(Struct, frozen=True):
    """What a session has once it can parse."""

    workspace: Workspace
    words: Words


class Session(Struct):
    """The state behind all requests. `settings` is replaced when the user changes them."""

    client: Client
    settings: UserSettings
    buffers: Buffers
    ground: Ground
    recollection: Recollection
    publisher: Publisher
    bar: Bar
    engines: Engines
    cache: Cache
    pauses: Pauses = field(default_factory=Pauses)
    awake: Awake | None = None

    @property
    def workspace(self) -> Workspace:
        """The workspace. Raises `RuntimeError` as long as the session is asleep, when nothing that asks is handled."""
        return self._awake.workspace

    @property
    def words(self) -> Words:
        """The words of files as they were last encoded. Raises `RuntimeError` as long as the session is asleep."""
        return self._awake.words

    @property
    def viewed(self) -> Viewed:
        """What can be shown: what is known, or as long as nothing is, what is remembered."""
        return self.recollection if self.awake is None else self.awake.workspace

    @property
    def _awake(self) -> Awake:
        if self.awake is None:
            raise RuntimeError("the session is not awake")
        return self.awake

    def wake(self, workspace: Workspace, words: Words) -> None:
        """Gives the session the workspace that it has from now on, and that the open documents."""
        self.awake = Awake(workspace, words)
        self.publisher.show(workspace)
        workspace.subscribe(self.changed)
        for path in self.buffers.paths():
            buffer = self.buffers.get(path)
            if buffer is not None:
                workspace.open(path, buffer.text)

    def changed(self, _: frozenset[str]) -> None:
        """Takes note that the report is another one; what stands for good is remembered after a pause."""
        self.publisher.changed()
        self.bar.changed()
        if self.awake is not None and not self.workspace.pending():
            self.pauses.after(EVERYTHING, self._remember)

    async def close(self) -> None:
        """Stops all work and everything that is sent."""
        self.pauses.stop()
        self.publisher.stop()
        if self.awake is not None:
            self._remember()
            await self.workspace.close_all()
        else:
            await self.engines.checks.close()
            await self.engines.front.close()
        self.cache.close()

    def _remember(self) -> None:
        self.recollection.keep(self.workspace.lasting())
