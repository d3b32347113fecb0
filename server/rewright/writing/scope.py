"""The names that a rule declares, as far as they are typed.

Invariant: read from the nodes, so a rule with errors has its names. Must not know whether they are right.
"""

from __future__ import annotations

from msgspec import Struct, field

from rewright.model.declared import Declared
from rewright.model.types import CONCRETE, Need, provides
from rewright.syntax import nodes
from rewright.syntax.nodes import Placed
from rewright.syntax.text import Text


class NamedGroup(Struct, frozen=True):
    """An axis group or a single axis, with the first name of its rank class."""

    name: str
    single: bool
    rank_class: str


class NamedTensor(Struct, frozen=True):
    """A tensor with the size on each of its groups as written."""

    name: str
    type: str
    sizes: dict[str, str]

    @property
    def groups(self) -> tuple[str, ...]:
        """Its groups in order."""
        return tuple(self.sizes)


class RuleNames(Struct):
    """The names of one rule by what they stand for. `details` are the declarations of all names, each on one line."""

    types: dict[str, str] = field(default_factory=dict)
    groups: dict[str, NamedGroup] = field(default_factory=dict)
    maps: dict[str, str] = field(default_factory=dict)
    integers: list[str] = field(default_factory=list)
    scalars: dict[str, str] = field(default_factory=dict)
    tensors: dict[str, NamedTensor] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    monoids: dict[str, str] = field(default_factory=dict)
    lets: list[str] = field(default_factory=list)
    details: dict[str, str] = field(default_factory=dict)

    def constraint(self, type_: str) -> str:
        """What an element type may be: its constraint, or itself."""
        return self.types.get(type_, type_)

    def has(self, type_: str, need: Need | None) -> bool:
        """Whether an element type provides what an operator needs."""
        constraint = self.constraint(type_)
        return need is None or (constraint in (*CONCRETE, "num") and provides(constraint, need))

    def maps_on(self, group: str) -> list[str]:
        """The maps that can be used on a group."""
        known = self.groups.get(group)
        return [
            name
            for name, on in self.maps.items()
            if on == group or (known and on in self.groups and self.groups[on].rank_class == known.rank_class)
        ]


EMPTY = RuleNames()


def scope_of(placed: Placed, declared: Declared, text: Text) -> RuleNames:
    """The names of a declaration."""
    scope = RuleNames(details={symbol.name: symbol.detail for symbol in declared.symbols})
    if isinstance(placed.node, nodes.RuleDecl):
        for parameter in placed.node.type_parameters:
            scope.types[parameter.name.text] = parameter.bound.text if parameter.bound is not None else "any"
        for item in placed.node.items:
            _declare(scope, item, text.data[placed.start : placed.span.end])
    return scope


def _declare(scope: RuleNames, item: nodes.Item, source: bytes) -> None:
    match item:
        case nodes.Axes(classes=classes) | nodes.AxisItem(classes=classes):
            for linked in classes:
                for group in linked.groups:
                    single, first = isinstance(item, nodes.AxisItem), linked.groups[0].name.text
                    scope.groups[group.name.text] = NamedGroup(group.name.text, single, first)
        case nodes.MapItem(names=names, on=on):
            scope.maps |= {name.text: on.text if on is not None else "" for name in names}
        case nodes.IntItem(names=names):
            scope.integers += [name.text for name in names]
        case nodes.ScalarItem(names=names, type=type_):
            scope.scalars |= {name.text: _element(type_) for name in names}
        case nodes.TensorItem(names=names, type=type_):
            sizes = _sizes(type_, source)
            scope.tensors |= {name.text: NamedTensor(name.text, _element(type_), sizes) for name in names}
        case nodes.FnItem(names=names, type=signature):
            scope.functions |= {name.text: len(signature.parameters) if signature else 1 for name in names}
        case nodes.MonoidItem(names=names, type=type_):
            scope.monoids |= {name.text: _element(type_) for name in names}
        case nodes.Let(targets=names):
            scope.lets += [name.text for name in names]
        case _:
            return


def _element(type_: nodes.TypeRef | None) -> str:
    return type_.element.text if type_ is not None and type_.element is not None else ""


def _sizes(type_: nodes.TypeRef | None, source: bytes) -> dict[str, str]:
    entries = (type_.shape or ()) if type_ is not None else ()
    return {
        entry.axis.text: source[entry.size.span.start : entry.size.span.end].decode(errors="replace")
        for entry in entries
        if entry.axis is not None
    }
