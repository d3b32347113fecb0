"""Both graphs of a refinement evaluated on related inputs.

Owns one run: inputs drawn, both sides' values, and what people are shown of it. Must not know what is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from rewright.model.graph import ExpectedEquation, Refinement
from rewright.model.index import Name
from rewright.replay.arrays import Array, Data, tensor_value
from rewright.replay.elements import TooLarge
from rewright.replay.graphs.collectives import Held
from rewright.replay.graphs.drawing import DRAWS, Draw, RefinementInputs, drawn_inputs
from rewright.replay.graphs.evaluation import GraphValues, Valueless, evaluate
from rewright.replay.graphs.extents import Numbers
from rewright.replay.graphs.ranks import Coordinates
from rewright.replay.graphs.steps import steps_of
from rewright.verdict import TensorValue


class RelatedValues(Struct, frozen=True, eq=False):
    """The values of both graphs on related inputs."""

    inputs: RefinementInputs
    sequential: GraphValues
    distributed: GraphValues


class GraphWithoutValue(Struct, frozen=True):
    """One of the graphs has a node without a value at these sizes."""

    side: Literal["sequential", "distributed"]
    at: Valueless


RankTensor = tuple[Coordinates, TensorValue]
"""A rank and what it holds of a tensor."""


class ShownRun(Struct, frozen=True):
    """A run as witnesses carry it: the inputs of both graphs, and an output of each rank beside the sequential one."""

    sizes: tuple[tuple[Name, int], ...]
    sequential: tuple[tuple[Name, TensorValue], ...]
    distributed: tuple[tuple[Name, tuple[RankTensor, ...]], ...]
    expected: TensorValue
    held: tuple[RankTensor, ...]


def related_values(refinement: Refinement, sizes: Numbers, draw: Draw) -> RelatedValues | GraphWithoutValue | None:
    """The values of both graphs on inputs drawn at these sizes; None where there are no related inputs.

    Raises `NotReplayable` for an operator that is not replayed, and for values that take too many steps.
    """
    inputs = drawn_inputs(refinement, sizes, draw)
    if inputs is None:
        return None
    sequential = evaluate(refinement.sequential, sizes, inputs.sequential)
    if isinstance(sequential, Valueless):
        return GraphWithoutValue("sequential", sequential)
    distributed = evaluate(refinement.distributed, sizes, inputs.distributed)
    if isinstance(distributed, Valueless):
        return GraphWithoutValue("distributed", distributed)
    return RelatedValues(inputs, sequential, distributed)


def runs(refinement: Refinement, sizes: Numbers, most_steps: int) -> Iterator[RelatedValues]:
    """The values on one draw after the other, as long as they take no more than `most_steps` together.

    None without inputs or where a node has no value. Raises `TooLarge` if already the first would take more, and
    `NotReplayable` as `related_values` does.
    """
    steps = steps_of(refinement.sequential, sizes) + steps_of(refinement.distributed, sizes)
    if steps > most_steps:
        raise TooLarge(f"graphs of more than {most_steps} steps are too large to be replayed")
    for draw in DRAWS[: most_steps // max(steps, 1)]:
        found = related_values(refinement, sizes, draw)
        if not isinstance(found, RelatedValues):
            return
        yield found


def shown_run(run: RelatedValues, sizes: Numbers, output: Name | ExpectedEquation) -> ShownRun:
    """What people are shown of a run, about one output or about both sides of an equation."""
    if isinstance(output, ExpectedEquation):
        expected, held = run.sequential.nodes[output.left], run.distributed.nodes[output.right]
    else:
        expected, held = run.sequential.results[output], run.distributed.results.get(output, {})
    return ShownRun(
        tuple(sizes.items()),
        tuple((name, _tensor(held[()])) for name, held in run.inputs.sequential.items()),
        tuple((name, _by_rank(held)) for name, held in run.inputs.distributed.items()),
        _tensor(expected[()]),
        _by_rank(held),
    )


def _by_rank(held: Held) -> tuple[RankTensor, ...]:
    return tuple((rank, _tensor(data)) for rank, data in held.items())


def _tensor(data: Data) -> TensorValue:
    return tensor_value(Array((), data))
