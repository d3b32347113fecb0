"""Expressions: one node in, its value or the object that it names out, instructions emitted on the way.

Must not know statements.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import advanced, dereferenced, element, field, loaded, spilled
from rewright.emit.operators import integer
from rewright.emit.types import (
    BOOL,
    SIZE,
    VOID,
    Arithmetic,
    ArrayType,
    Closure,
    Pointer,
    StructType,
    alignment_of,
    size_of,
)
from rewright.emit.values import InMemory, Lvalue, Rvalue, Value
from rewright.frontends.cuda.cxx.arithmetic import combined, negated
from rewright.frontends.cuda.cxx.assembly import assembly
from rewright.frontends.cuda.cxx.assignments import assigned, updated
from rewright.frontends.cuda.cxx.calls import call, overloaded, receiver_of
from rewright.frontends.cuda.cxx.casts import cast, converting
from rewright.frontends.cuda.cxx.choices import both, conditional, either
from rewright.frontends.cuda.cxx.closures import closure, function_value
from rewright.frontends.cuda.cxx.conversions import described
from rewright.frontends.cuda.cxx.discarded import discarded
from rewright.frontends.cuda.cxx.initial import initial
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope, this
from rewright.frontends.cuda.cxx.names import POSITIONS, named_value, position, value_in
from rewright.frontends.cuda.cxx.operands import number, pointer, rvalue
from rewright.frontends.cuda.cxx.packs import folded, pack_size
from rewright.frontends.cuda.cxx.rereading import first_name, reread
from rewright.frontends.cuda.cxx.scopes import Member, OverloadSet, VariableText
from rewright.frontends.cuda.cxx.templates import arguments, instances
from rewright.frontends.cuda.cxx.traits import limit, trait
from rewright.frontends.cuda.cxx.type_names import qualifier, type_of, type_or_none
from rewright.frontends.cuda.reading.tree import inner, parts, text, unwrapped
from rewright.frontends.preprocessor.literals import character
from rewright.frontends.preprocessor.literals import number as literal
from rewright.model.simt.instructions import Operand
from rewright.model.simt.types import Scalar


def value(lowering: Lowering, node: Node) -> Value:
    """The value of an expression, or the object that it names."""
    match node.type:
        case "number_literal" if node.start_byte in lowering.names.hidden:
            return named_value(lowering, lowering.names.hidden[node.start_byte], node)
        case "number_literal" | "char_literal":
            return _literal(lowering.emitter, node)
        case "true" | "false":
            return Rvalue(BOOL, (integer(int(node.type == "true"), Scalar.PRED),))
        case "null" | "nullptr":
            return Rvalue(Pointer(VOID), (integer(0, Scalar.U64),))
        case "identifier" | "type_identifier" | "field_identifier":
            return named_value(lowering, text(node), node)
        case "parenthesized_expression":
            return value(lowering, _only(lowering.emitter, node))
        case "this":
            return _this(lowering.emitter, lowering.names, node)
        case "subscript_expression":
            return _subscript(lowering, node)
        case "field_expression":
            return _field(lowering, node)
        case "qualified_identifier":
            return _qualified(lowering, node)
        case _:
            return _operation(lowering, node)


def _operation(lowering: Lowering, node: Node) -> Value:
    emitter = lowering.emitter
    match node.type:
        case "binary_expression":
            return _binary(lowering, node)
        case "unary_expression":
            return _unary(lowering, node)
        case "pointer_expression":
            return _pointer(lowering, node)
        case "assignment_expression":
            misread = _no_type(lowering, node)
            return assigned(lowering, node) if misread is None else _read_again(lowering, node, misread)
        case "update_expression":
            return updated(lowering, node)
        case "conditional_expression":
            sides = tuple(emitter.child(node, name) for name in ("condition", "consequence", "alternative"))
            return conditional(lowering, node, (sides[0], sides[1], sides[2]))
        case "comma_expression":
            discarded(lowering, emitter.child(node, "left"))
            return value(lowering, emitter.child(node, "right"))
        case "cast_expression":
            return _cast(lowering, node)
        case "call_expression":
            return call(lowering, node)
        case "compound_literal_expression":
            kind = type_of(lowering, emitter.child(node, "type"))
            return initial(lowering, kind, emitter.child(node, "value"))
        case "sizeof_expression" if any(text(child) == "..." for child in node.children):
            return pack_size(lowering, node)
        case "sizeof_expression" | "alignof_expression":
            return _size(lowering, node)
        case "fold_expression":
            return folded(lowering, node)
        case "lambda_expression":
            return closure(lowering, node)
        case "template_function":
            return _template(lowering, node)
        case "parameter_declaration":
            return _again(lowering, node)
        case "gnu_asm_expression":
            return assembly(lowering, node)
        case other:
            emitter.refuse_construct(node, _NAMES.get(other, f"`{text(node)[:40]}`"))


_NAMES = {
    "string_literal": "a string",
    "concatenated_string": "a string",
    "raw_string_literal": "a string",
    "initializer_list": "a list of values here",
    "new_expression": "`new`",
    "delete_expression": "`delete`",
    "user_defined_literal": "a literal with a suffix of the user's",
    "parameter_pack_expansion": "a parameter pack",
    "ERROR": "this",
}


def _only(emitter: Emitter, node: Node) -> Node:
    child = inner(node)
    if child is None:
        emitter.refuse(node, "expected an expression")
    return child


def _literal(emitter: Emitter, node: Node) -> Rvalue:
    written = text(node)
    read = literal(written.lstrip("+-")) if node.type == "number_literal" else character(written)
    if read is None:
        emitter.refuse_construct(node, f"the literal `{written[:40]}`")
    value = Rvalue(Arithmetic(read.type), (read,))
    return negated(emitter, "-", value, node) if written.startswith("-") else value


def _this(emitter: Emitter, names: NamesInScope, node: Node) -> Value:
    receiver = names.scope.find("this")
    if isinstance(receiver, InMemory):
        return Rvalue(Pointer(receiver.type), (receiver.address,))
    emitter.refuse_construct(node, "`this` as a value")


def _qualified(lowering: Lowering, node: Node) -> Value:
    """`a::b`: a member of a namespace or struct."""
    names = lowering.names
    name, scope = lowering.emitter.child(node, "name"), node.child_by_field_name("scope")
    if scope is not None and scope.type == "template_type" and names.scope.find(_plain(scope)) is None:
        return _standard(lowering, scope, name, node)
    inside = qualifier(lowering, node)
    if inside is None:
        return value(lowering, name)
    if name.type == "qualified_identifier":
        with names.inside(inside):
            return value(lowering, name)
    if inside.here(text(name)) is None:
        lowering.emitter.refuse(node, f"`{text(node)[:60]}` is not known here")
    with names.inside(inside):
        return value_in(lowering, inside, text(name), node)


def _plain(template: Node) -> str:
    return text(template.child_by_field_name("name") or template)


def _standard(lowering: Lowering, scope: Node, name: Node, node: Node) -> Value:
    """`is_same<T, float>::value`, `numeric_limits<int>::digits`."""
    listed = scope.child_by_field_name("arguments")
    given = () if listed is None else arguments(lowering, listed)
    if _plain(scope) == "numeric_limits" and given:
        return limit(lowering.emitter, given[0], name)
    found = trait(_plain(scope), given) if text(name) == "value" else None
    if found is None:
        lowering.emitter.refuse(node, f"`{text(node)[:60]}` is not known here")
    return found


def _template(lowering: Lowering, node: Node) -> Value:
    """`is_same_v<T, float>`, or a function of which the arguments of the template are given."""
    listed = node.child_by_field_name("arguments")
    name = _plain(node)
    functions = lowering.names.scope.find(name)
    if listed is not None and isinstance(functions, OverloadSet):
        return function_value(lowering.names, instances(lowering, functions.of, arguments(lowering, listed), node))
    found = trait(name[:-2], arguments(lowering, listed)) if listed is not None and name.endswith("_v") else None
    if found is None:
        lowering.emitter.refuse_construct(node, "a function as a value")
    return found


# ----------------------------------------------------------------------------------------------------------- operators


def _binary(lowering: Lowering, node: Node) -> Value:
    emitter = lowering.emitter
    misread = _no_type(lowering, node)
    if misread is not None:
        return _read_again(lowering, node, misread)
    left, right = emitter.child(node, "left"), emitter.child(node, "right")
    operator = text(emitter.child(node, "operator"))
    if operator in ("&&", "and"):
        return both(lowering, node, (left, right))
    if operator in ("||", "or"):
        return either(lowering, node, (left, right))
    if left.type == "parenthesized_expression" and operator in ("*", "-", "+", "&"):
        kind = type_or_none(lowering, unwrapped(left)) if unwrapped(left).type == "identifier" else None
        if kind is not None:
            return _misread(lowering, node, operator)
    first, second = value(lowering, left), value(lowering, right)
    if isinstance(first.type, StructType) or isinstance(second.type, StructType):
        found = overloaded(lowering, f"operator{operator}", ((left, first), (right, second)), node)
        if found is not None:
            return found
    a, b = loaded(emitter, first, emitter.place(left)), loaded(emitter, second, emitter.place(right))
    return combined(emitter, operator, (a, b), node)


def _cast(lowering: Lowering, node: Node) -> Value:
    written = lowering.emitter.child(node, "type")
    if _is_no_type(lowering, written):
        return _again(lowering, node)
    return cast(lowering, type_of(lowering, written), lowering.emitter.child(node, "value"), node)


def _no_type(lowering: Lowering, node: Node) -> Node | None:
    """The name of a value that the grammar takes for a type among the operands: `(tx) >= (low) && (tx) <= (high)`.

    Or for a template, as in `(0 <= j && i < m && j >= n)`, which it takes for an assignment to `i<…>`. The whole
    expression is to be read again: its operators bind otherwise then.
    """
    for operand in (node.child_by_field_name(name) for name in ("left", "right", "argument")):
        if operand is None:
            continue
        if operand.type == "cast_expression":
            written = lowering.emitter.child(operand, "type")
            if _is_no_type(lowering, written):
                return first_name(written)
        elif operand.type == "template_function" and _is_no_type(lowering, operand):
            return first_name(operand)
        elif operand.type in ("binary_expression", "unary_expression"):
            found = _no_type(lowering, operand)
            if found is not None:
                return found
    return None


def _is_no_type(lowering: Lowering, written: Node) -> bool:
    name = first_name(written)
    binding = None if name is None else lowering.names.scope.find(text(name))
    return isinstance(binding, Rvalue | Lvalue | Member | VariableText)


def _again(lowering: Lowering, node: Node) -> Value:
    """What the grammar takes for a type is an expression: `(a & (b * c)) - d`, `S x(a * b);`."""
    if len(parts(node)) == 1:
        return value(lowering, parts(node)[0])
    name = first_name(node)
    if name is None:
        lowering.emitter.refuse_construct(node, f"`{text(node)[:40]}`")
    return _read_again(lowering, node, name)


def _read_again(lowering: Lowering, node: Node, name: Node) -> Value:
    """An expression in which a name is a value."""
    found = reread(lowering.names, node, name)
    if found is None:
        lowering.emitter.refuse_construct(node, f"`{text(node)[:40]}`")
    return value(lowering, found)


def _misread(lowering: Lowering, node: Node, operator: str) -> Value:
    """`(T) -x`, which the grammar takes for a difference: a conversion."""
    emitter = lowering.emitter
    left, right = emitter.child(node, "left"), emitter.child(node, "right")
    if right.type in ("binary_expression", "conditional_expression"):
        emitter.refuse_construct(node, "a conversion of this form (without parentheses around the operand)")
    kind = type_of(lowering, unwrapped(left))
    if operator == "*":
        operand: Value = dereferenced(pointer(lowering, right))
    elif operator == "&":
        operand = _address(emitter, value(lowering, right), node)
    else:
        operand = negated(emitter, operator, rvalue(lowering, right), node)
    return converting(lowering, loaded(emitter, operand, emitter.place(node)), kind, node)


def _unary(lowering: Lowering, node: Node) -> Value:
    emitter = lowering.emitter
    misread = _no_type(lowering, node)
    if misread is not None:
        return _read_again(lowering, node, misread)
    operator, argument = text(emitter.child(node, "operator")), emitter.child(node, "argument")
    operand = value(lowering, argument)
    if isinstance(operand.type, StructType):
        found = overloaded(lowering, f"operator{operator}", ((argument, operand),), node)
        if found is not None:
            return found
    return negated(emitter, operator, loaded(emitter, operand, emitter.place(argument)), node)


def _pointer(lowering: Lowering, node: Node) -> Value:
    emitter = lowering.emitter
    operator, argument = text(emitter.child(node, "operator")), emitter.child(node, "argument")
    if operator == "*":
        if unwrapped(argument).type == "this":
            return this(emitter, lowering.names, argument)
        operand = value(lowering, argument)
        if isinstance(operand.type, StructType):
            found = overloaded(lowering, "operator*", ((argument, operand),), node)
            if found is not None:
                return found
        read = loaded(emitter, operand, emitter.place(argument))
        if not isinstance(read.type, Pointer):
            emitter.refuse(argument, f"expected a pointer, got {described(read.type)}")
        if read.type.to == VOID:
            emitter.refuse(argument, "a `void*` points to nothing that can be read")
        return dereferenced(read)
    return _address(emitter, value(lowering, argument), node)


def _address(emitter: Emitter, operand: Value, node: Node) -> Rvalue:
    match operand:
        case InMemory():
            return Rvalue(Pointer(operand.type), (operand.address,))
        case Rvalue(type=Closure()):
            return operand
        case Rvalue() if isinstance(operand.type, StructType):
            spilt = spilled(emitter, operand, emitter.place(node))
            return Rvalue(Pointer(operand.type), (spilt.address,))
        case _:
            emitter.refuse_construct(node, "the address of this")


# ------------------------------------------------------------------------------------------------------------ elements


def _subscript(lowering: Lowering, node: Node) -> Value:
    emitter = lowering.emitter
    base, indices = emitter.child(node, "argument"), node.child_by_field_name("indices")
    listed = parts(indices) if indices is not None else []
    if not listed:
        emitter.refuse(node, "expected an index between brackets")
    *before, index = listed
    for dropped in before:
        discarded(lowering, dropped)
    place, array = emitter.place(node), value(lowering, base)
    if isinstance(array.type, StructType):
        found = overloaded(lowering, "operator[]", ((base, array), (index, value(lowering, index))), node)
        if found is None:
            emitter.refuse(node, f"{described(array.type)} has no `operator[]` that is known here")
        return found
    if isinstance(array.type, ArrayType) and not isinstance(array, InMemory):
        array = spilled(emitter, loaded(emitter, array, place), place)
    if isinstance(array, InMemory) and isinstance(array.type, ArrayType):
        return element(emitter, array, _index(lowering, index), place)
    first = loaded(emitter, array, emitter.place(base))
    if not isinstance(first.type, Pointer):
        second = rvalue(lowering, index)
        if not isinstance(second.type, Pointer):
            emitter.refuse(base, f"expected an array or a pointer, got {described(first.type)}")
        return dereferenced(advanced(emitter, second, first.operand, place))
    return dereferenced(advanced(emitter, first, _index(lowering, index), place))


def _index(lowering: Lowering, node: Node) -> Operand:
    index = number(lowering, node)
    if index.type.is_float:
        lowering.emitter.refuse(node, "an index must be an integer")
    return index


def _field(lowering: Lowering, node: Node) -> Value:
    emitter, names = lowering.emitter, lowering.names
    base, name = emitter.child(node, "argument"), emitter.child(node, "field")
    if base.type == "identifier" and text(base) in POSITIONS and names.scope.find(text(base)) is None:
        axis = "xyz".find(text(name)) if len(text(name)) == 1 else -1
        if axis < 0:
            emitter.refuse(name, f"`{text(base)}` has no member `{text(name)}`")
        return position(emitter, POSITIONS[text(base)], axis, emitter.place(node))
    whole = receiver_of(lowering, node)
    found = field(emitter, whole, text(name), emitter.place(node))
    if found is not None:
        return found
    inside = names.members(whole.type)
    if inside is not None and inside.here(text(name)) is not None:
        with names.inside(inside):
            return value_in(lowering, inside, text(name), name)
    emitter.refuse(name, f"{described(whole.type)} has no member `{text(name)[:40]}`")


def _size(lowering: Lowering, node: Node) -> Rvalue:
    written = node.child_by_field_name("type") or node.child_by_field_name("value") or next(iter(parts(node)), None)
    if written is None:
        lowering.emitter.refuse(node, "expected a type or a value")
    kind = type_or_none(lowering, unwrapped(written)) if written.type != "subscript_expression" else None
    if kind is None:
        with lowering.emitter.unevaluated():
            kind = value(lowering, written).type
    measure = size_of if node.type == "sizeof_expression" else alignment_of
    return Rvalue(SIZE, (integer(measure(kind), Scalar.U64),))
