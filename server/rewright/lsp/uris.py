"""The client's names of documents and the workspace's: URIs outside, absolute paths inside.

Invariant: every document has exactly one of each. One that is no file (`untitled:Untitled-1`) keeps its URI as its
path, with an ending that says that it holds declarations, which is all that the editor sends of that kind.
"""

from __future__ import annotations

import os

from pygls.uris import from_fs_path, to_fs_path, urlparse

UNNAMED = "#.rw"


def path_of(uri: str) -> str:
    """The absolute path of a `file:` URI; any other URI with an ending."""
    path = to_fs_path(uri) if urlparse(uri)[0] == "file" else None
    return os.path.normpath(path) if path else uri + UNNAMED


def uri_of(path: str) -> str:
    """The URI of a path that `path_of` gave or that the workspace found."""
    if not os.path.isabs(path):
        return path.removesuffix(UNNAMED)
    return from_fs_path(path) or path
