"""The arguments of a call in a graph: dimensions, mesh axes, numbers and operators, each noted where it is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rewright.model.check_graph.scope import Dimensions, GraphScope
from rewright.model.graph import MeshAxis, Monoid
from rewright.model.notes import Notes
from rewright.model.operator_table import operator_named
from rewright.model.written import integer_of, kind_of
from rewright.syntax import nodes
from rewright.verdict.diagnostics.graphs import AxisTwice, DimensionTwice, NoSuchCoordinate
from rewright.verdict.diagnostics.names import CannotStandHere, OperatorNeeds, UnknownOperatorAttribute

_MONOIDS: dict[str, Monoid] = {"add": "add", "multiply": "multiply", "maximum": "maximum", "minimum": "minimum"}
MONOIDS = "`add`, `multiply`, `max` or `min`"


def positional(scope: GraphScope, call: nodes.Call, names: Sequence[str]) -> Sequence[nodes.Expression] | None:
    """As many positional arguments as there are names; None, noted, if there are more or fewer."""
    found = [each.value for each in call.arguments if isinstance(each, nodes.Positional)]
    if len(found) != len(names):
        scope.notes.error(OperatorNeeds(call.callee.text, ", ".join(names)), call.callee.span)
        return None
    return found


def keyed(scope: GraphScope, call: nodes.Call, name: str) -> nodes.Expression | None:
    """The argument of this name; None, noted, if it is missing."""
    given = (each for each in call.arguments if isinstance(each, nodes.Keyed) and each.name.text == name)
    found = next((each.value for each in given), None)
    if found is None:
        scope.notes.error(OperatorNeeds(call.callee.text, f"`{name} = …`"), call.callee.span)
    return found


def surplus(scope: GraphScope, call: nodes.Call, accepted: Sequence[str]) -> bool:
    """Whether an argument by name is none of those accepted, which is noted."""
    for each in call.arguments:
        if isinstance(each, nodes.Keyed) and each.name.text not in accepted:
            names = ", ".join(f"`{name}`" for name in accepted)
            scope.notes.error(UnknownOperatorAttribute(call.callee.text, each.name.text, names), each.name.span)
            return True
    return False


def listed(written: nodes.Expression) -> Sequence[nodes.Expression]:
    """The entries of a list; one that is no list is its own only entry."""
    if isinstance(written, nodes.ListExpr):
        return [each.value for each in written.entries if isinstance(each, nodes.Positional)]
    return [written]


def monoid(notes: Notes, written: nodes.Expression) -> Monoid | None:
    """The operator that something is combined by."""
    found = operator_named(written.text) if isinstance(written, nodes.Name) else None
    if found is None or found.name not in _MONOIDS:
        if not isinstance(written, nodes.Missing):
            notes.error(CannotStandHere(kind_of(written), MONOIDS), written.span)
        return None
    notes.use_operator(written.span, found.name)
    return _MONOIDS[found.name]


def dimensions(scope: GraphScope, written: nodes.Expression, of: Dimensions) -> tuple[int, ...] | None:
    """The dimensions in a list, ascending."""
    found: list[int] = []
    for each in listed(written):
        number = scope.dimension(each, of)
        if number is None:
            return None
        if number in found:
            scope.notes.error(DimensionTwice(str(number)), each.span)
            return None
        found.append(number)
    return tuple(sorted(found))


def axes(scope: GraphScope, call: nodes.Call) -> tuple[MeshAxis, ...] | None:
    """The mesh axes of `over = a` or `over = [a, b]`."""
    written = keyed(scope, call, "over")
    if written is None:
        return None
    found: list[MeshAxis] = []
    for each in listed(written):
        if not isinstance(each, nodes.Name):
            scope.notes.error(CannotStandHere(kind_of(each), "a mesh axis"), each.span)
            return None
        axis = scope.axis(each)
        if axis is None:
            return None
        if axis in found:
            scope.notes.error(AxisTwice(axis.name), each.span)
            return None
        found.append(axis)
    return tuple(found)


def one_axis(scope: GraphScope, call: nodes.Call) -> MeshAxis | None:
    """The mesh axis of `over = a`."""
    found = axes(scope, call)
    if found is not None and len(found) != 1:
        scope.notes.not_supported(f"`{call.callee.text}` over several axes", call.span)
        return None
    return found[0] if found else None


def ranks(over: Sequence[MeshAxis]) -> int:
    """How many ranks a group has."""
    return prod(axis.size for axis in over)


def distance(scope: GraphScope, written: nodes.Expression) -> int | None:
    """A number of ranks, which may be below 0."""
    value = _number(scope, written)
    if value is None and not isinstance(written, nodes.Missing):
        scope.notes.error(CannotStandHere(kind_of(written), "a number of ranks"), written.span)
    return value


def _number(scope: GraphScope, written: nodes.Expression) -> int | None:
    """A whole number, of literals, sizes of the mesh and steps; None if it is none."""
    match written:
        case nodes.Number(text=text):
            return integer_of(text)
        case nodes.Name(text=text) if text in scope.mesh or text in scope.steps:
            scope.used(written)
            return scope.steps[text] if text in scope.steps else scope.mesh[text].size
        case nodes.Unary(operator="-", operand=operand):
            value = _number(scope, operand)
            return -value if value is not None else None
        case nodes.Binary(left=left, operator="+" | "-" | "*" as sign, right=right):
            values = _number(scope, left), _number(scope, right)
            first, second = values
            if first is None or second is None:
                return None
            return {"+": first + second, "-": first - second, "*": first * second}[sign]
        case _:
            return None


def coordinate(scope: GraphScope, written: nodes.Expression, axis: MeshAxis) -> int | None:
    """A coordinate on a mesh axis: a number, or one computed of sizes of the mesh and steps of loops."""
    value = _number(scope, written)
    if value is None:
        if not isinstance(written, nodes.Missing):
            scope.notes.error(CannotStandHere(kind_of(written), f"a coordinate on `{axis.name}`"), written.span)
        return None
    if not 0 <= value < axis.size:
        scope.notes.error(NoSuchCoordinate(axis.name, axis.size, str(value)), written.span)
        return None
    return value
