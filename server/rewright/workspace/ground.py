"""What an editor's workspace stands on: the texts as they are there, its folders, and what is set in each.

Invariant: what was asked of the sources for a file is noted, so that what is said of it can be remembered. Must not
know what is made of a text.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, field

from rewright.workspace.folders import Folders
from rewright.workspace.remembered import Recorded
from rewright.workspace.settings import Settings, in_editor
from rewright.workspace.sources import Sources, workspace_root


def _here() -> Sources:
    return Sources(Path.cwd())


class Ground(Struct):
    """The sources and the folders; `recorded` are the sources as they are asked for each file."""

    sources: Sources = field(default_factory=_here)
    folders: Folders = field(default_factory=Folders)
    recorded: dict[str, Recorded] = field(default_factory=dict)

    def add(self, folder: Path, settings: Settings) -> None:
        """Takes in a folder, or gives it other settings.

        Limits that are above the usual ones are not raised: that somebody opened a folder is no leave to work for long.
        """
        self.folders.add(folder, in_editor(settings))
        self._root()

    def remove(self, folder: Path) -> bool:
        """Takes a folder out; returns whether it was there."""
        was_there = self.folders.remove(folder)
        self._root()
        return was_there

    def settle(self, path: str) -> None:
        """Takes the workspace of a file for the one that is meant, if no folder says which."""
        if not self.folders.roots():
            self.sources.root = workspace_root(Path(path))

    def reads(self, path: str) -> Recorded:
        """The sources, as they are asked for the file at `path`."""
        return self.recorded.setdefault(path, Recorded(self.sources))

    def settings(self, path: str) -> Settings:
        """The settings that hold for the file at `path`."""
        return self.folders.settings(path)

    def _root(self) -> None:
        roots = self.folders.roots()
        self.sources.root, self.sources.folders = roots[0] if roots else Path.cwd(), roots
