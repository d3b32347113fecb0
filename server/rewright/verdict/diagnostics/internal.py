"""Faults of our own: RW901."""

from __future__ import annotations

from rewright.verdict.diagnosis import Diagnosis


class InternalError(Diagnosis, code="RW901"):
    """Something of ours went wrong: the last line of `detail` says what. `question` is what was asked, if known."""

    detail: str
    question: str | None
