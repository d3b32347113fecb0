"""What instructions of HLO are called in StableHLO, and how their attributes are said there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from rewright.frontends.hlo.lines import HloInstruction, split
from rewright.frontends.stablehlo.tokens import AttributeReader, tokens
from rewright.frontends.tensor_programs.program import Attribute, Custom

RENAMED: Mapping[str, str] = MappingProxyType(
    {
        "dot": "dot_general",
        "broadcast": "broadcast_in_dim",
        "exponential-minus-one": "exponential_minus_one",
        "log-plus-one": "log_plus_one",
        "opt-barrier": "optimization_barrier",
        "copy": "optimization_barrier",
    }
)
"""Opcodes with another name in StableHLO than theirs with `_` for `-`."""

CALLS: Mapping[str, str] = MappingProxyType({"call": "to_apply", "fusion": "calls"})
"""Instructions that run a computation in their place, with the attribute that names it."""


def name_of(made: HloInstruction) -> str:
    """What an instruction is called in StableHLO."""
    if made.opcode in CALLS:
        return "func.call"
    if made.opcode == "erf":
        return "chlo.erf"
    if made.opcode == "bitcast" and made.plain:
        return "stablehlo.reshape"
    opcode = "all-reduce" if made.opcode == "all-reduce-start" else made.opcode
    return f"stablehlo.{RENAMED.get(opcode, opcode.replace('-', '_'))}"


def attributes_of(made: HloInstruction) -> dict[str, Attribute]:
    """The attributes of an instruction as StableHLO says them."""
    given = made.attributes
    found: dict[str, Attribute] = {}
    match made.opcode:
        case "dot":
            for key, kind in (("contracting_dims", "contracting"), ("batching_dims", "batch")):
                sides = (given.get(f"{side}_{kind}_dims", "{}") for side in ("lhs", "rhs"))
                found[key] = tuple(_numbers(each) for each in sides)
        case "broadcast":
            found["broadcast_dimensions"] = _numbers(given.get("dimensions", "{}"))
        case "transpose":
            found["permutation"] = _numbers(given.get("dimensions", "{}"))
        case "reduce":
            found["dimensions"] = _numbers(given.get("dimensions", "{}"))
        case "concatenate":
            found["dimension"] = _first(given.get("dimensions", "{}"))
        case "iota":
            found["iota_dimension"] = given.get("iota_dimension", "")
        case "slice":
            rows = re.findall(r"\[([^\]]*)\]", given.get("slice", ""))
            found["listed"] = tuple(tuple(each.strip() for each in row.split(":")) for row in rows)
        case "dynamic-slice":
            found["slice_sizes"] = _numbers(given.get("dynamic_slice_sizes", "{}"))
        case "pad":
            found |= _padding(given.get("padding", ""))
        case "gather":
            keys = ("offset_dims", "collapsed_slice_dims", "start_index_map", "slice_sizes")
            batches = ("operand_batching_dims", "start_indices_batching_dims")
            found |= {key: _numbers(given.get(key, "{}")) for key in (*keys, *batches)}
            found["index_vector_dim"] = given.get("index_vector_dim", "")
        case "compare":
            found["comparison_direction"] = given.get("direction", "")
        case "constant":
            found["value"] = _literal(made.literal)
        case "custom-call":
            found["symbol"] = given.get("custom_call_target", "").strip('"')
            found |= _front_end(given.get("frontend_attributes", ""))
            if "sharding" in given:
                found["mhlo.sharding"] = given["sharding"]
        case "call" | "fusion":
            found["symbol"] = given.get(CALLS[made.opcode], "").removeprefix("%")
        case _:
            found |= _of_collective(made)
    return found


def _of_collective(made: HloInstruction) -> dict[str, Attribute]:
    given = made.attributes
    found: dict[str, Attribute] = {}
    if "replica_groups" in given:
        found["replica_groups"] = _groups(given["replica_groups"])
    if "source_target_pairs" in given:
        found["source_target_pairs"] = _groups(given["source_target_pairs"])
    if "channel_id" in given:
        found["channel_id"] = given["channel_id"]
    if given.get("use_global_device_ids") == "true":
        found["use_global_device_ids"] = "true"
    along = _first(given.get("dimensions", "{}"))
    match made.opcode.removesuffix("-start"):
        case "all-gather":
            found["all_gather_dim"] = along
        case "reduce-scatter":
            found["scatter_dimension"] = along
        case "all-to-all":
            found |= {"split_dimension": along, "concat_dimension": along}
        case _:
            pass
    return found


def _groups(text: str) -> Attribute:
    """`{{0,1},{2,3}}` as rows; what is written otherwise, as it stands."""
    if not text.startswith("{"):
        return text
    return tuple(_numbers(each) for each in split(text[1:-1]))


def _numbers(text: str) -> tuple[Attribute, ...]:
    return tuple(each.strip() for each in text.strip("{}").split(",") if each.strip())


def _first(text: str) -> Attribute:
    found = _numbers(text)
    return found[0] if len(found) == 1 else ""


def _padding(text: str) -> dict[str, Attribute]:
    """`0_0x1_2_0`: low, high and between, of each dimension."""
    rows = [each.split("_") for each in text.split("x") if each]
    keys = ("edge_padding_low", "edge_padding_high", "interior_padding")
    return {key: tuple(row[k] if k < len(row) else "0" for row in rows) for k, key in enumerate(keys)}


def _literal(text: str) -> Attribute:
    """A constant: `0`, `{1, 2}`, `{ { 1, 2 }, { 3, 4 } }`."""
    return Custom("dense", (_nested(text),), {}) if "..." not in text else ""


def _nested(text: str) -> Attribute:
    text = text.strip()
    if text.startswith("{"):
        return tuple(_nested(each) for each in split(text[1:-1]))
    return text


def _front_end(text: str) -> dict[str, Attribute]:
    """Shardy's attributes, which stand as MLIR in strings."""
    found: dict[str, Attribute] = {}
    for key in ("in_shardings", "out_shardings"):
        match = re.search(rf'xla\.sdy\.{key}="((?:[^"\\]|\\.)*)"', text)
        if match is not None:
            read = tokens(re.sub(r"\\(.)", r"\1", match[1]))
            found[key] = AttributeReader(read, {}).value(0)[0]
    return found


def meshes_of(text: str) -> dict[str, tuple[tuple[str, int], ...]]:
    """The meshes that the head of a module names: `xla.sdy.meshes={mesh = #sdy.mesh<["tp"=2]>}`."""
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for name, axes, rest in re.findall(r"(\w+) = #sdy\.mesh<\[([^\]]*)\](,[^>]*)?>", text.replace('\\"', '"')):
        if not rest:
            found[name] = tuple((axis, int(size)) for axis, size in re.findall(r'"([^"]+)"=(\d+)', axes))
    return found
