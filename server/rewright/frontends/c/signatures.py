"""Right sides of assignments in C: what they read, and the rest as a signature.

Invariant: two right sides have one signature exactly if they are the same function of what they read, as it is written,
in C or in our own syntax. Source: PolyCheck, section 4. Must not know what an element or a number is to its reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct, field
from tree_sitter import Node

from rewright.frontends.c.integers import shown
from rewright.frontends.c.refusal import NotAffine
from rewright.frontends.c.tree import field as part_of
from rewright.frontends.c.tree import operator, parts, text, unwrapped

Read = TypeVar("Read")

_WORDS = {"&&": " and ", "||": " or ", "!": "not "}
"""Operators that our own syntax writes as words."""


class RightSide(Struct, Generic[Read]):
    """A right side while its reads are collected: plain numbers by `number`, elements by `element`.

    `type_of` says what distinguishes a plain number from an `int`, `share` which functions use what variable besides
    their arguments. The reads whose numbers are in `perhaps` happen only under a condition.
    """

    is_number: Callable[[str], bool]
    number: Callable[[Node], Read]
    element: Callable[[Node], Read]
    type_of: Callable[[str], str]
    share: Mapping[str, str]
    reads: list[Read] = field(default_factory=list)
    perhaps: set[int] = field(default_factory=set)
    conditions: int = 0

    def text(self, written: Node) -> str:
        """The signature of an expression. Raises `NotAffine`."""
        node = unwrapped(written)
        match node.type:
            case "number_literal" | "char_literal" | "true" | "false":
                return text(node)
            case "identifier" if self.is_number(text(node)):
                kind = self.type_of(text(node))
                return f"({kind}){self._read(self.number(node))}" if kind else self._read(self.number(node))
            case "identifier" | "subscript_expression":
                return self._read(self.element(node))
            case "unary_expression":
                sign = operator(node)
                return f"({_WORDS.get(sign, sign)}{self.text(part_of(node, 'argument'))})"
            case "binary_expression":
                sign = operator(node)
                read = self._perhaps if sign in ("&&", "||") else self.text
                left, right = self.text(part_of(node, "left")), read(part_of(node, "right"))
                return f"({left}{_WORDS.get(sign, sign)}{right})"
            case "conditional_expression":
                condition = self.text(part_of(node, "condition"))
                chosen = (self._perhaps(part_of(node, each)) for each in ("consequence", "alternative"))
                return "({}?{}:{})".format(condition, *chosen)
            case "cast_expression":
                to = " ".join(text(part_of(node, "type")).split())
                return f"(({to}){self.text(part_of(node, 'value'))})"
            case "call_expression" if part_of(node, "function").type == "identifier":
                called = text(part_of(node, "function"))
                if called in self.share:
                    raise NotAffine(f"`{called}` uses `{self.share[called]}`, which is no argument of it", node)
                given = ",".join(map(self.text, parts(part_of(node, "arguments"))))
                return f"{called}({given})"
            case "assignment_expression" | "update_expression":
                raise NotAffine("an assignment inside of an expression is not taken", node)
            case "pointer_expression" | "field_expression":
                raise NotAffine(f"`{shown(node)}` is no element of an array: pointers are not followed", node)
            case _:
                raise NotAffine(f"`{shown(node)}` is not taken", node)

    def _perhaps(self, written: Node) -> str:
        self.conditions += 1
        found = self.text(written)
        self.conditions -= 1
        return found

    def _read(self, found: Read) -> str:
        if self.conditions:
            self.perhaps.add(len(self.reads))
        self.reads.append(found)
        return f"#{len(self.reads) - 1}"
