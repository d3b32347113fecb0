"""Instructions as closures over the registers: each runs one instruction for a group of lanes.

Invariants: a step reads its operands before it writes its result; the result has the taint of all operands. Control,
barriers and operations of warps are not decoded here. Must not know the scheduler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, assert_never

import numpy as np

from rewright.kernels.execution import arithmetic, functions, numbers, warps
from rewright.kernels.execution.accesses import atomic_step, load_step, store_step
from rewright.kernels.execution.block import ExcludedRun
from rewright.kernels.execution.groups import LaneGroup
from rewright.kernels.execution.regions import LocalRows
from rewright.kernels.execution.sources import RegisterSources
from rewright.kernels.execution.taint import ACTIVE_LANES, FLOAT_FUNCTIONS, NOTHING, union
from rewright.kernels.execution.unset_reads import lost
from rewright.model.simt.addresses import pointer
from rewright.model.simt.instructions import (
    ActiveMask,
    AddressOf,
    Assert,
    Assume,
    Atomic,
    Barrier,
    Binary,
    Branch,
    Choose,
    Constant,
    Convert,
    Exit,
    Fence,
    Forget,
    Function,
    Instruction,
    Jump,
    Load,
    Move,
    Operand,
    Position,
    Reinterpret,
    Shuffle,
    Store,
    Unary,
    Vote,
    WarpBarrier,
)
from rewright.model.simt.types import BinaryOperator
from rewright.model.simt.violation import DivisionByZero, FailedAssertion, Violation

Step: TypeAlias = Callable[[LaneGroup], None]

_Computing = Move | Unary | Binary | Convert | Reinterpret
_DIVISIONS = (BinaryOperator.DIVIDE, BinaryOperator.REMAINDER)


def decoded(instruction: Instruction, sources: RegisterSources) -> Step | None:
    """What runs an instruction, None if it is one of control or of several threads."""
    match instruction:
        case Binary():
            return _binary(instruction, sources)
        case Move() | Unary() | Convert() | Reinterpret():
            return _one_operand(instruction, sources)
        case Forget():
            return _forget(instruction, sources)
        case Choose():
            return _choose(instruction, sources)
        case Function():
            return _function(instruction, sources)
        case Position():
            return _position(instruction, sources)
        case AddressOf():
            return _address(instruction, sources)
        case Load():
            return load_step(instruction, sources)
        case Store():
            return store_step(instruction, sources)
        case Atomic():
            return atomic_step(instruction, sources)
        case Assert():
            return _assert(instruction, sources)
        case Assume():
            return _assume(instruction, sources)
        case Fence():
            return _fence(sources)
        case ActiveMask():
            return _active_mask(instruction, sources)
        case Branch() | Jump() | Exit() | Barrier() | WarpBarrier() | Shuffle() | Vote():
            return None
        case _:
            assert_never(instruction)


# ------------------------------------------------------------------------------------------------------- arithmetic


def _one_operand(instruction: Move | Unary | Convert | Reinterpret, sources: RegisterSources) -> Step:
    return _applied(instruction, instruction.operand, sources, _unary_function(instruction))


def _applied(instruction: _Computing, read: Operand, sources: RegisterSources, apply: arithmetic.UnaryFunction) -> Step:
    """What sets the result of an instruction to a function of one operand."""
    result, operand, report = sources.cell(instruction.result), sources.of(read), sources.reporting(instruction)

    def step(group: LaneGroup) -> None:
        value = apply(operand.value if operand.group is group else operand.fetch(group, report))
        taint = operand.taint
        if result.group is not group:
            result.turn(group)
        result.value = value
        result.taint = taint
        result.dirty = True

    return step


def _unary_function(instruction: Move | Unary | Convert | Reinterpret) -> arithmetic.UnaryFunction:
    source, target = instruction.operand.type, instruction.result.type
    match instruction:
        case Move():
            return lambda value: value
        case Unary():
            return arithmetic.unary(instruction.operator, source)
        case Convert():
            return numbers.conversion(source, target)
        case Reinterpret():
            return numbers.reinterpretation(source, target)
        case _:
            assert_never(instruction)


def _binary(instruction: Binary, sources: RegisterSources) -> Step:
    if isinstance(instruction.right, Constant) and (instruction.right.value or not _may_fail(instruction)):
        return _binary_by_constant(instruction, sources)
    if _may_fail(instruction):
        return _division(instruction, sources)
    result, left, right = sources.cell(instruction.result), sources.of(instruction.left), sources.of(instruction.right)
    report = sources.reporting(instruction)
    apply = sources.watched(instruction, arithmetic.binary(instruction.operator, instruction.left.type))

    def step(group: LaneGroup) -> None:
        x = left.value if left.group is group else left.fetch(group, report)
        y = right.value if right.group is group else right.fetch(group, report)
        taint, other = left.taint, right.taint
        if result.group is not group:
            result.turn(group)
        result.value = apply(x, y)
        result.taint = taint if taint is other or not other else taint | other
        result.dirty = True

    return step


def _may_fail(instruction: Binary) -> bool:
    """Whether it divides integers."""
    return instruction.operator in _DIVISIONS and not instruction.left.type.is_float


def _binary_by_constant(instruction: Binary, sources: RegisterSources) -> Step:
    right = sources.of(instruction.right).value
    by_constant = arithmetic.by_constant(instruction.operator, instruction.left.type, right)
    if sources.overflowed is None:
        return _applied(instruction, instruction.left, sources, by_constant)
    apply = sources.watched(instruction, lambda left, _: by_constant(left))
    return _applied(instruction, instruction.left, sources, lambda left: apply(left, right))


def _division(instruction: Binary, sources: RegisterSources) -> Step:
    result, left, right = sources.cell(instruction.result), sources.of(instruction.left), sources.of(instruction.right)
    report, block, place = sources.reporting(instruction), sources.block, instruction.place
    apply = arithmetic.binary(instruction.operator, instruction.left.type)

    def step(group: LaneGroup) -> None:
        x = left.value if left.group is group else left.fetch(group, report)
        y = right.value if right.group is group else right.fetch(group, report)
        taint = union(left.taint, right.taint)
        block.depends |= right.taint
        if not np.all(y):

            def claim() -> Violation:
                lane = int(group.lanes[int(np.argmin(group.spread(y) != 0))])
                return DivisionByZero(block.log.interval, block.scene.thread(lane), place)

            block.claim((DivisionByZero, place), claim, right.taint)
            result.write(group, apply(x, y), taint)
            result.leave(group, lost(group.spread(y) == 0))
            block.is_hollow = True
            return
        result.write(group, apply(x, y), taint)

    return step


def _choose(instruction: Choose, sources: RegisterSources) -> Step:
    result, condition = sources.cell(instruction.result), sources.of(instruction.condition)
    yes, no = sources.of(instruction.on_true), sources.of(instruction.on_false)
    report = sources.reporting(instruction)

    def step(group: LaneGroup) -> None:
        truth = condition.value if condition.group is group else condition.fetch(group, report)
        x = yes.value if yes.group is group else yes.fetch(group, report)
        y = no.value if no.group is group else no.fetch(group, report)
        taint = union(condition.taint, union(yes.taint, no.taint))
        chosen = np.where(truth, x, y) if isinstance(truth, np.ndarray) else x if truth else y
        result.write(group, chosen, taint)

    return step


def _function(instruction: Function, sources: RegisterSources) -> Step:
    result = sources.cell(instruction.result)
    operands = [sources.of(operand) for operand in instruction.operands]
    report = sources.reporting(instruction)
    apply = functions.function(instruction.name, instruction.result.type)
    own = NOTHING if instruction.name in functions.EXACT else FLOAT_FUNCTIONS

    def step(group: LaneGroup) -> None:
        values = [each.value if each.group is group else each.fetch(group, report) for each in operands]
        taint = own
        for each in operands:
            taint = union(taint, each.taint)
        result.write(group, apply(*values), taint)

    return step


# -------------------------------------------------------------------------------------------------------- the thread


def _position(instruction: Position, sources: RegisterSources) -> Step:
    result, block = sources.cell(instruction.result), sources.block
    key, dtype = (instruction.of, instruction.axis), numbers.DTYPES[instruction.result.type]

    def step(group: LaneGroup) -> None:
        result.write(group, group.take(block.positions[key]).astype(dtype), NOTHING)

    return step


def _address(instruction: AddressOf, sources: RegisterSources) -> Step:
    result, value = sources.cell(instruction.result), np.uint64(pointer(instruction.object))

    def step(group: LaneGroup) -> None:
        result.write(group, value, NOTHING)

    return step


def _forget(instruction: Forget, sources: RegisterSources) -> Step:
    cells, block = [sources.cell(register) for register in instruction.registers], sources.block

    def step(group: LaneGroup) -> None:
        for cell in cells:
            cell.forget(group)
        for number in instruction.objects:
            region = block.regions[number]
            assert isinstance(region, LocalRows)
            region.forget(group)

    return step


def _active_mask(instruction: ActiveMask, sources: RegisterSources) -> Step:
    result, block = sources.cell(instruction.result), sources.block

    def step(group: LaneGroup) -> None:
        masks = warps.active(group.lanes, block.scene.setting.warp)
        result.write(group, masks[0] if group.single else masks, ACTIVE_LANES)

    return step


def _fence(sources: RegisterSources) -> Step:
    block = sources.block

    def step(group: LaneGroup) -> None:
        if block.fences is not None:
            block.fences[group.lanes] += 1

    return step


# ----------------------------------------------------------------------------------------------------------- claims


def _assert(instruction: Assert, sources: RegisterSources) -> Step:
    condition, block, place = sources.of(instruction.condition), sources.block, instruction.place
    report = sources.reporting(instruction)

    def step(group: LaneGroup) -> None:
        truth = condition.value if condition.group is group else condition.fetch(group, report)
        block.depends |= condition.taint
        if not np.all(truth):

            def claim() -> Violation:
                lane = int(group.lanes[int(np.argmin(group.spread(truth)))])
                return FailedAssertion(block.log.interval, block.scene.thread(lane), place)

            block.claim((FailedAssertion, place), claim, condition.taint)

    return step


def _assume(instruction: Assume, sources: RegisterSources) -> Step:
    condition, block = sources.of(instruction.condition), sources.block
    report = sources.reporting(instruction)

    def step(group: LaneGroup) -> None:
        truth = condition.value if condition.group is group else condition.fetch(group, report)
        block.depends |= condition.taint
        if not np.all(truth):
            raise ExcludedRun

    return step
