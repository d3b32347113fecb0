"""How built-in functions, methods and types hang off the lowering of calls: the shape of their tables.

A table maps a name to a function that lowers one call. Must not know any built-in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tree_sitter import Node

from rewright.frontends.cuda.emit.types import TemplateArguments, Type
from rewright.frontends.cuda.emit.values import Value
from rewright.verdict import Place

if TYPE_CHECKING:
    from rewright.frontends.cuda.cxx.lowering import Lowering  # what is under way knows the tables


@dataclass(frozen=True, slots=True)
class BuiltInCall:
    """A call of a built-in: its name without namespaces, template arguments, the object if it is a method, operands."""

    name: str
    template: TemplateArguments
    receiver: Value | None
    arguments: tuple[Node, ...]
    node: Node
    place: Place


BuiltInFunction = Callable[["Lowering", BuiltInCall], Value]
"""Lowers a call and gives its value (`NOTHING` for void); refuses what it cannot take."""

BuiltInType = Callable[["Lowering", TemplateArguments, Node], Type]
"""Gives the type that a name with template arguments stands for."""


@dataclass(frozen=True, slots=True)
class BuiltIns:
    """Functions and types by name without namespaces, methods by the kind of the receiver's type and name."""

    functions: Mapping[str, BuiltInFunction]
    methods: Mapping[tuple[str, str], BuiltInFunction]
    types: Mapping[str, BuiltInType]
