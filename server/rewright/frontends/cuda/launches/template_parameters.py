"""The parameters of templates of host functions. Must not know what they stand for."""

from __future__ import annotations

from tree_sitter import Node

from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import parts, text


def template_parameters(function: Node) -> list[tuple[str, bool, str | None]]:
    """The parameters of a function's template: the name, whether it is a type, the default."""
    outer = function.parent
    listed = None if outer is None or outer.type != "template_declaration" else outer.child_by_field_name("parameters")
    return [] if listed is None else [_parameter(each) for each in parts(listed)]


def _parameter(node: Node) -> tuple[str, bool, str | None]:
    is_type = node.type in ("type_parameter_declaration", "optional_type_parameter_declaration")
    declarator = node.child_by_field_name("declarator")
    name = node.child_by_field_name("name") or (None if declarator is None else declared_name(declarator))
    if name is None and is_type and parts(node):
        name = parts(node)[0]
    default = node.child_by_field_name("default_type") or node.child_by_field_name("default_value")
    return "" if name is None else text(name), is_type, None if default is None else text(default)
