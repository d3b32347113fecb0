"""The signature of a program: it stands while nothing changes and changes with whatever may."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rewright.engine import signature as signing


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that was changed long ago, as far as its signature is concerned."""
    folder = tmp_path / "signed_package"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("a = 1\n")
    (folder / "inner" / "module.py").write_text("b = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(signing, "SETTLED_SECONDS", -1.0)
    return folder


def signed() -> str | None:
    return signing.signature(("signed_package",))


def test_a_signature_stands_while_nothing_changes(package: Path) -> None:
    first = signed()
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "module.pyc").write_bytes(b"x")
    assert first is not None and signed() == first


@pytest.mark.parametrize(
    "edit",
    [
        lambda package: (package / "inner" / "module.py").write_text("b = 2\n"),
        lambda package: (package / "inner" / "new.py").write_text(""),
        lambda package: (package / "inner" / "module.py").unlink(),
        lambda package: (package / "library.so").write_bytes(b"\x7fELF"),
        lambda package: (package.parent / "z3_solver-9.9.dist-info").mkdir(),
    ],
    ids=["contents", "new", "gone", "binary", "library"],
)
def test_a_signature_changes_with_the_program(edit: Callable[[Path], object], package: Path) -> None:
    first = signed()
    time.sleep(0.02)
    edit(package)
    assert signed() not in (first, None)


def test_a_file_with_its_old_size_and_time_is_known_by_the_time_of_its_change(package: Path) -> None:
    module = package / "inner" / "module.py"
    first, times = signed(), module.stat()
    time.sleep(0.02)
    module.write_text("b = 2\n")
    os.utime(module, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert signed() != first


def test_a_program_changed_a_moment_ago_has_no_signature(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing, "SETTLED_SECONDS", 10.0)
    assert signed() is None


def test_a_package_that_is_not_there_has_no_signature() -> None:
    with pytest.raises(ModuleNotFoundError):
        signing.signature(("no_such_package_anywhere",))
