"""Installs Rewright in an environment of its own, for the extension: the wheel that it carries, with what that needs.

usage: install.py PLACE WHEEL REQUIREMENTS [FOLDER]

What the wheel needs is installed by version and hash: from FOLDER, or without one from the usual index. Only wheels
are taken, so nothing that is downloaded is run. On success PLACE holds the file `installed`, else PLACE is gone and the
last line of standard error is a sentence that says why. Each line on standard output names a step.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

DONE = "installed"
"""The file that tells a whole environment from half of one."""


class NotInstalled(Exception):
    """Why Rewright could not be installed, as a sentence."""


def install(place: Path, wheel: Path, requirements: Path, folder: Path | None) -> None:
    """Makes the environment. Raises `NotInstalled`."""
    if folder is not None and not any(folder.glob("*.whl")):
        raise NotInstalled(f"The folder `{folder}` has no wheels.")
    shutil.rmtree(place, ignore_errors=True)
    place.parent.mkdir(parents=True, exist_ok=True)
    print("making an environment", flush=True)
    # The pip at hand installs into it: to set up another one takes longer than all the rest.
    own = _run([sys.executable, "-m", "pip", "--python", sys.executable, "--version"]).returncode == 0
    made = _run([sys.executable, "-m", "venv", *(["--without-pip"] if own else []), str(place)])
    if made.returncode != 0:
        reason = "On Debian, install python3-venv." if "ensurepip" in made.stdout + made.stderr else _last(made.stderr)
        raise NotInstalled(f"`{sys.executable}` cannot make virtual environments. {reason}")
    python = place / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", str(python)] if own else [str(python), "-m", "pip"]
    print("installing what Rewright needs", flush=True)
    source = ["--no-index", "--find-links", str(folder)] if folder is not None else []
    _pip(pip, [*source, "--require-hashes", "--requirement", str(requirements)], folder)
    print("installing Rewright", flush=True)
    _pip(pip, ["--no-index", str(wheel)], folder)
    (place / DONE).write_text(wheel.name, encoding="utf-8")


def _pip(pip: list[str], what: list[str], folder: Path | None) -> None:
    """Installs by pip, without the settings of the user's own. Raises `NotInstalled`."""
    usual = ["--disable-pip-version-check", "--no-input", "--no-deps", "--only-binary", ":all:"]
    done = _run([*pip, "--isolated", "install", *usual, *what])
    if done.returncode == 0:
        return
    said = done.stdout + done.stderr
    where = f"The folder `{folder}`" if folder is not None else "The package index"
    fits = f"fits Python {sys.version_info.major}.{sys.version_info.minor} on {sysconfig.get_platform()}"
    if missing := re.search(r"No matching distribution found for ([\w.\-]+)(?:==([\w.]+))?", said):
        if folder is None and re.search(r"Failed to establish|Temporary failure|timed out|ConnectionError", said):
            raise NotInstalled("The package index cannot be reached. Choose a folder of wheels instead.")
        raise NotInstalled(f"{where} has no wheel of {' '.join(filter(None, missing.groups()))} that {fits}.")
    if "DO NOT MATCH THE HASHES" in said:
        named = re.search(r"^ +([\w.\-]+)\S* .*from", said, re.MULTILINE)
        raise NotInstalled(f"{where} gave another file of {named[1] if named else 'a package'} than the expected one.")
    if "is not a supported wheel on this platform" in said:
        raise NotInstalled(f"The extension carries no wheel that {fits}.")
    raise NotInstalled(_last(said))


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def _last(said: str) -> str:
    lines = [line for line in said.splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["It did not say why."])[-1]


def main() -> int:
    """Runs as the extension asked; the exit status."""
    place, wheel, requirements, *more = map(Path, sys.argv[1:])
    try:
        install(place, wheel, requirements, more[0] if more else None)
    except NotInstalled as reason:
        shutil.rmtree(place, ignore_errors=True)
        print(reason, file=sys.stderr)
        return 1
    except OSError as error:
        shutil.rmtree(place, ignore_errors=True)
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
