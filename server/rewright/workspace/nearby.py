"""Files that a declaration may name, as it would write them.

Invariant: only what stands inside the workspace, at most `MOST` entries. Must not know what files hold.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from rewright.workspace.sources import SKIPPED, Sources, Unreadable

MOST = 200
"""Entries of one folder that are listed: more is no help to who chooses."""


def continuing(typed: str, by: str, sources: Sources, endings: Sequence[str]) -> Iterator[str]:
    """The files with these endings, and folders with a `/`, that continue a path typed in the file `by`, in order."""
    folder, _, beginning = typed.rpartition("/")
    before = f"{folder}/" if "/" in typed else ""
    target = sources.resolve(before or ".", by)
    if not os.path.isabs(by) or isinstance(target, Unreadable):
        return
    try:
        with os.scandir(target) as entries:
            found = sorted((entry.name, entry.is_dir()) for entry in entries)
    except OSError:
        return
    shown = ((name, is_folder) for name, is_folder in found if name.startswith(beginning) and not name.startswith("."))
    for name, is_folder in [each for each in shown if _is_named(*each, endings)][:MOST]:
        if not (by.endswith(f"/{name}") and not before):
            yield f"{before}{name}{'/' if is_folder else ''}"


def _is_named(name: str, is_folder: bool, endings: Sequence[str]) -> bool:
    return name not in SKIPPED if is_folder else name.endswith(tuple(endings))
