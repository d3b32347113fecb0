"""What holds of all tests: the garbage collector leaves alone what was made to collect them."""

from __future__ import annotations

import gc


def pytest_collection_finish() -> None:
    """Thousands of tests and their modules live to the end; to look through them again and again takes long."""
    gc.collect()
    gc.freeze()
