"""A tensor program as it is read, in whatever language it is printed: functions of operations with StableHLO's names.

Plain data. Operations stand in the order of the text; a value is used after it is made. Places are byte ranges of the
text. Must not know what an operation means.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class TensorType:
    """An element type as it is printed, and the sizes; None for one that is only known when the program runs."""

    element: str
    shape: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Braces:
    """`{"dp", "tp"}` or `{dim = 0}`: what stands alone, and what has a key."""

    entries: tuple[Attribute, ...]
    keyed: Mapping[str, Attribute]


@dataclass(frozen=True, slots=True)
class Custom:
    """`#stablehlo.dot<…>`, `dense<…>`: a word, and what stands in angle brackets after it."""

    name: str
    entries: tuple[Attribute, ...]
    keyed: Mapping[str, Attribute]


Attribute = str | tuple["Attribute", ...] | Braces | Custom
"""A word, number or string as it is printed; a list; or one of the two above."""


@dataclass(frozen=True, slots=True)
class ModelLine:
    """Where the model's own source says what an operation does: a file as it is named, line from 1, column from 0."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Region:
    """Operations in braces, with the values that they are given."""

    arguments: tuple[tuple[str, TensorType], ...]
    operations: tuple[TensorOperation, ...]


@dataclass(frozen=True, slots=True)
class TensorOperation:
    """An operation: `name` has its dialect (`stablehlo.add`), values have the names that the text gives them.

    `types` are those of the results; `start` and `end` the bytes that a finding underlines.
    """

    name: str
    operands: tuple[str, ...]
    results: tuple[str, ...]
    types: tuple[TensorType, ...]
    attributes: Mapping[str, Attribute]
    regions: tuple[Region, ...]
    start: int
    end: int
    line: ModelLine | None = None


@dataclass(frozen=True, slots=True)
class TensorParameter:
    """A parameter of a function: its value, its type, what it is called in the model, its attributes, its place."""

    value: str
    type: TensorType
    name: str
    attributes: Mapping[str, Attribute]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Function:
    """A function; its last operation returns."""

    name: str
    parameters: tuple[TensorParameter, ...]
    operations: tuple[TensorOperation, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Misread:
    """What cannot be read, as a sentence, and at which bytes."""

    reason: str
    start: int
    end: int


Mesh = tuple[tuple[str, int], ...]
"""The axes of a mesh of ranks, with how many there are along each; the last varies fastest."""


@dataclass(frozen=True, slots=True)
class TensorProgram:
    """A text: its functions by name, of which `entry` is the one that is called, its meshes by name.

    `partitions` and `replicas` are how many there are of the program; `misread` is what cannot be read. A program
    `is_partitioned` if its entry is what each rank runs. `stated` is the mesh that the declaration says, of a text that
    says none.
    """

    functions: Mapping[str, Function]
    entry: str | None = None
    meshes: Mapping[str, Mesh] = field(default_factory=lambda: MappingProxyType({}))
    partitions: int = 1
    replicas: int = 1
    misread: tuple[Misread, ...] = ()
    is_partitioned: bool = False
    stated: Mesh = ()
