"""An editor on an empty folder, with a server of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio
from lsp_editor import Editor, started


@pytest_asyncio.fixture
async def editor(tmp_path: Path) -> AsyncIterator[Editor]:
    async with started(tmp_path) as editor:
        yield editor
