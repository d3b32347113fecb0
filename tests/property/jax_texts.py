"""What jaxlib's own parsers read of texts that JAX printed: operations with their operands, types and shardings.

Shares nothing with `frontends/`: MLIR is read by the bindings of jaxlib, HLO by XLA, whose parsed module is taken from
its wire form, since the bindings do not say shapes.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TypeOf = tuple[str, tuple[int, ...]]
"""An element type and a shape."""

Axes = tuple[tuple[str, ...], ...]
"""For each dimension the mesh axes that cut it."""


@dataclass(frozen=True)
class Parsed:
    """An operation: its name, where each operand is made (number of an operation, number of its result), its types."""

    name: str
    operands: tuple[tuple[int, int], ...]
    types: tuple[TypeOf, ...]


@dataclass(frozen=True)
class ParsedFunction:
    """A function: the types of its parameters, its operations in order, those in regions after the one that has them.

    An operand that no operation makes is numbered from -1 down: values that functions and regions are given.
    """

    parameters: tuple[TypeOf, ...]
    operations: tuple[Parsed, ...]


@dataclass(frozen=True)
class Sharded:
    """How a manual computation is given its operands, and what it gives; the types in it are those of one rank."""

    given: tuple[Axes, ...]
    results: tuple[Axes, ...]
    local: tuple[TypeOf, ...]


# ---------------------------------------------------------------------------------------------------------------- MLIR


def mlir_functions(text: str) -> tuple[Mapping[str, ParsedFunction], Sequence[Sharded]]:
    """The functions of a text of StableHLO, and its manual computations."""
    ir = importlib.import_module("jaxlib.mlir.ir")
    with importlib.import_module("jax._src.interpreters.mlir").make_ir_context():
        module = ir.Module.parse(text)
        functions = {}
        for each in module.body.operations:
            if each.operation.name == "func.func":
                functions[each.attributes["sym_name"].value] = _mlir_function(ir, each.operation)
        manual = [each for each in _walk(module.operation) if each.name == "sdy.manual_computation"]
        return functions, [_sharded(ir, each) for each in manual]


def _walk(operation: Any) -> Iterator[Any]:
    yield operation
    for region in operation.regions:
        for block in region.blocks:
            for each in block.operations:
                yield from _walk(each.operation)


def _mlir_function(ir: Any, function: Any) -> ParsedFunction:
    found: list[Parsed] = []
    made: dict[Any, tuple[int, int]] = {}
    given = 0
    for operation in _walk(function):
        if operation is not function and operation.name != "func.func":
            operands = tuple(made[each] for each in operation.operands)
            for number, each in enumerate(operation.results):
                made[each] = (len(found), number)
            found.append(Parsed(operation.name, operands, tuple(_type(ir, each.type) for each in operation.results)))
        for region in operation.regions:
            for argument in region.blocks[0].arguments if len(region.blocks) else ():
                given -= 1
                made[argument] = (given, 0)
    parameters = tuple(_type(ir, each.type) for each in function.regions[0].blocks[0].arguments)
    return ParsedFunction(parameters, tuple(found))


def _type(ir: Any, type_: Any) -> TypeOf:
    ranked = ir.RankedTensorType(type_)
    return str(ranked.element_type), tuple(ranked.shape)


def _sharded(ir: Any, operation: Any) -> Sharded:
    sdy = importlib.import_module("jaxlib.mlir.dialects.sdy")

    def axes(key: str) -> tuple[Axes, ...]:
        shardings = sdy.TensorShardingPerValueAttr(operation.attributes[key]).shardings
        return tuple(
            tuple(
                tuple(sdy.AxisRefAttr(axis).name for axis in sdy.DimensionShardingAttr(dimension).axes)
                for dimension in sdy.TensorShardingAttr(each).dimension_shardings
            )
            for each in shardings
        )

    local = tuple(_type(ir, each.type) for each in operation.regions[0].blocks[0].arguments)
    return Sharded(axes("in_shardings"), axes("out_shardings"), local)


# ----------------------------------------------------------------------------------------------------------------- HLO


@dataclass(frozen=True)
class Instruction:
    """An instruction of HLO: opcode, operands by name, the types that it gives, into how many parts each dimension of
    it is cut (none if that is not said), what a front end says of it. `number` is that of a parameter."""

    opcode: str
    number: int
    operands: tuple[str, ...]
    types: tuple[TypeOf, ...]
    tiles: tuple[int, ...]
    front_end: Mapping[str, str]


ELEMENTS = {1: "pred", 4: "s32", 5: "s64", 6: "u8", 8: "u32", 9: "u64", 10: "f16", 11: "f32", 12: "f64", 16: "bf16"}
"""XLA's numbers of element types."""

TUPLE, TOKEN = 13, 17


def hlo_computations(text: str) -> Mapping[str, Mapping[str, Instruction]]:
    """The computations of a text of HLO by name, and the instructions of each, in order."""
    module = importlib.import_module("jaxlib._hlo").hlo_module_from_text(text)
    found = {}
    for computation in _all(_fields(module.as_serialized_hlo_module_proto()), 3):
        fields = _fields(computation)
        listed = [_fields(each) for each in _all(fields, 2)]
        names = {_number(each, 35): _text(each, 1) for each in listed}
        found[_text(fields, 1)] = {_text(each, 1): _instruction(each, names) for each in listed}
    return found


def _instruction(fields: Sequence[tuple[int, Any]], names: Mapping[int, str]) -> Instruction:
    (shape,) = _all(fields, 3)
    tiles = [number for each in _all(fields, 40) for number in _numbers(_fields(each), 3)]
    front_end = {
        _text(_fields(entry), 1): _text(_fields(entry), 2)
        for each in _all(fields, 68)
        for entry in _all(_fields(each), 1)
    }
    operands = tuple(names[each] for each in _numbers(fields, 36))
    return Instruction(
        _text(fields, 2), _number(fields, 9), operands, tuple(_types(_fields(shape))), tuple(tiles), front_end
    )


def _types(shape: Sequence[tuple[int, Any]]) -> Iterator[TypeOf]:
    element = _number(shape, 2)
    if element == TUPLE:
        for each in _all(shape, 4):
            yield from _types(_fields(each))
    elif element != TOKEN:
        yield ELEMENTS[element], tuple(_numbers(shape, 3))


def _fields(data: bytes) -> list[tuple[int, Any]]:
    """The fields of a message by number: whole numbers, and bytes; a message in it is bytes."""
    found: list[tuple[int, Any]] = []
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        match key & 7:
            case 0:
                value, at = _varint(data, at)
                found.append((key >> 3, value))
            case 2:
                size, at = _varint(data, at)
                found.append((key >> 3, data[at : at + size]))
                at += size
            case 1:
                at += 8
            case 5:
                at += 4
            case other:
                raise AssertionError(f"no field of kind {other}")
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value, shift = 0, 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def _all(fields: Sequence[tuple[int, Any]], number: int) -> list[Any]:
    return [value for own, value in fields if own == number]


def _numbers(fields: Sequence[tuple[int, Any]], number: int) -> list[int]:
    """Repeated whole numbers, one by one or packed."""
    found: list[int] = []
    for value in _all(fields, number):
        if isinstance(value, int):
            found.append(value)
            continue
        at = 0
        while at < len(value):
            each, at = _varint(value, at)
            found.append(each)
    return found


def _number(fields: Sequence[tuple[int, Any]], number: int) -> int:
    return next((value for own, value in fields if own == number), 0)


def _text(fields: Sequence[tuple[int, Any]], number: int) -> str:
    return str(next((value for own, value in fields if own == number), b"").decode())
