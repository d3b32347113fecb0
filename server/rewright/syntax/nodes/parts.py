"""Owns the nodes of what stands around a body: attributes, parameters and the reference to a source.

Invariant: a part without its name is still there if anything of it was read, unless the name is all it is.
It must not know which declaration it belongs to.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from rewright.syntax.nodes.expressions import Argument, Expression, Name, Node, String, TypeRef

Mode: TypeAlias = Literal["in", "out", "inout"]


class Attribute(Node, frozen=True):
    """`@name(arguments)` on a line above a declaration."""

    name: Name | None
    arguments: tuple[Argument, ...]


class TypeParameter(Node, frozen=True):
    """`T: any` or `N = 512` between `<` and `>`."""

    name: Name
    bound: Name | None
    value: Expression | None


class Parameter(Node, frozen=True):
    """`x: in s32[N]`, `n: s32 = N`, or a bare `T` as in `loops seidel(T, N)`."""

    name: Name
    mode: Mode | None
    type: TypeRef | None
    value: Expression | None


class SourceRef(Node, frozen=True):
    """`from "file"::entry<arguments>`; the span starts at the string."""

    path: String
    entry: Name | None
    arguments: tuple[Expression, ...]
