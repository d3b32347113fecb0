"""An editor on an empty folder, with a server of its own."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from lsp_editor import Editor, started


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """One editor for the tests of a module that open files of their own and look at nothing else."""
    async with started(tmp_path_factory.mktemp("shared")) as editor:
        yield editor


@pytest.fixture
def folder(shared: Editor, request: pytest.FixtureRequest) -> Path:
    """A folder for one test in that of the shared editor."""
    folder = shared.root / re.sub(r"\W+", "_", request.node.name)
    folder.mkdir()
    return folder


@pytest_asyncio.fixture
async def editor(tmp_path: Path) -> AsyncIterator[Editor]:
    async with started(tmp_path) as editor:
        yield editor
