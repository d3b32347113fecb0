"""How large a value is once every `let` is written out, found without writing it out.

Owns the limits beyond which a rule is left undecided rather than expanded: repeated `let`s can double a value each, and
every reader of a value may recurse. Invariant: each shared part is measured once.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any

LARGEST = 20_000
DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Measure:
    """The number of nodes of a value and the length of its longest path."""

    nodes: int
    depth: int

    @property
    def reasonable(self) -> bool:
        """Whether the value may be expanded and walked."""
        return self.nodes <= LARGEST and self.depth <= DEEPEST


def measure(value: object, known: dict[int, tuple[object, Measure]]) -> Measure:
    """The measure of a value; `known` keeps those of its parts, and the parts alive."""
    found = known.get(id(value))
    if found is not None:
        return found[1]
    parts = [measure(part, known) for part in _parts(value)]
    own = 1 if is_dataclass(value) else 0
    nodes = own + sum(part.nodes for part in parts)
    depth = own + max((part.depth for part in parts), default=0)
    result = Measure(nodes, depth)
    if is_dataclass(value):
        known[id(value)] = (value, result)
    return result


def _parts(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [part for part in value if isinstance(part, tuple) or is_dataclass(part)]
    if is_dataclass(value) and not isinstance(value, type):
        held = [getattr(value, name) for name in field_names(type(value))]
        return [part for part in held if isinstance(part, tuple) or is_dataclass(part)]
    return []


@cache
def field_names(cls: type) -> tuple[str, ...]:
    """The names of a dataclass's fields."""
    return tuple(field.name for field in fields(cls))
