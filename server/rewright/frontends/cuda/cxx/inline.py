"""Device functions, methods and lambdas, lowered where they are called.

Invariant: registers and scopes are new for each call; static variables are not. Must not know which function a call
means.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from rewright.frontends.builder import Label
from rewright.frontends.cuda.cxx.functions import facts, parameter_name, parameters_of, result_type
from rewright.frontends.cuda.cxx.initial import as_type, initial
from rewright.frontends.cuda.cxx.overloads import Argument, Chosen, Given
from rewright.frontends.cuda.cxx.scopes import Scope
from rewright.frontends.cuda.cxx.types import VOID, Reference, Type, Unknown
from rewright.frontends.cuda.cxx.values import NOTHING, InRegisters, Lvalue, Rvalue, Value, is_constant
from rewright.frontends.cuda.lower.lowering import Facts, Frame, Lowering, Refused
from rewright.frontends.cuda.lower.memory import lies_in_registers, loaded, local_object, stored, variable
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import text
from rewright.frontends.problem import Problem
from rewright.model.simt.instructions import Assert, Choose, Constant, Register
from rewright.model.simt.types import Scalar

MOST_DEPTH = 20
MOST_CODE = 200_000


def inlined(lowering: Lowering, chosen: Chosen, receiver: Value | None, given: Given) -> Value:
    """The result of a call: the body is lowered here."""
    body = chosen.function.node.child_by_field_name("body")
    if body is None:
        lowering.refuse(given.node, "this function has no body that is known here")
    frame, scope = opened(lowering, chosen, receiver, given), Scope(chosen.scope)
    if receiver is not None:
        lowering.hold(receiver)
        scope.names["this"] = receiver
    bind_parameters(lowering, chosen, scope, given.values)
    with lowering.inside(scope):
        frame.type = result_type(lowering, chosen.function)
        result = run(lowering, frame, lambda: _body(lowering, chosen, body))
    if result == NOTHING and frame.type not in (VOID, Unknown("auto")):
        gives = Problem("this function gives no value", lowering.place(chosen.function.node))
        raise Refused(None if lowering.problems else gives)
    return result


def _body(lowering: Lowering, chosen: Chosen, body: Node) -> None:
    """Lowers the body of a function; to come to its end where it is to give a value is an error at its brace."""
    lowering.readers.statement(lowering, body)
    frame = lowering.frame
    if frame.result is None or frame.direct or frame.ended:
        return
    place = lowering.place(body.children[-1])
    missing = lowering.builder.register(Scalar.PRED, f"{_name(chosen)}()")
    lowering.builder.emit(Assert(missing, place))
    # The result is as undefined as what is missing, so that nothing is told of what follows from it.
    for leaf in frame.result.registers if isinstance(frame.result, InRegisters) else ():
        zero = Constant(0, leaf.type)
        lowering.builder.emit(Choose(leaf, missing, zero, zero, place))


def _name(chosen: Chosen) -> str:
    """The name of a function, as its definition has it; none if it is a lambda."""
    declarator = chosen.function.node.child_by_field_name("declarator")
    found = None if declarator is None else declared_name(declarator)
    return "" if found is None else text(found)


def opened(lowering: Lowering, chosen: Chosen, receiver: Value | None, given: Given) -> Frame:
    """The frame of a call; refuses recursion unless all that is passed is known, and what comes to too much code."""
    kind = None if receiver is None else receiver.type
    known = tuple(value.leaves for _, value in given.values if value is not None and is_constant(value))
    known = known if receiver is None and len(known) == len(given.values) else ()
    key = (chosen.function.node.start_byte, chosen.template, kind, known)
    frame: Frame | None = lowering.frame
    while frame is not None:
        if frame.key == key:
            lowering.refuse_construct(given.node, "a function that calls itself")
        frame = frame.outer
    if lowering.frame.depth >= MOST_DEPTH or len(lowering.builder.code) > MOST_CODE:
        lowering.refuse(given.node, "too many calls inside calls to be inlined")
    seen = _seen(lowering, chosen)
    return Frame(key, VOID, Label(), seen.is_direct, seen.addressed, seen.assigned, outer=lowering.frame)


def _seen(lowering: Lowering, chosen: Chosen) -> Facts:
    body = chosen.function.node.child_by_field_name("body")
    return Facts(frozenset(), frozenset(), is_direct=False) if body is None else facts(lowering, body)


def run(lowering: Lowering, frame: Frame, body: Callable[[], None]) -> Value:
    """Lowers a body in its frame and gives the result."""
    outer, lowering.frame = lowering.frame, frame
    try:
        body()
    finally:
        lowering.frame = outer
    lowering.land(frame.end)
    return NOTHING if frame.result is None else frame.result


# ---------------------------------------------------------------------------------------------------------- parameters


def bind_parameters(lowering: Lowering, chosen: Chosen, scope: Scope, arguments: list[Argument]) -> None:
    """Enters the parameters of a function with their arguments, the defaults for those that are missing."""
    seen = _seen(lowering, chosen)
    for at, (parameter, kind) in enumerate(zip(parameters_of(chosen.function), chosen.types, strict=True)):
        name = parameter_name(parameter)
        if at < len(arguments):
            where, value = arguments[at]
        else:
            where, value = parameter.child_by_field_name("default_value") or parameter, None
        with lowering.inside(scope if at >= len(arguments) else lowering.scope):
            made = _bound(lowering, (name, kind), (where, value), seen)
        if name:
            lowering.hold(made)
            scope.names[name] = made


def _bound(lowering: Lowering, parameter: tuple[str, Type], argument: Argument, seen: Facts) -> Value:
    (name, kind), (where, value) = parameter, argument
    if isinstance(kind, Reference):
        return _referred(lowering, kind.to, where, value)
    if value is None:
        read = initial(lowering, kind, where)
    else:
        read = loaded(lowering, value, lowering.place(where))
        read = read if isinstance(kind, Unknown) else as_type(lowering, read, kind, where)
    if name in seen.addressed or not lies_in_registers(read.type):
        made: Lvalue = local_object(lowering, name or "temporary", read.type, lowering.place(where))
    elif name not in seen.assigned and all(is_temporary(lowering, leaf) for leaf in read.leaves):
        return read
    else:
        made = variable(lowering, name, read.type)
    stored(lowering, made, read, lowering.place(where))
    return made


def is_temporary(lowering: Lowering, leaf: Register | Constant) -> bool:
    """Whether no variable of the text can change the operand."""
    return isinstance(leaf, Constant) or lowering.builder.names[leaf.number] is None


def _referred(lowering: Lowering, kind: Type, where: Node, value: Value | None) -> Value:
    """What a reference is bound to: the object itself if it has the type, else a new value."""
    if value is None:
        return initial(lowering, kind, where)
    if isinstance(kind, Unknown) or value.type == kind:
        return value
    read: Rvalue = as_type(lowering, loaded(lowering, value, lowering.place(where)), kind, where)
    return read
