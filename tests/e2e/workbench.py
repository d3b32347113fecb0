"""The real editor: VS Code as code-server, on loopback, with this tree's extension and the server of its `.venv`.

Owns where its parts are, its settings, its start and its end. Invariant: when `workbench` is left, none of the
processes it started is alive, nor what these started; those that did not end by themselves are told. It knows nothing
of what is tried in the editor. Run as a program it opens a folder for a person, until interrupted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
PYTHON = ROOT / ".venv/bin/python"
VSIX = Path(os.environ.get("REWRIGHT_VSIX") or ROOT / "build/rewright.vsix")
MARK = "REWRIGHT_E2E_RUN"
"""An environment variable that every process of a run inherits, by which it is recognised."""

SETTINGS: dict[str, object] = {
    "rewright.interpreter": str(PYTHON),
    "workbench.startupEditor": "none",
    "workbench.welcomePage.walkthroughs.openOnInstall": False,
    "workbench.tips.enabled": False,
    "workbench.enableExperiments": False,
    "workbench.reduceMotion": "on",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.colorTheme": "Default Dark Modern",
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "update.showReleaseNotes": False,
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "chat.disableAIFeatures": True,
    "git.enabled": False,
    "npm.autoDetect": "off",
    "editor.minimap.enabled": False,
    "editor.inlayHints.enabled": "on",
    "editor.semanticHighlighting.enabled": True,
}

TYPED_AS_IS: dict[str, object] = {
    "editor.quickSuggestions": {"other": "off", "comments": "off", "strings": "off"},
    "editor.autoClosingBrackets": "never",
    "files.autoSave": "off",
}
"""Further settings of a test: what is typed is what stands in the file, and nothing is saved unasked."""

OPTIONS = (
    *("--auth", "none", "--ignore-last-opened", "--reconnection-grace-time", "10"),
    *("--disable-telemetry", "--disable-update-check"),
    *("--disable-getting-started-override", "--disable-proxy"),
)


@dataclass(frozen=True, slots=True)
class Workbench:
    """A running editor: where it answers, its user data, and the mark of its processes."""

    url: str
    data: Path
    mark: str
    left_over: list[str] = field(default_factory=list)
    """Filled when the editor has ended: the command lines of processes that had to be killed."""

    def page(self, folder: Path) -> str:
        """The address of the page that shows `folder`."""
        return f"{self.url}/?folder={quote(str(folder))}"


def home() -> Path:
    """The directory of the installed editor; raises FileNotFoundError if it or the packed extension is not there."""
    where = subprocess.run([ROOT / "tests/e2e/editor/where.sh"], check=True, capture_output=True, text=True)
    path = Path(where.stdout.strip())
    for part in (path, VSIX, PYTHON):
        if not part.exists():
            raise FileNotFoundError(f"there is no {part}: `make test` sets it up")
    return path


def installed(folder: Path) -> Path:
    """Installs the extension once, for every editor that is given a copy of what is in the folder then."""
    command = [str(home() / "node_modules/.bin/code-server"), "--user-data-dir", str(folder / "user")]
    command += ["--extensions-dir", str(folder / "extensions"), "--install-extension", str(VSIX), "--force"]
    environment = os.environ | {"PATH": f"{home() / 'node_modules/.bin'}:{os.environ['PATH']}"}
    environment |= {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder / "data")}
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return folder / "extensions"


@contextmanager
def workbench(
    data: Path, extensions: Path, settings: dict[str, object], variables: dict[str, str]
) -> Iterator[Workbench]:
    """A running editor with its user data in `data` and these extensions, besides the usual `settings` and environment.

    It is ended when left.
    """
    mark = uuid.uuid4().hex
    programs = home() / "node_modules/.bin"
    environment = os.environ | variables
    environment |= {
        MARK: mark,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "XDG_CONFIG_HOME": str(data / "config"),
        "XDG_DATA_HOME": str(data / "data"),
    }
    # A page may come up before it takes what belongs to the machine, the interpreter, from the user's settings.
    for owner in ("User", "Machine"):
        file = data / "user" / owner / "settings.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(SETTINGS | settings, indent=2))
    command = [str(programs / "code-server"), "--user-data-dir", str(data / "user")]
    command += ["--extensions-dir", str(extensions)]
    trusting = [] if settings.get("security.workspace.trust.enabled") else ["--disable-workspace-trust"]
    log = data / "code-server.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [*command, "--bind-addr", "127.0.0.1:0", *OPTIONS, *trusting],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    running = None
    try:
        running = Workbench(_address(process, log), data, mark)
        yield running
    finally:
        _end(process, mark, [] if running is None else running.left_over)


def processes(mark: str) -> dict[int, str]:
    """The command line of each process, by its id, that carries the mark of a run."""
    found = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            pid = int(entry.name)
            if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found[pid] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    return found


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    """Where the editor says that it listens; raises RuntimeError if it ends, or says nothing for three minutes."""
    deadline = time.monotonic() + 180
    while process.poll() is None and time.monotonic() < deadline:
        said = re.search(r"listening on (http://127\.0\.0\.1:\d+)", log.read_text())
        if said is not None:
            return said[1]
        time.sleep(0.05)
    raise RuntimeError(f"the editor did not start:\n{log.read_text()}")


def _end(process: subprocess.Popen[bytes], mark: str, left_over: list[str]) -> None:
    """Ends the editor's own process group, waits for all that carries the mark, kills and tells what stays."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + 10
    while process.poll() is None or processes(mark):
        if time.monotonic() > deadline:
            left_over.extend(processes(mark).values())
            for pid in [process.pid, *processes(mark)]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            break
        time.sleep(0.1)
    process.wait()


def main() -> None:
    """Opens the folder named on the command line for a person, until interrupted."""
    folder = Path(sys.argv[1]).resolve()
    data = ROOT / "build/editor"
    shutil.rmtree(data / "extensions", ignore_errors=True)
    for way_to_end in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(way_to_end, signal.default_int_handler)
    with workbench(data, installed(data), {}, {}) as running:
        print(f"VS Code on {folder}:  {running.page(folder)}\nCtrl-C ends it.", flush=True)
        if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            webbrowser.open(running.page(folder))
        with suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
