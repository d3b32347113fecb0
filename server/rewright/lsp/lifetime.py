"""When the server has to go: its client's process is gone."""

from __future__ import annotations

import asyncio
import os
import sys

INTERVAL = 1.0
"""Seconds between two looks."""


async def gone(process: int) -> None:
    """Returns when there is no such process any more. The end of standard input usually says so before.

    On Windows, where asking about a process may end it, standard input alone says so.
    """
    while sys.platform == "win32" or _lives(process):
        await asyncio.sleep(INTERVAL)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
