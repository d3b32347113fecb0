"""A block before its first instruction: sizes and parameters set, objects made, inputs filled in.

Must not know how instructions run.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from msgspec import Struct, field

from rewright.kernels.execution import numbers
from rewright.kernels.execution.arrays import MemoryElements
from rewright.kernels.execution.block import Positions, RunningBlock, UndecidedRun
from rewright.kernels.execution.bounds import MOST_BYTES
from rewright.kernels.execution.groups import Groups
from rewright.kernels.execution.log import ObjectLayout, Scene
from rewright.kernels.execution.regions import Flat, LocalRows, Region
from rewright.kernels.execution.taint import NOTHING
from rewright.kernels.reasons import Cause
from rewright.model.index import Name
from rewright.model.scalars import integer
from rewright.model.simt.constants import NoValue
from rewright.model.simt.program import Object, Program
from rewright.model.simt.types import Coordinate, Scalar, Space
from rewright.model.simt.violation import Setting, Triple

MOST_THREADS = 1024
"""Threads of a block that hardware allows."""


class InitialMemory(Struct):
    """What is known of a program's memory before a run: which objects are written, contents seen before as arrays."""

    written: frozenset[int]
    known: dict[Name, tuple[tuple[int | float, ...], MemoryElements]] = field(default_factory=dict)

    def contents(self, name: Name, scalar: Scalar, given: tuple[int | float, ...]) -> MemoryElements:
        """Elements as they are in memory."""
        found = self.known.get(name)
        if found is None or found[0] is not given:
            found = self.known[name] = (given, _elements(scalar, given))
        return found[1]


def prepare(block: RunningBlock, program: Program, inputs: InitialMemory, what: tuple[Setting, Triple]) -> None:
    """Makes a block of a setting ready to run. Raises `UndecidedRun` for one that cannot run."""
    setting, index = what
    lanes = prod(setting.block)
    if not 1 <= lanes <= MOST_THREADS:
        raise UndecidedRun(f"a block has 1 to {MOST_THREADS} threads, this launch has {lanes}", None)
    if not all(0 <= at < size for at, size in zip(index, setting.grid, strict=True)):
        raise UndecidedRun(f"the grid {list(setting.grid)} has no block {list(index)}", None)
    layouts = tuple(_layout(made, setting) for made in program.objects)
    scene = Scene(setting, index, layouts)
    block.start(scene, Groups(lanes), _positions(setting, index))
    block.regions = _regions(block, program, inputs)
    _set_uniforms(block, program)


def _set_uniforms(block: RunningBlock, program: Program) -> None:
    """Gives sizes and scalar parameters their values; those of floats count as inputs."""
    values = dict(block.scene.setting.values)
    for uniform in program.uniforms:
        if uniform.name not in values:
            raise UndecidedRun(f"`{uniform.name}` has no value", None)
        scalar = uniform.register.type
        taint = frozenset({str(uniform.name)}) if scalar.is_float else NOTHING
        value = numbers.constant(values[uniform.name], scalar)
        block.cells[uniform.register.number].write(block.groups.whole, value, taint)


def _layout(made: Object, setting: Setting) -> ObjectLayout:
    extents = None
    if made.extents is not None:
        try:
            extents = tuple(integer(extent, dict(setting.values)) for extent in made.extents)
        except NoValue as unknown:
            raise UndecidedRun(f"the size of `{made.name}` is not known: {unknown}", made.place) from None
        if min(extents, default=1) < 0:
            raise UndecidedRun(f"`{made.name}` has the negative size {list(extents)}", made.place)
    return ObjectLayout(made.name, numbers.width(made.type), extents, made.space is Space.GLOBAL)


def _regions(block: RunningBlock, program: Program, inputs: InitialMemory) -> list[Region]:
    found: list[Region] = []
    contents = dict(block.scene.setting.contents)
    total = 0
    for number, made in enumerate(program.objects):
        layout = block.scene.objects[number]
        size = layout.bytes * prod(layout.extents or ())
        total += size * (block.groups.whole.count if made.space is Space.LOCAL else 1)
        if total > MOST_BYTES:
            raise UndecidedRun(f"the arrays together have more than {MOST_BYTES} bytes", made.place, Cause.SIZE)
        if made.space is Space.LOCAL:
            found.append(LocalRows(number, layout, size, block.groups.whole.count))
            continue
        region = Flat(number, layout, 0 if layout.extents is None else size)
        region.watched = number in inputs.written
        region.open = layout.extents is None
        region.read_only = made.variable is not None and made.variable.memory.is_read_only
        if made.is_input and made.space is Space.GLOBAL:
            if made.fields:
                _fill(region, _interleaved(made, inputs, contents))
            else:
                _fill(region, inputs.contents(made.name, made.type, contents.get(made.name, _first(made))))
            region.taint = NOTHING if _is_settled(made) else frozenset(str(name) for name, _ in made.inputs)
        found.append(region)
    return found


def _fill(region: Flat, elements: MemoryElements) -> None:
    if region.open and elements.nbytes > region.size:
        region.grow(elements.nbytes)
    region.fill(elements)


def _interleaved(made: Object, inputs: InitialMemory, contents: dict[Name, tuple[int | float, ...]]) -> MemoryElements:
    """The bytes of an array of structs, made of the contents of their fields; zeros between them."""
    size = made.fields[0].size
    columns = []
    for each in made.fields:
        elements = inputs.contents(each.name, each.type, contents.get(each.name, ()))
        width = each.count * numbers.width(each.type)
        column = np.frombuffer(elements.tobytes(), np.uint8)
        columns.append(column[: len(column) // width * width].reshape(-1, width))
    rows = np.zeros((max(map(len, columns)), size), np.uint8)
    for each, column in zip(made.fields, columns, strict=True):
        rows[: len(column), each.offset : each.offset + column.shape[1]] = column
    return rows.reshape(-1)


def _first(made: Object) -> tuple[int | float, ...]:
    """What an object holds of which the setting says nothing."""
    return () if made.variable is None or made.variable.initial is None else made.variable.initial


def _is_settled(made: Object) -> bool:
    """Whether every launch finds the same contents."""
    return made.variable is not None and made.variable.settled is not None


def _elements(scalar: Scalar, given: tuple[int | float, ...]) -> MemoryElements:
    """Numbers as they are in memory; integers that are out of range wrap."""
    if scalar is Scalar.PRED:
        return np.array([bool(number) for number in given], np.uint8)
    try:
        values: MemoryElements = np.array(given, numbers.DTYPES[scalar])
    except OverflowError:
        values = np.array([numbers.constant(number, scalar) for number in given], numbers.DTYPES[scalar])
    return numbers.to_bits(scalar)(numbers.rounded(values)) if scalar is Scalar.BF16 else values


def _positions(setting: Setting, index: Triple) -> Positions:
    x, y, z = setting.block
    lanes = np.arange(x * y * z)
    threads = (lanes % x, lanes // x % y, lanes // (x * y))
    found: dict[tuple[Coordinate, int], Any] = {}
    for axis, size in enumerate(setting.block):
        found[Coordinate.THREAD, axis] = threads[axis] if size > 1 else np.int64(0)
        found[Coordinate.BLOCK, axis] = np.int64(index[axis])
        found[Coordinate.BLOCK_DIM, axis] = np.int64(size)
        found[Coordinate.GRID_DIM, axis] = np.int64(setting.grid[axis])
    one = len(lanes) == 1
    found[Coordinate.LANE, 0] = np.int64(0) if one else lanes % setting.warp
    found[Coordinate.WARP, 0] = lanes // setting.warp if len(lanes) > setting.warp else np.int64(0)
    found[Coordinate.WARP_SIZE, 0] = np.int64(setting.warp)
    return found
