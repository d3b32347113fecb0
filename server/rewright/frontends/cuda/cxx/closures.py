"""Lambdas: the text and what it captures. Must not know how one is called."""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.memory import copied
from rewright.emit.types import FUNCTION, Closure, Type
from rewright.emit.values import InRegisters, Rvalue
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope
from rewright.frontends.cuda.cxx.operands import rvalue
from rewright.frontends.cuda.cxx.scopes import FunctionText, Scope
from rewright.frontends.cuda.reading.tree import parts, text, walk


def closure(lowering: Lowering, node: Node) -> Rvalue:
    """The value of a lambda: its captures by copy are copied now."""
    names = lowering.names
    captures = node.child_by_field_name("captures")
    scope = Scope(names.scope)
    for capture in parts(captures) if captures is not None else ():
        match capture.type:
            case "lambda_default_capture" if text(capture) == "=":
                for name in sorted({text(inner) for inner in walk(node) if inner.type == "identifier"}):
                    _copy(lowering, scope, name, node)
            case "identifier" if capture.prev_sibling is None or capture.prev_sibling.type != "&":
                _copy(lowering, scope, text(capture), capture)
            case "lambda_capture_initializer":
                left, right = capture.child_by_field_name("left"), capture.child_by_field_name("right")
                if left is None or right is None:
                    lowering.emitter.refuse_construct(capture, "this capture")
                scope.names[text(left)] = taken = rvalue(lowering, right)
                lowering.registers.hold(taken)
            case _:
                pass
    names.closures.append((FunctionText(node, None, scope),))
    return Rvalue(Closure(len(names.closures) - 1), ())


def function_value(names: NamesInScope, functions: tuple[FunctionText, ...]) -> Rvalue:
    """The value of a function's name: what is passed where a function is called later."""
    if functions not in names.closures:
        names.closures.append(functions)
    return Rvalue(Closure(names.closures.index(functions)), ())


def check_single(lowering: Lowering, kind: Type, value: Type, node: Node) -> None:
    """Refuses one of several functions of a name as a pointer to a function, whose type is not known here."""
    if kind == FUNCTION and isinstance(value, Closure) and len(lowering.names.closures[value.number]) > 1:
        lowering.emitter.refuse_construct(node, "a pointer to one of several functions of a name")


def _copy(lowering: Lowering, scope: Scope, name: str, node: Node) -> None:
    found = lowering.names.scope.find(name)
    if isinstance(found, InRegisters):
        leaves = tuple(copied(lowering.emitter, register, lowering.emitter.place(node)) for register in found.registers)
        scope.names[name] = taken = Rvalue(found.type, leaves)
        lowering.registers.hold(taken)
