"""What is refused with its reason: an answer to the user, and no fault."""

from __future__ import annotations

from pygls.exceptions import JsonRpcException


class RequestRefused(JsonRpcException):
    """A request that cannot be met; the client shows the message."""

    CODE = -32803
    MESSAGE = "refused"
