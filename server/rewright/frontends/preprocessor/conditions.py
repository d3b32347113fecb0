"""Conditions of `#if`: integer constant expressions over tokens whose macros are expanded.

64-bit arithmetic that wraps, unsigned where an operand is (C++17 [cpp.cond]); names are 0, `true` is 1. Must not know
where the condition stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from rewright.frontends.preprocessor.literals import code_of, whole
from rewright.frontends.preprocessor.tokens import CHARACTER, NAME, NUMBER, Token
from rewright.model.simt.constants import NoValue, binary, limits, wrapped
from rewright.model.simt.types import BinaryOperator, Scalar

_INTEGER = re.compile(rb"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLzZ]*)")
_LEVELS = {
    b"||": 1, b"&&": 2, b"|": 3, b"^": 4, b"&": 5, b"==": 6, b"!=": 6, b"<": 7, b">": 7, b"<=": 7, b">=": 7,
    b"<<": 8, b">>": 8, b"+": 9, b"-": 9, b"*": 10, b"/": 10, b"%": 10,
}  # fmt: skip
_WORDS = {b"and": b"&&", b"or": b"||", b"not": b"!", b"bitand": b"&", b"bitor": b"|", b"xor": b"^", b"compl": b"~"}

_MOST_DEPTH = 80
"""Parentheses and operators inside each other; each costs Python several frames."""


class WideInteger(NamedTuple):
    """An integer of 64 bits."""

    number: int
    unsigned: bool = False


class Ill(Exception):
    """Why the tokens are no condition; never leaves this module."""


def condition(line: list[Token]) -> bool | str:
    """Whether the condition holds, or why it has no value."""
    reader = _Reader(line)
    try:
        value = reader.comma()
        if reader.at < len(line):
            return f"`{reader.shown()}` is not expected here"
    except Ill as ill:
        return str(ill)
    return value.number != 0


class _Reader(Struct):
    """Reads by precedence. `idle` counts operands around whose value does not matter: they may divide by zero."""

    line: list[Token]
    at: int = 0
    idle: int = 0
    depth: int = 0

    def shown(self) -> str:
        return self.line[self.at].text.decode(errors="replace")

    def comma(self) -> WideInteger:
        value = self.choice()
        while self._take(b","):
            value = self.choice()
        return value

    def choice(self) -> WideInteger:
        self.depth += 1
        if self.depth > _MOST_DEPTH:
            raise Ill("the condition is nested too deeply")
        value = self._binary(1)
        if self._take(b"?"):
            on_true = self._branch(value.number != 0, self.comma)
            if not self._take(b":"):
                raise Ill("`:` is missing after `?`")
            on_false = self._branch(value.number == 0, self.choice)
            chosen = on_true if value.number else on_false
            value = _wrapped(chosen.number, on_true.unsigned or on_false.unsigned)
        self.depth -= 1
        return value

    def _branch(self, taken: bool, read: Callable[[], WideInteger]) -> WideInteger:
        self.idle += not taken
        value = read()
        self.idle -= not taken
        return value

    def _binary(self, level: int) -> WideInteger:
        left = self._unary()
        while self.at < len(self.line):
            operator = _WORDS.get(self.line[self.at].text, self.line[self.at].text)
            here = _LEVELS.get(operator, 0)
            if here < level:
                break
            self.at += 1
            decides = (operator == b"&&" and not left.number) or (operator == b"||" and left.number != 0)
            self.idle += decides
            right = self._binary(here + 1)
            self.idle -= decides
            left = self._combined(operator, left, right)
        return left

    def _unary(self) -> WideInteger:
        signs: list[bytes] = []
        while self.at < len(self.line) and (sign := _WORDS.get(t := self.line[self.at].text, t)) in b"+-!~" and sign:
            signs.append(sign)
            self.at += 1
        value = self._operand()
        for sign in reversed(signs):
            match sign:
                case b"-":
                    value = _wrapped(-value.number, value.unsigned)
                case b"~":
                    value = _wrapped(~value.number, value.unsigned)
                case b"!":
                    value = WideInteger(int(not value.number))
        return value

    def _operand(self) -> WideInteger:
        if self.at >= len(self.line):
            raise Ill("an operand is missing at the end of the condition")
        token = self.line[self.at]
        self.at += 1
        if token.text == b"(":
            value = self.comma()
            if not self._take(b")"):
                raise Ill("`)` is missing")
            return value
        if token.kind == NUMBER:
            return _literal(token.text)
        if token.kind == CHARACTER:
            return _character(token.text)
        if token.kind == NAME:
            return WideInteger(int(token.text == b"true"))
        raise Ill(f"`{token.text.decode(errors='replace')}` is not an operand of a condition")

    def _take(self, text: bytes) -> bool:
        found = self.at < len(self.line) and self.line[self.at].text == text
        self.at += found
        return found

    def _combined(self, operator: bytes, left: WideInteger, right: WideInteger) -> WideInteger:
        unsigned = left.unsigned or right.unsigned
        if operator in (b"||", b"&&"):
            truths = (left.number != 0, right.number != 0)
            return WideInteger(int(any(truths) if operator == b"||" else all(truths)))
        if operator in (b"<<", b">>"):
            return _shifted(left, right, 1 if operator == b"<<" else -1)
        of, scalar = BinaryOperator(operator.decode()), _scalar(unsigned)
        sides = wrapped(left.number, scalar), wrapped(right.number, scalar)
        try:
            found = int(binary(of, *sides, scalar))
        except NoValue:
            if not self.idle:
                raise Ill("division by zero in a condition") from None
            found = 0
        return WideInteger(found, unsigned and not of.is_comparison)


def _shifted(left: WideInteger, count: WideInteger, direction: int) -> WideInteger:
    """The left operand shifted to the left (1) or right (-1); a negative count shifts the other way."""
    steps = max(-64, min(64, direction * count.number))
    return _wrapped(left.number << steps if steps >= 0 else left.number >> -steps, left.unsigned)


def _scalar(unsigned: bool) -> Scalar:
    return Scalar.U64 if unsigned else Scalar.S64


def _wrapped(number: int, unsigned: bool) -> WideInteger:
    return WideInteger(wrapped(number, _scalar(unsigned)), unsigned)


def _literal(text: bytes) -> WideInteger:
    match = _INTEGER.fullmatch(text.replace(b"'", b""))
    if match is None:
        raise Ill(f"`{text.decode(errors='replace')}` is not an integer")
    number = whole(match[1].decode())
    if number is None:
        raise Ill(f"`{text.decode(errors='replace')}` is not an integer")
    return _wrapped(number, b"u" in match[2].lower() or number > limits(Scalar.S64)[1])


def _character(text: bytes) -> WideInteger:
    inner = text[text.index(b"'") + 1 :].removesuffix(b"'")
    if not inner:
        raise Ill("a character is missing between the quotes")
    code = code_of(inner.decode("latin-1"))
    return WideInteger(int.from_bytes(inner[-4:], "big") if code is None else code)
