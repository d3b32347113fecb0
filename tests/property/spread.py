"""Work on many values in several processes, in order.

Owns the processes: as many as there are processors, each started afresh, so that no solver's state is inherited.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

V = TypeVar("V")
R = TypeVar("R")

CHUNK = 10


def spread(function: Callable[[V], R], values: Iterable[V]) -> Iterator[R]:
    """The function's results on the values; the function is one of a module."""
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        yield from pool.map(function, values, chunksize=CHUNK)
