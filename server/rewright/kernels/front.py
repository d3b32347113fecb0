"""From a checked kernel to the program that each thread runs, whatever language its body is in.

Never raises on bad text: what cannot be taken is said, at its place. Must not know files or how a program is run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from rewright.kernels.cuda.lower import lower_cuda
from rewright.kernels.cuda.lowering import Problem
from rewright.kernels.lowering.own import lower_own
from rewright.kernels.preset import NO_PRESET, Preset
from rewright.model.body import Body
from rewright.model.kernel import Foreign, Kernel
from rewright.model.simt.program import Program
from rewright.verdict import Site

__all__ = ["Lowered", "Problem", "lower"]


@dataclass(frozen=True, slots=True)
class Lowered:
    """The program of a kernel, or why there is none; `read` are the paths of sources looked for, there or not."""

    program: Program | None
    problems: tuple[Problem, ...]
    read: tuple[str, ...]


def lower(kernel: Kernel, sources: Mapping[str, str], preset: Preset = NO_PRESET) -> Lowered:
    """What a kernel comes to, given the texts of the sources that it may need, by path."""
    match kernel.body:
        case Body() as body:
            return Lowered(lower_own(body), (), ())
        case Foreign() as foreign:
            return _lower_foreign(kernel, foreign, sources, preset)
        case _:
            assert_never(kernel.body)


def _lower_foreign(kernel: Kernel, foreign: Foreign, sources: Mapping[str, str], preset: Preset) -> Lowered:
    site, read = Site(foreign.site), (foreign.path,)
    if foreign.path not in sources:
        return Lowered(None, (Problem(f"`{foreign.path}` cannot be read", site),), read)
    if not foreign.path.endswith((".cu", ".cuh")):
        reason = f"`{foreign.path}`: only CUDA C (`.cu`) is read in this version"
        return Lowered(None, (Problem(reason, site),), read)
    program, problems, looked_for = lower_cuda(kernel, foreign, sources, preset)
    return Lowered(program, problems, tuple(dict.fromkeys((*read, *looked_for))))
