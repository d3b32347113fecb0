"""Types as host code writes them, with what its local names stand for.

A type parameter of which nothing says anything is `float`. Must not know launches or sizes.
"""

from __future__ import annotations

import re

from tree_sitter import Node

from rewright.frontends.cuda.launches.host import Host, enclosing_function
from rewright.frontends.cuda.launches.text import WORD
from rewright.frontends.cuda.reading.tree import parts, text

USUAL_TYPE = "float"
"""What a type parameter stands for of which nothing is said."""

_DISPATCHED = re.compile(r"scalar_t\w*|acc_t|accscalar_t|input_t|output_t|opmath_t|Dtype|real|accreal")
"""Names of types that macros of absent headers define around a call."""

_DEFINITIONS = ("type_definition", "alias_declaration", "struct_specifier", "class_specifier")

_CLASSES = ("struct_specifier", "class_specifier", "union_specifier", "enum_specifier")

_ACCUMULATING = re.compile(
    r"(?:typename )?(?:::)?(?:at::)?(?:acc_type(?:_device)?|AccumulateType|opmath_type|OpMathType)"
    r"\s*<\s*([\w:]+)\s*(?:,[^<>]*)?>(?:::type)?"
)
"""The types of torch in which sums of a type are computed."""

_ACCUMULATED = dict.fromkeys(("float", "half", "__half", "Half", "__nv_bfloat16", "nv_bfloat16", "BFloat16"), "float")
_ACCUMULATED |= {"double": "double"}

_MOST_DEPTH = 4


def type_text(host: Host, node: Node) -> str | None:
    """A type as it is written, local names replaced by what they stand for; None where that is not known."""
    written = text(node)
    for _ in range(_MOST_DEPTH):
        replaced = WORD.sub(lambda word: _meant(host, word[0], node), written)
        if replaced == written:
            break
        written = replaced
    return _ACCUMULATING.sub(_accumulated, written) or None


def _accumulated(found: re.Match[str]) -> str:
    return _ACCUMULATED.get(found[1].rpartition("::")[2], found[0])


def _meant(host: Host, name: str, use: Node) -> str:
    alias = _alias(name, use)
    if alias is not None:
        return alias
    if name in host.types:
        return host.types[name]
    return USUAL_TYPE if _DISPATCHED.fullmatch(name) and not _is_defined(host, name) else name


def _is_defined(host: Host, name: str) -> bool:
    return any(_defines(node) for node in host.code.mentions(name))


def defines_class(host: Host, name: str) -> bool:
    """Whether host code or a header of it defines a struct, class, union or enumeration of the name."""
    nodes = (node for node in host.code.mentions(name) if enclosing_function(node) is None)
    return any(_is_class_of(outer, node) for node in nodes if (outer := node.parent) is not None)


def _is_class_of(definition: Node, name: Node) -> bool:
    """`struct name {…}`, `typedef struct {…} name`."""
    if definition.type == "type_definition" and definition.child_by_field_name("declarator") == name:
        made = definition.child_by_field_name("type")
    else:
        made = definition if definition.child_by_field_name("name") == name else None
    return made is not None and made.type in _CLASSES and made.child_by_field_name("body") is not None


def _defines(name: Node) -> bool:
    """Whether a mention of a type's name defines it outside of functions."""
    outer = name.parent
    if outer is None or outer.type not in _DEFINITIONS or enclosing_function(name) is not None:
        return False
    return name in (outer.child_by_field_name("name"), outer.child_by_field_name("declarator"))


def _alias(name: str, use: Node) -> str | None:
    """What a `using` or `typedef` of the function in front of a use says that a name stands for."""
    node = use
    while node.parent is not None and node.type != "function_definition":
        for before in reversed([each for each in parts(node.parent) if each.end_byte <= node.start_byte]):
            if before.type in ("alias_declaration", "type_definition"):
                named = before.child_by_field_name("name") or before.child_by_field_name("declarator")
                kind = before.child_by_field_name("type")
                if named is not None and kind is not None and text(named) == name:
                    return text(kind)
        node = node.parent
    return None
