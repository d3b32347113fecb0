"""Walking through a value of the model.

Owns what the parts of a value are: the items of tuples, the fields of dataclasses. Must not know what a node means.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass


def nodes(value: object) -> Iterator[object]:
    """Every node in a value, itself included, outer ones first, in the order in which they are written."""
    if isinstance(value, tuple):
        for item in value:
            yield from nodes(item)
    elif is_dataclass(value):
        yield value
        for part in fields(value):
            yield from nodes(getattr(value, part.name))
