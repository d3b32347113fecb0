"""The kernels of a parsed text: their names, the parameters of their templates, and what their parameters are.

Types are read as far as a declaration of a kernel can say them: scalars, and pointers to scalars or vectors of them.
Must not know launches.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace
from tree_sitter import Node

from rewright.emit.problem import Problem
from rewright.emit.types import leaves_of, scalar_named, vector
from rewright.frontends.cuda.reading.declarators import (
    declared_name,
    function_declarator,
    is_kernel,
    layers,
    parameters_in,
)
from rewright.frontends.cuda.reading.pieces import broken_outside
from rewright.frontends.cuda.reading.tree import broken, parts, text
from rewright.model.simt.types import Scalar

_DEFINES = re.compile(rb"__global__\b([^;{}]*)\{")
_STARS = ("pointer_declarator", "array_declarator", "abstract_pointer_declarator")
_CALLED = re.compile(rb"\b([A-Za-z_]\w*)\s*\(")


class TemplateParameter(Struct, frozen=True):
    """A parameter of a kernel's template: its name, whether it stands for a type, whether it has a default.

    One without a name is called by its number; it is used nowhere, so any argument is as good as another. A pack stands
    for any number of arguments.
    """

    name: str
    is_type: bool
    default: str | None
    is_pack: bool = False


class Parameter(Struct, frozen=True):
    """A parameter of a kernel; `words` name its type, `depth` counts its stars and brackets.

    A field of a struct is one too (`p.n`). `scalar` is its type, or that of its elements, where the words do not tell
    it; `extents` are those of an array in a struct; `wrong` is why the type is not supported. A field of the structs
    that a pointer points to has `count` elements in each; `record` is the name of the pointer.
    """

    name: str
    words: tuple[str, ...]
    depth: int
    is_constant: bool
    node: Node
    scalar: Scalar | None = None
    extents: tuple[int, ...] | None = None
    wrong: Problem | None = None
    record: str = ""
    count: int = 1


class GlobalVariable(Struct, frozen=True):
    """A variable outside functions, in device memory: what its elements are, and its extents, none of a scalar."""

    name: str
    scalar: Scalar
    extents: tuple[int, ...]


class Signature(Struct, frozen=True):
    """A kernel: its name, where its definition begins (a template in front of it included), its parameters.

    `aliases` are the names that the file gives to types, `variables` those of the device that its comments speak of,
    `types` reads types that need more than words. Of several kernels of one name, `number` counts them from 1;
    of a full specialisation (`is_special`), `special` are the template arguments if it states them. `bounds` is the
    first number of `__launch_bounds__`, or the name of the template's parameter that it is.
    """

    name: str
    node: Node
    outer: Node
    name_node: Node
    template: tuple[TemplateParameter, ...]
    parameters: tuple[Parameter, ...]
    aliases: Mapping[str, tuple[str, ...]]
    variables: tuple[GlobalVariable, ...] = ()
    types: Types | None = None
    number: int = 0
    special: tuple[str, ...] = ()
    is_special: bool = False
    bounds: str = ""

    @property
    def shown(self) -> str:
        """The name that no other kernel of the text has: that of the second `k` is `k'2`."""
        return self.name if self.number < 2 else self.entry

    @property
    def entry(self) -> str:
        """The name by which a declaration finds the kernel."""
        return f"{self.name}'{self.number}" if self.number else self.name

    def flattened(self, arguments: Mapping[str, str]) -> Signature:
        """The signature with template arguments, the parts of its parameters in place of those that have several."""
        if self.types is None or all(
            each.depth < 2 and scalar_of(each, self, arguments) is not None for each in self.parameters
        ):
            return self
        return replace(self, parameters=self.types(self, arguments))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its parameters and of these variables."""
        return (*(each.name for each in self.parameters), *(each.name for each in self.variables))


Types = Callable[[Signature, Mapping[str, str]], tuple[Parameter, ...]]
"""Gives the parameters of a kernel, those that are structs by their parts, with the arguments of its template."""


def signatures(roots: list[Node], types: Types | None = None) -> list[Signature]:
    """The `__global__` functions that are defined in a text, in order; `types` reads those of their parameters."""
    aliases = {name: words for root in roots for name, words in _aliases(root)}
    each = (_signature(node, aliases, types) for root in roots for node in functions(root) if is_kernel(node))
    found = [signature for signature in each if signature is not None]
    several = {name for name, count in Counter(signature.name for signature in found).items() if count > 1}
    so_far: Counter[str] = Counter()
    for at, signature in enumerate(found):
        if signature.name in several:
            so_far[signature.name] += 1
            found[at] = replace(signature, number=so_far[signature.name])
    return found


def unfinished(roots: list[Node]) -> list[tuple[Node, list[Node]]]:
    """The names of kernels that the text begins to define and does not end, each with what is broken in it."""
    found = []
    for root in roots:
        for node in broken_outside(root):
            marks = [child for child in node.children if text(child) == "__global__"]
            name = next((declared_name(child) for child in node.children if _may_name(child)), None) if marks else None
            if name is not None and text(name):
                found.append((name, [inner for inner in broken(node) if inner != node]))
    return found


def unread(roots: list[Node]) -> Iterator[tuple[Node, list[Node]]]:
    """The names of all kernels with a body that the words of the text define, each with what is broken around it.

    So a kernel is not lost whose text is taken for something else, as `__global__ void f(int *x) { word }` is.
    """
    for root in roots:
        for found in _DEFINES.finditer(root.text or b""):
            called = _CALLED.finditer(found.string, *found.span(1))
            for name in [each for each in called if each[1][:2] != b"__"][:1]:
                node = root.descendant_for_byte_range(root.start_byte + name.start(1), root.start_byte + name.end(1))
                if node is not None and node.type != "comment":
                    yield node, list(broken(_outermost(node)))


def _outermost(node: Node) -> Node:
    """What of the text's direct parts a node is in."""
    while node.parent is not None and node.parent.parent is not None:
        node = node.parent
    return node


def _may_name(node: Node) -> bool:
    return node.type in ("function_declarator", "identifier")


def functions(node: Node) -> Iterator[Node]:
    """The definitions of functions, in order, inside of namespaces, templates and broken text too."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        if current.type == "function_definition":
            yield current
        elif current.type not in ("declaration", "comment", "expression_statement"):
            waiting.extend(reversed(current.named_children))


def scalar_of(parameter: Parameter, signature: Signature, arguments: Mapping[str, str]) -> Scalar | None:
    """The scalar that a parameter is, or that it points to; None if it is something else."""
    if parameter.scalar is not None or parameter.wrong is not None:
        return parameter.scalar
    words = parameter.words
    for _ in range(8):
        name = words[0] if len(words) == 1 else ""
        if name in arguments:
            words = tuple(arguments[name].split())
        elif name in signature.aliases:
            words = signature.aliases[name]
        else:
            break
    scalar = scalar_named(words)
    if scalar is not None:
        return scalar
    if words == ("void",) and parameter.depth == 1:
        return Scalar.U8
    made = vector(words[0]) if len(words) == 1 and parameter.depth == 1 else None
    return leaves_of(made)[0].scalar if made is not None else None


def _signature(node: Node, aliases: Mapping[str, tuple[str, ...]], types: Types | None) -> Signature | None:
    declarator = function_declarator(node)
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    if declarator is None or name is None or not text(name):
        return None
    given = name.child_by_field_name("arguments") if name.type == "template_function" else None
    special = () if given is None else tuple(text(child) for child in parts(given))
    if name.type in ("qualified_identifier", "template_function"):
        name = name.child_by_field_name("name") or name
    outer, template = node, None
    while outer.parent is not None and outer.parent.type in ("template_declaration", "linkage_specification"):
        outer = outer.parent
        template = outer.child_by_field_name("parameters") or template
    parameters = tuple(_parameter(child) for child in parameters_in(declarator))
    listed = parts(template) if template is not None else ()
    generic = tuple(_template_parameter(child, number) for number, child in enumerate(listed, 1))
    whole = Signature(text(name), node, outer, name, generic, parameters, aliases, types=types, special=special)
    return replace(whole, is_special=bool(special) or (template is not None and not generic))


def _parameter(node: Node) -> Parameter:
    kind, around = node.child_by_field_name("type"), list(layers(node.child_by_field_name("declarator")))
    depth = sum(layer.type in _STARS for layer in around)
    name = next((layer for layer in around if layer.type in ("identifier", "field_identifier")), None)
    constant = any(text(child) in ("const", "constexpr") for child in node.children)
    words = tuple(text(kind).split()) if kind is not None else ()
    return Parameter(text(name) if name is not None else "", words, depth, constant, node)


def _template_parameter(node: Node, number: int) -> TemplateParameter:
    is_pack = node.type.startswith("variadic")
    is_type = node.type.removeprefix("variadic_").removeprefix("optional_") == "type_parameter_declaration"
    declarator = node.child_by_field_name("declarator")
    name = node.child_by_field_name("name") or (None if declarator is None else declared_name(declarator))
    default = node.child_by_field_name("default_type") or node.child_by_field_name("default_value")
    if name is None and is_type:
        name = next((each for each in parts(node) if each.type == "type_identifier" and each != default), None)
    any_argument = None if name is not None else "int" if is_type else "0"
    known = text(name) if name is not None else f"parameter {number}"
    return TemplateParameter(known, is_type, any_argument if default is None else text(default), is_pack)


def _aliases(root: Node) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The type names that the file defines for types of one word or several."""
    for node in root.named_children:
        kind = node.child_by_field_name("type")
        if kind is None:
            continue
        if node.type == "alias_declaration" and (name := node.child_by_field_name("name")) is not None:
            yield text(name), tuple(text(kind).split())
        if node.type == "type_definition":
            for declarator in node.children_by_field_name("declarator"):
                if declarator.type == "type_identifier":
                    yield text(declarator), tuple(text(kind).split())
