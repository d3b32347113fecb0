"""What has no class of its own yet."""

from __future__ import annotations

from rewright.verdict.diagnosis import Diagnosis


class Untyped(Diagnosis, code=""):
    """The arguments of the message of a code."""

    of: str
    arguments: tuple[tuple[str, str], ...]
