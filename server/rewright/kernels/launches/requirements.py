"""Whether preconditions hold for given sizes, parameters and inputs, at every value of their bound indices.

A requirement is false where it is known to be; what is said of inputs without contents, or with functions, is not. Must
not know how inputs are found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from rewright.kernels.execution.numbers import DTYPES
from rewright.kernels.launches.vectors import Input, InputElements, Instances, InstanceValues, evaluate
from rewright.model.body import Binary, Convert, Expression, Integer, Load, Variable, parts
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Fact, Forall, Kernel, Requirement, ScalarParameter
from rewright.model.scalars import Values, integer
from rewright.model.simt.constants import converted
from rewright.model.simt.types import BinaryOperator, Scalar

_NONE = np.zeros(0, np.int32)

MOST_INSTANCES = 1 << 20
"""Values of the bound indices of one requirement together; each part of its expression is an array of as many."""

Contents = Mapping[Name, InputElements]


class TooMany(ValueError):
    """A requirement has more instances than are looked at."""


class Truths(NamedTuple):
    """A requirement instance by instance, and for each whether it is false, (instances,) bool."""

    instances: Instances
    falsified: NDArray[np.bool_]


def hold(kernel: Kernel, values: Values, contents: Contents) -> bool:
    """Whether no requirement is false. Raises `TooMany`, and `NoValue` for a size that has none."""
    held = inputs(kernel, values, contents)
    return not any(truths(kernel, each, values, held).falsified.any() for each in kernel.requires)


def truths(kernel: Kernel, requirement: Requirement, values: Values, held: Mapping[Name, Input]) -> Truths:
    """The requirement at every value of its bound indices. Raises `TooMany`.

    Of all pairs of elements that are to differ, only those next to each other in the order of their values are looked
    at: if two elements are equal, two of these are.
    """
    instances = Instances(1, _variables(kernel, values), held)
    differing = as_differing(requirement)
    if differing is not None:
        instances = _neighbours(_expanded(instances, differing.outer), differing)
        return Truths(instances, _falsified(instances, fact(requirement)))
    while isinstance(requirement, Forall):
        instances = _expanded(instances, requirement)
        requirement = requirement.body
    return Truths(instances, _falsified(instances, requirement))


def _variables(kernel: Kernel, values: Values) -> dict[Name, InstanceValues]:
    types = {p.name: p.type for p in kernel.parameters if isinstance(p, ScalarParameter)}
    typed = ((name, value, types.get(name, Scalar.S32)) for name, value in values.items())
    return {name: np.asarray(converted(value, scalar), DTYPES[scalar]) for name, value, scalar in typed}


def inputs(kernel: Kernel, values: Values, contents: Contents) -> dict[Name, Input]:
    """The arrays of known size with their contents. Raises `NoValue`."""
    arrays = (p for p in kernel.parameters if isinstance(p, ArrayParameter) and p.extents is not None)
    return {array.name: Input(extents(array, values), contents.get(array.name)) for array in arrays}


def extents(array: ArrayParameter, values: Values) -> tuple[int, ...]:
    """The extents of an array of known size. Raises `NoValue`."""
    return tuple(integer(extent, values) for extent in array.extents or ())


class Differing(Struct, frozen=True):
    """`forall i in 0..n: forall j in 0..i: t[i] != t[j]`: no two of the first elements of an array are equal."""

    outer: Forall
    inner: Forall
    element: Load

    @property
    def array(self) -> Name:
        """The array whose elements differ."""
        return self.element.array


def as_differing(requirement: Requirement) -> Differing | None:
    """The requirement as one that elements differ, if it is written as one."""
    match requirement:
        case Forall(
            variable=first,
            low=Integer(value=0),
            body=Forall(low=Integer(value=0), high=high, body=Fact(condition=Binary() as compared)) as inner,
        ) if compared.operator is BinaryOperator.NOT_EQUAL:
            sides = [bare(compared.left), bare(compared.right)]
            loaded = {each.indices: each for each in sides if isinstance(each, Load)}
            arrays = {each.array for each in loaded.values()}
            read = {tuple(_variable(index) for index in indices) for indices in loaded}
            if _variable(high) == first and len(arrays) == 1 and read == {(first,), (inner.variable,)}:
                element = next(each for each in loaded.values() if _variable(each.indices[0]) == first)
                return Differing(requirement, inner, element)
    return None


def _variable(expression: Expression) -> Name | None:
    found = bare(expression)
    return found.name if isinstance(found, Variable) else None


def bare(expression: Expression) -> Expression:
    """The expression without its conversions."""
    while isinstance(expression, Convert):
        expression = expression.operand
    return expression


def fact(requirement: Requirement) -> Fact:
    """What a requirement says inside its bound indices."""
    while isinstance(requirement, Forall):
        requirement = requirement.body
    return requirement


def expressions(requirement: Requirement) -> tuple[Expression, ...]:
    """All expressions of a requirement: bounds from the outside in, then the condition."""
    bounds: list[Expression] = []
    while isinstance(requirement, Forall):
        bounds += (requirement.low, requirement.high)
        requirement = requirement.body
    return (*bounds, requirement.condition)


def loads(requirement: Requirement, array: Name) -> tuple[Load, ...]:
    """The elements of the array that a requirement speaks of."""
    found = (part for each in expressions(requirement) for part in parts(each))
    return tuple(part for part in found if isinstance(part, Load) and part.array == array)


def _expanded(instances: Instances, forall: Forall) -> Instances:
    """One instance for each of the given ones and value of the bound index."""
    low, high = (_bound(bound, instances) for bound in (forall.low, forall.high))
    counts = np.maximum(high - low, 0)
    total = int(counts.sum())
    if total > MOST_INSTANCES:
        raise TooMany(f"a requirement has more than {MOST_INSTANCES} instances")
    owners = np.repeat(np.arange(instances.count), counts)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    variables = {name: value[owners] if value.ndim else value for name, value in instances.variables.items()}
    variables[forall.variable] = (low[owners] + np.arange(total) - starts).astype(np.int32)
    return Instances(total, variables, instances.inputs)


def _neighbours(instances: Instances, differing: Differing) -> Instances:
    """Of the pairs of instances, those that are next to each other when sorted by the element that they read."""
    element = evaluate(differing.element, instances)
    if element is None:
        return Instances(0, {differing.outer.variable: _NONE, differing.inner.variable: _NONE}, instances.inputs)
    data, known = (np.broadcast_to(each, instances.count) for each in element)
    numbered = np.flatnonzero(known)
    order = numbered[np.argsort(data[numbered], kind="stable")]
    index = instances.variables[differing.outer.variable]
    variables = {name: value[order[1:]] if value.ndim else value for name, value in instances.variables.items()}
    return Instances(
        max(len(order) - 1, 0), {**variables, differing.inner.variable: index[order[:-1]]}, instances.inputs
    )


def _bound(expression: Expression, instances: Instances) -> NDArray[np.int64]:
    """A bound in each instance, (instances,) int64; 0 where it has no value, so that nothing is claimed there."""
    value = evaluate(expression, instances)
    if value is None:
        return np.zeros(instances.count, np.int64)
    return np.broadcast_to(np.where(value.known, value.data, 0).astype(np.int64), instances.count)


def _falsified(instances: Instances, found: Fact) -> NDArray[np.bool_]:
    value = evaluate(found.condition, instances)
    if value is None:
        return np.zeros(instances.count, np.bool_)
    return np.broadcast_to(~value.data.astype(np.bool_) & value.known, instances.count)
