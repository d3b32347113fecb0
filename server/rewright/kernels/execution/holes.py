"""Computing with variables that nothing set: what is made of them has no value either, lane by lane.

That is no finding by itself; it becomes one where control, an address or memory that is read depends on it, and is then
told where the variable was first read. Must not know control.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from rewright.kernels.execution import memory, numbers
from rewright.kernels.execution.accesses import store_request
from rewright.kernels.execution.flow import operands
from rewright.kernels.execution.groups import LaneGroup
from rewright.kernels.execution.regions import Array, Claim, LocalRows
from rewright.kernels.execution.registers import Cell
from rewright.kernels.execution.requests import AccessRequest
from rewright.kernels.execution.sources import RegisterSources, Source
from rewright.kernels.execution.taint import union
from rewright.model.simt.instructions import (
    Atomic,
    Binary,
    Choose,
    Forget,
    Instruction,
    Load,
    Operand,
    Store,
    results,
)
from rewright.model.simt.types import BinaryOperator, Scalar

Step = Callable[[LaneGroup], None]


def forgetting(instruction: Forget, sources: RegisterSources) -> Step:
    """What runs a declaration without a value."""
    cells, block = [sources.cell(register) for register in instruction.registers], sources.block

    def step(group: LaneGroup) -> None:
        for cell in cells:
            cell.forget(group)
        for number in instruction.objects:
            region = block.regions[number]
            assert isinstance(region, LocalRows)
            region.forget(group)

    return step


def passing_on(instruction: Instruction, plain: Step, sources: RegisterSources) -> Step:
    """What runs an instruction that only computes, for the lanes in which there is a value to compute.

    Where an operand that matters has no value the result has none; in `a && b` a side that decides is all that matters,
    in `c ? a : b` the side that is chosen.
    """
    read = [source for operand in operands(instruction) if isinstance(source := sources.of(operand), Cell)]
    result, place, block = sources.cell(results(instruction)[0]), instruction.place, sources.block

    def step(group: LaneGroup) -> None:
        missing = _missing(instruction, group, sources)
        if missing is None:
            plain(group)
            return
        lanes, interval = group.lanes[missing], block.log.interval
        found = {lane: _first(read, lane).origin(lane, place, interval) for lane in lanes.tolist()}
        if not missing.all():
            plain(block.groups.of(group.lanes[~missing]))
        result.leave(block.groups.of(lanes), found)

    return step


def accessing(access: Load | Store | Atomic, plain: Step, sources: RegisterSources) -> Step:
    """What runs an access for the lanes whose address has a value; the others do nothing, which is told.

    What they would have written may be anywhere, and what they would have read has no value.
    """
    located = (access.address, *(part for each in access.subscripts for part in (each.index, each.extent)))
    cells = [source for operand in located if isinstance(source := sources.of(operand), Cell)]
    written, block, report = results(access), sources.block, sources.report(access.place)

    def step(group: LaneGroup) -> None:
        found = [(cell, missing) for cell in cells if (missing := cell.holes(group)) is not None]
        lost = np.logical_or.reduce([missing for _, missing in found]) if found else None
        if lost is None or lost.all():
            plain(group)
            return
        without = block.groups.of(group.lanes[lost])
        place, interval = access.place, block.log.interval
        origins = {lane: _first(cells, lane).origin(lane, place, interval) for lane in without.lanes.tolist()}
        for cell, missing in found:
            report(cell, group.lanes[missing])
        plain(block.groups.of(group.lanes[~lost]))
        for register in written:
            sources.cell(register).leave(without, origins)
        if not isinstance(access, Load):
            block.spoiled.update(region.number for region in block.regions)

    return step


def storing(store: Store, plain: Step, sources: RegisterSources) -> Step:
    """What runs a store where a lane may have no value to write.

    Memory of the block has no value there then, which is told once it is read; for other memory it is told at once.
    """
    values, block, request = [sources.of(value) for value in store.values], sources.block, store_request(store, sources)
    address, encode = sources.of(store.address), numbers.stored(store.values[0].type)

    def step(group: LaneGroup) -> None:
        found = [cell.holes(group) for cell in values]
        marked = [missing for missing in found if missing is not None]
        attempt = AccessRequest(block, request, group, address.seen(group), address.taint) if marked else None
        if attempt is None or block.muted or not memory.is_of_block(attempt):
            plain(group)
            return
        lost = np.logical_or.reduce(marked)
        if not lost.all():
            plain(block.groups.of(group.lanes[~lost]))
        without = block.groups.of(group.lanes[lost])
        written, taint, holes = [], address.taint, []
        for cell in values:
            value, missing = cell.offered(without)
            written.append(value if encode is None else encode(value))
            taint = union(taint, cell.taint)
            holes.append({} if missing is None else claims(cell, without.lanes[missing]))
        addresses = memory.piece(attempt.addresses, np.flatnonzero(lost), without)
        memory.leave(attempt._replace(group=without, addresses=addresses), memory.Elements(written, taint), holes)

    def claims(cell: Source, lanes: Array) -> dict[int, Claim]:
        assert isinstance(cell, Cell)
        interval = block.log.interval
        return {lane: partial(sources.claim, cell.origin(lane, store.place, interval)) for lane in lanes.tolist()}

    return step


def _first(read: list[Cell], lane: int) -> Cell:
    """The first register that has no value in a lane."""
    return next(cell for cell in read if cell.lacks(lane))


def _missing(instruction: Instruction, group: LaneGroup, sources: RegisterSources) -> Array | None:
    """The lanes of a group in which the result has no value (None: it has one in all)."""
    match instruction:
        case Choose(condition=condition, on_true=on_true, on_false=on_false):
            decided = _holes(condition, group, sources)
            sides = _holes(on_true, group, sources), _holes(on_false, group, sources)
            if decided is None and sides == (None, None):
                return None
            return _marked(_unchosen(sources.of(condition), group, decided, sides))
        case Binary(operator=BinaryOperator.AND | BinaryOperator.OR) if instruction.left.type is Scalar.PRED:
            return _marked(_undecided(instruction, group, sources))
        case _:
            found = [_holes(operand, group, sources) for operand in operands(instruction)]
            marked = [each for each in found if each is not None]
            return np.logical_or.reduce(marked) if marked else None


def _unchosen(
    condition: Source, group: LaneGroup, decided: Array | None, sides: tuple[Array | None, Array | None]
) -> Array:
    """The lanes whose condition, or whose side that the condition chooses, has no value."""
    missing = np.zeros(group.count, np.bool_) if decided is None else decided.copy()
    truth = _known(condition, group, ~missing)
    for side, chosen in zip(sides, (truth, ~truth), strict=True):
        if side is not None:
            missing |= side & chosen
    return missing


def _undecided(instruction: Binary, group: LaneGroup, sources: RegisterSources) -> Array:
    """The lanes in which a side of `&&` or `||` has no value and the other one does not decide."""
    decides = instruction.operator is BinaryOperator.OR
    missing = np.zeros(group.count, np.bool_)
    for lacking, other in ((instruction.left, instruction.right), (instruction.right, instruction.left)):
        holes, others = _holes(lacking, group, sources), _holes(other, group, sources)
        if holes is not None:
            known = np.ones(group.count, np.bool_) if others is None else ~others
            missing |= holes & ~(known & (_known(sources.of(other), group, known) == decides))
    return missing


def _known(source: Source, group: LaneGroup, known: Array) -> Array:
    """The truths of a group; false in lanes that have none."""
    truth = np.zeros(group.count, np.bool_)
    if known.any():
        if isinstance(source, Cell):
            truth[known] = source.peek(group.lanes[known])
        else:
            truth[known] = bool(source.value)
    return truth


def _holes(operand: Operand, group: LaneGroup, sources: RegisterSources) -> Array | None:
    return sources.of(operand).holes(group)


def _marked(missing: Array) -> Array | None:
    return missing if missing.any() else None
