"""Opens the memory of answers: where it lies, and that there is none where that cannot be.

The database is loaded when a cache is opened, not before. Must not know what is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from rewright.engine.cache import Cache, NoCache


def default_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """`$XDG_CACHE_HOME/rewright`, or `~/.cache/rewright` where that is not an absolute path (XDG base directories).

    Raises `RuntimeError` where there is no home directory either.
    """
    home = Path(environment.get("XDG_CACHE_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".cache") / "rewright"


def open_cache(directory: Path | None, say: Callable[[str], None]) -> Cache:
    """The cache in `directory` (None: the default one), made if it is not there; `say` gets what is wrong, once."""
    from rewright.engine.answer_file import AnswerFile

    try:
        return AnswerFile((directory or default_directory()).absolute(), say)
    except (OSError, RuntimeError) as error:
        say(f"working without a cache: {error}")
        return NoCache()
