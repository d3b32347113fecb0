"""What holds for every test of the engine: none leaves a process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_support import children


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Fails a test that leaves a process of its own."""
    before = children()
    yield
    left = {pid: Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ") for pid in children() - before}
    assert not left
