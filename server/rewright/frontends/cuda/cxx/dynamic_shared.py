"""Dynamic shared memory: one object, however often and as whatever type it is declared.

Must not know other declarations.
"""

from __future__ import annotations

from tree_sitter import Node

from rewright.emit.emitter import Emitter
from rewright.emit.memory import reached, shape
from rewright.emit.types import ArrayType, Type
from rewright.emit.values import InMemory
from rewright.frontends.cuda.reading.tree import text
from rewright.model.body import Binary, Convert, Expression, Integer
from rewright.model.simt.program import Object
from rewright.model.simt.types import BinaryOperator, Scalar, Space


def dynamic_shared(emitter: Emitter, kind: Type, named: Node) -> InMemory:
    """`extern __shared__ T name[]`: the launch says how many bytes it has, so no index is checked by a dimension."""
    place = emitter.place(named)
    if not isinstance(kind, ArrayType):
        emitter.refuse_construct(named, "dynamic shared memory that is not an array")
    if emitter.shared is None:
        emitter.refuse(named, f"`{text(named)}` is dynamic shared memory: the launch must state `shared(bytes)`")
    if ("dynamic",) not in emitter.objects:
        scalar = shape(kind)[1]
        wide = Convert(emitter.shared, Scalar.S64, place)
        width = Integer(scalar.bytes, Scalar.S64, place)
        extent: Expression = Binary(BinaryOperator.DIVIDE, wide, width, Scalar.S64, place)
        made = Object(emitter.fresh(text(named)), Space.SHARED, scalar, (extent,), is_input=False, place=place)
        emitter.objects["dynamic",] = emitter.builder.object(made)
    start = reached(emitter, emitter.objects["dynamic",], kind, place)
    return InMemory(kind, start.address)
