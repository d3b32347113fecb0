"""Instructions that read what has no value: what they make of it has none either, lane by lane.

That is no finding by itself; it becomes one where control, an address, a divisor or global memory depends on it, and is
then reported where the variable or the memory was first read. A copy is without the bytes that its source is without;
what is computed is without all of them. Must not know control.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rewright.kernels.execution import memory, numbers
from rewright.kernels.execution.accesses import combining, locating, store_request
from rewright.kernels.execution.arrays import Whys
from rewright.kernels.execution.atomics import CombinedOperands
from rewright.kernels.execution.flow import only_computes, operands
from rewright.kernels.execution.groups import LaneGroup
from rewright.kernels.execution.regions import Array
from rewright.kernels.execution.registers import Cell
from rewright.kernels.execution.requests import AccessRequest
from rewright.kernels.execution.sources import RegisterSources, Source
from rewright.kernels.execution.taint import union
from rewright.kernels.execution.unset_reads import chosen, computed, first
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
            return _reporting(instruction, plain, sources)


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
        whys = _passed(instruction, group, sources)
        pretended = [cell for cell in read if cell.pretend(group)]
        for source in deciding:
            block.depends |= source.taint
        plain(group)
        for cell in pretended:
            cell.withdraw()
        if whys is not None:
            result.leave(group, whys)

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


def _passed(instruction: Instruction, group: LaneGroup, sources: RegisterSources) -> Whys | None:
    """Why the result has no value, by lane (None: it has one in all): a copy misses what its source misses."""
    whys = [sources.whys(sources.of(operand), group, instruction.place) for operand in operands(instruction)]
    match instruction:
        case Choose():
            return _chosen(sources.of(instruction.condition), group, whys)
        case Binary(operator=BinaryOperator.AND | BinaryOperator.OR) if instruction.left.type is Scalar.PRED:
            undecided = _undecided(instruction, group, sources)
            found = computed(whys)
            return None if found is None else np.where(undecided[:, None], found, 0)
        case Move() | Reinterpret():
            return whys[0]
        case Convert(result=result, operand=operand) if _same_bits(operand.type, result.type):
            return whys[0]
        case _:
            return computed(whys)


def _chosen(condition: Source, group: LaneGroup, whys: list[Whys | None]) -> Whys | None:
    """Why the side that a condition chooses, or the condition, has no value."""
    decided, on_true, on_false = whys
    if decided is None and on_true is None and on_false is None:
        return None
    unknown: Array = np.zeros(group.count, np.bool_) if decided is None else np.any(decided, axis=1)
    found = chosen(_known(condition, group, ~unknown), on_true, on_false)
    return found if decided is None else np.where(unknown[:, None], first(decided), found)


def _same_bits(source: Scalar, target: Scalar) -> bool:
    """Whether a conversion keeps all bits."""
    return source.is_integer and target.is_integer and source.bits == target.bits


def _reporting(instruction: Instruction, plain: Step, sources: RegisterSources) -> Step:
    """What runs an instruction that reads its operands for their own sake; lanes without them do nothing."""
    cells = [source for operand in operands(instruction) if isinstance(source := sources.of(operand), Cell)]
    written, block = results(instruction), sources.block

    def step(group: LaneGroup) -> None:
        whys = _reported(instruction, group, cells, sources)
        lost = whys.any(axis=1)
        if not lost.all():
            plain(block.groups.of(group.lanes[~lost]))
        for register in written:
            sources.cell(register).leave(block.groups.of(group.lanes[lost]), whys[lost])

    return step


def _reported(instruction: Instruction, group: LaneGroup, cells: list[Cell], sources: RegisterSources) -> Whys:
    """Why some registers have no value, which is reported; (lanes, 1) int64."""
    found = [sources.whys(cell, group, instruction.place) for cell in cells]
    for each in found:
        if each is not None:
            sources.block.unset_reads.report(first(each))
    whys = computed(found)
    return np.zeros((group.count, 1), np.int64) if whys is None else whys


# --------------------------------------------------------------------------------------------------------- accessing


def _accessing(access: Load | Store | Atomic, within: Step, sources: RegisterSources) -> Step:
    """What runs an access for the lanes whose address has a value; the others do nothing, which is reported.

    What they would have written may be anywhere, and what they would have read has no value.
    """
    located = (access.address, *(part for each in access.subscripts for part in (each.index, each.extent)))
    cells = [source for operand in located if isinstance(source := sources.of(operand), Cell)]
    written, block = results(access), sources.block

    def step(group: LaneGroup) -> None:
        whys = _reported(access, group, cells, sources)
        lost = whys.any(axis=1)
        if not lost.any():
            within(group)
            return
        if not lost.all():
            within(block.groups.of(group.lanes[~lost]))
        for register in written:
            sources.cell(register).leave(block.groups.of(group.lanes[lost]), whys[lost])
        if not isinstance(access, Load):
            block.spoiled.update(region.number for region in block.regions)

    return step


def _storing(store: Store, plain: Step, sources: RegisterSources) -> Step:
    """What runs a store where a lane may have no value to write, or not all bytes of it."""
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
        written, from_inputs, whys = [], taint, []
        for source in values:
            whys.append(sources.whys(source, group, store.place))
            value, _ = source.offered(group)
            written.append(value if encode is None else encode(value))
            from_inputs = union(from_inputs, source.taint)
        attempt = AccessRequest(block, request, group, addresses, taint)
        memory.store(attempt, memory.Elements(written, from_inputs, whys))

    return step


def _combining(atomic: Atomic, sources: RegisterSources) -> Step:
    """What runs an atomic where a lane may have no value to combine."""
    operand = sources.of(atomic.operand)
    compare = operand if atomic.compare is None else sources.of(atomic.compare)
    cells = [source for source in dict.fromkeys((operand, compare)) if isinstance(source, Cell)]
    combine = combining(atomic, sources)

    def step(group: LaneGroup) -> None:
        whys = _reported(atomic, group, cells, sources)
        pretended = [cell for cell in cells if cell.pretend(group)]
        x, y, taint = operand.seen(group), compare.seen(group), union(operand.taint, compare.taint)
        for cell in pretended:
            cell.withdraw()
        combine(group, CombinedOperands(x, y, taint, whys))

    return step


# ----------------------------------------------------------------------------------------------- which lanes have none


def _undecided(instruction: Binary, group: LaneGroup, sources: RegisterSources) -> Array:
    """The lanes in which a side of `&&` or `||` has no value and the other one does not decide."""
    decides = instruction.operator is BinaryOperator.OR
    missing = np.zeros(group.count, np.bool_)
    for empty, other in ((instruction.left, instruction.right), (instruction.right, instruction.left)):
        holes, others = _holes(empty, group, sources), _holes(other, group, sources)
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
