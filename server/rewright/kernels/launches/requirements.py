"""Whether preconditions hold for given sizes, parameters and inputs, at every value of their bound indices.

A requirement is false where it is known to be; what is said of inputs without contents, or with functions, is not. Must
not know how inputs are found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rewright.kernels.execution.numbers import DTYPES
from rewright.kernels.launches.vectors import Input, InputElements, Instances, InstanceValues, evaluate
from rewright.model.body import Expression, Load, parts
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Fact, Forall, Kernel, Requirement, ScalarParameter
from rewright.model.scalars import Values, integer
from rewright.model.simt.constants import converted
from rewright.model.simt.types import Scalar

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
    """The requirement at every value of its bound indices. Raises `TooMany`."""
    instances = Instances(1, _variables(kernel, values), held)
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
