"""`requires`: preconditions over sizes, scalar parameters and the elements of inputs. Must not know statements."""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.body import Atomic, Expression, Load, Position, Shuffle, Vote, parts
from rewright.model.check_kernel.expressions import integer, truth
from rewright.model.check_kernel.scope import KernelScope
from rewright.model.conversions import converted
from rewright.model.declared import SymbolKind
from rewright.model.kernel import Fact, Forall, Requirement
from rewright.model.simt.types import Scalar
from rewright.model.written import kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere


def requirements(scope: KernelScope, items: Sequence[nodes.Requires]) -> tuple[Requirement, ...]:
    """The preconditions of all items, those that are right."""
    found = [_requirement(scope, predicate) for item in items for predicate in item.predicates]
    return tuple(each for each in found if each is not None)


def _requirement(scope: KernelScope, node: nodes.Expression) -> Requirement | None:
    if isinstance(node, nodes.Quantified):
        return _forall(scope, node)
    condition = truth(scope, node)
    if condition is None or not _speaks_of_inputs(scope, node, condition):
        return None
    return Fact(condition, scope.notes.site(node.span))


def _forall(scope: KernelScope, node: nodes.Quantified) -> Requirement | None:
    within = node.binders[0].within if len(node.binders) == 1 else None
    if node.word != "forall" or not isinstance(within, nodes.Range) or within.step is not None:
        if not isinstance(within, nodes.Missing):
            scope.notes.error(CannotStandHere(kind_of(node), "`forall i in low..high: …`"), node.span)
        return None
    bounds = [integer(scope, bound) for bound in (within.low, within.high)]
    with scope.block():
        name = node.binders[0].name
        local = None if name is None else scope.declare(name, SymbolKind.BOUND, Scalar.S32)
        body = _requirement(scope, node.body)
    low, high = bounds
    if low is None or high is None or local is None or body is None:
        return None
    ends = (converted(low, Scalar.S64), converted(high, Scalar.S64))
    return Forall(local.name, *ends, body, scope.notes.site(node.span))


def _speaks_of_inputs(scope: KernelScope, node: nodes.Expression, condition: Expression) -> bool:
    inputs = {array.name for array in scope.arrays if array.is_input}
    for part in parts(condition):
        if isinstance(part, Position | Atomic | Shuffle | Vote) or (
            isinstance(part, Load) and part.array not in inputs
        ):
            what = "an array that is not an input" if isinstance(part, Load) else "what a single thread does"
            scope.notes.error(CannotStandHere(what, "sizes, parameters and elements of inputs"), node.span)
            return False
    return True
