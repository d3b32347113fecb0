"""Object-like macros: which there are, and what one means where it stands.

A macro's text replaces its name token by token, so only a text that is one operand (a literal, a name, something in
parentheses) may be read on its own; any other is refused where it is used. Must not know what expressions mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

import tree_sitter_cuda
from tree_sitter import Language, Node, Parser

from rewright.kernels.plain_cuda.reader import Macro, Reader, text
from rewright.model.body import Expression

LANGUAGE = Language(tree_sitter_cuda.language())
_COMMENT = re.compile(rb"//.*|/\*.*?\*/", re.DOTALL)
_OPERANDS = {"number_literal", "identifier", "parenthesized_expression", "true", "false", "call_expression"}
_CONDITIONAL = {"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef"}


def parse(data: bytes) -> Node:
    """The root of the text's tree."""
    return Parser(LANGUAGE).parse(data).root_node


def macros_of(root: Node, end: int, given: Mapping[str, int]) -> dict[str, Macro]:
    """The object-like macros defined before byte `end`; those `given` by the declaration come first."""
    found: dict[str, Macro] = {}
    for node in _directives(root):
        if node.start_byte >= end:
            continue
        name = text(node.child_by_field_name("name") or node.child_by_field_name("argument") or node).strip()
        value = node.child_by_field_name("value") if node.type == "preproc_def" else None
        settled = name not in found and not _is_conditional(node) and value is not None
        found[name] = Macro(name, _COMMENT.sub(b" ", value.text or b"").strip() if settled and value else None)
    return found | {name: Macro(name, str(value).encode()) for name, value in given.items()}


def macro_value(
    reader: Reader, node: Node, lower: Callable[[Reader, Node | None], Expression | None]
) -> Expression | None:
    """What the macro named at `node` stands for there, everything at that place; None if a problem was noted."""
    macro = reader.macros[text(node)]
    operand = None if macro.value is None else _operand(macro.value)
    if operand is None:
        shown = "" if macro.value is None else f" as `{macro.value.decode(errors='replace')[:40]}`"
        reader.refuse(node, f"the macro `{macro.name}`{shown} is not one literal, name or parenthesised expression")
        return None
    outer = reader.macros
    reader.macros = {name: known for name, known in outer.items() if name != macro.name}
    with reader.placed_at(node):
        value = lower(reader, operand)
    reader.macros = outer
    return value


def _operand(value: bytes) -> Node | None:
    """The expression that a macro's text is, None if it is not exactly one operand."""
    root = parse(b"int macro = " + value + b";")
    declaration = root.named_children[0] if root.named_children else None
    if root.has_error or len(root.named_children) != 1 or declaration is None:
        return None
    declarator = declaration.child_by_field_name("declarator")
    operand = declarator.child_by_field_name("value") if declarator is not None else None
    return operand if operand is not None and operand.type in _OPERANDS and operand.text == value else None


def _directives(node: Node) -> Iterator[Node]:
    """Each `#define NAME` and `#undef NAME`, in order."""
    for child in node.named_children:
        if child.type == "preproc_def" or (child.type == "preproc_call" and text(child).startswith("#undef")):
            yield child
        elif child.type not in ("declaration", "comment"):
            yield from _directives(child)


def _is_conditional(node: Node | None) -> bool:
    while node is not None:
        if node.type in _CONDITIONAL:
            return True
        node = node.parent
    return False
