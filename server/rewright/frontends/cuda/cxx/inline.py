"""Device functions, methods and lambdas, lowered where they are called.

Invariant: registers and scopes are new for each call; static variables are not. Must not know which function a call
means.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter, Refused
from rewright.emit.memory import lies_in_registers, loaded, local_object, stored, variable
from rewright.emit.problem import Problem
from rewright.emit.types import VOID, DeducedType, Reference, Type
from rewright.emit.values import NOTHING, InRegisters, Lvalue, Rvalue, Value, is_constant
from rewright.frontends.cuda import cxx  # the body of a function is a statement
from rewright.frontends.cuda.cxx.closures import check_single
from rewright.frontends.cuda.cxx.frames import BodyFacts, FunctionFrame
from rewright.frontends.cuda.cxx.functions import PACK, facts, parameter_name, parameters_of, result_type
from rewright.frontends.cuda.cxx.gotos import check_labels
from rewright.frontends.cuda.cxx.initial import as_type, initial
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope
from rewright.frontends.cuda.cxx.overloads import Argument, CallArguments, ChosenFunction
from rewright.frontends.cuda.cxx.scopes import Pack, Scope
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import text
from rewright.model.simt.instructions import Assert, Choose, Constant, Register
from rewright.model.simt.types import Scalar

MOST_DEPTH = 20
"""Calls inside calls; a recursion has no end."""

MOST_CODE = 200_000
"""Instructions after which no further call is inlined: functions that call others twice grow exponentially."""


def inlined(lowering: Lowering, chosen: ChosenFunction, receiver: Value | None, given: CallArguments) -> Value:
    """The result of a call: the body is lowered here. Raises `Refused` where there is none, or no value."""
    emitter = lowering.emitter
    body = chosen.function.node.child_by_field_name("body")
    if body is None:
        emitter.refuse(given.node, "this function has no body that is known here")
    frame, scope = opened(lowering.names, chosen, receiver, given), Scope(chosen.scope)
    check_depth(emitter, frame, given.node)
    if receiver is not None:
        lowering.registers.hold(receiver)
        scope.names["this"] = receiver
    bind_parameters(lowering, chosen, scope, given.values)
    with lowering.names.inside(scope):
        frame.type = result_type(lowering, chosen.function)
        with lowering.names.called(frame), emitter.called(given.node):
            _body(lowering, chosen, body)
        emitter.land(frame.end)
    result = NOTHING if frame.result is None else frame.result
    if result == NOTHING and frame.type not in (VOID, DeducedType("auto")):
        gives = Problem("this function gives no value", emitter.place(chosen.function.node))
        raise Refused(None if emitter.problems else gives)
    return result


def _body(lowering: Lowering, chosen: ChosenFunction, body: Node) -> None:
    """Lowers the body of a function; to come to its end where it is to give a value is an error at its brace."""
    emitter = lowering.emitter
    cxx.statements.statement(lowering, body)
    frame = lowering.names.frame
    check_labels(emitter, frame, body)
    if frame.result is None or frame.is_direct or frame.has_ended:
        return
    place = emitter.place(body.children[-1])
    missing = emitter.builder.register(Scalar.PRED, f"{_name(chosen)}()")
    emitter.emit(Assert(missing, place))
    # The result is as undefined as what is missing, so that nothing is reported of what follows from it.
    for leaf in frame.result.registers if isinstance(frame.result, InRegisters) else ():
        zero = Constant(0, leaf.type)
        emitter.emit(Choose(leaf, missing, zero, zero, place))


def _name(chosen: ChosenFunction) -> str:
    """The name of a function, as its definition has it; none if it is a lambda."""
    declarator = chosen.function.node.child_by_field_name("declarator")
    found = None if declarator is None else declared_name(declarator)
    return "" if found is None else text(found)


def opened(names: NamesInScope, chosen: ChosenFunction, receiver: Value | None, given: CallArguments) -> FunctionFrame:
    """The frame of a call, inside that of the function which calls."""
    kind = None if receiver is None else receiver.type
    known = tuple(value.leaves for _, value in given.values if value is not None and is_constant(value))
    known = known if receiver is None and len(known) == len(given.values) else ()
    key = (chosen.function.node.start_byte, chosen.template, len(given.values), kind, known)
    seen = _seen(names, chosen)
    return FunctionFrame(key, VOID, Label(), seen.is_direct, seen.addressed, seen.assigned, outer=names.frame)


def check_depth(emitter: Emitter, frame: FunctionFrame, node: Node) -> None:
    """Refuses recursion unless all that is passed is known, and what comes to too much code."""
    outer = frame.outer
    while outer is not None:
        if outer.key == frame.key:
            emitter.refuse_construct(node, "a function that calls itself")
        outer = outer.outer
    if frame.depth > MOST_DEPTH or len(emitter.builder.code) > MOST_CODE:
        emitter.refuse(node, "too many calls inside calls to be inlined")


def _seen(names: NamesInScope, chosen: ChosenFunction) -> BodyFacts:
    body = chosen.function.node.child_by_field_name("body")
    return BodyFacts(frozenset(), frozenset(), is_direct=False) if body is None else facts(names, body)


# ---------------------------------------------------------------------------------------------------------- parameters


def bind_parameters(lowering: Lowering, chosen: ChosenFunction, scope: Scope, arguments: list[Argument]) -> None:
    """Enters the parameters of a function with their arguments, the defaults for those that are missing."""
    names = lowering.names
    seen = _seen(names, chosen)
    parameters, pack = parameters_of(chosen.function), list[Value]()
    last = parameters[-1:] if parameters and parameters[-1].type == PACK else []
    parameters = [*parameters[: len(parameters) - len(last)], *last * (len(chosen.types) - len(parameters) + len(last))]
    for at, (parameter, kind) in enumerate(zip(parameters, chosen.types, strict=True)):
        name = parameter_name(parameter)
        if at < len(arguments):
            where, value = arguments[at]
        else:
            where, value = parameter.child_by_field_name("default_value") or parameter, None
        with names.inside(scope if at >= len(arguments) else names.scope):
            made = _bound_parameter(lowering, (name, kind), (where, value), seen)
        if name:
            lowering.registers.hold(made)
            pack += [made] if parameter in last else []
            scope.names[name] = made
    if last and parameter_name(last[0]):
        scope.names[parameter_name(last[0])] = Pack(tuple(pack))


def _bound_parameter(lowering: Lowering, parameter: tuple[str, Type], argument: Argument, seen: BodyFacts) -> Value:
    emitter = lowering.emitter
    (name, kind), (where, value) = parameter, argument
    if isinstance(kind, Reference):
        return _bound_reference(lowering, kind.to, where, value)
    if value is None:
        read = initial(lowering, kind, where)
    else:
        read = loaded(emitter, value, emitter.place(where))
        check_single(lowering, kind, read.type, where)
        read = read if isinstance(kind, DeducedType) else as_type(lowering, read, kind, where)
    if name in seen.addressed or not lies_in_registers(read.type):
        made: Lvalue = local_object(emitter, name or "temporary", read.type, emitter.place(where))
    elif name not in seen.assigned and all(is_temporary(emitter, leaf) for leaf in read.leaves):
        return read
    else:
        made = variable(emitter, name, read.type)
    stored(emitter, lowering.registers, made, read, emitter.place(where))
    return made


def is_temporary(emitter: Emitter, leaf: Register | Constant) -> bool:
    """Whether no variable of the text can change the operand."""
    return isinstance(leaf, Constant) or emitter.builder.names[leaf.number] is None


def _bound_reference(lowering: Lowering, kind: Type, where: Node, value: Value | None) -> Value:
    """What a reference is bound to: the object itself if it has the type, else a new value."""
    if value is None:
        return initial(lowering, kind, where)
    if isinstance(kind, DeducedType) or value.type == kind:
        return value
    read: Rvalue = as_type(lowering, loaded(lowering.emitter, value, lowering.emitter.place(where)), kind, where)
    return read
