"""Refinements of graphs in sources: what is stated of their tensors, which is checked once the sources are read."""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.check_graph.arguments import monoid
from rewright.model.check_graph.written_text import NO_EXPRESSION, expression_text
from rewright.model.foreign_graph import (
    ForeignGraph,
    ForeignRefinement,
    StatedExpression,
    StatedPartial,
    StatedParts,
    StatedPlacement,
    StatedShard,
)
from rewright.model.graph import Graph
from rewright.model.notes import Notes
from rewright.model.written import kind_of, names_in
from rewright.syntax import nodes
from rewright.syntax.nodes import RefineDecl
from rewright.verdict.diagnostics.graphs import AxisTwice, NoSuchDimension
from rewright.verdict.diagnostics.names import CannotStandHere, NameTaken, TakenBy


def stated_refinement(
    notes: Notes, node: RefineDecl, distributed: Graph | ForeignGraph, sequential: Graph | ForeignGraph
) -> ForeignRefinement:
    """What the refinement states, whatever is wrong with it noted."""
    for pin in node.at:
        notes.not_supported("sizes of a mesh beside a graph from a file", pin.span)
    placed = {item.name.text for item in node.items if isinstance(item, nodes.Placement)}
    parts: list[StatedParts] = []
    related: list[StatedExpression] = []
    equations: list[StatedExpression] = []
    for item in node.items:
        match item:
            case nodes.Assign(target=nodes.Name() as name, operator="=", value=value):
                made = _parts(notes, name, value)
                if made is not None and not placed & set(made.parts):
                    parts.append(made)
                else:
                    related += _expression(notes, item)
            case nodes.Expect(what=nodes.Assign() as equation):
                equations += _expression(notes, equation)
            case nodes.Requires():
                notes.not_supported("what is required of sizes beside a graph from a file", item.span)
            case _:
                pass
    stated = [each for each in node.items if isinstance(each, nodes.Placement)]
    expected = [each.what for each in node.items if isinstance(each, nodes.Expect)]
    results = [each for each in expected if isinstance(each, nodes.Placement)]
    return ForeignRefinement(
        distributed,
        sequential,
        _placements(notes, stated),
        _placements(notes, results),
        tuple(parts),
        tuple(related),
        tuple(equations),
    )


def _expression(notes: Notes, written: nodes.Assign) -> list[StatedExpression]:
    """What is written, as text; nothing, noted, if it is no expression of tensors."""
    if written.operator != "=":
        notes.error(CannotStandHere(f"`{written.operator}`", "`=`"), written.span)
        return []
    if any(isinstance(each, nodes.Missing) for each in (written.target, written.value)):
        return []
    sides = expression_text(written.target), expression_text(written.value)
    if any(NO_EXPRESSION in each for each in sides):
        notes.error(CannotStandHere(kind_of(written.value), "an expression of tensors"), written.value.span)
        return []
    reads = tuple(dict.fromkeys(name.text for name in names_in(written.value)))
    return [StatedExpression(*sides, reads, notes.site(written.span))]


def _parts(notes: Notes, name: nodes.Name, value: nodes.Expression) -> StatedParts | None:
    """An input as inputs of the distributed graph, one after the other; None if it is another expression."""
    site = notes.site(name.span)
    match value:
        case nodes.Name(text=text):
            return StatedParts(name.text, (text,), "0", site)
        case nodes.Call(callee=nodes.Name(text="concatenate"), arguments=(*given, last)):
            named = [each.text for each in map(argument, given) if isinstance(each, nodes.Name)]
            dimension = _dimension(notes, argument(last)) if len(named) == len(given) else None
            if len(named) == len(given) and len(set(named)) == len(named) and named and dimension is not None:
                return StatedParts(name.text, tuple(named), dimension, site)
        case _:
            pass
    return None


def _placements(notes: Notes, stated: Sequence[nodes.Placement]) -> tuple[StatedPlacement, ...]:
    found: dict[str, StatedPlacement] = {}
    for each in stated:
        if each.name.text in found:
            notes.error(NameTaken(each.name.text, TakenBy.DECLARATION), each.name.span)
        else:
            found[each.name.text] = StatedPlacement(each.name.text, _placed(notes, each), notes.site(each.span))
    return tuple(found.values())


def _placed(notes: Notes, written: nodes.Placement) -> tuple[StatedShard | StatedPartial, ...]:
    found: list[StatedShard | StatedPartial] = []
    for each in written.placements:
        match each:
            case nodes.Name(text="replicate") | nodes.Missing():
                continue
            case nodes.Call(callee=nodes.Name(text="shard"), arguments=(one, other)):
                dimension, axis = _dimension(notes, argument(one)), _axis(notes, argument(other))
                made: StatedShard | StatedPartial | None = None
                if dimension is not None and axis is not None:
                    made = StatedShard(dimension, axis, notes.site(each.span))
            case nodes.Call(callee=nodes.Name(text="partial"), arguments=(one, other)):
                combined, axis = monoid(notes, argument(one)), _axis(notes, argument(other))
                if combined is None or axis is None:
                    continue
                made = StatedPartial(combined, axis, notes.site(each.span))
            case _:
                accepted = "`replicate`, `shard(dimension, axis)` or `partial(operator, axis)`"
                notes.error(CannotStandHere(kind_of(each), accepted), each.span)
                continue
        if made is not None and made.axis in (other_.axis for other_ in found):
            notes.error(AxisTwice(made.axis), each.span)
        elif made is not None:
            found.append(made)
    return tuple(found)


def argument(written: nodes.Argument) -> nodes.Expression:
    """The expression that an argument is."""
    match written:
        case nodes.Positional(value=value) | nodes.Keyed(value=value) | nodes.Grouped(value=value):
            return value
        case _:
            return nodes.Missing(written.span)


def _dimension(notes: Notes, written: nodes.Expression) -> str | None:
    match written:
        case nodes.Number(text=text) if text.isdecimal():
            return text
        case nodes.Name(text=text):
            notes.error(NoSuchDimension(text, "a tensor of a source, whose dimensions have numbers"), written.span)
        case nodes.Missing():
            pass
        case _:
            notes.error(CannotStandHere(kind_of(written), "the number of a dimension"), written.span)
    return None


def _axis(notes: Notes, written: nodes.Expression) -> str | None:
    match written:
        case nodes.Name(text=text):
            return text
        case nodes.Missing():
            return None
        case _:
            notes.error(CannotStandHere(kind_of(written), "a mesh axis"), written.span)
            return None
