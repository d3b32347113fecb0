"""What the client at the other end can do, read once from its `initialize` request.

Must not hold anything that changes during a session; what the user can change stands in `settings`.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types
from msgspec import Struct
from pygls.capabilities import get_capability

from rewright.syntax.text import PositionEncoding


class Client(Struct, frozen=True):
    """The abilities of a client that change what is sent to it.

    `pulls`: it asks for diagnostics of syntax, names and shapes itself; any other client gets all of them pushed.
    `shows_pages`: it shows documents whose text the server has.
    `commands` are those of its own that it knows, which lenses and actions may name.
    """

    encoding: PositionEncoding
    pulls: bool
    related: bool
    greys: bool
    refreshes_hints: bool
    refreshes_lenses: bool
    refreshes_diagnostics: bool
    shows_progress: bool
    registers_watchers: bool
    nests_symbols: bool
    snippets: bool
    document_changes: bool
    shows_pages: bool
    label_offsets: bool
    commands: frozenset[str]
    shows_lenses: bool


def client_of(capabilities: types.ClientCapabilities) -> Client:
    """The abilities that a client announces."""

    def has(path: str) -> bool:
        return bool(get_capability(capabilities, path, False))

    tags = get_capability(capabilities, "text_document.publish_diagnostics.tag_support.value_set", None)
    return Client(
        encoding=PositionEncoding(preferred_encodings(capabilities)[0]),
        pulls=get_capability(capabilities, "text_document.diagnostic", None) is not None,
        related=has("text_document.publish_diagnostics.related_information"),
        greys=types.DiagnosticTag.Unnecessary in (tags or []),
        refreshes_hints=has("workspace.inlay_hint.refresh_support"),
        refreshes_lenses=has("workspace.code_lens.refresh_support"),
        refreshes_diagnostics=has("workspace.diagnostics.refresh_support"),
        shows_progress=has("window.work_done_progress"),
        registers_watchers=has("workspace.did_change_watched_files.dynamic_registration"),
        nests_symbols=has("text_document.document_symbol.hierarchical_document_symbol_support"),
        snippets=has("text_document.completion.completion_item.snippet_support"),
        document_changes=has("workspace.workspace_edit.document_changes"),
        shows_pages=get_capability(capabilities, "workspace.text_document_content", None) is not None,
        label_offsets=has(
            "text_document.signature_help.signature_information.parameter_information.label_offset_support"
        ),
        commands=_commands(capabilities.experimental),
        shows_lenses=get_capability(capabilities, "text_document.code_lens", None) is not None,
    )


def _commands(experimental: Any) -> frozenset[str]:
    """The commands of its own that a client offers: `{"commands": {"commands": ["rewright.showCounterexample"]}}`."""
    offered = _entry(_entry(experimental, "commands"), "commands")
    return frozenset(each for each in offered if isinstance(each, str)) if isinstance(offered, list) else frozenset()


def _entry(value: Any, key: str) -> Any:
    """An entry of what stands in a message, which is a table or an object; None if there is none."""
    return value.get(key) if isinstance(value, dict) else getattr(value, key, None)


def preferred_encodings(capabilities: types.ClientCapabilities) -> list[str]:
    """The position encodings to choose from, best first: UTF-8, in which spans are kept, before UTF-16, the default."""
    offered = get_capability(capabilities, "general.position_encodings", None) or []
    known = [encoding.value for encoding in (PositionEncoding.UTF8, PositionEncoding.UTF16, PositionEncoding.UTF32)]
    names = {str(getattr(encoding, "value", encoding)) for encoding in offered}
    return [encoding for encoding in known if encoding in names] or [PositionEncoding.UTF16.value]
