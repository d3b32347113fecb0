"""The extension's installer: an environment from a folder of wheels, and sentences where that cannot be.

The wheels are made here, so that nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "vscode-extension" / "install" / "install.py"


def wheel(folder: Path, name: str, requires: str = "") -> Path:
    """A wheel with one empty module."""
    folder.mkdir(exist_ok=True)
    path, info = folder / f"{name}-1.0-py3-none-any.whl", f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(f"{name}.py", "")
        made.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{requires}")
        made.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        made.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def given(tmp_path: Path) -> list[Path]:
    """Where to install, the wheel to install, its requirements by hash, and a folder that has them."""
    needed = wheel(tmp_path / "wheels", "needed")
    requirements = tmp_path / "requirements.txt"
    digest = hashlib.sha256(needed.read_bytes()).hexdigest()
    requirements.write_text(f"needed==1.0 --hash=sha256:{digest}\n")
    program = wheel(tmp_path / "own", "program", "Requires-Dist: needed\n")
    return [tmp_path / "place", program, requirements, tmp_path / "wheels"]


def install(given: list[Path]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *given], capture_output=True, text=True, check=False)


def test_the_wheel_and_what_it_needs_are_installed_from_a_folder(given: list[Path]) -> None:
    done = install(given)
    assert (done.returncode, done.stderr) == (0, "")
    python = given[0] / "bin" / "python"
    assert subprocess.run([python, "-c", "import needed, program"], check=False).returncode == 0
    assert (given[0] / "installed").read_text() == "program-1.0-py3-none-any.whl"


def test_a_folder_that_misses_a_wheel_is_named_with_what_is_missing(given: list[Path]) -> None:
    (given[3] / "needed-1.0-py3-none-any.whl").rename(given[3] / "other-1.0-py3-none-any.whl")
    done = install(given)
    assert (done.returncode, given[0].exists()) == (1, False)
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f"The folder `{given[3]}` has no wheel of needed 1.0 that fits Python {version} on" in done.stderr


def test_a_wheel_that_is_not_the_expected_one_is_not_installed(given: list[Path]) -> None:
    given[2].write_text(f"needed==1.0 --hash=sha256:{'0' * 64}\n")
    done = install(given)
    assert (done.returncode, given[0].exists()) == (1, False)
    assert done.stderr.strip() == f"The folder `{given[3]}` gave another file of needed than the expected one."


def test_an_empty_folder_is_said_to_be_empty(given: list[Path], tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    done = install([*given[:3], tmp_path / "nothing"])
    assert done.stderr.strip() == f"The folder `{tmp_path / 'nothing'}` has no wheels."
