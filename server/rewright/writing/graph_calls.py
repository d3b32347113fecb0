"""The calls of graphs and of placements: how each is written, what it means, and with which arguments it is offered.

Invariant: with the arguments that are given here a call is of the language, where tensors of its rank are declared.
Must not know where a cursor stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from rewright.model.declared import Symbol, SymbolKind
from rewright.writing.offer import Offer, Sort, call, escaped

_SHAPE: Final = re.compile(r"\[(.*)\]$")


class GraphCall(Struct, frozen=True):
    """A call as it is explained, and what it gives; `rank` is that of a tensor on which its arguments make sense."""

    written: str
    meaning: str
    arguments: tuple[str, ...]
    rank: int = 1

    @property
    def name(self) -> str:
        """What is called."""
        return self.written.partition("(")[0]


def _by_name(*calls: GraphCall) -> Mapping[str, GraphCall]:
    return MappingProxyType({each.name: each for each in calls})


COLLECTIVES: Final = _by_name(
    GraphCall(
        "all_reduce(add, X, over = axis)",
        "The operands of a group of ranks combined, on each of them.",
        ("\0add\0", "\0X\0", "over = \0axis\0"),
    ),
    GraphCall(
        "all_gather(X, d, over = axis)",
        "The operands of a group of ranks one after the other along a dimension, on each of them.",
        ("\0X\0", "\0d\0", "over = \0axis\0"),
    ),
    GraphCall(
        "reduce_scatter(add, X, d, over = axis)",
        "On each rank its part along a dimension of the operands of its group combined.",
        ("\0add\0", "\0X\0", "\0d\0", "over = \0axis\0"),
    ),
    GraphCall(
        "all_to_all(X, split, concat, over = axis)",
        "On each rank its part along `split` of each operand of its group, one after the other along `concat`.",
        ("\0X\0", "\0d\0", "\0d\0", "over = \0axis\0"),
    ),
    GraphCall(
        "collective_permute(X, over = axis, pairs = [(sender, receiver)])",
        "The operand of the rank that sends to this one, zeros if none does.",
        ("\0X\0", "over = \0axis\0", "pairs = [(\0000\0, \0000\0)]"),
    ),
    GraphCall(
        "collective_broadcast(X, over = axis, root = rank)",
        "The operand of one rank of the group, on each of them.",
        ("\0X\0", "over = \0axis\0", "root = \0000\0"),
    ),
)

STRUCTURAL: Final = _by_name(
    GraphCall("transpose(X, [1, 0])", "", ("\0X\0", "[\0001\0, \0000\0]"), 2),
    GraphCall("reshape(X, [a, b])", "", ("\0X\0", "[\0shape\0]")),
    GraphCall("slice(X, d, start, limit)", "", ("\0X\0", "\0d\0", "\0000\0", "\0001\0")),
    GraphCall("concatenate(X, Y, d)", "", ("\0X\0", "\0X\0", "\0d\0")),
    GraphCall("gather(X, I, d)", "The parts of a tensor along a dimension at indices.", ("\0X\0", "\0X\0", "\0d\0")),
    GraphCall("broadcast(X, d: n)", "", ("\0X\0", "\0d\0: \0001\0")),
    GraphCall("reduce(add, X, d)", "", ("\0add\0", "\0X\0", "\0d\0")),
    GraphCall("iota(d, d: n)", "", ("\0d\0", "\0d\0: \0001\0")),
)
"""Operators of the table that a graph calls in a way of its own."""

NAMING: Final = {"broadcast", "iota"}
"""Of these, those that name the dimensions that they make."""

PLACEMENTS: Final = _by_name(
    GraphCall("replicate", "Every rank has all of it.", ()),
    GraphCall("shard(d, axis)", "Each rank has its part along a dimension.", ("\0d\0", "\0axis\0")),
    GraphCall(
        "partial(add, axis)",
        "The tensors of the ranks along a mesh axis combine to the whole.",
        ("\0add\0", "\0axis\0"),
    ),
)

GRAPH_CALLS: Final[Mapping[str, GraphCall]] = MappingProxyType({**COLLECTIVES, **STRUCTURAL, **PLACEMENTS})

REDUCERS: Final = ("add", "multiply", "max", "min")


def names_of(symbols: Sequence[Symbol], kind: SymbolKind) -> list[str]:
    """The names of a kind, each once."""
    return list(dict.fromkeys(symbol.name for symbol in symbols if symbol.kind is kind))


def offered(given: GraphCall, symbols: Sequence[Symbol]) -> Offer | None:
    """The call with what is declared for its arguments; None where it needs a mesh axis and there is none."""
    axes = names_of(symbols, SymbolKind.AXIS)
    if "\0axis\0" in "".join(given.arguments) and not axes:
        return None
    shapes = {symbol.name: _shape(symbol) for symbol in symbols if symbol.kind is SymbolKind.TENSOR}
    tensor = next((name for name, shape in shapes.items() if len(shape) >= given.rank), None)
    values = {
        "X": tensor or "X",
        "axis": axes[0] if axes else "",
        "d": "d" if given.name in NAMING else "0",
        "shape": ", ".join(shapes[tensor]) if tensor is not None else "n",
    }
    arguments = [re.sub("\0(\\w+)\0", lambda of: f"\0{values.get(of[1], of[1])}\0", each) for each in given.arguments]
    fits = tensor is not None or not any("\0X\0" in each for each in given.arguments)
    snippet = call(given.name, arguments) if arguments else escaped(given.name)
    return Offer(given.name, Sort.OPERATOR if fits else Sort.GENERAL, given.written, snippet, "", given.meaning)


def _shape(symbol: Symbol) -> list[str]:
    found = _SHAPE.search(symbol.detail)
    return found[1].split(", ") if found is not None and found[1] else []
