"""A launch that was found of a kernel, as it is shown to whoever reads the source. Plain data."""

from __future__ import annotations

from msgspec import Struct


class FoundLaunch(Struct, frozen=True):
    """A launch of a kernel: its sizes as they are `shown`, how it is `written`, and the integers that it leaves free.

    One that a comment states above the kernel is not shown again.
    """

    shown: str
    written: str
    free: tuple[str, ...] = ()
