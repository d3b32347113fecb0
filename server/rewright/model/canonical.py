"""The form of a value that does not depend on the names chosen in it.

Owns the renumbering of symbols: every string whose field is annotated `Name` becomes `⟨0⟩`, `⟨1⟩`, … in the order of
first appearance, fields in declared order. Invariant: two values have one canonical form exactly if a renaming of
their symbols turns one into the other. Must not know any particular class.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from rewright.model.index import Name

T = TypeVar("T")
Renaming = dict[str, str]
_Rewrite = Callable[[Any, Renaming], Any]


def canonical(value: T) -> tuple[T, tuple[str, ...]]:
    """The value with its symbols numbered, and the names that the numbers stand for, by number."""
    renaming: Renaming = {}
    rewritten: T = _struct_rewrite(value, renaming)
    return rewritten, tuple(renaming)


def _struct_rewrite(value: Any, renaming: Renaming) -> Any:
    cls: type = type(value)
    return cls(*(rewrite(getattr(value, name), renaming) for name, rewrite in _plan(cls)))


def _name(value: Any, renaming: Renaming) -> Any:
    known = renaming.get(value)
    if known is None:
        known = renaming[value] = f"⟨{len(renaming)}⟩"
    return known


def _unchanged(value: Any, renaming: Renaming) -> Any:
    return value


@cache
def _plan(cls: type[Struct]) -> tuple[tuple[str, _Rewrite], ...]:
    hints = get_type_hints(cls)
    return tuple((name, _rewrite_for(hints[name])) for name in cls.__struct_fields__)


@cache
def _rewrite_for(annotation: Any) -> _Rewrite:
    """How to rewrite a value of the annotated type."""
    if annotation is Name:
        return _name
    origin = get_origin(annotation)
    if origin is Union or origin is types.UnionType:
        return _union(get_args(annotation))
    if origin is tuple:
        return _tuple(get_args(annotation))
    if isinstance(annotation, type) and issubclass(annotation, Struct):
        return _struct_rewrite
    return _unchanged


def _union(members: tuple[Any, ...]) -> _Rewrite:
    """Unions are of structs, of an optional part, or of plain data; a `Name` shares a union only with None."""
    if Name in members:
        return lambda value, renaming: None if value is None else _name(value, renaming)
    tuples = [_rewrite_for(member) for member in members if get_origin(member) is tuple]

    def rewrite(value: Any, renaming: Renaming) -> Any:
        if isinstance(value, Struct):
            return _struct_rewrite(value, renaming)
        if isinstance(value, tuple) and tuples:
            return tuples[0](value, renaming)
        return value

    return rewrite


def _tuple(members: tuple[Any, ...]) -> _Rewrite:
    if len(members) == 2 and members[1] is Ellipsis:
        every = _rewrite_for(members[0])
        if every is _unchanged:
            return _unchanged
        return lambda value, renaming: tuple(every(item, renaming) for item in value)
    each = tuple(_rewrite_for(member) for member in members)
    if all(rewrite is _unchanged for rewrite in each):
        return _unchanged
    return lambda value, renaming: tuple(rewrite(item, renaming) for rewrite, item in zip(each, value, strict=True))
