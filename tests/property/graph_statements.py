"""Graphs evaluated from their text: statements run one after the other on all ranks, a loop is a loop of Python.

Owns a second reading of what statements mean, loops above all; shares nothing with `model/`, `graphs/` or `replay/`.
Floats. A value is a list with one array for each rank of a mesh, the last axis fastest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np

from rewright.syntax import nodes

Array = Any
Value = list[Array]
"""An array on each rank."""

INFIX: Mapping[str, Callable[[Array, Array], Array]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "@": np.matmul,
}
ELEMENTWISE: Mapping[str, Callable[..., Array]] = {
    "exp": np.exp,
    "tanh": np.tanh,
    "max": np.maximum,
    "min": np.minimum,
    "select": np.where,
}
COMPARED: Mapping[str, Callable[[Array, Array], Array]] = {"==": np.equal, "<": np.less, ">=": np.greater_equal}
COMBINED: Mapping[str, Callable[..., Array]] = {"add": np.sum, "max": np.max, "min": np.min, "multiply": np.prod}


@dataclass
class Run:
    """A run of a graph: sizes, the mesh, what names stand for."""

    sizes: Mapping[str, int]
    mesh: Mapping[str, int]
    names: dict[str, Value]
    steps: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ranks = list(product(*(range(size) for size in self.mesh.values())))

    def statements(self, items: Sequence[nodes.Item]) -> None:
        for item in items:
            match item:
                case nodes.Assign(target=nodes.Name(text=name), operator="=", value=value):
                    self.names[name] = self.value(value)
                case nodes.Let(targets=(nodes.Name(text=name),), value=value):
                    self.names[name] = self.value(value)
                case nodes.Assign(target=nodes.Name(text=name), operator=sign, value=value):
                    pairs = zip(self.names[name], self.value(value), strict=True)
                    self.names[name] = [INFIX[sign[0]](left, right) for left, right in pairs]
                case nodes.For(heads=heads, body=body):
                    self.loop(heads, body)
                case nodes.Requires():
                    pass
                case _:
                    raise NotImplementedError(item)

    def loop(self, heads: Sequence[nodes.ForHead], body: nodes.Block) -> None:
        if not heads:
            self.statements(body.statements)
            return
        head, known = heads[0], set(self.names)
        assert head.name is not None and isinstance(head.range, nodes.Range)
        step = self.number(head.range.step) if head.range.step is not None else 1
        for number in range(self.number(head.range.low), self.number(head.range.high), step):
            self.steps[head.name.text] = number
            self.loop(heads[1:], body)
            self.names = {name: value for name, value in self.names.items() if name in known}
        self.steps.pop(head.name.text, None)

    def number(self, written: nodes.Expression, rank: Sequence[int] = ()) -> int:
        """A size, an offset or a step; `rank(a)` is the coordinate of a rank."""
        match written:
            case nodes.Number(text=text):
                return int(text)
            case nodes.Name(text=text):
                return {**self.sizes, **self.mesh, **self.steps}[text]
            case nodes.Unary(operand=operand):
                return -self.number(operand, rank)
            case nodes.Call(callee=nodes.Name(text="rank"), arguments=(nodes.Positional(value=nodes.Name(text=axis)),)):
                return rank[list(self.mesh).index(axis)]
            case nodes.Binary(left=left, operator=operator, right=right):
                one, other = self.number(left, rank), self.number(right, rank)
                if operator == "/":
                    assert one % other == 0
                    return one // other
                return int(INFIX[operator](one, other))
            case _:
                raise NotImplementedError(written)

    def value(self, written: nodes.Expression) -> Value:
        """What an expression is on each rank."""
        match written:
            case nodes.Number(text=text):
                return [np.float64(text)] * len(self.ranks)
            case nodes.Name(text=text) if text in self.names:
                return self.names[text]
            case nodes.Name() | nodes.Call(callee=nodes.Name(text="rank")):
                return [np.float64(self.number(written, rank)) for rank in self.ranks]
            case nodes.Unary(operand=operand):
                return [-each for each in self.value(operand)]
            case nodes.Binary(left=left, operator=operator, right=right):
                return self.each(INFIX[operator], left, right)
            case nodes.Compare(left=left, operator=operator, right=right):
                return self.each(COMPARED[operator], left, right)
            case nodes.Call(callee=callee, arguments=arguments) if callee.text in ELEMENTWISE:
                given = (each.value for each in arguments if isinstance(each, nodes.Positional))
                return self.each(ELEMENTWISE[callee.text], *given)
            case nodes.Call():
                return self.call(written)
            case _:
                raise NotImplementedError(written)

    def each(self, function: Callable[..., Array], *operands: nodes.Expression) -> Value:
        values = [self.value(each) for each in operands]
        return [function(*(value[at] for value in values)) for at in range(len(self.ranks))]

    def call(self, call: nodes.Call) -> Value:
        given = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
        keyed = {each.name.text: each.value for each in call.arguments if isinstance(each, nodes.Keyed)}
        grouped = [each.value for each in call.arguments if isinstance(each, nodes.Grouped)]
        match call.callee.text:
            case "transpose":
                order = [self.number(each) for each in _listed(given[1])]
                return [each.transpose(order) for each in self.value(given[0])]
            case "reshape":
                shape = [self.number(each) for each in _listed(given[1])]
                return [each.reshape(shape) for each in self.value(given[0])]
            case "slice":
                d = self.number(given[1])
                parts = []
                for rank, each in zip(self.ranks, self.value(given[0]), strict=True):
                    start, limit = (self.number(end, rank) for end in given[2:])
                    assert 0 <= start <= limit <= each.shape[d]
                    parts.append(np.take(each, range(start, limit), d))
                return parts
            case "concatenate":
                values = [self.value(each) for each in given[:-1]]
                d = self.number(given[-1])
                return [np.concatenate(each, d) for each in zip(*values, strict=True)]
            case "broadcast":
                sizes = [self.number(each) for each in grouped]
                widened = ((each, each[(..., *[None] * len(sizes))]) for each in self.value(given[0]))
                return [np.broadcast_to(wide, (*each.shape, *sizes)) for each, wide in widened]
            case "reduce":
                axes = tuple(self.number(each) for each in _listed(given[2]))
                assert isinstance(given[0], nodes.Name)
                return [COMBINED[given[0].text](each, axis=axes) for each in self.value(given[1])]
            case collective:
                return self.exchange(collective, given, keyed)

    def exchange(self, name: str, given: Sequence[nodes.Expression], keyed: Mapping[str, nodes.Expression]) -> Value:
        over = [each.text for each in _listed(keyed["over"]) if isinstance(each, nodes.Name)]
        places = [list(self.mesh).index(axis) for axis in over]
        operand = self.value(given[1 if name in ("all_reduce", "reduce_scatter") else 0])
        found = []
        for rank in self.ranks:
            group = [
                at
                for at, other in enumerate(self.ranks)
                if all(k in places or other[k] == rank[k] for k in range(len(rank)))
            ]
            own = group.index(self.ranks.index(rank))
            parts = [operand[at] for at in group]
            match name:
                case "all_reduce" | "reduce_scatter":
                    assert isinstance(given[0], nodes.Name)
                    total = COMBINED[given[0].text](np.stack(parts), axis=0)
                    cut = name == "reduce_scatter"
                    found.append(np.split(total, len(group), self.number(given[2]))[own] if cut else total)
                case "all_gather":
                    found.append(np.concatenate(parts, self.number(given[1])))
                case "collective_broadcast":
                    found.append(parts[self.number(keyed["root"])])
                case "collective_permute":
                    senders = self.senders(keyed, len(group))
                    found.append(parts[senders[own]] if own in senders else np.zeros_like(parts[own]))
                case _:
                    raise NotImplementedError(name)
        return found

    def senders(self, keyed: Mapping[str, nodes.Expression], count: int) -> Mapping[int, int]:
        """Who sends to each rank of a group."""
        if "shift" in keyed:
            on = self.number(keyed["shift"])
            return {(at + on) % count: at for at in range(count)}
        pairs = [[self.number(each) for each in _listed(pair)] for pair in _listed(keyed["pairs"])]
        return {receiver: sender for sender, receiver in pairs}


def _listed(written: nodes.Expression) -> Sequence[nodes.Expression]:
    if isinstance(written, nodes.ListExpr | nodes.Tuple):
        return [each.value for each in written.entries if isinstance(each, nodes.Positional)]
    return [written]
