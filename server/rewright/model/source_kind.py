"""What a source is. Which ending means what is said by one table (`frontends/table.py`)."""

from __future__ import annotations

from enum import StrEnum


class SourceKind(StrEnum):
    """What a source holds: declarations, kernels that speak for themselves, what only kernels include, or settings."""

    DECLARATIONS = "declarations"
    KERNELS = "kernels"
    INCLUDED = "included"
    SETTINGS = "settings"
    OTHER = "other"
