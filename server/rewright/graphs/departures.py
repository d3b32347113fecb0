"""What is wrong with a result that is not related: where the distributed graph first departs, and how.

Owns the way back from a result that is not held to where it comes from: a node departs whose operands are held as
tensors of the sequential graph are, cleanly, and that is not itself. What is held as a sum over ranks and is read as if
it were whole departs where it became a sum. This explains what replay shows and decides nothing.
"""

from __future__ import annotations

import math
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from rewright.graphs.blocks import BlockTensor
from rewright.graphs.decide import DecidedRefinement
from rewright.graphs.decision import NotRelated
from rewright.graphs.departing import Departing
from rewright.graphs.differences import (
    OTHERWISE,
    Difference,
    Differences,
    apart,
    is_beginning,
    moves,
    roots_in,
    shifted,
    times,
)
from rewright.graphs.holdings import HeldNodes, is_large
from rewright.graphs.interpretation import GraphPlace, Held, Rank
from rewright.graphs.joined import misplaced_part
from rewright.graphs.relation import Placements, fitting, held_by
from rewright.graphs.reshapes import RESHAPE
from rewright.graphs.roots import Root, RootOperation
from rewright.graphs.sizes import NotComparable, NotDivided, NotPolynomial, NotWithin, plus_size
from rewright.model.graph import (
    AllReduce,
    Elementwise,
    Graph,
    GraphInput,
    Partial,
    Permute,
    ReduceScatter,
    Slice,
    Spread,
    operands_of,
)
from rewright.model.index import Name
from rewright.terms import multiply
from rewright.terms import number as number_term
from rewright.verdict import RefinementCauseKind

MOST_INPUTS = 2
"""Inputs that are named: of more it is not seen which of them is placed wrongly."""

UNDECIDED = NotComparable, NotDivided, NotPolynomial, NotWithin


class Departure(Struct, frozen=True):
    """What is wrong at a node of the distributed graph, on a rank.

    `beside` is the node of the sequential graph that it should be like. `origin` is the node at which what it reads
    became a part of a sum over ranks; such a node itself `is_never_summed` if nothing that reads it is combined.
    `inputs` are those whose placement may be what is wrong.
    """

    difference: Difference
    node: int
    rank: Rank
    beside: int | None = None
    origin: int | None = None
    inputs: tuple[Name, ...] = ()
    is_never_summed: bool = False


class Departures:
    """The search in what was found out about a refinement."""

    def __init__(self, decided: DecidedRefinement, holdings: HeldNodes) -> None:
        self.decided, self.holdings = decided, holdings
        if not is_large(holdings.asked):
            self._departing = Departing(holdings)

    @property
    def graph(self) -> Graph:
        """The distributed graph."""
        return self.holdings.asked.distributed

    def of(self, found: NotRelated, result_node: int) -> tuple[Departure, ...]:
        """Why the ranks do not hold a result; `result_node` is what they hold. Follow-ups of one cause are left out.

        In a large graph it is only looked at what the result is made of.
        """
        if is_large(self.holdings.asked):
            return (self._by_roots(found) or Departure(OTHERWISE, result_node, min(found.held)),)
        try:
            return self._departures(found, result_node)
        except UNDECIDED:
            return (Departure(OTHERWISE, result_node, min(found.held)),)

    def _departures(self, found: NotRelated, result_node: int) -> tuple[Departure, ...]:
        results = {each.name: each.node for each in self.holdings.asked.sequential.results}
        due = results[found.result] if found.equation is None else found.equation.left
        held = self._departing.held(result_node)
        if held is not None and held.of == self.holdings.first_of(due):
            return (self._otherwise_held(found, result_node),)
        departing = [self._at(each, found) for each in sorted(self._departing.first(result_node))]
        if all(map(self._is_on_the_way, departing)):
            return tuple([self._in_later_step(each, result_node) for each in departing[:1]])
        return tuple(sorted(departing, key=self._is_on_the_way))

    def _is_on_the_way(self, departure: Departure) -> bool:
        """Whether a step of a loop has a part of a sum, which later steps may add to: said only if nothing else is."""
        in_step = bool(self.graph.step(departure.node))
        return in_step and departure.difference.kind is RefinementCauseKind.UNREDUCED

    def _in_later_step(self, departure: Departure, result_node: int) -> Departure:
        """What is still missing of a sum after the last step of a loop, or counts twice from a step on."""
        due = self._due(departure.node) if departure.beside is None else departure.beside
        found = departure
        for node in sorted(self._read_by(result_node)):
            if self._is_same_in_other_step(node, departure.node):
                rank, difference = self._difference(node, due)
                if difference.kind in (RefinementCauseKind.UNREDUCED, RefinementCauseKind.DOUBLED):
                    found = replace(departure, node=node, rank=rank, difference=difference)
                if difference.kind is RefinementCauseKind.DOUBLED:
                    break
        return found

    def _is_same_in_other_step(self, node: int, other: int) -> bool:
        """Whether a later step computes at a node what another step computes at the other one."""
        return (
            node > other and bool(self.graph.step(node)) and self.graph.nodes[node].site == self.graph.nodes[other].site
        )

    def _at(self, node: int, found: NotRelated) -> Departure:
        """How a node departs of itself."""
        beside = self._departing.pairs.get(node)
        rank, difference = self._difference(node, self._due(node) if beside is None else beside)
        origin, inputs = self._summed_since(node), self._inputs(node)
        departure = Departure(difference, node, rank, beside, origin, inputs)
        other = self._other_slice(node)
        if other is not None:
            return replace(departure, node=other[0], difference=other[1], rank=min(self._held_at(node)))
        joined = misplaced_part(self._departing, self.decided.roots, node)
        if joined is not None:
            return replace(departure, node=joined.node, difference=joined.difference, rank=joined.rank)
        added = self._added_to_parts(node)
        if added is not None:
            return replace(departure, difference=added)
        apart = self._number_apart(node, beside)
        if apart is not None:
            return replace(departure, node=apart[0], difference=apart[1])
        if beside is None and difference is OTHERWISE and isinstance(self.graph.nodes[node], Elementwise):
            return self._by_roots(found) or departure
        part = self._only_part(node, difference)
        return replace(departure, node=part, difference=self._of_slice(part) or difference)

    def _held_at(self, node: int) -> Held:
        return self.holdings.passes.distributed[node]

    def _other_slice(self, node: int) -> tuple[int, Difference] | None:
        """The slice that a node without counterpart reads, where the sequential graph has a node like it, which has no
        counterpart either, that reads another slice of the same tensor."""
        at = self.graph.nodes[node]
        if isinstance(at, Slice):
            return self._beside_slice(node, at)
        pair = self._departing.pairs.get(node)
        written_alike = [pair] if pair is not None else list(self._departing.without_counterpart(node))
        sequential = self.holdings.asked.sequential
        for place, operand in enumerate(operands_of(at)):
            read = self.graph.nodes[operand]
            if isinstance(read, Slice):
                for like in written_alike:
                    one = [sequential.nodes[each] for each in operands_of(sequential.nodes[like])][place : place + 1]
                    difference = self._beside(read, one[0]) if one and isinstance(one[0], Slice) else None
                    if difference is not None:
                        return operand, difference
        return None

    def _of_slice(self, node: int) -> Difference | None:
        """How a slice differs from the one that is its counterpart, None if it is none or has none."""
        at, pair = self.graph.nodes[node], self._departing.pairs.get(node)
        one = self.holdings.asked.sequential.nodes[pair] if pair is not None else None
        return self._beside(at, one) if isinstance(at, Slice) and isinstance(one, Slice) else None

    def _beside_slice(self, node: int, at: Slice) -> tuple[int, Difference] | None:
        """How a slice differs from the only one of its tensor in the sequential graph that has no counterpart."""
        known = {pair for other, pair in self._departing.pairs.items() if other != node}
        nodes = enumerate(self.holdings.asked.sequential.nodes)
        others = [
            each for number, each in nodes if isinstance(each, Slice) and self.holdings.first_of(number) not in known
        ]
        found = [each for each in (self._beside(at, other) for other in others) if each is not None]
        return (node, found[0]) if len(found) == 1 else None

    def _beside(self, at: Slice, one: Slice) -> Difference | None:
        """How a slice, the same on each rank, differs from one of the sequential graph, both of one tensor."""
        of, sizes = self._departing.pairs.get(at.operand), self.holdings.passes.sizes
        if of is None or self.holdings.first_of(one.operand) != of or any(map(self._departing.is_of_rank, at.start)):
            return None
        whole = sizes.terms(self.holdings.asked.sequential.nodes[one.operand].shape)
        places = zip(sizes.terms(at.start), sizes.terms(one.start), sizes.terms(one.shape), whole, strict=True)
        for (taken, due, size, of_all), own in zip(places, sizes.terms(at.shape), strict=True):
            if taken is not due:
                return shifted(of_all, size, taken, due) if own is size else None
        return None

    def _due(self, node: int) -> int | None:
        """The node of the sequential graph of which a node without counterpart reads what ranks hold alone."""
        read = {self._departing.pairs.get(each) for each in self._departing.read(node)}
        return read.pop() if len(read) == 1 else None

    def _by_roots(self, found: NotRelated) -> Departure | None:
        """Where a result is made of what this graph alone computes of what both do, and how that differs."""
        for rank in sorted(found.held):
            root = self._first_departure(found.held[rank], set())
            if root is not None and isinstance(root.place, GraphPlace):
                difference = self._of_root(root)
                return None if difference is OTHERWISE else Departure(difference, root.place.node, root.place.rank)
        return None

    def _added_to_parts(self, node: int) -> Difference | None:
        """That a term counts once on each rank along an axis, if it is added to parts of a sum over it."""
        at = self.graph.nodes[node]
        if not isinstance(at, Elementwise) or at.operator not in ("add", "subtract"):
            return None
        left, right = (set(self._departing.partial_axes(each)) for each in at.operands)
        if (
            any(self._departing.held(each) is None and not self._departing.is_given(each) for each in at.operands)
            or left == right
        ):
            return None
        times = math.prod(map(self._departing.ranks_along, left ^ right))
        return Difference(RefinementCauseKind.DOUBLED, factor=Fraction(times))

    def _only_part(self, node: int, difference: Difference) -> int:
        """The slice that took the part that alone a node reads, beside what ranks hold in whole, or where parts change
        places the last permute that sent it; else the node."""
        taking, seen, due = set(), {node}, [node]
        while due:
            open_ = {each for each in self._departing.read(due.pop()) if self._departing.held(each) is None} - seen
            seen |= open_
            for each in open_:
                at = self.graph.nodes[each]
                if isinstance(at, Slice) or (isinstance(at, Permute) and self._departing.held(self._sent(each))):
                    taking.add(each)
                else:
                    due.append(each)
        if (
            len(taking) != 1
            or isinstance(self.graph.nodes[node], Permute)
            or any(each < self.graph.given for each in seen)
        ):
            return node
        (part,) = taking
        is_moved = difference.kind in (RefinementCauseKind.SHIFTED, RefinementCauseKind.OTHER)
        return part if is_moved or isinstance(self.graph.nodes[part], Slice) else node

    def _sent(self, node: int) -> int:
        """What permutes send on, one after the other."""
        at = self.graph.nodes[node]
        while isinstance(at, Permute):
            node, at = at.operand, self.graph.nodes[at.operand]
        return node

    def _number_apart(self, node: int, beside: int | None) -> tuple[int, Difference] | None:
        """The number that a node reads and that is another one in its counterpart, and by which factor it departs."""
        at = self.graph.nodes[node]
        if beside is None or not isinstance(at, Elementwise):
            return None
        operand = next(filter(self._departing.is_given, at.operands), None)
        like = self._number_beside(node, beside)
        if operand is None or (like is not None and self._is_alike(operand, like)):
            return None
        factor = self._times(operand, like)
        if not factor or at.operator not in ("multiply", "divide"):
            return None if like is None else (self._leaf(operand), OTHERWISE)
        factor = factor if at.operator == "multiply" else 1 / factor
        return self._leaf(operand), Difference(RefinementCauseKind.SCALED, factor=factor)

    def _number_beside(self, node: int, beside: int) -> int | None:
        """The number that a node's counterpart reads, None if it is that of what the node reads."""
        if any(self._departing.pairs.get(each) == beside for each in self._departing.read(node)):
            return None
        operands = operands_of(self.holdings.asked.sequential.nodes[beside])
        return next((each for each in operands if each in self._departing.numbers), None)

    def _times(self, node: int, like: int | None) -> Fraction | None:
        """How many times its counterpart a node is on every rank, or 1 if it has none; None if that is no number."""
        held = self.holdings.passes.distributed[node].values()
        if like is None:
            constant = self.holdings.passes.operations.products.constant_value
            found = {constant(each.pieces[0].sum) if len(each.pieces) == 1 else None for each in held}
        else:
            (due,) = self.holdings.passes.sequential[like].values()
            found = {times(each, due) for each in held}
        return found.pop() if len(found) == 1 else None

    def _leaf(self, node: int) -> int:
        """What is spread over a tensor's shape, if a node does only that."""
        while isinstance(self.graph.nodes[node], Spread):
            (node,) = operands_of(self.graph.nodes[node])
        return node

    def _is_alike(self, node: int, other: int) -> bool:
        """Whether a node is on every rank the combination that a node of the sequential graph is."""
        (due,) = self.holdings.passes.sequential[other].values()
        held = self.holdings.passes.distributed[node].values()
        return all([a.sum for a in each.pieces] == [b.sum for b in due.pieces] for each in held)

    def _summed_since(self, node: int) -> int | None:
        """The node at which what a node reads became a part of a sum over ranks, None if it is none."""
        for operand in operands_of(self.graph.nodes[node]):
            axes = self._departing.partial_axes(operand)
            if axes:
                return self._origin(operand, axes[0])
        return None

    def _origin(self, node: int, axis: Name) -> int:
        """The first node of those that are read in turn which is held as a part of a sum over an axis."""
        while True:
            operands = operands_of(self.graph.nodes[node])
            before = next((each for each in operands if axis in self._departing.partial_axes(each)), None)
            if before is None:
                return node
            node = before

    def _inputs(self, node: int) -> tuple[Name, ...]:
        """The inputs of which a node reads one alone in an operand beside others, or one alone that is not the same on
        all ranks; else all that it reads if they are few."""
        read = [self._below(operand) for operand in operands_of(self.graph.nodes[node])]
        every = tuple(dict.fromkeys(name for names in read for name in names))
        if len(read) == 1 and len(every) <= MOST_INPUTS:
            return every
        placed = {each.name for each in self.holdings.asked.inputs if each.placements}
        alone = ([name for name in names if name in placed or len(names) == 1] for names in read)
        found = tuple(dict.fromkeys(each[0] for each in alone if len(each) == 1))
        return found or (every if len(every) <= MOST_INPUTS else ())

    def _below(self, node: int) -> list[Name]:
        """The inputs that a node is made of."""
        nodes = (self.graph.nodes[each] for each in sorted(self._read_by(node)))
        return [each.name for each in nodes if isinstance(each, GraphInput)]

    def _read_by(self, node: int) -> set[int]:
        """The nodes that a node is made of, with itself."""
        found, due = {node}, [node]
        while due:
            more = set(operands_of(self.graph.nodes[due.pop()])) - found
            found |= more
            due += more
        return found

    def _difference(self, node: int, beside: int | None) -> tuple[Rank, Difference]:
        held = self.holdings.passes.distributed[node]
        for rank in sorted(held):
            root = self._first_departure(held[rank], set())
            difference = self._of_root(root) if root is not None else OTHERWISE
            if difference is OTHERWISE and beside is not None:
                due = self.holdings.passes.sequential[beside][()]
                difference = Differences(self.decided.roots).between(held[rank], due)
                if difference.kind is RefinementCauseKind.SHIFTED:
                    difference = self._beside_share(held[rank], due, rank) or difference
            if difference is not OTHERWISE:
                return rank, difference
        ranks = sorted(held)
        if beside is not None and len(ranks) > 1:
            due = self.holdings.passes.sequential[beside][()]
            if all(is_beginning(each, due) for each in held.values()):
                return ranks[1], Difference(RefinementCauseKind.SHIFTED)
        return ranks[0], OTHERWISE

    def _beside_share(self, held: BlockTensor, due: BlockTensor, rank: Rank) -> Difference | None:
        """How a part of a tensor differs from the share that the rank has; None if it is cut into no such ones."""
        for d, move in moves(held, due, self.decided.roots).items():
            for axis, coordinate in zip(self.graph.mesh, rank, strict=True):
                start = multiply(number_term(coordinate), move.size)
                if multiply(number_term(axis.size), move.size) is due.shape[d] and move.by is not start:
                    return shifted(move.whole, move.size, plus_size(move.due, move.by), plus_size(move.due, start))
        return None

    def _otherwise_held(self, found: NotRelated, result_node: int) -> Departure:
        """How a result that some tensor of the sequential graph is, is not the one that is expected."""
        placements = found.expected
        if placements is None:
            local = next(iter(found.held.values())).shape
            placements = next(fitting(self.graph, found.sequential.shape, local), ())
        for rank in sorted(found.held):
            departure = self._on(rank, found, (result_node, placements))
            if departure is not None:
                break
        else:
            departure = Departure(OTHERWISE, result_node, min(found.held))
        departure = replace(departure, inputs=self._inputs(result_node))
        stated = [each.axis for each in placements if isinstance(each, Partial)]
        axes = [each for each in self._departing.partial_axes(result_node) if each not in stated]
        if not axes:
            return departure
        origin = self._origin(result_node, axes[0])
        held = self._departing.held(origin)
        rank, difference = self._difference(origin, None if held is None else held.of)
        if difference.kind is not RefinementCauseKind.UNREDUCED:
            rank, difference = departure.rank, departure.difference
        never = difference.kind is RefinementCauseKind.UNREDUCED and not self._is_summed(origin, axes[0])
        return replace(departure, node=origin, rank=rank, difference=difference, is_never_summed=never)

    def _is_summed(self, node: int, axis: Name) -> bool:
        """Whether something that reads a node, directly or not, is combined over an axis."""
        reading = {node}
        for number, each in enumerate(self.graph.nodes):
            if reading.isdisjoint(operands_of(each)):
                continue
            if isinstance(each, AllReduce | ReduceScatter) and axis in each.axes:
                return True
            reading.add(number)
        return False

    def _on(self, rank: Rank, found: NotRelated, claim: tuple[int, Placements]) -> Departure | None:
        """Why a rank does not hold its part, None if it does."""
        result_node, placements = claim
        try:
            due = held_by(found.sequential, placements, self.graph.mesh, rank)
        except UNDECIDED:
            return None
        if found.held[rank] == due:
            return None
        return Departure(Differences(self.decided.roots).between(found.held[rank], due), result_node, rank)

    def _first_departure(self, tensor: BlockTensor, seen: set[int]) -> Root | None:
        """The first root below a tensor that the distributed graph made, of operands that it did not make."""
        for number in sorted(roots_in(tensor)):
            root = self.decided.roots[number]
            if number in seen or not isinstance(root.place, GraphPlace) or root.place.graph != self.graph.name:
                continue
            seen.add(number)
            if not root.made.operands:
                continue
            below = (self._first_departure(each, seen) for each in root.made.operands)
            return next((each for each in below if each is not None), root)
        return None

    def _of_root(self, root: Root) -> Difference:
        """The first difference of a root's operands from those of the sequential root that is made most alike."""
        for other in self.decided.roots:
            if other.made.key == root.made.key and other is not root and self._is_sequential(other):
                pairs = list(zip(root.made.operands, other.made.operands, strict=True))
                if all(roots_in(held) == roots_in(due) for held, due in pairs):
                    found = [Differences(self.decided.roots).between(held, due) for held, due in pairs]
                    first = next((each for each in found if each is not OTHERWISE), found[0])
                    if first.kind in (RefinementCauseKind.SHIFTED, RefinementCauseKind.OTHER):
                        share = root.place.rank if isinstance(root.place, GraphPlace) else ()
                        first = apart((root, other), self.decided.roots, share) or first
                    return first if first.factor is None or _is_linear(root.made) else OTHERWISE
        return OTHERWISE

    def _is_sequential(self, root: Root) -> bool:
        return isinstance(root.place, GraphPlace) and root.place.graph != self.graph.name


def _is_linear(made: RootOperation) -> bool:
    """Whether an operation makes a multiple of a multiple: exp(2x) is not twice exp(x)."""
    key = made.key[0] if isinstance(made.key, tuple) else made.key
    return key in ("dot", "reduce", RESHAPE) and made.monoid == "add"
