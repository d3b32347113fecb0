"""Roots: the tensors that the normal form names, each found again wherever it, or a part of it, is computed.

Owns the table of roots. A root is keyed by its operator and by what its operands are made of, without offsets. An
operation on parts of the operands of a root gives a part of that root; `MatchedOperand` says which, or which of the
root's terms are combined. Where no root fits, the operation is a new root. Must not know graphs, ranks or operators.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import product

from msgspec import Struct, field

from rewright.graphs.blocks import SPREAD, BlockTensor, Combination, Restriction, RootPart, one_piece, summed
from rewright.graphs.combinations import alike
from rewright.graphs.sizes import ZERO, at_most, less_size, plus_size
from rewright.model.graph import Monoid
from rewright.terms import Term

Offsets = tuple[Term | None, ...]
"""Where a part of an operand begins, for each of its dimensions; None where the operand does not vary along it."""


class MatchedOperand(Struct, frozen=True):
    """An operand as a part of a root's operand: where it begins, and which terms only are combined in it."""

    offsets: Offsets
    restrictions: frozenset[Restriction]


class RootOperation(Struct, frozen=True):
    """An operation: its operator and attributes as a key, its operands, the shape of its result, and the sizes of the
    dimensions that it contracts, combined by `monoid`."""

    key: Hashable
    operands: tuple[BlockTensor, ...]
    shape: tuple[Term, ...]
    contracted: tuple[Term, ...] = ()
    monoid: Monoid = "add"


class Root(Struct, frozen=True):
    """A root, and what the table's user said of the place where it was first computed."""

    number: int
    made: RootOperation
    place: Hashable

    @property
    def shape(self) -> tuple[Term, ...]:
        """The sizes of its dimensions."""
        return self.made.shape


Lift = Callable[[Root, Sequence[MatchedOperand]], RootPart | None]
"""The part of a root that an operation on these parts of its operands gives, None if it is no part."""


class Roots(Struct):
    """All roots, by number and by key."""

    all: list[Root] = field(default_factory=list)
    _by_key: dict[Hashable, list[Root]] = field(default_factory=dict)
    _exact: dict[RootOperation, Root] = field(default_factory=dict)
    _place: Hashable = None

    def enter(self, place: Hashable) -> None:
        """From here on new roots are computed at this place."""
        self._place = place

    def new(self, shape: Sequence[Term], contracted: Sequence[Term] = ()) -> Root:
        """A root that no operation makes: an input, or what is not known."""
        return self._made(RootOperation(None, (), tuple(shape), tuple(contracted)))

    def find(self, made: RootOperation, lift: Lift) -> RootPart:
        """The part of a known root that an operation is, else the whole of a new one.

        Every operand is one piece that begins at 0.
        """
        known = self.part(made, lift)
        if known is not None:
            return known
        root = self._made(made)
        self._by_key.setdefault(_entry(made), []).append(root)
        return whole_of(root)

    def part(self, made: RootOperation, lift: Lift) -> RootPart | None:
        """The part of a known root that an operation is, None if it is none."""
        for root in self._by_key.get(_entry(made), ()):
            found = [self.match(known, each) for known, each in zip(root.made.operands, made.operands, strict=True)]
            parts = [each for each in found if each is not None]
            part = lift(root, parts) if len(parts) == len(found) else None
            if part is not None:
                return part
        return None

    def exactly(self, made: RootOperation) -> RootPart:
        """The root of this operation on operands that are these, piece by piece; it is no part of another."""
        if made not in self._exact:
            self._exact[made] = self._made(made)
        return whole_of(self._exact[made])

    def _made(self, made: RootOperation) -> Root:
        root = Root(len(self.all), made, self._place)
        self.all.append(root)
        return root

    def by_parts(
        self, sums: list[Combination], places: Sequence[int], apply: Callable[[list[Combination]], Combination]
    ) -> Combination:
        """An operation that is linear in the operands at `places`, applied to what is restricted alike, and added."""
        groups = [alike(each) if place in places else [each] for place, each in enumerate(sums)]
        if all(len(each) == 1 for each in groups):
            return apply(sums)
        parts = [(Fraction(1), apply(list(chosen))) for chosen in product(*groups)]
        return summed(parts, self.extent)

    def match(self, known: BlockTensor, tensor: BlockTensor) -> MatchedOperand | None:
        """The tensor as a part of a known one, both of one piece that begins at 0; None if it is none.

        Every term of it is then one of the known tensor's, at the same distance, and restricted alike.
        """
        waiting = sorted(only(known), key=_part_key)
        parts = sorted(only(tensor), key=_part_key)
        if len(waiting) != len(parts):
            return None
        start: Offsets = (None,) * len(tensor.shape)
        found = next(_pairings(waiting, parts, (start, None)), None)
        if found is None:
            return None
        offsets, extra = found
        for offset, size, room in zip(offsets, tensor.shape, known.shape, strict=True):
            begin = ZERO if offset is None else offset
            if offset is not None and not (at_most(ZERO, begin) and at_most(plus_size(begin, size), room)):
                return None
        restrictions = extra or frozenset()
        if any(len({self.extent(part, each) for part, _ in parts}) > 1 for each in restrictions):
            return None
        return MatchedOperand(offsets, restrictions)

    def extent(self, part: RootPart, restriction: Restriction) -> Term:
        """How many terms there are of which a restriction of a part takes some."""
        root = self.all[part.root]
        for step in restriction.path:
            inner = min(only(root.made.operands[step]), key=_part_key)[0]
            root = self.all[inner.root]
        return root.made.contracted[restriction.dimension]


def _entry(made: RootOperation) -> Hashable:
    return made.key, tuple(skeleton(only(each)) for each in made.operands)


def whole_of(root: Root) -> RootPart:
    """The whole of a root as a part."""
    return RootPart(root.number, tuple((d, ZERO) for d in range(len(root.shape))))


def tensor_of(root: Root) -> BlockTensor:
    """A root as a tensor."""
    return one_piece(root.shape, frozenset({(whole_of(root), Fraction(1))}))


def only(tensor: BlockTensor) -> Combination:
    """What a tensor of one piece is."""
    (piece,) = tensor.pieces
    return piece.sum


def skeleton(total: Combination) -> tuple[object, ...]:
    """What a combination is made of, without offsets and restrictions."""
    return tuple(sorted((part.root, tuple(d for d, _ in part.axes), factor) for part, factor in total))


def through(operand: int, restrictions: frozenset[Restriction]) -> frozenset[Restriction] | None:
    """The restrictions of an operand as those of what is linear in it; None if they are not sums."""
    if any(each.monoid != "add" for each in restrictions):
        return None
    return frozenset(each._replace(path=(operand, *each.path)) for each in restrictions)


def _part_key(term: tuple[RootPart, Fraction]) -> tuple[object, ...]:
    part, factor = term
    ranges = sorted((each.path, each.dimension, each.low.digest) for each in part.restrictions)
    return part.root, tuple(d for d, _ in part.axes), factor, tuple(o.digest for _, o in part.axes), ranges


_State = tuple[Offsets, frozenset[Restriction] | None]


def _pairings(
    known: Sequence[tuple[RootPart, Fraction]], parts: Sequence[tuple[RootPart, Fraction]], state: _State
) -> Iterator[_State]:
    """The distances and restrictions at which each part is another of the known ones."""
    if not parts:
        yield state
        return
    for number, each in enumerate(known):
        after = _paired(each, parts[0], state)
        if after is not None:
            yield from _pairings([*known[:number], *known[number + 1 :]], parts[1:], after)


def _paired(known: tuple[RootPart, Fraction], term: tuple[RootPart, Fraction], state: _State) -> _State | None:
    (part, factor), (other, value) = known, term
    offsets, extra = state
    if part.root != other.root or factor != value or not part.restrictions <= other.restrictions:
        return None
    more = other.restrictions - part.restrictions
    if extra is not None and more != extra:
        return None
    found = list(offsets)
    for (d, low), (at, begin) in zip(part.axes, other.axes, strict=True):
        by = less_size(begin, low)
        if d != at or (d == SPREAD and by is not ZERO):
            return None
        if d != SPREAD:
            if found[d] is not None and found[d] is not by:
                return None
            found[d] = by
    return tuple(found), more


def agreed(offsets: Sequence[Term | None]) -> tuple[bool, Term | None]:
    """Whether offsets along one dimension agree, and on which."""
    given = dict.fromkeys(each for each in offsets if each is not None)
    return len(given) <= 1, next(iter(given), None)
