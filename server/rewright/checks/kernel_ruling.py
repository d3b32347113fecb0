"""What the errors of all launches of a kernel come to: plain data, there before anything is known to be wrong.

Must not know how it is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

from rewright.kernels.launches.several import ProgramLaunch, Shown
from rewright.verdict import Condition

if TYPE_CHECKING:
    from rewright.kernels.conditions.judging import Judged

ONLY_CHOSEN = "what goes wrong was seen only with values that are not stated"


class Ruling(Struct, frozen=True):
    """Which errors refute, and the conditions under which the kernel is right; none unless all launches are then.

    `explained` are the launches that are right under conditions, `steps` is what it took to find out.
    """

    certain: tuple[Shown, ...] = ()
    conditions: tuple[Condition, ...] = ()
    by_launch: Mapping[ProgramLaunch, Judged] = field(default_factory=dict)
    explained: frozenset[ProgramLaunch] = frozenset()
    steps: int = 0

    def explains(self, shown: Shown) -> bool:
        """Whether conditions were found under which the launch of an error is right."""
        return shown.launch in self.explained
