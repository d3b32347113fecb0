"""The lists of fixed faults fit the tree: each can be put back, and the tests that notice are there."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
sys.path.append(str(ROOT / "tests" / "faults"))

from fault_list import Fault, areas, faults  # noqa: E402


@pytest.mark.parametrize("fault", [pytest.param(fault, id=fault.what) for area in areas() for fault in faults(area)])
def test_a_fault_can_be_put_back(fault: Fault) -> None:
    texts: dict[str, str] = {}
    for edit in fault.edits:
        texts[edit.file] = edit.applied(texts.get(edit.file) or (ROOT / edit.file).read_bytes().decode())
    for test in fault.tests:
        path, _, name = test.partition("::")
        assert f"def {name.rpartition('::')[2].partition('[')[0]}(" in (ROOT / path).read_text(encoding="utf-8"), test
