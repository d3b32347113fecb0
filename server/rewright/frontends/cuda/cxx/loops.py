"""Loops. Invariant: the test of a loop stands before its body, but for `do`. Must not know other statements."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tree_sitter import Node

from rewright.emit.builder import Label
from rewright.emit.emitter import Emitter
from rewright.emit.operators import FALSE, TRUE, unary
from rewright.frontends.cuda import cxx  # the body of a loop is a statement
from rewright.frontends.cuda.cxx.declarations import declaration
from rewright.frontends.cuda.cxx.discarded import discarded
from rewright.frontends.cuda.cxx.lowering import Lowering, NamesInScope
from rewright.frontends.cuda.cxx.operands import truth
from rewright.frontends.cuda.reading.tree import parts
from rewright.model.simt.instructions import Operand
from rewright.model.simt.types import UnaryOperator


def for_loop(lowering: Lowering, node: Node) -> None:
    """`for (initializer; condition; update) body`."""
    with lowering.names.block():
        initializer, update = node.child_by_field_name("initializer"), node.child_by_field_name("update")
        with lowering.emitter.noting():
            if initializer is not None and initializer.type == "declaration":
                declaration(lowering, initializer)
            elif initializer is not None:
                discarded(lowering, initializer)
        _tested(lowering, node, node.child_by_field_name("condition"), update)


def while_loop(lowering: Lowering, node: Node) -> None:
    """`while (condition) body`."""
    with lowering.names.block():
        _tested(lowering, node, written_condition(lowering.emitter, node), None)


def written_condition(emitter: Emitter, node: Node) -> Node:
    """The condition of an `if` or `while`, without the parentheses around it."""
    clause = node.child_by_field_name("condition")
    written = None if clause is None else clause.child_by_field_name("value")
    if written is None:
        emitter.refuse(node, "expected a condition")
    return written


def _tested(lowering: Lowering, node: Node, condition: Node | None, update: Node | None) -> None:
    emitter = lowering.emitter
    head, following, end = Label(), Label(), Label()
    place, builder = emitter.place(node), emitter.builder
    decided: Operand = TRUE
    with builder.loop(place):
        emitter.land(head)
        with emitter.noting():
            decided = _test(lowering, condition)
        if decided not in (TRUE, FALSE):
            builder.branch(decided, end, place if condition is None else emitter.place(condition))
        if decided != FALSE:
            _turn(lowering, node, update, (end, following))
            builder.jump(head, place)
    if decided == FALSE:
        builder.loops.pop()
    emitter.land(end)


def _turn(lowering: Lowering, node: Node, update: Node | None, labels: tuple[Label, Label]) -> None:
    """One pass: the body, which `break` and `continue` leave, then the update."""
    emitter = lowering.emitter
    with _left_by(lowering.names, *labels):
        cxx.statements.statement(lowering, _body(emitter, node))
    emitter.land(labels[1])
    with emitter.noting():
        if update is not None:
            discarded(lowering, update)


def _test(lowering: Lowering, condition: Node | None) -> Operand:
    return TRUE if condition is None else tested(lowering, condition)


def tested(lowering: Lowering, condition: Node) -> Operand:
    """The truth of a condition; what it declares is entered."""
    if condition.type == "declaration":
        declaration(lowering, condition)
        condition = condition.child_by_field_name("declarator") or condition
    return truth(lowering, condition)


def do_loop(lowering: Lowering, node: Node) -> None:
    """`do body while (condition)`: a pass begins at the body, the test ends it."""
    emitter = lowering.emitter
    head, following, end = Label(), Label(), Label()
    builder, condition = emitter.builder, node.child_by_field_name("condition")
    if condition is None:
        emitter.refuse(node, "expected a condition")
    decided: Operand = TRUE
    with builder.loop(emitter.place(node)):
        emitter.land(head)
        with _left_by(lowering.names, end, following):
            cxx.statements.statement(lowering, _body(emitter, node))
        emitter.land(following)
        with emitter.noting():
            place, decided = emitter.place(condition), truth(lowering, condition)
            if decided == TRUE:
                builder.jump(head, place)
            elif decided != FALSE:
                builder.branch(unary(emitter, UnaryOperator.NOT, decided, place), head, place)
    if decided == FALSE:
        builder.loops.pop()
    emitter.land(end)


def _body(emitter: Emitter, node: Node) -> Node:
    body = node.child_by_field_name("body")
    if body is None:
        body = parts(node)[-1] if parts(node) else None
    if body is None:
        emitter.refuse(node, "this loop has no body")
    return body


@contextmanager
def _left_by(names: NamesInScope, end: Label, following: Label) -> Iterator[None]:
    frame = names.frame
    frame.breaks.append(end)
    frame.continues.append(following)
    try:
        yield
    finally:
        frame.breaks.pop()
        frame.continues.pop()
        frame.has_ended = False
