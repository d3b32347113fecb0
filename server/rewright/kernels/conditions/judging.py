"""Which errors of a kernel refute it, and under which conditions it is right where they rest on what was chosen.

An error refutes if it shows in a run that rests on nothing chosen, or in every realistic one. Else tiny and small
launches are run, whole as far as grids are not large, and conditions looked for that are false in every failing run and
true in the realistic ones that pass, those first that exclude fewest of what passes; they count once the kernel was run
again under them, also at small sizes and with contents of all kinds, and nothing went wrong. What goes wrong then is
one more failing run. Without conditions an error still refutes that shows at every realistic size for some floats or
bytes; but not for some indices, nor an access at an index that floats are made to, in an array of which nobody said
anything. A launch with sizes of host code that nobody declared is refuted by what rests on nothing chosen only: which
sizes are realistic there is not known. Invariant: a condition that is told was so verified, and some realistic launch
satisfies it. The search is a function of the kernel and the steps. Must not know how errors are shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from math import prod
from time import process_time

from rewright.kernels.conditions.candidate import (
    PossibleCondition,
    Probe,
    Sized,
    probe,
    sized_kernel,
    sized_program,
    with_values,
)
from rewright.kernels.conditions.explaining import Explanations, Runs, bits
from rewright.kernels.conditions.provenance import Chosen, chosen
from rewright.kernels.conditions.realistic import adverse_settings, counting_settings, settings, wider_settings
from rewright.kernels.conditions.support import met
from rewright.kernels.conditions.vocabulary import (
    differing,
    numbers,
    of_contents,
    of_sizes,
    possible_extents,
)
from rewright.kernels.launches.blocks import sampled_of_many
from rewright.kernels.launches.case import Case
from rewright.kernels.launches.cases import (
    floats_apart,
    free_names,
    pitched_cases,
    realistic_cases,
    small_cases,
)
from rewright.kernels.launches.inputs import UNSIZED, filled_arrays
from rewright.kernels.launches.overflow import MODERATE_INDEX
from rewright.kernels.launches.required import equated
from rewright.kernels.launches.results import SearchResult, Tried, key
from rewright.kernels.launches.search import run_settings, search
from rewright.kernels.launches.several import ProgramLaunch
from rewright.kernels.launches.singled_out import Singled, singled_out
from rewright.model.kernel import ArrayParameter, Fact, Kernel
from rewright.model.scalars import integer
from rewright.model.simt.constants import Number
from rewright.model.simt.program import Program
from rewright.model.simt.violation import DivisionByZero, FailedAssertion, Misaligned, OutOfBounds, Setting, Violation
from rewright.verdict import Condition

MOST_ROUNDS = 24
"""Sets of conditions that are run again."""

MOST_SMALL = 32
"""Launches at small sizes under conditions."""

MOST_ADVERSE = 12
"""Launches under conditions with contents of all kinds, of each of which there is a run."""

_LEAST_VERIFIED = 12
"""Small launches that have to pass under conditions that exclude realistic runs which pass."""

_AT_ONCE = 8
"""Launches under conditions that are run before it is asked whether one of them failed."""

_SHARE_OF_SIZES = 8
"""Each size that an array may be meant to have is tried with one part in so many of the steps."""

_MOST_VARIED = 6
"""Small runs in which the size of an array is looked for: of names that are equal in one, others differ in the next."""

_SHARE_OF_SMALL = 4
"""Small launches without conditions get one part in so many of the steps."""

_SHARE_OF_REALISTIC = 2
"""Realistic runs get one part in so many of the steps."""


@dataclass(frozen=True, slots=True)
class Certain:
    """These errors, by their keys, refute the kernel: they rest on nothing chosen, or show wherever it is realistic."""

    keys: frozenset[object]


@dataclass(frozen=True, slots=True)
class Provided:
    """The kernel is right under these conditions, as the search under them says."""

    candidates: tuple[PossibleCondition, ...]
    searched: SearchResult

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """What is told of them."""
        return tuple(each.condition for each in self.candidates)

    def broken(self, kernel: Kernel, setting: Setting) -> tuple[Condition, ...]:
        """Those of them that do not hold in a run."""
        seen = probe(kernel, setting)
        return tuple(each.condition for each in self.candidates if not each.holds(kernel, seen))


@dataclass(frozen=True, slots=True)
class Unexplained:
    """Nothing refutes the kernel, and no conditions were found under which it is right."""


Judged = Certain | Provided | Unexplained


def judged(launch: ProgramLaunch, searched: SearchResult, steps: int, until: float = math.inf) -> tuple[Judged, int]:
    """What the errors of a launch come to, and how many steps that took, of at most so many."""
    kernel, program = launch.kernel, launch.program
    resting = chosen(kernel, searched.variables)
    errors = frozenset(key(each.violation) for each in searched.found if each.is_error)
    certain = errors & {at for each in searched.tried if not resting.matters_in(each) for at in each.shows}
    if certain == errors:
        return Certain(certain), 0
    fixed, spent = _for_what_is_quantified(launch, searched, steps // _SHARE_OF_REALISTIC, until)
    certain |= frozenset().union(*(each.keys for each in fixed if isinstance(each, Certain)))
    judging = _Judging(kernel, program, searched, resting, steps - spent, until, list(searched.tried))
    judging.run_realistic()
    # what host code computes in ways that are not known may exclude every launch that was tried
    free = frozenset(size.name for size in kernel.sizes if size.of_host and size.value is None)
    is_declared = free <= equated(kernel, free)
    everywhere = errors & judging.everywhere() if is_declared else frozenset[object]()
    suggested = [each.candidates for each in fixed if isinstance(each, Provided)]
    provided = None if certain or everywhere else judging.conditions(suggested)
    if provided is not None:
        return provided, steps - judging.steps
    found = certain | everywhere | (errors & judging.at_each_size() if is_declared else everywhere)
    return Certain(found) if found else Unexplained(), steps - judging.steps


def _for_what_is_quantified(
    launch: ProgramLaunch, searched: SearchResult, steps: int, until: float
) -> tuple[list[Judged], int]:
    """What the errors come to at each value of what is quantified that shows some, where more is free; and the steps.

    What refutes the kernel at one of them refutes it.
    """
    names = [name for name in launch.kernel.quantified if name in free_names(launch.kernel)]
    if not names or not chosen(launch.kernel, searched.variables).sizes:
        return [], 0
    by_values: dict[tuple[Number, ...], list[Tried]] = {}
    for each in searched.tried:
        values = dict(each.setting.values)
        by_values.setdefault(tuple(values[name] for name in names), []).append(each)
    found: list[Judged] = []
    left = steps
    for numbered, tried in sorted(by_values.items()):
        if any(each.shows for each in tried) and left > 0:
            fixed = replace(launch, kernel=with_values(launch.kernel, dict(zip(names, numbered, strict=True))))
            result, spent = judged(fixed, replace(searched, tried=tuple(tried)), left // 2, until)
            left -= spent
            found.append(result)
    return found, steps - left


@dataclass(slots=True)
class _Judging:
    """A judgement under way: the runs so far, the realistic ones that pass, and the steps that are left.

    `ample` are realistic runs at ample sizes, `usual` those among them in which all sizes are, `pitched` those in which
    sizes are related as widths and pitches are: one that shows nothing, even if it does not end, keeps others from
    refuting.
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
    probes: list[Probe] = field(default_factory=list)
    truths: dict[str, list[bool]] = field(default_factory=dict)

    # ------------------------------------------------------------------------------------------------------- realistic

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
        if self.everywhere():
            self.ample += self._run(usual[:1], self.mattering())
            self.ample += self._run(each for each in cases.needed if each not in usual)
            self.pitched = self._run(pitched_cases(self.kernel, self.program))
            self.ample += self.pitched
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

    def _run_wider(self, cases: Iterable[Case]) -> tuple[Tried, ...]:
        """Those of the runs with wider indices that pass: where they do not, indices may be smaller than that."""
        variables = self.resting.variables
        ran = self._run_settings(each for case in cases for each in wider_settings(self.kernel, variables, case))
        return tuple(each for each in ran if each.is_whole and not each.shows)

    def _run_settings(self, needed: Iterable[Setting]) -> tuple[Tried, ...]:
        share = self.steps // _SHARE_OF_REALISTIC
        ran, _, spent = run_settings(self.kernel, self.program, needed, share, self.until)
        self.steps -= spent
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

    def _silent(self) -> list[ArrayParameter]:
        """Those of which nothing is said."""
        return [each for each in self._arrays() if each.name in self.resting.contents]

    def everywhere(self) -> frozenset[object]:
        """The errors that show at every ample size, if all ample runs show some.

        No failed assertions where what was chosen may select a way: they say what is expected of it. No divisions by
        zero where integers of an array matter: as indices some are 0, strides and counts are not. None that control led
        to which hangs on integers of an array that nobody declared: they may be offsets of rows, or shapes. No accesses
        where bytes of such an array matter: they may be letters. None at all if no run at which all sizes are ample
        shows something or came to its end.
        """
        if self.usual and not any(each.shows or each.is_whole for each in self.usual):
            return frozenset()
        undeclared = [each for each in self._silent() if each.extents is None and each.type.is_integer]
        leading = {str(each.name) for each in undeclared if each.type.bits != 8}
        led = {at for each in self.ample for at, control in each.control.items() if not leading.isdisjoint(control)}
        divided = any(each.type.is_integer for each in self._silent())
        spared = led | self._asserted() | self._keys(*([DivisionByZero] if divided else []))
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
        if any(each.type.is_integer and each.type.bits != 8 for each in self._silent()):
            return frozenset()
        shown = _at_each_size(self.ample) - self._asserted()
        ranged = (each for each in mattering if not each.type.is_integer or each.type.bits == 8)
        if all(each.extents is not None for each in ranged):
            return shown
        return shown - self._keys(OutOfBounds, Misaligned)

    def _asserted(self) -> frozenset[object]:
        """The failed assertions, if the program compares a number with what was chosen."""
        singled = singled_out(self.program)
        selects = any(singled.get(name, Singled()).numbers for name in free_names(self.kernel))
        return self._keys(FailedAssertion) if selects else frozenset()

    def _keys(self, *kinds: type[Violation]) -> frozenset[object]:
        """What was found of these kinds."""
        return frozenset(key(each.violation) for each in self.searched.found if isinstance(each.violation, kinds))

    # ------------------------------------------------------------------------------------------------------ conditions

    def conditions(self, suggested: Iterable[tuple[PossibleCondition, ...]] = ()) -> Provided | None:
        """The first set of conditions under which nothing goes wrong: those suggested, then weak ones first."""
        if not self.passing:
            return None
        for picked in suggested:
            searched = self._verified(picked)
            if searched is not None:
                return Provided(picked, searched)
        self._run_small()
        # what passes may be wrong in blocks that were not run: then a condition on sizes may exclude it
        whole = [probe(self.kernel, each.setting) for each in self.passing if each.all_blocks]
        shown = [probe(self.kernel, each.setting) for each in self.passing]
        needed = ((each, whole if isinstance(each.requirement, Fact) else shown) for each in self._vocabulary())
        return self._provided([each for each, held in needed if all(each.holds(self.kernel, one) for one in held)])

    def _run_small(self) -> None:
        """Runs small launches with realistic contents, and free floats apart: what passes there needs no condition."""
        variables = self.resting.variables
        apart = (
            each
            for case in floats_apart(self.kernel, self.program)
            for each in islice(settings(self.kernel, variables, case), 1)
        )
        for needed in (apart, self._nearby(self.kernel)):
            self._run_whole(self.kernel, self.program, needed, self.steps // _SHARE_OF_SMALL)

    def _may_repeat(self, array: ArrayParameter) -> bool:
        """Whether all goes well with the elements of an array that count what another array marks: these repeat."""
        variables, others = self.resting.variables, [each for each in self._silent() if each.name != array.name]
        for other in (each for each in others if each.type.is_integer):
            needed = (
                each
                for case in small_cases(self.kernel, self.program, MOST_SMALL)
                for each in counting_settings(self.kernel, variables, case, (array, other))
            )
            ran = self._run_whole(self.kernel, self.program, needed, self.steps // _SHARE_OF_SIZES)
            if ran and all(_is_right(each) for each in ran):
                return True
        return False

    def _run_whole(self, kernel: Kernel, program: Program, needed: Iterable[Setting], steps: int) -> tuple[Tried, ...]:
        """Runs settings with all blocks of grids that are not large."""
        ran, _, spent = run_settings(kernel, program, needed, steps, self.until, sampled_of_many)
        self.steps -= spent
        self.tried += ran
        return ran

    def _provided(self, candidates: list[PossibleCondition]) -> Provided | None:
        """The first set of these conditions under which nothing goes wrong.

        Of those that exclude realistic launches which pass, more small launches are run.
        """
        explanations = Explanations([each.weight for each in candidates])
        for _ in range(MOST_ROUNDS):
            numbered = explanations.best([self._truths(each) for each in candidates], self._runs())
            if numbered is None or self.steps <= 0 or process_time() > self.until:
                return None
            picked = tuple(candidates[each] for each in numbered)
            passing = [probe(self.kernel, each.setting) for each in self.passing]
            is_weak = all(each.holds(self.kernel, one) for each in picked for one in passing)
            searched = self._verified(picked, 0 if is_weak else _LEAST_VERIFIED)
            if searched is not None:
                return Provided(picked, searched)
            explanations.refused.add(numbered)
        return None

    def _vocabulary(self) -> Iterable[PossibleCondition]:
        """What conditions there are, each once."""
        made_of = numbers(self.kernel, self.program)
        found = list(of_sizes(self.kernel, made_of))
        meets = met(self.program, [each.name for each in self._silent()])
        for array in self._silent():
            if array.type.is_integer:
                sized = None if array.extents is not None else self._sized(array)
                if array.extents is not None or sized is not None:
                    found += of_contents(array, made_of, meets[array.name], sized)
                    if (array.extents or sized) and not self._may_repeat(array):
                        found += differing(array, made_of, sized)
        return {each.condition.requires: each for each in found}.values()

    def _sized(self, array: ArrayParameter) -> Sized | None:
        """The least extent for which no varied run leaves the array, None if there is none in the vocabulary.

        None of a field of structs, too: what has a size is the array of these.
        """
        if all(made.name != array.name for made in self.program.objects):
            return None
        options = [
            Sized(array.name, (extent,)) for extent in possible_extents(numbers(self.kernel, self.program), UNSIZED)
        ]
        spread: list[int] = [0] * len(options)
        for run in self._varied():
            sizes = [integer(each.extents[0], dict(run.setting.values)) for each in options]
            by_size = sorted(set(sizes))
            low, high = 0, len(by_size)
            while low < high:
                middle = (low + high) // 2
                if self._stays_inside(array, options[sizes.index(by_size[middle])], run):
                    high = middle
                else:
                    low = middle + 1
            kept = [number for number, size in enumerate(sizes) if low < len(by_size) and size >= by_size[low]]
            spread = [spread[number] + sizes[number].bit_length() for number in kept]
            options = [options[number] for number in kept]
        return min(zip(spread, range(len(options)), options, strict=True), default=(0, 0, None))[2]

    def _varied(self) -> list[Tried]:
        """Runs that pass, of sizes that differ from each other: a few small ones, and one realistic one."""
        by_values = {each.setting.values: each for each in self.tried if each.all_blocks and _is_right(each)}
        varied = sorted(by_values.values(), key=lambda each: (-_spread(each)[0], _spread(each)[1]))
        return [*varied[:_MOST_VARIED], max(self.passing, key=_spread)]

    def _stays_inside(self, array: ArrayParameter, sized: Sized, run: Tried) -> bool:
        kernel, program = sized_kernel(self.kernel, (sized,)), sized_program(self.program, (sized,))
        needed = _anew(kernel, self.resting, run)
        _, found, spent = run_settings(kernel, program, needed, self.steps // _SHARE_OF_SIZES, self.until)
        self.steps -= spent
        return not any(isinstance(each.violation, OutOfBounds) and each.violation.array == array.name for each in found)

    def _runs(self) -> Runs:
        """What conditions are to explain; the realistic runs are the usual ones that pass, if any does."""
        realistic = [each for each in self.usual if each.is_whole and not each.shows] or self.passing
        passing = set(map(id, realistic))
        sizes = dict.fromkeys(each.setting.values for each in realistic)
        at_size = (bits(id(each) in passing and each.setting.values == size for each in self.tried) for size in sizes)
        fails, right = bits(bool(each.shows) for each in self.tried), bits(map(_is_right, self.tried))
        whole = right & bits(each.all_blocks for each in self.tried)
        return Runs(fails, whole, tuple(at_size), right & ~whole)

    def _truths(self, candidate: PossibleCondition) -> list[bool]:
        """Whether a condition holds, for each of the runs."""
        for tried in self.tried[len(self.probes) :]:
            self.probes.append(probe(self.kernel, tried.setting))
        known = self.truths.setdefault(candidate.condition.requires, [])
        known += [candidate.holds(self.kernel, each) for each in self.probes[len(known) :]]
        return known

    def _verified(self, picked: tuple[PossibleCondition, ...], least: int = 0) -> SearchResult | None:
        """The search under conditions if nothing goes wrong, in at least so many small launches; what does is added to
        the runs.
        """
        kernel, program = self.kernel, self.program
        for each in picked:
            kernel, program = each.added_to(kernel), sized_program(program, each.sized)
        nearby = self._passing(kernel, program, self._nearby(kernel), self.steps // 2)
        if nearby is None or nearby < least:
            return None
        if self._passing(kernel, program, self._adverse(kernel), self.steps // _SHARE_OF_SMALL) is None:
            return None
        searched = search(kernel, program, max(self.steps, 0), self.until)
        self.steps -= searched.steps
        self.tried += searched.tried
        return searched if searched.is_clean and searched.covered else None

    def _passing(self, kernel: Kernel, program: Program, needed: Iterator[Setting], steps: int) -> int | None:
        """How many of these were run, None if one fails."""
        count = 0
        while few := list(islice(needed, _AT_ONCE)):
            before = self.steps
            ran = self._run_whole(kernel, program, few, steps)
            steps -= before - self.steps
            count += len(ran)
            if any(each.shows for each in ran):
                return None
            if steps <= 0:
                break
        return count

    def _nearby(self, kernel: Kernel) -> Iterator[Setting]:
        """Launches at small sizes that satisfy the requirements, with realistic contents."""
        for case in small_cases(kernel, self.program, MOST_SMALL):
            yield from settings(kernel, self.resting.variables, case)

    def _adverse(self, kernel: Kernel) -> Iterator[Setting]:
        """Tiny launches with contents of all kinds: none at which a product with a moderate index overflows."""
        variables = self.resting.variables
        cases = small_cases(kernel, self.program, MOST_SMALL) if self._silent() else ()
        for case in islice((each for each in cases if _volume(each) * MODERATE_INDEX < 1 << 31), MOST_ADVERSE):
            yield from adverse_settings(kernel, variables, case)


def _at_each_size(runs: Iterable[Tried]) -> frozenset[object]:
    """The errors that show at every size of these runs, for some contents."""
    by_size: dict[object, frozenset[object]] = {}
    for each in runs:
        at = (each.setting.values, each.setting.grid)
        by_size[at] = by_size.get(at, frozenset()) | each.shows
    return frozenset.intersection(*by_size.values()) if by_size else frozenset()


def _is_right(tried: Tried) -> bool:
    """Whether a run passes and does something, with no index that is beyond arrays of usual sizes."""
    largest = (max(cells, default=0) for _, cells in tried.setting.contents)
    return tried.is_whole and not (tried.shows or tried.is_idle) and all(each <= MODERATE_INDEX for each in largest)


def _volume(case: Case) -> int:
    """The product of all sizes."""
    return prod(max(abs(int(value)), 1) for _, value in case.values)


def _spread(tried: Tried) -> tuple[int, int]:
    """How different the sizes of a run are, and how large."""
    values = [value for _, value in tried.setting.values if isinstance(value, int)]
    return len(set(values)), sum(values)


def _anew(kernel: Kernel, resting: Chosen, tried: Tried) -> Iterator[Setting]:
    """The launch of a run, with contents for arrays of other sizes."""
    setting = tried.setting
    yield from settings(kernel, resting.variables, Case(setting.values, setting.grid, setting.block))
