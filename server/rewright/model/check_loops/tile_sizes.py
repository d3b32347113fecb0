"""`at T = 2, 4, N = 5`: the values at which a transform is looked at, as our own syntax has them."""

from __future__ import annotations

from collections.abc import Sequence

from rewright.model.check_loops.integers import affine
from rewright.model.check_loops.scope import NestScope
from rewright.model.index import Name
from rewright.model.nest import AffineNumber
from rewright.syntax import nodes
from rewright.verdict.diagnostics.names import CannotStandHere


def listed(scope: NestScope, at: Sequence[nodes.Keyed | nodes.Number]) -> dict[Name, tuple[int, ...]]:
    """The values that stand after `at`; what is wrong with one is noted."""
    found: dict[Name, tuple[int, ...]] = {}
    name: Name | None = None
    for each in at:
        if isinstance(each, nodes.Keyed):
            name = Name(each.name.text)
            if each.name.text not in scope.integers:
                scope.unknown("parameter", each.name)
        value = affine(scope, each.value if isinstance(each, nodes.Keyed) else each)
        if value is None:
            continue
        if name is None:
            scope.notes.error(CannotStandHere("a number", "a name before it, as in `T = 2, 4`"), each.span)
        elif not isinstance(value, AffineNumber) or value.value < 0:
            scope.notes.error(CannotStandHere("this value", "a number that is not negative"), each.span)
        elif value.value not in found.get(name, ()):
            found[name] = (*found.get(name, ()), value.value)
    return found
