"""What CUDA C++ has built in: functions, methods of thread groups, and types, each lowered by a function of its own.

`FUNCTIONS` and `TYPES` are by name without namespaces, `METHODS` by the kind of the receiver's type and name. A new
built-in is one entry in the table of its module. Must not know statements.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.frontends.cuda.cxx.built_ins import BuiltInFunction, BuiltInType
from rewright.frontends.cuda.intrinsics import (
    atomics,
    bits,
    caches,
    groups,
    halves,
    matches,
    mathematics,
    numbers,
    warps,
    wmma,
)

FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **mathematics.FUNCTIONS,
    **numbers.FUNCTIONS,
    **halves.FUNCTIONS,
    **bits.FUNCTIONS,
    **caches.FUNCTIONS,
    **atomics.FUNCTIONS,
    **warps.FUNCTIONS,
    **matches.FUNCTIONS,
    **groups.FUNCTIONS,
    **wmma.FUNCTIONS,
}

METHODS: Mapping[tuple[str, str], BuiltInFunction] = groups.METHODS

TYPES: Mapping[str, BuiltInType] = {**groups.TYPES, **wmma.TYPES}
