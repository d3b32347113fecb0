"""Known operators in the place of opaque ones, so that a graph can be run.

Owns which formulas are tried: polynomials of the operands, from those that act at each index by itself to those that
mix everything, and what a lemma says an operator is. A stand-in is one of an operator only if every lemma about it is
proved with it in place: then what is shown with it holds of an operator that the lemmas allow. Must not know which
refinement is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice, product

from msgspec import Struct
from msgspec.structs import replace

from rewright.graphs.matching import below
from rewright.model.check_graph.sizes import SizePolynomial, size_of
from rewright.model.graph import (
    Constant,
    Elementwise,
    Graph,
    GraphInput,
    GraphLemma,
    GraphResult,
    Iota,
    Node,
    OpaqueCall,
    OpaqueOperator,
    Placed,
    Reduce,
    Refinement,
    Shape,
    SizeValue,
    Slice,
    Spread,
    Transpose,
    redirected,
)
from rewright.model.index import Index, IndexOperation, IntegerReference, Name, Number

FORMS = ("mixed", "linear in the first", "symmetric", "linear")
"""Polynomials that are tried: any; linear in one operand, for lemmas of sums; the same in all operands."""

MOST_TRIED = 48
"""Choices for an operator, and for all together: of one operator of three dimensions there are 32."""

MOST_KEPT = 4
"""Choices for an operator that are kept: those of all operators are tried in each combination."""


class Polynomial(Struct, frozen=True):
    """A polynomial of the operands, of each index along `by_itself`, dimensions of the result; it is one of FORMS."""

    form: str
    by_itself: tuple[int, ...]


class Formula(Struct, frozen=True):
    """What a lemma says that an operator is: a node of its graph, whose inputs are the operands in this order."""

    lemma: GraphLemma
    node: int
    inputs: tuple[int, ...]


StandIn = Polynomial | Formula
StandIns = Mapping[Name, StandIn]


def opaque_in(graph: Graph) -> dict[Name, OpaqueOperator]:
    """The opaque operators that a graph applies, by name."""
    return {node.operator.name: node.operator for node in graph.nodes if isinstance(node, OpaqueCall)}


def operators_of(asked: Refinement) -> dict[Name, OpaqueOperator]:
    """The opaque operators of a refinement, and those that lemmas relate to them."""
    found = opaque_in(asked.sequential) | opaque_in(asked.distributed)
    for _ in asked.lemmas:
        for each in map(opaque_in, (lemma.graph for lemma in asked.lemmas)):
            found |= each if each.keys() & found.keys() else {}
    return found


def lemmas_about(asked: Refinement) -> list[GraphLemma]:
    """The lemmas that speak of these operators."""
    operators = operators_of(asked)
    return [lemma for lemma in asked.lemmas if opaque_in(lemma.graph).keys() & operators.keys()]


def stand_ins(
    operators: Mapping[Name, OpaqueOperator], lemmas: Sequence[GraphLemma], holds: Callable[[Refinement], bool]
) -> Iterator[StandIns]:
    """Choices of a stand-in for each operator with which every lemma `holds`, the most structured first.

    Each operator is tried by itself at the lemmas about it alone, then all together at the others.
    """
    about = [(lemma, frozenset(opaque_in(lemma.graph))) for lemma in lemmas if opaque_in(lemma.graph)]
    fitting: dict[Name, list[StandIn]] = {}
    for name, operator in operators.items():
        alone = [lemma for lemma, names in about if names == {name}]
        tried = islice(_choices(operator, lemmas), MOST_TRIED)
        fits = (each for each in tried if all(holds(lemma_refinement(lemma, {name: each})) for lemma in alone))
        fitting[name] = list(islice(fits, MOST_KEPT))
    joint = [lemma for lemma, names in about if len(names) > 1]
    together = sorted(
        product(*(range(len(listed)) for listed in fitting.values())), key=lambda chosen: (max(chosen), sum(chosen))
    )
    for chosen in together[:MOST_TRIED]:
        found = {name: listed[at] for (name, listed), at in zip(fitting.items(), chosen, strict=True)}
        if not _goes_round(found) and all(holds(lemma_refinement(lemma, found)) for lemma in joint):
            yield found


def _goes_round(chosen: StandIns) -> bool:
    """Whether the formula of an operator leads back to it: two that are said to be one are not both the other."""
    reached = {name: _applied(each) & chosen.keys() for name, each in chosen.items()}
    for _ in chosen:
        reached = {name: each.union(*(reached[other] for other in each)) for name, each in reached.items()}
    return any(name in each for name, each in reached.items())


def _applied(chosen: StandIn) -> frozenset[Name]:
    """The opaque operators in the formula of another one."""
    if not isinstance(chosen, Formula):
        return frozenset()
    nodes = (chosen.lemma.graph.nodes[each] for each in below(chosen.lemma.graph, chosen.node))
    return frozenset(node.operator.name for node in nodes if isinstance(node, OpaqueCall))


def unsaid(asked: Refinement) -> list[Name]:
    """The operators that one of the graphs applies alone and of which no lemma says what they are.

    That such a one computes something else than the other graph does, nobody has said.
    """
    here, there = opaque_in(asked.sequential), opaque_in(asked.distributed)
    alone = {name: each for name, each in (here | there).items() if name not in here or name not in there}
    return [name for name, each in alone.items() if not any(_formulas(each, asked.lemmas))]


def _choices(operator: OpaqueOperator, lemmas: Sequence[GraphLemma]) -> Iterator[StandIn]:
    formula = next(_formulas(operator, lemmas), None)
    if formula is not None:
        yield formula
        if not _applied(formula):
            return
    dimensions = range(len(operator.shape))
    for form in FORMS:
        for count in range(len(operator.shape), -1, -1):
            for by_itself in combinations(dimensions, count):
                yield Polynomial(form, by_itself)


def _formulas(operator: OpaqueOperator, lemmas: Sequence[GraphLemma]) -> Iterator[Formula]:
    """What lemmas say that an operator is."""
    for lemma in lemmas:
        for side, other in ((lemma.left, lemma.right), (lemma.right, lemma.left)):
            formula = _formula(operator, lemma, side, other)
            if formula is not None:
                yield formula


def _formula(operator: OpaqueOperator, lemma: GraphLemma, side: int, other: int) -> Formula | None:
    """The other side of a lemma of which one is the operator on its inputs, each once."""
    at = lemma.graph.nodes[side]
    inputs = {number for number, node in enumerate(lemma.graph.nodes) if isinstance(node, GraphInput)}
    if not isinstance(at, OpaqueCall) or at.operator.name != operator.name or set(at.operands) != inputs:
        return None
    under = below(lemma.graph, other)
    calls = any(
        isinstance(node, OpaqueCall) and number in under and node.operator.name == operator.name
        for number, node in enumerate(lemma.graph.nodes)
    )
    return Formula(lemma, other, at.operands) if len(at.operands) == len(inputs) and not calls else None


def lemma_refinement(lemma: GraphLemma, chosen: StandIns) -> Refinement:
    """That both sides of a lemma are the same, as a refinement of one by the other."""
    graph, place = put_in(lemma.graph, chosen)
    name = Name("value")
    left = replace(graph, results=(GraphResult(name, place[lemma.left]),))
    right = replace(graph, results=(GraphResult(name, place[lemma.right]),))
    inputs = tuple(Placed(node.name, (), 0) for node in graph.nodes if isinstance(node, GraphInput))
    return Refinement(right, left, inputs, (Placed(name, (), 0),))


def read_with(asked: Refinement, chosen: StandIns) -> Refinement:
    """The refinement with stand-ins in the place of opaque operators."""
    distributed, there = put_in(asked.distributed, chosen)
    sequential, here = put_in(asked.sequential, chosen)
    equations = tuple(replace(each, left=here[each.left], right=there[each.right]) for each in asked.equations)
    return replace(asked, distributed=distributed, sequential=sequential, equations=equations, lemmas=())


def put_in(graph: Graph, chosen: StandIns) -> tuple[Graph, Sequence[int]]:
    """The graph with stand-ins, and where each of its nodes is then."""
    if not chosen:
        return graph, range(len(graph.nodes))
    building = _Building([], chosen)
    place: list[int] = []
    for node in graph.nodes:
        place.append(building.copied(redirected(node, place.__getitem__)))
    results = tuple(replace(each, node=place[each.node]) for each in graph.results)
    added = len(building.nodes) - (place[graph.own] if graph.own < len(place) else len(building.nodes))
    return replace(graph, nodes=tuple(building.nodes), results=results, calls=(), loops=(), added=added), place


class _Building(Struct):
    """The nodes so far."""

    nodes: list[Node]
    chosen: StandIns

    def copied(self, node: Node) -> int:
        """A node, or what stands in for it."""
        if not isinstance(node, OpaqueCall) or node.operator.name not in self.chosen:
            return self._add(node)
        chosen = self.chosen[node.operator.name]
        match chosen:
            case Formula():
                return self._formula(node, chosen)
            case Polynomial():
                return self._polynomial(node, chosen)

    def _add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _formula(self, call: OpaqueCall, formula: Formula) -> int:
        graph = formula.lemma.graph
        sizes: dict[str, Index] = {}
        for number, operand in zip(formula.inputs, call.operands, strict=True):
            for written, size in zip(graph.nodes[number].shape, self.nodes[operand].shape, strict=True):
                _learn(size_of(written), size, sizes)
        place = dict(zip(formula.inputs, call.operands, strict=True))
        for number in sorted(below(graph, formula.node) - set(formula.inputs)):
            node = redirected(graph.nodes[number], place.__getitem__)
            node = replace(node, shape=_shape_at(node.shape, sizes), site=call.site)
            match node:
                case Slice(start=start):
                    node = replace(node, start=_shape_at(start, sizes))
                case SizeValue(value=value):
                    node = replace(node, value=_at(value, sizes))
            place[number] = self.copied(node)
        return place[formula.node]

    def _polynomial(self, call: OpaqueCall, chosen: Polynomial) -> int:
        parts = [each for operand in range(len(call.operands)) for each in self._aligned(call, operand)]
        kept = set(chosen.by_itself)
        along = [self._spread(call, *self._reduced(call, each, set(range(len(call.shape))))) for each in parts]
        within = [self._spread(call, *self._reduced(call, each, kept)) for each in parts]
        factors = [1] * len(along) if chosen.form == "symmetric" else range(2, len(along) + 2)
        total = self._sum(call, along, factors)
        if chosen.form == "linear":
            return total
        if chosen.form == "linear in the first":
            rest = self._sum(call, [self._one(call), *along[1:]], range(1, len(along) + 1))
            mixed = self._sum(call, [self._one(call), *within[1:]], range(1, len(along) + 1))
            one, other = (self._times(call, (along[0], rest)), self._times(call, (within[0], mixed)))
            return self._sum(call, [one, other], (2, 1))
        mixed = self._sum(call, within, factors)
        whole = along[0]
        for each in along[1:]:
            whole = self._times(call, (whole, each))
        return self._sum(call, [total, self._times(call, (mixed, mixed)), whole], (1, 1, 3))

    def _aligned(self, call: OpaqueCall, operand: int) -> Iterator[tuple[int, tuple[int | None, ...]]]:
        """An operand, or where one dimension is several of one of the result its parts; and for each dimension that of
        the result of its size."""
        number, declared = call.operands[operand], call.operator.operands[operand]
        result = [size_of(each) for each in call.operator.shape]
        free = list(range(len(result)))
        to: list[int | None] = []
        for size in map(size_of, declared):
            at = next((d for d in free if result[d] == size), None)
            to.append(at)
            if at is not None:
                free.remove(at)
        for d, size in enumerate(map(size_of, declared)):
            at = next((each for each in free if to[d] is None and _multiple(size, result[each])), None)
            if at is not None:
                shape = list(self.nodes[number].shape)
                shape[d] = call.shape[at]
                places = tuple(at if each == d else old for each, old in enumerate(to))
                for part in range(_multiple(size, result[at])):
                    start: list[Index] = [Number(0, 0)] * len(shape)
                    start[d] = IndexOperation("*", Number(part, 0), call.shape[at], 0)
                    yield self._add(Slice(number, tuple(start), tuple(shape), call.site)), places
                return
        yield number, tuple(to)

    def _reduced(
        self, call: OpaqueCall, part: tuple[int, tuple[int | None, ...]], kept: set[int]
    ) -> tuple[int, tuple[int, ...]]:
        """An operand summed along all dimensions but those kept, each term counted as often as its place says."""
        number, to = part
        gone = tuple(d for d, at in enumerate(to) if at not in kept)
        if gone:
            shape = self.nodes[number].shape
            for d in gone:
                weights = self._add(Iota(d, shape, call.site))
                one = self._spread_to(call, self._add(Constant(Fraction(1), (), call.site)), (), shape)
                weights = self._add(Elementwise("add", (weights, one), shape, call.site))
                number = self._add(Elementwise("multiply", (number, weights), shape, call.site))
            rest = tuple(size for d, size in enumerate(shape) if d not in gone)
            number = self._add(Reduce("add", number, gone, rest, call.site))
        return number, tuple(at for d, at in enumerate(to) if d not in gone and at is not None)

    def _spread(self, call: OpaqueCall, number: int, to: tuple[int, ...]) -> int:
        if list(to) != sorted(to):
            order = tuple(sorted(range(len(to)), key=to.__getitem__))
            shape = tuple(self.nodes[number].shape[d] for d in order)
            number = self._add(Transpose(number, order, shape, call.site))
        return self._spread_to(call, number, tuple(sorted(to)), call.shape)

    def _spread_to(self, call: OpaqueCall, number: int, to: tuple[int, ...], shape: Shape) -> int:
        if to == tuple(range(len(shape))):
            return number
        return self._add(Spread(number, to, shape, call.site))

    def _one(self, call: OpaqueCall) -> int:
        return self._spread_to(call, self._add(Constant(Fraction(1), (), call.site)), (), call.shape)

    def _sum(self, call: OpaqueCall, terms: Sequence[int], factors: Sequence[int]) -> int:
        total: int | None = None
        for term, factor in zip(terms, factors, strict=True):
            if factor != 1:
                number = self._add(Constant(Fraction(factor), (), call.site))
                term = self._times(call, (self._spread_to(call, number, (), call.shape), term))
            total = term if total is None else self._add(Elementwise("add", (total, term), call.shape, call.site))
        assert total is not None
        return total

    def _times(self, call: OpaqueCall, operands: tuple[int, int]) -> int:
        return self._add(Elementwise("multiply", operands, call.shape, call.site))


def _multiple(size: SizePolynomial, of: SizePolynomial) -> int:
    """How often a size is another one, 0 if it is not so often."""
    if not of.terms or not size.terms or [each for each, _ in size.terms] != [each for each, _ in of.terms]:
        return 0
    ratios = {one / other for (_, one), (_, other) in zip(size.terms, of.terms, strict=True)}
    ratio = ratios.pop()
    return int(ratio) if not ratios and ratio.denominator == 1 and 1 < ratio <= 4 else 0


def _learn(written: SizePolynomial, size: Index, sizes: dict[str, Index]) -> None:
    if written.symbol is not None and written.symbol not in sizes:
        ((_, factor),) = written.terms
        found = size
        if factor.numerator != 1:
            found = IndexOperation("//", found, Number(factor.numerator, 0), 0)
        if factor.denominator != 1:
            found = IndexOperation("*", found, Number(factor.denominator, 0), 0)
        sizes[written.symbol] = found


def _shape_at(shape: Shape, sizes: Mapping[str, Index]) -> Shape:
    return tuple(_at(each, sizes) for each in shape)


def _at(index: Index, sizes: Mapping[str, Index]) -> Index:
    match index:
        case IntegerReference(name=name) if name in sizes:
            return sizes[name]
        case IndexOperation(left=left, right=right):
            return replace(index, left=_at(left, sizes), right=_at(right, sizes))
        case _:
            return index
