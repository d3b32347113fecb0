"""The methods that the server answers: which module each has, and what a client is told of it. Loads none of them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

from lsprotocol import types
from msgspec import Struct

from rewright.lsp.legend import LEGEND

HANDLERS = "rewright.lsp.methods"
"""The package of the modules."""

BEGINNING = frozenset({types.INITIALIZE, types.INITIALIZED, types.TEXT_DOCUMENT_DID_OPEN, types.SHUTDOWN})
"""The methods that a session takes before anything is loaded that parses (`waking.py`)."""

REMEMBERED = frozenset({types.TEXT_DOCUMENT_INLAY_HINT, types.TEXT_DOCUMENT_CODE_LENS, types.TEXT_DOCUMENT_DIAGNOSTIC})
"""The methods that it answers then of a document of which everything is remembered."""


def handlers(module: str) -> ModuleType:
    """A module of handlers, which is loaded if it is not yet."""
    return import_module(f"{HANDLERS}.{module}")


class Feature(Struct, frozen=True):
    """A method of the protocol: its name, the module that answers it, and what the client is told of it."""

    name: str
    module: str
    options: Any = None

    def load(self) -> ModuleType:
        """The module."""
        return handlers(self.module)


FEATURES = (
    Feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        "code_action",
        types.CodeActionOptions(
            code_action_kinds=[
                types.CodeActionKind.QuickFix,
                types.CodeActionKind.RefactorRewrite,
                types.CodeActionKind.SourceFixAll,
            ]
        ),
    ),
    Feature(types.TEXT_DOCUMENT_CODE_LENS, "code_lens", types.CodeLensOptions(resolve_provider=False)),
    Feature(
        types.TEXT_DOCUMENT_COMPLETION,
        "completion",
        types.CompletionOptions(trigger_characters=["@", '"', "/", "."], resolve_provider=True),
    ),
    Feature(types.COMPLETION_ITEM_RESOLVE, "completion_resolve"),
    Feature(types.TEXT_DOCUMENT_DEFINITION, "definition"),
    Feature(
        types.TEXT_DOCUMENT_DIAGNOSTIC,
        "diagnostic",
        types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier="rewright"),
    ),
    Feature(types.TEXT_DOCUMENT_DID_CHANGE, "did_change"),
    Feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION, "did_change_configuration"),
    Feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, "did_change_watched_files"),
    Feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, "did_change_workspace_folders"),
    Feature(types.TEXT_DOCUMENT_DID_CLOSE, "did_close"),
    Feature(types.TEXT_DOCUMENT_DID_OPEN, "did_open"),
    Feature(types.TEXT_DOCUMENT_DID_SAVE, "did_save", types.SaveOptions(include_text=False)),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "document_highlight"),
    Feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, "document_symbol"),
    Feature(types.TEXT_DOCUMENT_FOLDING_RANGE, "folding_range"),
    Feature(types.TEXT_DOCUMENT_FORMATTING, "formatting"),
    Feature(types.TEXT_DOCUMENT_HOVER, "hover"),
    Feature(types.TEXT_DOCUMENT_IMPLEMENTATION, "implementation"),
    Feature(types.INITIALIZE, "initialize"),
    Feature(types.INITIALIZED, "initialized"),
    Feature(types.TEXT_DOCUMENT_INLAY_HINT, "inlay_hint"),
    Feature(types.INLAY_HINT_RESOLVE, "inlay_hint_resolve"),
    Feature(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        "on_type_formatting",
        types.DocumentOnTypeFormattingOptions("}", ["\n"]),
    ),
    Feature(types.TEXT_DOCUMENT_PREPARE_RENAME, "prepare_rename"),
    Feature(types.WINDOW_WORK_DONE_PROGRESS_CANCEL, "progress_cancel"),
    Feature(types.TEXT_DOCUMENT_RANGE_FORMATTING, "range_formatting"),
    Feature(types.TEXT_DOCUMENT_REFERENCES, "references"),
    Feature(types.TEXT_DOCUMENT_RENAME, "rename", types.RenameOptions(prepare_provider=True)),
    Feature(types.TEXT_DOCUMENT_SELECTION_RANGE, "selection_range"),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, "semantic_tokens_full", LEGEND),
    Feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE, "semantic_tokens_range", LEGEND),
    Feature(types.SHUTDOWN, "shutdown"),
    Feature(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        "signature_help",
        types.SignatureHelpOptions(trigger_characters=["(", ","], retrigger_characters=[":", "=", ")"]),
    ),
    Feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, "text_document_content"),
    Feature(types.WORKSPACE_SYMBOL, "workspace_symbol"),
)
