"""What the stories in the real editor share: a fresh copy of the rules, an editor of their own, a story's run in it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pytest
from workbench import MARK, ROOT, TYPED_AS_IS, Workbench, home, installed, workbench

HERE = Path(__file__).parent
SHOTS = ROOT / "build/e2e"
LONGEST = 300


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a story told: milliseconds by step, and the command lines that were alive after the editor had ended."""

    milliseconds: dict[str, float]
    left_over: list[str]


class Tell(Protocol):
    """Runs a story with further settings of the editor."""

    def __call__(self, story: str, **settings: object) -> Outcome: ...


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """A copy of the library, free to be broken, and beside it files in CUDA and C that nothing declares."""
    rules = shutil.copytree(ROOT / "rules", tmp_path / "rules")
    shutil.copytree(HERE / "kernels", rules / "cuda")
    shutil.copytree(HERE / "nests", rules / "nests")
    return rules


@pytest.fixture(scope="session")
def extensions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as the editor installs it, which takes a while; each story has a copy."""
    return installed(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def tell(rules: Path, tmp_path: Path, extensions: Path) -> Tell:
    """Runs a story in an editor of its own, with an empty cache; fails with what the story says, if it does."""

    def run(story: str, **settings: object) -> Outcome:
        editor = home()
        SHOTS.mkdir(parents=True, exist_ok=True)
        cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
        own = shutil.copytree(extensions, tmp_path / "editor/extensions")
        with workbench(tmp_path / "editor", own, TYPED_AS_IS | settings, cache) as running:
            reported = _drive(editor, [HERE / story, running.page(rules), rules, SHOTS], running)
        return Outcome(reported, running.left_over)

    return run


def _drive(editor: Path, arguments: list[Path | str], running: Workbench) -> dict[str, float]:
    environment = os.environ | {"REWRIGHT_EDITOR": str(editor), MARK: running.mark}
    process = subprocess.Popen(
        [editor / "node_modules/.bin/node", *arguments], env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        output, _ = process.communicate(timeout=LONGEST)
    finally:
        process.kill()
    print(output)
    assert process.returncode == 0, f"{arguments[0]}:\n{output}\n{_server_log(running)}"
    return dict(json.loads(output.splitlines()[-1]))


def _server_log(running: Workbench) -> str:
    logs = sorted(running.data.glob("user/logs/**/*Rewright*.log"))
    return "\n".join(f"{log.name}:\n{log.read_text()[-8000:]}" for log in logs)
