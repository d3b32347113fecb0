"""Statements of a kernel in its own syntax: from nodes to those of `model.body`.

Loops over a range evaluate its ends once, as the language has it; a compound assignment evaluates the indices of its
target once. Must not know declarations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from rewright.model.body import (
    Array,
    Assert,
    Assign,
    Assume,
    Atomic,
    Break,
    Continue,
    Evaluate,
    Expression,
    Forget,
    If,
    Integer,
    Load,
    Local,
    Position,
    Return,
    Shuffle,
    Statement,
    Store,
    Variable,
    Vote,
    While,
    parts,
)
from rewright.model.check_kernel.expressions import access, combined, expression, integer, truth
from rewright.model.check_kernel.fitting import fitting
from rewright.model.check_kernel.operations import barrier
from rewright.model.check_kernel.scope import KernelScope
from rewright.model.check_kernel.types import scalar_type
from rewright.model.check_kernel.uniform import array
from rewright.model.conversions import arithmetic, common_type, converted
from rewright.model.declared import SymbolKind
from rewright.model.simt.types import BinaryOperator, Scalar, Space
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import AnotherKind, CannotStandHere, IncompleteDeclaration, WrongPart


def statements(scope: KernelScope, written: Sequence[nodes.Statement]) -> list[Statement]:
    """The statements of a sequence, those that have a meaning."""
    return [made for node in written for made in _statement(scope, node)]


def _block(scope: KernelScope, block: nodes.Block) -> tuple[Statement, ...]:
    with scope.block():
        return tuple(statements(scope, block.statements))


def _statement(scope: KernelScope, node: nodes.Statement) -> Iterator[Statement]:
    match node:
        case nodes.Let():
            yield from _let(scope, node)
        case nodes.Var():
            yield from _var(scope, node)
        case nodes.Assign():
            yield from _assign(scope, node)
        case nodes.If():
            yield from _if(scope, node)
        case nodes.For():
            yield from _for(scope, node, node.heads)
        case nodes.While():
            condition = truth(scope, node.condition)
            with scope.loop():
                body = _block(scope, node.body)
            if condition is not None:
                yield While(condition, body, scope.place(node.span))
        case nodes.Return():
            yield Return(scope.place(node.span))
        case nodes.Assert() | nodes.Assume():
            yield from _claims(scope, node)
        case nodes.ExprStatement():
            yield from _effect(scope, node.value)
        case nodes.Labelled():
            scope.notes.error(CannotStandHere("a label", "a statement"), node.label.span)
            yield from _statement(scope, node.statement)
        case _:
            assert_never(node)


def _let(scope: KernelScope, node: nodes.Let) -> Iterator[Statement]:
    value = expression(scope, node.value)
    if len(node.targets) != 1:
        for target in node.targets:
            scope.declare(target, SymbolKind.LET, None)
        scope.notes.not_supported("a `let` with several names", node.span)
        return
    yield from _declared(scope, node, (node.targets[0], SymbolKind.LET), value)


def _var(scope: KernelScope, node: nodes.Var) -> Iterator[Statement]:
    value = None if node.value is None else expression(scope, node.value)
    if node.name is None:
        return
    if node.type is not None and node.type.shape is not None:
        yield from _local_array(scope, node, node.name, node.type)
        return
    yield from _declared(scope, node, (node.name, SymbolKind.VARIABLE), value)


def _local_array(scope: KernelScope, node: nodes.Var, name: nodes.Name, written: nodes.TypeRef) -> Iterator[Statement]:
    """`var a: f32[8]`: an array that each thread has for itself."""
    if node.value is not None:
        scope.notes.error(IncompleteDeclaration(name.text, WrongPart.ARRAY), node.value.span)
    made = array(scope, name, written, (Space.LOCAL, False))
    scope.declare_array(name, SymbolKind.VARIABLE, made)
    if made is not None and scope.in_loop:
        yield Forget(made.name, scope.place(node.span))


def _declared(
    scope: KernelScope,
    node: nodes.Let | nodes.Var,
    what: tuple[nodes.Name, SymbolKind],
    value: Expression | None,
) -> Iterator[Statement]:
    """A variable of the declared type, or else of its value's."""
    name, kind = what
    scalar = value.type if value is not None else None
    if node.type is not None:
        scalar = scalar_type(scope.notes, node.type)
        if node.type.shape is not None:
            scope.notes.error(CannotStandHere("an array", "a number; an array is a `var`"), node.type.span)
            scalar = None
    elif node.value is None:
        scope.notes.error(CannotStandHere("a variable without type and value", "one of them"), node.span)
    local = scope.variable(name, kind, scalar)
    if local is not None and node.value is None and scope.in_loop:
        yield Forget(local.name, scope.place(node.span))
    if local is not None and value is not None and node.value is not None:
        kept = fitting(scope, value, local.type, node.value)
        if kept is not None:
            yield Assign(local.name, kept, scope.place(node.span))


def _assign(scope: KernelScope, node: nodes.Assign) -> Iterator[Statement]:
    value = expression(scope, node.value)
    match node.target:
        case nodes.Name() as name:
            yield from _assign_variable(scope, node, name, value)
        case nodes.Index() as index:
            found = access(scope, index)
            if found is not None and value is not None:
                yield from _store(scope, node, found, value)
        case nodes.Missing():
            pass
        case other:
            scope.notes.error(CannotStandHere(kind_of(other), "a variable or an element to assign"), other.span)


def _assign_variable(
    scope: KernelScope, node: nodes.Assign, name: nodes.Name, value: Expression | None
) -> Iterator[Statement]:
    entry = scope.look_up(name)
    if entry is None or entry.meaning is None:
        return
    if entry.kind is not SymbolKind.VARIABLE or not isinstance(entry.meaning, Local):
        kind = "an array" if isinstance(entry.meaning, Array) else f"a {entry.kind.value}"
        scope.notes.error(AnotherKind(name.text, kind, "a `var`", ""), name.span)
        return
    local = entry.meaning
    result = _result(scope, node, Variable(local.name, local.type, scope.place(name.span)), value)
    kept = None if result is None else fitting(scope, result, local.type, node.value)
    if kept is not None:
        yield Assign(local.name, kept, scope.place(node.span))


def _result(scope: KernelScope, node: nodes.Assign, old: Expression, value: Expression | None) -> Expression | None:
    """The value to keep: as written, or combined with the old one."""
    if node.operator == "=" or value is None:
        return value
    if Scalar.PRED in (old.type, value.type):
        scope.notes.error(CannotStandHere("a truth", "a number"), node.span)
        return None
    return combined(scope, node.span, node.operator.removesuffix("="), (old, value))


def _store(
    scope: KernelScope, node: nodes.Assign, found: tuple[Array, tuple[Expression, ...]], value: Expression
) -> Iterator[Statement]:
    array, indices = found
    place = scope.place(node.target.span)
    if node.operator != "=":
        once = [_kept(scope, index) for index in indices]
        yield from (statement for statement, _ in once if statement is not None)
        indices = tuple(index for _, index in once)
    result = _result(scope, node, Load(array.name, indices, array.type, place), value)
    kept = None if result is None else fitting(scope, result, array.type, node.value)
    if kept is not None:
        yield Store(array.name, indices, kept, place)


def _kept(scope: KernelScope, value: Expression) -> tuple[Statement | None, Expression]:
    """A value that is evaluated once: itself if that is free, else a variable and its assignment."""
    if isinstance(value, Integer | Position | Variable):
        return None, value
    local = scope.temporary(value.type)
    return Assign(local.name, value, value.place), Variable(local.name, local.type, value.place)


def _if(scope: KernelScope, node: nodes.If) -> Iterator[Statement]:
    condition = truth(scope, node.condition)
    then = _block(scope, node.then)
    match node.otherwise:
        case None:
            otherwise: tuple[Statement, ...] = ()
        case nodes.Block() as block:
            otherwise = _block(scope, block)
        case nodes.If() as another:
            otherwise = tuple(_if(scope, another))
    if condition is not None:
        yield If(condition, then, otherwise, scope.place(node.span))


def _for(scope: KernelScope, node: nodes.For, heads: Sequence[nodes.ForHead]) -> Iterator[Statement]:
    """`for i in low..high step k`, the first head outermost."""
    if node.parallel is not None and len(heads) == len(node.heads):
        scope.notes.error(CannotStandHere("`parallel`", "a loop that a thread runs by itself"), node.parallel)
    if not heads:
        yield from _block(scope, node.body)
        return
    head, *inner = heads
    bounds = _bounds(scope, head)
    with scope.block():
        scalar = None if bounds is None else bounds[0].type
        local = None if head.name is None else scope.variable(head.name, SymbolKind.BOUND, scalar)
        with scope.loop():
            body = tuple(_for(scope, node, inner))
    if bounds is None or local is None:
        return
    low, high, step = bounds
    place = scope.place(head.span)
    first, limit = _kept_always(scope, high)
    second, stride = _kept_always(scope, step)
    index = Variable(local.name, local.type, place)
    yield from (statement for statement in (first, second) if statement is not None)
    yield Assign(local.name, low, low.place)
    advance = Assign(local.name, arithmetic(BinaryOperator.ADD, index, stride, place), place)
    yield While(arithmetic(BinaryOperator.LESS, index, limit, place), body, place, (advance,))


def _kept_always(scope: KernelScope, value: Expression) -> tuple[Statement | None, Expression]:
    """As `_kept`, for a value that must not change while variables do."""
    if isinstance(value, Variable) and value.name in {local.name for local in scope.locals}:
        local = scope.temporary(value.type)
        return Assign(local.name, value, value.place), Variable(local.name, local.type, value.place)
    return _kept(scope, value)


def _bounds(scope: KernelScope, head: nodes.ForHead) -> tuple[Expression, Expression, Expression] | None:
    """Start, end and step of a loop, in one type."""
    written = head.range
    if not isinstance(written, nodes.Range):
        if not isinstance(written, nodes.Missing):
            scope.notes.error(CannotStandHere(kind_of(written), "a range `low..high`"), written.span)
        return None
    low, high = integer(scope, written.low), integer(scope, written.high)
    one = Integer(1, Scalar.S32, scope.place(head.span))
    step = one if written.step is None else integer(scope, written.step)
    if low is None or high is None or step is None:
        return None
    if isinstance(step, Integer) and step.value <= 0 and written.step is not None:
        scope.notes.error(CannotStandHere(f"a step of {step.value}", "a positive step"), written.step.span)
        return None
    common = common_type(common_type(low.type, high.type), step.type)
    return converted(low, common), converted(high, common), converted(step, common)


def _claims(scope: KernelScope, node: nodes.Assert | nodes.Assume) -> Iterator[Statement]:
    make = Assert if isinstance(node, nodes.Assert) else Assume
    for predicate in node.predicates:
        condition = truth(scope, predicate)
        if condition is not None:
            yield make(condition, scope.place(predicate.span))


def _effect(scope: KernelScope, node: nodes.Expression) -> Iterator[Statement]:
    """An expression that stands alone: a barrier, an operation, a word that leaves a loop or a pass of it."""
    match node:
        case nodes.Call() if node.callee.text == "barrier":
            made = barrier(scope, node)
            if made is not None:
                yield made
        case nodes.Name() if node.text in ("break", "continue"):
            yield from _left(scope, node)
        case nodes.Missing():
            pass
        case _:
            yield from _evaluated(scope, node)


def _left(scope: KernelScope, node: nodes.Name) -> Iterator[Statement]:
    if not scope.in_loop:
        scope.notes.error(CannotStandHere(f"`{node.text}`", "it inside a loop"), node.span)
        return
    yield Break(scope.place(node.span)) if node.text == "break" else Continue(scope.place(node.span))


def _evaluated(scope: KernelScope, node: nodes.Expression) -> Iterator[Statement]:
    before = scope.notes.errors + len(scope.notes.unsupported)
    value = expression(scope, node)
    if value is not None and any(isinstance(part, Atomic | Shuffle | Vote) for part in parts(value)):
        yield Evaluate(value, scope.place(node.span))
    elif scope.notes.errors + len(scope.notes.unsupported) == before:
        scope.notes.error(CannotStandHere("an expression without effect", "a statement"), node.span)
