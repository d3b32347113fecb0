"""When the garbage collector is not to look: while a run keeps what it executes, which is no garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def nothing_collected() -> Iterator[None]:
    """No search for cycles inside, where runs have a budget of steps: it took half of the time of 30,000 operations."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
