"""The client's folders as the workspace knows them: paths, and what each one's `rewright.toml` says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rewright.lsp.server import RewrightServer
from rewright.lsp.uris import path_of
from rewright.workspace.settings import Settings, SettingsError, load


def folders_of(uris: Iterable[str]) -> tuple[Path, ...]:
    """The folders on disk among these, each once, in order."""
    paths = (Path(path_of(uri)) for uri in uris)
    return tuple(dict.fromkeys(path for path in paths if path.is_absolute()))


def project_of(server: RewrightServer, folder: Path) -> Settings:
    """What a folder's `rewright.toml` says; the usual settings, and word to the user, if it cannot be used."""
    try:
        return load(folder)
    except SettingsError as error:
        server.warn(str(error))
        return Settings()
