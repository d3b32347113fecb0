"""Statements of a graph: what a name is assigned, and loops, which are gone through step by step.

Owns what a name stands for: outside of loops it is assigned once. In a loop a name from outside of it is carried from
step to step, and keeps its shape; others are of one step. Every step adds nodes of its own, so what comes after knows
nothing of loops but which nodes a step added. Bounded: `MOST_STATEMENTS`, `MOST_NODES`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from rewright.model.check_graph import expressions
from rewright.model.check_graph.expressions import expression
from rewright.model.check_graph.extents import offset
from rewright.model.check_graph.facts import facts
from rewright.model.check_graph.scope import GraphScope, ShapedNode
from rewright.model.check_graph.sizes import SizePolynomial, shape_text, text
from rewright.model.declared import SymbolKind
from rewright.model.graph import LoopStep, StepNumber
from rewright.model.index import Name
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.graphs import CarriedOtherwise, StepsNotKnown, TooManySteps
from rewright.verdict.diagnostics.names import CannotStandHere

MOST_STATEMENTS = 4000
"""Steps of loops, and statements in them, that are gone through: half a second while somebody types."""

MOST_NODES = 20_000
"""Nodes that a graph with loops may have: what a step calls counts as well, and takes its part of the same time."""

_OPERATORS: Mapping[str, nodes.ArithmeticOperator] = MappingProxyType({"+=": "+", "-=": "-", "*=": "*", "/=": "/"})

STATEMENT = "an assignment or a loop"


def statement(scope: GraphScope, item: nodes.Item) -> None:
    """Adds what a statement computes."""
    match item:
        case nodes.Requires():
            scope.facts += facts(scope, item)
        case nodes.For(parallel=None):
            if item.heads:
                _loop(scope, item, 0)
        case nodes.Assign(target=nodes.Name() as name, operator="=", value=value):
            _bind(scope, name, expression(scope, value), new=False)
        case nodes.Let(targets=(name,), type=None, value=value):
            _bind(scope, name, expression(scope, value), new=True)
        case nodes.Assign(target=nodes.Missing()):
            pass
        case nodes.Assign(target=nodes.Tuple(entries=entries), operator="=", value=nodes.Call() as call) if (
            call.callee.text in scope.callees
        ):
            _several(scope, entries, call)
        case nodes.Assign(target=target, operator="="):
            scope.notes.not_supported("an assignment to several names", target.span)
        case nodes.Assign(target=nodes.Name() as name, operator="+=" | "-=" | "*=" | "/=" as sign, value=value) if (
            scope.carries(name.text)
        ):
            whole = nodes.Binary(item.span, name, _OPERATORS[sign], value)
            _bind(scope, name, expression(scope, whole), new=False)
        case nodes.Assign(target=target):
            expected = "`=`, since a name is assigned once, but what a loop carries"
            scope.notes.error(CannotStandHere(f"`{item.operator}`", expected), target.span)
        case nodes.Let():
            scope.notes.not_supported("a `let` of several names or with a type", item.span)
        case _:
            scope.notes.error(CannotStandHere(_kind(item), STATEMENT), item.span)


def assignments(items: Sequence[nodes.Item]) -> Iterator[nodes.Assign | nodes.Let]:
    """The statements of a graph that compute, in the order of the text, those in loops among them."""
    for item in items:
        match item:
            case nodes.Assign() | nodes.Let():
                yield item
            case nodes.For(body=body):
                yield from assignments(body.statements)
            case _:
                pass


def _kind(item: nodes.Item) -> str:
    match item:
        case nodes.ExprStatement(value=value):
            return kind_of(value)
        case nodes.For():
            return "`parallel`"
        case _:
            return f"`{type(item).__name__.lower()}`"


def _several(scope: GraphScope, entries: Sequence[nodes.Argument], call: nodes.Call) -> None:
    """The results of a graph that is called, each under its own name."""
    names = [
        each.value for each in entries if isinstance(each, nodes.Positional) and isinstance(each.value, nodes.Name)
    ]
    found = expressions.results(scope, call)
    if found is not None and not len(found) == len(names) == len(entries):
        scope.notes.error(CannotStandHere(f"{len(entries)} names", f"{len(found)}, one for each result"), call.span)
        found = None
    made_of: Sequence[ShapedNode | None] = found if found is not None else [None for _ in names]
    for name, made in zip(names, made_of, strict=True):
        _bind(scope, name, made, new=False)


def _bind(scope: GraphScope, name: nodes.Name, made: ShapedNode | None, *, new: bool) -> None:
    """Lets a name stand for what was computed: a `new` name, or one that a loop carries."""
    if not new and scope.carries(name.text):
        scope.used(name)
        _carry(scope, name, made)
    elif scope.declare(name, SymbolKind.TENSOR, f"{name.text}: {_shape_text(made)}"):
        scope.tensors[name.text] = made


def _carry(scope: GraphScope, name: nodes.Name, made: ShapedNode | None) -> None:
    before = scope.tensors[name.text]
    if before is None or made is None:
        scope.tensors[name.text] = None
        return
    sizes = [[each.size for each in some.dimensions] for some in (before, made)]
    if sizes[0] != sizes[1]:
        scope.notes.error(CarriedOtherwise(name.text, *map(shape_text, sizes)), name.span)
        return
    if scope.is_truth(before.number) != scope.is_truth(made.number):
        scope.notes.error(CannotStandHere("another kind of elements", f"what `{name.text}` has"), name.span)
        return
    scope.tensors[name.text] = ShapedNode(made.number, before.dimensions)


def _shape_text(made: ShapedNode | None) -> str:
    return shape_text([each.size for each in made.dimensions]) if made is not None else "?"


# --------------------------------------------------------------------------------------------------------------- loops


def _loop(scope: GraphScope, loop: nodes.For, depth: int) -> None:
    """Goes through the steps of one of a loop's heads; those after it are loops in it."""
    head = loop.heads[depth]
    numbers, around = _numbers(scope, head), scope.notes.step
    if head.name is None or numbers is None:
        return
    for number in numbers:
        if _is_too_long(scope, loop):
            break
        before = scope.notes.errors, len(scope.notes.unsupported)
        first, outside = len(scope.computed), set(scope.places)
        if not scope.declare(head.name, SymbolKind.BOUND, f"step {head.name.text} in {_range_text(numbers)}"):
            return
        scope.steps[head.name.text] = number
        scope.outer.append(outside)
        # What is wrong in the first step is mostly wrong in each.
        shown = ", ".join(f"{name} = {at}" for name, at in scope.steps.items())
        scope.notes.step = shown if number != numbers[0] or around is not None else None
        _step(scope, loop, depth)
        scope.outer.pop()
        at = tuple(StepNumber(Name(name), own) for name, own in scope.steps.items())
        scope.loops.append(LoopStep(first, len(scope.computed), at))
        scope.leave(outside)
        if (scope.notes.errors, len(scope.notes.unsupported)) != before or scope.is_full:
            break
    scope.notes.step = around


def _step(scope: GraphScope, loop: nodes.For, depth: int) -> None:
    if depth + 1 < len(loop.heads):
        _loop(scope, loop, depth + 1)
        return
    for each in loop.body.statements:
        if _is_too_long(scope, loop):
            return
        statement(scope, each)


def _is_too_long(scope: GraphScope, loop: nodes.For) -> bool:
    """Counts one more statement or step; whether that is too much, which is noted once."""
    scope.gone_through += 1
    if scope.gone_through > MOST_STATEMENTS or len(scope.computed) > MOST_NODES:
        if not scope.is_full:
            scope.is_full = True
            scope.notes.error(TooManySteps(MOST_STATEMENTS, MOST_NODES), loop.heads[0].span)
        return True
    return False


def _numbers(scope: GraphScope, head: nodes.ForHead) -> range | None:
    """The numbers of the steps; None, noted, if they are not known."""
    match head.range:
        case nodes.Range(low=low, high=high, step=step):
            pass
        case nodes.Missing():
            return None
        case _:
            scope.notes.error(CannotStandHere(kind_of(head.range), "a range such as `0..4`"), head.range.span)
            return None
    found = [offset(scope, each) for each in (low, high, *((step,) if step is not None else ()))]
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    ends = [_whole(each) for each in known]
    whole = [each for each in ends if each is not None]
    if len(whole) < len(ends):
        at = ends.index(None)
        scope.notes.error(StepsNotKnown(text(known[at])), head.range.span)
        return None
    if len(whole) == 3 and whole[2] < 1:
        assert step is not None
        scope.notes.error(CannotStandHere(f"`{whole[2]}`", "a distance of at least 1"), step.span)
        return None
    numbers = range(*whole)
    if not numbers and all(isinstance(each, nodes.Number) for each in (low, high)):
        scope.notes.error(CannotStandHere(f"`{whole[0]}..{whole[1]}`", "a range with a step in it"), head.range.span)
        return None
    return numbers


def _whole(size: SizePolynomial) -> int | None:
    value = size.number
    return int(value) if value is not None and value.denominator == 1 else None


def _range_text(numbers: range) -> str:
    step = f" step {numbers.step}" if numbers.step != 1 else ""
    return f"{numbers.start}..{numbers.stop}{step}"
