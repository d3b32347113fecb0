"""What both sides of a rule have in common.

Owns the choice of the parts that may be any tensor: the largest that stand on both sides, no leaf, and read a tensor.
Must not know what is made of them. Where parts stand says nothing: they are compared without their sites.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

from msgspec import Struct

from rewright.model.index import Name
from rewright.model.tensor import Constant, ElementOf, ScalarReference, Tensor, TensorReference
from rewright.model.walk import nodes

LEAVES = TensorReference | ScalarReference | Constant | ElementOf

TENSORS = get_args(Tensor)


def shared_parts(left: Tensor, right: Tensor) -> dict[Tensor, Name]:
    """The parts that two sides share, each as it stands there, with a name that no declaration has: "shared 0", …"""
    theirs = {_bare(node): node for node in _parts(right)}
    names: dict[Any, Name] = {}
    for node in _largest(left, set(theirs)):
        names.setdefault(_bare(node), Name(f"shared {len(names)}"))
    both = (*_largest(left, set(names)), *_largest(right, set(names)))
    return {node: names[_bare(node)] for node in both}


def _parts(side: Tensor) -> Iterator[Tensor]:
    """The parts of a side that may be any tensor, outer ones first."""
    for node in nodes(side):
        if isinstance(node, TENSORS) and not isinstance(node, LEAVES) and _reads(node):
            yield node


def _reads(node: Tensor) -> bool:
    return any(isinstance(inner, TensorReference) for inner in nodes(node))


def _largest(side: Tensor, chosen: set[Any]) -> Iterator[Tensor]:
    """The parts of a side that are among the chosen ones, and inside no other of them."""
    inside: set[int] = set()
    for node in _parts(side):
        if id(node) not in inside and _bare(node) in chosen:
            yield node
            inside |= {id(inner) for inner in nodes(node)}


def _bare(value: Any) -> Any:
    """A value that is equal for equal parts, wherever they stand."""
    if isinstance(value, tuple):
        return tuple(map(_bare, value))
    if not isinstance(value, Struct):
        return value
    return (type(value), *(_bare(getattr(value, name)) for name in value.__struct_fields__ if name != "site"))
