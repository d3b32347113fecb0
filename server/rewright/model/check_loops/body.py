"""The loops, guards and statements of a nest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rewright.model.check_loops.integers import affine, condition
from rewright.model.check_loops.scope import NestScope
from rewright.model.check_loops.statements import statement
from rewright.model.declared import SymbolKind
from rewright.model.index import Name
from rewright.model.nest import AffineExpression, AffineNumber, NestGuard, NestItem, NestLoop, ParallelMark
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere


def body(scope: NestScope, written: Iterable[nodes.Statement]) -> tuple[NestItem, ...]:
    """The items of a body, those in which something is wrong left out."""
    return tuple(_items(scope, written))


def _items(scope: NestScope, written: Iterable[nodes.Statement]) -> Iterator[NestItem]:
    named = []
    for each in written:
        match each:
            case nodes.Let(targets=(name,), value=value):
                known = affine(scope, value)
                if known is not None and scope.declare(name, SymbolKind.LET, f"let {name.text}"):
                    scope.integers[name.text] = known
                    named.append(name.text)
            case _:
                made = _item(scope, each)
                if made is not None:
                    yield made
    for each_name in named:
        scope.forget(each_name)


def _item(scope: NestScope, written: nodes.Statement) -> NestItem | None:
    match written:
        case nodes.Labelled(label=label, statement=nodes.Assign() as inner):
            return statement(scope, inner, label)
        case nodes.Labelled(statement=nodes.ExprStatement(value=nodes.Missing())):
            return None
        case nodes.Labelled(statement=inner):
            scope.notes.error(CannotStandHere("a label", "an assignment after it"), inner.span)
            return None
        case nodes.Assign():
            return statement(scope, written, None)
        case nodes.For(heads=heads, body=block, parallel=parallel):
            mark = ParallelMark() if parallel is not None else None
            return _loop(scope, heads, block, mark)
        case nodes.If():
            return _guard(scope, written)
        case nodes.ExprStatement(value=nodes.Missing()):
            return None
        case nodes.ExprStatement(value=value):
            scope.notes.error(CannotStandHere(kind_of(value), "a statement"), value.span)
            return None
        case _:
            scope.notes.not_supported("a statement of a loop nest that is no assignment", written.span)
            return None


def _loop(
    scope: NestScope, heads: tuple[nodes.ForHead, ...], block: nodes.Block, parallel: ParallelMark | None
) -> NestItem | None:
    """The loops of one `for`; `parallel` is said of each of them."""
    if not heads:
        return None
    head, rest = heads[0], heads[1:]
    bounds = _range(scope, head.range)
    entered = head.name is not None and scope.iterate(head.name, f"for {head.name.text}")
    if rest:
        inner = _loop(scope, rest, block, parallel)
        items: tuple[NestItem, ...] = (inner,) if inner is not None else ()
    else:
        items = body(scope, block.statements)
    if head.name is None or not entered:
        return None
    scope.forget(head.name.text)
    if bounds is None:
        return None
    low, high, step = bounds
    return NestLoop(Name(head.name.text), low, high, step, items, scope.notes.site(head.span), parallel)


def _range(scope: NestScope, written: nodes.Expression) -> tuple[AffineExpression, AffineExpression, int] | None:
    match written:
        case nodes.Range(low=low, high=high, step=step):
            one, other = affine(scope, low), affine(scope, high)
            by = affine(scope, step) if step is not None else AffineNumber(1)
            if one is None or other is None or by is None:
                return None
            if not isinstance(by, AffineNumber):
                assert step is not None
                scope.notes.unknown("a step that is no number is not affine", step.span)
                return None
            if by.value == 0:
                assert step is not None
                scope.notes.error(CannotStandHere("`0`", "a step that is not 0"), step.span)
                return None
            return one, other, by.value
        case nodes.Missing():
            return None
        case _:
            scope.notes.error(CannotStandHere(kind_of(written), "a range `low..high`"), written.span)
            return None


def _guard(scope: NestScope, written: nodes.If) -> NestItem | None:
    holds = condition(scope, written.condition)
    then = body(scope, written.then.statements)
    otherwise: tuple[NestItem, ...] = ()
    match written.otherwise:
        case nodes.If() as chained:
            inner = _guard(scope, chained)
            otherwise = (inner,) if inner is not None else ()
        case nodes.Block(statements=found):
            otherwise = body(scope, found)
        case None:
            pass
    if holds is None:
        return None
    return NestGuard(holds, then, otherwise, scope.notes.site(written.condition.span))
