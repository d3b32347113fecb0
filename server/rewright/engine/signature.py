"""The signature of installed programs: much cheaper to take than a digest of their contents, and never less particular.

Invariant: two equal signatures are of the same contents, on one machine. A file is signed by its version, in which the
system sets a time whenever contents may have changed and which no program can set back; a file that was changed a
moment ago has no signature, since it could change again within the clock's tick. So is a program that is being edited
while it runs: what was loaded before may be older than what is signed. A version of a library stands in the name of its
metadata's folder. Must not know what the programs do.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from rewright.engine.disk import Version, version_of
from rewright.engine.keys import digest, libraries, roots

SETTLED_SECONDS = 10.0
"""How long ago a file must have changed: longer than a start of the program takes, and than any clock's tick."""


def signature(packages: tuple[str, ...]) -> str | None:
    """The signature of `packages`, of Python and of all libraries; None where a file was changed a moment ago.

    Windows does not tell when a file was changed, so there is none there. Raises `ModuleNotFoundError` for a package
    that is not there.
    """
    if sys.platform == "win32":
        return None
    parts = [sys.version, *libraries()]
    try:
        for name, version in (each for package in packages for root in roots(package) for each in _files(str(root))):
            if not version.settled(SETTLED_SECONDS):
                return None
            parts.append(f"{name} {version}")
    except OSError:  # it went away while we looked
        return None
    return digest(*parts)


def _files(path: str) -> Iterator[tuple[str, Version]]:
    """The files at or below a path, but for compiled ones, in an order that depends on their names only."""
    if not os.path.isdir(path):
        yield path, version_of(os.stat(path))
        return
    with os.scandir(path) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
        if entry.is_dir():
            yield from _files(entry.path) if entry.name != "__pycache__" else ()
        else:
            yield entry.path, version_of(entry.stat())
