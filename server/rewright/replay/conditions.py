"""The conditions of operators, and the sentence for one that is broken.

Owns what a replay says where an operator is applied to what it does not take: which operator, which condition, with the
numbers and the axis. Must not know arrays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from rewright.model.index import Name


class Invalid(Exception):
    """A side is invalid on this input: the operator at `site` is applied to what it does not take."""

    def __init__(self, why: str, site: int) -> None:
        super().__init__(why)
        self.site = site


class NamedOperation(Struct, frozen=True):
    """An operator of the rule: its name, and its number within the declaration."""

    name: str
    site: int

    def require(self, condition: bool, broken: str) -> None:
        """Raises `Invalid` with the sentence "`name` broken" where the condition does not hold."""
        if not condition:
            raise Invalid(f"`{self.name}` {broken}", self.site)


def axis_text(group: Name, number: int) -> str:
    """An axis, for people: `axis 0 of A`."""
    return f"axis {number} of {group}"


def axis_names(groups: Sequence[Name], ranks: Mapping[Name, int]) -> Iterator[str]:
    """The axes of a tensor with these groups, in order."""
    return (axis_text(group, number) for group in groups for number in range(ranks[group]))


def require_equal_shapes(
    operation: NamedOperation, shapes: tuple[tuple[int, ...], tuple[int, ...]], names: Sequence[str]
) -> None:
    """Raises `Invalid` at the first axis on which two shapes differ; `names` are the axes, "" for one left out."""
    for first, second, name in zip(*shapes, names, strict=True):
        if name:
            operation.require(first == second, f"operands have the sizes {first} and {second} on {name}")
