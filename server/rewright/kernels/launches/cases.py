"""Which launches of a kernel are run: its sizes and scalar parameters as declared, chosen where they are free.

A free size is at least 1. Choices are made relative to the block, so that a loop over the elements runs no time, once
and twice: fewer elements than threads, as many, one more than two passes; then at the numbers that the program compares
a parameter with, and their neighbours. Where a requirement or the program divides by a number, multiples of it are
taken too. Must not know how a block runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from math import lcm, prod
from operator import mul

from msgspec import Struct

from rewright.kernels.execution.prepare import MOST_THREADS
from rewright.kernels.launches.case import Case, launched, triple
from rewright.kernels.launches.given import given_values, wraps
from rewright.kernels.launches.inputs import MOST_ELEMENTS
from rewright.kernels.launches.required import compared, determined, divisors, tiles
from rewright.kernels.launches.requirements import TooMany, extents, hold
from rewright.kernels.launches.singled_out import Singled, singled_out
from rewright.kernels.launches.strides import nested
from rewright.kernels.launches.thresholds import thresholds
from rewright.model.body import Expression, Variable, parts
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Fact, Kernel, without_value
from rewright.model.scalars import Values, number
from rewright.model.simt.constants import NoValue, Number, converted
from rewright.model.simt.program import Program
from rewright.model.simt.types import Scalar

_FLOAT = 1.5
"""The value of a scalar parameter of floats that is free."""

_FURTHER_FLOATS = (0.0, 1.0, -1.5)
"""What such parameters are then tried with, as time allows."""

_SMALLEST, _SMALL, _LARGE = 1, 7, 64

_TINY = range(1, 7)
"""Values at which a grid of two sides has so few blocks that all of them are run."""

_SPARE = 4
"""The value of all names but one where more would make arrays too large."""

_MOST_EXTRA = 24
"""Launches that are tried beyond those needed, the first ones of those that are small."""

_MODEST = (32, 16, 8)
"""Realistic values of several names of which the product is launched."""

_LEAST_REALISTIC = 8
"""Threads along a side of the block from which on sizes are thought to be multiples of it."""

_LEAST_COUNTED = 8
"""What a size is at least a multiple of that all threads count up to alike: by how much they count, not the block."""

_LARGEST_TILE = 1 << 12
"""Elements along one side of what a block does; by more a grid is not divided for tiles."""

_WIDEST = 16
"""Bytes of the widest vector."""

_MOST_NUMBERED = 1 << 31
"""Threads along one axis of a launch, which kernels number by 32 bits: `blockIdx.x * blockDim.x` wraps beyond."""

_LARGEST_PRODUCT = 1 << 18
"""A size that is the product of others is tried up to this."""

_MOST_LISTED = 6
"""Values of a launch that a reason names."""

_MOST_SELECTED = 4
"""Values of a parameter that selects a way."""

_FACTOR, _MODULUS = 48271, (1 << 31) - 1
"""Of the minimal generator of Park and Miller: the same numbers everywhere."""

_LARGEST_EXTRA = 1 << 18
"""Elements of all arrays of a launch that counts as small."""


class Cases(Struct, frozen=True):
    """The launches to run: those that a check speaks for, and further ones as time allows.

    `spare` stand in for those of which the arrays are too large: one size is large in each, the others are small.
    """

    needed: tuple[Case, ...]
    further: tuple[Case, ...]
    spare: tuple[Case, ...] = ()


def cases(kernel: Kernel, program: Program) -> Cases:
    """The launches of a kernel. Raises `NoValue` if there is none that satisfies the requirements, or `TooMany`."""
    choosing = _Choosing(kernel, program)
    if not choosing.free:
        case = launched(kernel, program, {})
        if not hold(kernel, dict(case.values), {}):
            raise NoValue(f"the sizes given do not satisfy `requires`{_listed(case)}")
        return Cases((case,), ())
    ways = (choosing.ladder(), choosing.alike(), choosing.in_tiles())
    needed = next(filter(None, (_distinct(choosing, each, ()) for each in ways)), ())
    further = _distinct(choosing, choosing.further(), needed)
    small = [case for case in further if _elements(kernel, case) <= _LARGEST_EXTRA]
    if not needed and not further:
        raise NoValue("no sizes were found that satisfy `requires` and can be launched; give them values")
    spare = _distinct(choosing, choosing.lean(), (*needed, *further))
    if not needed:
        return Cases(further[:2], tuple(small[2:_MOST_EXTRA]), spare)
    return Cases(needed, tuple(small[:_MOST_EXTRA]), spare)


MOST_REALISTIC = 20
"""Realistic launches that are looked at."""


def realistic_cases(kernel: Kernel, program: Program) -> Cases:
    """Launches at sizes as people have them: multiples of the block, powers of two and thrice, all alike and different.

    Parameters that select a way, and are no sizes, have the values that the program compares them with, too. Those that
    are needed are ample: all sizes are larger than the block, so that loops that step by it run more than once, or at
    least as large as a tile, where the grid divides them. What follows from sizes is not negative.
    """
    choosing = _Choosing(kernel, program)
    if not choosing.free:
        return Cases((launched(kernel, program, {}),), ())
    found = tuple(filter(choosing.is_sensible, _distinct(choosing, choosing.realistic(), ())))[:MOST_REALISTIC]
    ample = tuple(each for each in found if choosing.is_ample(each))
    others = tuple(each for each in found if each not in ample)
    spare = _distinct(choosing, choosing.lean(), found)
    return Cases(ample, others, tuple(each for each in spare if choosing.has_tiles(each)))


def pitched_cases(kernel: Kernel, program: Program) -> tuple[Case, ...]:
    """Launches where all sizes are alike, where those that it is not made of are widths in bytes of the others, and
    where names that are no sizes are strides.
    """
    choosing = _Choosing(kernel, program)
    return _distinct(choosing, choosing.pitches(), ()) if choosing.free else ()


def has_strides(kernel: Kernel, program: Program) -> bool:
    """Whether several names may be strides: some pitched launches are where these reach over each other."""
    choosing = _Choosing(kernel, program)
    return sum(map(choosing.is_stride, choosing.integers)) > 1


def small_cases(kernel: Kernel, program: Program, most: int) -> tuple[Case, ...]:
    """At most so many launches at tiny sizes, small ones and those near the block, each free integer by itself.

    Short ones come first.
    """
    choosing = _Choosing(kernel, program)
    if not choosing.integers:
        return ()
    tiny = _distinct(choosing, choosing.scattered(4 * most, _TINY), ())[: most // 2]
    found = (*tiny, *_distinct(choosing, choosing.scattered(8 * most, choosing.small()), tiny))[:most]

    def length(case: Case) -> Number:
        return case.blocks * sum(abs(value) for _, value in case.values)

    return tuple(sorted(found, key=length))


def floats_apart(kernel: Kernel, program: Program) -> tuple[Case, ...]:
    """Launches at which one free float has another value than usual."""
    choosing = _Choosing(kernel, program)
    return _distinct(choosing, choosing.apart(), ()) if choosing.usual else ()


def free_names(kernel: Kernel) -> dict[Name, Scalar]:
    """The sizes and scalar parameters whose values are chosen, with their types."""
    return without_value(kernel.sizes, kernel.parameters)


def _distinct(choosing: _Choosing, choices: Iterator[Values], known: tuple[Case, ...]) -> tuple[Case, ...]:
    """The launches of those choices that are possible and not known yet."""
    found: dict[Case, None] = {}
    for choice in choices:
        case = choosing.possible(choice)
        if case is not None and case not in known:
            found.setdefault(case)
    return tuple(found)


def _listed(case: Case) -> str:
    """The values of a launch, as a reason names them."""
    listed = ", ".join(f"{name} = {value}" for name, value in case.values[:_MOST_LISTED])
    return f": {listed}" if listed else ""


def _elements(kernel: Kernel, case: Case) -> int:
    """The elements of all arrays of known size together, negative if an extent is."""
    values = dict(case.values)
    arrays = (p for p in kernel.parameters if isinstance(p, ArrayParameter) and p.extents is not None)
    shapes = [extents(array, values) for array in arrays]
    return -1 if any(extent < 0 for shape in shapes for extent in shape) else sum(map(prod, shapes))


class _Choosing:
    """What the choice of values is made from."""

    def __init__(self, kernel: Kernel, program: Program) -> None:
        self.kernel, self.program = kernel, program
        self.free, self.given = free_names(kernel), given_values(kernel)
        self.sizes = tuple(size.name for size in kernel.sizes if size.value is None)
        self.singled = singled_out(program)
        by_name = {name: self._tiles(name) for name in self.free}
        self.tiles = {name: max(found) for name, found in by_name.items() if found}
        self.usual = {name: self._usual(name) for name, scalar in self.free.items() if scalar.is_float}
        launched = _names((*kernel.launch.grid, *kernel.launch.block))
        alike = (name for name, singled in self.singled.items() if singled.block and not singled.varies)
        self.counted = frozenset(alike) - launched - self.tiles.keys()

    def _tiles(self, name: Name) -> list[int]:
        """The numbers that the grid divides a name by which may be the elements along a side of what a block does."""
        found = (self._multiple(name, each) for each in tiles(self.kernel, name, self.given))
        return [each for each in found if self.step < each <= _LARGEST_TILE]

    def _usual(self, name: Name) -> float:
        """The value of a free float, one that requirements on it alone admit if there is one among those tried."""

        def is_admitted(value: float) -> bool:
            for each in self.kernel.requires:
                with suppress(NoValue):
                    if isinstance(each, Fact) and not number(each.condition, {name: value}):
                        return False
            return True

        tried = (_FLOAT, *_FURTHER_FLOATS, *thresholds(self.program))
        near = (*tried, *(mark + step for mark in tried for step in (1.0, -1.0)))
        return next(filter(is_admitted, near), _FLOAT)

    @property
    def integers(self) -> tuple[Name, ...]:
        return tuple(name for name, scalar in self.free.items() if not scalar.is_float)

    def ladder(self) -> Iterator[Values]:
        """All free names at one value, then each at its neighbour's; few passes of loops that are run alike."""
        rungs = _rungs(self.unit)
        realistic_first = sorted(rungs, key=lambda rung: (rung != (self.unit or _LARGE), -rung))
        for rung in realistic_first:
            yield {name: self._few(name, rung) for name in self.integers} | self._floats()
        for rung in realistic_first:
            yield {name: self._multiple(name, self._few(name, rung)) for name in self.integers} | self._floats()
        for step in range(1, len(rungs) + 1) if len(self.integers) > 1 else ():
            yield {
                name: self._multiple(name, self._few(name, rungs[(step + position) % len(rungs)]))
                for position, name in enumerate(self.integers)
            } | self._floats()

    def alike(self) -> Iterator[Values]:
        """All free names at the largest of what requirements make of a value."""
        for rung in sorted(_rungs(self.unit), reverse=True):
            found = self._multiples(rung)
            yield self._multiples(max((int(found[name]) for name in self.integers), default=1))

    def in_tiles(self) -> Iterator[Values]:
        """All free names at so many times their tile, and a little more: where the grid is a quotient without rest."""
        for factor, rest in ((2, 0), (7, 0), (1, 0), (2, 1)) if self.tiles else ():
            yield {
                name: self._multiple(name, self._few(name, factor * self._tile(name) + rest)) for name in self.integers
            } | self._floats()

    def further(self) -> Iterator[Values]:
        """The whole launch passed; one name at a value that is singled out, the others in the middle and at the top.

        First all at the top that were kept at few passes.
        """
        rungs = _rungs(self.unit)
        if self.counted:
            yield self._multiples(rungs[-1])
        threads = prod(self._shape(self.kernel.launch.block))
        total = threads * prod(self._shape(self.kernel.launch.grid))
        for value in (2 * total + 1, total + 1, total, total - 1, 2 * threads + 1, threads) if total > 1 else ():
            yield self._multiples(value)
        for constant in _FURTHER_FLOATS if len(self.integers) < len(self.free) else ():
            yield self._multiples(rungs[-1]) | self._floats(constant)
        for name in self.integers:
            for value in self._interesting(name):
                for rung in (rungs[-1], rungs[len(rungs) // 2]):
                    yield self._multiples(rung) | {name: value}

    def realistic(self) -> Iterator[Values]:
        """One tile of a block; multiples of the block's longest side, or of its tile: alike, then different.

        They are powers of two if that is one, and thrice that: three channels are usual.
        """
        if self.tiles:
            yield {name: self.tiles.get(name, 2 * self.step) for name in self.integers} | self._floats()
        for factor in (2, 4, 3):
            yield self._realistic((factor,))
        for step in range(3) if len(self.integers) > 1 else ():
            yield self._realistic([2 << (step + position) % 3 for position in range(3)])
        for value in _MODEST if len(self.integers) > 1 else ():
            yield self._multiples(value)
        twice = self._realistic((2,))
        yield from self._products(2 * self.step)
        for constant in _FURTHER_FLOATS if self.usual else ():
            yield twice | self._floats(constant)
        for name in self.integers:
            if self._is_selecting(name):
                numbers = sorted({0, 1, *self.singled.get(name, Singled()).numbers}, key=lambda each: (abs(each), each))
                for number in numbers[:_MOST_SELECTED]:
                    yield twice | {name: number}
        yield self._realistic((1,))

    def _realistic(self, factors: Sequence[int]) -> dict[Name, Number]:
        """The block, or its tile, so many times; free integers take the factors in turn."""
        return {
            name: self._multiple(name, factors[position % len(factors)] * self._tile(name))
            for position, name in enumerate(self.integers)
        } | self._floats()

    def _tile(self, name: Name) -> int:
        """What realistic values of a name are multiples of: its tile, or `step`."""
        return max(self._step(name), self.tiles.get(name, 1))

    def _step(self, name: Name) -> int:
        """What realistic values of a name that has no tile are multiples of."""
        return min(self.step, self._counted(name)) if name in self.counted else self.step

    def _counted(self, name: Name) -> int:
        """What realistic values of a name are multiples of that all threads count up to."""
        return max(self.singled[name].pace, _LEAST_COUNTED)

    def _few(self, name: Name, value: int) -> int:
        """The value, or one like it that makes few passes of loops that all threads run alike."""
        return min(value, 2 * self._counted(name) + value % 2) if name in self.counted else value

    def _products(self, value: int) -> Iterator[Values]:
        """All names at a value but one, which is the product of two others, or of all: what is flat."""
        others = len(self.integers) - 1
        for count in sorted({2, others}) if others > 1 else ():
            for name in self.integers if value**count <= _LARGEST_PRODUCT else ():
                choice = self._multiples(value) | {name: self._multiple(name, value**count)}
                case = self.possible(choice)
                if case is None or max(map(mul, case.grid, case.block)) <= _MOST_NUMBERED:
                    yield choice

    def pitches(self) -> Iterator[Values]:
        """All names alike; strides that reach over each other; names that the launch is not made of, all and each, are
        widths in bytes of the others.
        """
        launched = _names((*self.kernel.launch.grid, *self.kernel.launch.block))
        usual = self._realistic((2,))
        alike = self._multiples(max((int(usual[name]) for name in self.integers), default=1))
        if alike != usual:
            yield alike
        strides = [name for name in self.integers if self.is_stride(name)]
        base = max((int(usual[name]) for name in self.integers if name not in strides), default=_LARGE)
        yield from (usual | each for each in nested(strides, base) if strides)
        wide = {
            name: self._multiple(name, _WIDEST * int(usual[name])) for name in self.integers if name not in launched
        }
        if wide:
            yield usual | wide
            yield from (usual | {name: value} for name, value in wide.items() if len(wide) > 1)

    def is_stride(self, name: Name) -> bool:
        """Whether a name may be one: no size, and not compared with a number."""
        return self._is_selecting(name) and not self.singled.get(name, Singled()).numbers

    def lean(self) -> Iterator[Values]:
        """One name beyond the block, the others small."""
        for name in self.integers if len(self.integers) > 1 else ():
            for value, others in ((2 * self.step, _SPARE), (2 * self.step + 1, _SPARE - 1)):
                yield self._multiples(others) | {name: self._multiple(name, value)}

    def is_ample(self, case: Case) -> bool:
        """Whether all that may be a size is larger than the block, or at least the tile of one."""
        values = dict(case.values)
        sizes = (name for name in self.integers if name not in self.tiles and not self._is_selecting(name))
        return self.has_tiles(case) and all(values[name] > self._step(name) for name in sizes)

    def is_sensible(self, case: Case) -> bool:
        """Whether nothing that follows from what is chosen is negative."""
        return all(value >= 0 or name in self.free or name in self.given for name, value in case.values)

    def has_tiles(self, case: Case) -> bool:
        """Whether all that the grid divides is at least a tile."""
        values = dict(case.values)
        return all(values[name] >= tile for name, tile in self.tiles.items())

    def apart(self) -> Iterator[Values]:
        """One float at another value than usual, all else as it usually is."""
        twice = self._realistic((2,))
        for name in self.usual:
            yield from (twice | {name: value} for value in _FURTHER_FLOATS)

    def small(self) -> Sequence[int]:
        """Small values, and those about the block."""
        unit = self.unit or _LARGE
        near = {unit - 1, unit + 1, unit + 4, 2 * unit, 3 * unit}
        near |= {self._multiple(name, unit) for name in self.integers} - {unit}
        return sorted({*range(1, 10), 12, 15, 16, 17, 24, 31, 33, 48} | near)

    def scattered(self, count: int, pool: Sequence[int]) -> Iterator[Values]:
        """Values of a pool, in an order that is always the same."""
        state = 1
        for _ in range(count):
            choice: dict[Name, Number] = {}
            for name in self.integers:
                state = state * _FACTOR % _MODULUS
                choice[name] = self._multiple(name, self._few(name, max(pool[state % len(pool)], 1)))
            yield choice | self._floats()

    def _is_selecting(self, name: Name) -> bool:
        """Whether a parameter is no size: neither launch nor arrays are made of it, and no thread compares with it."""
        shapes = [each for each in self.kernel.parameters if isinstance(each, ArrayParameter)]
        extents = (extent for each in shapes for extent in each.extents or ())
        declared = (*self.kernel.sizes, *self.kernel.parameters)
        given = (e.value for e in declared if not isinstance(e, ArrayParameter) and e.value is not None)
        used = _names((*self.kernel.launch.grid, *self.kernel.launch.block, *extents, *given))
        singled = self.singled.get(name, Singled())
        return name not in used and name not in self.sizes and not singled.block and not singled.divides

    @property
    def unit(self) -> int:
        """The longest side of the block, 0 if it depends on what is free."""
        return max(self._shape(self.kernel.launch.block), default=0)

    @property
    def step(self) -> int:
        """What realistic sizes are multiples of: the block, unless it is tiny or not known."""
        return self.unit if self.unit >= _LEAST_REALISTIC else _LARGE // 2

    def possible(self, choice: Values) -> Case | None:
        """The launch of a choice, None if there is none or a requirement is false."""
        try:
            free = frozenset(self.integers)
            values = {**choice, **determined(self.kernel, {**self.given, **choice}, free)}
            case = launched(self.kernel, self.program, values)
            fits = 0 <= _elements(self.kernel, case) <= MOST_ELEMENTS and not wraps(self.kernel, dict(case.values))
            return case if fits and hold(self.kernel, dict(case.values), {}) else None
        except (NoValue, TooMany):
            return None

    def _shape(self, sizes: tuple[Expression, ...]) -> tuple[int, ...]:
        """A grid or block that does not depend on what is free, else nothing."""
        try:
            return triple(sizes, self.given)
        except NoValue:
            return ()

    def _all(self, value: int) -> dict[Name, Number]:
        return dict.fromkeys(self.integers, value) | self._floats()

    def _multiples(self, value: int) -> dict[Name, Number]:
        """All free names at a value, rounded up to what requirements divide them by."""
        return {name: self._multiple(name, value) for name in self.integers} | self._floats()

    def _floats(self, value: Number | None = None) -> dict[Name, Number]:
        """All free floats at a value, or each at its usual one."""
        return {name: usual if value is None else value for name, usual in self.usual.items()}

    def _interesting(self, name: Name) -> list[int]:
        """Values that the program singles out and their neighbours; a size or a divisor is at least 1."""
        singled = self.singled.get(name, Singled())
        marks = {int(value) for value in singled.numbers} | set(compared(self.kernel, name, self.given))
        near = {self._multiple(name, value + step) for value in marks for step in (-1, 0, 1)}
        least = 1 if name in self.sizes or singled.divides else None
        if name not in self.sizes:
            near |= {0, 1}
        unit = prod(self._shape(self.kernel.launch.block))
        if singled.block and unit:
            near |= {unit - 1, unit, unit + 1}
        fitting = (value for value in near if converted(value, self.free[name]) == value)
        return sorted(value for value in fitting if least is None or value >= least)

    def _multiple(self, name: Name, value: int) -> int:
        """The value rounded up to a multiple of what requirements divide the name by."""
        unit = lcm(1, *(each for each in divisors(self.kernel, name, self.given) if each <= _LARGEST_EXTRA))
        return -(-value // unit) * unit


def _names(wholes: Iterable[Expression]) -> set[Name]:
    return {part.name for whole in wholes for part in parts(whole) if isinstance(part, Variable)}


def _rungs(unit: int) -> list[int]:
    """Sizes relative to the longest side of a block, or absolute ones where it is not known."""
    if 1 <= unit <= MOST_THREADS:
        return sorted({_SMALLEST, _SMALL, unit, 2 * unit + 1})
    return [_SMALLEST, _SMALL, _LARGE // 2 + 1, _LARGE]
