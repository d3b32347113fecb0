"""Refinements: from a declaration's node and the two graphs to its value, or to what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from rewright.model.check_attributes import attributes, check_quantified
from rewright.model.check_graph.arguments import monoid
from rewright.model.check_graph.declaration import graph_at
from rewright.model.check_graph.equations import with_equations
from rewright.model.check_graph.facts import facts
from rewright.model.check_graph.open_graph import OpenGraph
from rewright.model.check_graph.relations import with_relations
from rewright.model.check_graph.scope import Dimensions, GraphScope, TensorDimension, dimension_of
from rewright.model.check_graph.sizes import SizePolynomial, scaled, shape_text, size_of
from rewright.model.check_graph.stated import argument, stated_refinement
from rewright.model.check_graph.used_lemmas import used_lemmas
from rewright.model.conclusion import concluded
from rewright.model.declaration_kind import DeclarationKind
from rewright.model.declared import Declared
from rewright.model.foreign_graph import ForeignGraph, ForeignRefinement
from rewright.model.graph import (
    Graph,
    GraphInput,
    MeshAxis,
    Partial,
    Placed,
    Refinement,
    RefinementFamily,
    Shape,
    Shard,
    SizeFact,
)
from rewright.model.index import Name
from rewright.model.notes import Notes, notes_for
from rewright.model.surroundings import Surroundings
from rewright.model.written import integer_of, kind_of, names_in
from rewright.syntax import nodes
from rewright.syntax.nodes import RefineDecl
from rewright.syntax.text import Span
from rewright.verdict.diagnostics.graphs import (
    AxisTwice,
    AxisWithoutSize,
    InputOfOneGraph,
    PlacementDoesNotFit,
    WrongWithRanks,
)
from rewright.verdict.diagnostics.names import AnotherKind, CannotStandHere, NameTaken, TakenBy, UnknownName

RANKS = "a number of ranks"


def check_refinement(node: RefineDecl, surroundings: Surroundings) -> Declared:
    """The refinement as the model understands it."""
    notes = notes_for(node.head)
    written = attributes(notes, node.head.attributes)
    check_quantified(notes, written, [])
    graphs = [_graph(notes, name, surroundings) for name in (node.head.name, node.target)]
    value: Refinement | RefinementFamily | ForeignRefinement | None = None
    match graphs:
        case [Graph() | OpenGraph() as distributed, Graph() as sequential]:
            value = _refinements(notes, node, distributed, sequential)
        case [Graph() | ForeignGraph() as distributed, Graph() | ForeignGraph() as sequential]:
            value = stated_refinement(notes, node, distributed, sequential)
        case [OpenGraph(), ForeignGraph()]:
            assert node.head.name is not None
            notes.not_supported("a mesh axis of any size beside a graph from a file", node.head.name.span)
        case [_, OpenGraph()]:
            assert node.target is not None
            notes.not_supported("a graph on a mesh as the sequential one", node.target.span)
        case _:
            pass
    lemmas = used_lemmas(notes, node, surroundings)
    match value:
        case Refinement():
            value = replace(value, lemmas=lemmas)
        case RefinementFamily(members=members):
            value = RefinementFamily(tuple(replace(each, lemmas=lemmas) for each in members))
        case ForeignRefinement() if lemmas:
            notes.not_supported("a lemma beside a graph from a file", node.head.word.span)
    if notes.has_errors or notes.unsupported:
        value = None
    names = tuple(name.text if name is not None else "" for name in (node.head.name, node.target))
    declared = concluded(notes, node.head, written, DeclarationKind.REFINEMENT)
    return replace(declared, name=" of ".join(names), value=value, speaks_of=names if value is not None else ())


def _graph(
    notes: Notes, name: nodes.Name | None, surroundings: Surroundings
) -> Graph | OpenGraph | ForeignGraph | None:
    """The graph of this name; None, noted, if there is none that can be asked about."""
    if name is None:
        return None
    kind = surroundings.kind(name.text)
    if kind is None:
        notes.undeclared(UnknownName("declaration", name.text, None), name)
        return None
    if kind in (DeclarationKind.KERNEL, DeclarationKind.LIFT):
        notes.unknown("not supported yet", name.span)
        return None
    declared = surroundings.neighbour(name.text)
    if declared is None or kind is not DeclarationKind.GRAPH:
        notes.error(AnotherKind(name.text, f"a {kind.value}", "a graph", ""), name.span)
        return None
    if isinstance(declared.value, Graph | OpenGraph | ForeignGraph):
        return declared.value
    reason = declared.unsupported[0].reason if declared.unsupported else "it has errors"
    notes.unknown(f"`{name.text}` is not understood: {reason}", name.span)
    return None


def _refinements(
    notes: Notes, node: RefineDecl, distributed: Graph | OpenGraph, sequential: Graph
) -> Refinement | RefinementFamily | None:
    """The refinement, on each mesh that is listed if the graph has open axes; None, noted, if something is wrong."""
    listed = _listed(notes, node, distributed.axes if isinstance(distributed, OpenGraph) else ())
    if isinstance(distributed, Graph):
        return _Check(notes, distributed, sequential).refinement(node)
    members = []
    for chosen in product(*listed.values()) if listed is not None else ():
        ranks = {str(axis): each.size for axis, each in zip(distributed.axes, chosen, strict=True)}
        graph = graph_at(distributed, ranks)
        if not isinstance(graph, Graph):
            last = chosen[-1]
            notes.error(WrongWithRanks(distributed.axes[-1], last.size, distributed.name), last.span)
            return None
        members.append(_Check(notes, graph, sequential).refinement(node))
        if notes.has_errors or notes.unsupported:
            return None
    return RefinementFamily(tuple(members))


class _Ranks(Struct, frozen=True):
    """A number of ranks, and where it stands."""

    size: int
    span: Span


def _listed(notes: Notes, node: RefineDecl, open_axes: Sequence[str]) -> Mapping[str, Sequence[_Ranks]] | None:
    """For each open axis the numbers of ranks along it; None, noted, if one is wrong or missing."""
    found: dict[str, list[_Ranks]] = {axis: [] for axis in open_axes}
    axis: str | None = None
    for each in node.at:
        if isinstance(each, nodes.Keyed):
            axis = each.name.text
            if axis not in found:
                notes.undeclared(UnknownName("mesh axis of any size", axis, None), each.name)
                return None
        value = each.value if isinstance(each, nodes.Keyed) else each
        size = integer_of(value.text) if isinstance(value, nodes.Number) else None
        if axis is None or size is None or size < 1:
            if not isinstance(value, nodes.Missing):
                notes.error(CannotStandHere(kind_of(value), "`axis = ranks`" if axis is None else RANKS), value.span)
            return None
        found[axis].append(_Ranks(size, value.span))
    missing = next((name for name, sizes in found.items() if not sizes), None)
    if missing is not None and node.head.name is not None:
        notes.error(AxisWithoutSize(missing, node.head.name.text), node.head.name.span)
        return None
    return found


class _Check(Struct, frozen=True):
    """The two graphs while what is said of their tensors is checked."""

    notes: Notes
    distributed: Graph
    sequential: Graph

    def refinement(self, node: RefineDecl) -> Refinement:
        """The refinement, whatever is wrong with it noted."""
        if self.sequential.mesh:
            assert node.target is not None
            self.notes.not_supported("a graph on a mesh as the sequential one", node.target.span)
        relations = [each for each in node.items if isinstance(each, nodes.Assign)]
        return self._by_names(node, frozenset()) if not relations else self._related(node, relations)

    def _related(self, node: RefineDecl, relations: Sequence[nodes.Assign]) -> Refinement:
        """The refinement of graphs whose inputs are related by expressions."""
        read = frozenset(name.text for each in relations for name in names_in(each.value))
        stated = [each for each in node.items if isinstance(each, nodes.Placement) and each.name.text in read]
        shapes = _inputs(self.distributed)
        shards: dict[str, tuple[Shard, ...]] = {}
        for each in stated:
            of = tuple(TensorDimension(size_of(size)) for size in shapes.get(each.name.text, ()))
            placements = self._placements(each, of) or ()
            shards[each.name.text] = tuple(one for one in placements if isinstance(one, Shard))
            if any(isinstance(one, Partial) for one in placements):
                self.notes.not_supported("a part of a sum of an input that is related by an expression", each.span)
        graphs = with_relations(self.notes, (self.distributed, self.sequential), relations, shards)
        if self.notes.has_errors or self.notes.unsupported:
            return Refinement(*graphs, (), ())
        return _Check(self.notes, *graphs)._by_names(node, read)

    def _by_names(self, node: RefineDecl, read: frozenset[str]) -> Refinement:
        """The refinement of graphs whose inputs correspond by name; what is said of those that are `read` is known."""
        shapes = _inputs(self.sequential), _inputs(self.distributed)
        placements = [each for each in node.items if isinstance(each, nodes.Placement)]
        stated = [each for each in placements if each.name.text not in read]
        inputs = self._placed(stated, shapes, "input")
        known = [fact for item in node.items if isinstance(item, nodes.Requires) for fact in self._facts(item)]
        expected = [each.what for each in node.items if isinstance(each, nodes.Expect)]
        results = _results(self.sequential), _results(self.distributed)
        outputs = self._placed([each for each in expected if isinstance(each, nodes.Placement)], results, "result")
        self._complete(inputs, shapes, _place(node))
        asked = Refinement(
            self.distributed,
            self.sequential,
            tuple(inputs.values()),
            tuple(outputs.values()),
            (*self.sequential.facts, *self.distributed.facts, *known),
        )
        equations = [each for each in expected if isinstance(each, nodes.Assign)]
        return with_equations(self.notes, asked, equations) if equations else asked

    def _facts(self, item: nodes.Requires) -> list[SizeFact]:
        """What is known of the sizes of both graphs."""
        scope = GraphScope(self.notes, {axis.name: axis for axis in self.distributed.mesh})
        shapes = (each.shape for graph in (self.sequential, self.distributed) for each in graph.nodes)
        scope.sizes.update(symbol for shape in shapes for each in shape for symbol in size_of(each).symbols)
        return facts(scope, item)

    def _complete(
        self, inputs: dict[str, Placed], shapes: tuple[Mapping[str, Shape], Mapping[str, Shape]], span: Span
    ) -> None:
        """Adds the inputs of which nothing is said: each rank holds all of them."""
        sequential, distributed = shapes
        for name in (*sequential, *(name for name in distributed if name not in sequential)):
            if name not in sequential or name not in distributed:
                other = self.distributed if name in sequential else self.sequential
                self.notes.error(InputOfOneGraph(name, other.name), span)
            elif name not in inputs:
                inputs[name] = Placed(Name(name), (), self.notes.site(span))
                self._fits(name, (), (sequential[name], distributed[name]), span)

    def _placed(
        self,
        stated: Sequence[nodes.Placement],
        shapes: tuple[Mapping[str, Shape], Mapping[str, Shape]],
        what: str,
    ) -> dict[str, Placed]:
        """The tensors of which a placement is stated."""
        found: dict[str, Placed] = {}
        sequential, distributed = shapes
        for each in stated:
            name = each.name
            if name.text not in sequential:
                nearest = get_close_matches(name.text, list(sequential), n=1)
                self.notes.undeclared(UnknownName(what, name.text, nearest[0] if nearest else None), name)
            elif name.text not in distributed:
                self.notes.error(InputOfOneGraph(name.text, self.distributed.name), name.span)
            elif name.text in found:
                self.notes.error(NameTaken(name.text, TakenBy.DECLARATION), name.span)
            else:
                of = tuple(TensorDimension(size_of(size)) for size in sequential[name.text])
                placements = self._placements(each, of)
                if placements is not None:
                    self._fits(name.text, placements, (sequential[name.text], distributed[name.text]), each.span)
                found[name.text] = Placed(Name(name.text), placements or (), self.notes.site(each.span))
        return found

    def _placements(self, written: nodes.Placement, of: Dimensions) -> tuple[Shard | Partial, ...] | None:
        """What stands after the colon; None, noted, if something in it is wrong."""
        found: list[Shard | Partial] = []
        for each in written.placements:
            match each:
                case nodes.Name(text="replicate"):
                    continue
                case nodes.Call(callee=nodes.Name(text="shard"), arguments=(one, other)):
                    dimension = dimension_of(self.notes, argument(one), of)
                    axis = self._axis(argument(other))
                    made: Shard | Partial | None = None
                    if dimension is not None and axis is not None:
                        made = Shard(dimension, axis.name)
                case nodes.Call(callee=nodes.Name(text="partial"), arguments=(one, other)):
                    combined, axis = monoid(self.notes, argument(one)), self._axis(argument(other))
                    made = Partial(combined, axis.name) if combined is not None and axis is not None else None
                case nodes.Missing():
                    return None
                case _:
                    accepted = "`replicate`, `shard(dimension, axis)` or `partial(operator, axis)`"
                    self.notes.error(CannotStandHere(kind_of(each), accepted), each.span)
                    return None
            if made is None:
                return None
            if made.axis in (other_.axis for other_ in found):
                self.notes.error(AxisTwice(made.axis), each.span)
                return None
            found.append(made)
        return tuple(found)

    def _axis(self, written: nodes.Expression) -> MeshAxis | None:
        """The mesh axis that is written; None, noted, if there is none."""
        known = {axis.name: axis for axis in self.distributed.mesh}
        match written:
            case nodes.Name(text=text) if text in known:
                return known[Name(text)]
            case nodes.Name(text=text):
                nearest = get_close_matches(text, list(known), n=1)
                self.notes.undeclared(UnknownName("mesh axis", text, nearest[0] if nearest else None), written)
            case nodes.Missing():
                pass
            case _:
                self.notes.error(CannotStandHere(kind_of(written), "a mesh axis"), written.span)
        return None

    def _fits(self, name: str, placements: Sequence[Shard | Partial], shapes: tuple[Shape, Shape], span: Span) -> None:
        """Notes if the shape on each rank is not what the placement makes of the sequential one."""
        whole, given = ([size_of(size) for size in shape] for shape in shapes)
        ranks = {axis.name: axis.size for axis in self.distributed.mesh}
        expected: list[SizePolynomial] = list(whole)
        for each in placements:
            if isinstance(each, Shard):
                expected[each.dimension] = scaled(expected[each.dimension], Fraction(1, ranks[each.axis]))
        if expected != given:
            self.notes.error(PlacementDoesNotFit(name, shape_text(expected), shape_text(given)), span)


def _place(node: RefineDecl) -> Span:
    return node.head.name.span if node.head.name is not None else node.head.word.span


def _inputs(graph: Graph) -> dict[str, Shape]:
    return {each.name: each.shape for each in graph.nodes if isinstance(each, GraphInput)}


def _results(graph: Graph) -> dict[str, Shape]:
    return {each.name: graph.nodes[each.node].shape for each in graph.results}
