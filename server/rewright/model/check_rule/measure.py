"""How large a value is once every `let` is written out, found without writing it out.

Owns the limits beyond which a rule is left undecided rather than expanded: repeated `let`s can double a value each, and
every reader of a value may recurse. Invariant: each shared part is measured once.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

LARGEST = 20_000
"""Nodes of a value once its `let`s are expanded, which doubles with each that uses the one before twice."""

DEEPEST = 100
"""Nodes inside each other: what walks a value recurses."""


class Measure(Struct, frozen=True):
    """The number of nodes of a value and the length of its longest path."""

    nodes: int
    depth: int

    @property
    def reasonable(self) -> bool:
        """Whether the value may be expanded and walked."""
        return self.nodes <= LARGEST and self.depth <= DEEPEST


def measure(value: tuple[object, ...] | Struct, known: dict[int, tuple[object, Measure]]) -> Measure:
    """The measure of a value; `known` keeps those of its parts, and the parts alive."""
    found = known.get(id(value))
    if found is not None:
        return found[1]
    own = 0 if isinstance(value, tuple) else 1
    nodes = depth = own
    for part in _held(value):
        if isinstance(part, tuple | Struct):
            inner = measure(part, known)
            nodes += inner.nodes
            depth = max(depth, own + inner.depth)
    result = Measure(nodes, depth)
    if own:
        known[id(value)] = (value, result)
    return result


def _held(value: tuple[object, ...] | Struct) -> Iterable[object]:
    return value if isinstance(value, tuple) else (getattr(value, name) for name in value.__struct_fields__)
