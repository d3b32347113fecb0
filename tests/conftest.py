"""What holds of all tests: the garbage collector leaves alone what was made to collect them, and no clock fails one."""

from __future__ import annotations

import gc

from hypothesis import HealthCheck, settings

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


def pytest_collection_finish() -> None:
    """Thousands of tests and their modules live to the end; to look through them again and again takes long."""
    gc.collect()
    gc.freeze()
