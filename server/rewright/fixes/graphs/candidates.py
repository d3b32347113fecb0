"""Which changes may let a refinement hold, in the order in which they are to be tried.

Owns the kinds of changes: a collective inserted or left out, a scale by the size of an axis, another group, dimension,
offset or placement, another expectation. Those nearest to the operator that departs come first. Must not know whether a
change lets anything hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations

from msgspec import Struct
from msgspec.structs import replace

from rewright.fixes.graphs.expressions import TensorExpression, places, steps_around
from rewright.fixes.graphs.question import Part
from rewright.fixes.graphs.texts import ReadRefinement
from rewright.model.check_graph.collectives import COLLECTIVES
from rewright.model.check_graph.sizes import difference, size_of, text, total
from rewright.model.graph import Slice
from rewright.syntax import nodes
from rewright.syntax.text import Span
from rewright.verdict import Edit, InSource

MOST_TOGETHER = 2
"""Mesh axes over which a collective that is inserted exchanges at once."""

REDUCING = ("all_reduce", "reduce_scatter")
"""Collectives that combine: the tensor is their second argument."""

KINDS = ("leave out", "insert", "exchange", "over", "along", "slice", "scale", "place", "expect")
"""The kinds of changes, those to prefer first."""


class GraphChange(Struct, frozen=True):
    """A titled change of texts. Of one `kind`, one with which the refinement holds is enough."""

    kind: str
    title: str
    edits: tuple[Edit, ...]


def candidates(
    asked: ReadRefinement, departure: int, factor: Fraction | None, found: Iterable[tuple[str, str]]
) -> Iterator[GraphChange]:
    """What may let a refinement hold of which the node `departure` departs, by a `factor` if that is known.

    `found` are results, with the placement by which they are held in the place of the one that is expected.
    """
    ranked: list[tuple[int, int, GraphChange]] = []
    for place in places(asked):
        far = abs(place.node - departure) + (0 if place.is_statement else 2 if place.is_named else 1)
        ranked += [
            (far, KINDS.index(each.kind), each) for each in (*_at(asked, place), *_by_factor(asked, place, factor))
        ]
    ranked += [(len(asked.distributed.nodes), KINDS.index("place"), each) for each in _placements(asked)]
    yield from _expectations(asked, dict(found))
    yield from (each for _, _, each in sorted(ranked, key=lambda it: it[:2]))


def in_called(asked: ReadRefinement, factor: Fraction | None) -> Iterator[GraphChange]:
    """What may let a refinement hold, done in a graph that is called, for all its calls at once; later lines first."""
    for each in asked.called:
        graphs = tuple(replace(member, distributed=each.graph) for member in asked.members)
        alone = replace(
            asked, texts={**asked.texts, "distributed": each.text}, graph=each.node, sites=each.sites, members=graphs
        )
        found = sorted(places(alone), key=lambda place: -place.node)
        for change in (one for place in found for one in (*_at(alone, place), *_by_factor(alone, place, factor))):
            title = f"{change.title}, in `{each.graph.name}`"
            edits = tuple(replace(edit, place=_moved(edit, each.text.uri)) for edit in change.edits)
            yield GraphChange(change.kind, title, edits)


def _moved(edit: Edit, path: str) -> InSource:
    assert isinstance(edit.place, InSource)
    return replace(edit.place, path=path)


def _at(asked: ReadRefinement, place: TensorExpression) -> Iterator[GraphChange]:
    yield from _inserted(asked, place)
    yield from _scaled(asked, place)
    if isinstance(place.written, nodes.Call):
        if place.written.callee.text in COLLECTIVES:
            yield from _left_out(asked, place, place.written)
            yield from _exchanged(asked, place, place.written)
            yield from _over(asked, place.written)
            yield from _pairs(asked, place.written)
        yield from _along(asked, place, place.written)
        yield from _slices(asked, place, place.written)


# ----------------------------------------------------------------------------------------------------- collectives


def _inserted(asked: ReadRefinement, place: TensorExpression) -> Iterator[GraphChange]:
    own = _slice(asked, place.written.span)
    monoids = ["add"] + ["max"] * ("max" in asked.texts["distributed"].text)
    for over in _axes(asked):
        for monoid in monoids:
            yield _inserting(place, f"all_reduce({monoid}, {{}}, over = {over})", own)
        for d in range(place.rank):
            yield _inserting(place, f"all_gather({{}}, {d}, over = {over})", own)
            yield _inserting(place, f"reduce_scatter(add, {{}}, {d}, over = {over})", own)


def _inserting(place: TensorExpression, call: str, own: str) -> GraphChange:
    return _changed("insert", f"Insert `{call.format('…')}`", place.written.span, call.format(own))


def _axes(asked: ReadRefinement) -> Iterator[str]:
    """What may stand after `over =`: an axis, or several in any order."""
    names = [axis.name for axis in asked.distributed.mesh]
    yield from names
    for many in range(2, min(len(names), MOST_TOGETHER) + 1):
        yield from (f"[{', '.join(each)}]" for each in permutations(names, many))


def _left_out(asked: ReadRefinement, place: TensorExpression, call: nodes.Call) -> Iterator[GraphChange]:
    given = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
    at = 1 if call.callee.text in REDUCING else 0
    if at < len(given):
        own = _slice(asked, given[at].span)
        alone = place.is_statement or isinstance(given[at], nodes.Name | nodes.Call)
        yield _changed("leave out", f"Leave out `{call.callee.text}`", call.span, own if alone else f"({own})")


def _exchanged(asked: ReadRefinement, place: TensorExpression, call: nodes.Call) -> Iterator[GraphChange]:
    """Another operator by which ranks are combined, or of these that combine the other one."""
    given = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
    if call.callee.text not in REDUCING or len(given) < 2:
        return
    for monoid in ("add", "max", "min"):
        if monoid != _slice(asked, given[0].span):
            yield _changed("exchange", f"Combine by `{monoid}`", given[0].span, monoid)
    if call.callee.text == "all_reduce":
        at = Span(given[1].span.end, given[1].span.end)
        for d in range(place.rank):
            edits = (_edit(call.callee.span, "reduce_scatter"), _edit(at, f", {d}"))
            yield GraphChange("exchange", f"Scatter along {d}: `reduce_scatter`", edits)
    elif len(given) == 3:
        gone = Span(given[1].span.end, given[2].span.end)
        edits = (_edit(call.callee.span, "all_reduce"), _edit(gone, ""))
        yield GraphChange("exchange", "Do not scatter: `all_reduce`", edits)


def _over(asked: ReadRefinement, call: nodes.Call) -> Iterator[GraphChange]:
    for each in call.arguments:
        if isinstance(each, nodes.Keyed) and each.name.text == "over":
            written = _slice(asked, each.value.span)
            for over in _axes(asked):
                if over != written:
                    yield _changed("over", f"Exchange over `{over}`", each.value.span, over)


def _pairs(asked: ReadRefinement, call: nodes.Call) -> Iterator[GraphChange]:
    """Pairs that go the other way, once around, or to the next."""
    given = {each.name.text: each.value for each in call.arguments if isinstance(each, nodes.Keyed)}
    axis, pairs = given.get("over"), given.get("pairs")
    if not isinstance(axis, nodes.Name) or pairs is None:
        return
    count = next((each.size for each in asked.distributed.mesh if each.name == axis.text), 0)
    for step in dict.fromkeys((1, -1, *range(2, count - 1))):
        for around in (False, True):
            made = [f"({at}, {(at + step) % count})" for at in range(count) if around or 0 <= at + step < count]
            title = f"Send {abs(step)} rank{'s' * (abs(step) > 1)} {'on' if step > 0 else 'back'}{', around' * around}"
            yield _changed("over", title, pairs.span, f"[{', '.join(made)}]")


def _along(asked: ReadRefinement, place: TensorExpression, call: nodes.Call) -> Iterator[GraphChange]:
    """Another dimension of a collective or a concatenation."""
    first = {"all_gather": 1, "reduce_scatter": 2, "all_to_all": 1}.get(call.callee.text)
    given = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
    if call.callee.text == "concatenate":
        first = len(given) - 1
    for written in given[first:] if first is not None else ():
        for d in range(place.rank):
            if _slice(asked, written.span) != str(d):
                yield _changed("along", f"Along dimension {d}", written.span, str(d))


# ---------------------------------------------------------------------------------------------------- slices, scales


def _slices(asked: ReadRefinement, place: TensorExpression, call: nodes.Call) -> Iterator[GraphChange]:
    """The part at the coordinate on an axis, or at a loop's step, or the first one, of the size that is taken; or one
    that the sequential graph takes, and those beside others of the same tensor; also of all slices alike.
    """
    node = asked.distributed.nodes[place.node]
    if not isinstance(node, Slice) or _bounds(call) is None:
        return
    said = _written(asked, call)
    calls_ = (each.written for each in places(asked) if isinstance(each.written, nodes.Call))
    alike = tuple(each for each in calls_ if _written(asked, each) == said)
    for d, extent in enumerate(node.shape):
        own = said[1] if said is not None and said[0] == "0" else text(size_of(extent))
        size = f"({own})" if "+" in own or "-" in own else own
        counted = [f"rank({axis.name})" for axis in asked.distributed.mesh] + steps_around(asked, call.span)
        parts = [(f"{each} * {size}", f"({each} + 1) * {size}") for each in counted]
        for start, limit in dict.fromkeys((*parts, ("0", own), *_other_slices(asked, node, d))):
            title = f"Take the part at `{start}` along dimension {d}"
            for calls in dict.fromkeys(((call,), alike)):
                edits = tuple(
                    _edit(written.span, made)
                    for each in calls
                    for written, made in zip(_bounds(each) or (), (start, limit), strict=True)
                )
                yield GraphChange("slice", f"{title}, in all {len(calls)}" if len(calls) > 1 else title, edits)


def _other_slices(asked: ReadRefinement, at: Slice, d: int) -> Iterator[tuple[str, str]]:
    """Where slices of a size along a dimension start and stop in the sequential graph, and before and after the others
    of the same tensor."""
    size = size_of(at.shape[d])
    for node in asked.members[0].sequential.nodes:
        if isinstance(node, Slice) and d < len(node.shape) and size_of(node.shape[d]) == size:
            start = size_of(node.start[d])
            yield text(start), text(total((start, size)))
    axes = {axis.name for axis in asked.distributed.mesh}
    for node in asked.distributed.nodes:
        if isinstance(node, Slice) and node.operand == at.operand and node != at:
            start = size_of(node.start[d])
            before, after = difference(start, size), total((start, size_of(node.shape[d])))
            if axes.isdisjoint(start.symbols):
                yield text(after), text(total((after, size)))
                yield text(before), text(start)


def _written(asked: ReadRefinement, call: nodes.Call) -> list[str] | None:
    bounds = _bounds(call)
    return None if bounds is None else [_slice(asked, each.span) for each in bounds]


def _bounds(call: nodes.Call) -> tuple[nodes.Expression, nodes.Expression] | None:
    """Where a slice starts and stops, None if it is none."""
    given = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
    return (given[2], given[3]) if call.callee.text == "slice" and len(given) == 4 else None


def _scaled(asked: ReadRefinement, place: TensorExpression) -> Iterator[GraphChange]:
    own = _slice(asked, place.written.span)
    whole = own if isinstance(place.written, nodes.Name | nodes.Call) else f"({own})"
    for axis in asked.distributed.mesh:
        divided, times = f"{whole} / {axis.name}", f"{whole} * {axis.name}"
        if not place.is_statement:
            divided, times = f"({divided})", f"({times})"
        yield _changed("scale", f"Divide by `{axis.name}`", place.written.span, divided)
        yield _changed("scale", f"Multiply by `{axis.name}`", place.written.span, times)
    names = {str(axis.name) for axis in asked.distributed.mesh}
    match place.written:
        case nodes.Binary(left=left, operator="*" | "/" as sign, right=nodes.Name(text=written)) if written in names:
            inner = _slice(asked, left.span)
            kept = inner if isinstance(left, nodes.Name | nodes.Call) else f"({inner})"
            yield _changed("scale", f"Leave out `{sign} {written}`", place.written.span, kept)
        case _:
            pass


def _by_factor(asked: ReadRefinement, place: TensorExpression, factor: Fraction | None) -> Iterator[GraphChange]:
    """Without a factor that a value has too much."""
    if factor is None or factor <= 0 or 1 not in (factor.numerator, factor.denominator):
        return
    sign, number, word = ("/", factor.numerator, "Divide") if factor > 1 else ("*", factor.denominator, "Multiply")
    own = _slice(asked, place.written.span)
    whole = own if isinstance(place.written, nodes.Name | nodes.Call) else f"({own})"
    made = f"{whole} {sign} {number}"
    title = f"{word} by {number}"
    yield _changed("scale", title, place.written.span, made if place.is_statement else f"({made})")


# ------------------------------------------------------------------------------------------ placements, expectations


def _placements(asked: ReadRefinement) -> Iterator[GraphChange]:
    """Another placement of one input that is stated."""
    shapes = {each.name: each for each in asked.members[0].inputs}
    rank = max((len(each.shape) for each in asked.distributed.nodes), default=0)
    for item in asked.refinement.items:
        if isinstance(item, nodes.Placement) and item.name.text in shapes and item.placements:
            span = Span(item.placements[0].span.start, item.placements[-1].span.end)
            before = _slice(asked, span, "refinement")
            for axis in asked.distributed.mesh:
                said = ["replicate", f"partial(add, {axis.name})", *(f"shard({d}, {axis.name})" for d in range(rank))]
                for each in said:
                    if each != before:
                        edit = _edit(span, each, "refinement")
                        yield GraphChange("place", f"Place `{item.name.text}` by `{each}`", (edit,))


def _expectations(asked: ReadRefinement, found: dict[str, str]) -> Iterator[GraphChange]:
    for item in asked.refinement.items:
        stated = item.what if isinstance(item, nodes.Expect) else None
        if isinstance(stated, nodes.Placement) and stated.name.text in found and stated.placements:
            held = found[stated.name.text]
            span = Span(stated.placements[0].span.start, stated.placements[-1].span.end)
            title = f"Expect `{stated.name.text}: {held}`, as it is held"
            yield GraphChange("expect", title, (_edit(span, held, "refinement"),))


def _changed(kind: str, title: str, span: Span, made: str) -> GraphChange:
    return GraphChange(kind, title, (_edit(span, made),))


def _edit(span: Span, made: str, part: Part = "distributed") -> Edit:
    return Edit(InSource(part, span.start, span.end), made)


def _slice(asked: ReadRefinement, span: Span, part: Part = "distributed") -> str:
    return asked.texts[part].slice(span)
