"""Barriers that a kernel does not need: without one, the same launches come out as clean.

Reported only where finding out costs little beside the check itself. Must not know how a kernel is executed.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rewright.checks.kernel_coverage import all_launches
from rewright.kernels.launches.search import search
from rewright.kernels.launches.several import Ran, Together
from rewright.model.simt.instructions import Barrier, Jump, Load, Store, WarpBarrier
from rewright.model.simt.program import Program
from rewright.verdict import Finding, Place, Severity
from rewright.verdict.diagnostics.kernels import BarrierNotNeeded

MOST_STEPS = 8_000
"""Instructions of groups that may be spent on one kernel's barriers: at 4 µs each a hint takes 35 ms at most."""


def needless(together: Together) -> Iterator[Finding]:
    """A hint for each barrier in the text without which a kernel that is clean stays so at every launch."""
    codes = [each.launch.program.code for each in together.ran]
    places = dict.fromkeys(each.place for code in codes for each in code if _only_waits(each))
    # a call or a macro that does more than to wait is no barrier
    for place in [each.place for code in codes for each in code if isinstance(each, Load | Store)]:
        places.pop(place, None)
    if not together.is_clean or together.steps * len(places) > MOST_STEPS:
        return
    for place in places:
        if all(_is_needless(place, ran) for ran in together.ran):
            yield Finding(BarrierNotNeeded(all_launches(together)), Severity.HINT, place)


def _is_needless(place: Place, ran: Ran) -> bool:
    """Whether a launch comes out the same without the barriers at a place."""
    searched = ran.searched
    without = search(ran.launch.kernel, _without(ran.launch.program, place), 2 * searched.steps)
    return without.is_clean and without.covered == searched.covered and len(without.found) == len(searched.found)


def _only_waits(instruction: object) -> bool:
    return isinstance(instruction, WarpBarrier) or (isinstance(instruction, Barrier) and instruction.vote is None)


def _without(program: Program, place: Place) -> Program:
    """The program with all barriers at a place of the text left out."""
    code = tuple(
        Jump(at + 1, place) if each.place == place and _only_waits(each) else each
        for at, each in enumerate(program.code)
    )
    return replace(program, code=code)
