"""Parameter packs of variadic templates: what a pattern comes to for each element, and folds over them.

The elements of a pack of parameters are known where the function is called; packs of types stand for nothing else.
Must not know calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from tree_sitter import Node

from rewright.emit.memory import loaded
from rewright.emit.operators import integer
from rewright.emit.types import BOOL, SIZE
from rewright.emit.values import NOTHING, Rvalue, Value
from rewright.frontends.cuda import cxx  # a pattern is an expression
from rewright.frontends.cuda.cxx.arithmetic import combined
from rewright.frontends.cuda.cxx.conversions import converted
from rewright.frontends.cuda.cxx.lowering import Lowering
from rewright.frontends.cuda.cxx.operands import rvalue
from rewright.frontends.cuda.cxx.scopes import Pack
from rewright.frontends.cuda.reading.tree import parts, text, walk
from rewright.model.simt.types import Scalar

_TRUTHS = {"&&": "&", "||": "|"}


def expanded(lowering: Lowering, pattern: Node, node: Node) -> Iterator[Value]:
    """What a pattern comes to for each element of the packs that it names. Raises `Refused` if it names none."""
    scope = lowering.names.scope
    names = {text(each) for each in walk(pattern) if each.type == "identifier"}
    packs = {name: found for name in names if isinstance(found := scope.find(name), Pack)}
    counts = {len(pack.of) for pack in packs.values()}
    if len(counts) != 1:
        lowering.emitter.refuse_construct(node, "this parameter pack")
    for at in range(counts.pop()):
        with lowering.names.block():
            lowering.names.scope.names.update({name: pack.of[at] for name, pack in packs.items()})
            yield cxx.expressions.value(lowering, pattern)


def pack_size(lowering: Lowering, node: Node) -> Rvalue:
    """`sizeof...(pack)`."""
    found = lowering.names.scope.find(text(parts(node)[0])) if parts(node) else None
    if not isinstance(found, Pack):
        lowering.emitter.refuse_construct(node, "the size of this parameter pack")
    return Rvalue(SIZE, (integer(len(found.of), Scalar.U64),))


def folded(lowering: Lowering, node: Node) -> Value:
    """`(pack + ...)`, `(... + pack)`, `(first + ... + pack)`, `(pattern, ...)` (C++17, [expr.prim.fold])."""
    emitter = lowering.emitter
    written = [child for child in node.children if text(child) not in ("(", ")")]
    operator = next(text(child) for child in written if not child.is_named and text(child) != "...")
    is_left = text(written[0]) == "..." or (len(written) == 5 and not _names_pack(lowering, written[0]))
    operands = [child for child in written if child.is_named]
    pattern = next((each for each in operands if _names_pack(lowering, each)), None)
    if pattern is None or (operator in _TRUTHS and pattern.type != "identifier"):
        emitter.refuse_construct(node, "this fold expression")
    if operator == ",":
        for _ in expanded(lowering, pattern, node):
            pass
        return NOTHING
    values = [loaded(emitter, each, emitter.place(node)) for each in expanded(lowering, pattern, node)]
    further = [rvalue(lowering, each) for each in operands if each != pattern]
    values = [*further, *values] if is_left else [*values, *further]
    if operator in _TRUTHS:
        values = [converted(emitter, each, BOOL, node) for each in values]
        empty = Rvalue(BOOL, (integer(operator == "&&", Scalar.PRED),))
        values = values or [empty]
    if not values:
        emitter.refuse(node, f"a fold with `{operator}` over no operands has no value")
    operator = _TRUTHS.get(operator, operator)
    if is_left:
        found = reduce(lambda left, right: combined(emitter, operator, (left, right), node), values)
    else:
        found = reduce(lambda right, left: combined(emitter, operator, (left, right), node), reversed(values))
    return converted(emitter, found, BOOL, node) if values[0].type == BOOL and operator in "&|" else found


def _names_pack(lowering: Lowering, node: Node) -> bool:
    names = (text(each) for each in walk(node) if each.type == "identifier")
    return any(isinstance(lowering.names.scope.find(name), Pack) for name in names)
