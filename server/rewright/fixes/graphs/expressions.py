"""The expressions of a distributed graph that compute tensors, each with the node that it is.

Must not know what is done to them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from rewright.fixes.graphs.texts import ReadRefinement
from rewright.model.check_graph.statements import assignments
from rewright.model.graph import GraphInput
from rewright.syntax import nodes
from rewright.syntax.text import Span


class TensorExpression(Struct, frozen=True):
    """An expression that computes a tensor of this rank: the number of its node, or of the one that reads it by name.

    `is_statement`: it is what a name stands for. `is_named`: it is a name itself.
    """

    written: nodes.Expression
    node: int
    rank: int
    is_statement: bool
    is_named: bool


def places(asked: ReadRefinement) -> Iterator[TensorExpression]:
    """The expressions of the distributed graph, in the order of the text."""
    known = _Known.of(asked)
    for item in assignments(asked.graph.items):
        match item:
            case (
                nodes.Assign(target=nodes.Name(text=name), value=value)
                | nodes.Let(targets=(nodes.Name(text=name),), value=value)
            ):
                yield from known.below(value, None)
                known.learn(name, value)
            case _:
                pass


def steps_around(asked: ReadRefinement, span: Span) -> list[str]:
    """The names that stand for the steps of the loops around a place, the innermost first."""
    return list(reversed(list(_steps(asked.graph.items, span))))


def _steps(items: Sequence[nodes.Item], span: Span) -> Iterator[str]:
    for item in items:
        if isinstance(item, nodes.For) and item.span.start <= span.start < item.span.end:
            yield from (head.name.text for head in item.heads if head.name is not None)
            yield from _steps(item.body.statements, span)


class _Known(Struct):
    """The nodes by the spans of their expressions, and the ranks of the tensors by name."""

    computed: Mapping[Span, tuple[int, int]]
    named: dict[str, int]

    @staticmethod
    def of(asked: ReadRefinement) -> _Known:
        made = asked.distributed.nodes[: asked.distributed.own]
        spans = {asked.sites[each.site]: (number, len(each.shape)) for number, each in enumerate(made)}
        return _Known(spans, {each.name: len(each.shape) for each in made if isinstance(each, GraphInput)})

    def learn(self, name: str, value: nodes.Expression) -> None:
        """What a name stands for from here on."""
        if value.span in self.computed:
            self.named[name] = self.computed[value.span][1]
        elif isinstance(value, nodes.Name) and value.text in self.named:
            self.named[name] = self.named[value.text]

    def below(self, written: nodes.Expression, reader: int | None) -> Iterator[TensorExpression]:
        """An expression and those in it; `reader` is the node that reads it."""
        node = self.computed.get(written.span)
        match written:
            case nodes.Name(text=text) if text in self.named:
                if reader is not None:
                    yield TensorExpression(written, reader, self.named[text], is_statement=False, is_named=True)
                return
            case nodes.Number() | nodes.Name():
                return
            case _ if node is None:
                return
            case _:
                pass
        assert node is not None
        yield TensorExpression(written, *node, is_statement=reader is None, is_named=False)
        for each in _operands(written):
            yield from self.below(each, node[0])


def _operands(written: nodes.Expression) -> Iterator[nodes.Expression]:
    match written:
        case nodes.Call(arguments=arguments):
            yield from (each.value for each in arguments if isinstance(each, nodes.Positional))
        case nodes.Binary(left=left, right=right):
            yield from (left, right)
        case nodes.Unary(operand=operand):
            yield operand
        case _:
            return
