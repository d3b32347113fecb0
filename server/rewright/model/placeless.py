"""The form of a value that does not depend on where in its sources it stands.

Owns the numbering of places: each range of a source becomes a site number from `first` on, in the order of first
appearance, so that an edit that only moves text, or a comment, leaves the value as it is. Sites of the declaration stay
what they are. Must not know any particular class but those of places.
"""

from __future__ import annotations

import types
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, field

from rewright.verdict import InDeclaration, InSource, Place, Site

T = TypeVar("T")


class Numbering(Struct):
    """Site numbers for ranges of sources, from `first` on; below it stand those of the declaration."""

    first: int
    _numbers: dict[InSource, int] = field(default_factory=dict)

    def number(self, place: Place) -> int:
        """The site number of a place in the declaration or in a source. Raises `ValueError` for another place."""
        match place:
            case Site(number):
                return number
            case InSource():
                return self._numbers.setdefault(place, self.first + len(self._numbers))
            case InDeclaration():
                raise ValueError("a kernel speaks of no other declaration")

    @property
    def places(self) -> tuple[InSource, ...]:
        """The places that numbers from `first` on stand for."""
        return tuple(self._numbers)


def placeless(value: T, numbering: Numbering) -> T:
    """The value with a site number for each place in a source."""
    rewritten: T = _rewritten(value, numbering)
    return rewritten


def _rewritten(value: Any, numbering: Numbering) -> Any:
    if isinstance(value, InSource):
        return Site(numbering.number(value))
    if isinstance(value, tuple):
        return tuple([_rewritten(item, numbering) for item in value])
    if not isinstance(value, Struct):
        return value
    cls: Any = type(value)
    parts = (
        _rewritten(part, numbering) if holds else part
        for part, holds in ((getattr(value, name), holds) for name, holds in _plan(cls))
    )
    return cls(*parts)


@cache
def _plan(cls: type[Struct]) -> tuple[tuple[str, bool], ...]:
    """The fields of a class in their order, and whether a place may stand in each."""
    hints = get_type_hints(cls)
    return tuple((name, not _is_plain(hints[name])) for name in cls.__struct_fields__)


def _is_plain(annotation: Any) -> bool:
    """Whether values of an annotation hold no struct."""
    origin = get_origin(annotation)
    if origin is tuple or origin is Union or origin is types.UnionType:
        return all(part is Ellipsis or _is_plain(part) for part in get_args(annotation))
    return not (isinstance(annotation, type) and issubclass(annotation, Struct))
