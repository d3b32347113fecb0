"""Sizes and relations as text, in the words of the language."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product as every

from rewright.graphs.decision import Relation
from rewright.graphs.relation import Placements
from rewright.model.check_graph.sizes import SizePolynomial, product, scaled, size_of, symbolic, text, total
from rewright.model.graph import Graph, Monoid, Partial, Shard, SizeFact
from rewright.model.index import Index, IndexOperation, Name
from rewright.model.operator_table import operator_named
from rewright.terms import Term, Variable
from rewright.terms.node import Monomial
from rewright.terms.polynomial import expand

SHOWN = 4
"""Ranks of a relation that are written out; of more only the first two and the last."""


def size_text(size: Term, multiples: Mapping[Name, int]) -> str:
    """A size as it is written, where a variable stands for the size of its name divided by one of the `multiples`.

    >>> size_text(scale(3, variable("h", None)), {Name("h"): 4})
    '3*h/4'
    """
    return text(total(_written(monomial, Fraction(value), multiples) for monomial, value in expand(size).items()))


def _written(monomial: Monomial, factor: Fraction, multiples: Mapping[Name, int]) -> SizePolynomial:
    symbols = []
    for variable, power in monomial:
        assert isinstance(variable, Variable)
        factor /= multiples.get(Name(variable.name), 1) ** power
        symbols += [symbolic(variable.name)] * power
    return scaled(product(symbols), factor)


def fact_text(fact: SizeFact) -> str:
    """What is known of sizes, as it is written: `t % 8 == 0`."""
    return f"{_index_text(fact.left)} {fact.operator} {_index_text(fact.right)}"


def _index_text(index: Index) -> str:
    match index:
        case IndexOperation(operator="%", left=left, right=right):
            return f"{_index_text(left)} % {_index_text(right)}"
        case _:
            return text(size_of(index))


def placement_text(placements: Placements) -> str:
    """Placements as a refinement states them: `shard(0, dp), partial(add, tp)`."""
    return ", ".join(map(_placement, placements)) or "replicate"


def _placement(placement: Shard | Partial) -> str:
    match placement:
        case Shard(dimension=dimension, axis=axis):
            return f"shard({dimension}, {axis})"
        case Partial(monoid=monoid, axis=axis):
            return f"partial({_monoid_text(monoid)}, {axis})"


def _monoid_text(monoid: Monoid) -> str:
    """What a monoid is called: `max`, not `maximum`."""
    operator = operator_named(monoid)
    assert operator is not None
    return operator.short


def relation_text(relation: Relation, graph: Graph) -> str:
    """The clean expression: `concatenate(Y@0, Y@1, 0)`, `Y@0 + Y@1`; ranks by number, the last mesh axis fastest."""
    counts = {axis.name: axis.size for axis in graph.mesh}
    numbers = {rank: at for at, rank in enumerate(every(*(range(axis.size) for axis in graph.mesh)))}
    places = {axis.name: place for place, axis in enumerate(graph.mesh)}

    def held(rank: tuple[int, ...], depth: int) -> str:
        if depth == len(relation.placements):
            return f"{relation.held_as}@{numbers[rank]}"
        placement = relation.placements[depth]
        place = places[placement.axis]
        parts = [held((*rank[:place], at, *rank[place + 1 :]), depth + 1) for at in range(counts[placement.axis])]
        listed = parts if len(parts) <= SHOWN else [parts[0], parts[1], "…", parts[-1]]
        if not isinstance(placement, Partial):
            return f"concatenate({', '.join(listed)}, {placement.dimension})"
        signs = {"add": " + ", "multiply": " * "}
        if placement.monoid in signs:
            return f"({signs[placement.monoid].join(listed)})"
        return f"{_monoid_text(placement.monoid)}({', '.join(listed)})"

    found = held((0,) * len(graph.mesh), 0)
    return found[1:-1] if found.startswith("(") else found
