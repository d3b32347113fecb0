"""What an operator of the table is, and how to find one by the name or the sign it is called by.

Invariant: an operator is known by one name (StableHLO's, or the field's short form where that is what people write);
its other names are aliases. No declared name may be an operator's. Must not know how an operator is checked or decided.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

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
    REDUCE = auto()
    DOT = auto()
    REDUCE_WINDOW = auto()
    CONVOLUTION = auto()
    NAMES_ONLY = auto()
    """Known, but only the names in its arguments are checked so far."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute given per axis group; without a default it must be given where its group is mentioned."""

    name: str
    default: str | None

    @property
    def is_truth(self) -> bool:
        """Whether it is `true` or `false`, not a map or an integer."""
        return self.default in ("true", "false")


@dataclass(frozen=True, slots=True)
class Texts:
    """What an operator means, for people: the columns of the language page's table."""

    call: str
    types: str
    shape: str
    valid: str
    defined: str
    element: str


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator: how it is called, what it asks of its operands, and what it means.

    `signs` are its infix or prefix spellings. `operands` counts the tensor operands of the pointwise families; `need`
    is what they ask of the element type. `decided` says whether this version decides rules that use it; `general` is
    the form of such an operator that it does not decide.
    """

    name: str
    aliases: tuple[str, ...]
    signs: tuple[str, ...]
    family: Family
    operands: int
    need: Need | None
    attributes: tuple[Attribute, ...]
    monoid: bool
    decided: bool
    texts: Texts
    general: Texts | None = None
