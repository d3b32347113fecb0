"""Owns what the grammar leaves optional and the language does not: the parts that an item must have.

Invariant: every kind of node that the grammar accepts as a mere beginning is in the table.
It must not know how a missing part is shown.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from rewright.syntax.tree import content

_Parts = tuple[tuple[str, str], ...]
"""Parts in their order: the field `.name`, the token or child `type`, `*` for any content, `|` for either; its name."""

_NAME: Final = (".name", "a name")
_BODY: Final = (".body", "`{`")
_VALUE: Final = (".value", "`=` and a value")
_TYPED: Final[_Parts] = (_NAME, (":", "`:` and a type"), (".type", "a type"))
_PREDICATES: Final[_Parts] = (("*", "a predicate"),)

HALF_A_REWRITE: Final = "`=>` and a right side"
"""What an expression that stands alone in a rule has not."""

_REQUIRED: Final[dict[str, _Parts]] = {
    "rule_declaration": (_NAME, _BODY),
    "kernel_declaration": (_NAME, _BODY),
    "graph_declaration": (_NAME,),
    "operator_declaration": (
        _NAME,
        (".parameters", "`(`"),
        ("->", "`->` and a type"),
        (".type", "a type"),
    ),
    "refine_declaration": (_NAME, ("of", "`of` and a graph"), (".target", "a graph")),
    "loops_declaration": (_NAME, (".body|source", "`{`")),
    "transform_declaration": (_NAME, ("of", "`of` and a loop nest"), (".target", "a loop nest")),
    "lift_declaration": (_NAME, (".source", "`from` and a source")),
    "equivalent_declaration": ((".left", "a name"), ("~", "`~` and a name"), (".right", "a name")),
    "import_declaration": ((".path", "a path in quotes"),),
    "attribute": (_NAME,),
    "type_parameters": ((">", "`>`"),),
    "parameters": ((")", "`)`"),),
    "source": ((".path", "a path in quotes"),),
    "keyed_argument": ((".value", "a value"),),
    "grouped_argument": ((".value", "a value"),),
    "renaming": ((".target", "a name or a list of names"),),
    "shape_entry": ((".size", "a size"),),
    "axes_item": (("rank_class", "an axis group"),),
    "axis_item": (("rank_class", "a name"),),
    "map_item": (_NAME, ("on", "`on` and an axis group"), (".on", "an axis group")),
    "int_item": (_NAME,),
    "scalar_item": _TYPED,
    "tensor_item": ((".name|family", "a name"), *_TYPED[1:]),
    "family": ((".count", "the number of its members, an `int`"),),
    "fn_item": _TYPED,
    "fn_type": (("->", "`->` and a type"), (".result", "a type")),
    "monoid_item": _TYPED,
    "let_item": (_NAME, _VALUE),
    "rewrite": ((".arrow", HALF_A_REWRITE),),
    "where_item": _PREDICATES,
    "assume_item": _PREDICATES,
    "assert_item": _PREDICATES,
    "requires_item": _PREDICATES,
    "ensures_item": _PREDICATES,
    "check_item": (("over", "`over` and element types"), (".type", "an element type")),
    "example_item": (("{", "`{`"),),
    "launch_item": (("*", "`grid(…)` or `block(…)`"),),
    "shared_item": _TYPED,
    "define_item": (_NAME, _VALUE),
    "array_item": _TYPED,
    "private_item": (_NAME,),
    "using_item": (_NAME,),
    "reduction_item": (_NAME,),
    "expect_item": (("*", "what is expected"),),
    "var_item": (_NAME,),
    "if_statement": ((".condition", "a condition"), (".then", "`{`")),
    "parallel_statement": (("for_statement", "`for`"),),
    "for_statement": (("for_head", "a name and its range"), (".body", "`{`")),
    "for_head": (("in", "`in` and a range"), (".range", "a range")),
    "while_statement": ((".condition", "a condition"), (".body", "`{`")),
}


HAVE_PARTS: Final = frozenset(_REQUIRED)
"""The nodes that must have some part."""


def absent(node: Node) -> str | None:
    """Returns how to call the first part that the node must have and has not, None if it has all."""
    return next((what for part, what in _REQUIRED.get(node.type, ()) if not _has(node, part)), None)


def _has(node: Node, part: str) -> bool:
    if "|" in part:
        return any(_has(node, either) for either in part.split("|"))
    if part == "*":
        return bool(content(node))
    if part.startswith("."):
        return node.child_by_field_name(part[1:]) is not None
    return any(child.type == part for child in node.children)
