"""Host code around a call: what its variables are set to there, by scope and branch, and functions.

A variable is what the nearest setting before its use gives it. Where branches set it, each way is a choice of its own,
the same for all variables; what loops change, pointers may write and callers pass is not known. Must not know what
expressions mean.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, count

from msgspec import Struct, field
from tree_sitter import Node

from rewright.frontends.cuda.launches.references import References, references
from rewright.frontends.cuda.launches.settings import (
    VariableSetting,
    VariableSettings,
    all_settings,
    is_declared,
    is_set,
    outside_functions,
)
from rewright.frontends.cuda.launches.signatures import functions
from rewright.frontends.cuda.reading.declarators import declared_name
from rewright.frontends.cuda.reading.tree import parts, text, walk

_SEQUENCES = ("compound_statement", "case_statement", "translation_unit", "declaration_list")
_LOOPS = ("for_statement", "while_statement", "do_statement", "for_range_loop")
_LEAVING_CALLS = frozenset(
    {"exit", "abort", "std::exit", "std::abort", "_Exit", "quick_exit", "std::terminate", "GGML_ABORT", "ggml_abort"}
)
_WORD = re.compile(r"\W+")
_PART = re.compile(r"\)\.([xyz])$")
_CALLED = re.compile(r"(?:\w+(?:::|\.|->))*([A-Za-z_]\w*)(?:<[^()]*>)?\(")

LONGEST_NAME = 20
"""Characters of a name that is made of the words of an expression of the host."""

UNUSABLE = frozenset(
    {
        *(
            "launch",
            "grid",
            "block",
            "shared",
            "requires",
            "define",
            "forall",
            "in",
            "out",
            "inout",
            "local",
            "barrier",
        ),
        *(
            "min",
            "max",
            "select",
            "abs",
            "and",
            "or",
            "not",
            "if",
            "else",
            "for",
            "while",
            "true",
            "false",
            "let",
            "var",
        ),
        *("equivalent", "from", "graph", "import", "kernel", "lemma", "lift", "loops", "on", "refine", "rule", "map"),
        *("transform", "axis", "axes", "tensor", "where", "assume", "return", "assert", "ensures", "div", "mod", "exp"),
    }
)
"""Words of our own syntax that are not used as names of sizes."""


class Choices(Struct):
    """Which way is taken at each place where host code has several: what `path` says, then the first."""

    path: tuple[int, ...] = ()
    taken: list[int] = field(default_factory=list)
    _counts: list[int] = field(default_factory=list)
    _made: dict[Hashable, int] = field(default_factory=dict)
    branches: dict[int, tuple[Node, bool]] = field(default_factory=dict)
    """The conditions of the branches that were chosen, with whether they are true there."""

    def pick(self, place: Hashable, count: int) -> int:
        """The way at a place with so many, the same one each time."""
        if place not in self._made:
            at = len(self.taken)
            self._made[place] = self.path[at] if at < len(self.path) else 0
            self.taken.append(self._made[place])
            self._counts.append(count)
        return self._made[place]

    def following(self) -> tuple[int, ...] | None:
        """The next path, None after the last one."""
        for at in reversed(range(len(self.taken))):
            if self.taken[at] + 1 < self._counts[at]:
                return (*self.taken[:at], self.taken[at] + 1)
        return None


class FreeSizes(Struct):
    """The sizes of a launch that stand for expressions of the host whose values are not known."""

    taken: frozenset[str]
    names: dict[str, str] = field(default_factory=dict)

    def named(self, written: str, variable: str = "") -> str:
        """The name of the size that stands for an expression, the same for the same text.

        It is that of the `variable` whose value the expression is, else made of its words, or of what it calls.
        """
        if written not in self.names:
            words, own = _joined(written), _joined(variable)
            if own and own not in UNUSABLE and own not in (*self.taken, *self.names.values()):
                self.names[written] = own
            elif len(words) <= LONGEST_NAME or words == written:
                self.names[written] = self._new(words)
            else:
                called, part = _CALLED.match(written), _PART.search(written)
                self.names[written] = self._new(
                    _cut(words) if called is None else _joined(f"{called[1]}.{part[1] if part else ''}")
                )
        return self.names[written]

    def _new(self, name: str) -> str:
        """The name, or one like it that is no word of ours, no name of the kernel and no other size."""
        name = f"size_{name}".strip("_") if not name or name[0].isdigit() or name in UNUSABLE else name
        while name in self.taken:
            name = f"host_{name}"
        others = chain([name], (f"{name}_{number}" for number in count(2)))
        return next(each for each in others if each not in (*self.taken, *self.names.values()))


def _joined(written: str) -> str:
    """The words of an expression as one name: `x.size(0)` is `x_size_0`."""
    return _WORD.sub("_", written).strip("_")


def _cut(name: str) -> str:
    """As many words of a name as fit."""
    return name[: LONGEST_NAME + 1].rpartition("_")[0] or name[:LONGEST_NAME]


class Host(Struct, frozen=True):
    """The host code around one call.

    `known` are names, and expressions as they are written, with what stands for them in our syntax; `types` those of
    template parameters. What is not known is one of the `free` sizes; without these it is not known.
    """

    code: HostCode
    choices: Choices = field(default_factory=Choices)
    known: Mapping[str, str] = field(default_factory=dict)
    types: Mapping[str, str] = field(default_factory=dict)
    free: FreeSizes | None = None
    depth: int = 0

    def value(self, name: Node, part: str = "") -> Node | None:
        """What a variable, or a part of it, is set to where its name stands; None if that is not known."""
        return self.code.value(text(name), part, name, self.choices)

    def unknown(self, node: Node) -> str | None:
        """The free size that stands for an expression, None where nothing may be free."""
        if self.free is None or node.has_error or not text(node):
            return None
        return self.free.named(line(node), variable_set_to(node))


def variable_set_to(value: Node) -> str:
    """The name of the variable that an expression is the first value of, empty if it is none."""
    around = value.parent
    if around is None or around.type != "init_declarator" or around.child_by_field_name("value") != value:
        return ""
    name = around.child_by_field_name("declarator")
    return text(name) if name is not None and name.type == "identifier" else ""


def line(node: Node) -> str:
    """The text of a node on one line."""
    return " ".join(text(node).split())


class _Missing:
    """Nothing sets a variable there."""


_MISSING = _Missing()


class HostCode:
    """All host code of a document; what a function sets is found once."""

    def __init__(self, roots: list[Node], data: bytes = b"") -> None:
        self.roots = roots
        self.data = data
        self._inside: dict[int, VariableSettings] = {}
        self._enumerators: dict[str, Node | None] = {}

    def value(self, name: str, part: str, use: Node, choices: Choices) -> Node | None:
        """What a variable is set to where it is used; None if that is not known."""
        function = enclosing_function(use)
        settings = self._outside if function is None else self.settings(function)
        found = [*settings.get(name, ()), *(settings.get(f"{name}.{part}", ()) if part else ())]
        if not found:
            outside = self._outside.get(name, ())
            is_fixed = function is not None and len(outside) == 1 and not self._is_changed(name)
            return outside[0].value if is_fixed else None
        reached = _reached(use, sorted(found, key=lambda each: each.at), choices)
        return None if isinstance(reached, _Missing) else reached

    def enumerator(self, name: str) -> Node | None:
        """Where an enumerator is declared, None if the name is none, or of several."""
        if name not in self._enumerators:
            around = [node.parent for node in self.mentions(name) if node.parent is not None]
            found = [each for each in around if each.type == "enumerator" and _is_named(each, name)]
            self._enumerators[name] = found[0] if len(found) == 1 else None
        return self._enumerators[name]

    def values(self, name: Node) -> list[Node]:
        """All that a variable of a function is set to in its scope, as far as it is known."""
        function = enclosing_function(name)
        found = () if function is None else self.settings(function).get(text(name), ())
        return [each.value for each in _in(_scope(name, found), found) if each.value is not None]

    def times_set(self, name: Node) -> int:
        """How often a function sets the variable of a name that stands in it, or may; being a parameter counts."""
        function = enclosing_function(name)
        return 0 if function is None else len(self.settings(function).get(text(name), ()))

    def settings(self, function: Node) -> VariableSettings:
        """Where a node, a function or what stands around it, sets variables, by name."""
        if function.id not in self._inside:
            self._inside[function.id] = all_settings(walk(function), self.references)
        return self._inside[function.id]

    def sets_part(self, name: Node, part: str) -> bool:
        """Whether the function that a name stands in sets a part of the variable."""
        function = enclosing_function(name)
        return f"{text(name)}.{part}" in (self._outside if function is None else self.settings(function))

    @cached_property
    def _outside(self) -> VariableSettings:
        return all_settings((node for root in self.roots for node in outside_functions(root)), self.references)

    @cached_property
    def references(self) -> References:
        """What functions of the document take by reference."""
        return references(self.roots)

    def _is_changed(self, name: str) -> bool:
        """Whether a function sets a variable, or may, that it does not declare itself."""
        mentions = [(node, enclosing_function(node)) for node in self.mentions(name)]
        own = {inside.id for node, inside in mentions if inside is not None and is_declared(node)}
        return any(
            inside is not None and inside.id not in own and is_set(node, self.references) for node, inside in mentions
        )

    @cached_property
    def functions(self) -> Mapping[str, Node]:
        """The functions that the document defines, by name."""
        defined = (node for root in self.roots for node in functions(root))
        return {name: node for node in defined if (name := _name(node)) is not None}

    def mentions(self, name: str) -> Iterator[Node]:
        """The nodes of a name, anywhere in the text."""
        for match in re.finditer(rb"\b" + re.escape(name.encode()) + rb"\b", self.data):
            for root in self.roots:
                if root.start_byte <= match.start() < root.end_byte:
                    node = root.descendant_for_byte_range(match.start(), match.end())
                    if node is not None and text(node) == name:
                        yield node


def _is_named(enumerator: Node, name: str) -> bool:
    named = enumerator.child_by_field_name("name")
    return named is not None and text(named) == name


def enclosing_function(node: Node) -> Node | None:
    """The definition of the function that a node stands in."""
    inside: Node | None = node
    while inside is not None and inside.type != "function_definition":
        inside = inside.parent
    return inside


def settled(call: Node) -> Iterator[tuple[Node, Node]]:
    """What equals what around a call: `case 32` of a switch, `if (n == 32)`."""
    node = call
    while node.parent is not None and node.type != "function_definition":
        outer = node.parent
        if outer.type == "case_statement" and (value := outer.child_by_field_name("value")) is not None:
            switch = outer.parent.parent if outer.parent is not None else None
            condition = None if switch is None else switch.child_by_field_name("condition")
            if condition is not None and parts(condition):
                yield parts(condition)[0], value
        elif outer.type == "if_statement" and outer.child_by_field_name("consequence") == node:
            condition = outer.child_by_field_name("condition")
            if condition is not None:
                yield from _equations(condition)
        node = outer


def _equations(condition: Node) -> Iterator[tuple[Node, Node]]:
    """The equations that hold where a condition does."""
    operator = condition.child_by_field_name("operator")
    sides = [condition.child_by_field_name(side) for side in ("left", "right")]
    if condition.type in ("condition_clause", "parenthesized_expression") and len(parts(condition)) == 1:
        yield from _equations(parts(condition)[0])
    elif operator is not None and text(operator) == "&&":
        yield from (found for side in sides if side is not None for found in _equations(side))
    elif operator is not None and text(operator) == "==" and sides[0] is not None and sides[1] is not None:
        yield sides[0], sides[1]


# ------------------------------------------------------------------------------------------------------ what is reached


def _reached(use: Node, settings: Sequence[VariableSetting], choices: Choices) -> Node | _Missing | None:
    """What the nearest of the settings of a variable before its use sets it to."""
    node = use
    while (outer := node.parent) is not None and node.type != "function_definition":
        if outer.type in _SEQUENCES:
            found = _last([each for each in parts(outer) if each.end_byte <= node.start_byte], settings, choices)
            if not isinstance(found, _Missing):
                return found
        elif outer.type == "declaration" and (before := [e for e in _in(outer, settings) if e.at < node.start_byte]):
            return before[-1].value
        elif outer.type in (*_LOOPS, "lambda_expression") and _in(outer, settings):
            return None
        node = outer
    return None


def _scope(use: Node, settings: Sequence[VariableSetting]) -> Node:
    """The innermost block that declares a variable with a value in front of a use, else the whole function."""
    node = use
    while (outer := node.parent) is not None and node.type != "function_definition":
        before = (each for each in parts(outer) if each.type == "declaration" and each.end_byte <= node.start_byte)
        if outer.type in _SEQUENCES and any(_in(each, settings) for each in before):
            return outer
        node = outer
    return node


def _in(node: Node, settings: Sequence[VariableSetting]) -> list[VariableSetting]:
    return [each for each in settings if node.start_byte <= each.at < node.end_byte]


def _last(statements: Sequence[Node], settings: Sequence[VariableSetting], choices: Choices) -> Node | _Missing | None:
    """What the last of some statements that sets a variable sets it to."""
    for statement in reversed(statements):
        inside = _in(statement, settings)
        if inside and statement.type not in ("case_statement", "function_definition"):
            found = _set_by(statement, inside, choices)
            if not isinstance(found, _Missing):
                return found
    return _MISSING


def _set_by(statement: Node, inside: Sequence[VariableSetting], choices: Choices) -> Node | _Missing | None:
    match statement.type:
        case "declaration" | "expression_statement":
            return inside[-1].value
        case "compound_statement":
            is_declared = any(each.type == "declaration" and _in(each, inside) for each in parts(statement))
            return _MISSING if is_declared else _last(parts(statement), inside, choices)
        case "if_statement":
            return _set_by_branch(statement, inside, choices)
        case "else_clause":
            return _set_by(parts(statement)[-1], inside, choices) if parts(statement) else _MISSING
        case "switch_statement":
            return _set_by_case(statement, inside, choices)
        case _:
            return None


def _set_by_branch(statement: Node, inside: Sequence[VariableSetting], choices: Choices) -> Node | _Missing | None:
    condition, then, otherwise = (
        statement.child_by_field_name(each) for each in ("condition", "consequence", "alternative")
    )
    if condition is None or then is None or _in(condition, inside):
        return None
    ways = [(branch, holds) for branch, holds in ((then, True), (otherwise, False)) if not leaves(branch)]
    if not ways:
        return _MISSING
    branch, holds = ways[choices.pick(statement.start_byte, len(ways))]
    if len(ways) > 1:
        choices.branches[statement.start_byte] = condition, holds
    within = [] if branch is None else _in(branch, inside)
    return _set_by(branch, within, choices) if branch is not None and within else _MISSING


def _set_by_case(statement: Node, inside: Sequence[VariableSetting], choices: Choices) -> Node | _Missing | None:
    body = statement.child_by_field_name("body")
    cases = [] if body is None else [each for each in parts(body) if each.type == "case_statement"]
    kept = [each for each in cases if not leaves(each)]
    has_default = any(text(each).startswith("default") for each in cases)
    ways: list[Node | None] = [*kept] if has_default and kept else [*kept, None]
    chosen = ways[choices.pick(statement.start_byte, len(ways))]
    return _MISSING if chosen is None else _last(parts(chosen), inside, choices)


def leaves(statement: Node | None) -> bool:
    """Whether a statement certainly leaves the function: a `return`, a `throw`, the end of the program."""
    match None if statement is None else statement.type:
        case "return_statement" | "throw_statement":
            return True
        case "compound_statement" | "else_clause" | "case_statement":
            assert statement is not None
            ends = [each for each in parts(statement) if each.type != "break_statement"]
            return bool(ends) and leaves(ends[-1])
        case "expression_statement":
            assert statement is not None
            call = parts(statement)[0] if parts(statement) else statement
            function = call.child_by_field_name("function")
            return call.type == "throw_expression" or (function is not None and text(function) in _LEAVING_CALLS)
        case _:
            return False


def _name(function: Node) -> str | None:
    declarator = function.child_by_field_name("declarator")
    name = declared_name(declarator) if declarator is not None else None
    return None if name is None else text(name)
