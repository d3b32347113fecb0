"""Lemmas of opaque operators, used where one is applied: instances that speak of what was just computed.

Owns which instances are looked at. Each is computed on both sides in block normal form and equated, so what is found
out rests on the lemma alone. One that speaks of a call by itself is looked at first, then those that speak of it and of
one that was computed before, the newest first; where what is taken is a part in the middle of what was taken before,
that is cut in two. Bounded: `MOST_INSTANCES` in all, `MOST_TRIED` calls for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.graphs.blocks import SPREAD, BlockTensor
from rewright.graphs.differences import roots_in
from rewright.graphs.matching import UNDECIDED, LemmaInputs, Matching, below, calls_in
from rewright.graphs.opaque import OPAQUE, is_opaque
from rewright.graphs.operations import Operations
from rewright.graphs.roots import Root
from rewright.graphs.sizes import ONE, at_most, less_size, plus_size
from rewright.model.graph import Concatenate, GraphInput, GraphLemma, Node, OpaqueCall
from rewright.terms import Term

MOST_INSTANCES = 4000
"""Instances of lemmas in one refinement: a layer on 64 ranks takes some hundred."""

MOST_TRIED = 12
"""Calls computed before that one is put beside: with all of them the work would grow with their square."""

MOST_GUESSES = 4
"""Places at which a call that was computed before is cut: each takes an instance of its own."""

MOST_ALIKE = 6
"""Calls that lemmas say a call is equal to, which are put beside others in its place: where operands may change places,
there are twice as many with each call."""

MOST_PARTS = 16
"""Parts that a whole is taken apart to, if it is computed after them: as many as ranks along most axes."""

DEEPEST = 6
"""Lemmas that are used inside of one another: `f(x) => f(f(x))` would have no end."""


class Lemmas(Struct):
    """The lemmas that say something of opaque operators, and the instances that were looked at."""

    lemmas: Sequence[GraphLemma]
    operations: Operations
    _seen: set[object] = field(default_factory=set)

    def relate(self, root: Root) -> None:
        """Equates what lemmas say of what an opaque operator gave."""
        try:
            self._relate(root)
        except UNDECIDED:
            return

    def _relate(self, root: Root) -> None:
        opaques, before = self.operations.opaques, len(self.operations.roots.all)
        if opaques.inside > DEEPEST:
            return
        # All of them, though one would do: only so it is seen that they contradict each other.
        for lemma in self.lemmas:
            self._alone(lemma, root)
        if opaques.inside or root.number in opaques.known:
            return
        made = [each for each in self.operations.roots.all[before:] if is_opaque(each)]
        alike = (root, *made[:MOST_ALIKE])
        for look in (self._across, self._cut):
            if any(look(lemma, each) for each in alike for lemma in self.lemmas):
                return

    def _alone(self, lemma: GraphLemma, root: Root) -> None:
        """Uses instances in which every input is said by one call."""
        matching = Matching(lemma.graph, self.operations)
        for number in self._numbers(lemma, root):
            for bound in self._call(matching, number, root, LemmaInputs()):
                if self._is_complete(lemma, bound):
                    self._use(lemma, matching, bound)

    def _across(self, lemma: GraphLemma, root: Root) -> bool:
        """Looks at instances in which a call and one of the other side that was computed before say all inputs. Two of
        one side would only make a whole that nothing else speaks of."""
        return self._beside(lemma, root, MOST_PARTS)

    def _others(self, lemma: GraphLemma, root: Root) -> list[tuple[int, int]]:
        """Calls that may be the root, each with the calls of the other side."""
        left = below(lemma.graph, lemma.left)
        numbers = self._numbers(lemma, root)
        return [(each, other) for each in numbers for other in calls_in(lemma) if (each in left) != (other in left)]

    def _beside(self, lemma: GraphLemma, root: Root, parts: int) -> bool:
        """Looks at instances in which a call is the root and another one was computed before; whether one of them said
        what the root is, or what it is a part of."""
        for number, other in self._others(lemma, root):
            for bound in self._both(lemma, (number, root), other):
                known, before = len(self.operations.opaques.known), len(self.operations.roots.all)
                self._use(lemma, Matching(lemma.graph, self.operations), bound)
                if self._is_linked(root, known):
                    if parts and self._nodes(lemma, number) > self._nodes(lemma, other):
                        self._rest(lemma, before, parts - 1)
                    return True
        return False

    def _rest(self, lemma: GraphLemma, before: int, parts: int) -> None:
        """What is left of a whole of which a part was known before may have others that were."""
        for each in self.operations.roots.all[before:]:
            if is_opaque(each):
                self._beside(lemma, each, parts)

    def _is_linked(self, root: Root, since: int) -> bool:
        """Whether what became known since then, after so many, speaks of a root."""
        known = self.operations.opaques.known
        added = list(known)[since:]
        return any(each == root.number or root.number in roots_in(known[each]) for each in added)

    def _both(self, lemma: GraphLemma, one: tuple[int, Root], other: int) -> Iterator[LemmaInputs]:
        """What is bound if one call is a root and another one is one that was computed before, the newest first."""
        matching = Matching(lemma.graph, self.operations)
        at = lemma.graph.nodes[other]
        assert isinstance(at, OpaqueCall)
        for known in self._known(at, one[1]):
            # What takes inputs as they are says what the inputs are; then what puts them together can be cut.
            first, second = sorted((one, (other, known)), key=lambda pair: self._computed(lemma, pair[0]))
            for begun in self._call(matching, *first, LemmaInputs()):
                for bound in self._call(matching, *second, begun):
                    if self._is_complete(lemma, bound):
                        yield bound

    def _call(self, matching: Matching, number: int, root: Root, bound: LemmaInputs) -> Iterator[LemmaInputs]:
        call = matching.graph.nodes[number]
        assert isinstance(call, OpaqueCall)
        return matching.call(call, root, bound)

    def _nodes(self, lemma: GraphLemma, number: int) -> int:
        """How much is put together in what a call takes."""
        return len(below(lemma.graph, number))

    def _computed(self, lemma: GraphLemma, number: int) -> int:
        call = lemma.graph.nodes[number]
        assert isinstance(call, OpaqueCall)
        return sum(not isinstance(lemma.graph.nodes[each], GraphInput) for each in call.operands)

    def _cut(self, lemma: GraphLemma, root: Root) -> bool:
        """Cuts calls that were computed before, in which a lemma puts parts together, where the root's operands begin
        in theirs; whether what the root is a part of is known then."""
        for number in self._numbers(lemma, root):
            call = lemma.graph.nodes[number]
            assert isinstance(call, OpaqueCall)
            if not any(isinstance(lemma.graph.nodes[each], Concatenate) for each in call.operands):
                continue
            for known in self._known(call, root):
                for guess in list(dict.fromkeys(self._begins(known, root)))[:MOST_GUESSES]:
                    matching = Matching(lemma.graph, self.operations)
                    bound = next(matching.call(call, known, LemmaInputs(guesses=(guess,))), None)
                    is_new = bound is not None and self._is_complete(lemma, bound) and self._use(lemma, matching, bound)
                    if is_new and self._across(lemma, root):
                        return True
        return False

    def _begins(self, whole: Root, part: Root) -> Iterator[Term]:
        """Where operands of a root may begin in those of another, along any dimension."""
        for due, taken in zip(whole.made.operands, part.made.operands, strict=True):
            for d, size in enumerate(due.shape):
                for at in _places(due, taken, d):
                    if at_most(ONE, at) and at_most(plus_size(at, ONE), size):
                        yield at

    def _numbers(self, lemma: GraphLemma, root: Root) -> list[int]:
        """The calls of a lemma that may be a root, first those that take inputs as they are: a part of what is known is
        more common than the whole."""
        found = [each for each in calls_in(lemma) if _key(lemma.graph.nodes[each]) == root.made.key]
        return sorted(found, key=lambda each: self._computed(lemma, each))

    def _known(self, call: OpaqueCall, root: Root) -> list[Root]:
        """Earlier applications of a call's operator that have to do with the same tensors, those made of the same roots
        first."""
        found = self.operations.opaques.made_like(call.operator, root)
        return [each for each, _ in zip(found, range(MOST_TRIED), strict=False)]

    def _is_complete(self, lemma: GraphLemma, bound: LemmaInputs) -> bool:
        inputs = (number for number, node in enumerate(lemma.graph.nodes) if isinstance(node, GraphInput))
        return all(each in bound.values for each in inputs)

    def _use(self, lemma: GraphLemma, matching: Matching, bound: LemmaInputs) -> bool:
        """Equates both sides of an instance; whether it is one that was not looked at before."""
        key = lemma.name, frozenset(bound.values.items())
        if key in self._seen or len(self._seen) >= MOST_INSTANCES:
            return False
        self._seen.add(key)
        opaques = self.operations.opaques
        opaques.inside += 1
        try:
            values = matching.all_of(range(len(lemma.graph.nodes)), replace(bound, guesses=()))
            opaques.equate(values[lemma.left], values[lemma.right], lemma.name)
            if self._is_number_apart(values[lemma.left], values[lemma.right]):
                opaques.contradict(lemma.name)
        except UNDECIDED:
            return False
        finally:
            opaques.inside -= 1
        return True

    def _is_number_apart(self, left: BlockTensor, right: BlockTensor) -> bool:
        """Whether two tensors that a lemma says are equal differ by a number: no operator satisfies it then."""
        opaques = self.operations.opaques
        difference = opaques.resolved(self.operations.elementwise("subtract", (left, right)))
        values = (self.operations.products.constant_value(each.sum) for each in difference.pieces)
        return any(value for value in values)


def _key(node: Node) -> object:
    return (OPAQUE, node.operator.name) if isinstance(node, OpaqueCall) else None


def _places(due: BlockTensor, taken: BlockTensor, d: int) -> Iterator[Term]:
    """Where a tensor may begin and end in another one along a dimension, by the roots that both are made of."""
    for piece in taken.pieces[:1]:
        for part, _ in piece.sum:
            for other in (each for of in due.pieces for each, _ in of.sum if each.root == part.root):
                for (along, low), (at, start) in zip(part.axes, other.axes, strict=True):
                    if along == at == d != SPREAD:
                        yield less_size(low, start)
