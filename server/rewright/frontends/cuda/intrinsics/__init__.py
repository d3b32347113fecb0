"""What CUDA C++ has built in: functions, methods of thread groups, and types, each lowered by a function of its own.

A new built-in is one entry in the table of its module. Must not know statements.
"""

from __future__ import annotations

from collections.abc import Mapping

from rewright.frontends.cuda.cxx.lowering import BuiltInFunction, BuiltIns, BuiltInType
from rewright.frontends.cuda.intrinsics import (
    atomics,
    basic,
    bits,
    caches,
    groups,
    halves,
    libraries,
    matches,
    mathematics,
    numbers,
    random_numbers,
    textures,
    warps,
    wmma,
)

FUNCTIONS: Mapping[str, BuiltInFunction] = {
    **basic.FUNCTIONS,
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
    **random_numbers.FUNCTIONS,
    **textures.FUNCTIONS,
    **libraries.FUNCTIONS,
}

TYPES: Mapping[str, BuiltInType] = {
    **groups.TYPES,
    **wmma.TYPES,
    **random_numbers.TYPES,
    **textures.TYPES,
    **libraries.TYPES,
}

BUILT_INS = BuiltIns(FUNCTIONS, groups.METHODS, TYPES)
"""All of them, for those who lower a text."""
