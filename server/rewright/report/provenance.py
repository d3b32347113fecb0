"""Which programs an answer is from.

An answer of the cache is of the same versions as those that are installed: the keys of questions hold them.
"""

from __future__ import annotations

from functools import cache

from rewright import __version__
from rewright.verdict import Method

LIBRARIES = {Method.SOLVER: "z3-solver", Method.SETS: "islpy"}
"""The library that decides, by what a verdict rests on; the program itself does where there is none."""


def programs(by: Method | None) -> str:
    """`rewright 0.1.0, z3-solver 5.4.0`."""
    ours = f"rewright {__version__}"
    return ours if by not in LIBRARIES else f"{ours}, {LIBRARIES[by]} {_version(LIBRARIES[by])}"


@cache
def _version(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # as slow to load as a look-up in the cache

    try:
        return version(library)
    except PackageNotFoundError:
        return "(of unknown version)"
