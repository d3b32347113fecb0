"""How built-in functions, methods and types hang off the lowering of calls: the shape of their tables.

A table maps a name to a function that lowers one call. Must not know any built-in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from rewright.frontends.cuda.cxx.types import TemplateArguments, Type
from rewright.frontends.cuda.cxx.values import Value
from rewright.frontends.cuda.lower.lowering import Lowering
from rewright.verdict import Place


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a built-in: its name without namespaces, template arguments, the object if it is a method, operands."""

    name: str
    template: TemplateArguments
    receiver: Value | None
    arguments: tuple[Node, ...]
    node: Node
    place: Place


BuiltInFunction = Callable[[Lowering, Call], Value]
"""Lowers a call and gives its value (`NOTHING` for void); refuses what it cannot take."""

BuiltInType = Callable[[Lowering, TemplateArguments, Node], Type]
"""Gives the type that a name with template arguments stands for."""
