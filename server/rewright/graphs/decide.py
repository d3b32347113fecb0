"""Decides a refinement: one pass over each graph, then a relation for each result.

Invariant: what is proved holds over the reals for all sizes from 1 that are such multiples as the graphs need, wherever
both graphs are defined. That no relation was found refutes nothing. Source: Entangle, sections 3 and 4; the normal form
takes the place of its search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from rewright.graphs.blocks import BlockTensor
from rewright.graphs.calls import Calls, NotByCalls
from rewright.graphs.combinations import whole_number
from rewright.graphs.decision import (
    Misplaced,
    NoSizes,
    NotDivisible,
    NotRelated,
    RefinementDecision,
    Relation,
    RelationsFound,
    RelationsMissing,
    RelationUnknown,
)
from rewright.graphs.interpretation import Held, Interpretation, Rank
from rewright.graphs.lemmas import Lemmas
from rewright.graphs.operations import Operations
from rewright.graphs.relation import Placements, Recovery, fitting, held_by, monoids_over_ranks, partial_axes
from rewright.graphs.roots import Root, tensor_of
from rewright.graphs.sizes import NotComparable, NotDivided, NotPolynomial, NotWithin, SizeTerms, never, sizes_of
from rewright.model.graph import (
    INTEGERS,
    Collective,
    Concatenate,
    ExpectedEquation,
    Graph,
    GraphInput,
    Placed,
    Refinement,
    Reshape,
    Slice,
    Transpose,
    operands_of,
)
from rewright.model.index import Name
from rewright.terms import subtract


class Passes(Struct, frozen=True):
    """What the nodes of both graphs are, and the operations that made them."""

    sequential: Sequence[Held]
    distributed: Sequence[Held]
    operations: Operations
    sizes: SizeTerms


class DecidedRefinement(Struct, frozen=True):
    """A decision, with the roots that its tensors speak of; `passes` are None if a graph could not be gone through."""

    decision: RefinementDecision
    roots: tuple[Root, ...]
    passes: Passes | None = None

    @property
    def used(self) -> tuple[Name, ...]:
        """The lemmas by which something was found out."""
        return tuple(self.passes.operations.opaques.used) if self.passes is not None else ()

    @property
    def contradicted(self) -> tuple[Name, ...]:
        """The lemmas that no operator satisfies."""
        return tuple(self.passes.operations.opaques.contradicted) if self.passes is not None else ()


class _Misfit(Exception):
    """An input of another shape than its placement makes, at all sizes if `everywhere`."""

    def __init__(self, placed: Placed, *, everywhere: bool) -> None:
        super().__init__(placed.name)
        self.placed = placed
        self.everywhere = everywhere


def decide(asked: Refinement) -> DecidedRefinement:
    """Whether what the ranks hold gives what the sequential graph computes."""
    return _by_calls(asked) or _by_nodes(asked)


def _by_calls(asked: Refinement) -> DecidedRefinement | None:
    """The relations by what is proved of the graphs that are called; None if they are not found so."""
    if not asked.sequential.calls or not asked.distributed.calls or asked.lemmas:
        return None
    operations = Operations()
    try:
        sizes = sizes_of(asked)
        if any(never(fact, sizes) for fact in asked.facts):
            return None
        given, calls = PlacedInputs(asked, operations, sizes), Calls(asked, sizes, operations, _relations_of)
        sequential = Interpretation(asked.sequential, sizes, operations, given.sequential, calls.sequential).run()
        distributed = Interpretation(asked.distributed, sizes, operations, given.distributed, calls.distributed).run()
        passes = Passes(sequential, distributed, operations, sizes)
        decision = _related(asked, passes)
    except (NotByCalls, _Misfit, NotDivided, NotPolynomial, NotWithin, NotComparable):
        return None
    is_proved = isinstance(decision, RelationsFound)
    return DecidedRefinement(decision, tuple(operations.roots.all), passes) if is_proved else None


def _relations_of(asked: Refinement) -> tuple[Relation, ...] | None:
    decision = decide(asked).decision
    return decision.relations if isinstance(decision, RelationsFound) else None


def _by_nodes(asked: Refinement) -> DecidedRefinement:
    operations = Operations()
    if asked.lemmas:
        operations.opaques.relate = Lemmas(asked.lemmas, operations).relate
    passes = None
    try:
        sizes = sizes_of(asked)
        if any(never(fact, sizes) for fact in asked.facts):
            return DecidedRefinement(NoSizes(), ())
        passes = _passed(asked, operations, sizes)
        decision = _related(asked, passes)
    except _Misfit as found:
        name = found.placed.name
        only_some = f"`{name}` has the shape that its placement makes at some sizes only"
        decision = Misplaced(name, found.placed.site) if found.everywhere else RelationUnknown(only_some)
    except NotDivided as error:
        decision = NotDivisible(str(error))
    except NotPolynomial as error:
        decision = RelationUnknown(str(error))
    except NotWithin:
        decision = RelationUnknown("a slice may reach out of its operand at some sizes")
    except NotComparable:
        decision = RelationUnknown("boxes begin or end at sizes of which it is not known which is greater")
    return DecidedRefinement(decision, tuple(operations.roots.all), passes)


def _passed(asked: Refinement, operations: Operations, sizes: SizeTerms) -> Passes:
    given = PlacedInputs(asked, operations, sizes)
    sequential = Interpretation(asked.sequential, sizes, operations, given.sequential).run()
    distributed = Interpretation(asked.distributed, sizes, operations, given.distributed).run()
    return Passes(sequential, distributed, operations, sizes)


def _related(asked: Refinement, passes: Passes) -> RefinementDecision:
    recovery = Recovery(asked.distributed, passes.operations, monoids_over_ranks(asked))
    results = {each.name: passes.distributed[each.node] for each in asked.distributed.results}
    expected = {each.name: each for each in asked.expected}
    stated = {each.left for each in asked.equations if _is_clean(asked.distributed, each.right)}
    related: list[Relation] = []
    open_: list[NotRelated] = []
    for result in asked.sequential.results:
        tensor = passes.sequential[result.node][()]
        found = _relation(recovery, result.name, tensor, (results, expected.get(result.name)))
        if isinstance(found, Relation):
            related.append(found)
        elif result.name in expected or result.node not in stated:
            open_.append(found)
    open_ += [_unequal(each, passes) for each in asked.equations if not _equal(recovery, each, passes)]
    if open_:
        return RelationsMissing(tuple(open_))
    return RelationsFound(tuple(related), tuple(sorted(passes.sizes.multiples.items())))


def _is_clean(graph: Graph, node: int) -> bool:
    """Whether an equation's side only rearranges results, or combines what ranks hold of them."""
    at = graph.nodes[node]
    clean = Slice | Concatenate | Transpose | Reshape | Collective
    return node < graph.own or (isinstance(at, clean) and all(_is_clean(graph, each) for each in operands_of(at)))


def _equal(recovery: Recovery, equation: ExpectedEquation, passes: Passes) -> bool:
    """Whether every rank holds the right side as what the left one is."""
    return _holds(recovery, passes.sequential[equation.left][()], passes.distributed[equation.right], ())


def _unequal(equation: ExpectedEquation, passes: Passes) -> NotRelated:
    left, right = passes.sequential[equation.left][()], passes.distributed[equation.right]
    return NotRelated(equation.name, (), None, left, right, equation.site, equation)


def _relation(
    recovery: Recovery, name: Name, tensor: BlockTensor, among: tuple[Mapping[Name, Held], Placed | None]
) -> Relation | NotRelated:
    results, expected = among
    if expected is not None:
        held = results[expected.name]
        if _holds(recovery, tensor, held, expected.placements):
            return Relation(name, expected.name, expected.placements)
        return NotRelated(
            name, expected.placements, _found(recovery, name, tensor, results), tensor, held, expected.site
        )
    found = _found(recovery, name, tensor, results)
    if found is not None:
        return found
    return NotRelated(name, None, None, tensor, results.get(name) or next(iter(results.values())), 0)


def _holds(recovery: Recovery, tensor: BlockTensor, held: Held, placements: Placements) -> bool:
    found = recovery.tensor(held, placements)
    return found is not None and recovery.equal(found, tensor)


def _found(recovery: Recovery, name: Name, tensor: BlockTensor, results: Mapping[Name, Held]) -> Relation | None:
    """The simplest relation, first to the result of the same name."""
    return next(_relations(recovery, name, tensor, results), None)


def _relations(recovery: Recovery, name: Name, tensor: BlockTensor, results: Mapping[Name, Held]) -> Iterator[Relation]:
    for held_as in sorted(results, key=lambda each: each != name):
        held = results[held_as]
        local = next(iter(held.values())).shape
        for placements in fitting(recovery.graph, tensor.shape, local, recovery.monoids):
            if _holds(recovery, tensor, held, placements):
                yield Relation(name, held_as, placements)


class PlacedInputs(Struct):
    """The inputs of both graphs: a root for each, of which the ranks hold parts."""

    asked: Refinement
    operations: Operations
    sizes: SizeTerms
    _roots: dict[Name, Root] = field(default_factory=dict)

    def sequential(self, node: GraphInput, rank: Rank) -> BlockTensor:
        """An input of the sequential graph."""
        placements = self._placed(node.name).placements
        mesh = self.asked.distributed.mesh
        root = self.operations.roots.new(self.sizes.terms(node.shape), partial_axes(placements, mesh))
        if node.type in INTEGERS:
            self.operations.products.whole.add(root.number)
        self._roots[node.name] = root
        return tensor_of(root)

    def distributed(self, node: GraphInput, rank: Rank) -> BlockTensor:
        """What a rank holds of an input; one that the sequential graph has not is another one on each rank.

        Raises `_Misfit` if the graph takes another shape, and as `held_by` does.
        """
        shape = self.sizes.terms(node.shape)
        root = self._roots.get(node.name)
        if root is None:
            return tensor_of(self.operations.roots.new(shape))
        placed = self._placed(node.name)
        held = held_by(tensor_of(root), placed.placements, self.asked.distributed.mesh, rank)
        if held.shape != shape:
            apart = (whole_number(subtract(one, other)) for one, other in zip(held.shape, shape, strict=False))
            raise _Misfit(placed, everywhere=len(held.shape) != len(shape) or any(apart))
        return held

    def _placed(self, name: Name) -> Placed:
        return next((each for each in self.asked.inputs if each.name == name), Placed(name, (), 0))
