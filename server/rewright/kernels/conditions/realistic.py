"""What people launch a kernel with: realistic sizes, and numbers in arrays that can be indices of what they index.

Must not know what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod

import numpy as np

from rewright.kernels.conditions.provenance import is_stated
from rewright.kernels.execution.numbers import DTYPES
from rewright.kernels.launches.case import Case
from rewright.kernels.launches.inputs import SEED, chosen_inputs, filled_arrays
from rewright.kernels.launches.requirements import Contents, TooMany, extents, hold
from rewright.kernels.launches.variables import Variables
from rewright.model.kernel import ArrayParameter, Kernel
from rewright.model.simt.constants import NoValue
from rewright.model.simt.violation import Setting


def settings(
    kernel: Kernel, variables: Variables, case: Case, zeros: frozenset[str] = frozenset()
) -> Iterator[Setting]:
    """The launch with realistic contents: indices in order, mixed, and in pairs. None where there are none.

    Floats are different, in the arrays of `zeros` then also all 0.
    """
    whole = variables.at_start(kernel)
    yield from _settings(
        whole, variables, case, lambda base: (*_indices(whole, case, base), *_zeros(whole, base, zeros))
    )


def wider_settings(kernel: Kernel, variables: Variables, case: Case) -> Iterator[Setting]:
    """The launch with indices in order up to the largest size: they differ, but may be outside of smaller arrays."""
    whole = variables.at_start(kernel)

    def made(base: Contents) -> Iterator[Contents]:
        below = max(_sizes(whole, case), default=1)
        yield {
            **base,
            **{a.name: (np.arange(len(base[a.name])) % below).astype(DTYPES[a.type]) for a in _silent(whole)},
        }

    yield from _settings(whole, variables, case, made) if _silent(whole) else ()


def counting_settings(
    kernel: Kernel, variables: Variables, case: Case, arrays: tuple[ArrayParameter, ArrayParameter]
) -> Iterator[Setting]:
    """The launch with the second array 0 or 1, the first one its running sum before each element, as scans leave it."""
    whole = variables.at_start(kernel)
    count, marked = arrays

    def made(base: Contents) -> Iterator[Contents]:
        marks = (np.arange(len(base[marked.name])) % 3 != 1).astype(np.int64)
        sums = np.resize(np.cumsum(marks) - marks, len(base[count.name]))
        for contents in _indices(whole, case, base):
            yield {
                **contents,
                marked.name: marks.astype(DTYPES[marked.type]),
                count.name: sums.astype(DTYPES[count.type]),
            }
            return

    yield from _settings(whole, variables, case, made)


def adverse_settings(kernel: Kernel, variables: Variables, case: Case) -> Iterator[Setting]:
    """The launch with contents of all kinds that the requirements admit, their ends among them."""
    whole, values = variables.at_start(kernel), dict(case.values)
    try:
        for contents in chosen_inputs(whole, values):
            cells = tuple((name, tuple(each.tolist())) for name, each in contents.items())
            yield Setting(case.grid, case.block, case.values, (*cells, *variables.held(values)))
    except (NoValue, TooMany):
        return


def _settings(
    kernel: Kernel, variables: Variables, case: Case, made: Callable[[Contents], Iterable[Contents]]
) -> Iterator[Setting]:
    """The launch with contents made of those that are chosen first."""
    values = dict(case.values)
    try:
        base = next(chosen_inputs(kernel, values), None)
        for contents in made(base) if base is not None else ():
            if hold(kernel, values, contents):
                cells = tuple((name, tuple(each.tolist())) for name, each in contents.items())
                yield Setting(case.grid, case.block, case.values, (*cells, *variables.held(values)))
    except (NoValue, TooMany):
        return


def _silent(kernel: Kernel) -> list[ArrayParameter]:
    """The arrays of integers that nothing is said of."""
    return [each for each in filled_arrays(kernel) if each.type.is_integer and not is_stated(kernel, each)]


def _indices(kernel: Kernel, case: Case, base: Contents) -> Iterator[Contents]:
    """The contents with numbers below the smallest size in each array of integers that nothing is said of."""
    arrays = _silent(kernel)
    below = max(1, min(_sizes(kernel, case), default=1))
    if not arrays:
        yield base
        return
    generator = np.random.default_rng(SEED)
    lengths = {each.name: len(base[each.name]) for each in arrays}
    for made in (
        # where those of one array are equal, those of the next one differ: equal writes are no errors
        lambda length, turn: (np.arange(length) + np.arange(length) // below * turn) % below,
        lambda length, _: generator.integers(0, below, length),
        lambda length, turn: (np.arange(length) + turn) // 2 % below,
    ):
        yield {
            **base,
            **{each.name: made(lengths[each.name], turn).astype(DTYPES[each.type]) for turn, each in enumerate(arrays)},
        }


def _zeros(kernel: Kernel, base: Contents, names: frozenset[str]) -> Iterator[Contents]:
    arrays = [each for each in filled_arrays(kernel) if each.type.is_float and str(each.name) in names]
    made = {each.name: np.zeros_like(base[each.name]) for each in arrays if not is_stated(kernel, each)}
    if made:
        yield {**base, **made}


def _sizes(kernel: Kernel, case: Case) -> Iterator[int]:
    """The sizes of the launch that are more than one: of names, and of arrays."""
    yield from (value for _, value in case.values if isinstance(value, int) and value > 1)
    for array in kernel.parameters:
        if isinstance(array, ArrayParameter) and array.extents is not None:
            size = prod(extents(array, dict(case.values)))
            if size > 1:
                yield size
