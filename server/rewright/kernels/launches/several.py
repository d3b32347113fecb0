"""Runs all launches of a kernel and brings together what they show.

Each violation is kept once, by its places and its kind, with the launch that shows it. Invariant: a launch that is left
out is named with its reason, and without any that was run nothing is clean. Must not know where launches are said.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from rewright.kernels.launches.results import Found, SearchResult, key, weight
from rewright.kernels.launches.search import SHARE_AFTER_FAILURE, search
from rewright.kernels.reasons import Cause, Reason
from rewright.model.kernel import Kernel
from rewright.model.simt.program import Program

_MOST_OF_ALL = 2
"""A launch that did not end with more than one part in so many of all steps may never end: it cannot be left out."""


class ProgramLaunch(Struct, frozen=True):
    """A launch of a kernel with its program, as it is `written`. A verdict can do without one that is not needed."""

    kernel: Kernel
    program: Program
    written: str = ""
    is_needed: bool = True


class LeftOut(Struct, frozen=True):
    """A launch that a verdict does not speak of, as it is written, and why."""

    written: str
    reason: str


class Shown(Struct, frozen=True):
    """A violation, and the launch that shows it."""

    found: Found
    launch: ProgramLaunch


class Ran(Struct, frozen=True):
    """A launch that a verdict speaks of, and what came of it."""

    launch: ProgramLaunch
    searched: SearchResult


class Together(Struct, frozen=True):
    """What all launches of a kernel came to. `shown` are the violations in the order in which they were found."""

    shown: tuple[Shown, ...]
    ran: tuple[Ran, ...]
    left_out: tuple[LeftOut, ...]
    undecided: Reason | None

    @property
    def is_clean(self) -> bool:
        """Whether nothing keeps the kernel from being checked."""
        return self.undecided is None and not any(each.found.is_error for each in self.shown)

    @property
    def steps(self) -> int:
        """What it cost."""
        return sum(each.searched.steps for each in self.ran)


def run_all(launches: Sequence[ProgramLaunch], steps: int, until: float = math.inf) -> Together:
    """Runs the launches one after the other with at most so many steps in all, `until` a processor time in seconds."""
    tried: list[tuple[Ran, int]] = []
    left, is_wrong = steps, False
    for launch in launches:
        searched = search(launch.kernel, launch.program, left, until)
        tried.append((Ran(launch, searched), left))
        is_wrong |= any(found.is_error for found in searched.found)
        left = max(left - searched.steps, 0)
        if is_wrong:
            left = min(left, steps // SHARE_AFTER_FAILURE)
    return _together(shown_by(ran for ran, _ in tried), tried, steps)


def shown_by(runs: Iterable[Ran]) -> tuple[Shown, ...]:
    """What launches show, each violation once."""
    shown: dict[object, Shown] = {}
    for ran in runs:
        for found in ran.searched.found:
            _enter(shown, Shown(found, ran.launch))
    return tuple(shown.values())


def _enter(shown: dict[object, Shown], new: Shown) -> None:
    """Keeps a violation unless one at its places is as bad."""
    at = key(new.found.violation)
    known = shown.get(at)
    if known is None or weight(new.found) < weight(known.found):
        shown.pop(at, None)
        shown[at] = new


def _together(shown: tuple[Shown, ...], tried: Sequence[tuple[Ran, int]], steps: int) -> Together:
    is_covered = any(ran.searched.undecided is None for ran, _ in tried)
    left_out = [ran for ran, left in tried if is_covered and _can_be_left_out(ran, left, steps)]
    kept = tuple(ran for ran, _ in tried if ran not in left_out)
    reasons = [ran.searched.undecided for ran in kept if ran.searched.undecided is not None]
    return Together(shown, kept, tuple(_without(left_out)), reasons[0] if reasons else None)


def _can_be_left_out(ran: Ran, left: int, steps: int) -> bool:
    """Whether the others are decided without an undecided launch: if it had too few steps, or no inputs."""
    undecided = ran.searched.undecided
    if undecided is None or any(each.is_error for each in ran.searched.found):
        return False
    too_few = undecided.cause is Cause.STEPS and _MOST_OF_ALL * left <= steps
    return not ran.launch.is_needed or too_few or undecided.cause is Cause.INPUTS


def _without(left_out: Sequence[Ran]) -> Iterator[LeftOut]:
    for ran in left_out:
        assert ran.searched.undecided is not None
        yield LeftOut(ran.launch.written, ran.searched.undecided.text)
