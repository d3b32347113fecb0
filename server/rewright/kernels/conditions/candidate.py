"""A condition that a kernel may need: what it requires, how it is said, and of which arrays it has to know the size.

Must not know which conditions there are, or whether one is needed.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from rewright.kernels.execution.numbers import DTYPES
from rewright.kernels.launches.requirements import Contents, TooMany, as_differing, hold
from rewright.model.body import Binary, Connective, Convert, Expression, Integer, Logical, Variable
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Fact, Forall, Kernel, Requirement, ScalarParameter
from rewright.model.scalars import Values, integer, number
from rewright.model.simt.constants import NoValue
from rewright.model.simt.program import Program
from rewright.model.simt.types import BinaryOperator, Scalar
from rewright.model.simt.violation import Setting
from rewright.verdict import Condition, Site

HERE = Site(0)
"""The place of what stands nowhere in the text."""

MOST_LOOKED_AT = 1 << 16
"""Elements that a condition speaks of in a run that it is held against; of more, those that were chosen.

If that cannot be told, it counts as true."""

WIDE = Scalar.S64
"""Conditions compare in this type: no size overflows it."""


class Sized(Struct, frozen=True):
    """An array of unknown size with the extents that it is to be given."""

    array: Name
    extents: tuple[Expression, ...]


class PossibleCondition(Struct, frozen=True):
    """A condition: what it requires, and its words. `weight` is less for what is simpler to say."""

    requirement: Requirement
    condition: Condition
    weight: int
    sized: tuple[Sized, ...] = ()

    def added_to(self, kernel: Kernel) -> Kernel:
        """The kernel that requires it, too."""
        return replace(sized_kernel(kernel, self.sized), requires=(*kernel.requires, self.requirement))

    def holds(self, kernel: Kernel, probe: Probe) -> bool:
        """Whether it is not false in a run of the kernel."""
        try:
            if isinstance(self.requirement, Fact):
                return bool(number(self.requirement.condition, probe.values))
            looked_at = self if self._is_looked_at(probe) else self._at_what_is_chosen(probe)
            if looked_at is None:
                return True
            alone = replace(looked_at.added_to(kernel), requires=(looked_at.requirement,))
            return hold(alone, probe.values, {**probe.contents, **looked_at._whole(probe)})
        except (TooMany, NoValue):
            return True

    def _is_looked_at(self, probe: Probe) -> bool:
        """Whether a run is small enough to look at the contents that the condition speaks of."""
        requirement, size = self.requirement, 1
        differing = as_differing(requirement)
        if differing is not None:
            return integer(differing.outer.high, probe.values) <= MOST_LOOKED_AT
        while isinstance(requirement, Forall):
            size *= integer(requirement.high, probe.values)
            requirement = requirement.body
        return size <= MOST_LOOKED_AT

    def _at_what_is_chosen(self, probe: Probe) -> PossibleCondition | None:
        """The condition on the elements of a large array that were chosen, which is given no more, if it is on one."""
        match self:
            case PossibleCondition(requirement=Forall() as outer, sized=(Sized(array=array, extents=(_,)),)):
                count = whole(min(len(probe.contents.get(array, ())), MOST_LOOKED_AT))
                return replace(self, requirement=replace(outer, high=count), sized=(Sized(array, (count,)),))
        return None

    def _whole(self, probe: Probe) -> Contents:
        """The contents of the arrays that it gives a size, in that size: behind what was chosen there are zeros."""
        made: dict[Name, NDArray[Any]] = {}
        for each in self.sized:
            size = prod(integer(extent, probe.values) for extent in each.extents)
            if each.array in probe.contents and 0 <= size <= MOST_LOOKED_AT:
                chosen = probe.contents[each.array][:size]
                made[each.array] = np.concatenate([chosen, np.zeros(size - len(chosen), chosen.dtype)])
        return made


class Probe(Struct, frozen=True, eq=False):
    """The sizes, parameters and contents of a run."""

    values: Values
    contents: Contents


def probe(kernel: Kernel, setting: Setting) -> Probe:
    """What conditions look at of a run of the kernel."""
    types = {each.name: each.type for each in kernel.parameters if isinstance(each, ArrayParameter)}
    held = {name: np.asarray(cells, DTYPES[types[name]]) for name, cells in setting.contents if name in types}
    return Probe(dict(setting.values), held)


def with_values(kernel: Kernel, values: Values) -> Kernel:
    """The kernel whose sizes and integer parameters of these names have values."""

    def given(name: Name, known: Expression | None, scalar: Scalar) -> Expression | None:
        return Integer(int(values[name]), scalar, HERE) if name in values else known

    sizes = tuple(replace(each, value=given(each.name, each.value, Scalar.S32)) for each in kernel.sizes)
    parameters = tuple(
        replace(each, value=given(each.name, each.value, each.type)) if isinstance(each, ScalarParameter) else each
        for each in kernel.parameters
    )
    return replace(kernel, sizes=sizes, parameters=parameters)


def sized_kernel(kernel: Kernel, sized: tuple[Sized, ...]) -> Kernel:
    """The kernel whose arrays have these extents."""
    known = {each.array: each.extents for each in sized}
    parameters = tuple(
        replace(each, extents=known[each.name]) if isinstance(each, ArrayParameter) and each.name in known else each
        for each in kernel.parameters
    )
    return replace(kernel, parameters=parameters)


def sized_program(program: Program, sized: tuple[Sized, ...]) -> Program:
    """The program whose objects have these extents."""
    known = {each.array: each.extents for each in sized}
    objects = tuple(
        replace(made, extents=known[made.name]) if made.name in known and made.extents is None else made
        for made in program.objects
    )
    return replace(program, objects=objects)


# --------------------------------------------------------------------------------------------------------- expressions


def whole(value: int) -> Integer:
    """A number."""
    return Integer(value, WIDE, HERE)


def named(name: Name, scalar: Scalar) -> Convert:
    """The value of a size or parameter."""
    return Convert(Variable(name, scalar, HERE), WIDE, HERE)


def arithmetic(operator: BinaryOperator, left: Expression, right: Expression) -> Binary:
    """A number made of two."""
    return Binary(operator, left, right, WIDE, HERE)


def compared(operator: BinaryOperator, left: Expression, right: Expression) -> Binary:
    """A comparison of two numbers."""
    return Binary(operator, left, right, Scalar.PRED, HERE)


def both(left: Expression, right: Expression) -> Logical:
    """Two truths together."""
    return Logical(Connective.AND, left, right, Scalar.PRED, HERE)
