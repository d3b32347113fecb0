"""A plugin of pytest: which functions of the sources each test calls, and how much processor time it takes.

`-p called_functions` writes them into the file that `REWRIGHT_CALLED_FILE` names, as JSON: by test, the seconds and the
functions, each as its file with the number of its first line. What an earlier test has left in a cache is not called.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import pytest

_SOURCES = f"{os.sep}server{os.sep}rewright{os.sep}"
_tests: dict[str, tuple[float, list[str]]] = {}
_code: dict[int, str | None] = {}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Notes the functions that are called while a test and what it is given are made and run."""
    called: set[str] = set()

    def trace(frame: FrameType, _event: str, _argument: object) -> None:
        code = frame.f_code
        if id(code) not in _code:
            _, found, inside = code.co_filename.rpartition(_SOURCES)
            _code[id(code)] = f"server/rewright/{inside}:{code.co_firstlineno}" if found else None
            _kept.append(code)
        if (name := _code[id(code)]) is not None:
            called.add(name)

    begin = time.process_time()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(None)
    _tests[item.nodeid] = (time.process_time() - begin, sorted(called))


_kept: list[object] = []
"""What ids stand for must not go away."""


def pytest_sessionfinish(exitstatus: int) -> None:
    """Writes what was noted, if no test failed."""
    if exitstatus == 0:
        Path(os.environ["REWRIGHT_CALLED_FILE"]).write_text(json.dumps(_tests))
