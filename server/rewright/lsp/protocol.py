"""The protocol's messages: which are taken, which are refused with which code, which are dropped.

Invariant: every request has exactly one response, whatever it holds and whenever it comes, and no message ends the
server. A request that is malformed, or comes before `initialize` or after `shutdown`, is refused with its code; a
notification of that kind is dropped with a line in the log. Documents are kept by `buffers`, not by pygls, whose own
handlers for them are removed. Must not know what a method does.
"""

from __future__ import annotations

import logging
from collections.abc import Generator
from enum import Enum
from typing import TYPE_CHECKING, Any, Union, cast

from cattrs import Converter, transform_error
from lsprotocol import types
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    default_converter,
    lsp_method,
)

from rewright.lsp.client import preferred_encodings
from rewright.lsp.manual import SCHEME

if TYPE_CHECKING:
    from rewright.lsp.server import RewrightServer

log = logging.getLogger(__name__)

DOCUMENTS = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
)

NOT_INITIALIZED = (int(types.ErrorCodes.ServerNotInitialized), "the server is not initialized")
INITIALIZED = (int(types.ErrorCodes.InvalidRequest), "the server is initialized already")
SHUT_DOWN = (int(types.ErrorCodes.InvalidRequest), "the server was shut down")
UNKNOWN = (int(types.ErrorCodes.InvalidRequest), "`initializationOptions.token` is missing or wrong")
NO_REQUEST = (int(types.ErrorCodes.InvalidRequest), "not a request of JSON-RPC 2.0")

PLAIN = (str, int, float, bool)

Refusal = tuple[int, str]
"""The code and the message of an error response."""


class Stage(Enum):
    """How far the one session of a server has come."""

    BEFORE = "before initialize"
    OPEN = "open"
    ENDING = "after shutdown"


class Protocol(LanguageServerProtocol):
    """The protocol as pygls has it, but for what is refused, documents, the choice of an encoding and the way out."""

    _server: RewrightServer

    def __init__(self, server: RewrightServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self._stage = Stage.BEFORE

    def structure_message(self, data: dict[str, Any]) -> dict[str, Any]:
        """Leaves an object as it is: pygls calls this for each one inside a message, too."""
        return data

    def handle_message(self, message: Any) -> None:
        """Answers what is no message, or comes at the wrong time; hands over all else."""
        match message:
            case {"jsonrpc": "2.0", "method": str()} if self._stage is Stage.OPEN and self._server.holds(message):
                pass
            case {"jsonrpc": "2.0", "method": str(method), "id": key} if _is_id(key):
                self._requested(message, method, key)
            case {"jsonrpc": "2.0", "method": str(method)} if "id" not in message:
                self._notified(message, method)
            case {"jsonrpc": "2.0", "id": key} if "method" not in message and _is_id(key):
                self._responded(message)
            case {"id": key} if _is_id(key):
                self._refuse(key, NO_REQUEST)
            case _:
                log.warning("dropped input that is not a message: %.200r", message)

    def _requested(self, message: dict[str, Any], method: str, key: int | str) -> None:
        refusal = _untimely(self._stage, method)
        if refusal is not None:
            self._refuse(key, refusal)
            return
        if method == types.INITIALIZE and not self._server.admit(_options(message)):
            self._refuse(key, UNKNOWN)
            self._server.leave(1)
            return
        known = self.fm.builtin_features.keys() | self.fm.features.keys()
        made: Any = JsonRPCRequestMessage(key, method, "2.0", message.get("params"))
        try:
            if method in known:
                made = self._structured(message, self.get_message_type(method))
        except ValueError as error:
            self._refuse(key, (int(types.ErrorCodes.InvalidParams), f"`{method}`: {error}"))
            return
        if method == types.SHUTDOWN:
            self._stage = Stage.ENDING
        super().handle_message(made)

    def _notified(self, message: dict[str, Any], method: str) -> None:
        if self._stage is not Stage.OPEN and method != types.EXIT:
            log.warning("dropped `%s`, which came %s", method, self._stage.value)
            return
        made: Any = JsonRPCNotification(method, "2.0", message.get("params"))
        try:
            if (known := self.get_message_type(method)) is not None:
                made = self._structured(message, known)
        except ValueError as error:
            log.warning("dropped `%s`: %s", method, error)
            return
        super().handle_message(made)

    def _responded(self, message: dict[str, Any]) -> None:
        """Hands a response to who waits for it; one that is malformed is an error there."""
        key = message["id"]
        expected = self._result_types.pop(key, None) or JsonRPCResponseMessage
        try:
            made = self._structured(message, types.ResponseErrorMessage if "error" in message else expected)
        except ValueError as error:
            failure = types.ResponseError(int(types.ErrorCodes.ParseError), f"malformed response: {error}")
            made = types.ResponseErrorMessage(id=key, error=failure)
        super().handle_message(made)

    def _structured(self, message: dict[str, Any], kind: Any) -> Any:
        """The message as an object of its type. Raises `ValueError` with the place that does not fit."""
        try:
            return self._converter.structure(message, kind)
        except Exception as error:  # not only cattrs' own: the hooks for unions raise whatever a look at a value does
            raise ValueError(transform_error(error, "$")[0]) from error

    def _refuse(self, key: int | str, refusal: Refusal) -> None:
        code, text = refusal
        log.warning("refused the request %r: %s", key, text)
        self._send_response(key, error=types.ResponseError(code, text))

    def _register_builtin_features(self) -> None:
        super()._register_builtin_features()  # type: ignore[no-untyped-call]
        for method in DOCUMENTS:
            self.fm.builtin_features.pop(method, None)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Generator[Any, Any, types.InitializeResult]:
        """Puts the encodings into our order, of which pygls takes the first, goes on, says whose texts there are."""
        general = params.capabilities.general or types.GeneralClientCapabilities()
        general.position_encodings = preferred_encodings(params.capabilities)
        params.capabilities.general = general
        result = yield from super().lsp_initialize(params)
        if result.capabilities.workspace is not None:
            result.capabilities.workspace.text_document_content = types.TextDocumentContentOptions([SCHEME])
        self._stage = Stage.OPEN
        return result

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        """Cancels a request that is under way; to one that has its response nothing is done, as the protocol has it."""
        if msg_id in self._request_futures:
            super()._handle_cancel_notification(msg_id)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: Any) -> Generator[Any, Any, None]:
        """Lets the main coroutine end, which cleans up; pygls would leave at once."""
        self._server.leave(0 if self._shutdown else 1)
        yield from ()


def strict_converter() -> Converter:
    """pygls' converter, which takes no number for a text, no text for a number, and nothing for a truth but one."""
    converter: Converter = default_converter()  # type: ignore[no-untyped-call]
    for kind in PLAIN:
        converter.register_structure_hook(kind, _exactly)
    for either in (int | str, Union[int, str]):  # noqa: UP007, the two are different keys
        converter.register_structure_hook(either, _whole_or_text)
    return converter


def _exactly(value: Any, kind: type) -> Any:
    if kind not in PLAIN:  # an enum, for which cattrs asks here too; it raises `ValueError`
        return kind(value)
    if type(value) is kind or (kind is float and type(value) is int):
        return value
    raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")


def _whole_or_text(value: Any, _: Any) -> int | str:
    return cast("int | str", _exactly(value, str if isinstance(value, str) else int))


def _options(message: dict[str, Any]) -> Any:
    """What a client says of itself, whatever it is."""
    params = message.get("params")
    return params.get("initializationOptions") if isinstance(params, dict) else None


def _is_id(key: Any) -> bool:
    return isinstance(key, int | str) and not isinstance(key, bool)


def _untimely(stage: Stage, method: str) -> Refusal | None:
    """Why a request is refused whatever it holds, None if it is not."""
    match stage:
        case Stage.BEFORE:
            return None if method == types.INITIALIZE else NOT_INITIALIZED
        case Stage.OPEN:
            return INITIALIZED if method == types.INITIALIZE else None
        case Stage.ENDING:
            return SHUT_DOWN
