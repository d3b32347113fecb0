"""PyTorch's functional collectives, as StableHLO's: they name their group of ranks, and act on the first dimension.

Each raises `NotTaken` for a case that is not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rewright.frontends.fx.elementwise import Lowering
from rewright.frontends.fx.emitting import FxOperations, Value, integer
from rewright.frontends.fx.written import Call, Written
from rewright.frontends.tensor_programs.program import Attribute, TensorType
from rewright.frontends.tensor_programs.values import NotTaken

_COMBINES: Mapping[str, str] = MappingProxyType(
    {"sum": "add", "avg": "add", "max": "maximum", "min": "minimum", "product": "multiply"}
)


def all_reduce(emitter: FxOperations, call: Call) -> Value:
    """The operands of the group, combined."""
    value, by, group = emitter.tensor(call.at(0, "input")), call.at(1, "reduce_op"), _group(call.at(2, "group_name"))
    made = emitter.emit("stablehlo.all_reduce", (value,), emitter.types[value], group | _combining(by))
    return _averaged(emitter, made, by, group)


def all_gather(emitter: FxOperations, call: Call) -> Value:
    """The operands of the group, one after the other."""
    value, size = emitter.tensor(call.at(0, "input")), integer(call.at(1, "group_size"))
    own = emitter.shape(value) or (1,)
    group = _group(call.at(2, "group_name"), size)
    made = emitter.like(value, (own[0] * size, *own[1:]))
    return emitter.emit("stablehlo.all_gather", (emitter.reshaped(value, own),), made, group | {"all_gather_dim": "0"})


def reduce_scatter(emitter: FxOperations, call: Call) -> Value:
    """The part of a rank of the operands of the group, combined. Raises `NotTaken`."""
    value, by = emitter.tensor(call.at(0, "input")), call.at(1, "reduce_op")
    size = integer(call.at(2, "group_size"))
    group = _group(call.at(3, "group_name"), size)
    own = emitter.shape(value)
    if not own or size < 1 or own[0] % size:
        raise NotTaken("its first dimension is no multiple of its group")
    attributes = group | _combining(by) | {"scatter_dimension": "0"}
    made = emitter.emit(
        "stablehlo.reduce_scatter", (value,), emitter.like(value, (own[0] // size, *own[1:])), attributes
    )
    return _averaged(emitter, made, by, group)


def all_to_all(emitter: FxOperations, call: Call) -> Value:
    """Equal parts of the first dimension, one for each rank of the group and one from each. Raises `NotTaken`."""
    value, group = emitter.tensor(call.at(0, "input")), call.at(3, "group_name")
    out, given = call.at(1, "output_split_sizes"), call.at(2, "input_split_sizes")
    if not isinstance(out, tuple) or out != given or len(set(out)) != 1 or not emitter.shape(value):
        raise NotTaken("its parts are not of one size")
    attributes = _group(group, len(out)) | {"split_dimension": "0", "concat_dimension": "0"}
    return emitter.emit("stablehlo.all_to_all", (value,), emitter.types[value], attributes)


def _group(written: Written, size: int | None = None) -> dict[str, Attribute]:
    if not isinstance(written, str) or not written:
        raise NotTaken("its group of ranks has no name")
    return {"group_name": written} if size is None else {"group_name": written, "group_size": str(size)}


def _combining(by: Written) -> dict[str, Attribute]:
    if not isinstance(by, str) or by.lower() not in _COMBINES:
        raise NotTaken(f"it combines by `{by}`")
    return {"words": ("applies", f"stablehlo.{_COMBINES[by.lower()]}")}


def _averaged(emitter: FxOperations, value: str, by: Written, group: Mapping[str, Attribute]) -> str:
    """A sum over a group divided by how many ranks it has, where a mean is meant."""
    if not isinstance(by, str) or by.lower() != "avg":
        return value
    count = emitter.emit("rewright.group_size", (), TensorType("f32", ()), group)
    return emitter.pointwise("divide", value, count)


EXCHANGING: Mapping[str, Lowering] = MappingProxyType(
    {"all_reduce": all_reduce, "all_gather_into_tensor": all_gather, "reduce_scatter_tensor": reduce_scatter}
    | {"all_to_all_single": all_to_all}
)
"""Those that are taken, by their names."""
