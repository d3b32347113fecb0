"""Launches by a function that gets a kernel and passes on what it gets: each call of it is a launch of its own.

`run(k, dim3(4), 64, x, n)` of `void run(K k, dim3 g, dim3 b, A... a) { k<<<g, b>>>(a...); }` launches `k<<<dim3(4),
64>>>(x, n)`. A grid or block may be a member of a struct that is passed. Must not know sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from tree_sitter import Node

from rewright.frontends.cuda.launches.host import Choices, HostCode, enclosing_function
from rewright.frontends.cuda.reading.declarators import declared_name, function_declarator, layers, parameters_in
from rewright.frontends.cuda.reading.tree import parts, text, walk

_CLASSES = ("struct_specifier", "class_specifier")


class Forwarding(Struct, frozen=True):
    """A function that launches what it gets, and a call of it."""

    code: HostCode
    function: Node
    call: Node

    def of(self, written: Sequence[Node]) -> tuple[Node, ...] | None:
        """What expressions of the function are where it is called; None if one is not just passed on."""
        found: list[Node] = []
        for node in written:
            meant = self._meant(node)
            if meant is None:
                return None
            found += meant
        return tuple(found)

    def _meant(self, node: Node) -> list[Node] | None:
        if node.type == "parameter_pack_expansion":
            return self._pack(node)
        if node.type == "number_literal":
            return [node]
        if node.type == "identifier":
            return self._argument(node)
        whole, field = node.child_by_field_name("argument"), node.child_by_field_name("field")
        if node.type == "field_expression" and whole is not None and field is not None and whole.type == "identifier":
            given = self._argument(whole)
            member = None if given is None else _member(self.code, given[0], text(field))
            return None if member is None else [member]
        return None

    def _argument(self, name: Node) -> list[Node] | None:
        """The argument for a parameter that the function does not set."""
        names = _parameters(self.function)
        given = self._given()
        at = names.index(text(name)) if text(name) in names else len(given)
        is_own = at < len(given) and text(name) != _pack_of(self.function) and self.code.times_set(name) < 2
        return [given[at]] if is_own else None

    def _pack(self, node: Node) -> list[Node] | None:
        """The arguments for a pack: `a...`, `std::forward<A>(a)...`."""
        pack, names = _pack_of(self.function), _parameters(self.function)
        inner = parts(node)[0] if parts(node) else node
        function, listed = inner.child_by_field_name("function"), inner.child_by_field_name("arguments")
        if function is not None and listed is not None and text(function).startswith(("std::forward<", "forward<")):
            inner = parts(listed)[0] if len(parts(listed)) == 1 else inner
        return self._given()[names.index(pack) :] if pack and text(inner) == pack and names[-1] == pack else None

    def _given(self) -> list[Node]:
        listed = self.call.child_by_field_name("arguments")
        return [] if listed is None else parts(listed)


def forwardings(code: HostCode, launch: Node, kernel: Node) -> Iterator[tuple[Forwarding, Node]]:
    """The calls of the function that a launch is in, each with what it gives for the parameter that is launched."""
    function = enclosing_function(launch)
    declarator = None if function is None else function_declarator(function)
    own = None if declarator is None else declared_name(declarator)
    if function is None or own is None or text(kernel) not in _parameters(function):
        return
    at = _parameters(function).index(text(kernel))
    for node in code.mentions(text(own)):
        call = node.parent
        while call is not None and call.type in ("template_function", "qualified_identifier"):
            call = call.parent
        listed = None if call is None or call.type != "call_expression" else call.child_by_field_name("arguments")
        if call is not None and listed is not None and len(parts(listed)) > at and node.start_byte != own.start_byte:
            yield Forwarding(code, function, call), parts(listed)[at]


def _parameters(function: Node) -> list[str]:
    declarator = function_declarator(function)
    listed = [] if declarator is None else parameters_in(declarator)
    names = (declared_name(each.child_by_field_name("declarator") or each) for each in listed)
    return ["" if name is None else text(name) for name in names]


def _pack_of(function: Node) -> str:
    """The name of the parameter that is a pack, empty if none is."""
    declarator = function_declarator(function)
    listed = [] if declarator is None else parameters_in(declarator)
    packs = [each for each in listed if any("variadic" in inner.type for inner in walk(each))]
    name = declared_name(packs[0].child_by_field_name("declarator") or packs[0]) if len(packs) == 1 else None
    return "" if name is None else text(name)


# ------------------------------------------------------------------------------------------------------------- members


def _member(code: HostCode, given: Node, field: str) -> Node | None:
    """What a member of a struct is set to that a variable or an expression has; None where branches tell."""
    choices = Choices()
    kind: Node | None = None
    if given.type == "identifier":
        if code.sets_part(given, field):
            return None
        value = code.value(text(given), "", given, choices)
        kind = None if value is None else _declared_type(value)
        if value is None or choices.taken:
            return None
        given = value
    kind = given.child_by_field_name("function") or given.child_by_field_name("type") or kind
    listed = given.child_by_field_name("arguments") or given.child_by_field_name("value") or given
    if kind is None or listed.type not in ("argument_list", "initializer_list"):
        return None
    at = _place(code, text(kind), field, len(parts(listed)))
    return None if at is None or at >= len(parts(listed)) else parts(listed)[at]


def _declared_type(value: Node) -> Node | None:
    """The type of the variable that something is the first value of."""
    declaration = value.parent.parent if value.parent is not None else None
    return None if declaration is None else declaration.child_by_field_name("type")


def _place(code: HostCode, kind: str, field: str, count: int) -> int | None:
    """Which of so many values that make a struct its member is; None if that is not known."""
    bodies = [
        body
        for node in code.mentions(kind)
        if node.parent is not None and node.parent.type in _CLASSES
        if (body := node.parent.child_by_field_name("body")) is not None
    ]
    if len(bodies) != 1:
        return None
    constructors = [each for each in parts(bodies[0]) if _name(each) == kind]
    if not constructors:
        fields = [each for each in parts(bodies[0]) if each.type == "field_declaration"]
        names = [text(name) for each in fields for name in each.children_by_field_name("declarator")]
        is_plain = all(layer.type == "field_identifier" for each in fields for layer in _declarators(each))
        return names.index(field) if is_plain and field in names else None
    places = {_initialised(each, field) for each in constructors if len(_parameters(each)) == count}
    return next(iter(places)) if len(places) == 1 else None


def _declarators(field: Node) -> Iterator[Node]:
    for each in field.children_by_field_name("declarator"):
        yield from layers(each)


def _name(node: Node) -> str:
    declarator = function_declarator(node) if node.type in ("function_definition", "declaration") else None
    name = None if declarator is None else declared_name(declarator)
    return "" if name is None else text(name)


def _initialised(constructor: Node, field: str) -> int | None:
    """The parameter of a constructor that a member is initialised with: `grid(g)`; None if it is anything else."""
    for node in walk(constructor):
        if node.type == "field_initializer" and len(node.named_children) == 2 and text(node.named_children[0]) == field:
            given, names = _unconverted(node.named_children[1]), _parameters(constructor)
            body = constructor.child_by_field_name("body")
            return names.index(text(given)) if text(given) in names and (body is None or not parts(body)) else None
    return None


def _unconverted(node: Node) -> Node:
    """What stands in parentheses and braces, without conversions."""
    while node.type in ("argument_list", "initializer_list", "parenthesized_expression", "cast_expression"):
        inner = node.child_by_field_name("value") or (parts(node)[0] if len(parts(node)) == 1 else None)
        if inner is None:
            return node
        node = inner
    return node
