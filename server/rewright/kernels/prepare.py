"""A block before its first statement: sizes and parameters set, arrays made.

Must not know how statements run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rewright.kernels import block as blocks
from rewright.kernels import lanes
from rewright.kernels.block import Block, Region, Undecided
from rewright.kernels.evaluate import evaluate
from rewright.model.body import Array, Body, Expression, If, Local, Statement, Store, While
from rewright.model.index import Name
from rewright.model.simt.types import Space
from rewright.model.violation import Setting


def prepare(program: Body, setting: Setting) -> Block:
    """The block of a launch that a setting names. Raises `Undecided` for one that cannot run."""
    block = blocks.start(setting)
    _set_uniforms(block, program.uniforms)
    block.regions = _regions(block, program, dict(setting.contents))
    if sum(region.size for region in block.regions.values()) > blocks.MOST_ELEMENTS:
        raise Undecided(f"the arrays have more than {blocks.MOST_ELEMENTS} elements together", None)
    return block


def _set_uniforms(block: Block, uniforms: tuple[Local, ...]) -> None:
    """Gives sizes and scalar parameters their values; those of floats are not known."""
    values = dict(block.setting.values)
    for uniform in uniforms:
        known = uniform.name in values and not uniform.type.is_float
        block.variables[uniform.name] = lanes.constant(values[uniform.name], uniform.type) if known else None


def integer(block: Block, expression: Expression) -> int | None:
    """The value of an expression that is the same in all lanes, None where it is not known."""
    value = evaluate(block, expression, None)
    return None if value is None or value.known is not None or value.data.ndim else int(value.data)


def _regions(block: Block, program: Body, contents: Mapping[Name, tuple[int, ...]]) -> dict[Name, Region]:
    written = set(_written(program.body))
    found: dict[Name, Region] = {}
    for array in program.arrays:
        initial = contents.get(array.name) if array.space is Space.GLOBAL and array.is_input else None
        made = blocks.region(array.name, array.type, _extents(block, array), initial)
        found[array.name] = replace(made, watched=array.name in written)
    return found


def _extents(block: Block, array: Array) -> tuple[int, ...]:
    extents = tuple(integer(block, extent) for extent in array.extents)
    if None in extents:
        raise Undecided(f"the size of `{array.name}` is not known", array.place)
    return tuple(extent for extent in extents if extent is not None)


def _written(body: tuple[Statement, ...]) -> Iterator[Name]:
    for statement in body:
        match statement:
            case Store():
                yield statement.array
            case If():
                yield from _written(statement.then + statement.otherwise)
            case While():
                yield from _written(statement.body)
            case _:
                pass
