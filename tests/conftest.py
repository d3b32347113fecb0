"""What holds of all tests: the garbage collector leaves alone what was made to collect them, and no clock fails one.

The kernels of the library are checked once, by whichever process asks first.
"""

from __future__ import annotations

import fcntl
import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[1]

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_collection_finish() -> None:
    """Thousands of tests and their modules live to the end; to look through them again and again takes long."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def checked_kernels(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """What the command line reports of rules/kernels in JSON, cold, and the folder of the cache that it filled."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base  # that of all processes of this run
    cache, said = folder / "kernels-cache", folder / "kernels.json"
    with (folder / "kernels.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            command = [sys.executable, "-m", "rewright.cli", "check", "rules/kernels", "--format", "json"]
            done = subprocess.run([*command, "--cache", str(cache)], cwd=ROOT, capture_output=True, check=False)
            assert done.stdout, done.stderr.decode()
            said.write_bytes(done.stdout)
    return json.loads(said.read_bytes()), cache
