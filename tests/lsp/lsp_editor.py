"""An editor for tests: opens documents in the real server over standard input and output, types, saves and looks.

It sees only what a client sees, and finds places by the text that stands there.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lsprotocol import types
from pytest_lsp.client import LanguageClient, make_test_lsp_client

PATIENCE = 60.0
"""Seconds until a wait for something that should happen is a failure: long, since others may use the machine too."""

OPEN = ("…", "·")
"""How the hint of a declaration without a verdict begins."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What kind of client to play."""

    encodings: tuple[str, ...] = ("utf-16",)
    pulls: bool = True
    options: dict[str, Any] = field(default_factory=dict)
    process: int | None = None
    versions: bool = False
    """Whether it takes edits of a version of a document only."""
    commands: tuple[str, ...] = ()
    """Those that it has of its own."""
    folders: tuple[Path, ...] = ()
    """Those of the workspace, in place of the one."""


@dataclass(slots=True)
class Document:
    """What the editor shows of a file: its text with the version that the server was told."""

    path: Path
    text: str
    version: int = 1

    @property
    def uri(self) -> str:
        return self.path.as_uri()

    @property
    def identifier(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def position(self, offset: int, encoding: str = "utf-16") -> types.Position:
        """The position of a character of the text."""
        before = self.text[:offset].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        width = len(before[-1].encode(encoding + "-le" if encoding != "utf-8" else encoding))
        return types.Position(len(before) - 1, width // {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding])

    def range(self, text: str, encoding: str = "utf-16") -> types.Range:
        """The range of the first occurrence of a text."""
        start = self.text.index(text)
        return types.Range(self.position(start, encoding), self.position(start + len(text), encoding))


class Editor:
    """A client of one server."""

    def __init__(self, client: LanguageClient, kind: Kind, root: Path) -> None:
        self.client = client
        self.root = root
        self.kind = kind
        self.statuses: list[Any] = []
        self.published: list[types.PublishDiagnosticsParams] = []
        self.hint_refreshes: list[float] = []
        self.proposed: list[types.WorkspaceEdit] = []
        self.shown: list[types.ShowDocumentParams] = []
        self.traces: list[types.LogTraceParams] = []
        self.news = asyncio.Event()
        self.capabilities: types.ServerCapabilities | None = None

    @property
    def encoding(self) -> str:
        """The position encoding that the server chose."""
        assert self.capabilities is not None
        chosen = self.capabilities.position_encoding
        return str(getattr(chosen, "value", chosen))

    @property
    def process(self) -> int:
        """The server's process id."""
        server = self.client._server
        assert server is not None
        return server.pid

    async def open(self, path: Path, text: str | None = None) -> Document:
        """Opens a file, or a text that differs from the file's as an unsaved buffer."""
        document = Document(path, path.read_bytes().decode() if text is None else text)
        language = {".rw": "rewright", ".c": "c"}.get(path.suffix, "cuda-cpp")
        item = types.TextDocumentItem(document.uri, language, document.version, document.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return document

    def replace(self, document: Document, old: str, new: str) -> None:
        """Types `new` over the first `old`."""
        assert old in document.text, f"{old!r} is not in {document.path}"
        change = types.TextDocumentContentChangePartial(document.range(old, self.encoding), new)
        document.text = document.text.replace(old, new, 1)
        document.version += 1
        identifier = types.VersionedTextDocumentIdentifier(document.version, document.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))

    def apply(self, document: Document, edit: types.TextEdit) -> None:
        """Makes an edit that the server proposed."""
        change = types.TextDocumentContentChangePartial(edit.range, edit.new_text)
        start, end = (_offset(document.text, place) for place in (edit.range.start, edit.range.end))
        document.text = document.text[:start] + edit.new_text + document.text[end:]
        document.version += 1
        identifier = types.VersionedTextDocumentIdentifier(document.version, document.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))

    def save(self, document: Document) -> None:
        """Writes the file and says so."""
        document.path.write_bytes(document.text.encode())
        self.client.text_document_did_save(types.DidSaveTextDocumentParams(document.identifier))

    def close(self, document: Document) -> None:
        """Closes a document."""
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(document.identifier))

    async def pull(self, document: Document, previous: str | None = None) -> types.DocumentDiagnosticReport:
        """Pulls the diagnostics of a document."""
        params = types.DocumentDiagnosticParams(document.identifier, previous_result_id=previous)
        return await self.client.text_document_diagnostic_async(params)

    async def problems(self, document: Document) -> list[types.Diagnostic]:
        """The pulled diagnostics of a document."""
        report = await self.pull(document)
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        return list(report.items)

    async def hints(self, document: Document) -> dict[int, str]:
        """The inlay hints of a document by line."""
        everything = types.Range(types.Position(0, 0), types.Position(1_000_000, 0))
        params = types.InlayHintParams(document.identifier, everything)
        hints = await self.client.text_document_inlay_hint_async(params)
        return {hint.position.line: str(hint.label) for hint in hints or ()}

    async def hint(self, document: Document, name: str) -> str:
        """The inlay hint on the first line that holds a text."""
        return (await self.hints(document))[document.range(name).start.line]

    async def rows(self) -> list[dict[str, Any]]:
        """The declarations as the server lists them."""
        params = types.ExecuteCommandParams("rewright.server.listDeclarations", [])
        return list(await self.client.workspace_execute_command_async(params) or ())

    async def lenses(self, document: Document) -> list[types.CodeLens]:
        """The code lenses of a document."""
        params = types.CodeLensParams(document.identifier)
        return list(await self.client.text_document_code_lens_async(params) or ())

    async def titles(self, document: Document) -> dict[int, str]:
        """What the lenses of a document say, by line."""
        return {lens.range.start.line: lens.command.title for lens in await self.lenses(document) if lens.command}

    async def fixes(self, document: Document, found: types.Diagnostic, least: int = 1) -> list[types.CodeAction]:
        """The quick fixes of one diagnostic, once there are at least so many: each is offered when it was checked."""
        context = types.CodeActionContext([found], only=[types.CodeActionKind.QuickFix])
        params = types.CodeActionParams(document.identifier, found.range, context)
        async with asyncio.timeout(PATIENCE):
            while len(actions := made_to_edit(await self.client.text_document_code_action_async(params))) < least:
                await asyncio.sleep(0.05)
        return actions

    async def hover(self, document: Document, at: str, offset: int = 0) -> str:
        """The Markdown shown at the first occurrence of a text."""
        position = document.position(document.text.index(at) + offset, self.encoding)
        hover = await self.client.text_document_hover_async(types.HoverParams(document.identifier, position))
        if hover is None:
            return ""
        assert isinstance(hover.contents, types.MarkupContent)
        return hover.contents.value

    def pushed(self, path: Path) -> list[types.Diagnostic]:
        """The diagnostics last pushed for a file."""
        sent = [params for params in self.published if params.uri == path.as_uri()]
        return list(sent[-1].diagnostics) if sent else []

    async def settled(self, document: Document, patience: float = PATIENCE) -> dict[int, str]:
        """Waits until each declaration has a verdict and returns the hints, when what they bring was sent as well."""
        hints = await self.decided(document, patience)
        await asyncio.sleep(0.05)
        await self.hints(document)
        return hints

    async def decided(self, document: Document, patience: float = PATIENCE) -> dict[int, str]:
        """Waits until each declaration has a verdict and returns the hints."""
        async with asyncio.timeout(patience):
            hints = await self.hints(document)
            while any(hint.startswith(OPEN) for hint in hints.values()):
                await asyncio.sleep(0.01)
                hints = await self.hints(document)
        return hints

    async def eventually(self, holds: Callable[[], bool]) -> None:
        """Waits until a condition on what was received holds."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self.news.clear()
                await self.news.wait()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Waits until a condition holds that no news tells of."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await asyncio.sleep(0.01)

    async def refreshed(self, known: int) -> int:
        """Waits until the server asked more often than `known` to draw the hints anew; returns how often it did."""
        await self.eventually(lambda: len(self.hint_refreshes) > known)
        return len(self.hint_refreshes)

    async def ended(self) -> int:
        """Waits until the server's process is gone and returns its exit status."""
        assert self.client._server is not None
        async with asyncio.timeout(PATIENCE):
            return await self.client._server.wait()

    async def run(self, command: str, *arguments: Any) -> Any:
        """What one of the server's commands returns."""
        return await self.client.workspace_execute_command_async(types.ExecuteCommandParams(command, list(arguments)))


def made_to_edit(
    actions: Sequence[types.CodeAction | types.Command] | None,
) -> list[types.CodeAction]:
    """Those of the actions that change a text; others say that fixes are still looked for."""
    return [each for each in actions or () if isinstance(each, types.CodeAction) and each.edit is not None]


def _offset(text: str, place: types.Position) -> int:
    """The offset of a position in a text of one code unit per character, and lines that end in a line feed."""
    return sum(len(line) + 1 for line in text.split("\n")[: place.line]) + place.character


@asynccontextmanager
async def started(
    root: Path, kind: Kind | None = None, cache: Path | None = None, program: tuple[str, ...] = ("-m", "rewright.lsp")
) -> AsyncIterator[Editor]:
    """An editor on the folder `root`, with a server of its own, that is shut down at the end."""
    kind = kind or Kind()
    client = make_test_lsp_client()
    editor = Editor(client, kind, root)
    _listen(editor)
    await client.start_io(sys.executable, *program, "--cache", str(cache or root / ".cache"))
    params = types.InitializeParams(
        process_id=kind.process or os.getpid(),
        capabilities=_capabilities(kind),
        root_uri=root.as_uri(),
        workspace_folders=[types.WorkspaceFolder(each.as_uri(), each.name) for each in kind.folders or (root,)],
        initialization_options={"check": {"workers": 1}, **kind.options},
    )
    try:
        editor.capabilities = (await client.initialize_session(params)).capabilities
        yield editor
    finally:
        if client._server is not None and client._server.returncode is None:
            async with asyncio.timeout(PATIENCE):
                await client.shutdown_session()
        await client.stop()  # type: ignore[no-untyped-call]  # pygls does not annotate it


def _listen(editor: Editor) -> None:
    def status(params: Any) -> None:
        editor.statuses.append(params)
        editor.news.set()

    def publish(params: types.PublishDiagnosticsParams) -> None:
        editor.published.append(params)
        editor.news.set()

    def refresh(_: None) -> None:
        editor.hint_refreshes.append(asyncio.get_running_loop().time())
        editor.news.set()

    def refresh_lenses(_: None) -> None:
        pass

    def apply(params: types.ApplyWorkspaceEditParams) -> types.ApplyWorkspaceEditResult:
        editor.proposed.append(params.edit)
        editor.news.set()
        return types.ApplyWorkspaceEditResult(applied=True)

    def show(params: types.ShowDocumentParams) -> types.ShowDocumentResult:
        editor.shown.append(params)
        editor.news.set()
        return types.ShowDocumentResult(success=True)

    def trace(params: types.LogTraceParams) -> None:
        editor.traces.append(params)
        editor.news.set()

    def register(_: types.RegistrationParams) -> None:
        pass

    listeners: dict[str, Callable[[Any], object]] = {
        "rewright/status": status,
        types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS: publish,
        types.WORKSPACE_INLAY_HINT_REFRESH: refresh,
        types.WORKSPACE_CODE_LENS_REFRESH: refresh_lenses,
        types.WORKSPACE_APPLY_EDIT: apply,
        types.WINDOW_SHOW_DOCUMENT: show,
        types.CLIENT_REGISTER_CAPABILITY: register,
        types.LOG_TRACE: trace,
    }
    for method, listener in listeners.items():
        editor.client.protocol.fm.features.pop(method, None)
        editor.client.feature(method)(listener)


def _capabilities(kind: Kind) -> types.ClientCapabilities:
    return types.ClientCapabilities(
        experimental={"commands": {"commands": list(kind.commands)}},
        general=types.GeneralClientCapabilities(position_encodings=list(kind.encodings)),
        window=types.WindowClientCapabilities(work_done_progress=True),
        workspace=types.WorkspaceClientCapabilities(
            apply_edit=True,
            workspace_edit=types.WorkspaceEditClientCapabilities(document_changes=kind.versions),
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
            inlay_hint=types.InlayHintWorkspaceClientCapabilities(refresh_support=True),
            diagnostics=types.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
            did_change_watched_files=types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True),
            text_document_content=types.TextDocumentContentClientCapabilities(),
        ),
        text_document=types.TextDocumentClientCapabilities(
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(
                related_information=True,
                tag_support=types.ClientDiagnosticsTagOptions([types.DiagnosticTag.Unnecessary]),
            ),
            diagnostic=types.DiagnosticClientCapabilities() if kind.pulls else None,
            code_lens=types.CodeLensClientCapabilities(),
            document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
            completion=types.CompletionClientCapabilities(
                completion_item=types.ClientCompletionItemOptions(snippet_support=True)
            ),
            signature_help=types.SignatureHelpClientCapabilities(
                signature_information=types.ClientSignatureInformationOptions(
                    parameter_information=types.ClientSignatureParameterInformationOptions(label_offset_support=True)
                )
            ),
        ),
    )
