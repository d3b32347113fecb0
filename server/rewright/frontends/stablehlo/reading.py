"""From a text in MLIR to the tensor program that it prints: how operations nest, functions, meshes.

What cannot be read is said, at its place; what stands around it is read all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

import tree_sitter_mlir
from msgspec import Struct, field
from msgspec.structs import replace
from tree_sitter import Language, Node, Parser

from rewright.frontends.stablehlo.operations import ReadOperation, read_operation
from rewright.frontends.stablehlo.tokens import (
    AttributeReader,
    MlirToken,
    closing,
    tensor_type,
    tokens,
    top_level,
    unquoted,
)
from rewright.frontends.tensor_programs.program import (
    Attribute,
    Braces,
    Custom,
    Function,
    Mesh,
    Misread,
    Region,
    TensorOperation,
    TensorParameter,
    TensorProgram,
    TensorType,
)

MOST_MISREAD = 5
"""Places at which a text is said to be wrong: what follows is mostly wrong for the same reason."""

MOST_NESTED = 100
"""How deep operations may nest."""


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_mlir.language()))


def read_program(text: str) -> TensorProgram:
    """What a text prints, as far as it can be read."""
    return _Reading(text.encode("utf-8", "surrogateescape")).program()


class _Reading(Struct):
    """One text while it is read; `places` are the named places, `aliases` the named attributes."""

    data: bytes
    places: dict[str, list[MlirToken]] = field(default_factory=dict)
    aliases: dict[str, Attribute] = field(default_factory=dict)
    misread: list[Misread] = field(default_factory=list)

    def program(self) -> TensorProgram:
        root = _parser().parse(self.data).root_node
        self._name(root)
        self._note_errors(root)
        module = list(self._operations(root, 0))
        functions: dict[str, Function] = {}
        meshes: dict[str, Mesh] = {}
        counts = {"partitions": 1, "replicas": 1}
        for operation in _all(module):
            match operation.name:
                case "func.func":
                    made = self._function(operation)
                    functions.setdefault(made.name, made)
                case "sdy.mesh":
                    meshes |= _mesh(operation)
                case "builtin.module":
                    for key in counts:
                        given = operation.attributes.get(f"mhlo.num_{key}")
                        if isinstance(given, str) and given.isdecimal():
                            counts[key] = int(given)
                case _:
                    pass
        entry = next((name for name in ("main", *functions) if name in functions), None)
        misread = tuple(self.misread[:MOST_MISREAD])
        return TensorProgram(functions, entry, meshes, counts["partitions"], counts["replicas"], misread)

    def _name(self, root: Node) -> None:
        """Learns which attributes and places the text gives names (`#loc7 = loc(…)`)."""
        for node in root.children:
            if node.type == "attribute_alias_def":
                found = tokens(_text(self.data, node))
                if len(found) > 2 and found[0].kind == "alias":
                    if found[2].text == "loc":
                        self.places[found[0].text] = found[4:]
                    else:
                        self.aliases[found[0].text] = AttributeReader(found, self.aliases).value(2)[0]

    def _note_errors(self, root: Node) -> None:
        if not root.has_error:
            return
        for node in _erroneous(root):
            line = self.data[node.start_byte : max(node.end_byte, node.start_byte + 1)].split(b"\n")[0]
            said = line.decode("utf-8", "replace")[:40].strip()
            what = f"`{said}` cannot be read" if said else "the text ends here before it is complete"
            self.misread.append(Misread(what, node.start_byte, node.start_byte + max(len(line), 1)))

    def _operations(self, node: Node, depth: int) -> Iterator[TensorOperation]:
        """The operations directly in a node, those in what cannot be read among them.

        The grammar gives the results of an operation to the one before it where that has no place in the model.
        """
        if depth > MOST_NESTED:
            return
        taken: list[MlirToken] = []
        for child in node.children:
            if child.type == "operation":
                made, taken = self._split(child, taken, depth)
                yield from made
            elif child.child_count:
                yield from self._operations(child, depth + 1)

    def _split(self, node: Node, taken: list[MlirToken], depth: int) -> tuple[list[TensorOperation], list[MlirToken]]:
        """The operations in what the grammar takes for one, whose results may be `taken` before it; what it takes."""
        inner = list(_regions(node))
        text = _blanked(self.data, node, inner)
        found = [MlirToken(each.kind, each.text, each.start + node.start_byte) for each in tokens(text)]
        starts = [0, *(start for start in _bindings(found) if start > 0), len(found)]
        made = []
        for start, end in pairwise(starts):
            own = [*taken, *found[start:end]]
            taken = []
            if own and own[-1].text in ("=", "applies"):
                # The grammar ends `stablehlo.reduce(…) applies stablehlo.add …` before the operator, too.
                taken = own
                continue
            limit = found[end].start if end < len(found) else node.end_byte
            first = own[0].start if own else node.start_byte
            regions = [each for each in inner if first <= each.start_byte < limit]
            operation = self._operation(own, regions, (limit, depth))
            if operation is not None:
                made.append(operation)
        return made, taken

    def _operation(self, found: list[MlirToken], inner: list[Node], at: tuple[int, int]) -> TensorOperation | None:
        limit, depth = at
        read = read_operation(found, self.aliases, self.places.get)
        if read is None:
            return None
        regions = tuple(self._region(each, read, depth + 1) for each in inner)
        start = found[0].start
        span = start, _head_end(self.data, start, limit)
        if read.name == "func.func":
            return self._bare_function(span, read, (regions, found))
        return TensorOperation(
            read.name, read.operands, read.results, read.types, read.attributes, regions, *span, read.line
        )

    def _bare_function(
        self, span: tuple[int, int], read: ReadOperation, parts: tuple[tuple[Region, ...], list[MlirToken]]
    ) -> TensorOperation:
        """A function as an operation: its parameters are the arguments of its region, its attributes theirs."""
        regions, found = parts
        body = regions[0] if regions else Region((), ())
        attributes = dict(read.attributes)
        listed = next((number for number in top_level(found) if found[number].text == "("), None)
        if "sym_name" not in attributes and listed is not None:
            attributes["sym_name"] = attributes.get("symbol", "")
            given = list(self._parameters(found[listed + 1 : closing(found, listed)]))
            body = replace(body, arguments=tuple((value, type_) for value, type_, _ in given))
            attributes["arg_attrs"] = tuple(attribute for *_, attribute in given)
        return TensorOperation("func.func", (), (), (), attributes, (body,), *span, read.line)

    def _parameters(self, found: list[MlirToken]) -> Iterator[tuple[str, TensorType, Attribute]]:
        """`%arg0: tensor<4xf32> {…} loc("x")`, each with its attributes; its name in the model is one of them."""
        starts = [number for number in top_level(found) if found[number].kind == "value"]
        for number, after in zip(starts, (*starts[1:], len(found)), strict=True):
            own = found[number:after]
            made = tensor_type(own[2].text) if len(own) > 2 else None
            keyed: dict[str, Attribute] = {}
            for place in top_level(own):
                if own[place].text == "{":
                    value, _ = AttributeReader(own, self.aliases).value(place)
                    keyed |= value.keyed if isinstance(value, Braces) else {}
                if own[place].text == "loc" and place + 2 < len(own):
                    given = own[place + 2]
                    meant = self.places.get(given.text, [given])[0]
                    if meant.kind == "string":
                        keyed["name"] = unquoted(meant.text)
            yield own[0].text, made or TensorType("?", ()), Braces((), keyed)

    def _region(self, node: Node, read: ReadOperation, depth: int) -> Region:
        arguments = read.blocks or tuple(self._block_arguments(node))
        return Region(arguments, tuple(self._operations(node, depth)))

    def _block_arguments(self, node: Node) -> Iterator[tuple[str, TensorType]]:
        """`^bb0(%arg0: tensor<f32>, …):` at the begin of a region."""
        first = next((each for each in _below(node, "operation")), None)
        end = first.start_byte if first is not None else node.end_byte
        found = tokens(self.data[node.start_byte : end].decode("utf-8", "replace"))
        for number, token in enumerate(found[:-2]):
            if token.kind == "value" and found[number + 1].text == ":":
                made = tensor_type(found[number + 2].text)
                if made is not None:
                    yield token.text, made

    def _function(self, operation: TensorOperation) -> Function:
        body = operation.regions[0] if operation.regions else Region((), ())
        name = operation.attributes.get("sym_name")
        given = operation.attributes.get("arg_attrs")
        listed = given if isinstance(given, tuple) else ()
        parameters = []
        for number, (value, type_) in enumerate(body.arguments):
            own = listed[number] if number < len(listed) else None
            keyed: Mapping[str, Attribute] = own.keyed if isinstance(own, Braces) else {}
            called = keyed.get("name")
            shown = called if isinstance(called, str) else value.removeprefix("%")
            parameters.append(TensorParameter(value, type_, shown, keyed, operation.start, operation.end))
        called = name if isinstance(name, str) else ""
        return Function(called, tuple(parameters), body.operations, operation.start, operation.end)


def _text(data: bytes, node: Node) -> str:
    return data[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _erroneous(root: Node) -> Iterator[Node]:
    """The nodes that cannot be read, in the order of the text; none in another."""
    if root.is_error or root.is_missing:
        inner = [each for child in root.children for each in _erroneous(child) if child.has_error]
        # An error around everything says nothing of where: what stands in it does, else its end.
        large = root.end_byte - root.start_byte > 400
        if inner:
            yield from inner
        elif large:
            yield root.children[-1] if root.children else root
        else:
            yield root
        return
    for child in root.children:
        if child.has_error or child.is_missing:
            yield from _erroneous(child)


def _regions(node: Node) -> Iterator[Node]:
    """The outermost regions in an operation that hold operations."""
    for child in node.children:
        if child.type == "region" and next(_below(child, "operation"), None) is not None:
            yield child
        elif child.type != "operation":
            yield from _regions(child)


def _below(node: Node, kind: str) -> Iterator[Node]:
    for child in node.children:
        if child.type == kind:
            yield child
        else:
            yield from _below(child, kind)


def _blanked(data: bytes, node: Node, regions: list[Node]) -> str:
    """The text of an operation with blanks in the place of its regions."""
    kept = bytearray(data[node.start_byte : node.end_byte])
    for region in regions:
        start, end = region.start_byte - node.start_byte, region.end_byte - node.start_byte
        kept[start:end] = b" " * (end - start)
    return kept.decode("utf-8", "replace")


def _bindings(found: list[MlirToken]) -> Iterator[int]:
    """Where results stand before `=`, outside of brackets."""
    top = list(top_level(found))
    for place, number in enumerate(top):
        if found[number].text == "=" and found[number].kind == "sign":
            start = place
            while start and (found[top[start - 1]].kind == "value" or _joins(found, top[start - 1])):
                start -= 1
            if start < place:
                yield top[start]


def _joins(found: list[MlirToken], at: int) -> bool:
    """Whether a token stands between results: a comma, or `:2` after one of them."""
    before = found[at - 1] if at else None
    if found[at].text in ",:":
        return before is not None and (before.kind == "value" or before.kind == "number")
    return found[at].kind == "number" and at > 1 and found[at - 1].text == ":" and found[at - 2].kind == "value"


def _head_end(data: bytes, start: int, limit: int) -> int:
    """Where ends what a finding underlines of an operation: its results, name and operands, on its first line."""
    first = data[start:limit].split(b"\n", 1)[0].rstrip()
    cut = re.search(rb"(?:,? (?:precision|channel_handle|in_shardings)\b| <\{| \{| :(?= [\(t]))", first)
    return start + (cut.start() if cut else len(first))


def _all(operations: list[TensorOperation]) -> Iterator[TensorOperation]:
    """Operations, and those in modules."""
    for each in operations:
        yield each
        if each.name == "builtin.module":
            for region in each.regions:
                yield from _all(list(region.operations))


def _mesh(operation: TensorOperation) -> dict[str, Mesh]:
    """The mesh that an `sdy.mesh` names; none if its ranks are in an order of their own."""
    name = operation.attributes.get("symbol", operation.attributes.get("sym_name"))
    match operation.attributes.get("mesh"):
        case Custom(entries=(Braces(entries=(), keyed=axes),), keyed=keyed) if not keyed:
            given = axes
        case None:
            given = {key: value for key, value in operation.attributes.items() if key not in ("symbol", "listed")}
        case _:
            return {}
    sizes = [(key, value) for key, value in given.items() if isinstance(value, str) and value.isdecimal()]
    if not isinstance(name, str) or "device_ids" in given:
        return {}
    return {name: tuple((key, int(value)) for key, value in sizes)}
