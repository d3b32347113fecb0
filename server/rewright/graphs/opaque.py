"""Opaque operators: a root for each that is applied, and what lemmas say that such roots are.

Owns congruence: the same operator of the same operands is the same root, on whatever rank. An equation between tensors,
an instance of a lemma, is solved for a root that was not known before: from then on it stands for what it is equal to.
A root whose definition would lead back to itself gets none. Must not know how instances are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct, field
from msgspec.structs import replace

from rewright.graphs.blocks import (
    SPREAD,
    BlockTensor,
    Box,
    BoxPiece,
    RootPart,
    combined,
    is_zero,
    merged,
    moved,
    one_piece,
    sliced,
    with_axes,
    without_elements,
)
from rewright.graphs.combinations import extents, from_box, scaled
from rewright.graphs.roots import Root, RootOperation, Roots, tensor_of, whole_of
from rewright.graphs.sizes import ONE, ZERO, NotComparable, plus_size
from rewright.model.graph import OpaqueOperator
from rewright.model.index import Name
from rewright.terms import Term

OPAQUE = "opaque"
"""What the key of such a root begins with; the operator's name follows."""


class OpaqueRoots(Struct):
    """The roots of opaque operators, and what is known of some.

    `relate` is called for each new root, to equate it with what lemmas say. `used` are the lemmas by which something
    became known; `contradicted` are those that no operator satisfies. While a root is computed `inside` of so many
    instances of lemmas, no graph reads it.
    """

    roots: Roots
    relate: Callable[[Root], None] | None = None
    known: dict[int, BlockTensor] = field(default_factory=dict)
    used: dict[Name, None] = field(default_factory=dict)
    contradicted: dict[Name, None] = field(default_factory=dict)
    _alike: dict[object, list[Root]] = field(default_factory=dict)
    _same: dict[object, list[Root]] = field(default_factory=dict)
    _made_of: dict[tuple[Name, int, int | None], list[Root]] = field(default_factory=dict)
    _read: set[int] = field(default_factory=set)
    inside: int = 0

    def applied(
        self, operator: OpaqueOperator, operands: tuple[BlockTensor, ...], shape: tuple[Term, ...]
    ) -> BlockTensor:
        """What an operator gives of operands. Raises `NotComparable` and `NotWithin`."""
        made = RootOperation((OPAQUE, operator.name), tuple(map(_in_order, map(self.resolved, operands))), shape)
        about = operator.name, made.shape, tuple(map(_roots_in, made.operands))
        known = self._alike.setdefault(about, [])
        root = next((each for each in known if self._are_equal(each.made.operands, made.operands)), None)
        if root is None:
            root = self.roots.all[self.roots.exactly(made).root]
            known.append(root)
            self._same.setdefault((operator.name, about[2]), []).append(root)
            for place, of in enumerate(about[2]):
                for each in of or (None,):
                    self._made_of.setdefault((operator.name, place, each), []).append(root)
            if self.relate is not None:
                self.relate(root)
        if not self.inside:
            self._read.add(root.number)
        return without_elements(shape) if ZERO in shape else self.resolved(tensor_of(root))

    def made_like(self, operator: OpaqueOperator, root: Root) -> Iterator[Root]:
        """Other roots, of an operator, each operand of which is made of roots that those of this root are made of, or
        of none: those first of which each is made of the same ones, and the newest first."""
        name, made_of = operator.name, tuple(map(_roots_in, root.made.operands))
        same = self._same.get((name, made_of), [])
        yield from (each for each in reversed(same) if each is not root)
        about = frozenset[int]().union(*made_of)
        lists = [
            [self._made_of.get((name, place, each), ()) for each in (*about, None)]
            for place in range(len(operator.operands))
        ]
        fewest = min(lists, key=lambda each: sum(map(len, each)), default=[])
        found = {each.number: each for listed in fewest for each in listed}
        for _, other in sorted(found.items(), reverse=True):
            of = tuple(map(_roots_in, other.made.operands))
            if other is not root and of != made_of and all(about & each or not each for each in of):
                yield other

    def _are_equal(self, ones: Sequence[BlockTensor], others: Sequence[BlockTensor]) -> bool:
        """Whether tensors are equal one by one, however they are written; False says nothing."""
        try:
            return all(map(self._is_equal, ones, others))
        except NotComparable:
            return False

    def _is_equal(self, one: BlockTensor, other: BlockTensor) -> bool:
        if one == other or one.shape != other.shape:
            return one == other
        return is_zero(combined([(Fraction(1), one), (Fraction(-1), other)], self.roots.extent))

    def resolved(self, tensor: BlockTensor) -> BlockTensor:
        """The tensor with what is known in the place of roots. Raises `NotComparable` and `NotWithin`."""
        while self.known and any(part.root in self.known for piece in tensor.pieces for part, _ in piece.sum):
            pieces = [each for piece in tensor.pieces for each in self._resolved_piece(piece)]
            tensor = merged(BlockTensor(tensor.shape, tuple(pieces)))
        return tensor

    def _resolved_piece(self, piece: BoxPiece) -> Iterator[BoxPiece]:
        if not any(part.root in self.known for part, _ in piece.sum):
            yield piece
            return
        shape = extents(piece.box)
        terms: list[tuple[Fraction, BlockTensor]] = []
        rest: set[tuple[RootPart, Fraction]] = set()
        for part, factor in from_box(piece.box, piece.sum):
            if part.root in self.known:
                terms.append((factor, part_of(self.known[part.root], part, shape)))
            else:
                rest.add((part, factor))
        total = combined([(Fraction(1), one_piece(shape, frozenset(rest))), *terms], self.roots.extent)
        by = {d: low for d, (low, _) in enumerate(piece.box)}
        yield from moved(total, by, tuple(high for _, high in piece.box)).pieces

    def equate(self, left: BlockTensor, right: BlockTensor, lemma: Name) -> None:
        """Takes it that two tensors are equal, as a lemma says. Raises `NotComparable` and `NotWithin`."""
        if ZERO in left.shape:
            return
        one, other = self.resolved(left), self.resolved(right)
        apart = combined([(Fraction(1), one), (Fraction(-1), other)], self.roots.extent)
        counts: dict[int, int] = {}
        for piece in apart.pieces:
            for part, _ in piece.sum:
                counts[part.root] = counts.get(part.root, 0) + 1
        open_ = [piece for piece in apart.pieces if piece.sum and not self._solved(piece, counts, lemma)]
        if open_:
            one, other = self.resolved(one), self.resolved(other)
            sides = sorted(((one, other), (other, one)), key=lambda each: -_newest(each[0]))
            any(self._defined(bare, by, lemma) for bare, by in sides)

    def contradict(self, lemma: Name) -> None:
        """Takes note of a lemma that no operator satisfies."""
        self.contradicted[lemma] = None

    def _solved(self, piece: BoxPiece, counts: dict[int, int], lemma: Name) -> bool:
        """Solves the equation that a combination is 0 in a box for the newest root that stands in it as a whole, of
        those that no graph has read yet if there are any."""
        choices = [
            (part.root not in self._read, part.root, part, factor)
            for part, factor in piece.sum
            if counts[part.root] == 1 and self._is_solvable(part, piece.box)
        ]
        for _, number, part, factor in sorted(choices, key=lambda each: each[:2], reverse=True):
            rest = scaled(piece.sum - {(part, factor)}, -1 / factor)
            place = {d: at for at, (d, _) in enumerate(part.axes)}
            if any(d != SPREAD and d not in place for each, _ in rest for d, _ in each.axes):
                continue
            here = from_box(piece.box, rest)
            total = with_axes(here, lambda d, offset, place=place: (place.get(d, SPREAD), offset))  # type: ignore[misc]
            if self._define(number, one_piece(self.roots.all[number].shape, total), lemma):
                return True
        return False

    def _is_solvable(self, part: RootPart, box: Box) -> bool:
        """Whether a part is a whole opaque root, each dimension of it along another one of the box."""
        root = self.roots.all[part.root]
        if not is_opaque(root) or part.restrictions or len({d for d, _ in part.axes}) != len(part.axes):
            return False
        return all(
            d != SPREAD and plus_size(box[d][0], offset) is ZERO and plus_size(box[d][1], offset) is size
            for (d, offset), size in zip(part.axes, root.shape, strict=True)
        )

    def _defined(self, bare: BlockTensor, by: BlockTensor, lemma: Name) -> bool:
        if len(bare.pieces) != 1 or len(bare.pieces[0].sum) != 1:
            return False
        ((part, factor),) = bare.pieces[0].sum
        root = self.roots.all[part.root]
        is_whole = factor == 1 and is_opaque(root) and part == whole_of(root) and bare.shape == root.shape
        return is_whole and self._define(root.number, by, lemma)

    def _define(self, number: int, tensor: BlockTensor, lemma: Name) -> bool:
        if number in self.known or any(part.root == number for piece in tensor.pieces for part, _ in piece.sum):
            return False
        self.known[number] = tensor
        self.used[lemma] = None
        return True


def is_opaque(root: Root) -> bool:
    """Whether a root is what an opaque operator gives."""
    return isinstance(root.made.key, tuple) and root.made.key[:1] == (OPAQUE,)


def part_of(tensor: BlockTensor, part: RootPart, shape: tuple[Term, ...]) -> BlockTensor:
    """What a part of a root is in a box of this shape that begins at 0, where the root is a tensor.

    Raises `NotComparable` and `NotWithin`.
    """
    assert not part.restrictions, "nothing is contracted in the root of an opaque operator"
    start = [offset for _, offset in part.axes]
    sizes = [ONE if d == SPREAD else shape[d] for d, _ in part.axes]
    cut = sliced(tensor, start, sizes)
    place = [d for d, _ in part.axes]
    if len(set(place) - {SPREAD}) < len(place) - place.count(SPREAD):
        raise NotComparable

    def axis(d: int, offset: Term) -> tuple[int, Term]:
        return (place[d], offset) if d != SPREAD else (d, offset)

    pieces = []
    for each in cut.pieces:
        box = {d: each.box[at] for at, d in enumerate(place) if d != SPREAD}
        whole = tuple(box.get(d, (ZERO, size)) for d, size in enumerate(shape))
        pieces.append(BoxPiece(whole, with_axes(each.sum, axis)))
    return BlockTensor(shape, tuple(pieces))


def _in_order(tensor: BlockTensor) -> BlockTensor:
    if len(tensor.pieces) == 1:
        return tensor
    pieces = sorted(tensor.pieces, key=lambda each: [(low.digest, high.digest) for low, high in each.box])
    return replace(tensor, pieces=tuple(pieces))


def _roots_in(tensor: BlockTensor) -> frozenset[int]:
    return frozenset(part.root for piece in tensor.pieces for part, _ in piece.sum)


def _newest(tensor: BlockTensor) -> int:
    return max((part.root for piece in tensor.pieces for part, _ in piece.sum), default=-1)
