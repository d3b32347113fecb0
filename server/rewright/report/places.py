"""Places as the views for other programs give them: paths relative to a folder, lines and UTF-16 columns."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import quote

from msgspec import Struct

from rewright.report.document import Located
from rewright.syntax.text import Position, Text


class Places(Struct, frozen=True):
    """The texts at hand that turn bytes into lines and columns, and the folder to which paths are relative."""

    texts: Mapping[str, Text]
    directory: str

    def file(self, path: str) -> str:
        """The path relative to the folder, with `/`."""
        return os.path.relpath(path, self.directory).replace(os.sep, "/")

    def uri(self, path: str) -> str:
        """The path relative to the folder as a reference of a URI."""
        return quote(self.file(path).encode("utf-8", "surrogateescape"))

    def ends(self, at: Located) -> tuple[Position, Position]:
        """Where a place starts and ends; lines and columns count from 0."""
        text = self.texts[at.path]
        return text.position(at.span.start), text.position(at.span.end)
