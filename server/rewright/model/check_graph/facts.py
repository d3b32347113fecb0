"""What `requires` says of sizes: comparisons of sizes, and of the rest of a division."""

from __future__ import annotations

from rewright.model.check_graph.extents import size
from rewright.model.check_graph.scope import GraphScope
from rewright.model.check_graph.sizes import index_of
from rewright.model.graph import SizeFact
from rewright.model.index import Index, IndexOperation
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere


def facts(scope: GraphScope, item: nodes.Requires) -> list[SizeFact]:
    """What the item says; what is wrong with it is noted."""
    found = (_fact(scope, written) for written in item.predicates)
    return [each for each in found if each is not None]


def _fact(scope: GraphScope, written: nodes.Expression) -> SizeFact | None:
    match written:
        case nodes.Compare(left=left, operator=operator, right=right):
            first, second = _compared(scope, left), _compared(scope, right)
            return None if first is None or second is None else SizeFact(first, operator, second)
        case nodes.Missing():
            return None
        case _:
            scope.notes.error(CannotStandHere(kind_of(written), "a comparison of sizes"), written.span)
            return None


def _compared(scope: GraphScope, written: nodes.Expression) -> Index | None:
    match written:
        case nodes.Binary(left=left, operator="%", right=right):
            first, second = _compared(scope, left), _compared(scope, right)
            site = scope.notes.site(written.span)
            return None if first is None or second is None else IndexOperation("%", first, second, site)
        case _:
            found = size(scope, written)
            return index_of(found, scope.notes.site(written.span)) if found is not None else None
