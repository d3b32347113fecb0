"""Operations between whole tensors and what ranks hold of them, and functions that have such operations in them.

Owns the names of these operations, and how functions are put in the place of their calls. Must not know shardings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from rewright.frontends.tensor_programs.attributes import word
from rewright.frontends.tensor_programs.program import Function, TensorOperation, TensorProgram, TensorType

MANUAL = "sdy.manual_computation"
RETURNS = frozenset({"func.return", "stablehlo.return", "sdy.return"})

TO_LOCAL, TO_GLOBAL = "xla.sdy.GlobalToLocalShape", "xla.sdy.LocalToGlobalShape"
SHAPES = frozenset({"SPMDFullToShardShape", "SPMDShardToFullShape", TO_LOCAL, TO_GLOBAL})
"""Custom calls between the whole tensor and what a rank holds: GSPMD's, and Shardy's in HLO."""

ANNOTATIONS = frozenset({"Sharding", "annotate_device_placement", "xla.sdy.FuncResultSharding"})
"""Custom calls that give their operand."""

MOST_CALLS = 40
"""How deep functions may call each other."""


def target(operation: TensorOperation) -> str:
    """What a custom call calls, empty for any other operation."""
    return word(operation, "symbol") or word(operation, "call_target_name")


def known(type_: TensorType) -> tuple[int, ...] | None:
    """The sizes, None if one is only known when the program runs."""
    sizes = tuple(each for each in type_.shape if each is not None)
    return sizes if len(sizes) == len(type_.shape) else None


def callee(program: TensorProgram, operation: TensorOperation) -> Function | None:
    """The function that an operation calls, None if it calls none that is there."""
    if operation.name != "func.call":
        return None
    return program.functions.get(word(operation, "symbol") or word(operation, "callee"))


def with_called(
    program: TensorProgram, operations: Iterable[TensorOperation], depth: int = 0
) -> Iterator[TensorOperation]:
    """The operations, and those of the functions that they call."""
    for each in operations:
        yield each
        called = callee(program, each)
        if called is not None and depth < MOST_CALLS:
            yield from with_called(program, called.operations, depth + 1)


def inlined(program: TensorProgram, function: Function, depth: int = 0) -> Function:
    """The function with those functions in it that say how ranks hold their values."""
    operations: list[TensorOperation] = []
    renamed: dict[str, str] = {}
    for number, each in enumerate(function.operations):
        made = replace(each, operands=tuple(renamed.get(operand, operand) for operand in each.operands))
        called = callee(program, each)
        if called is None or depth >= MOST_CALLS or not _leads_to_ranks(program, called, 0):
            operations.append(made)
            continue
        inner = inlined(program, called, depth + 1)
        names = dict(zip((parameter.value for parameter in inner.parameters), made.operands, strict=False))
        for own in inner.operations:
            given = tuple(names.get(operand, f"{number}/{operand}") for operand in own.operands)
            if own.name in RETURNS:
                renamed |= dict(zip(each.results, given, strict=False))
                break
            operations.append(replace(own, operands=given, results=tuple(f"{number}/{name}" for name in own.results)))
    return replace(function, operations=tuple(operations))


def _leads_to_ranks(program: TensorProgram, function: Function, depth: int) -> bool:
    for each in function.operations:
        if each.name == MANUAL or target(each) in SHAPES:
            return True
        called = callee(program, each)
        if called is not None and depth < MOST_CALLS and _leads_to_ranks(program, called, depth + 1):
            return True
    return False
