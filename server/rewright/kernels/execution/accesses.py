"""Instructions that access memory, as closures over the registers.

Must not know how memory is laid out, or the scheduler.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from rewright.kernels.execution import memory, numbers
from rewright.kernels.execution.atomics import CombinedOperands, Operation, perform
from rewright.kernels.execution.groups import LaneGroup, Value
from rewright.kernels.execution.registers import Cell
from rewright.kernels.execution.requests import AccessRequest, Dimension, Request
from rewright.kernels.execution.sources import RegisterSources
from rewright.kernels.execution.taint import Taint, union
from rewright.model.simt.instructions import Atomic, AtomicScope, Constant, Load, Store
from rewright.model.simt.types import Scalar
from rewright.verdict import AccessKind

Step = Callable[[LaneGroup], None]


def load_step(instruction: Load, sources: RegisterSources) -> Step:
    """What runs a load."""
    block, results = sources.block, [sources.cell(result) for result in instruction.results]
    scalar = instruction.results[0].type
    request = _request(instruction, sources, (AccessKind.READ, scalar, len(results)))
    locate, decode = locating(instruction, request, sources), numbers.loaded(scalar)

    def step(group: LaneGroup) -> None:
        addresses, taint = locate(group)
        found = memory.load(AccessRequest(block, request, group, addresses, taint))
        for result, value in zip(results, found.values, strict=True):
            result.write(group, value if decode is None else decode(value), found.taint)
        for result, whys in zip(results, found.whys, strict=False):
            if whys is not None:
                result.leave(group, whys)

    return step


def store_request(instruction: Store, sources: RegisterSources) -> Request:
    """What a store asks of memory."""
    return _request(instruction, sources, (AccessKind.WRITE, instruction.values[0].type, len(instruction.values)))


def store_step(instruction: Store, sources: RegisterSources) -> Step:
    """What runs a store."""
    block, values = sources.block, [sources.of(value) for value in instruction.values]
    request = store_request(instruction, sources)
    report, encode = sources.reporting(instruction), numbers.stored(instruction.values[0].type)
    locate = locating(instruction, request, sources)

    def step(group: LaneGroup) -> None:
        addresses, taint = locate(group)
        written, sources_of_values = [], taint
        for each in values:
            value = each.value if each.group is group else each.fetch(group, report)
            written.append(value if encode is None else encode(value))
            sources_of_values = union(sources_of_values, each.taint)
        memory.store(
            AccessRequest(block, request, group, addresses, taint), memory.Elements(written, sources_of_values)
        )

    return step


def atomic_step(instruction: Atomic, sources: RegisterSources) -> Step:
    """What runs an atomic."""
    combine = combining(instruction, sources)
    operand = sources.of(instruction.operand)
    compare = operand if instruction.compare is None else sources.of(instruction.compare)
    report = sources.reporting(instruction)

    def step(group: LaneGroup) -> None:
        x = operand.value if operand.group is group else operand.fetch(group, report)
        y = compare.value if compare.group is group else compare.fetch(group, report)
        combine(group, CombinedOperands(x, y, union(operand.taint, compare.taint), None))

    return step


def combining(instruction: Atomic, sources: RegisterSources) -> Callable[[LaneGroup, CombinedOperands], None]:
    """What performs an atomic with operands that were read."""
    block, result, scalar = sources.block, sources.cell(instruction.result), instruction.result.type
    kind = AccessKind.BLOCK_ATOMIC if instruction.scope is AtomicScope.BLOCK else AccessKind.ATOMIC
    request = _request(instruction, sources, (kind, scalar, 1))
    locate = locating(instruction, request, sources)
    operation = Operation(instruction.operation, scalar, instruction.result.number not in sources.unread)

    def combine(group: LaneGroup, operands: CombinedOperands) -> None:
        addresses, taint = locate(group)
        found = perform(AccessRequest(block, request, group, addresses, taint), operation, operands)
        result.write(group, found.values[0], found.taint)
        for whys in found.whys:
            if whys is not None:
                result.leave(group, whys)

    return combine


def _request(
    instruction: Load | Store | Atomic, sources: RegisterSources, what: tuple[AccessKind, Scalar, int]
) -> Request:
    kind, scalar, count = what
    dimensions = tuple(Dimension(sources.of(each.index), sources.of(each.extent)) for each in instruction.subscripts)
    width = numbers.width(scalar) * count
    extents = [each.extent.value for each in instruction.subscripts if isinstance(each.extent, Constant)]
    elements = prod(map(int, extents)) if len(extents) == len(dimensions) else None
    return Request(kind, instruction.place, numbers.MEMORY[scalar], count, width, dimensions, elements)


_Locate = Callable[[LaneGroup], tuple[Value, Taint]]


def locating(instruction: Load | Store | Atomic, request: Request, sources: RegisterSources) -> _Locate:
    """What reads address and subscripts for a group, notes what they come from, and gives the addresses with that."""
    block, address, report = sources.block, sources.of(instruction.address), sources.reporting(instruction)
    cells = tuple(source for dimension in request.subscripts for source in dimension if isinstance(source, Cell))

    def locate(group: LaneGroup) -> tuple[Value, Taint]:
        addresses = address.value if address.group is group else address.fetch(group, report)
        taint = address.taint
        for cell in cells:
            if cell.group is not group:
                cell.fetch(group, report)
            if cell.taint:
                taint = union(taint, cell.taint)
        if taint:
            block.depends |= taint
        return addresses, taint

    return locate
