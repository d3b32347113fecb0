"""What the row of an operator says.

Invariant: an operator is known by one name (StableHLO's, or the field's short form where that is what people write);
its other names are aliases. No declared name may be an operator's. Must not know how an operator is checked or decided.
"""

from __future__ import annotations

from enum import Enum, auto

from msgspec import Struct

from rewright.model.types import Need


class Family(Enum):
    """Operators that are checked alike."""

    POINTWISE = auto()
    COMPARISON = auto()
    SELECT = auto()
    CLAMP = auto()
    BROADCAST = auto()
    IOTA = auto()
    SLICE = auto()
    DYNAMIC_SLICE = auto()
    DYNAMIC_UPDATE_SLICE = auto()
    PAD = auto()
    CONCATENATE = auto()
    REVERSE = auto()
    TRANSPOSE = auto()
    RESHAPE = auto()
    BITCAST = auto()
    REDUCE = auto()
    DOT = auto()
    REDUCE_WINDOW = auto()
    CONVOLUTION = auto()
    NAMES_ONLY = auto()
    """Known, but only the names in its arguments are checked so far."""


class Trait(Enum):
    """What more there is to know of an elementwise operator than its types and texts."""

    FINITE = auto()
    """Undefined where an operand is infinite."""
    TRANSCENDENTAL = auto()
    """Without exact values: known to solvers by its laws, and evaluated as an enclosure."""
    OF_INDICES = auto()
    """May also be called on maps and integers."""


class Attribute(Struct, frozen=True):
    """An attribute given per axis group; without a default it must be given where its group is mentioned."""

    name: str
    default: str | None

    @property
    def is_truth(self) -> bool:
        """Whether it is `true` or `false`, not a map or an integer."""
        return self.default in ("true", "false")


class Texts(Struct, frozen=True):
    """What an operator means, for people: the columns of the language page's table."""

    call: str
    types: str
    shape: str
    valid: str
    defined: str
    element: str


class Operator(Struct, frozen=True):
    """An operator: how it is called, what it asks of its operands, and what it means.

    `signs` are its infix or prefix spellings. `operands` counts the tensor operands, None for any number of them;
    `need` is what they ask of the element type. `reduction` is what `reduce` by it gives ("the sum"), empty where it is
    no commutative monoid. `undecided_over` are element domains over which it is not decided. `decided` says whether
    this version decides rules that use it.
    """

    name: str
    aliases: tuple[str, ...]
    signs: tuple[str, ...]
    family: Family
    operands: int | None
    need: Need | None
    texts: Texts
    attributes: tuple[Attribute, ...] = ()
    traits: frozenset[Trait] = frozenset()
    reduction: str = ""
    undecided_over: tuple[str, ...] = ()
    decided: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that it can be called by."""
        return (self.name, *self.aliases)

    @property
    def short(self) -> str:
        """The shortest of its names, which is how people write it."""
        return min(self.names, key=len)

    @property
    def elementwise(self) -> bool:
        """Whether each element of the result depends on the operands' at the same index only."""
        return self.family in _ELEMENTWISE


_ELEMENTWISE = frozenset({Family.POINTWISE, Family.COMPARISON, Family.SELECT, Family.CLAMP})
