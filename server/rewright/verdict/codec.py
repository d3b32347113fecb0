"""Frozen structs to JSON text and back, driven by their annotations.

Owns the one wire form of plain data. A struct is an object; a union of structs carries its class name under
`"is"`; tuples are lists; enums are their values; fractions are texts ("1/3"). Decoding checks every field and raises
`CodecError` for text that does not fit, so a cache written by another version is noticed rather than believed.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from typing import Any, Literal, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from rewright.verdict.diagnosis import Diagnosis
from rewright.verdict.diagnostics import every

T = TypeVar("T")

_Reader = Callable[[Any], Any]
_ATOMS = frozenset({type(None), bool, int, float, str})


class CodecError(ValueError):
    """The text is not the wire form of the class asked for."""


def encode(value: object) -> str:
    """The canonical JSON text of a value: no spaces, fields in declared order."""
    return json.dumps(to_plain(value), separators=(",", ":"), ensure_ascii=False)


def decode(cls: type[T] | Any, text: str) -> T:
    """The value of class (or union) `cls` that `text` encodes. Raises `CodecError`."""
    try:
        return from_plain(cls, json.loads(text))  # type: ignore[no-any-return]
    except CodecError:
        raise
    except (ValueError, RecursionError) as error:
        raise CodecError(str(error)) from error


def to_plain(value: object) -> Any:
    """The JSON-able form of a value. Raises `CodecError` for what has none."""
    cls: type = type(value)
    if cls in _ATOMS:
        return value
    if isinstance(value, tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Struct):
        return {"is": cls.__name__} | {name: to_plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, bool | int | str | float):
        return value
    raise CodecError(f"no wire form for {cls.__name__}")


def from_plain(cls: Any, plain: Any) -> Any:
    """The value of class (or union, tuple, enum) `cls` whose JSON-able form is `plain`. Raises `CodecError`."""
    return _reader(cls)(plain)


@cache
def _reader(cls: Any) -> _Reader:
    """What reads the JSON-able form of a value of `cls`; looked up once per class, since values are many."""
    if isinstance(cls, NewType):
        return _reader(cls.__supertype__)
    origin = get_origin(cls)
    if origin is Union or origin is types.UnionType:
        return _union(_flatten(get_args(cls)))
    if origin is tuple:
        return _tuple(get_args(cls))
    if origin is Literal:
        return _choice(cls)
    if cls is Diagnosis:
        return _diagnosis
    if _is_struct(cls):
        return partial(_instance, cls)
    if isinstance(cls, type) and issubclass(cls, Enum):
        return partial(_enumerated, cls)
    if cls is float:
        return _number
    if cls is Fraction:
        return _fraction
    return partial(_atom, type(None) if cls is None else cls)


def _is_struct(cls: Any) -> bool:
    return isinstance(cls, type) and issubclass(cls, Struct)


def _atom(cls: type, plain: Any) -> Any:
    if type(plain) is not cls:
        raise _unfit(cls, plain)
    return plain


def _number(plain: Any) -> float:
    if not isinstance(plain, int | float):
        raise _unfit(float, plain)
    return float(plain)


def _fraction(plain: Any) -> Fraction:
    try:
        return Fraction(_atom(str, plain))
    except (ValueError, ZeroDivisionError) as error:
        raise CodecError(str(error)) from error


def _enumerated(cls: type[Enum], plain: Any) -> Enum:
    try:
        return cls(plain)
    except ValueError as error:
        raise CodecError(str(error)) from error


def _choice(cls: Any) -> _Reader:
    def read(plain: Any) -> Any:
        if not any(plain == choice and type(plain) is type(choice) for choice in get_args(cls)):
            raise _unfit(cls, plain)
        return plain

    return read


def _union(members: list[Any]) -> _Reader:
    classes = {member.__name__: member for member in members if _is_struct(member)}
    others = [_reader(member) for member in members if member not in classes.values()]

    def read(plain: Any) -> Any:
        if isinstance(plain, dict):
            name = plain.get("is")
            if not isinstance(name, str) or name not in classes:
                raise CodecError(f"unknown variant {name!r}")
            return _instance(classes[name], plain)
        for other in others:
            try:
                return other(plain)
            except CodecError:
                continue
        raise CodecError(f"no member of the union fits {str(plain)[:60]!r}")

    return read


def _diagnosis(plain: Any) -> Any:
    """A diagnosis of any class."""
    name = plain.get("is") if isinstance(plain, dict) else None
    found = every().get(name) if isinstance(name, str) else None
    if found is None:
        raise CodecError(f"no diagnosis is called {str(plain)[:60]!r}")
    return _instance(found, plain)


def _flatten(members: tuple[Any, ...]) -> list[Any]:
    flat: list[Any] = []
    for member in members:
        nested = get_origin(member) in (Union, types.UnionType)
        flat += _flatten(get_args(member)) if nested else [member]
    return flat


def _tuple(members: tuple[Any, ...]) -> _Reader:
    if len(members) == 2 and members[1] is Ellipsis:
        every = _reader(members[0])
        return lambda plain: tuple([every(item) for item in _list(plain)])
    each = tuple(_reader(member) for member in members)

    def read(plain: Any) -> tuple[Any, ...]:
        if len(_list(plain)) != len(each):
            raise CodecError(f"expected {len(each)} items, got {len(plain)}")
        return tuple([reader(item) for reader, item in zip(each, plain, strict=True)])

    return read


def _list(plain: Any) -> list[Any]:
    if not isinstance(plain, list):
        raise CodecError(f"expected a list, got {str(plain)[:60]!r}")
    return plain


def _instance(cls: type[Struct], plain: Any) -> Any:
    if not isinstance(plain, dict) or plain.get("is") != cls.__name__:
        raise CodecError(f"expected {cls.__name__}, got {str(plain)[:60]!r}")
    readers = _field_readers(cls)
    if len(plain) != len(readers) + 1 or any(name not in plain for name in readers):
        raise CodecError(f"fields of {cls.__name__} do not match")
    return cls(*[reader(plain[name]) for name, reader in readers.items()])


@cache
def _field_readers(cls: type[Struct]) -> dict[str, _Reader]:
    """By the names of the fields in their order, which is that of the class's own parameters."""
    hints = get_type_hints(cls)
    return {name: _reader(hints[name]) for name in cls.__struct_fields__}


def _unfit(cls: Any, plain: Any) -> CodecError:
    return CodecError(f"expected {cls}, got {str(plain)[:60]!r}")
