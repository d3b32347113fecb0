"""ATen's lookups by index, and the logic of their masks, as operations of the front ends.

An index that the table lacks is an error in torch, as in a gather of a graph, and no part of the table. Each function
raises `NotTaken` for a case that is not taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rewright.frontends.fx.elementwise import Lowering, chosen
from rewright.frontends.fx.emitting import FxOperations, Value
from rewright.frontends.fx.written import Call
from rewright.frontends.tensor_programs.folding import TRUTH, is_integral
from rewright.frontends.tensor_programs.looking_up import LOOKUP
from rewright.frontends.tensor_programs.values import NotTaken


def embedding(emitter: FxOperations, call: Call) -> Value:
    """Rows of a table; `torch.nn.functional` has the indices first. Raises `NotTaken`."""
    limit = call.at(3, "max_norm")  # in `torch.ops.aten` a flag for gradients stands there
    if not (limit is None or isinstance(limit, bool)):
        raise NotTaken("it changes its table")
    one, other = emitter.tensor(call.at(0, "weight")), emitter.tensor(call.at(1, "indices"))
    if is_integral(emitter.types[one].element):
        one, other = other, one
    if len(emitter.shape(one)) != 2:
        raise NotTaken("its table is no matrix")
    return _looked_up(emitter, one, other, 0)


def index_select(emitter: FxOperations, call: Call) -> Value:
    """Parts along a dimension, at indices in a row. Raises `NotTaken`."""
    table, indices = emitter.tensor(call.at(0, "self")), emitter.tensor(call.at(2, "index"))
    if len(emitter.shape(indices)) != 1:
        raise NotTaken("its indices are not in a row")
    return _looked_up(emitter, table, indices, emitter.dimension(call.at(1, "dim"), len(emitter.shape(table))))


def _looked_up(emitter: FxOperations, table: str, indices: str, along: int) -> Value:
    if not is_integral(emitter.types[indices].element) or emitter.types[indices].element in TRUTH:
        raise NotTaken("its indices are no integers")
    own = emitter.shape(table)
    made = emitter.like(table, (*own[:along], *emitter.shape(indices), *own[along + 1 :]))
    return emitter.emit(LOOKUP, (table, indices), made, {"dimension": str(along)})


def index_put(emitter: FxOperations, call: Call) -> Value:
    """A number where a mask is true, of the first dimensions or of all. Raises `NotTaken`."""
    value, masks = emitter.tensor(call.at(0, "self")), call.at(1, "indices")
    if not isinstance(masks, tuple) or len(masks) != 1 or call.at(3, "accumulate") not in (None, False):
        raise NotTaken("it puts at several indices")
    mask, number = emitter.tensor(masks[0]), emitter.tensor(call.at(2, "values"))
    if emitter.types[mask].element not in TRUTH or emitter.shape(number):
        raise NotTaken("it puts no single number where a mask is")
    own, shape = emitter.shape(mask), emitter.shape(value)
    if own != shape[: len(own)]:
        raise NotTaken("its operands do not fit together")
    return chosen(emitter, emitter.reshaped(mask, (*own, *(1 for _ in shape[len(own) :]))), number, value)


def _logic(name: str, *, is_bitwise: bool) -> Lowering:
    def lowered(emitter: FxOperations, call: Call) -> Value:
        given = [emitter.tensor(each) for each in call.positional]
        if not is_bitwise and any(emitter.types[each].element not in TRUTH for each in given):
            raise NotTaken("it is on no truth values")
        return emitter.pointwise(name, *given)

    return lowered


LOOKING_UP: Mapping[str, Lowering] = MappingProxyType(
    {"embedding": embedding, "index_select": index_select, "index_put": index_put}
    | {f"bitwise_{name}": _logic(name, is_bitwise=True) for name in ("and", "or", "not")}
    | {f"logical_{name}": _logic(name, is_bitwise=False) for name in ("and", "or", "not")}
    | {"and_": _logic("and", is_bitwise=True), "or_": _logic("or", is_bitwise=True)}
)
"""Those that are taken, by their names without their overloads."""
