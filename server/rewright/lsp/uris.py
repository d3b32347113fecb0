"""The client's names of documents and the workspace's: URIs outside, absolute paths inside.

Invariant: a document that is no file (`untitled:`) keeps its URI as its path, so every document has one of each.
"""

from __future__ import annotations

import os

from pygls.uris import from_fs_path, to_fs_path, urlparse


def path_of(uri: str) -> str:
    """The absolute path of a `file:` URI; any other URI as it is."""
    if urlparse(uri)[0] != "file":
        return uri
    path = to_fs_path(uri)
    return os.path.normpath(path) if path else uri


def uri_of(path: str) -> str:
    """The URI of a path that `path_of` gave or that the workspace found."""
    if not os.path.isabs(path):
        return path
    return from_fs_path(path) or path
