"""Inputs of a lemma for which one of its nodes is a given tensor.

Owns the way back from a tensor to the inputs: what was put together is cut, what was moved is moved back, of a sum the
summand that is known is taken away. Sizes of the lemma are found from shapes. What has no way back is computed from the
inputs that are found elsewhere, and compared. Nothing rests on it: an instance is computed anew from what is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.graphs.blocks import SPREAD, BlockTensor, Combination, is_zero, one_piece, sliced, transposed
from rewright.graphs.combinations import NOTHING, squeezed
from rewright.graphs.interpretation import Interpretation
from rewright.graphs.opaque import is_opaque
from rewright.graphs.operations import Operations
from rewright.graphs.roots import Root, whole_of
from rewright.graphs.sizes import (
    ONE,
    ZERO,
    NotComparable,
    NotDivided,
    NotPolynomial,
    NotWithin,
    SizeTerms,
    at_most,
    less_size,
    plus_size,
    quotient,
)
from rewright.model.graph import (
    Concatenate,
    Constant,
    Elementwise,
    Graph,
    GraphInput,
    GraphLemma,
    GraphResult,
    Node,
    OpaqueCall,
    Reshape,
    Spread,
    Transpose,
    operands_of,
    redirected,
)
from rewright.model.index import Index, IndexOperation, IntegerReference, Name, Number
from rewright.terms import Term, multiply

UNDECIDED = NotComparable, NotDivided, NotPolynomial, NotWithin
Values = Mapping[int, BlockTensor]
Sizes = Mapping[Name, Term]


class LemmaInputs(Struct, frozen=True):
    """What is found of a lemma: tensors of its inputs, by their nodes, and its sizes.

    `guesses` are sizes that a first part may have of what was put together, if nothing else says it.
    """

    values: Values = field(default_factory=dict)
    sizes: Sizes = field(default_factory=dict)
    guesses: tuple[Term, ...] = ()


class Matching(Struct):
    """A lemma's graph, and the operations by which tensors are computed."""

    graph: Graph
    operations: Operations

    def node(self, number: int, tensor: BlockTensor, bound: LemmaInputs) -> Iterator[LemmaInputs]:
        """What must be bound, too, for a node to be this tensor."""
        try:
            at = self._shaped(self.graph.nodes[number].shape, tensor.shape, bound)
            if at is not None:
                yield from self._node(number, tensor, at)
        except UNDECIDED:
            return

    def call(self, call: OpaqueCall, root: Root, bound: LemmaInputs) -> Iterator[LemmaInputs]:
        """What must be bound, too, for a call to be this root."""
        yield from self._several(list(zip(call.operands, root.made.operands, strict=True)), bound)

    def _several(self, pairs: Sequence[tuple[int, BlockTensor]], bound: LemmaInputs) -> Iterator[LemmaInputs]:
        if not pairs:
            yield bound
            return
        # What is an input says most, and costs least.
        first = min(pairs, key=lambda pair: not isinstance(self.graph.nodes[pair[0]], GraphInput))
        rest = [each for each in pairs if each is not first]
        for found in self.node(*first, bound):
            yield from self._several(rest, found)

    def _node(self, number: int, tensor: BlockTensor, bound: LemmaInputs) -> Iterator[LemmaInputs]:
        node = self.graph.nodes[number]
        match node:
            case GraphInput():
                if number not in bound.values:
                    yield replace(bound, values={**bound.values, number: tensor})
                elif self._equal(bound.values[number], tensor):
                    yield bound
            case _ if self._is_known(number, bound):
                if self._equal(self.value(number, bound), tensor):
                    yield bound
            case Transpose(operand=operand, permutation=permutation):
                back = [permutation.index(d) for d in range(len(permutation))]
                yield from self.node(operand, transposed(tensor, back), bound)
            case Reshape(operand=operand):
                shape = extents_of(self.graph.nodes[operand].shape, bound.sizes)
                if shape is not None:
                    yield from self.node(operand, self.operations.reshape(tensor, shape), bound)
            case Concatenate():
                yield from self._parts(node, tensor, bound)
            case Spread(operand=operand, dimensions=dimensions):
                flat, varying = _apart(tensor, dimensions)
                if flat is not None and not varying:
                    yield from self.node(operand, _without_others(flat, dimensions), bound)
            case Elementwise():
                yield from self._operand(node, tensor, bound)
            case OpaqueCall(operator=operator):
                root = self._root(tensor)
                if root is not None and root.made.key[1] == operator.name:  # type: ignore[index]
                    yield from self.call(node, root, bound)
            case _:
                return

    def _root(self, tensor: BlockTensor) -> Root | None:
        """The root of an opaque operator that a tensor is, None if it is none."""
        if len(tensor.pieces) != 1 or len(tensor.pieces[0].sum) != 1:
            return None
        ((part, factor),) = tensor.pieces[0].sum
        root = self.operations.roots.all[part.root]
        is_whole = factor == 1 and part == whole_of(root) and tensor.shape == root.shape
        return root if is_whole and is_opaque(root) else None

    def _parts(self, node: Concatenate, tensor: BlockTensor, bound: LemmaInputs) -> Iterator[LemmaInputs]:
        """What must be bound for parts that are put together: one size may be left open, and is what is left."""
        along = [self.graph.nodes[each].shape[node.dimension] for each in node.operands]
        known = [extent(each, bound.sizes) for each in along]
        open_ = [at for at, each in enumerate(known) if each is None]
        if len(open_) > 1:
            for guess in bound.guesses:
                sizes = solved(along[open_[0]], guess, bound.sizes)
                if sizes is not None:
                    yield from self._parts(node, tensor, replace(bound, sizes=sizes))
            return
        if open_:
            rest = tensor.shape[node.dimension]
            for each in known:
                rest = rest if each is None else less_size(rest, each)
            found = solved(along[open_[0]], rest, bound.sizes)
            if found is None:
                return
            bound = replace(bound, sizes=found)
            known[open_[0]] = rest
        start = ZERO
        pairs = []
        for operand, size in zip(node.operands, known, strict=True):
            assert size is not None
            if not at_most(ONE, size):
                return
            begin = [ZERO] * len(tensor.shape)
            begin[node.dimension] = start
            shape = (*tensor.shape[: node.dimension], size, *tensor.shape[node.dimension + 1 :])
            pairs.append((operand, sliced(tensor, begin, shape)))
            start = plus_size(start, size)
        if start is tensor.shape[node.dimension]:
            yield from self._several(pairs, bound)

    def _operand(self, node: Elementwise, tensor: BlockTensor, bound: LemmaInputs) -> Iterator[LemmaInputs]:
        """What must be bound for a sum, a difference or a multiple of which one operand is known."""
        known = [self._is_known(each, bound) for each in node.operands]
        if node.operator == "negate":
            yield from self.node(node.operands[0], self.operations.added([(Fraction(-1), tensor)]), bound)
        open_ = [at for at, is_known in enumerate(known) if not is_known]
        if len(open_) == 2:
            yield from self._summands(node, tensor, bound)
        if len(known) != 2 or len(open_) != 1:
            return
        (at,) = open_
        other = node.operands[1 - at]
        match node.operator, at:
            case "add", _:
                terms = [(Fraction(1), tensor), (Fraction(-1), self.value(other, bound))]
            case "subtract", 0:
                terms = [(Fraction(1), tensor), (Fraction(1), self.value(other, bound))]
            case "subtract", 1:
                terms = [(Fraction(1), self.value(other, bound)), (Fraction(-1), tensor)]
            case "multiply", _:
                number = self._number(other)
                if not number:
                    return
                terms = [(1 / number, tensor)]
            case _:
                return
        yield from self.node(node.operands[at], self.operations.added(terms), bound)

    def _summands(self, node: Elementwise, tensor: BlockTensor, bound: LemmaInputs) -> Iterator[LemmaInputs]:
        """What must be bound for a sum of which one operand is spread: it is all that does not vary along it."""
        spread = [at for at, each in enumerate(node.operands) if isinstance(self.graph.nodes[each], Spread)]
        if node.operator not in ("add", "subtract") or len(spread) != 1:
            return
        (at,) = spread
        number = node.operands[at]
        over = self.graph.nodes[number]
        assert isinstance(over, Spread)
        flat, varying = _apart(tensor, over.dimensions)
        if flat is None or not flat.pieces[0].sum:
            return
        rest = one_piece(tensor.shape, varying)
        if node.operator == "subtract":
            flat, rest = (
                self.operations.added([(Fraction(-1 if at == 1 else 1), flat)]),
                self.operations.added([(Fraction(-1 if at == 0 else 1), rest)]),
            )
        yield from self._several([(number, flat), (node.operands[1 - at], rest)], bound)

    def _number(self, number: int) -> Fraction | None:
        node = self.graph.nodes[number]
        while isinstance(node, Spread):
            node = self.graph.nodes[node.operand]
        return node.value if isinstance(node, Constant) else None

    def _is_known(self, number: int, bound: LemmaInputs) -> bool:
        node = self.graph.nodes[number]
        if isinstance(node, GraphInput):
            return number in bound.values
        return extents_of(node.shape, bound.sizes) is not None and all(
            self._is_known(each, bound) for each in operands_of(node)
        )

    def value(self, number: int, bound: LemmaInputs) -> BlockTensor:
        """A node, all inputs of which are bound. Raises as `Interpretation.run` does."""
        return self.all_of(sorted(below(self.graph, number)), bound)[-1]

    def all_of(self, numbers: Sequence[int], bound: LemmaInputs) -> Sequence[BlockTensor]:
        """Some nodes, with all that they read among them. Raises as `Interpretation.run` does."""
        place = {old: new for new, old in enumerate(numbers)}
        nodes: tuple[Node, ...] = tuple(redirected(self.graph.nodes[each], place.__getitem__) for each in numbers)
        given = {id(nodes[place[old]]): tensor for old, tensor in bound.values.items() if old in place}
        results = (GraphResult(Name(""), len(nodes) - 1),)
        graph = Graph(self.graph.name, (), nodes, results)
        sizes = SizeTerms({}, bound.sizes)
        pass_ = Interpretation(graph, sizes, self.operations, lambda node, rank: given[id(node)])
        return [each[()] for each in pass_.run()]

    def _equal(self, left: BlockTensor, right: BlockTensor) -> bool:
        if left.shape != right.shape:
            return False
        return left == right or is_zero(self.operations.added([(Fraction(1), left), (Fraction(-1), right)]))

    def _shaped(self, shape: Sequence[Index], due: Sequence[Term], bound: LemmaInputs) -> LemmaInputs | None:
        """What must be bound for a shape to be this one, as far as it says it of each size by itself."""
        if len(shape) != len(due):
            return None
        sizes = bound.sizes
        for index, size in zip(shape, due, strict=True):
            if extent(index, sizes) is None and _open(index, sizes) > 1:
                continue
            found = solved(index, size, sizes)
            if found is None:
                return None
            sizes = found
        return replace(bound, sizes=sizes)


def _apart(tensor: BlockTensor, dimensions: Sequence[int]) -> tuple[BlockTensor | None, Combination]:
    """What of a sum varies along some dimensions alone, and the rest of it; None where it is cut along others."""
    if len(tensor.pieces) != 1:
        return None, NOTHING
    total = tensor.pieces[0].sum
    flat = frozenset(each for each in total if {d for d, _ in each[0].axes} <= {SPREAD, *dimensions})
    return one_piece(tensor.shape, flat), total - flat


def _without_others(tensor: BlockTensor, dimensions: Sequence[int]) -> BlockTensor:
    """A tensor in one piece in some of its dimensions: along the others it does not vary."""
    shape = tuple(tensor.shape[d] for d in dimensions)
    return one_piece(shape, squeezed(tensor.pieces[0].sum, dimensions))


def below(graph: Graph, number: int) -> set[int]:
    """A node and all that it is computed from."""
    found = {number}
    for at in range(number, -1, -1):
        found |= set(operands_of(graph.nodes[at])) if at in found else set()
    return found


def calls_in(lemma: GraphLemma) -> list[int]:
    """The nodes of a lemma that are opaque operators."""
    return [number for number, node in enumerate(lemma.graph.nodes) if isinstance(node, OpaqueCall)]


def extents_of(shape: Sequence[Index], sizes: Sizes) -> tuple[Term, ...] | None:
    """A shape at these sizes, None if they do not say it."""
    found = [extent(each, sizes) for each in shape]
    known = tuple(each for each in found if each is not None)
    return known if len(known) == len(found) else None


def extent(index: Index, sizes: Sizes) -> Term | None:
    """An index expression at these sizes, None if they do not say it."""
    if _open(index, sizes):
        return None
    try:
        return SizeTerms({}, sizes).term(index)
    except (NotDivided, NotPolynomial):
        return None


def _open(index: Index, sizes: Sizes) -> int:
    """How often sizes stand in an index that are not known."""
    match index:
        case IntegerReference(name=name):
            return name not in sizes
        case IndexOperation(left=left, right=right):
            return _open(left, sizes) + _open(right, sizes)
        case _:
            return 0


def solved(index: Index, due: Term, sizes: Sizes) -> Sizes | None:
    """The sizes at which an index is what is due: of one size at most it is not known what it is. None if there are
    none, or it is not seen."""
    try:
        match index:
            case IntegerReference(name=name) if name not in sizes:
                return {**sizes, name: due} if at_most(ONE, due) else None
            case IndexOperation(operator=operator, left=left, right=right) if _open(index, sizes):
                one, other = extent(left, sizes), extent(right, sizes)
                return _solved_operand(operator, (left, right), (one, other), due, sizes)
            case Number() | IntegerReference() | IndexOperation():
                return sizes if extent(index, sizes) is due else None
            case _:
                return None
    except (NotDivided, NotPolynomial):
        return None


def _solved_operand(
    operator: str, operands: tuple[Index, Index], known: tuple[Term | None, Term | None], due: Term, sizes: Sizes
) -> Sizes | None:
    (left, right), (one, other) = operands, known
    match operator, one, other:
        case "+", None, Term():
            return solved(left, less_size(due, other), sizes)
        case "+", Term(), None:
            return solved(right, less_size(due, one), sizes)
        case "-", None, Term():
            return solved(left, plus_size(due, other), sizes)
        case "-", Term(), None:
            return solved(right, less_size(one, due), sizes)
        case "*", None, Term():
            return solved(left, quotient(due, other), sizes)
        case "*", Term(), None:
            return solved(right, quotient(due, one), sizes)
        case "//", None, Term():
            return solved(left, multiply(due, other), sizes)
        case _:
            return None
