"""A copy of the tree in which texts can be changed and tests be run, while the tree itself stays as it is.

Invariant: outside of `changed` the copy's files are those of the tree. Modification times are kept, so what Python
compiled stays valid but for the changed files.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_IMPORTED = ("server", "tests/mutants")
"""What tests of the copy import from the copy: the sources, and plugins of pytest that stand here."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run of tests came to: pytest's status (None: it was ended at its limit) and what it printed."""

    status: int | None
    printed: str

    @property
    def noticed(self) -> bool:
        """Whether a test ran and failed; a limit or a test that cannot be collected is no notice."""
        return self.status == 1


class ChangedTree:
    """A copy of what stands in a work tree, but for what git ignores."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root, self._folder = root, folder
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
        for name in filter(None, listed.split("\0")):
            if (root / name).is_file():
                self._copy(name)

    @contextmanager
    def changed(self, texts: Mapping[str, str]) -> Iterator[None]:
        """Gives files of the copy other texts, by their path in the tree, and takes them back at the end."""
        try:
            for name, text in texts.items():
                (self._folder / name).write_text(text, encoding="utf-8", newline="")
            yield
        finally:
            for name in texts:
                self._copy(name)

    def run(self, tests: Sequence[str], seconds: float, *options: str) -> Ran:
        """Runs tests of the copy against the copy, for at most so many seconds."""
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(str(self._folder / each) for each in _IMPORTED)}
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *options, *tests]
        try:
            ran = subprocess.run(
                command, cwd=self._folder, env=environment, capture_output=True, text=True, timeout=seconds
            )
        except subprocess.TimeoutExpired as ended:
            return Ran(None, str(ended.stdout or ""))
        return Ran(ran.returncode, ran.stdout + ran.stderr)

    def _copy(self, name: str) -> None:
        (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(self._root / name, self._folder / name)
