"""The parameters of a kernel: those of its declaration matched by position with those of its text.

Must not know the body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import groupby

from msgspec import Struct, field
from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import (
    lies_in_registers,
    local_object,
    reached,
    stored,
    variable,
    whole,
)
from rewright.emit.passed import NotPassed, PassedPart, element_of, parts_of
from rewright.emit.types import (
    VOID,
    Arithmetic,
    ArrayType,
    OpaqueType,
    Pointer,
    Type,
)
from rewright.emit.values import Lvalue, Rvalue
from rewright.frontends.cuda.cxx.conversions import converted
from rewright.frontends.cuda.cxx.device_variables import variable_named
from rewright.frontends.cuda.cxx.functions import parameter_name, parameter_type
from rewright.frontends.cuda.cxx.lowering import Lowering, declare
from rewright.frontends.cuda.cxx.names import value_in
from rewright.frontends.cuda.cxx.scopes import RefusedName
from rewright.model.body import Binary, Convert, Expression, Integer
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Direction, Foreign, Kernel, Parameter, ScalarParameter
from rewright.model.simt.instructions import Operand, Register
from rewright.model.simt.program import Object, RecordField
from rewright.model.simt.types import BinaryOperator, Scalar, Space
from rewright.verdict import Place, Site


def uniforms(emitter: Emitter, kernel: Kernel) -> dict[str, Register]:
    """Enters sizes and scalar parameters, and gives their registers."""
    found: dict[str, Register] = {}
    for size in kernel.sizes:
        found[str(size.name)] = emitter.builder.uniform(size.name, Scalar.S32)
        emitter.used_names.add(str(size.name))
    for parameter in kernel.parameters:
        if isinstance(parameter, ScalarParameter):
            found[str(parameter.name)] = emitter.builder.uniform(parameter.name, parameter.type)
        emitter.used_names.add(str(parameter.name))
    return found


class _Entered(Struct, frozen=True):
    """What is entered of parameters: registers of scalars by name, objects of arrays, and which are one with others."""

    registers: dict[str, Register]
    same: Mapping[Name, Name]
    objects: dict[Name, int] = field(default_factory=dict)


def bind_parameters(lowering: Lowering, kernel: Kernel, written: list[Node], listed: Node) -> None:
    """Enters the parameters of the function; notes those that do not fit the declaration's."""
    emitter, names = lowering.emitter, lowering.names
    same = dict(kernel.body.same) if isinstance(kernel.body, Foreign) else {}
    entered = _Entered(uniforms(emitter, kernel), same)
    kinds = [_kind(lowering, node) for node in written]
    if emitter.problems:
        return
    there, here = sum(len(parts) for _, parts in kinds), len(kernel.parameters)
    here -= _state(lowering, kernel.parameters[there:])
    if there != here:
        plural = "" if there == 1 else "s"
        counted = "" if there == len(written) else ", fields counted"
        emitter.refuse(
            listed, f"the function has {there} parameter{plural}{counted}, the declaration `{kernel.name}` has {here}"
        )
    given = iter(kernel.parameters)
    for node, (kind, parts) in zip(written, kinds, strict=True):
        own = [(part, next(given)) for part in parts]
        grouped = [list(group) for _, group in groupby(own, key=lambda each: each[0].record and each[0].record.pointer)]
        with emitter.noting():
            leaves = [leaf for group in grouped for leaf in _leaves(lowering, node, group, entered)]
            value = Rvalue(kind, tuple(leaves))
            seen = names.frame
            is_kept = parameter_name(node) not in seen.assigned | seen.addressed and lies_in_registers(kind)
            made = value if is_kept else _variable(lowering, node, value)
            declare(names, lowering.registers, parameter_name(node), made)


def _kind(lowering: Lowering, node: Node) -> tuple[Type, tuple[PassedPart, ...]]:
    """The type of a parameter, and the parts that the declaration has of it; notes one that is not supported."""
    lowering.names.scope.names[parameter_name(node)] = RefusedName()
    with lowering.emitter.noting():
        kind = parameter_type(lowering, node)
        try:
            return kind, parts_of(kind)
        except NotPassed as what:
            lowering.emitter.refuse_construct(node, str(what))
    return VOID, ()


Passed = tuple[PassedPart, Parameter]
"""A part of a parameter, and the declaration's parameter for it."""


def _leaves(lowering: Lowering, node: Node, passed: list[Passed], entered: _Entered) -> Iterator[Operand]:
    """The scalars that parts of a parameter have in each thread; those of a record have one, its address."""
    if passed and passed[0][0].record is not None:
        yield _record(lowering, node, passed)
        return
    for part, parameter in passed:
        if isinstance(parameter, ArrayParameter):
            yield from _array(lowering, node, (parameter, entered), part.type)
        else:
            yield from _scalar(lowering, node, (parameter, entered.registers[str(parameter.name)]), part.type)


def _record(lowering: Lowering, node: Node, passed: list[Passed]) -> Operand:
    """A pointer to an array of structs whose fields are arrays of the declaration."""
    emitter = lowering.emitter
    fields: list[RecordField] = []
    extents: list[tuple[Expression, ...] | None] = []
    directions: set[Direction] = set()
    for part, parameter in passed:
        record = part.record
        assert record is not None
        if not isinstance(parameter, ArrayParameter):
            emitter.refuse(node, f"the declaration has the scalar `{parameter.name}` here, this is a field of an array")
        if record.scalar is not parameter.type:
            emitter.refuse(node, f"the declaration has elements of type {parameter.type} here")
        fields.append(RecordField(parameter.name, record.scalar, record.offset, record.elements, record.size))
        extents.append(_outer(emitter, node, parameter, record.elements))
        directions.add(parameter.direction)
    first = passed[0][1]
    place = Site(first.site)
    if any(not _same(each, extents[0]) for each in extents):
        emitter.refuse(node, "the declaration gives fields of one array of structs different sizes")
    whole = extents[0]
    bytes_of = Integer(fields[0].size, Scalar.S64, place)
    size = None if whole is None else (_product((*whole, bytes_of), place),)
    name = emitter.fresh(parameter_name(node) + (passed[0][0].record.pointer if passed[0][0].record else ""))
    is_input = directions != {Direction.OUT}
    made = Object(name, Space.GLOBAL, Scalar.U8, size, is_input, place, fields=tuple(fields))
    return reached(emitter, emitter.builder.object(made), ArrayType(Arithmetic(Scalar.U8), 0), place).address


def _outer(emitter: Emitter, node: Node, parameter: ArrayParameter, count: int) -> tuple[Expression, ...] | None:
    """The extents of an array of structs by those of a field, whose last dimensions are its elements in one."""
    extents = parameter.extents
    if extents is None or count == 1:
        return extents
    if not isinstance(extents[-1], Integer) or extents[-1].value != count:
        emitter.refuse(node, f"the last dimension of `{parameter.name}` must be {count}")
    return extents[:-1] or (Integer(1, Scalar.S64, Site(parameter.site)),)


def _same(left: object, right: object) -> bool:
    """Whether two expressions are the same but for their places."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(_same, left, right))
    if not isinstance(left, Struct) or not isinstance(right, Struct):
        return left == right
    names = [name for name in left.__struct_fields__ if name not in ("place", "site")]
    return type(left) is type(right) and all(_same(getattr(left, name), getattr(right, name)) for name in names)


def _state(lowering: Lowering, further: tuple[Parameter, ...]) -> int:
    """Takes parameters beyond the function's for what the declaration says of variables in device memory; how many."""
    names = lowering.names
    count = 0
    for parameter in further:
        found = variable_named(names.scope, str(parameter.name))
        if found is None:
            continue
        count += 1
        home, written = found
        names.stated = {str(parameter.name): parameter}
        with lowering.emitter.noting():
            value_in(lowering, home, str(parameter.name), written.declarator)
    names.stated = {}
    return count


def _array(lowering: Lowering, node: Node, given: tuple[ArrayParameter, _Entered], kind: Type) -> tuple[Operand, ...]:
    """A pointer to the array of the declaration, which is flat here; of an array in a struct its elements."""
    emitter = lowering.emitter
    parameter, entered = given
    if not isinstance(kind, Pointer | ArrayType | OpaqueType):
        emitter.refuse(node, f"the declaration has the array `{parameter.name}` here, this is not a pointer")
    if element_of(kind) is not parameter.type and kind != Pointer(VOID):
        emitter.refuse(node, f"the declaration has elements of type {parameter.type} here")
    place = Site(parameter.site)
    extents = None if parameter.extents is None else (_product(parameter.extents, place),)
    is_input = parameter.direction is not Direction.OUT
    number = entered.objects.get(entered.same.get(parameter.name, parameter.name))
    if number is None:
        number = emitter.builder.object(Object(parameter.name, Space.GLOBAL, parameter.type, extents, is_input, place))
    entered.objects[parameter.name] = number
    if isinstance(kind, OpaqueType):
        return (reached(emitter, number, ArrayType(Arithmetic(parameter.type), 0), place).address,)
    if isinstance(kind, Pointer):
        return (reached(emitter, number, ArrayType(kind.to, 0), place).address,)
    return whole(emitter, reached(emitter, number, kind, place), place).leaves


def _product(extents: tuple[Expression, ...], place: Place) -> Expression:
    wide = [Convert(extent, Scalar.S64, place) if extent.type is not Scalar.S64 else extent for extent in extents]

    def times(left: Expression, right: Expression) -> Expression:
        return Binary(BinaryOperator.MULTIPLY, left, right, Scalar.S64, place)

    return reduce(times, wide)


def _scalar(lowering: Lowering, node: Node, given: tuple[ScalarParameter, Register], kind: Type) -> tuple[Operand, ...]:
    """The declaration's scalar in the function's type."""
    emitter = lowering.emitter
    parameter, register = given
    if not isinstance(kind, Arithmetic):
        what = "a pointer" if isinstance(kind, Pointer) else "an array"
        emitter.refuse(node, f"the declaration has the scalar `{parameter.name}` here, this is {what}")
    return converted(emitter, Rvalue(Arithmetic(parameter.type), (register,)), kind, node).leaves


def _variable(lowering: Lowering, node: Node, value: Rvalue) -> Lvalue:
    emitter = lowering.emitter
    name = parameter_name(node)
    made: Lvalue
    if name in lowering.names.frame.addressed or not lies_in_registers(value.type):
        made = local_object(emitter, name, value.type, emitter.place(node))
    else:
        made = variable(emitter, name, value.type)
    stored(emitter, lowering.registers, made, value, emitter.place(node))
    return made


def template_arguments(written: tuple[str, ...]) -> Iterator[int | str]:
    """The template arguments of the declaration: integers, or names of types."""
    for argument in written:
        text = argument.strip()
        try:
            yield int(text, 0)
        except ValueError:
            yield {"true": 1, "false": 0}.get(text, text)
