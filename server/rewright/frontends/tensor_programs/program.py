"""A tensor program as it is read, in whatever language it is printed: functions of operations with StableHLO's names.

Plain data. Operations stand in the order of the text; a value is used after it is made. Places are byte ranges of the
text. Must not know what an operation means.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field


class TensorType(Struct, frozen=True):
    """An element type as it is printed, and the sizes; None for one that is only known when the program runs."""

    element: str
    shape: tuple[int | None, ...]


class Braces(Struct, frozen=True):
    """`{"dp", "tp"}` or `{dim = 0}`: what stands alone, and what has a key."""

    entries: tuple[Attribute, ...]
    keyed: Mapping[str, Attribute]


class Custom(Struct, frozen=True):
    """`#stablehlo.dot<…>`, `dense<…>`: a word, and what stands in angle brackets after it."""

    name: str
    entries: tuple[Attribute, ...]
    keyed: Mapping[str, Attribute]


Attribute = str | tuple["Attribute", ...] | Braces | Custom
"""A word, number or string as it is printed; a list; or one of the two above."""


class ModelLine(Struct, frozen=True):
    """Where the model's own source says what an operation does: a file as it is named, line from 1, column from 0."""

    file: str
    line: int
    column: int


class Region(Struct, frozen=True):
    """Operations in braces, with the values that they are given."""

    arguments: tuple[tuple[str, TensorType], ...]
    operations: tuple[TensorOperation, ...]


class TensorOperation(Struct, frozen=True):
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


class TensorParameter(Struct, frozen=True):
    """A parameter of a function: its value, its type, what it is called in the model, its attributes, its place."""

    value: str
    type: TensorType
    name: str
    attributes: Mapping[str, Attribute]
    start: int
    end: int


class Function(Struct, frozen=True):
    """A function; its last operation returns."""

    name: str
    parameters: tuple[TensorParameter, ...]
    operations: tuple[TensorOperation, ...]
    start: int
    end: int


class Misread(Struct, frozen=True):
    """What cannot be read, as a sentence, and at which bytes."""

    reason: str
    start: int
    end: int


Mesh = tuple[tuple[str, int], ...]
"""The axes of a mesh of ranks, with how many there are along each; the last varies fastest."""


class TensorProgram(Struct, frozen=True):
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
