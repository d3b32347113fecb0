"""Another order of a nest: asked in steps, allowed by the dependences, as loops.

Invariant: nothing here is a verdict. That an order keeps the dependences says only that it is worth printing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import islpy as isl
from msgspec import Struct
from msgspec.structs import replace

from rewright.loops.decision import LoopsUndecided
from rewright.loops.generation.best import best_order
from rewright.loops.generation.naming import named
from rewright.loops.generation.orders import Forbidding, NestSets, forbidding, is_permutable, sets_of, time_maps
from rewright.loops.generation.scanning import NotScanned, scanned
from rewright.loops.generation.steps import Best, ScheduleError, SkewToTile, Step, TileAll, Unroll
from rewright.loops.generation.timing import Bands, Timing, changed, require_perfect, skewed_level, tiled, timed
from rewright.loops.generation.unrolling import unrolled
from rewright.loops.generation.written import WrittenBody
from rewright.loops.reasons import reason_of
from rewright.model.index import Name
from rewright.model.nest import Nest

FACTORS = (0, 1, 2)
"""By how many times an outer loop an inner one is skewed to be tiled."""


class GeneratedLoops(Struct, frozen=True):
    """Ways to write the loops of an order, to be tried in turn: the plainest first."""

    ways: tuple[WrittenBody, ...]


class DoesNotFit(Struct, frozen=True):
    """The steps do not fit the nest, and why."""

    reason: str


Generated = GeneratedLoops | Forbidding | DoesNotFit | LoopsUndecided


def generated(nest: Nest, steps: Sequence[Step], operations: int) -> Generated:
    """The loops of a nest in another order, or the dependence that forbids it; in so many operations of isl."""
    context = isl.Context()
    context.set_max_operations(operations)
    try:
        return _generated(sets_of(nest, context), steps)
    except ScheduleError as error:
        return DoesNotFit(str(error))
    except NotScanned as error:
        return LoopsUndecided(f"the loops have {error}, which is not written")
    except isl.Error as error:
        return LoopsUndecided(reason_of(error, operations))


def _generated(sets: NestSets, steps: Sequence[Step]) -> Generated:
    if all(each.domain.is_empty() for each in sets.statements):
        return DoesNotFit("nothing is executed at any size")
    order: isl.UnionMap | isl.Schedule
    if isinstance(steps[0], Best):
        order = best_order(sets, steps[0].tile)
    else:
        timing = timed(sets.nest)
        for step in steps:
            timing = _after(sets, timing, step)
        forbidden = forbidding(sets, timing)
        if forbidden is not None:
            return forbidden
        order = time_maps(sets, timing)
    body = _named(sets, scanned(sets, order))
    last = [step for step in steps if isinstance(step, Unroll)]
    return GeneratedLoops(tuple(dict.fromkeys(_unrolled(body, last))))


def _named(sets: NestSets, body: WrittenBody) -> WrittenBody:
    taken = {*sets.nest.parameters, *(each.name for each in sets.nest.arrays)}
    taken |= {Name(each.statement.label) for each in sets.statements if each.statement.label}
    return named(body, tuple(each.iterators for each in sets.statements), taken)


def _unrolled(body: WrittenBody, steps: Sequence[Unroll]) -> Iterator[WrittenBody]:
    """A loop that runs at least no times at every size is shorter to write; whether it does, a proof will say."""
    for may_be_empty in (False, True):
        made = body
        for step in steps:
            made = unrolled(made, step, may_be_empty=may_be_empty)
        yield made


def _after(sets: NestSets, timing: Timing, step: Step) -> Timing:
    match step:
        case TileAll(size=size):
            bands = _largest_bands(sets, timing)
            if not bands:
                said = "no two loops that stand directly in one another can be tiled together"
                raise ScheduleError(f"{said}: `skew` may make them so")
            sizes = {loop: end - start for loop, (start, end) in bands.items()}
            for loop, count in sizes.items():
                timing = tiled(timing, {loop: bands[loop]}, (size,) * count)
            return timing
        case SkewToTile():
            return _skewed_to_tile(sets, timing)
        case Unroll() | Best():
            return timing
        case _:
            return changed(timing, step)


def _largest_bands(sets: NestSets, timing: Timing) -> Bands:
    """For each outermost loop the largest band of loops in it that can be tiled together, if any has two loops."""
    found: Bands = {}
    for each in timing:
        if any(level.loop in found for level in each.levels):
            continue
        for start, end in _bands(timing, each.levels):
            loop = each.levels[start].loop
            if is_permutable(sets, timing, start, end, loop):
                found[loop] = (start, end)
                break
    return found


def _bands(timing: Timing, levels: Sequence[object]) -> Iterator[tuple[int, int]]:
    """The loops of a statement that stand directly in one another, the longest rows first, the outermost of these."""
    statement = next(each for each in timing if each.levels is levels)
    count = len(levels)
    for length in range(count, 1, -1):
        for start in range(count - length + 1):
            try:
                require_perfect(timing, statement, start, start + length - 1)
            except ScheduleError:
                continue
            yield start, start + length


def _skewed_to_tile(sets: NestSets, timing: Timing) -> Timing:
    """Each inner loop skewed by the loops around it, as little as lets all be tiled. Raises `ScheduleError`."""
    found = False
    done: set[object] = set()
    for number, each in enumerate(timing):
        if not each.levels or each.levels[0].loop in done:
            continue
        outermost = each.levels[0].loop
        for start, end in _bands(timing, timing[number].levels):
            made = _skewed_band(sets, timing, (start, end), each.levels[start].loop)
            if made is not None:
                timing, found = made, True
                break
        done.add(outermost)
    if not found:
        raise ScheduleError("no skew was found with which loops can be tiled together")
    return timing


def _skewed_band(sets: NestSets, timing: Timing, band: tuple[int, int], loop: object) -> Timing | None:
    start, end = band
    for at in range(start + 1, end):
        for factors in sorted(product(FACTORS, repeat=at - start), key=lambda each: (sum(each), each)):
            tried = timing
            for outer, factor in enumerate(factors, start):
                if factor:
                    tried = _skewed(tried, (outer, at), loop, factor, start)
            if is_permutable(sets, tried, start, at + 1, loop):
                timing = tried
                break
        else:
            return None
    return timing


def _skewed(timing: Timing, levels: tuple[int, int], loop: object, factor: int, start: int) -> Timing:
    outer, at = levels
    made = []
    for each in timing:
        if len(each.levels) > at and each.levels[start].loop == loop:
            level = skewed_level(each.levels[at], each.levels[outer], factor)
            each = replace(each, levels=(*each.levels[:at], level, *each.levels[at + 1 :]))
        made.append(each)
    return tuple(made)
