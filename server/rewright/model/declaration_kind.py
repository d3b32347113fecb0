"""The kinds of declarations, and of which of them nothing is asked. Loads nothing else: every view needs it."""

from __future__ import annotations

from enum import StrEnum


class DeclarationKind(StrEnum):
    """The kinds of declarations, as the report names them."""

    RULE = "rule"
    LEMMA = "lemma"
    KERNEL = "kernel"
    EQUIVALENCE = "equivalence"
    GRAPH = "graph"
    OPERATOR = "operator"
    REFINEMENT = "refinement"
    LOOPS = "loops"
    TRANSFORM = "transform"
    LIFT = "lift"
    IMPORT = "import"


ASKS_NOTHING = frozenset({DeclarationKind.GRAPH, DeclarationKind.OPERATOR, DeclarationKind.IMPORT})
"""The kinds that have no result: only what is wrong with them is reported."""
