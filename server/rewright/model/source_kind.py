"""What a source is. Which ending means what is said by one table (`frontends/table.py`)."""

from __future__ import annotations

from enum import StrEnum


class SourceKind(StrEnum):
    """What a source holds.

    Declarations; kernels that speak for themselves, or loop nests; what only these include; graphs that declarations
    name; settings.
    """

    DECLARATIONS = "declarations"
    KERNELS = "kernels"
    LOOPS = "loops"
    INCLUDED = "included"
    GRAPHS = "graphs"
    SETTINGS = "settings"
    OTHER = "other"

    @property
    def speaks_for_itself(self) -> bool:
        """Whether it is a source that is checked without a declaration in another file."""
        return self in (SourceKind.KERNELS, SourceKind.LOOPS)
