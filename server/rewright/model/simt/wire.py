"""A program on the wire: its code as text, short and read in milliseconds, everything else as plain data.

Registers and constants stand in tables, once each; an instruction is a list of its class's name and its fields, an
operand the number of its register, or that of its constant turned negative, a place its site number. Driven by the
annotations of the instructions. Invariant: places are numbered before, so equal code has equal text wherever it stands.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, field

from rewright.model.index import Name
from rewright.model.placeless import Numbering, placeless
from rewright.model.simt.instructions import Constant, Instruction, Operand, Register, Subscript
from rewright.model.simt.program import Loop, Object, Program, Uniform
from rewright.model.simt.types import Scalar
from rewright.verdict import InSource, Place, Site
from rewright.verdict.codec import CodecError

_CLASSES: dict[str, type] = {cls.__name__: cls for cls in get_args(Instruction)}


class WiredCode(Struct, frozen=True):
    """The instructions of a program, and its loops."""

    instructions: tuple[Instruction, ...]
    loops: tuple[Loop, ...]


class WiredProgram(Struct, frozen=True):
    """A program with its places numbered. `named` are the registers that the text names, of so many `registers`."""

    objects: tuple[Object, ...]
    uniforms: tuple[Uniform, ...]
    registers: int
    named: tuple[tuple[int, Name], ...]
    code: str


def wired(program: Program, numbering: Numbering) -> WiredProgram:
    """A program as it goes over the wire."""
    named = tuple((number, Name(name)) for number, name in enumerate(program.names) if name is not None)
    objects = placeless(program.objects, numbering)
    code = encode_code(WiredCode(program.code, program.loops), numbering)
    return WiredProgram(objects, program.uniforms, len(program.names), named, code)


def unwired(wire: WiredProgram) -> Program:
    """The program that came over the wire. Raises `CodecError`."""
    names: list[str | None] = [None] * wire.registers
    for number, name in wire.named:
        names[number] = name
    code = decode_code(wire.code)
    return Program(wire.objects, wire.uniforms, tuple(names), code.instructions, code.loops)


def encode_code(code: WiredCode, numbering: Numbering) -> str:
    """The text of code, its places by their site numbers."""
    tables = _Tables(numbering)
    listed = [[type(each).__name__, *_fields(each, tables)] for each in code.instructions]
    loops = [_fields(each, tables) for each in code.loops]
    registers = [[register.number, register.type.value] for register in tables.registers]
    return json.dumps([registers, tables.constants, listed, loops], separators=(",", ":"))


def decode_code(text: str) -> WiredCode:
    """The code that a text stands for. Raises `CodecError`."""
    try:
        registers, constants, listed, loops = json.loads(text)
        operands = _Operands(
            [Register(number, Scalar(type)) for number, type in registers],
            [
                Constant(float(value) if Scalar(type).is_float else int(value), Scalar(type))
                for value, type in constants
            ],
        )
        instructions = tuple([_instance(_CLASSES[name], parts, operands) for name, *parts in listed])
        return WiredCode(instructions, tuple([_instance(Loop, parts, operands) for parts in loops]))
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise CodecError(f"not the code of a program: {error}") from error


# ----------------------------------------------------------------------------------------------------------- writing


class _Tables(Struct):
    """The registers and constants met so far, by what tells them apart: 0.0 and -0.0 are two constants."""

    numbering: Numbering
    registers: dict[Register, int] = field(default_factory=dict)
    _constants: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def constants(self) -> list[tuple[str, str]]:
        """Value and type of each constant."""
        return list(self._constants)

    def operand(self, operand: Operand) -> int:
        """The number of an operand."""
        if isinstance(operand, Register):
            return self.registers.setdefault(operand, len(self.registers))
        return ~self._constants.setdefault((repr(+operand.value), operand.type.value), len(self._constants))


def _fields(value: Any, tables: _Tables) -> list[Any]:
    return [_plain(getattr(value, name), tables) for name in value.__struct_fields__]


def _plain(value: Any, tables: _Tables) -> Any:
    match value:
        case Register() | Constant():
            return tables.operand(value)
        case Site() | InSource():
            return tables.numbering.number(value)
        case Subscript(index, extent):
            return [tables.operand(index), tables.operand(extent)]
        case tuple():
            return [_plain(item, tables) for item in value]
        case Enum():
            return value.value
        case _:
            return value


# ----------------------------------------------------------------------------------------------------------- reading


class _Operands(Struct, frozen=True):
    """The tables, to be read."""

    registers: list[Register]
    constants: list[Constant]

    def operand(self, number: int) -> Operand:
        """The operand with this number."""
        return self.registers[number] if number >= 0 else self.constants[~number]


_Reader = Callable[[Any, _Operands], Any]


def _instance(cls: type[Struct], parts: list[Any], operands: _Operands) -> Any:
    readers = _readers(cls)
    if len(parts) != len(readers):
        raise ValueError(f"fields of {cls.__name__} do not match")
    return cls(*[reader(part, operands) for reader, part in zip(readers, parts, strict=True)])


@cache
def _readers(cls: type[Struct]) -> tuple[_Reader, ...]:
    hints = get_type_hints(cls)
    return tuple(_reader(hints[name]) for name in cls.__struct_fields__)


def _reader(annotation: Any) -> _Reader:
    """What reads the fields of an annotated type."""
    if annotation in (Register, Operand):
        return lambda plain, operands: operands.operand(plain)
    if annotation == Place:
        return lambda plain, _: Site(plain)
    if annotation is Subscript:
        return lambda plain, operands: Subscript(*[operands.operand(each) for each in plain])
    if get_origin(annotation) is tuple:
        return _tuple(_reader(get_args(annotation)[0]))
    if get_origin(annotation) in (Union, types.UnionType):
        return _optional(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return _enumerated({member.value: member for member in annotation})
    return lambda plain, _: plain


def _tuple(item: _Reader) -> _Reader:
    return lambda plain, operands: tuple([item(each, operands) for each in plain])


def _enumerated(members: dict[Any, Enum]) -> _Reader:
    return lambda plain, _: members[plain]


def _optional(annotation: Any) -> _Reader:
    """Unions are of one part or None, where an operand is itself a union of two classes."""
    parts = [part for part in get_args(annotation) if part is not type(None)]
    inner = _reader(parts[0] if len(parts) == 1 else Operand)
    return lambda plain, operands: None if plain is None else inner(plain, operands)
