"""What is refused with its reason: an answer to the user, and no fault."""

from __future__ import annotations

import logging

from pygls.exceptions import JsonRpcException


class RequestRefused(JsonRpcException):
    """A request that cannot be met; the client shows the message."""

    CODE = -32803
    MESSAGE = "refused"


def is_refusal(record: logging.LogRecord) -> bool:
    """Whether a line of the log tells, as an error, that a request was refused: the user is told already."""
    return record.exc_info is not None and isinstance(record.exc_info[1], RequestRefused)
