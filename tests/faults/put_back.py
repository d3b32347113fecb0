"""Puts each fixed fault back, one at a time, in a copy of the tree, and runs the tests that must fail then.

`make faults` takes all lists, `make faults FAULTS="rules orders"` some, and `FAULTS=rules:filler` those of a list whose
words contain `filler`. Prints fault and failing test; exits with 1 if a fault is not noticed, or if one of the tests
fails without it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from changed_tree import ChangedTree
from fault_list import ROOT, Fault, areas, faults

SECONDS = 300.0


def main(requested: Sequence[str]) -> int:
    """Puts the requested faults back; the exit status."""
    chosen = [fault for area in areas() for fault in faults(area) if _is_requested(fault, requested)]
    with tempfile.TemporaryDirectory() as folder:
        tree = ChangedTree(ROOT, Path(folder))
        tests = sorted({test for fault in chosen for test in fault.tests})
        sound = not tests or _passes(tree, tests)
        missed = [fault for fault in chosen if not _is_noticed(tree, fault)]
    print(f"{len(chosen)} faults put back, {len(chosen) - len(missed)} noticed")
    return 0 if sound and not missed else 1


def _is_requested(fault: Fault, requested: Sequence[str]) -> bool:
    asked = [word.partition(":") for word in requested]
    return not asked or any(fault.area == area and words in fault.what for area, _, words in asked)


def _passes(tree: ChangedTree, tests: Sequence[str]) -> bool:
    ran = tree.run(tests, SECONDS * 4, "-m", "soak or not soak")
    if ran.status != 0:
        print(f"without any fault these tests fail already:\n{ran.printed}")
    return ran.status == 0


def _is_noticed(tree: ChangedTree, fault: Fault) -> bool:
    """Whether each of its tests fails while the fault is back; says which."""
    texts: dict[str, str] = {}
    for edit in fault.edits:
        texts[edit.file] = edit.applied(texts.get(edit.file) or _text(edit.file))
    noticed = True
    with tree.changed(texts):
        for test in fault.tests:
            ran = tree.run([test], SECONDS, "-m", "soak or not soak")
            print(f"{'noticed' if ran.noticed else 'NOT NOTICED'}  {fault.area}: {fault.what}\n    {test}", flush=True)
            if not ran.noticed:
                print(ran.printed)
            noticed &= ran.noticed
    return noticed


def _text(file: str) -> str:
    return (ROOT / file).read_bytes().decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
