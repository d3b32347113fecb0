"""Dynamic shared memory: one object, however often and as whatever type it is declared.

Must not know other declarations.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.frontends.cuda.cxx.types import Array, Type
from rewright.frontends.cuda.cxx.values import InMemory
from rewright.frontends.cuda.lower.lowering import Lowering
from rewright.frontends.cuda.lower.memory import reached, shape
from rewright.frontends.cuda.reading.tree import text
from rewright.model.body import Binary, Convert, Expression, Integer
from rewright.model.simt.program import Object
from rewright.model.simt.types import Operator, Scalar, Space


def dynamic_shared(lowering: Lowering, kind: Type, named: Node) -> InMemory:
    """`extern __shared__ T name[]`: the launch says how many bytes it has, so no index is checked by a dimension."""
    place = lowering.place(named)
    if not isinstance(kind, Array):
        lowering.refuse_construct(named, "dynamic shared memory that is no array")
    if lowering.shared is None:
        lowering.refuse(named, f"`{text(named)}` is dynamic shared memory: the launch must say `shared(bytes)`")
    if ("dynamic",) not in lowering.objects:
        scalar = shape(kind)[1]
        wide = Convert(lowering.shared, Scalar.S64, place)
        width = Integer(scalar.bytes, Scalar.S64, place)
        extent: Expression = Binary(Operator.DIVIDE, wide, width, Scalar.S64, place)
        made = Object(lowering.fresh(text(named)), Space.SHARED, scalar, (extent,), is_input=False, place=place)
        lowering.objects["dynamic",] = lowering.builder.object(made)
    start = reached(lowering, lowering.objects["dynamic",], kind, place)
    return InMemory(kind, start.address)
