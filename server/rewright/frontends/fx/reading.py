"""From a text that torch.fx or torch.export printed to the tensor program in it: its `forward`, statement by statement.

What cannot be read is said, at its place; what stands around it is read all the same. Nothing of a text is executed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType

import tree_sitter_python
from msgspec import Struct, field
from tree_sitter import Language, Node, Parser

from rewright.frontends.fx.composed import COMPOSED
from rewright.frontends.fx.elementwise import ELEMENTWISE, Lowering
from rewright.frontends.fx.emitting import FxOperations, OfUntaken, Value
from rewright.frontends.fx.exchanging import EXCHANGING
from rewright.frontends.fx.looking_up import LOOKING_UP
from rewright.frontends.fx.shaping import SHAPING
from rewright.frontends.fx.written import Call, FxValue, Written, annotated, text_of, written
from rewright.frontends.tensor_programs.program import (
    Function,
    Misread,
    ModelLine,
    TensorOperation,
    TensorParameter,
    TensorProgram,
    TensorType,
)
from rewright.frontends.tensor_programs.values import NotTaken

OPERATORS: Mapping[str, Lowering] = MappingProxyType({**ELEMENTWISE, **SHAPING, **LOOKING_UP, **COMPOSED, **EXCHANGING})
"""All that are taken, by their names without namespaces and overloads."""

_NAMESPACES = re.compile(
    r"(?:torch\.ops\.(?:aten|prims|_c10d_functional|c10d_functional)|torch\._C\._nn|torch\.nn\.functional"
    r"|torch\.special|operator|torch)\.(?=\w)"
)
_IN_PLACE = re.compile(r"[a-z0-9]_$")
_SETTINGS = ("torch._C._set_", "torch.autograd.", "torch._functorch.", "torch.amp.")
"""What statements begin with that compute nothing."""

FRAMES = ((b"class <lambda>", b"class _lambda_"), (b"ExportedProgram:", b"if ExportedProg:"))
"""What torch prints around a graph that is no Python, and what is read in its place, as long."""

MOST_MISREAD = 5
"""Places at which a text is said to be wrong: what follows is mostly wrong for the same reason."""

UNKNOWN = TensorType("f32", (None,))
"""The type of a value of which the text says none."""


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_python.language()))


def read_program(text: str) -> TensorProgram:
    """What a text prints, as far as it can be read. The first `forward` is the entry."""
    data = text.encode("utf-8", "surrogateescape")
    for printed, python in FRAMES:
        data = data.replace(printed, python)
    root = _parser().parse(data).root_node
    functions: dict[str, Function] = {}
    misread: list[Misread] = []
    for node in _functions(root):
        reading = _Reading(data, misread)
        made = reading.function(node)
        functions.setdefault(made.name, made)
    entry = next(iter(functions), None)
    if entry is None:
        misread.append(Misread("there is no `def forward(…)` in the text", 0, min(len(data), 1)))
    return TensorProgram(functions, entry, misread=tuple(misread[:MOST_MISREAD]))


def _functions(node: Node) -> Iterator[Node]:
    """The functions that are not in another one, in the order of the text, also in what cannot be read."""
    for child in node.children:
        if child.type == "function_definition":
            yield child
        elif child.child_count:
            yield from _functions(child)


class _Reading(Struct):
    """One function while it is read."""

    data: bytes
    misread: list[Misread]
    emitter: FxOperations = field(default_factory=FxOperations)
    line: ModelLine | None = None
    returned: bool = False

    def function(self, node: Node) -> Function:
        name, listed = node.child_by_field_name("name"), node.child_by_field_name("parameters")
        parameters = tuple(self._parameters(listed)) if listed is not None else ()
        body = node.child_by_field_name("body")
        # A comment before the first statement stands beside the body, not in it.
        for each in (*(child for child in node.children if child.type == "comment"), *_statements(body)):
            if self.returned:
                break
            self._statement(each)
        start, end = node.start_byte, body.start_byte if body is not None else node.end_byte
        called = text_of(name) if name is not None else ""
        return Function(called, parameters, tuple(self.emitter.operations), start, end)

    def _parameters(self, listed: Node) -> Iterator[TensorParameter]:
        for each in listed.named_children:
            if each.type not in ("typed_parameter", "identifier") or text_of(each) == "self":
                continue
            given = each.child_by_field_name("type")
            name = text_of(each.children[0] if each.type == "typed_parameter" else each)
            made = (annotated(text_of(given)) if given is not None else None) or UNKNOWN
            self.emitter.types[name] = made
            self.emitter.bound[name] = name
            yield TensorParameter(name, made, name, {}, each.start_byte, each.end_byte)

    # ------------------------------------------------------------------------------------------------------ statements

    def _statement(self, node: Node) -> None:
        match node.type:
            case "comment":
                self._comment(text_of(node))
            case "expression_statement" if node.named_children and node.named_children[0].type == "assignment":
                self._assignment(node.named_children[0])
            case "return_statement":
                self._return(node)
            case "ERROR":
                self._misread(node)
            case _ if node.has_error:
                self._misread(node)
            case _:
                return

    def _comment(self, text: str) -> None:
        """`# File: model.py:12 in forward, code: …` says of which line of the model the statements are that follow."""
        match = re.match(r"#\s*File: (.+?):(\d+)(?: in |,|$)", text)
        if match is not None:
            self.line = ModelLine(match[1], int(match[2]), 0)
        elif "No stacktrace" in text:
            self.line = None

    def _assignment(self, node: Node) -> None:
        target, value, given = (node.child_by_field_name(each) for each in ("left", "right", "type"))
        if target is None or value is None or value.type in ("none", "assignment"):
            return  # `mm = None` lets a tensor go
        if node.has_error or target.type != "identifier":
            self._misread(node)
            return
        self.emitter.place = (node.start_byte, self._first_line(node), self.line)
        said = annotated(text_of(given)) if given is not None else None
        self.emitter.bound[text_of(target)] = self._value(value, said)

    def _value(self, node: Node, said: TensorType | None) -> Value:
        """What an expression gives; a value that is not taken, with the reason, where it is not."""
        operands: list[str] = []
        name = text_of(node)[:60]
        try:
            given = written(node, self.emitter.bound)
            if isinstance(given, Call):
                name = given.callee
                operands = [each for value in given.references() for each in self._all(value)]
            return self._applied(given, said)
        except OfUntaken:
            reason = ""
        except NotTaken as found:
            reason = str(found)
        made = self.emitter.refuse(name, operands, said, reason)
        if said is not None and None not in said.shape:
            self.emitter.types[made] = said
        return made

    def _all(self, name: str) -> tuple[str, ...]:
        value = self.emitter.bound.get(name, name)
        return value if isinstance(value, tuple) else (value,)

    def _applied(self, given: Written, said: TensorType | None) -> Value:
        """What a call gives. Raises `NotTaken`, `OfUntaken`."""
        match given:
            case FxValue():
                return self.emitter.bound[given.name]
            case Call(callee=callee) if callee.startswith(_SETTINGS) and said is None:
                return ()
            case Call():
                pass
            case _:
                raise NotTaken("")
        made = self._called(given)
        if said is not None and isinstance(made, str) and self.emitter.types[made].shape != said.shape:
            raise NotTaken("its type does not fit its operands")
        return made

    def _called(self, call: Call) -> Value:
        name = _NAMESPACES.sub("", call.callee, count=1).partition(".")[0]
        if call.callee.startswith("torch.ops.") and _NAMESPACES.match(call.callee) is None:
            raise NotTaken("")
        if _IN_PLACE.search(name) and name.rstrip("_") in OPERATORS:
            raise NotTaken("it changes its operand in place")
        lowering = OPERATORS.get(name)
        if lowering is None:
            raise NotTaken("")
        inner = tuple(self._inner(each) for each in call.positional)
        keyed = {key: self._inner(value) for key, value in call.keyed.items()}
        return lowering(self.emitter, Call(call.callee, inner, keyed))

    def _inner(self, given: Written) -> Written:
        """An argument, of which the calls in it are made first."""
        if not isinstance(given, Call) or given.callee in ("device", "torch.device"):
            return None if isinstance(given, Call) else given
        made = self._called(given)
        if not isinstance(made, str):
            raise NotTaken("a tensor is missing")
        self.emitter.bound[made] = made
        return FxValue(made)

    def _return(self, node: Node) -> None:
        self.returned = True
        self.emitter.place = (node.start_byte, self._first_line(node), self.line)
        value = node.named_children[0] if node.named_children else None
        given: Written = None
        try:
            given = written(value, self.emitter.bound) if value is not None else None
        except NotTaken:
            self._misread(node)
        listed = given if isinstance(given, tuple) else (given,)
        names = [each for one in listed if isinstance(one, FxValue) for each in self._all(one.name)]
        start, end, line = self.emitter.place
        self.emitter.operations.append(TensorOperation("func.return", tuple(names), (), (), {}, (), start, end, line))

    def _first_line(self, node: Node) -> int:
        line = self.data[node.start_byte : node.end_byte].split(b"\n", 1)[0].rstrip()
        return node.start_byte + max(len(line), 1)

    def _misread(self, node: Node) -> None:
        shown = text_of(node).split("\n")[0][:40].strip()
        what = f"`{shown}` cannot be read" if shown else "the text ends here before it is complete"
        self.misread.append(Misread(what, node.start_byte, self._first_line(node)))


def _statements(body: Node | None) -> Iterator[Node]:
    yield from body.children if body is not None else ()
