"""Variables in device and constant memory: what lies in each before a program starts, and who else may write it.

Must not know which names stand for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.emitter import Emitter, Refused
from rewright.emit.memory import described_object, reached, shape
from rewright.emit.passed import extents_of
from rewright.emit.problem import Problem
from rewright.emit.types import Arithmetic, ArrayType, DeducedType, OpaqueType, Pointer, Reference, StructType, Type
from rewright.emit.values import Rvalue, Value
from rewright.frontends.cuda.cxx.initial import completed
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.scopes import Namespace, Scope, VariableText
from rewright.frontends.cuda.cxx.static_contents import static_contents
from rewright.frontends.cuda.reading.declarators import words
from rewright.model.kernel import Parameter, ScalarParameter
from rewright.model.scalars import integer
from rewright.model.simt.constants import NoValue
from rewright.model.simt.program import DeviceVariable, Object, VariableMemory
from rewright.model.simt.types import Scalar, Space
from rewright.verdict import Site

DEVICE = frozenset({"__device__", "__constant__", "__managed__"})
"""The words that put a variable outside functions into the device's memory."""


def device_variable(lowering: Lowering, name: str, kind: Type, what: tuple[VariableText, Node | None]) -> Value:
    """The variable of this name that a text declares, perhaps with an initial value: one object, however often named.

    Refuses a type that is not supported there, and an initial value that is not constant.
    """
    emitter = lowering.emitter
    written, value = what
    if value is not None:
        kind = completed(emitter, kind, value)
    check_kind(emitter, kind, written.declarator)
    place = emitter.place(written.declarator)
    key = ("global", written.declarator.start_byte, id(written.scope))
    if key not in emitter.objects:
        emitter.objects[key] = emitter.builder.object(_object(lowering, name, kind, what))
    return reached(emitter, emitter.objects[key], kind, place)


def texture_reference(emitter: Emitter, name: str, kind: OpaqueType, written: VariableText) -> Value:
    """`texture<float> name;` outside functions: an array of bytes that the host fills, and kernels only read."""
    place, key = emitter.place(written.declarator), ("global", written.declarator.start_byte, id(written.scope))
    held = ArrayType(Arithmetic(Scalar.U8), extents_of(kind)[0])
    if key not in emitter.objects:
        made = described_object(emitter, (name, Space.GLOBAL), held, place)
        filled = replace(made, variable=DeviceVariable(VariableMemory.CONSTANT, None))
        emitter.objects[key] = emitter.builder.object(filled)
    return Rvalue(kind, (reached(emitter, emitter.objects[key], held, place).address,))


def _object(lowering: Lowering, name: str, kind: Type, what: tuple[VariableText, Node | None]) -> Object:
    """The variable's object; of one that the declaration speaks of the contents are an input or a value."""
    emitter = lowering.emitter
    written, _ = what
    place = emitter.place(written.declarator)
    parameter = lowering.names.stated.get(name)
    variable = _variable(lowering, name, kind, what)
    if parameter is None:
        return replace(described_object(emitter, (name, Space.GLOBAL), kind, place), variable=variable)
    extents, scalar, count, _ = shape(kind)
    dimensions = (*extents, count) if count != 1 else tuple(extents)
    if scalar is not parameter.type or dimensions != _extents(parameter):
        sizes = f"[{', '.join(map(str, dimensions))}]" if dimensions else ""
        reason = f"`{name}` is {scalar}{sizes} in the source, the launch says otherwise"
        raise Refused(Problem(reason, Site(parameter.site)))
    made = described_object(emitter, (name, Space.GLOBAL), kind, place)
    return replace(made, name=parameter.name, variable=replace(variable, memory=_unsettled(variable), initial=None))


def _unsettled(variable: DeviceVariable) -> VariableMemory:
    """The memory of a variable whose contents are those that a declaration speaks of."""
    return VariableMemory.CONSTANT if variable.memory.is_read_only else VariableMemory.DEVICE


def _extents(parameter: Parameter) -> tuple[int, ...] | None:
    """The extents of what a declaration says, none of a scalar; None where they are no plain numbers."""
    if isinstance(parameter, ScalarParameter):
        return ()
    try:
        return tuple(integer(extent, {}) for extent in parameter.extents or ())
    except NoValue:
        return None


def variable_named(scope: Scope, name: str) -> tuple[Scope, VariableText] | None:
    """The variable in device memory that a name stands for in a kernel, else in any namespace; and its scope."""
    home = scope.home(name)
    if home is not None and isinstance(home.here(name), VariableText):
        return _in_device_memory(home, name)
    outermost = scope
    while outermost.parent is not None:
        outermost = outermost.parent
    return next((found for each in _namespaces(outermost) if (found := _in_device_memory(each, name))), None)


def _in_device_memory(scope: Scope, name: str) -> tuple[Scope, VariableText] | None:
    binding = scope.here(name)
    return (scope, binding) if isinstance(binding, VariableText) and words(binding.node) & DEVICE else None


def _namespaces(outermost: Scope) -> Iterator[Scope]:
    """The namespaces of a file, the outer before the inner."""
    waiting, seen = [outermost], {id(outermost)}
    while waiting:
        scope = waiting.pop(0)
        yield scope
        for binding in scope.names.values():
            if isinstance(binding, Namespace) and id(binding.scope) not in seen:
                seen.add(id(binding.scope))
                waiting.append(binding.scope)


def check_kind(emitter: Emitter, kind: Type, declarator: Node) -> None:
    """Refuses types that a variable outside functions may not have here."""
    if isinstance(kind, Reference | DeducedType) or (isinstance(kind, ArrayType) and kind.length is None):
        emitter.refuse_construct(declarator, "this kind of variable outside functions")
    if _holds_pointer(kind):
        emitter.refuse_construct(declarator, "a pointer in device memory")


def _holds_pointer(kind: Type) -> bool:
    match kind:
        case Pointer():
            return True
        case ArrayType():
            return _holds_pointer(kind.of)
        case StructType():
            return any(_holds_pointer(known.type) for known in kind.fields)
        case _:
            return False


def _variable(lowering: Lowering, name: str, kind: Type, what: tuple[VariableText, Node | None]) -> DeviceVariable:
    written, value = what
    said = words(written.node)
    contents = static_contents(lowering, kind, value, written.declarator)
    is_given = value is not None or bool(contents)
    if "extern" in said and value is None:
        return DeviceVariable(VariableMemory.CONSTANT if "__constant__" in said else VariableMemory.DEVICE, None)
    if "__constant__" in said:
        memory = VariableMemory.FIXED if "const" in said and is_given else VariableMemory.CONSTANT
        return DeviceVariable(memory, contents if is_given else None)
    is_kept = is_given and ("const" in said or name not in lowering.names.changed)
    return DeviceVariable(VariableMemory.KEPT if is_kept else VariableMemory.DEVICE, contents)
