"""Which errors of a kernel refute it, and under which conditions it is right where they rest on what was chosen.

An error refutes if it shows in a run that rests on nothing chosen, or in every realistic one. Else conditions are
looked for under which nothing goes wrong. A launch with sizes of host code that nobody declared is refuted by what
rests on nothing chosen only: which sizes are realistic there is not known. The search is a function of the kernel and
the steps. Must not know how errors are shown.
"""

from __future__ import annotations

import math
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from rewright.kernels.conditions.candidate import with_values
from rewright.kernels.conditions.inferring import ConditionSearch, Provided
from rewright.kernels.conditions.provenance import chosen
from rewright.kernels.conditions.support import inside
from rewright.kernels.conditions.trials import SHARE_OF_REALISTIC, Trials
from rewright.kernels.launches.cases import free_names
from rewright.kernels.launches.required import equated
from rewright.kernels.launches.results import SearchResult, Tried, key
from rewright.kernels.launches.several import ProgramLaunch
from rewright.model.body import Variable, parts
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Fact, Kernel
from rewright.model.simt.constants import Number


class Certain(Struct, frozen=True):
    """These errors, by their keys, refute the kernel: they rest on nothing chosen, or show wherever it is realistic."""

    keys: frozenset[object]


class Unexplained(Struct, frozen=True):
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
    fixed, spent = _for_what_is_quantified(launch, searched, steps // SHARE_OF_REALISTIC, until)
    certain |= frozenset().union(*(each.keys for each in fixed if isinstance(each, Certain)))
    trials = Trials(kernel, program, searched, resting, steps - spent, until, list(searched.tried))
    trials.run_realistic()
    # what host code computes in ways that are not known may exclude every launch that was tried
    free = frozenset(size.name for size in kernel.sizes if size.of_host and size.value is None)
    is_declared = free <= equated(kernel, free)
    everywhere = errors & trials.everywhere() if is_declared else frozenset[object]()
    if not is_declared and free - equated(kernel, free) <= _just_counted(kernel):
        everywhere = errors & trials.everywhere() & _always(searched.tried)
    suggested = [each.candidates for each in fixed if isinstance(each, Provided)]
    provided = None if certain or everywhere else ConditionSearch(trials).provided(suggested)
    if provided is not None:
        return provided, steps - trials.steps
    found = certain | everywhere | (errors & trials.at_each_size() if is_declared else everywhere)
    return Certain(found) if found else Unexplained(), steps - trials.steps


def _just_counted(kernel: Kernel) -> frozenset[Name]:
    """The sizes that are a number of blocks and nothing else: whatever it is, there is a first block."""
    declared = (*kernel.sizes, *kernel.parameters)
    said = [each.value for each in declared if not isinstance(each, ArrayParameter) and each.value is not None]
    said += [size for each in kernel.parameters if isinstance(each, ArrayParameter) for size in each.extents or ()]
    said += [*kernel.launch.block, *([] if kernel.launch.shared is None else [kernel.launch.shared])]
    said += [each.condition for each in kernel.requires if isinstance(each, Fact)]
    counts = [inside(side) for side in kernel.launch.grid]
    names = {side.name for side in counts if isinstance(side, Variable)}
    said += [side for side in counts if not isinstance(side, Variable)]
    return frozenset(names - {part.name for each in said for part in parts(each) if isinstance(part, Variable)})


def _always(tried: tuple[Tried, ...]) -> frozenset[object]:
    """The errors that each run shows, if one is of a single block, as if nobody had chosen how many there are."""
    if all(prod(each.setting.grid) > 1 for each in tried):
        return frozenset()
    return frozenset.intersection(*(each.shows for each in tried))


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
