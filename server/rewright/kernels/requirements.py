"""Whether preconditions hold for given sizes, parameters and inputs, with bound indices as lanes.

Must not know how inputs are found.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from rewright.kernels import block as blocks
from rewright.kernels.block import Block, Region, Undecided
from rewright.kernels.evaluate import evaluate
from rewright.kernels.lanes import Array, Lanes, constant, spread
from rewright.model.index import Name
from rewright.model.kernel import ArrayParameter, Fact, Forall, Kernel, Requirement, ScalarParameter
from rewright.model.simt.types import Scalar
from rewright.model.violation import Setting

MOST_INSTANCES = 1 << 20
"""Values of the bound indices of one requirement together."""

Values = Mapping[Name, int]
Contents = Mapping[Name, tuple[int, ...]]


class Truths(NamedTuple):
    """A requirement instance by instance: the block whose lanes they are, and for each whether it is false."""

    block: Block
    falsified: Array


def hold(kernel: Kernel, values: Values, contents: Contents) -> bool:
    """Whether no requirement is false. One about floats, or about inputs without contents, is not."""
    return not any(truths(kernel, each, values, contents).falsified.any() for each in kernel.requires)


def truths(kernel: Kernel, requirement: Requirement, values: Values, contents: Contents) -> Truths:
    """The requirement at every value of its bound indices. Raises `Undecided` if there are too many."""
    block = scratch(kernel, values, contents)
    while isinstance(requirement, Forall):
        block = _expanded(block, requirement)
        requirement = requirement.body
    return Truths(block, _falsified(block, requirement))


def scratch(kernel: Kernel, values: Values, contents: Contents | None) -> Block:
    """A block of one lane that knows the sizes, the scalar parameters and, if given, the contents of inputs."""
    one = (1, 1, 1)
    block = blocks.start(Setting(one, one, (0, 0, 0), (), ()))
    types = {p.name: p.type for p in kernel.parameters if isinstance(p, ScalarParameter)}
    for name, value in values.items():
        block.variables[name] = constant(value, types.get(name, Scalar.S32))
    for parameter in kernel.parameters if contents is not None else ():
        if contents is not None and isinstance(parameter, ArrayParameter):
            block.regions[parameter.name] = _region(block, parameter, contents.get(parameter.name))
    return block


def _region(block: Block, parameter: ArrayParameter, contents: tuple[int, ...] | None) -> Region:
    extents = []
    for extent in parameter.extents or ():
        value = evaluate(block, extent, None)
        if value is None or value.known is not None:
            raise Undecided(f"the size of `{parameter.name}` is not known", None)
        extents.append(int(value.data))
    region = blocks.region(parameter.name, parameter.type, tuple(extents), contents)
    region.watched = False
    return region


def _expanded(block: Block, forall: Forall) -> Block:
    """The block with one lane for each lane of `block` and value of the bound index."""
    bounds = [evaluate(block, bound, None) for bound in (forall.low, forall.high)]
    low, high = (_int64(block, bound) for bound in bounds)
    counts = np.maximum(high - low, 0)
    total = int(counts.sum())
    if total > MOST_INSTANCES:
        raise Undecided(f"a requirement has more than {MOST_INSTANCES} instances", None)
    owners = np.repeat(np.arange(block.lanes), counts)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    index = low[owners] + np.arange(total) - starts
    wider = Block(block.setting, total, np.arange(total), {}, {}, block.regions)
    for name, value in block.variables.items():
        wider.variables[name] = None if value is None else Lanes(spread(value.data, block.lanes)[owners])
    wider.variables[forall.variable] = Lanes(index.astype(np.int32))
    return wider


def _int64(block: Block, bound: Lanes | None) -> Array:
    if bound is None or bound.known is not None:
        raise Undecided("a bound of `forall` is not known", None)
    return spread(bound.data.astype(np.int64), block.lanes)


def _falsified(block: Block, fact: Fact) -> Array:
    if block.lanes == 0:
        return np.zeros(0, np.bool_)
    try:
        value = evaluate(block, fact.condition, None)
    except Undecided:
        value = None
    if value is None:
        return np.zeros(block.lanes, np.bool_)
    false = ~value.data if value.known is None else ~value.data & value.known
    return np.asarray(spread(np.asarray(false), block.lanes))
