"""What a diagnostic says, as typed facts: a frozen dataclass for each sentence, with the code that it belongs to.

The classes are in `diagnostics/`, the words in `report/codes/`, one module per code. A diagnosis without one of its
facts cannot be made: the type checker says so, and so does Python. Must not know places, nor any words.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class Diagnosis:
    """Facts of a diagnostic. A class of them names its code, as in `class UnexpectedText(Diagnosis, code=…)`.

    It is a frozen dataclass without defaults. Its methods are here, once for all classes: generated for each class they
    would cost a quarter of a millisecond per class, at every start.

    >>> UnexpectedText(")").code
    'RW001'
    """

    code: ClassVar[str]

    def __init_subclass__(cls, *, code: str) -> None:
        cls.code = code
        dataclass(init=False, repr=False, eq=False)(cls)

    if not TYPE_CHECKING:  # a type checker makes one for each class, but for one without facts it would take this

        def __init__(self, *given: Any, **named: Any) -> None:
            """Takes the facts in their order or by their names. Raises `TypeError` unless each is given once."""
            names = self._names()
            facts = dict(zip(names, given, strict=False)) | named
            if len(given) + len(named) != len(names) or facts.keys() != set(names):
                raise TypeError(f"{type(self).__name__} takes {', '.join(names) or 'nothing'}")
            self.__dict__.update((name, facts[name]) for name in names)

    def __setattr__(self, name: str, value: object) -> None:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> None:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *self.__dict__.values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        return tuple(field.name for field in fields(cls))  # type: ignore[arg-type]
