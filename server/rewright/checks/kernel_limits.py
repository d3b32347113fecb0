"""How much processor time the question of a kernel may take. Must not know what it is taken for."""

from __future__ import annotations

SECONDS_PER_SECOND = 2
"""Seconds of processor time for each of the budget: more than its steps usually take, which are to decide."""

MOST_SECONDS, MOST_SECONDS_WITH_REPLAY = 40.0, 50.0
"""Seconds of processor time after which the runs of a kernel end, and after which no further violation is replayed.

Less than what ends a worker (`engine.jobs.Limits`), so that what was found until then is reported.
"""
