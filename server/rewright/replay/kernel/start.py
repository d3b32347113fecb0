"""A block before its first instruction: memory as the setting has it, and a row for each thread.

Must not know what is looked for.
"""

from __future__ import annotations

from collections.abc import Container

from rewright.model.simt.program import Object, Program
from rewright.model.simt.types import Space
from rewright.model.simt.violation import Setting
from rewright.replay.kernel.block import ReplayedBlock
from rewright.replay.kernel.code import code_of
from rewright.replay.kernel.conversions import typed
from rewright.replay.kernel.frame import Frame
from rewright.replay.kernel.local_code import BlockSurroundings, threads
from rewright.replay.kernel.memory import Cells, cells
from rewright.replay.kernel.order import ThreadClocks
from rewright.replay.kernel.sizes import NoSize, value


def start(program: Program, around: BlockSurroundings, watched: Container[int], steps: int) -> ReplayedBlock:
    """The block. Raises `NoSize`."""
    setting = around.setting
    frame = Frame(len(program.names))
    code = code_of(program, frame, around, watched)
    common = [_cells(made, setting) for made in program.objects]
    rows = [frame.row(number, _objects(program, setting, common)) for number in range(threads(setting))]
    values = dict(setting.values)
    for uniform in program.uniforms:
        if uniform.name not in values:
            raise NoSize(uniform.name)
        given = typed(values[uniform.name], uniform.register.type)
        for row in rows:
            row[frame.place(uniform.register)] = given
    return ReplayedBlock(code, rows, setting.warp, ThreadClocks(setting.warp), steps)


def _objects(program: Program, setting: Setting, common: list[Cells]) -> list[Cells | None]:
    """What a thread sees, by the upper bits of pointers: null is none, local objects are its own."""
    pairs = zip(program.objects, common, strict=True)
    return [None, *(_cells(made, setting) if made.space is Space.LOCAL else shared for made, shared in pairs)]


def _cells(made: Object, setting: Setting) -> Cells:
    return cells(made, extents(made, setting), dict(setting.contents))


def extents(made: Object, setting: Setting) -> tuple[int, ...] | None:
    """The extents of an object, None where they are not known. Raises `NoSize`."""
    values = dict(setting.values)
    return None if made.extents is None else tuple(max(int(value(each, values)), 0) for each in made.extents)
