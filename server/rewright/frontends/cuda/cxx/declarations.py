"""Declarations inside functions: local variables, references, shared and dynamic shared arrays, constants.

Must not know other statements.
"""

from __future__ import annotations

from functools import partial

from tree_sitter import Node

from rewright.emit.emitter import Emitter, Refused
from rewright.emit.evaluation import evaluated
from rewright.emit.memory import (
    lies_in_registers,
    loaded,
    local_object,
    new_object,
    reached,
    stored,
    variable,
)
from rewright.emit.types import (
    FUNCTION,
    Arithmetic,
    ArrayType,
    Closure,
    DeducedType,
    OpaqueType,
    Pointer,
    Reference,
    StructType,
    Type,
)
from rewright.emit.values import InMemory, InRegisters, Lvalue, Rvalue, Value, is_constant
from rewright.frontends.cuda.cxx import expressions
from rewright.frontends.cuda.cxx.closures import check_single
from rewright.frontends.cuda.cxx.construct import construct, defaults
from rewright.frontends.cuda.cxx.dynamic_shared import dynamic_shared
from rewright.frontends.cuda.cxx.frames import FunctionFrame
from rewright.frontends.cuda.cxx.initial import LISTS, initial, initialise
from rewright.frontends.cuda.cxx.lowering import Lowering, declare
from rewright.frontends.cuda.cxx.outer import enter
from rewright.frontends.cuda.cxx.scopes import RefusedName, Scope
from rewright.frontends.cuda.cxx.type_names import declared, length_of, misread_type, type_of, type_or_none
from rewright.frontends.cuda.reading.declarators import declared_name, layers, words
from rewright.frontends.cuda.reading.tree import parts, text
from rewright.model.simt.instructions import Forget
from rewright.model.simt.types import Space


def declaration(lowering: Lowering, node: Node) -> None:
    """Lowers a declaration: its names are entered, initial values are computed."""
    emitter = lowering.emitter
    specifier = node.child_by_field_name("type")
    if specifier is None:
        emitter.refuse(node, "this declaration has no type")
    if specifier.child_by_field_name("body") is not None:
        enter(lowering.names.scope, specifier)
    said = words(node)
    declarators = node.children_by_field_name("declarator")
    try:
        kind = type_of(lowering, specifier)
    except Refused as refused:
        emitter.note(refused)
        for declarator in declarators:
            _enter_refused(lowering.names.scope, declarator)
        return
    if not declarators and specifier.child_by_field_name("body") is None:
        emitter.refuse(node, "this declaration has no name")
    for declarator in declarators:
        try:
            _declare_one(lowering, node, declarator, (kind, said))
        except Refused as refused:
            emitter.note(refused)
            _enter_refused(lowering.names.scope, declarator)


_BINDING = "structured_binding_declarator"


def _enter_refused(scope: Scope, declarator: Node) -> None:
    bound = next((each for each in layers(declarator) if each.type == _BINDING), None)
    name = declared_name(declarator)
    for each in parts(bound) if bound is not None else [] if name is None else [name]:
        scope.names[text(each)] = RefusedName()


def _declare_one(lowering: Lowering, node: Node, declarator: Node, specified: tuple[Type, frozenset[str]]) -> None:
    emitter, names = lowering.emitter, lowering.names
    said = specified[1]
    written = declarator.child_by_field_name("value") or node.child_by_field_name("value")
    for bound in (each for each in layers(declarator) if each.type == _BINDING):
        emitter.refuse_construct(bound, "a structured binding")
    declarator, arguments = _as_constructor_call(declarator)
    written = written if arguments is None else arguments
    named, kind = declared(lowering, declarator, specified[0])
    if declarator.type == "function_declarator" and kind == FUNCTION:
        return
    if named is None or named.type not in ("identifier", "type_identifier"):
        emitter.refuse_construct(declarator, "this kind of declaration")
    name = text(named)
    if name in names.scope.names:
        emitter.refuse(named, f"`{name}` is declared twice")
    made: Value
    if "__shared__" in said:
        if written is not None:
            emitter.refuse(written, "a shared variable cannot have an initial value")
        is_dynamic = "extern" in said
        made = dynamic_shared(emitter, kind, named) if is_dynamic else _shared(emitter, names.frame, declarator, kind)
    elif "extern" in said:
        emitter.refuse_construct(node, "`extern` here")
    elif isinstance(kind, Reference):
        made = _reference(lowering, kind.to, written, declarator)
    elif "static" in said and not said & {"const", "constexpr"}:
        emitter.refuse_construct(node, "a static variable that is not shared")
    else:
        is_fixed = bool(said & {"const", "constexpr"}) and name not in names.frame.addressed
        made = (_constant if is_fixed else _local)(lowering, named, kind, written)
    declare(names, lowering.registers, name, made)


def _as_constructor_call(declarator: Node) -> tuple[Node, Node | None]:
    """`S x(a)`, which the grammar takes for a function's declaration: the name, and the list of arguments."""
    if declarator.type == "function_declarator":
        inside, listed = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("parameters")
        if inside is not None and listed is not None and parts(listed):
            return inside, listed
    return declarator, None


# -------------------------------------------------------------------------------------------------------------- shared


def _shared(emitter: Emitter, frame: FunctionFrame, declarator: Node, kind: Type) -> Value:
    """A shared variable of a known size: one object for each function that is lowered, however often."""
    if isinstance(kind, Reference | DeducedType) or (isinstance(kind, ArrayType) and kind.length is None):
        emitter.refuse_construct(declarator, "a shared variable of this type")
    named = declared_name(declarator) or declarator
    place, key = emitter.place(named), ("shared", named.start_byte, frame.key[:3])
    if key not in emitter.objects:
        emitter.objects[key] = new_object(emitter, (text(named), Space.SHARED), kind, place)
    return reached(emitter, emitter.objects[key], kind, place)


# -------------------------------------------------------------------------------------------------------------- locals


def _reference(lowering: Lowering, kind: Type, written: Node | None, declarator: Node) -> Value:
    if written is None:
        lowering.emitter.refuse(declarator, "a reference needs an object")
    if written.type in LISTS:
        written = parts(written)[0] if parts(written) else written
    value = expressions.value(lowering, written)
    if isinstance(kind, DeducedType) or value.type == kind:
        return value
    return initial(lowering, kind, written)


def _constant(lowering: Lowering, named: Node, kind: Type, written: Node | None) -> Value:
    """A constant: its value itself if that is known."""
    kind = _deduced(lowering, kind, written, named)
    if written is None or not isinstance(kind, Arithmetic):
        return _local(lowering, named, kind, written)
    value = _folded(lowering, kind, written)
    if is_constant(value):
        return value
    emitter = lowering.emitter
    made = _new_variable(emitter, lowering.names.frame, named, kind)
    stored(emitter, lowering.registers, made, value, emitter.place(named.parent or named))
    return made


def _local(lowering: Lowering, named: Node, kind: Type, written: Node | None) -> Value:
    kind = _deduced(lowering, kind, written, named)
    if isinstance(kind, Closure):
        assert written is not None
        return expressions.value(lowering, written)
    emitter = lowering.emitter
    make = partial(_new_variable, emitter, lowering.names.frame, named)
    if written is None:
        return _without_value(lowering, make(kind), named)
    if isinstance(kind, ArrayType | StructType | OpaqueType):
        return initialise(lowering, make, kind, written)
    made = make(kind)
    stored(emitter, lowering.registers, made, initial(lowering, kind, written), emitter.place(named.parent or named))
    return made


def _folded(lowering: Lowering, kind: Type, written: Node) -> Rvalue:
    """The value of a constant: known if constants are all that it takes."""
    emitter = lowering.emitter
    builder = emitter.builder
    code, loops, landed = len(builder.code), len(builder.loops), emitter.landed
    value = initial(lowering, kind, written)
    found = evaluated(builder.code, code, value.operand)
    if found is None:
        return value
    del builder.code[code:], builder.loops[loops:]
    emitter.landed = landed
    return Rvalue(kind, (found,))


def _deduced(lowering: Lowering, kind: Type, written: Node | None, named: Node) -> Type:
    """The type of `auto x = value` and `auto* x = value`."""
    emitter = lowering.emitter
    if not (isinstance(kind, DeducedType) or (isinstance(kind, Pointer) and isinstance(kind.to, DeducedType))):
        return kind
    if written is None:
        emitter.refuse(named, "`auto` needs an initial value")
    source = parts(written)[0] if written.type in LISTS and parts(written) else written
    with emitter.unevaluated():
        found = loaded(emitter, expressions.value(lowering, source), emitter.place(source)).type
    check_single(lowering, kind, found, source)
    return found


def _new_variable(emitter: Emitter, frame: FunctionFrame, named: Node, kind: Type) -> Lvalue:
    """A variable of the function without a value, in memory if its address is taken."""
    name = text(named)
    if isinstance(kind, ArrayType) and kind.length is None:
        emitter.refuse(named, f"the length of `{name}` is not known")
    if name in frame.addressed or not lies_in_registers(kind):
        return local_object(emitter, name, kind, emitter.place(named))
    return variable(emitter, name, kind)


def _without_value(lowering: Lowering, made: Lvalue, named: Node) -> Value:
    """A variable without an initial value: what a constructor without arguments gives it, else nothing."""
    emitter = lowering.emitter
    kind = made.type
    if emitter.builder.depth:
        _forget(emitter, made, named)
    if lowering.names.members(kind) is not None:
        if lowering.names.constructors(kind):
            construct(lowering, made, [], named)
            return made
        defaults(lowering, made, set(), named)
    if isinstance(made, InRegisters):
        lowering.registers.unset |= dict.fromkeys(
            (register.number for register in made.registers), emitter.builder.depth
        )
    return made


def _forget(emitter: Emitter, made: Lvalue, named: Node) -> None:
    """Each pass of a loop has a variable of its own, without the value of the pass before."""
    place = emitter.place(named)
    match made:
        case InRegisters(registers=registers):
            emitter.emit(Forget(registers, (), place))
        case InMemory() if emitter.builder.objects[-1].space is Space.LOCAL:
            emitter.emit(Forget((), (len(emitter.builder.objects) - 1,), place))


def misread(lowering: Lowering, node: Node) -> bool:
    """Declares what `T (*p)[3] = x` and `T (&r)[3] = x` declare, which the grammar takes for expressions."""
    written, sizes = node, list[Node]()
    if node.type == "assignment_expression":
        written = node.child_by_field_name("left") or node
    while written.type == "subscript_expression":
        listed = written.child_by_field_name("indices")
        sizes += parts(listed) if listed is not None else []
        written = written.child_by_field_name("argument") or written
    function, listed = written.child_by_field_name("function"), written.child_by_field_name("arguments")
    if written.type != "call_expression" or not sizes or function is None or listed is None:
        return False
    pointer = parts(listed)[0] if len(parts(listed)) == 1 else None
    named = pointer.child_by_field_name("argument") if pointer is not None else None
    kind = type_or_none(lowering, function) if named is not None and named.type == "identifier" else None
    if pointer is None or pointer.type != "pointer_expression" or named is None or kind is None:
        return False
    for size in sizes:
        kind = ArrayType(kind, length_of(lowering, size))
    value = node.child_by_field_name("right")
    if pointer.children[0].type == "&":
        declare(lowering.names, lowering.registers, text(named), _reference(lowering, kind, value, node))
    else:
        declare(lowering.names, lowering.registers, text(named), _local(lowering, named, Pointer(kind), value))
    return True


def misread_template(lowering: Lowering, node: Node) -> bool:
    """Declares what `T<4, 2> x = y` declares where the grammar takes it for comparisons."""
    written: list[Node] = []
    while node.type == "comma_expression":
        before, last = node.child_by_field_name("left"), node.child_by_field_name("right")
        if before is None or last is None:
            return False
        written.insert(0, last)
        node = before
    compared = written.pop() if written else node
    left, right = compared.child_by_field_name("left"), compared.child_by_field_name("right")
    if compared.type != "binary_expression" or left is None or right is None or compared.children[1].type != ">":
        return False
    first, further = (left, []) if compared is node else (node, [*written, left])
    named = right.child_by_field_name("left") if right.type == "assignment_expression" else right
    kind = misread_type(lowering, first, further) if named is not None and named.type == "identifier" else None
    if named is None or kind is None:
        return False
    value = right.child_by_field_name("right")
    declare(lowering.names, lowering.registers, text(named), _local(lowering, named, kind, value))
    return True
