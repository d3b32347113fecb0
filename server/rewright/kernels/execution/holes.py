"""Instructions that read what has no value: what they make of it has none either, lane by lane.

That is no finding by itself; it becomes one where control, an address, a divisor or global memory depends on it, and is
then told where the variable or the memory was first read. A copy lacks the bytes that its source lacks; what is
computed lacks all of them. Must not know control.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rewright.kernels.execution import memory, numbers
from rewright.kernels.execution.accesses import combining, leave, locating, store_request
from rewright.kernels.execution.atomics import CombinedOperands
from rewright.kernels.execution.flow import only_computes, operands
from rewright.kernels.execution.groups import LaneGroup
from rewright.kernels.execution.regions import Array
from rewright.kernels.execution.registers import Cell, Lack, reason
from rewright.kernels.execution.requests import AccessRequest
from rewright.kernels.execution.sources import RegisterSources, Source
from rewright.kernels.execution.taint import union
from rewright.model.simt.instructions import (
    Atomic,
    Binary,
    Choose,
    Convert,
    Instruction,
    Load,
    Move,
    Operand,
    Reinterpret,
    Store,
    results,
)
from rewright.model.simt.types import BinaryOperator, Scalar

Step = Callable[[LaneGroup], None]


def careful(instruction: Instruction, plain: Step, sources: RegisterSources) -> Step:
    """What runs an instruction of which some lanes read what has no value; `plain` runs it for lanes that do not."""
    match instruction:
        case Store():
            return _accessing(instruction, _storing(instruction, plain, sources), sources)
        case Atomic():
            return _accessing(instruction, _combining(instruction, sources), sources)
        case Load():
            return _accessing(instruction, plain, sources)
        case _ if only_computes(instruction):
            return _passing_on(instruction, plain, sources)
        case _:
            return _telling(instruction, plain, sources)


# -------------------------------------------------------------------------------------------------------- computing


def _passing_on(instruction: Instruction, plain: Step, sources: RegisterSources) -> Step:
    """What runs an instruction that only computes; the result has no value where an operand that matters has none.

    In `a && b` a side that decides is all that matters, in `c ? a : b` the side that is chosen. What decides then
    decides whether there is a value, too, as control does.
    """
    read = [source for operand in operands(instruction) if isinstance(source := sources.of(operand), Cell)]
    deciding = [sources.of(operand) for operand in _deciding(instruction)]
    result, block = sources.cell(results(instruction)[0]), sources.block

    def step(group: LaneGroup) -> None:
        missing = _missing(instruction, group, sources)
        lost = [] if missing is None else group.lanes[missing].tolist()
        lacks = {lane: _passed(instruction, lane, sources) for lane in lost}
        pretended = [cell for cell in read if cell.pretend(group)]
        for source in deciding:
            block.depends |= source.taint
        plain(group)
        for cell in pretended:
            cell.withdraw()
        leave(block, result, lacks)

    return step


def _deciding(instruction: Instruction) -> tuple[Operand, ...]:
    """The operands of which it may depend what else matters."""
    match instruction:
        case Choose():
            return (instruction.condition,)
        case Binary(operator=BinaryOperator.AND | BinaryOperator.OR) if instruction.left.type is Scalar.PRED:
            return instruction.left, instruction.right
        case _:
            return ()


def _passed(instruction: Instruction, lane: int, sources: RegisterSources) -> Lack:
    """Why the result has no value in a lane: a copy lacks what its source lacks."""
    match instruction:
        case Choose():
            condition = sources.of(instruction.condition)
            if not (isinstance(condition, Cell) and condition.is_without(lane)):
                truth = condition.peek(lane) if isinstance(condition, Cell) else condition.value
                return _lack(instruction, (instruction.on_true if truth else instruction.on_false,), lane, sources)
        case Move() | Reinterpret():
            return _lack(instruction, (instruction.operand,), lane, sources)
        case Convert(result=result, operand=operand) if _same_bits(operand.type, result.type):
            return _lack(instruction, (operand,), lane, sources)
        case _:
            pass
    return (reason(_lack(instruction, operands(instruction), lane, sources)),)


def _same_bits(source: Scalar, target: Scalar) -> bool:
    """Whether a conversion keeps all bits."""
    return source.is_integer and target.is_integer and source.bits == target.bits


def _lack(instruction: Instruction, read: tuple[Operand, ...], lane: int, sources: RegisterSources) -> Lack:
    """Why the first of some operands that has no value in a lane has none."""
    cells = (source for operand in read if isinstance(source := sources.of(operand), Cell))
    return sources.lack(next(cell for cell in cells if cell.is_without(lane)), lane, instruction.place)


def _telling(instruction: Instruction, plain: Step, sources: RegisterSources) -> Step:
    """What runs an instruction that reads its operands for their own sake; lanes without them do nothing."""
    cells = [source for operand in operands(instruction) if isinstance(source := sources.of(operand), Cell)]
    written, block, report = results(instruction), sources.block, sources.report(instruction.place)

    def step(group: LaneGroup) -> None:
        lost, lacks = _told(instruction, group, cells, sources, report)
        if not lost.all():
            plain(block.groups.of(group.lanes[~lost]))
        for register in written:
            leave(block, sources.cell(register), lacks)

    return step


def _told(
    instruction: Instruction,
    group: LaneGroup,
    cells: list[Cell],
    sources: RegisterSources,
    report: Callable[[Cell, Array], None],
) -> tuple[Array, dict[int, Lack]]:
    """The lanes in which some registers have no value, which is told, and why what they make has none."""
    lost, lacks = np.zeros(group.count, np.bool_), dict[int, Lack]()
    for cell in cells:
        missing = cell.holes(group)
        if missing is not None:
            for lane in group.lanes[missing & ~lost].tolist():
                lacks[lane] = (reason(sources.lack(cell, lane, instruction.place)),)
            lost |= missing
            report(cell, group.lanes[missing])
    return lost, lacks


# --------------------------------------------------------------------------------------------------------- accessing


def _accessing(access: Load | Store | Atomic, within: Step, sources: RegisterSources) -> Step:
    """What runs an access for the lanes whose address has a value; the others do nothing, which is told.

    What they would have written may be anywhere, and what they would have read has no value.
    """
    located = (access.address, *(part for each in access.subscripts for part in (each.index, each.extent)))
    cells = [source for operand in located if isinstance(source := sources.of(operand), Cell)]
    written, block, report = results(access), sources.block, sources.report(access.place)

    def step(group: LaneGroup) -> None:
        lost, lacks = _told(access, group, cells, sources, report)
        if not lacks:
            within(group)
            return
        if not lost.all():
            within(block.groups.of(group.lanes[~lost]))
        for register in written:
            leave(block, sources.cell(register), lacks)
        if not isinstance(access, Load):
            block.spoiled.update(region.number for region in block.regions)

    return step


def _storing(store: Store, plain: Step, sources: RegisterSources) -> Step:
    """What runs a store where a lane may have no value to write, or lack bytes of it."""
    values, block, request = [sources.of(value) for value in store.values], sources.block, store_request(store, sources)
    locate, encode = locating(store, request, sources), numbers.stored(store.values[0].type)

    def step(group: LaneGroup) -> None:
        marked = [missing for cell in values if (missing := cell.holes(group)) is not None]
        lost = np.logical_or.reduce(marked) if marked else np.zeros(group.count, np.bool_)
        if not lost.all():
            plain(block.groups.of(group.lanes[~lost]))
        if lost.any():
            write(block.groups.of(group.lanes[lost]))

    def write(group: LaneGroup) -> None:
        addresses, taint = locate(group)
        written, from_inputs, holes = [], taint, []
        for source in values:
            value, missing = source.offered(group)
            written.append(value if encode is None else encode(value))
            from_inputs = union(from_inputs, source.taint)
            lanes = [] if missing is None else group.lanes[missing].tolist()
            holes.append({lane: lack(source, lane) for lane in lanes})
        memory.store(
            AccessRequest(block, request, group, addresses, taint), memory.Elements(written, from_inputs, holes)
        )

    def lack(source: Source, lane: int) -> Lack:
        assert isinstance(source, Cell)
        return sources.lack(source, lane, store.place)

    return step


def _combining(atomic: Atomic, sources: RegisterSources) -> Step:
    """What runs an atomic where a lane may have no value to combine."""
    operand = sources.of(atomic.operand)
    compare = operand if atomic.compare is None else sources.of(atomic.compare)
    cells = [source for source in dict.fromkeys((operand, compare)) if isinstance(source, Cell)]
    combine, report = combining(atomic, sources), sources.report(atomic.place)

    def step(group: LaneGroup) -> None:
        _, lacks = _told(atomic, group, cells, sources, report)
        pretended = [cell for cell in cells if cell.pretend(group)]
        x, y, taint = operand.seen(group), compare.seen(group), union(operand.taint, compare.taint)
        for cell in pretended:
            cell.withdraw()
        combine(group, CombinedOperands(x, y, taint, lacks))

    return step


# ----------------------------------------------------------------------------------------------- which lanes have none


def _missing(instruction: Instruction, group: LaneGroup, sources: RegisterSources) -> Array | None:
    """The lanes of a group in which the result has no value (None: it has one in all)."""
    match instruction:
        case Choose(condition=condition, on_true=on_true, on_false=on_false):
            decided = _holes(condition, group, sources)
            sides = _holes(on_true, group, sources), _holes(on_false, group, sources)
            if decided is None and all(side is None for side in sides):
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
