"""The documentation as documents of the editor: their URIs, and the text of each.

A client that can ask for texts gets URIs of a scheme of their own; any other one the files of this installation.
"""

from __future__ import annotations

from rewright.lsp.client import Client
from rewright.workspace import pages

SCHEME = "rewright"

_START, _END = f"{SCHEME}:/", ".md"


def page_of_code(code: str, client: Client) -> str:
    """The URI of the page that explains a diagnostic code."""
    name = f"{pages.CODES}{code}"
    return f"{_START}{name}{_END}" if client.shows_pages else pages.file(name).as_uri()


def text_at(uri: str) -> str | None:
    """The Markdown of the page with this URI, None if there is no such page."""
    if not (uri.startswith(_START) and uri.endswith(_END)):
        return None
    return pages.text(uri.removeprefix(_START).removesuffix(_END))
