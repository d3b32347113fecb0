"""The runs that judge a kernel: the search's, realistic ones, and what goes wrong in all of these.

An error refutes that shows at every realistic size. Without conditions one does, too, that shows there for some floats
or bytes; but not for some indices, nor an access at an index that floats are made to, in an array of which nobody said
anything. Must not know conditions, or what comes of an error that does not show everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from rewright.kernels.conditions.provenance import Chosen
from rewright.kernels.conditions.realistic import settings, wider_settings
from rewright.kernels.conditions.support import addressing
from rewright.kernels.launches.blocks import sampled_of_many
from rewright.kernels.launches.case import Case
from rewright.kernels.launches.cases import free_names, has_strides, pitched_cases, realistic_cases
from rewright.kernels.launches.inputs import filled_arrays
from rewright.kernels.launches.results import SearchResult, Tried, key
from rewright.kernels.launches.search import run_settings
from rewright.kernels.launches.singled_out import Singled, singled_out
from rewright.model.kernel import ArrayParameter, Kernel
from rewright.model.simt.constants import Number
from rewright.model.simt.program import Program
from rewright.model.simt.violation import (
    DivisionByZero,
    FailedAssertion,
    Misaligned,
    OutOfBounds,
    Race,
    ReadOnly,
    Setting,
    Uninitialised,
    Violation,
)
from rewright.verdict import Place

SHARE_OF_REALISTIC = 2
"""Realistic runs get one part in so many of the steps."""


class Trials(Struct):
    """The runs so far, the realistic ones that pass, and the steps that are left.

    `ample` are realistic runs at ample sizes, `usual` those among them in which all sizes are, `pitched` those in which
    sizes are related as widths and pitches are: one that shows nothing, even if it does not end, keeps others from
    refuting, and so do those for which no steps are left (`is_unpitched`).
    """

    kernel: Kernel
    program: Program
    searched: SearchResult
    resting: Chosen
    steps: int
    until: float
    tried: list[Tried]
    passing: list[Tried] = field(default_factory=list)
    usual: tuple[Tried, ...] = ()
    ample: tuple[Tried, ...] = ()
    pitched: tuple[Tried, ...] = ()
    is_unpitched: bool = False

    def run_realistic(self) -> None:
        """Runs realistic launches, the ample ones first; if some do not end, also some that are ample in one size.

        If an error shows in all of them, floats of other values are looked at, too, and sizes that are widths in bytes.
        """
        cases = realistic_cases(self.kernel, self.program)
        usual = [each for each in cases.needed if self._floats(each) == self._floats(cases.needed[0])]
        self.ample = self.usual = self._run(usual)
        said = {each.setting.values for each in self.ample if each.is_whole or each.shows}
        if any(each.values not in said for each in usual):
            self.ample += self._run(cases.spare)
        has_several = has_strides(self.kernel, self.program)
        if has_several and self.everywhere():
            self._run_pitched()
            self.is_unpitched = not self.pitched
        if self.everywhere():
            self.ample += self._run(usual[:1], self.mattering())
            self.ample += self._run(each for each in cases.needed if each not in usual)
            if not has_several:
                self._run_pitched()
        if self.everywhere():
            self.ample += self._run_wider(usual)
        # with nothing ample, others may explain what goes wrong, but do not refute
        realistic = (*self.ample, *self._run(cases.further if self.ample else (*cases.further, *cases.spare)))
        self.tried += realistic
        self.passing = [each for each in realistic if each.is_whole and not each.shows]

    def _run(self, cases: Iterable[Case], zeros: frozenset[str] = frozenset()) -> tuple[Tried, ...]:
        """Runs them with realistic contents; floats in the arrays of `zeros` are once also 0."""
        variables = self.resting.variables
        return self._run_settings(each for case in cases for each in settings(self.kernel, variables, case, zeros))

    def _run_pitched(self) -> None:
        """Runs launches at sizes that are related, first of all where several may be strides."""
        self.pitched = self._run(pitched_cases(self.kernel, self.program))
        self.ample += self.pitched

    def _run_wider(self, cases: Iterable[Case]) -> tuple[Tried, ...]:
        """Those of the runs with wider indices that pass: where they do not, indices may be smaller than that."""
        variables = self.resting.variables
        ran = self._run_settings(each for case in cases for each in wider_settings(self.kernel, variables, case))
        return tuple(each for each in ran if each.is_whole and not each.shows)

    def _run_settings(self, needed: Iterable[Setting]) -> tuple[Tried, ...]:
        share = self.steps // SHARE_OF_REALISTIC
        ran, _, spent = run_settings(self.kernel, self.program, needed, share, self.until)
        self.steps -= spent
        return ran

    def run_whole(self, kernel: Kernel, program: Program, needed: Iterable[Setting], steps: int) -> tuple[Tried, ...]:
        """Runs settings with all blocks of grids that are not large."""
        ran, _, spent = run_settings(kernel, program, needed, steps, self.until, sampled_of_many)
        self.steps -= spent
        self.tried += ran
        return ran

    def _floats(self, case: Case) -> tuple[Number, ...]:
        return tuple(value for name, value in case.values if name in self.resting.floats)

    def mattering(self) -> frozenset[str]:
        """What control and addresses depended on in the runs that fail."""
        return frozenset().union(*(each.depends for each in self.tried if each.shows))

    def _arrays(self) -> list[ArrayParameter]:
        """The arrays whose contents are among that."""
        mattering = self.mattering()
        return [each for each in filled_arrays(self.kernel) if str(each.name) in mattering]

    def silent(self) -> list[ArrayParameter]:
        """Those of which nothing is said."""
        return [each for each in self._arrays() if each.name in self.resting.contents]

    def everywhere(self) -> frozenset[object]:
        """The errors that show at every ample size, if all ample runs show some.

        No failed assertions where what was chosen may select a way: they say what is expected of it. No divisions by
        zero where integers of an array matter: as indices some are 0, strides and counts are not. None that control led
        to which hangs on integers of an array that nobody declared: they may be offsets of rows, or shapes. No accesses
        where bytes of such an array matter: they may be letters; none at an address that its floats are made to. None
        at all if no run at which all sizes are ample shows something or came to its end.
        """
        if self.usual and not any(each.shows or each.is_whole for each in self.usual):
            return frozenset()
        if self.is_unpitched:
            return frozenset()
        undeclared = [each for each in self.silent() if each.extents is None and each.type.is_integer]
        leading = {str(each.name) for each in undeclared if each.type.bits != 8}
        led = {at for each in self.ample for at, control in each.control.items() if not leading.isdisjoint(control)}
        divided = any(each.type.is_integer for each in self.silent())
        spared = led | self._asserted() | self._keys(*([DivisionByZero] if divided else [])) | self._at_floats()
        if any(each.type.bits == 8 for each in undeclared):
            spared |= self._keys(OutOfBounds, Misaligned)
        ended = [each for each in self.ample if each.shows or each.is_whole]
        # a pitched run counts even if it does not end
        if not all(each.shows - spared for each in (*ended, *self.pitched)):
            return frozenset()
        return _at_each_size(ended) - spared

    def at_each_size(self) -> frozenset[object]:
        """The errors that show at every ample size, for some floats or bytes.

        None where other integers matter that nothing is said of: a permutation, or rows in order, may be what the
        kernel is made for; of bytes some are equal. No accesses where floats or bytes matter in arrays that nobody
        declared: there these may be of a range that is not known.
        """
        mattering = self._arrays()
        if any(each.type.is_integer and each.type.bits != 8 for each in self.silent()):
            return frozenset()
        shown = _at_each_size(self.ample) - self._asserted() - self._at_floats()
        ranged = (each for each in mattering if not each.type.is_integer or each.type.bits == 8)
        if all(each.extents is not None for each in ranged):
            return shown
        return shown - self._keys(OutOfBounds, Misaligned)

    def _at_floats(self) -> frozenset[object]:
        """The errors of accesses at addresses that are made of floats in arrays that nobody declared.

        Such floats may be whole numbers that differ, as sums of marks are.
        """
        floats = {each.name for each in self._silent_floats()}
        made = addressing(self.program) if floats else {}
        return frozenset(
            key(each.violation)
            for each in self.searched.found
            if any(not floats.isdisjoint(made.get(place, ())) for place in _accessed(each.violation))
        )

    def _silent_floats(self) -> list[ArrayParameter]:
        """The arrays of floats whose contents matter, and of which nothing is said."""
        return [each for each in self._arrays() if each.type.is_float and each.extents is None]

    def _asserted(self) -> frozenset[object]:
        """The failed assertions, if the program compares a number with what was chosen."""
        singled = singled_out(self.program)
        selects = any(singled.get(name, Singled()).numbers for name in free_names(self.kernel))
        return self._keys(FailedAssertion) if selects else frozenset()

    def _keys(self, *kinds: type[Violation]) -> frozenset[object]:
        """What was found of these kinds."""
        return frozenset(key(each.violation) for each in self.searched.found if isinstance(each.violation, kinds))


def _accessed(violation: Violation) -> tuple[Place, ...]:
    """The places of the accesses that a violation speaks of."""
    match violation:
        case Race():
            return violation.first.place, violation.second.place
        case OutOfBounds() | Misaligned() | Uninitialised() | ReadOnly():
            return (violation.access.place,)
        case _:
            return ()


def _at_each_size(runs: Iterable[Tried]) -> frozenset[object]:
    """The errors that show at every size of these runs, for some contents."""
    by_size: dict[object, frozenset[object]] = {}
    for each in runs:
        at = (each.setting.values, each.setting.grid)
        by_size[at] = by_size.get(at, frozenset()) | each.shows
    return frozenset.intersection(*by_size.values()) if by_size else frozenset()
