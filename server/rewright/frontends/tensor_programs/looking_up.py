"""Gathers as graphs have them, and what is assumed of the indices of tensors of integers that come in.

StableHLO moves an index that the table lacks to the nearest one that it has: the index is clamped. So it is in a graph
here, unless the indices are an input as it comes, which nothing else reads: such an input is taken to hold indices of
what is looked up by it, as in a `gather` that is written, also where JAX would count negative ones from the end. Each
operator raises `NotTaken` for a case that is not taken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from rewright.frontends.tensor_programs.attributes import integer, integers, numbers_in, within
from rewright.frontends.tensor_programs.building import Nodes
from rewright.frontends.tensor_programs.program import Attribute, TensorOperation
from rewright.frontends.tensor_programs.values import NotTaken, Tensor, Value
from rewright.model.graph import (
    Constant,
    Elementwise,
    Gather,
    GraphInput,
    GraphResult,
    Node,
    Reshape,
    Spread,
    Transpose,
    operands_of,
    redirected,
)

LOOKUP = "rewright.lookup"
"""A gather as graphs have it, as an operation of the front ends: indices that the table lacks are an error."""


def looked_up(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """`LOOKUP`. Raises `NotTaken`."""
    table, indices = nodes.tensor(given[0]), nodes.tensor(given[1])
    return _gathered(nodes, table, indices, integer(operation, "dimension"), is_clamped=False)


def gather(nodes: Nodes, operation: TensorOperation, given: Sequence[Value], shape: tuple[int, ...]) -> Value:
    """Of one dimension the parts at single indices, of all others everything. Raises `NotTaken`."""
    table, indices = nodes.tensor(given[0]), nodes.tensor(given[1])
    rank = len(table.shape)
    if any(_said(operation, key) for key in ("operand_batching_dims", "start_indices_batching_dims")):
        raise NotTaken("it looks up in several tables at once")
    along, sizes = _said(operation, "start_index_map"), integers(operation, "slice_sizes")
    if len(along) != 1 or along[0] not in range(rank):
        raise NotTaken("its indices are of several dimensions")
    (d,) = along
    if len(sizes) != rank or sizes != (*table.shape[:d], 1, *table.shape[d + 1 :]):
        raise NotTaken("its slices are not one index of one dimension, and all of the others")
    if not table.shape[d]:
        raise NotTaken("its table is empty")
    indices = _without_vector(nodes, indices, _said(operation, "index_vector_dim"))
    collapsed = _said(operation, "collapsed_slice_dims")
    if collapsed not in ((), (d,)):
        raise NotTaken("its dimensions are not those of its operands")
    found = _gathered(nodes, table, indices, d, is_clamped=True)
    many = len(indices.shape)
    # In the result that is written, the dimensions of the table stand at `offsets`, those of the indices elsewhere.
    offsets = _said(operation, "offset_dims")
    of_table = [k if k < d else k - 1 + many for k in range(rank) if k != d]
    made = len(offsets) + many
    if len(offsets) != rank - len(collapsed) or sorted(set(offsets)) != list(offsets) or made != len(shape):
        raise NotTaken("its dimensions are not those of its operands")
    kept = [at for k, at in zip([k for k in range(rank) if k not in collapsed], offsets, strict=True) if k != d]
    single = set(offsets) - set(kept)
    rest, of_indices = iter(of_table), iter(range(d, d + many))
    order = tuple(next(rest if at in kept else of_indices) for at in range(made) if at not in single)
    if order != tuple(range(len(order))):
        moved = tuple(found.shape[place] for place in order)
        found = nodes.add(Transpose(found.node, order, nodes.sizes(moved), nodes.site), moved)
    return nodes.reshape(found, shape)


def _said(operation: TensorOperation, key: str) -> tuple[int, ...]:
    """Integers of the numbers of dimensions, or of an attribute of its own. Raises `NotTaken`."""
    numbers: Attribute | None = operation.attributes.get("dimension_numbers")
    found = within(numbers, key) if numbers is not None else operation.attributes.get(key)
    return numbers_in(found)


def _without_vector(nodes: Nodes, indices: Tensor, at: tuple[int, ...]) -> Tensor:
    """The indices without the dimension along which those of one place would stand. Raises `NotTaken`."""
    if len(at) > 1 or any(each > len(indices.shape) for each in at):
        raise NotTaken("its dimensions are not those of its operands")
    vector = at[0] if at else 0  # a printer leaves out 0
    if vector == len(indices.shape):
        return indices
    if indices.shape[vector] != 1:
        raise NotTaken("its indices are of several dimensions")
    return nodes.reshape(indices, (*indices.shape[:vector], *indices.shape[vector + 1 :]))


def _gathered(nodes: Nodes, table: Tensor, indices: Tensor, along: int, *, is_clamped: bool) -> Tensor:
    """The parts of a table; of indices that are reshaped, what is found is, so that masks stand beside it."""
    if nodes.kind(indices) != "whole":
        raise NotTaken("its indices are no integers")
    if not 0 <= along < len(table.shape):
        raise NotTaken("its dimensions are not those of its operands")
    before, after = table.shape[:along], table.shape[along + 1 :]
    plain = nodes.before_reshape(indices)
    shape = (*before, *plain.shape, *after)
    found = nodes.add(Gather(table.node, plain.node, along, nodes.sizes(shape), nodes.site), shape)
    if is_clamped:
        nodes.clamped.append(found.node)
    return nodes.reshape(found, (*before, *indices.shape, *after))


# ------------------------------------------------------------------------------------------------- which are clamped


def with_clamps(
    nodes: Nodes, results: Sequence[GraphResult], cut: Mapping[int, Collection[int]]
) -> tuple[tuple[Node, ...], tuple[GraphResult, ...]]:
    """The nodes and results of a graph in which indices are clamped, but those of which is assumed that they need not.

    `cut` has inputs, by their nodes, with the dimensions along which ranks have a part each.
    """
    assumed = _assumed(nodes, [each.node for each in results], cut)
    made: list[Node] = []
    places: list[int] = []
    for number, node in enumerate(nodes.made):
        node = redirected(node, places.__getitem__)
        if number in nodes.clamped:
            assert isinstance(node, Gather)
            indices = nodes.shape(_gather(nodes, number).indices)
            size = _size(nodes, number)
            if number in assumed:
                node = replace(node, indices=places[assumed[number]])
            else:
                node = replace(node, indices=_clamp(nodes, made, node, indices, size))
        made.append(node)
        places.append(len(made) - 1)
    return tuple(made), tuple(replace(each, node=places[each.node]) for each in results)


def _gather(nodes: Nodes, number: int) -> Gather:
    found = nodes.made[number]
    assert isinstance(found, Gather)
    return found


def _size(nodes: Nodes, number: int) -> int:
    """Of how many parts a gather looks up some."""
    found = _gather(nodes, number)
    return nodes.shape(found.operand)[found.dimension]


def _clamp(nodes: Nodes, made: list[Node], node: Gather, shape: tuple[int, ...], size: int) -> int:
    """The indices of a gather, none below 0, none that is not below the size."""
    found, site = node.indices, node.site
    for operator, bound in (("maximum", 0), ("minimum", size - 1)):
        made.append(Constant(Fraction(bound), (), site))
        if shape:
            made.append(Spread(len(made) - 1, (), nodes.sizes(shape), site))
        made.append(Elementwise(operator, (found, len(made) - 1), nodes.sizes(shape), site))
        found = len(made) - 1
    return found


def _assumed(nodes: Nodes, results: Sequence[int], cut: Mapping[int, Collection[int]]) -> dict[int, int]:
    """The gathers whose indices are an input as it comes, which nothing but the like reads, and whose tables are not
    cut along what is looked up; each with the node that has the indices. Of several sizes the largest is assumed."""
    readers: dict[int, list[int]] = {}
    for number, node in enumerate(nodes.made):
        for each in operands_of(node):
            readers.setdefault(each, []).append(number)
    found: dict[int, int] = {}
    for number, node in enumerate(nodes.made):
        if not (isinstance(node, GraphInput) and nodes.kind(Tensor(number, nodes.shape(number))) == "whole"):
            continue
        own = _lookups(nodes, number, readers, results)
        whole = {each: at for each, at in (own or {}).items() if _is_whole(nodes, each, cut)}
        most = max((_size(nodes, each) for each in whole), default=0)
        found |= {each: at for each, at in whole.items() if _size(nodes, each) == most}
    return found


def _lookups(
    nodes: Nodes, number: int, readers: Mapping[int, Sequence[int]], results: Collection[int]
) -> dict[int, int] | None:
    """The gathers that an input reaches, each with the node that has it there; None if it reaches anything else."""
    found: dict[int, int] = {}
    todo = [number]
    while todo:
        value = todo.pop()
        if value in results:
            return None
        wrapped = _wrapped(nodes, value, readers)
        passed = set() if wrapped is None else {wrapped, *operands_of(nodes.made[wrapped])}
        for reader in readers.get(value, ()):
            match nodes.made[reader]:
                case Reshape() | Transpose() | Spread():
                    todo.append(reader)
                case Gather(operand=table) if table != value and reader in nodes.clamped:
                    found[reader] = value
                case _ if reader in passed:
                    pass
                case _:
                    return None
        if wrapped is not None:
            if wrapped in results:
                return None
            size = _wrap_size(nodes, wrapped)
            for reader in readers.get(wrapped, ()):
                match nodes.made[reader]:
                    case Gather(operand=table) if table != wrapped and reader in nodes.clamped:
                        if _size(nodes, reader) != size:
                            return None
                        found[reader] = value
                    case Reshape() | Spread() if reader not in readers and reader not in results:
                        pass
                    case _:
                        return None
    return found


def _wrapped(nodes: Nodes, value: int, readers: Mapping[int, Sequence[int]]) -> int | None:
    """The node `select(value < 0, value + n, value)`, by which JAX counts negative indices from the end, if nothing
    else reads what it is made of."""
    for reader in readers.get(value, ()):
        match nodes.made[reader]:
            case Elementwise(operator="select", operands=(chosen, then, otherwise)) if otherwise == value:
                match nodes.made[chosen], nodes.made[then]:
                    case (
                        Elementwise(operator="lt", operands=(compared, zero)),
                        Elementwise(operator="add", operands=(added, _)),
                    ) if compared == added == value and _number(nodes, zero) == 0:
                        if readers[chosen] == readers[then] == [reader]:
                            return reader
                    case _:
                        pass
            case _:
                pass
    return None


def _wrap_size(nodes: Nodes, wrapped: int) -> Fraction | None:
    """The number that is added to negative indices."""
    match nodes.made[operands_of(nodes.made[wrapped])[1]]:
        case Elementwise(operands=(_, size)):
            return _number(nodes, size)
        case _:
            return None


def _number(nodes: Nodes, number: int) -> Fraction | None:
    """The number that a node is everywhere, None if it is not known to be one."""
    while isinstance(node := nodes.made[number], Spread | Reshape):
        number = node.operand
    return node.value if isinstance(node, Constant) else None


def _is_whole(nodes: Nodes, number: int, cut: Mapping[int, Collection[int]]) -> bool:
    """Whether each rank has all of what a gather looks up, of an input; without ranks it always has."""
    found = _gather(nodes, number)
    if not nodes.mesh.axes:
        return True
    return found.operand in cut and found.dimension not in cut[found.operand]
