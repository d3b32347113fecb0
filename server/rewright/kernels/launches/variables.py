"""What launches find in the variables that a source has outside functions.

A variable that the declaration speaks of is an input or a value like a parameter. Of the others, some have the same
contents in every launch; device memory starts with its first contents, and launches before may have written others;
constant memory without a first value has any. Must not know how contents are chosen, or how a program runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from msgspec import Struct
from msgspec.structs import replace

from rewright.kernels.launches.inputs import UNSIZED
from rewright.kernels.launches.singled_out import Singled
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Direction, Kernel, ScalarParameter
from rewright.model.scalars import Values, integer
from rewright.model.simt.constants import Number
from rewright.model.simt.program import Object, Program, VariableMemory

Held = tuple[tuple[Name, tuple[Number, ...]], ...]
"""Contents by the names of variables."""


class Variables(Struct, frozen=True):
    """The variables of a program by what is known of their contents.

    `stated`: scalars whose value the launch says. `changing` is device memory that launches before this one may have
    written, with its `first` contents; `open` is what nothing is said of: both as arrays to be filled. Assumed not to
    change are `kept` (device memory that the source nowhere writes) and `constant` (what has a first value there).
    """

    kept: tuple[Name, ...] = ()
    constant: tuple[Name, ...] = ()
    first: Held = ()
    stated: tuple[Name, ...] = ()
    changing: tuple[ArrayParameter, ...] = ()
    open: tuple[ArrayParameter, ...] = ()

    @property
    def unstated(self) -> frozenset[str]:
        """The names of those whose contents were chosen without a word of the declaration."""
        return frozenset(str(array.name) for array in (*self.changing, *self.open))

    def at_start(self, kernel: Kernel) -> Kernel:
        """The kernel with what is to be filled when its program starts."""
        return _with(kernel, self.open)

    def later(self, kernel: Kernel) -> Kernel:
        """The kernel with what is to be filled when others ran before it."""
        return _with(kernel, (*self.open, *self.changing))

    def held(self, values: Values) -> Held:
        """The contents that the launch says by a value."""
        return tuple((name, (values[name],)) for name in self.stated)

    def chosen_in(self, contents: Held) -> tuple[Name, ...]:
        """The variables that have contents there which are not stated."""
        first = {name: _plain(cells) for name, cells in self.first}
        unstated = self.unstated
        return tuple(name for name, cells in contents if name in unstated and first.get(name) != _plain(cells))


def variables(kernel: Kernel, program: Program) -> Variables:
    """The variables of the program, given what its declaration says of them."""
    said = {parameter.name for parameter in kernel.parameters}
    scalars = {parameter.name for parameter in kernel.parameters if isinstance(parameter, ScalarParameter)}
    objects = [made for made in program.objects if made.variable is not None]
    silent = [made for made in objects if made.name not in said]
    changing = [made for made in silent if _memory(made) is VariableMemory.DEVICE and _initial(made) is not None]
    settled = [made for made in silent if made.variable is not None and made.variable.settled is not None]
    return Variables(
        kept=tuple(made.name for made in settled if _memory(made) is VariableMemory.KEPT),
        constant=tuple(made.name for made in settled if _memory(made) is VariableMemory.CONSTANT),
        first=tuple((made.name, cells) for made in changing if (cells := _initial(made)) is not None),
        stated=tuple(made.name for made in objects if made.name in scalars),
        changing=tuple(map(_array, changing)),
        open=tuple(_array(made) for made in silent if _initial(made) is None),
    )


MOST_PINNED = 12
"""Choices of values that variables of integers hold everywhere."""


def pinned(
    arrays: tuple[ArrayParameter, ...], singled: Mapping[Name, Singled], marks: tuple[float, ...]
) -> list[dict[Name, Number]]:
    """Values for those arrays that hold integers, each everywhere in one: what the program compares numbers with.

    In all combinations or turns. A variable of one integer is a mode or a length more often than data, and a table is
    cleared more often than not; a random number is none of these cases.
    """
    columns = {
        array.name: _column(singled.get(array.name, Singled()), marks) for array in arrays if array.type.is_integer
    }
    if not columns:
        return []
    if prod(map(len, columns.values())) <= MOST_PINNED:
        return [dict(zip(columns, row, strict=True)) for row in product(*columns.values())]
    longest = max(map(len, columns.values()))
    return [
        {
            name: column[(turn * (place + 1) + place) % len(column)]
            for place, (name, column) in enumerate(columns.items())
        }
        for turn in range(longest)
    ]


def _column(singled: Singled, marks: tuple[float, ...]) -> list[int]:
    near = sorted(singled.numbers, key=abs)
    return list(dict.fromkeys([*near, 0, 1, *(int(mark) for mark in marks)]))[:MOST_PINNED]


def _memory(made: Object) -> VariableMemory:
    assert made.variable is not None
    return made.variable.memory


def _initial(made: Object) -> tuple[Number, ...] | None:
    assert made.variable is not None
    return made.variable.initial


def _array(made: Object) -> ArrayParameter:
    """The variable as an array to be filled; of a large one the first elements, as of an array of unknown size."""
    size = prod(integer(extent, {}) for extent in made.extents or ())
    extents = made.extents if size <= UNSIZED else None
    return ArrayParameter(made.name, Direction.INOUT, made.type, extents, 0)


def _with(kernel: Kernel, arrays: tuple[ArrayParameter, ...]) -> Kernel:
    return replace(kernel, parameters=(*kernel.parameters, *arrays)) if arrays else kernel


def _plain(cells: tuple[Number, ...]) -> tuple[Number, ...]:
    """Contents without the zeros at their end."""
    end = len(cells)
    while end and not cells[end - 1]:
        end -= 1
    return cells[:end]
