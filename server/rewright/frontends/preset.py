"""What holds for all sources of a project before their first line: where included files are, and macros.

Plain data, cheap to load. Must not know where that is said.
"""

from __future__ import annotations

import posixpath

from msgspec import Struct


class Preset(Struct, frozen=True):
    """Folders in which included files are looked for, in order, and macros with the texts that they stand for.

    A folder is a path like those of the sources. A text may redefine a macro, as with `-D` of a compiler. What is in
    none of these folders is looked for in those that are `nearby`, which nobody named. What is not there either may be
    anywhere: `elsewhere` has, under `anywhere` of what is included, the files that are as near as any of that name.
    """

    include: tuple[str, ...] = ()
    defines: tuple[tuple[str, str], ...] = ()
    nearby: tuple[str, ...] = ()
    elsewhere: tuple[tuple[str, tuple[str, ...]], ...] = ()


NO_PRESET = Preset()

_ANYWHERE = "**"


def anywhere(includer: str, named: str) -> str:
    """What stands among paths for a file that the text at a path includes, wherever that file is.

    >>> anywhere("src/k.cu", "../common/a.h")
    'src/**/common/a.h'
    """
    parts = [part for part in posixpath.normpath(named).split("/") if part not in ("", "..")]
    return posixpath.join(posixpath.dirname(includer), _ANYWHERE, *parts)


def is_anywhere(path: str) -> bool:
    """Whether a path is one that `anywhere` makes."""
    return _ANYWHERE in path.split("/")


def around_and_end(path: str) -> tuple[str, str]:
    """Of a path that `anywhere` makes, the folder of the text that includes, and how the file's path ends."""
    parts = path.split("/")
    at = parts.index(_ANYWHERE)
    return "/".join(parts[:at]), "/".join(parts[at + 1 :])
