"""`x = concatenate(x0, x1, 0)`: an input of the sequential graph as a clean expression of the distributed one's inputs.

Owns the way back: which part of the sequential input each of those inputs is. They become nodes that are computed from
it, so whoever decides a refinement meets inputs that correspond by their names alone. What the sequential graph does
not say, such as padding, or all terms of a sum but the last, is an input of both graphs that only one of them reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.model.check_graph.expressions import numbers
from rewright.model.check_graph.scope import GraphScope, TensorDimension
from rewright.model.check_graph.sizes import (
    SizePolynomial,
    constant,
    difference,
    index_of,
    scaled,
    shape_text,
    size_of,
    total,
)
from rewright.model.graph import (
    Concatenate,
    Elementwise,
    Graph,
    GraphInput,
    LoopStep,
    Node,
    Reshape,
    Shape,
    Shard,
    Slice,
    Transpose,
    redirected,
)
from rewright.model.index import Index, IndexOperation, IntegerReference, Name
from rewright.model.notes import Notes
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.graphs import SizesDiffer
from rewright.verdict.diagnostics.names import CannotStandHere, NameTaken, TakenBy, UnknownName

CLEAN = "`concatenate`, `transpose`, `reshape`, `slice` or `+` of inputs"

Shards = Mapping[str, Sequence[Shard]]
"""How the ranks hold inputs of the distributed graph that are related, by name."""


def with_relations(
    notes: Notes, graphs: tuple[Graph, Graph], written: Sequence[nodes.Assign], shards: Shards
) -> tuple[Graph, Graph]:
    """The distributed and the sequential graph, with inputs that correspond by their names; what is wrong is noted."""
    distributed, sequential = graphs
    found = _Related(notes, distributed, sequential, shards)
    for each in written:
        found.relate(each)
    return found.graphs() if not notes.has_errors and not notes.unsupported else graphs


class _Related(Struct):
    """The relations read so far: `made` are the nodes from which the distributed graph begins, `inputs` which of them
    its inputs are, `unsaid` what both graphs take and only the distributed one reads."""

    notes: Notes
    distributed: Graph
    sequential: Graph
    shards: Shards
    made: list[Node] = field(default_factory=list)
    inputs: dict[str, int] = field(default_factory=dict)
    unsaid: list[GraphInput] = field(default_factory=list)
    _wholes: dict[str, int] = field(default_factory=dict)

    def relate(self, written: nodes.Assign) -> None:
        """Reads one relation, whatever is wrong with it noted."""
        name = written.target
        known = {each.name: each for each in _inputs(self.sequential)}
        if not isinstance(name, nodes.Name) or written.operator != "=":
            self.notes.error(CannotStandHere(kind_of(name), "an input and `=`"), written.span)
            return
        if name.text not in known:
            self.notes.undeclared(UnknownName("input", name.text, None), name)
            return
        scope = self._scope()
        made = numbers(scope, written.value)
        if made is None:
            return
        whole = known[Name(name.text)]
        due = [size_of(each) for each in whole.shape]
        if [each.size for each in made.dimensions] != due:
            shapes = shape_text(due), shape_text([each.size for each in made.dimensions])
            self.notes.error(SizesDiffer("=", *shapes), written.span)
            return
        if name.text not in self._wholes:
            self._wholes[name.text] = self._add(whole)
        self._back(scope.computed, made.number, self._wholes[name.text], written)

    def _scope(self) -> GraphScope:
        """The inputs of the distributed graph, each as large as all ranks together hold it."""
        sizes = (symbol for node in self.distributed.nodes for each in node.shape for symbol in size_of(each).symbols)
        scope = GraphScope(self.notes, sizes=set(sizes))
        for each in _inputs(self.distributed):
            shape = self._whole_shape(each)
            dimensions = tuple(TensorDimension(size_of(size)) for size in shape)
            scope.tensors[each.name] = scope.add(replace(each, shape=shape), dimensions)
        return scope

    def _whole_shape(self, given: GraphInput) -> Shape:
        ranks = {axis.name: axis.size for axis in self.distributed.mesh}
        shape = list(given.shape)
        for each in self.shards.get(given.name, ()):
            if each.dimension < len(shape):
                whole = scaled(size_of(shape[each.dimension]), Fraction(ranks[each.axis]))
                shape[each.dimension] = index_of(whole, given.site)
        return tuple(shape)

    def _back(self, computed: Sequence[Node], number: int, whole: int, written: nodes.Assign) -> None:
        """From the tensor that a node of the relation is, `whole`, to the inputs that it is made of."""
        node = computed[number]
        match node:
            case GraphInput():
                self._found(node, whole, written)
            case Concatenate(operands=operands, dimension=dimension):
                start = constant(0)
                for each in operands:
                    shape = computed[each].shape
                    begins = [constant(0)] * len(shape)
                    begins[dimension] = start
                    offsets = tuple(index_of(one, node.site) for one in begins)
                    self._back(computed, each, self._add(Slice(whole, offsets, shape, node.site)), written)
                    start = total((start, size_of(shape[dimension])))
            case Transpose(operand=operand, permutation=permutation):
                inverse = tuple(permutation.index(d) for d in range(len(permutation)))
                made = Transpose(whole, inverse, computed[operand].shape, node.site)
                self._back(computed, operand, self._add(made), written)
            case Reshape(operand=operand):
                made_flat = Reshape(whole, computed[operand].shape, node.site)
                self._back(computed, operand, self._add(made_flat), written)
            case Slice(operand=operand, start=begin):
                self._back(computed, operand, self._padded(computed[operand].shape, begin, whole, written), written)
            case Elementwise(operator="add", operands=(left, right)):
                if _sizes(computed[left].shape) == _sizes(computed[right].shape):
                    term = self._unsaid("term", node.shape, written)
                    rest = self._add(Elementwise("subtract", (whole, term), node.shape, node.site))
                    self._back(computed, left, term, written)
                    self._back(computed, right, rest, written)
                else:
                    self.notes.error(CannotStandHere("a sum of tensors of different shapes", CLEAN), written.value.span)
            case _:
                self.notes.error(CannotStandHere("what is not clean", CLEAN), written.value.span)

    def _padded(self, shape: Shape, start: Sequence[Index], whole: int, written: nodes.Assign) -> int:
        """A tensor of which `whole` is the part that begins at `start`; what is around it is not said."""
        for dimension in reversed(range(len(shape))):
            own = self.made[whole].shape
            before = size_of(start[dimension])
            after = difference(difference(size_of(shape[dimension]), before), size_of(own[dimension]))
            parts = []
            for size in (before, None, after):
                if size is None:
                    parts.append(whole)
                elif size.terms:
                    around = (*own[:dimension], index_of(size, 0), *own[dimension + 1 :])
                    parts.append(self._unsaid("padding", around, written))
            if len(parts) > 1:
                made = (*own[:dimension], shape[dimension], *own[dimension + 1 :])
                whole = self._add(Concatenate(tuple(parts), dimension, made, self.made[whole].site))
        return whole

    def _unsaid(self, what: str, shape: Shape, written: nodes.Assign) -> int:
        """An input that the sequential graph has without reading it."""
        assert isinstance(written.target, nodes.Name)
        number, of = len(self.unsaid) + 1, written.target.text
        type_ = next(one.type for one in _inputs(self.sequential) if one.name == of)
        made = GraphInput(Name(f"{what} {number} of {of}"), type_, shape, 0)
        self.unsaid.append(made)
        return self._add(made)

    def _found(self, given: GraphInput, whole: int, written: nodes.Assign) -> None:
        """That an input of the distributed graph is a tensor, of which each rank holds its part."""
        if given.name in self.inputs:
            self.notes.error(NameTaken(given.name, TakenBy.DECLARATION), written.value.span)
            return
        site = next(one.site for one in _inputs(self.distributed) if one.name == given.name)
        ranks = {axis.name: axis.size for axis in self.distributed.mesh}
        for each in self.shards.get(given.name, ()):
            shape = list(self.made[whole].shape)
            own = scaled(size_of(shape[each.dimension]), Fraction(1, ranks[each.axis]))
            shape[each.dimension] = index_of(own, site)
            start = [index_of(constant(0), site) for _ in shape]
            start[each.dimension] = IndexOperation("*", IntegerReference(each.axis, site), index_of(own, site), site)
            whole = self._add(Slice(whole, tuple(start), tuple(shape), site))
        if not self.shards.get(given.name):
            whole = self._add(Reshape(whole, self.made[whole].shape, site))
        self.inputs[given.name] = whole

    def _add(self, node: Node) -> int:
        self.made.append(node)
        return len(self.made) - 1

    def graphs(self) -> tuple[Graph, Graph]:
        """The graphs in which the inputs that were read are computed."""
        to: dict[int, int] = {}
        made = list(self.made)
        for number, node in enumerate(self.distributed.nodes):
            if isinstance(node, GraphInput) and node.name in self.inputs:
                to[number] = self.inputs[node.name]
            else:
                to[number] = len(made)
                made.append(redirected(node, to.__getitem__))
        results = tuple(replace(each, node=to[each.node]) for each in self.distributed.results)
        calls = tuple(
            replace(
                each,
                first=to[each.first],
                stop=to[each.stop - 1] + 1,
                operands=tuple(to[one] for one in each.operands),
                results=tuple(to[one] for one in each.results),
            )
            for each in self.distributed.calls
        )
        loops = tuple(_moved(each, to) for each in self.distributed.loops)
        distributed = replace(
            self.distributed, nodes=tuple(made), results=results, calls=calls, loops=loops, given=len(self.made)
        )
        return distributed, replace(self.sequential, nodes=(*self.sequential.nodes, *self.unsaid))


def _moved(step: LoopStep, to: Mapping[int, int]) -> LoopStep:
    """A step whose nodes are elsewhere, if it has any."""
    first = to[step.first] if step.first < step.stop else 0
    return replace(step, first=first, stop=first + step.stop - step.first)


def _inputs(graph: Graph) -> list[GraphInput]:
    return [each for each in graph.nodes if isinstance(each, GraphInput)]


def _sizes(shape: Shape) -> list[SizePolynomial]:
    return [size_of(each) for each in shape]
