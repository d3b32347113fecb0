"""What a diagnostic says, as typed facts: a frozen struct for each sentence, with the code that it belongs to.

The classes are in `diagnostics/`, the words in `report/codes/`, one module per code. A diagnosis without one of its
facts cannot be made: the type checker says so, and so does Python. Must not know places, nor any words.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import Struct, StructMeta


class _Coded(StructMeta):
    """Makes the classes of diagnoses: frozen, each with a code."""

    code: str

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, code: str = "") -> _Coded:
        made = super().__new__(cls, name, bases, namespace, frozen=True)
        made.code = code
        return made


class Diagnosis(Struct, metaclass=_Coded):
    """Facts of a diagnostic. A class of them names its code, as in `class UnexpectedText(Diagnosis, code=…)`.

    >>> UnexpectedText(")").code
    'RW001'
    """

    code: ClassVar[str]
