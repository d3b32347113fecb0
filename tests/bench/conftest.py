"""The option `--enforce`: fail above a limit instead of only printing it. The editor is that of `tests/lsp`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "lsp"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--enforce", action="store_true", help="fail where a value is above its limit")


@pytest.fixture
def enforced(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--enforce"))
