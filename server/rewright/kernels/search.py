"""Runs a kernel at its launches and collects what goes wrong, with the setting of each.

Sampled blocks run one after the other, each from the initial memory. Different integer inputs are tried only where
control or an address depends on them. The first launch that shows a violation is the last one run. Must not know how a
violation is shown or replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rewright.kernels.block import Undecided
from rewright.kernels.cases import Case, cases, free_names
from rewright.kernels.inputs import fillings, integer_inputs
from rewright.kernels.lockstep import Outcome, run
from rewright.kernels.requirements import Contents
from rewright.model.body import Body
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Kernel
from rewright.model.simt.types import Space
from rewright.model.violation import Divergence, OutOfBounds, Race, Setting, Violation
from rewright.verdict import Place


@dataclass(frozen=True, slots=True)
class Found:
    """A violation and the run that shows it; `depends` are the inputs that control or addresses depend on there."""

    violation: Violation
    setting: Setting
    depends: frozenset[str]


@dataclass(frozen=True, slots=True)
class Covered:
    """A launch that was run: `fillings` counts the integer inputs tried, `depends` names those that mattered."""

    case: Case
    fillings: int
    depends: frozenset[str]


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search found, what it covered, and why it stopped if it could not go on."""

    found: tuple[Found, ...]
    covered: tuple[Covered, ...]
    undecided: tuple[str, Place | None] | None
    chosen: tuple[Name, ...]


def search(kernel: Kernel, program: Body, steps: int) -> Searched:
    """Runs the kernel with at most so many steps in all."""
    searching = _Searching(kernel, program, steps)
    try:
        for case in cases(kernel):
            searching.case(case)
            if searching.found or searching.undecided:
                break
        if not (searching.covered or searching.found or searching.undecided):
            searching.undecided = ("every run is excluded by an `assume`", None)
    except Undecided as stop:
        searching.undecided = (stop.reason, stop.place)
    found = tuple(searching.found.values())
    return Searched(found, tuple(searching.covered), searching.undecided, free_names(kernel))


@dataclass(slots=True)
class _Searching:
    """A search under way."""

    kernel: Kernel
    program: Body
    steps: int
    found: dict[object, Found] = field(default_factory=dict)
    covered: list[Covered] = field(default_factory=list)
    undecided: tuple[str, Place | None] | None = None

    def case(self, case: Case) -> None:
        """Runs the sampled blocks of one launch, with as many inputs as matter."""
        depends: frozenset[str] = frozenset()
        tried, counted = 0, 0
        for contents in _renamed(self.kernel, self.program, case):
            tried += 1
            if tried > 1 and not depends:
                break
            outcomes = [self._run(Setting(case.grid, case.block, at, case.values, contents)) for at in case.sampled()]
            depends = depends.union(*(outcome.depends for outcome in outcomes))
            counted += not any(outcome.excluded for outcome in outcomes)
            if self.undecided:
                return
        if tried == 0:
            self.undecided = ("no integer inputs were found that satisfy `requires`", None)
        elif counted:
            self.covered.append(Covered(case, counted, depends))

    def _run(self, setting: Setting) -> Outcome:
        outcome = run(self.program, setting, max(self.steps, 0))
        self.steps -= outcome.steps
        self.undecided = self.undecided or outcome.undecided
        for violation in outcome.violations:
            self.found.setdefault(_key(violation), Found(violation, setting, outcome.depends))
        return outcome


def _renamed(kernel: Kernel, program: Body, case: Case) -> Iterator[tuple[tuple[Name, tuple[int, ...]], ...]]:
    """The contents to try, under the names that the program has for the arrays (they match by position)."""
    arrays = [p.name for p in kernel.parameters if isinstance(p, ArrayParameter)]
    names = dict(zip(arrays, (a.name for a in program.arrays if a.space is Space.GLOBAL), strict=True))
    if not integer_inputs(kernel):
        yield ()
        return
    contents: Contents
    for contents in fillings(kernel, dict(case.values)):
        yield tuple((names[name], cells) for name, cells in contents.items())


def _key(violation: Violation) -> object:
    """What makes two violations one finding: their places."""
    match violation:
        case Race():
            return Race, frozenset((violation.first.place, violation.second.place))
        case Divergence():
            return Divergence, violation.first.place
        case OutOfBounds():
            return OutOfBounds, violation.access.place
        case _:
            return type(violation), violation.place
