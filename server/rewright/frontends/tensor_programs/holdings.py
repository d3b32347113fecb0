"""How ranks hold what goes into a function and comes out of it: Shardy's manual computation, GSPMD's custom calls.

Owns the mesh that these speak of. Must not know other operations.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import prod

from msgspec import Struct, field

from rewright.frontends.tensor_programs.attributes import word
from rewright.frontends.tensor_programs.inlining import (
    MANUAL,
    SHAPES,
    TO_GLOBAL,
    TO_LOCAL,
    known,
    target,
    with_called,
)
from rewright.frontends.tensor_programs.program import Attribute, Function, Mesh, TensorOperation, TensorProgram
from rewright.frontends.tensor_programs.ranks import common_mesh
from rewright.frontends.tensor_programs.shardings import (
    Placements,
    device_factors,
    device_placements,
    mesh_named,
    per_value,
    placements,
)
from rewright.frontends.tensor_programs.values import NotTaken
from rewright.model.graph import Shard

Sited = Callable[[int, int], int]
"""The number of the site of a range of the text."""


class NotHeld(Exception):
    """What is written of how ranks hold tensors cannot be read, said of the bytes from `start` to `end`."""

    def __init__(self, reason: str, of: Function | TensorOperation) -> None:
        super().__init__(reason)
        self.start, self.end = of.start, of.end


class Held(Struct, frozen=True):
    """An input or a result of a function: the shape on a rank, or of the whole, and how ranks hold it, where known."""

    shape: tuple[int, ...]
    placements: Placements | None
    site: int


class Holdings(Struct):
    """How ranks hold the inputs, and the values that are returned, by the names of the values."""

    inputs: dict[str, Held] = field(default_factory=dict)
    results: dict[str, Held] = field(default_factory=dict)


def is_partitioned(program: TensorProgram, function: Function) -> bool:
    """Whether the function is what each rank runs."""
    return bool(program.stated) or (program.is_partitioned and function.name == program.entry)


def mesh_of(program: TensorProgram, function: Function) -> Mesh:
    """The mesh of the ranks that run a function; none if it is for one device. Raises `NotHeld`."""
    written = _written_mesh(program, function)
    if not program.stated:
        return written
    ranks = prod(size for _, size in program.stated)
    if written:
        raise NotHeld("the text says its mesh, and the declaration another one", function)
    if program.partitions not in (1, ranks):
        raise NotHeld(f"the text is for {program.partitions} ranks, and the mesh has {ranks}", function)
    return program.stated


def _written_mesh(program: TensorProgram, function: Function) -> Mesh:
    """The mesh that the text says, none if it says none. Raises `NotHeld`."""
    manual = next((each for each in function.operations if each.name == MANUAL or target(each) == TO_LOCAL), None)
    if manual is not None:
        try:
            shardings = per_value(manual.attributes.get("in_shardings"))
            for each in function.operations:
                if "out_shardings" in each.attributes:
                    shardings += per_value(each.attributes["out_shardings"])
            return mesh_named(shardings, program.meshes)
        except NotTaken as reason:
            raise NotHeld(sentence(manual, reason), manual) from None
    said: list[str] = []
    is_sharded = program.is_partitioned and function.name == program.entry
    if is_sharded:
        said = [word_ for each in function.parameters if (word_ := _sharding(each.attributes))]
    if any(
        each.name == "stablehlo.custom_call" and target(each) in SHAPES
        for each in with_called(program, function.operations)
    ):
        said += [word(each, "mhlo.sharding") for each in function.operations]
        is_sharded = True
    if not is_sharded:
        return ()
    factors = [each for text in said for each in device_factors(text)]
    found = common_mesh([*factors, (program.partitions,)], "axis_{}".format)
    if found is None:
        raise NotHeld("its shardings lie along no axes of one mesh", function)
    return found


def _sharding(attributes: Mapping[str, Attribute]) -> str:
    found = attributes.get("mhlo.sharding")
    return found if isinstance(found, str) else ""


def holdings_of(program: TensorProgram, function: Function, mesh: Mesh, sited: Sited) -> Holdings:
    """What the function's own operations say: those of a manual computation, or custom calls. Raises `NotHeld`."""
    found = Holdings()
    if is_partitioned(program, function):
        try:
            _of_parameters(found, function, mesh, sited)
        except NotTaken as reason:
            raise NotHeld(f"`{function.name}` is not taken: {reason}", function) from None
        return found
    shardings: dict[str, tuple[str, str, int]] = {}
    parameters = {each.value for each in function.parameters}
    for each in function.operations:
        site = sited(each.start, each.end)
        try:
            if each.name == MANUAL:
                _of_manual(found, each, parameters, (tuple(dict(mesh)), site))
            elif target(each) in (TO_LOCAL, TO_GLOBAL):
                _of_shapes(found, each, parameters, (tuple(dict(mesh)), site))
            elif each.name == "stablehlo.custom_call" and each.operands and each.results:
                _of_custom_call(found, each, (shardings, mesh, site))
        except NotTaken as reason:
            raise NotHeld(sentence(each, reason), each) from None
    return found


def _of_manual(
    found: Holdings, operation: TensorOperation, parameters: set[str], context: tuple[Collection[str], int]
) -> None:
    """Shardy's manual computation: shardings of what it is given, and of what it gives."""
    axes, site = context
    ins = per_value(operation.attributes.get("in_shardings"))
    outs = per_value(operation.attributes.get("out_shardings"))
    region = operation.regions[0] if operation.regions else None
    if region is None or len(ins) != len(operation.operands) or len(outs) != len(operation.results):
        raise NotTaken("its shardings are not one for each value")
    if any(each not in parameters for each in operation.operands):
        raise NotTaken("it is given what is computed before it")
    for value, sharding, (_, local) in zip(operation.operands, ins, region.arguments, strict=True):
        shape = known(local)
        if shape is not None:
            found.inputs[value] = Held(shape, placements(sharding, shape, axes), site)
    for value, sharding, whole in zip(operation.results, outs, operation.types, strict=True):
        shape = known(whole)
        if shape is not None:
            found.results[value] = Held(shape, placements(sharding, shape, axes), site)


def _of_shapes(
    found: Holdings, operation: TensorOperation, parameters: set[str], context: tuple[Collection[str], int]
) -> None:
    """Shardy's custom calls in HLO: shardings of what goes in, or of what comes out."""
    axes, site = context
    enters = target(operation) == TO_LOCAL
    shardings = per_value(operation.attributes.get("in_shardings" if enters else "out_shardings"))
    if not len(shardings) == len(operation.operands) == len(operation.types) == len(operation.results):
        raise NotTaken("its shardings are not one for each value")
    if enters and any(each not in parameters for each in operation.operands):
        raise NotTaken("it is given what is computed before it")
    given = zip(operation.operands, operation.results, operation.types, shardings, strict=True)
    for operand, result, type_, sharding in given:
        shape = known(type_)
        if shape is not None and enters:
            found.inputs[operand] = Held(shape, placements(sharding, shape, axes), site)
        elif shape is not None:
            found.results[result] = Held(shape, placements(sharding, shape, axes), site)


def _of_parameters(found: Holdings, function: Function, mesh: Mesh, sited: Sited) -> None:
    """Of a function that each rank runs: the shapes are those of a rank."""
    for each in function.parameters:
        said, shape = each.attributes.get("mhlo.sharding"), known(each.type)
        if shape is not None:
            placed = device_placements(said, mesh, len(shape)) if isinstance(said, str) else ()
            found.inputs[each.value] = Held(shape, placed, sited(each.start, each.end))


def _of_custom_call(
    found: Holdings, operation: TensorOperation, context: tuple[dict[str, tuple[str, str, int]], Mesh, int]
) -> None:
    """GSPMD's: `Sharding` says how a value is held, of the whole or before it is put together."""
    shardings, mesh, site = context
    source, result = operation.operands[0], operation.results[0]
    text = word(operation, "mhlo.sharding")
    origin = shardings.get(source, (source, "", site))[0]
    shape = known(operation.types[0]) if operation.types else None
    match target(operation):
        case "Sharding":
            shardings[result] = origin, text, site
        case "SPMDFullToShardShape" if shape is not None:
            said = shardings.get(source, (source, "", site))
            found.inputs[said[0]] = Held(shape, device_placements(said[1], mesh, len(shape)), said[2])
        case "SPMDShardToFullShape" if shape is not None:
            found.results[result] = Held(shape, device_placements(text, mesh, len(shape)), site)
        case _:
            return


def whole_shape(local: tuple[int, ...], placed: Placements, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of which ranks hold parts of this shape."""
    made = list(local)
    for each in placed:
        if isinstance(each, Shard):
            made[each.dimension] *= sizes[each.axis]
    return tuple(made)


def sentence(operation: TensorOperation, reason: NotTaken) -> str:
    """That an operation is not taken, and why."""
    called = f" `{target(operation)}`" if operation.name.endswith("custom_call") else ""
    return f"`{operation.name}`{called} is not taken{f': {reason}' if str(reason) else ''}"
