"""Findings that one thing is to blame for: races within a warp that share an access.

In `s[t] += s[t + 16]; s[t] += s[t + 8]; …` without a barrier of the warp each statement races with its neighbours, and
through them with all others. Must not know how findings are worded.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from rewright.verdict import Finding, Place
from rewright.verdict.diagnostics.kernels import RaceWithinWarp


class Chain(Struct, frozen=True):
    """Findings that are reported together, in their order, and their numbers among all; usually it is one."""

    findings: tuple[Finding, ...]
    numbers: tuple[int, ...]


def chains(findings: Sequence[Finding]) -> list[Chain]:
    """The findings, each in one chain; chains in the order of their first."""
    found: list[tuple[set[Place], list[int]]] = []
    for number, finding in enumerate(findings):
        places = {finding.place, *(note.place for note in finding.related)}
        linked = [each for each in found if _is_chained(finding) and each[0] & places]
        if not linked:
            found.append((places if _is_chained(finding) else set(), [number]))
            continue
        first, *others = linked
        first[0].update(places, *(each[0] for each in others))
        first[1].extend([number, *(each for _, numbers in others for each in numbers)])
        found = [each for each in found if all(each is not other for other in others)]
    return [Chain(tuple(findings[each] for each in sorted(numbers)), tuple(sorted(numbers))) for _, numbers in found]


def _is_chained(finding: Finding) -> bool:
    """Whether it is reported together with others where they share an access."""
    return isinstance(finding.diagnosis, RaceWithinWarp)
