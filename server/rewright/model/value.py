"""What a declaration means, of whatever kind.

Apart from `declared`, which every checker loads: who checks one kind loads the meaning of no other.
"""

from __future__ import annotations

from rewright.model.check_graph.open_graph import OpenGraph
from rewright.model.foreign_graph import ForeignGraph, ForeignRefinement
from rewright.model.foreign_nest import ForeignNest, ForeignTransformation, WrittenTransformation
from rewright.model.graph import Graph, GraphLemma, OpaqueOperator, Refinement, RefinementFamily
from rewright.model.kernel import Kernel
from rewright.model.nest import Nest, TiledTransformation, Transformation
from rewright.model.rule import Rule

Value = (
    Rule
    | Kernel
    | Graph
    | OpenGraph
    | ForeignGraph
    | OpaqueOperator
    | GraphLemma
    | Refinement
    | RefinementFamily
    | ForeignRefinement
    | Nest
    | Transformation
    | TiledTransformation
    | ForeignNest
    | ForeignTransformation
    | WrittenTransformation
)
"""What a declaration means."""
