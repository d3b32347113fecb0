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
from rewright.verdict import Place


def dynamic_shared(emitter: Emitter, kind: Type, named: Node) -> InMemory:
    """`extern __shared__ T name[]`: the launch says how many bytes it has, so no index is checked by a dimension.

    Where it does not say, accesses are assumed to stay below the end, as of a pointer of which nothing is declared.
    """
    place = emitter.place(named)
    if not isinstance(kind, ArrayType):
        emitter.refuse_construct(named, "dynamic shared memory that is not an array")
    if ("dynamic",) not in emitter.objects:
        scalar = shape(kind)[1]
        extents = None if emitter.shared is None else (_elements(emitter.shared, scalar, place),)
        made = Object(emitter.fresh(text(named)), Space.SHARED, scalar, extents, is_input=False, place=place)
        emitter.objects["dynamic",] = emitter.builder.object(made)
    start = reached(emitter, emitter.objects["dynamic",], kind, place)
    return InMemory(kind, start.address)


def _elements(shared: Expression, scalar: Scalar, place: Place) -> Expression:
    """How many elements so many bytes hold."""
    width = Integer(scalar.bytes, Scalar.S64, place)
    return Binary(BinaryOperator.DIVIDE, Convert(shared, Scalar.S64, place), width, Scalar.S64, place)
