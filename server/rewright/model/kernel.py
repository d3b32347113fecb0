"""A checked `kernel` declaration as a value: what `checks/` asks, whatever language its body is written in.

Owns the meaning of a declaration after names and types were checked. Invariants: sizes and scalar parameters are
variables of type s32 unless declared otherwise; expressions are those of `body`; every place in the declaration is a
site number. A body in the own syntax is checked; one `from` a source is only named here, its text is read by `kernels/`
in a worker. Must not know how a kernel is executed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from rewright.model.body import Body, Expression
from rewright.model.index import Name
from rewright.model.simt.types import Scalar


class Direction(StrEnum):
    """What a kernel does with an array parameter."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"


class Size(Struct, frozen=True):
    """A size; without a value it is free, and the check chooses.

    `of_host`: nobody declared it. It stands for an expression of host code whose value is not known, and other values
    of the launch may depend on it in ways that are not known either.
    """

    name: Name
    value: Expression | None
    site: int
    of_host: bool = False


class ArrayParameter(Struct, frozen=True):
    """An array in global memory; extents are outermost first, None where nothing is said of its size."""

    name: Name
    direction: Direction
    type: Scalar
    extents: tuple[Expression, ...] | None
    site: int


class ScalarParameter(Struct, frozen=True):
    """A value passed to every thread; without one given, an integer is free."""

    name: Name
    type: Scalar
    value: Expression | None
    site: int


Parameter = ArrayParameter | ScalarParameter


class Fact(Struct, frozen=True):
    """A precondition: a truth over sizes, scalar parameters and, inside `Forall`, elements of inputs."""

    condition: Expression
    site: int


class Forall(Struct, frozen=True):
    """`forall i in low..high: body`."""

    variable: Name
    low: Expression
    high: Expression
    body: Requirement
    site: int


Requirement = Fact | Forall


class Launch(Struct, frozen=True):
    """Blocks of the grid and threads of a block along x, y, z, as many as given; bytes of dynamic shared memory."""

    grid: tuple[Expression, ...]
    block: tuple[Expression, ...]
    site: int
    shared: Expression | None = None


class Define(Struct, frozen=True):
    """`define WARP = 32`: a macro of the source."""

    name: str
    value: int
    site: int


class Foreign(Struct, frozen=True):
    """The body is the function `entry` of the source at `path`; arguments match by position.

    `arguments` are those of its template, as text: integers, or names of types. `same` are array parameters that are
    one array with an earlier one: `k(a, a)`.
    """

    path: str
    entry: str
    defines: tuple[Define, ...]
    site: int
    arguments: tuple[str, ...] = ()
    same: tuple[tuple[Name, Name], ...] = ()


class Kernel(Struct, frozen=True):
    """A kernel with its launch and preconditions.

    Of the integers without a value, `quantified` are those for which somebody said that any value counts; `passed` are
    those that the host gives a constant so large that smaller values are tried in its place.
    """

    name: Name
    sizes: tuple[Size, ...]
    parameters: tuple[Parameter, ...]
    requires: tuple[Requirement, ...]
    launch: Launch
    body: Body | Foreign
    quantified: tuple[Name, ...] = ()
    passed: tuple[tuple[Name, int], ...] = ()


def without_value(sizes: Iterable[Size], parameters: Iterable[Parameter]) -> dict[Name, Scalar]:
    """The sizes and scalar parameters of a kernel whose values are chosen, with their types."""
    free = {size.name: Scalar.S32 for size in sizes if size.value is None}
    scalars = (each for each in parameters if isinstance(each, ScalarParameter) and each.value is None)
    return free | {each.name: each.type for each in scalars}
