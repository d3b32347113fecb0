"""The order that isl's scheduler finds: outer loops that can be tiled, dependences as short as they get."""

from __future__ import annotations

from typing import Any

import islpy as isl

from rewright.loops.generation.orders import NestSets


def best_order(sets: NestSets, tile: int | None) -> isl.Schedule:
    """The schedule, its outermost bands of several loops in tiles of a size unless that is None."""
    context = sets.holds.get_ctx()
    domain = isl.UnionSet.read_from_str(context, f"{sets.names.prefix}{{ }}")
    for each in sets.statements:
        domain = domain.union(isl.UnionSet.from_set(each.domain))
    ordered = isl.UnionMap.read_from_str(context, f"{sets.names.prefix}{{ }}")
    for pair in sets.ordered:
        ordered = ordered.union(isl.UnionMap.from_map(pair.pairs))
    context.set_tile_shift_point_loops(0)
    constraints = isl.ScheduleConstraints.on_domain(domain).set_validity(ordered).set_proximity(ordered)
    root = constraints.compute_schedule().get_root()
    return (root if tile is None else _in_tiles(root, tile)).get_schedule()


def _in_tiles(node: isl.ScheduleNode, size: int) -> isl.ScheduleNode:
    kind: Any = node.get_type()
    if kind == isl.schedule_node_type.band and node.band_n_member() > 1 and node.band_get_permutable():
        space = node.band_get_space()
        sizes = isl.MultiVal.zero(space)
        for number in range(node.band_n_member()):
            sizes = sizes.set_val(number, isl.Val.int_from_si(space.get_ctx(), size))
        return node.band_tile(sizes)
    for number in range(node.n_children()):
        node = _in_tiles(node.child(number), size).parent()
    return node
