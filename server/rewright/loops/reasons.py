"""What isl says when it gives up, for people."""

from __future__ import annotations

import islpy as isl


def reason_of(error: isl.Error, operations: int) -> str:
    """Why something was not decided, with the operations that isl was given."""
    text = str(error)
    if "quota" in text or "operations" in text:
        return f"not decided in {operations} operations on sets"
    return f"isl gave up: {text.splitlines()[0][:200]}"
