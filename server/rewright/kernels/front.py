"""From a checked kernel to the program that each thread runs, whatever language its body is in."""

from __future__ import annotations

from collections.abc import Mapping

from rewright.kernels.plain_cuda.function import lower_cuda
from rewright.kernels.plain_cuda.reader import Problem
from rewright.model.body import Body
from rewright.model.kernel import Foreign, Kernel
from rewright.verdict import Site

__all__ = ["Problem", "lower"]


def lower(kernel: Kernel, sources: Mapping[str, str]) -> tuple[Body | None, tuple[Problem, ...]]:
    """The program of a kernel, or why there is none; `sources` are the texts that the declaration names, by path."""
    match kernel.body:
        case Body() as program:
            return program, ()
        case Foreign() as foreign:
            return _lower_foreign(kernel, foreign, sources)


def _lower_foreign(
    kernel: Kernel, foreign: Foreign, sources: Mapping[str, str]
) -> tuple[Body | None, tuple[Problem, ...]]:
    site = Site(foreign.site)
    if foreign.path not in sources:
        return None, (Problem(f"`{foreign.path}` cannot be read", site),)
    if not foreign.path.endswith((".cu", ".cuh")):
        return None, (Problem(f"`{foreign.path}`: only CUDA C (`.cu`) is read in this version", site),)
    try:
        return lower_cuda(kernel, foreign, sources[foreign.path])
    except RecursionError:
        return None, (Problem(f"`{foreign.path}` is nested too deeply", site),)
