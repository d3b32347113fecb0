"""The client's names of documents and the workspace's: URIs outside, absolute paths inside.

Invariant: every document has exactly one of each. One that is no file (`untitled:Untitled-1`) keeps its URI as its
path, with an ending that says that it holds declarations, which is all that the editor sends of that kind.
"""

from __future__ import annotations

import os
import re

from pygls.uris import from_fs_path, to_fs_path, urlparse

from rewright.frontends.table import DECLARATIONS

UNNAMED = f"#{DECLARATIONS}"

NO_PART_OF_A_PATH = re.compile("[\0\ud800-\udfff]")
"""Characters that the system takes in no path; some of them only JSON can hold."""


def path_of(uri: str) -> str:
    """The absolute path of a `file:` URI; any other URI, and what is none, with an ending."""
    uri = NO_PART_OF_A_PATH.sub("\ufffd", uri)
    try:
        path = to_fs_path(uri) if urlparse(uri)[0] == "file" else None
    except ValueError:
        path = None
    return os.path.normpath(path) if path and "\0" not in path else uri + UNNAMED


def is_unnamed(path: str) -> bool:
    """Whether a document is no file, and so is never saved as what it is."""
    return not os.path.isabs(path)


def uri_of(path: str) -> str:
    """The URI of a path that `path_of` gave or that the workspace found."""
    if not os.path.isabs(path):
        return path.removesuffix(UNNAMED)
    return from_fs_path(path) or path
