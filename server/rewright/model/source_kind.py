"""What a source is. Which ending means what is said by one table (`frontends/table.py`)."""

from __future__ import annotations

from enum import StrEnum


class SourceKind(StrEnum):
    """What a source holds.

    Declarations; kernels that speak for themselves; what only kernels include; graphs that declarations name; settings.
    """

    DECLARATIONS = "declarations"
    KERNELS = "kernels"
    INCLUDED = "included"
    GRAPHS = "graphs"
    SETTINGS = "settings"
    OTHER = "other"
