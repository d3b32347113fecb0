"""The variables that are declared where a region can see them: what they hold, and the sizes of arrays.

Must not know what a region does with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.c.signs import UNSIGNED
from rewright.frontends.c.tree import field, parts, text, without_blanks

_INTEGERS = frozenset(
    {
        *("int", "long", "short", "char", "signed", "ssize_t", "ptrdiff_t", "intptr_t", "bool", "_Bool"),
        *(f"int{bits}_t" for bits in (8, 16, 32, 64)),
        *UNSIGNED,
    }
)
_TRUTHS = frozenset({"bool", "_Bool"})
_DECLARING = ("declaration", "parameter_declaration")


class DeclaredName(Struct, frozen=True, eq=False):
    """A variable: its type without dimensions, the sizes of these, outermost first, and where it is declared.

    A size is None where the declaration does not say it: of a pointer, or in `A[][N]`.
    """

    name: str
    type: str
    sizes: tuple[Node | None, ...]
    node: Node

    @property
    def holds_integers(self) -> bool:
        """Whether it is a whole number or has such elements."""
        return bool(_INTEGERS & set(self.type.split()))

    @property
    def written(self) -> tuple[str | None, ...]:
        """The sizes as texts without blanks."""
        return tuple([None if each is None else without_blanks(text(each)) for each in self.sizes])

    @property
    def is_integer(self) -> bool:
        """Whether it is one whole number."""
        return not self.sizes and self.holds_integers

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer to what has elements: one by its declaration, or an array that is a parameter."""
        return bool(self.sizes) and (self.is_parameter or self.sizes[0] is None)

    @property
    def is_parameter(self) -> bool:
        """Whether it is a parameter of a function."""
        current: Node | None = self.node
        while current is not None and current.type not in _DECLARING:
            current = current.parent
        return current is not None and current.type == "parameter_declaration"

    @property
    def counts(self) -> bool:
        """Whether adding 1 to it again and again gives all whole numbers: not so of `bool`, nor of an unknown type."""
        return self.holds_integers and not _TRUTHS & set(self.type.split())

    @property
    def is_unsigned(self) -> bool:
        """Whether it is one that is never negative, and wraps around."""
        return self.is_integer and bool(UNSIGNED & set(self.type.split()))


def typedefs(root: Node) -> Mapping[str, str]:
    """The names that a text gives to types, with what they stand for."""
    found: dict[str, str] = {}
    for node in root.named_children:
        if node.type == "type_definition":
            declarator = field(node, "declarator")
            if declarator.type == "type_identifier":
                found[text(declarator)] = text(field(node, "type"))
    return found


def resolved_type(written: str, named: Mapping[str, str]) -> str:
    """What a type stands for, in words with one blank between them."""
    seen: set[str] = set()
    while written in named and written not in seen:
        seen.add(written)
        written = named[written]
    return " ".join(written.split())


def declarations(node: Node) -> Iterator[DeclaredName]:
    """What is declared directly by a node: a declaration or a parameter."""
    if node.type not in _DECLARING:
        return
    type_ = " ".join(text(field(node, "type")).split())
    for each in node.children_by_field_name("declarator"):
        found = _declarator(each)
        if found is not None:
            name, sizes = found
            yield DeclaredName(text(name), type_, tuple(sizes), name)


def _declarator(node: Node) -> tuple[Node, list[Node | None]] | None:
    """The name that a declarator declares with its sizes; None for a function."""
    match node.type:
        case "identifier":
            return node, []
        case "init_declarator":
            return _declarator(field(node, "declarator"))
        case "parenthesized_declarator" if parts(node):
            return _declarator(parts(node)[0])
        case "array_declarator":
            found = _declarator(field(node, "declarator"))
            return None if found is None else (found[0], [*found[1], node.child_by_field_name("size")])
        case "pointer_declarator":
            found = _declarator(field(node, "declarator"))
            return None if found is None else (found[0], [*found[1], None])
        case _:
            return None


def parameters_of(function: Node) -> Iterator[DeclaredName]:
    """The parameters of a function in order."""
    declarator: Node | None = function.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    if declarator is not None:
        for each in parts(field(declarator, "parameters")):
            yield from declarations(each)


def below(node: Node) -> Iterator[DeclaredName]:
    """What is declared anywhere in a block, in the order of the text."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield from declarations(current)
        if not current.type.endswith("expression"):
            waiting.extend(reversed(current.named_children))
