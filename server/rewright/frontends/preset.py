"""What holds for all sources of a project before their first line: where included files are, and macros.

Plain data, cheap to load. Must not know where that is said.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Preset:
    """Folders in which included files are looked for, in order, and macros with the texts that they stand for.

    A folder is a path like those of the sources. A text may redefine a macro, as with `-D` of a compiler. What is in
    none of these folders is looked for in those that are `nearby`, which nobody named.
    """

    include: tuple[str, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    nearby: tuple[str, ...] = ()


NO_PRESET = Preset()
