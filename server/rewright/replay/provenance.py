"""Where an element comes from: which entry, scalar or number it is, or what it was computed from.

Owns origins and the two markings that an evaluation can have: arrays that are `BARE` hold elements; `TRACED` ones hold
elements with their origins, which whatever moves elements carries along unseen. Invariant: an origin is what the replay
really did, never guessed from equal values. Must not know shapes, or what the operators mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from msgspec import Struct

from rewright.model.index import Name
from rewright.replay.arrays import Array, Position, positions
from rewright.replay.elements import UNDEFINED, Element, pointwise


class EntryOf(Struct, frozen=True):
    """The entry of a declared tensor; for a scalar the index is empty."""

    name: Name
    index: Position


class WrittenConstant(Struct, frozen=True):
    """A constant of the rule's text."""

    text: str


class Counted(Struct, frozen=True):
    """The index along an axis that `iota` put there."""

    axis: Name


class FromIndex(Struct, frozen=True):
    """An integer expression as an element."""


class PaddingOf(Struct, frozen=True):
    """What `pad` put where no element of its operand stands."""

    value: Origin


class Computed(Struct, frozen=True, eq=False):
    """The result of an operator or a function on these elements, which come from `origins`.

    Results of the same operands are equal wherever these come from.
    """

    operator: str
    operands: tuple[Element, ...]
    origins: tuple[Origin, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Computed) and (self.operator, self.operands) == (other.operator, other.operands)

    def __hash__(self) -> int:
        return hash((self.operator, self.operands))


class Term(Struct, frozen=True):
    """What a reduction combines at an index: one number for each axis reduced, or None for the initial value."""

    index: Position | None
    element: Element
    origin: Origin


class Reduced(Struct, frozen=True):
    """The result of a reduction of these terms; an identity that is nowhere written is none of them."""

    monoid: str
    terms: tuple[Term, ...]


Origin = EntryOf | WrittenConstant | Counted | FromIndex | PaddingOf | Computed | Reduced


class Traced(Struct, frozen=True, eq=False):
    """An element and where it comes from."""

    element: Element
    origin: Origin


Function = Callable[..., Element]
OriginOf = Callable[[Sequence[Traced]], Origin]
"""The origin of a function's result by its operands."""


class Marking(Struct, frozen=True, eq=False):
    """What stands in the arrays of an evaluation.

    `mark` makes it of an element that comes from nowhere else; `lift` makes a function of elements one of what stands
    in the arrays; `passed` is told of each value with its site, and returns what goes on.
    """

    mark: Callable[[Element, Origin], Element]
    lift: Callable[[Function, OriginOf], Function]
    passed: Callable[[int, Array], Array] = lambda site, value: value


def entries(name: Name, array: Array, marking: Marking) -> Array:
    """A declared tensor, each entry marked."""
    if marking is BARE:
        return array
    data = array.data.copy()
    for position in positions(data.shape):
        data[position] = marking.mark(data[position], EntryOf(name, position))
    return Array(array.groups, data)


def padding(value: Element, marking: Marking) -> Element:
    """What `pad` writes, made of its operand."""
    return marking.lift(lambda element: element, lambda cells: PaddingOf(cells[0].origin))(value)


def computed(operator: str) -> OriginOf:
    """The origin of an operator's result: where an operand is undefined, the origin of that."""

    def origin(cells: Sequence[Traced]) -> Origin:
        for cell in cells:
            if cell.element is UNDEFINED:
                return cell.origin
        return Computed(operator, tuple(cell.element for cell in cells), tuple(cell.origin for cell in cells))

    return origin


def reduced(monoid: str, indices: Sequence[Position]) -> OriginOf:
    """The origin of a reduction's result: what it starts from, then what stands at each index."""

    def origin(cells: Sequence[Traced]) -> Origin:
        start, *others = cells
        initial = [] if start.origin == WrittenConstant(monoid) else [Term(None, start.element, start.origin)]
        terms = [Term(at, cell.element, cell.origin) for at, cell in zip(indices, others, strict=True)]
        return _defined(cells) or Reduced(monoid, (*initial, *terms))

    return origin


def contracted(indices: Sequence[Position]) -> OriginOf:
    """The origin of a sum of products: one half of the elements, and at each index the other half."""

    def origin(cells: Sequence[Traced]) -> Origin:
        pairs = zip(cells[: len(indices)], cells[len(indices) :], strict=True)
        return _defined(cells) or Reduced("add", tuple(map(_product, indices, pairs)))

    return origin


def _product(at: Position, pair: tuple[Traced, Traced]) -> Term:
    factors = tuple(cell.element for cell in pair)
    origin = Computed("multiply", factors, tuple(cell.origin for cell in pair))
    return Term(at, pointwise("multiply", factors), origin)


def _defined(cells: Sequence[Traced]) -> Origin | None:
    """The origin of the first element that is undefined, None if there is none."""
    return next((cell.origin for cell in cells if cell.element is UNDEFINED), None)


def chosen(cells: Sequence[Traced]) -> Origin:
    """The origin of what `select` hands on: the operand chosen, or the predicate that chooses none."""
    predicate, on_true, on_false = cells
    if isinstance(predicate.element, bool):
        return on_true.origin if predicate.element else on_false.origin
    return predicate.origin


def traced_at(array: Array, position: Position) -> Traced:
    """An element of an array that was evaluated with `TRACED`."""
    return _cell(array.data[position])


def _mark(element: Element, origin: Origin) -> Element:
    return cast(Element, Traced(element, origin))


def _lift(function: Function, origin_of: OriginOf) -> Function:
    def lifted(*operands: Element) -> Element:
        cells = [_cell(operand) for operand in operands]
        return _mark(function(*(cell.element for cell in cells)), origin_of(cells))

    return lifted


def _cell(marked: Element) -> Traced:
    return cast(Traced, marked)


BARE = Marking(lambda element, origin: element, lambda function, origin_of: function)
TRACED = Marking(_mark, _lift)
