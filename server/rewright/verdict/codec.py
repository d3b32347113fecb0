"""Frozen dataclasses to JSON text and back, driven by their annotations.

Owns the one wire form of plain data. A dataclass is an object; a union of dataclasses carries its class name under
`"is"`; tuples are lists; enums are their values. Decoding checks every field and raises `CodecError` for text that
does not fit, so a cache written by another version is noticed rather than believed.
"""

from __future__ import annotations

import json
import types
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")

_ATOMS = frozenset({type(None), bool, int, float, str})


class CodecError(ValueError):
    """The text is not the wire form of the class asked for."""


def encode(value: object) -> str:
    """The canonical JSON text of a dataclass value: no spaces, fields in declared order."""
    return json.dumps(to_plain(value), separators=(",", ":"), ensure_ascii=False)


def decode(cls: type[T] | Any, text: str) -> T:
    """The value of class (or union) `cls` that `text` encodes. Raises `CodecError`."""
    try:
        plain = json.loads(text)
    except ValueError as error:
        raise CodecError(str(error)) from error
    return from_plain(cls, plain)  # type: ignore[no-any-return]


def to_plain(value: object) -> Any:
    """The JSON-able form of a value."""
    cls: type = type(value)
    if cls in _ATOMS:
        return value
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    names = _field_names(cls)
    if names is not None:
        return {"is": cls.__name__} | {name: to_plain(getattr(value, name)) for name in names}
    if isinstance(value, bool | int | str | float):
        return value
    raise CodecError(f"no wire form for {cls.__name__}")


@cache
def _field_names(cls: type) -> tuple[str, ...] | None:
    """The names of a dataclass's fields, None for another class."""
    return tuple(field.name for field in fields(cls)) if is_dataclass(cls) else None


def from_plain(cls: Any, plain: Any) -> Any:
    """The value of class (or union, tuple, enum) `cls` whose JSON-able form is `plain`. Raises `CodecError`."""
    if isinstance(cls, NewType):
        return from_plain(cls.__supertype__, plain)
    origin = get_origin(cls)
    if origin is Union or origin is types.UnionType:
        return _member(get_args(cls), plain)
    if origin is tuple:
        return _tuple(get_args(cls), plain)
    if origin is Literal and any(plain == choice and type(plain) is type(choice) for choice in get_args(cls)):
        return plain
    if isinstance(cls, type) and is_dataclass(cls):
        return _instance(cls, plain)
    if isinstance(cls, type) and issubclass(cls, Enum):
        return _enumerated(cls, plain)
    if cls is type(None) and plain is None:
        return None
    if cls is float and isinstance(plain, int | float):
        return float(plain)
    if isinstance(cls, type) and type(plain) is cls:
        return plain
    raise CodecError(f"expected {cls}, got {str(plain)[:60]!r}")


def _enumerated(cls: type[Enum], plain: Any) -> Enum:
    try:
        return cls(plain)
    except ValueError as error:
        raise CodecError(str(error)) from error


def _member(members: tuple[Any, ...], plain: Any) -> Any:
    if isinstance(plain, dict):
        for member in _flatten(members):
            if isinstance(member, type) and member.__name__ == plain.get("is"):
                return _instance(member, plain)
        raise CodecError(f"unknown variant {plain.get('is')!r}")
    for member in _flatten(members):
        if not (isinstance(member, type) and is_dataclass(member)):
            try:
                return from_plain(member, plain)
            except CodecError:
                continue
    raise CodecError(f"no member of the union fits {str(plain)[:60]!r}")


def _flatten(members: tuple[Any, ...]) -> list[Any]:
    flat: list[Any] = []
    for member in members:
        nested = get_origin(member) in (Union, types.UnionType)
        flat += _flatten(get_args(member)) if nested else [member]
    return flat


def _tuple(members: tuple[Any, ...], plain: Any) -> tuple[Any, ...]:
    if not isinstance(plain, list):
        raise CodecError(f"expected a list, got {str(plain)[:60]!r}")
    if len(members) == 2 and members[1] is Ellipsis:
        return tuple(from_plain(members[0], item) for item in plain)
    if len(members) != len(plain):
        raise CodecError(f"expected {len(members)} items, got {len(plain)}")
    return tuple(from_plain(member, item) for member, item in zip(members, plain, strict=True))


def _instance(cls: type, plain: Any) -> Any:
    if not isinstance(plain, dict) or plain.get("is") != cls.__name__:
        raise CodecError(f"expected {cls.__name__}, got {str(plain)[:60]!r}")
    hints = _hints(cls)
    if set(plain) - {"is"} != set(hints):
        raise CodecError(f"fields of {cls.__name__} do not match")
    return cls(**{name: from_plain(hint, plain[name]) for name, hint in hints.items()})


@cache
def _hints(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}
