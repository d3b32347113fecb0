"""Conditions under which a kernel is right whose errors rest on what was chosen: looked for, and verified.

Tiny and small launches are run, whole as far as grids are not large, and conditions looked for that are false in every
failing run and true in the realistic ones that pass, those first that exclude fewest of what passes; they count once
the kernel was run again under them, also at small sizes and with contents of all kinds, and nothing went wrong. What
goes wrong then is one more failing run. Invariant: a condition that is told was so verified, and some realistic launch
satisfies it. Must not know which errors refute.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from math import prod
from time import process_time

from msgspec import Struct, field

from rewright.kernels.conditions.boundary import just_within
from rewright.kernels.conditions.candidate import (
    PossibleCondition,
    Probe,
    Sized,
    probe,
    sized_kernel,
    sized_program,
)
from rewright.kernels.conditions.explaining import Explanations, Runs, bits
from rewright.kernels.conditions.provenance import Chosen
from rewright.kernels.conditions.realistic import adverse_settings, counting_settings, settings
from rewright.kernels.conditions.support import met
from rewright.kernels.conditions.trials import Trials
from rewright.kernels.conditions.vocabulary import differing, numbers, of_contents, of_sizes, possible_extents
from rewright.kernels.launches.case import Case
from rewright.kernels.launches.cases import floats_apart, small_cases
from rewright.kernels.launches.inputs import UNSIZED
from rewright.kernels.launches.overflow import MODERATE_INDEX
from rewright.kernels.launches.results import SearchResult, Tried
from rewright.kernels.launches.search import run_settings, search
from rewright.model.kernel import ArrayParameter, Fact, Kernel
from rewright.model.scalars import integer
from rewright.model.simt.program import Program
from rewright.model.simt.violation import OutOfBounds, Setting
from rewright.verdict import Condition

MOST_ROUNDS = 24
"""Sets of conditions that are run again."""

MOST_SMALL = 32
"""Launches at small sizes under conditions."""

MOST_ADVERSE = 12
"""Launches under conditions with contents of all kinds, of each of which there is a run."""

_LEAST_ADVERSE = 2
"""Such launches where none is tiny."""

_LEAST_VERIFIED = 12
"""Small launches that have to pass under conditions that exclude realistic runs which pass; and under others, if there
are so many, before the steps are used up."""

_AT_ONCE = 8
"""Launches under conditions that are run before it is asked whether one of them failed."""

_SHARE_OF_SIZES = 8
"""Each size that an array may be meant to have is tried with one part in so many of the steps."""

_MOST_VARIED = 6
"""Small runs in which the size of an array is looked for: of names that are equal in one, others differ in the next."""

_SHARE_OF_SMALL = 4
"""Small launches without conditions get one part in so many of the steps."""


class Provided(Struct, frozen=True):
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


class ConditionSearch(Struct):
    """A search under way, beside the runs that judge the kernel: what was looked at in each, and what holds there."""

    trials: Trials
    probes: list[Probe] = field(default_factory=list)
    truths: dict[str, list[bool]] = field(default_factory=dict)

    def provided(self, suggested: Iterable[tuple[PossibleCondition, ...]] = ()) -> Provided | None:
        """The first set of conditions under which nothing goes wrong: those suggested, then weak ones first."""
        if not self.trials.passing:
            return None
        for picked in suggested:
            searched = self._verified(picked)
            if searched is not None:
                return Provided(picked, searched)
        self._run_small()
        # what passes may be wrong in blocks that were not run: then a condition on sizes may exclude it
        whole = [probe(self.trials.kernel, each.setting) for each in self.trials.passing if each.all_blocks]
        shown = [probe(self.trials.kernel, each.setting) for each in self.trials.passing]
        needed = ((each, whole if isinstance(each.requirement, Fact) else shown) for each in self._vocabulary())
        return self._provided(
            [each for each, held in needed if all(each.holds(self.trials.kernel, one) for one in held)]
        )

    def _run_small(self) -> None:
        """Runs small launches with realistic contents, and free floats apart: what passes there needs no condition."""
        variables = self.trials.resting.variables
        apart = (
            each
            for case in floats_apart(self.trials.kernel, self.trials.program)
            for each in islice(settings(self.trials.kernel, variables, case), 1)
        )
        for needed in (apart, self._nearby(self.trials.kernel)):
            self.trials.run_whole(self.trials.kernel, self.trials.program, needed, self.trials.steps // _SHARE_OF_SMALL)

    def _may_repeat(self, array: ArrayParameter) -> bool:
        """Whether all goes well with the elements of an array that count what another array marks: these repeat."""
        variables = self.trials.resting.variables
        others = [each for each in self.trials.silent() if each.name != array.name]
        for other in (each for each in others if each.type.is_integer):
            needed = (
                each
                for case in small_cases(self.trials.kernel, self.trials.program, MOST_SMALL)
                for each in counting_settings(self.trials.kernel, variables, case, (array, other))
            )
            ran = self.trials.run_whole(
                self.trials.kernel, self.trials.program, needed, self.trials.steps // _SHARE_OF_SIZES
            )
            if ran and all(_is_right(each) for each in ran):
                return True
        return False

    def _provided(self, candidates: list[PossibleCondition]) -> Provided | None:
        """The first set of these conditions under which nothing goes wrong.

        Of those that exclude realistic launches which pass, more small launches are run.
        """
        explanations = Explanations([each.weight for each in candidates])
        for _ in range(MOST_ROUNDS):
            numbered = explanations.best([self._truths(each) for each in candidates], self._runs())
            if numbered is None or self.trials.steps <= 0 or process_time() > self.trials.until:
                return None
            picked = tuple(candidates[each] for each in numbered)
            passing = [probe(self.trials.kernel, each.setting) for each in self.trials.passing]
            is_weak = all(each.holds(self.trials.kernel, one) for each in picked for one in passing)
            searched = self._verified(picked, 0 if is_weak else _LEAST_VERIFIED)
            if searched is not None:
                return Provided(picked, searched)
            explanations.refused.add(numbered)
        return None

    def _vocabulary(self) -> Iterable[PossibleCondition]:
        """What conditions there are, each once."""
        made_of = numbers(self.trials.kernel, self.trials.program)
        found = list(of_sizes(self.trials.kernel, made_of))
        meets = met(self.trials.program, [each.name for each in self.trials.silent()])
        for array in self.trials.silent():
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
        if all(made.name != array.name for made in self.trials.program.objects):
            return None
        options = [
            Sized(array.name, (extent,))
            for extent in possible_extents(numbers(self.trials.kernel, self.trials.program), UNSIZED)
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
        by_values = {each.setting.values: each for each in self.trials.tried if each.all_blocks and _is_right(each)}
        varied = sorted(by_values.values(), key=lambda each: (-_spread(each)[0], _spread(each)[1]))
        return [*varied[:_MOST_VARIED], max(self.trials.passing, key=_spread)]

    def _stays_inside(self, array: ArrayParameter, sized: Sized, run: Tried) -> bool:
        kernel, program = sized_kernel(self.trials.kernel, (sized,)), sized_program(self.trials.program, (sized,))
        needed = _anew(kernel, self.trials.resting, run)
        _, found, spent = run_settings(kernel, program, needed, self.trials.steps // _SHARE_OF_SIZES, self.trials.until)
        self.trials.steps -= spent
        return not any(isinstance(each.violation, OutOfBounds) and each.violation.array == array.name for each in found)

    def _runs(self) -> Runs:
        """What conditions are to explain; the realistic runs are the usual ones that pass, if any does."""
        realistic = [each for each in self.trials.usual if each.is_whole and not each.shows] or self.trials.passing
        passing = set(map(id, realistic))
        sizes = dict.fromkeys(each.setting.values for each in realistic)
        at_size = (
            bits(id(each) in passing and each.setting.values == size for each in self.trials.tried) for size in sizes
        )
        fails, right = bits(bool(each.shows) for each in self.trials.tried), bits(map(_is_right, self.trials.tried))
        whole = right & bits(each.all_blocks for each in self.trials.tried)
        return Runs(fails, whole, tuple(at_size), right & ~whole)

    def _truths(self, candidate: PossibleCondition) -> list[bool]:
        """Whether a condition holds, for each of the runs."""
        for tried in self.trials.tried[len(self.probes) :]:
            self.probes.append(probe(self.trials.kernel, tried.setting))
        known = self.truths.setdefault(candidate.condition.requires, [])
        known += [candidate.holds(self.trials.kernel, each) for each in self.probes[len(known) :]]
        return known

    def _verified(self, picked: tuple[PossibleCondition, ...], least: int = 0) -> SearchResult | None:
        """The search under conditions if nothing goes wrong, in at least so many small launches; what does is added to
        the runs.
        """
        kernel, program = self.trials.kernel, self.trials.program
        for each in picked:
            kernel, program = each.added_to(kernel), sized_program(program, each.sized)
        nearby = self._passing(kernel, program, self._nearby(kernel), self.trials.steps // 2, _LEAST_VERIFIED)
        if nearby is None or nearby < least:
            return None
        within = self._within(kernel, program, picked)
        if self._passing(kernel, program, within, self.trials.steps // _SHARE_OF_SMALL) is None:
            return None
        if self._passing(kernel, program, self._adverse(kernel), self.trials.steps // _SHARE_OF_SMALL) is None:
            return None
        searched = search(kernel, program, max(self.trials.steps, 0), self.trials.until)
        self.trials.steps -= searched.steps
        self.trials.tried += searched.tried
        return searched if searched.is_clean and searched.covered else None

    def _passing(
        self, kernel: Kernel, program: Program, needed: Iterator[Setting], steps: int, least: int = 0
    ) -> int | None:
        """How many of these were run, None if one fails.

        Where some are to pass at `least`, None, too, if the steps do not reach for so many while there are more, or if
        all of them store nothing: they show nothing of the kernel.
        """
        count, idle = 0, 0
        while few := list(islice(needed, _AT_ONCE)):
            before = self.trials.steps
            ran = self.trials.run_whole(kernel, program, few, steps)
            steps -= before - self.trials.steps
            count += len(ran)
            idle += sum(each.is_idle for each in ran)
            if any(each.shows for each in ran):
                return None
            if steps <= 0 and count >= least:
                break
            if steps <= 0:
                return None
        return None if least and 0 < count == idle else count

    def _within(self, kernel: Kernel, program: Program, picked: Iterable[PossibleCondition]) -> Iterator[Setting]:
        """Launches just within conditions on sizes, with realistic contents."""
        failing = {each.setting.values: dict(each.setting.values) for each in self.trials.tried if each.shows}
        required = [each.requirement for each in picked]
        for case in just_within(kernel, program, failing.values(), required):
            yield from islice(settings(kernel, self.trials.resting.variables, case), 1)

    def _nearby(self, kernel: Kernel) -> Iterator[Setting]:
        """Launches at small sizes that satisfy the requirements, with realistic contents."""
        for case in small_cases(kernel, self.trials.program, MOST_SMALL):
            yield from settings(kernel, self.trials.resting.variables, case)

    def _adverse(self, kernel: Kernel) -> Iterator[Setting]:
        """Tiny launches with contents of all kinds: none at which a product with a moderate index overflows, if any."""
        variables = self.trials.resting.variables
        cases = small_cases(kernel, self.trials.program, MOST_SMALL) if self.trials.silent() else ()
        tiny = [each for each in cases if _volume(each) * MODERATE_INDEX < 1 << 31]
        # where all are larger, some contents count all the same: an index below 0 is wrong at every size
        for case in islice(tiny or sorted(cases, key=_volume)[:_LEAST_ADVERSE], MOST_ADVERSE):
            yield from adverse_settings(kernel, variables, case)


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
