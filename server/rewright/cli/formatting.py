"""What `rewright fmt` does once the command line is read: it brings files of declarations into their layout.

Invariant: a file is written only if its layout changes, and nothing of it changes but blanks and empty lines.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

from rewright.cli.printing import put, refuse, say
from rewright.frontends.table import DECLARATIONS
from rewright.syntax.formatting import formatted
from rewright.syntax.text import Text
from rewright.workspace.sources import declaring_files, holds_declarations


def fmt(paths: list[Path], only_check: bool) -> int:
    """Formats the files that the paths mean, or says which would change; the exit status."""
    changed = unread = 0
    for path in dict.fromkeys(file for given in paths for file in _files(given)):
        try:
            raw = path.read_bytes()
            data = raw.removeprefix(codecs.BOM_UTF8)
            text = formatted(Text.of(str(path), data.decode())).encode()
            if text == data:
                continue
            changed += 1
            put(f"{'would format' if only_check else 'formatted'} {path}")
            if not only_check:
                path.write_bytes(raw[: len(raw) - len(data)] + text)
        except (OSError, UnicodeDecodeError) as error:
            unread += 1
            say(f"{path}: {error.strerror if isinstance(error, OSError) else 'is not UTF-8'}")
    return 2 if unread else 1 if changed and only_check else 0


def _files(path: Path) -> Iterator[Path]:
    if os.path.isdir(path):
        yield from map(Path, declaring_files(str(path)))
    elif not os.path.lexists(path):
        refuse(f"`{path}` does not exist")
    elif not holds_declarations(str(path)):
        refuse(f"`{path}` is not a `{DECLARATIONS}` file")
    else:
        yield path
