"""What this machine has, which no setting can ask more of.

A client may take its settings from the folder that it shows, which may be anyone's, and not every client knows whether
that is trusted.
"""

from __future__ import annotations

import os


def workers(requested: int) -> int:
    """How many workers there are to be: as many as requested, at most one for each core; 0: one for each core."""
    cores = os.cpu_count() or 1
    return min(requested, cores) if requested else cores


def memory(requested: int) -> int:
    """The memory of one worker in MiB: what is requested, at most what the machine has, if that is known."""
    try:
        installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    except (AttributeError, OSError, ValueError):
        return requested
    return min(requested, installed) if installed > 0 else requested
