"""Launches just within conditions on sizes: those that fail, with what the conditions speak of as small as they allow.

What fails there shows that a condition excludes failing runs by chance. Must not know how conditions are found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from math import prod

from rewright.kernels.launches.case import Case, launched
from rewright.kernels.launches.cases import free_names
from rewright.kernels.launches.given import wraps
from rewright.kernels.launches.requirements import TooMany, hold
from rewright.model.body import Variable, parts
from rewright.model.kernel import Fact, Kernel, Requirement
from rewright.model.scalars import Values
from rewright.model.simt.constants import NoValue
from rewright.model.simt.program import Program

MOST_FAILING, MOST_OF_EACH = 6, 3
"""Launches that fail which are looked at, the small ones, and launches that are made of each: all of them are run."""

_MOST_NAMES = 4
"""Names that are varied: with more, most launches are looked through in vain."""

_SMALL = (1, 2, 3, 4, 8, 16, 32)
_MOST_OF_SEVERAL = 5
"""So many of these where more than three names are varied."""


def just_within(
    kernel: Kernel, program: Program, failing: Iterable[Values], required: Iterable[Requirement]
) -> Iterator[Case]:
    """Launches of a kernel that requires these facts: the sizes in them small, the others as in a run that fails."""
    free = free_names(kernel)
    facts = [each for each in required if isinstance(each, Fact)]
    spoken = {part.name for each in facts for part in parts(each.condition) if isinstance(part, Variable)}
    names = [name for name, scalar in free.items() if name in spoken and scalar.is_integer]
    if not 1 <= len(names) <= _MOST_NAMES:
        return
    values_of_each = _SMALL if len(names) < _MOST_NAMES else _SMALL[:_MOST_OF_SEVERAL]
    small = sorted(product(values_of_each, repeat=len(names)), key=lambda each: (sum(each), each))
    by_size = sorted(failing, key=_volume)
    for values in by_size[:MOST_FAILING]:
        chosen = {name: values[name] for name in free if name in values}
        made = (_possible(kernel, program, {**chosen, **dict(zip(names, each, strict=True))}) for each in small)
        yield from islice(filter(None, made), MOST_OF_EACH)


def _possible(kernel: Kernel, program: Program, chosen: Values) -> Case | None:
    """The launch at these values, None if there is none or a requirement is false."""
    try:
        case = launched(kernel, program, chosen)
        values = dict(case.values)
        return case if hold(kernel, values, {}) and not wraps(kernel, values) else None
    except (NoValue, TooMany):
        return None


def _volume(values: Values) -> int:
    return prod(max(abs(int(each)), 1) for each in values.values())
