"""Assignments, compound ones, increments. Must not know other expressions."""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.memory import copied, loaded, stored
from rewright.emit.types import StructType
from rewright.emit.values import InRegisters, Lvalue, Rvalue, Value
from rewright.frontends.cuda import cxx  # both sides of an assignment are expressions
from rewright.frontends.cuda.cxx.arithmetic import combined, stepped
from rewright.frontends.cuda.cxx.calls import overloaded
from rewright.frontends.cuda.cxx.conversions import assignable
from rewright.frontends.cuda.cxx.initial import as_type, initial
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import place_of
from rewright.frontends.cuda.reading.tree import text, walk


def assigned(lowering: Lowering, node: Node) -> Value:
    """`target = value` and `target op= value`; the right side is evaluated first (C++17)."""
    emitter = lowering.emitter
    left, right = emitter.child(node, "left"), emitter.child(node, "right")
    operator = text(emitter.child(node, "operator"))
    if right.type == "initializer_list":
        target = place_of(lowering, left)
        value = initial(lowering, target.type, right)
        stored(emitter, lowering.registers, target, value, emitter.place(left))
        return _result(target, value)
    source = loaded(emitter, cxx.expressions.value(lowering, right), emitter.place(right))
    if _changes(left):
        source = Rvalue(source.type, tuple(copied(emitter, leaf, emitter.place(right)) for leaf in source.leaves))
    receiver = cxx.expressions.value(lowering, left)
    if isinstance(receiver.type, StructType):
        found = overloaded(lowering, f"operator{operator}", ((left, receiver), (right, source)), node)
        if found is not None:
            return found
    target = assignable(emitter, receiver, left)
    if operator != "=":
        old = loaded(emitter, target, emitter.place(left))
        source = combined(emitter, operator.removesuffix("=").removesuffix("_eq"), (old, source), node)
    value = as_type(lowering, source, target.type, right)
    stored(emitter, lowering.registers, target, value, emitter.place(left))
    return _result(target, value)


def _changes(node: Node) -> bool:
    """Whether an expression may change variables."""
    return any(inner.type in ("update_expression", "assignment_expression", "call_expression") for inner in walk(node))


def _result(target: Lvalue, value: Rvalue) -> Value:
    """What an assignment gives: the variable, or the value that lies in memory now."""
    return target if isinstance(target, InRegisters) else value


def updated(lowering: Lowering, node: Node) -> Value:
    """`++x`, `x++` and their like."""
    emitter = lowering.emitter
    argument, operator = emitter.child(node, "argument"), text(emitter.child(node, "operator"))
    is_before = node.children[0].type in ("++", "--")
    receiver = cxx.expressions.value(lowering, argument)
    if isinstance(receiver.type, StructType):
        found = overloaded(lowering, f"operator{operator}", ((argument, receiver),), node)
        if found is not None:
            return found
    target = assignable(emitter, receiver, argument)
    old = loaded(emitter, target, emitter.place(argument))
    if not is_before and _is_used(node) and isinstance(target, InRegisters):
        old = Rvalue(old.type, tuple(copied(emitter, leaf, emitter.place(node)) for leaf in old.leaves))
    new = stepped(emitter, operator, old, node)
    stored(emitter, lowering.registers, target, new, emitter.place(argument))
    if not is_before:
        return old
    return _result(target, new)


def _is_used(node: Node) -> bool:
    """Whether the value of an expression is used, and not only what it does."""
    around = node.parent
    while around is not None and around.type == "comma_expression" and around.child_by_field_name("right") == node:
        node, around = around, around.parent
    if around is not None and around.type == "for_statement":
        return around.child_by_field_name("condition") == node
    return around is None or around.type not in ("expression_statement", "comma_expression")
