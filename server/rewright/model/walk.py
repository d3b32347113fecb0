"""Walking through a value of the model.

Owns what the parts of a value are: the items of tuples, the fields of structs. Must not know what a node means.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct


def nodes(value: object) -> Iterator[object]:
    """Every node in a value, itself included, outer ones first, in the order in which they are written."""
    if isinstance(value, tuple):
        for item in value:
            yield from nodes(item)
    elif isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from nodes(getattr(value, name))
