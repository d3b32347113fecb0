"""What the lowering of a kernel gives, as every front end gives it. Plain data. Must not know any language."""

from __future__ import annotations

from msgspec import Struct

from rewright.emit.problem import Problem
from rewright.model.simt.program import Program


class Lowered(Struct, frozen=True):
    """The program of a kernel, or why there is none; `read` are the paths of sources looked for, there or not."""

    program: Program | None
    problems: tuple[Problem, ...]
    read: tuple[str, ...]
