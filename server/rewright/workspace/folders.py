"""The folders of a workspace, each with the settings of its own `rewright.toml`.

Invariant: what is said of a file depends on the innermost folder that it is in, and on no other one: as on the command
line, where there is one. Must not know how settings are read.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct, field

from rewright.workspace.settings import Settings

USUAL = Settings()


class Folders(Struct):
    """The folders in the client's order."""

    _settings: dict[Path, Settings] = field(default_factory=dict)

    def add(self, folder: Path, settings: Settings) -> None:
        """Adds a folder, or gives it other settings."""
        self._settings[folder] = settings

    def remove(self, folder: Path) -> bool:
        """Takes a folder out; returns whether it was there."""
        return self._settings.pop(folder, None) is not None

    def roots(self) -> tuple[Path, ...]:
        """The folders."""
        return tuple(self._settings)

    def settings(self, path: str) -> Settings:
        """The settings that hold for a file: the usual ones outside of all folders."""
        folder = innermost(path, self.roots())
        return self._settings[folder] if folder is not None else USUAL

    def hold(self, path: str) -> bool:
        """Whether a file is in one of the folders."""
        return innermost(path, self.roots()) is not None


def innermost(path: str, folders: tuple[Path, ...]) -> Path | None:
    """The deepest of some folders that a file is in, whatever links lead there; None if it is in none."""
    return max((folder for folder in folders if is_in(path, folder)), key=_depth, default=None)


def is_in(path: str, folder: Path) -> bool:
    """Whether a file is below a folder, as the two are written or once links are followed."""
    return _below(path, str(folder)) or _below(os.path.realpath(path), os.path.realpath(folder))


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _depth(folder: Path) -> int:
    return len(folder.parts)
