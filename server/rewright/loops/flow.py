"""Which operation writes the value that a read gets: all that matters of an array that is private.

Source: Feautrier, Dataflow analysis of array and scalar references, as isl computes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl
from msgspec import Struct

from rewright.loops.dependences import accessed_array
from rewright.loops.polyhedra import PolyhedralStatement
from rewright.model.index import Name


class Flow(Struct, frozen=True, eq=False):
    """Of one read of a statement: `sources`, from the operation that wrote the value to the one that reads it."""

    reader: PolyhedralStatement
    read: int
    array: Name
    sources: isl.UnionMap


def flows(statements: Sequence[PolyhedralStatement], array: Name) -> Iterator[Flow]:
    """The flow to each read of an array. A read whose value nothing wrote has no source."""
    writes = [each.write for each in statements if each.statement.write.array == array]
    order = union([each.schedule for each in statements])
    for reader in statements:
        for number in range(1, len(reader.accesses)):
            if accessed_array(reader.statement, number) == array and not writes:
                yield Flow(reader, number, array, isl.UnionMap.read_from_str(reader.domain.get_ctx(), "{ }"))
            elif accessed_array(reader.statement, number) == array:
                asked = isl.UnionAccessInfo.from_sink(isl.UnionMap.from_map(reader.accesses[number]))
                asked = asked.set_must_source(union(writes)).set_schedule_map(order)
                yield Flow(reader, number, array, asked.compute_flow().get_must_dependence())


def union(maps: Sequence[isl.Map]) -> isl.UnionMap:
    """The maps as one."""
    made = isl.UnionMap.from_map(maps[0])
    for each in maps[1:]:
        made = made.union(isl.UnionMap.from_map(each))
    return made
