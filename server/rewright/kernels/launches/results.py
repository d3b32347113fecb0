"""What running a kernel at its launches finds, what it tried and what it covered.

Invariant: two violations with the same `key` are one finding. Must not know how launches are chosen or run.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from rewright.kernels.execution.races import key_of, rank
from rewright.kernels.execution.taint import ATOMIC_ORDER, Taint
from rewright.kernels.launches.case import Case
from rewright.kernels.launches.variables import Variables
from rewright.kernels.reasons import Reason
from rewright.model.index import Name
from rewright.model.simt.violation import (
    Deadlock,
    Divergence,
    EarlyExit,
    Misaligned,
    OutOfBounds,
    Race,
    ReadOnly,
    Setting,
    Triple,
    Uninitialised,
    Violation,
)


class Found(Struct, frozen=True):
    """A violation and the run that shows it; `depends` are the inputs that control or addresses depend on there.

    `unstated` are variables of the source that it may need as they are in that run, though nothing states it.
    """

    violation: Violation
    setting: Setting
    depends: frozenset[str]
    unstated: tuple[Name, ...] = ()

    @property
    def is_error(self) -> bool:
        """Whether the violation refutes the kernel: writes of equal values and warps that leave early do not."""
        match self.violation:
            case Race(equal=True) | EarlyExit():
                return False
            case _:
                return True


class Tried(Struct, frozen=True):
    """A setting that was run, the errors that it shows by their `key`, and what control and the like depended on then.

    `control` is what control alone had depended on when each of them came about.
    `unstated` are variables of the source that it may need as they are, and of which nobody said so.

    `is_whole`: it was run to its end, so nothing else goes wrong in the blocks that were run; `all_blocks`: these are
    all; `is_idle`: no block wrote anything that others see. Of the contents only those of integers are kept that
    control or addresses depended on.
    """

    setting: Setting
    shows: frozenset[object]
    depends: frozenset[str]
    control: Mapping[object, Taint]
    unstated: frozenset[Name]
    is_whole: bool
    all_blocks: bool
    is_idle: bool


class Covered(Struct, frozen=True):
    """A launch that was run: which blocks, with how many contents of the inputs that mattered.

    `depends` is what control, addresses and the equality of writes came from, `inputs` the arrays among that. With so
    many further contents (`cut_short`) a run was not made to its end: they are not among those that count.
    """

    case: Case
    blocks: tuple[Triple, ...]
    input_count: int
    cut_short: int
    inputs: frozenset[str]
    depends: frozenset[str]

    @property
    def both_orders(self) -> bool:
        """Whether atomics were run in both orders."""
        return not ATOMIC_ORDER.isdisjoint(self.depends)


class SearchResult(Struct, frozen=True):
    """What a search found, what it covered, why it stopped if it could not go on, and what it cost.

    `chosen` are the sizes and parameters whose values were chosen, `unsized` the arrays of which no size is known,
    `variables` those of the source. `tried` are all settings that were run, `long` launches at larger sizes than others
    that were covered, which took more than their part of the steps and are left out.
    """

    found: tuple[Found, ...]
    covered: tuple[Covered, ...]
    undecided: Reason | None
    chosen: tuple[Name, ...]
    unsized: tuple[Name, ...]
    steps: int
    variables: Variables
    tried: tuple[Tried, ...] = ()
    long: tuple[Case, ...] = ()

    @property
    def is_clean(self) -> bool:
        """Whether nothing keeps the kernel from being checked."""
        return self.undecided is None and not any(each.is_error for each in self.found)


def weight(found: Found) -> tuple[int, int]:
    """Which of two violations at the same places is reported: the worse one, then the one that needs less."""
    violation = found.violation
    return (rank(violation) if isinstance(violation, Race) else 0), len(found.unstated)


def key(violation: Violation) -> object:
    """What makes two violations one finding: their places."""
    match violation:
        case Race():
            return Race, key_of(violation)
        case Divergence() | EarlyExit() | Deadlock():
            return type(violation), violation.first.place
        case OutOfBounds() | Uninitialised() | Misaligned() | ReadOnly():
            return type(violation), violation.access.place
        case _:
            return type(violation), violation.place
