"""A launch as it is shown to a reader: `<<<(n + 255) / 256, 256>>>`, with no more parentheses than C needs.

Reads expressions as `host_expressions` writes them, each operation in parentheses; what it cannot read stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rewright.model.infix import ATOM, BINDS, InfixText, joined

_TOKEN = re.compile(r"\w+(?:\.\w+)*|<<|>>|<=|>=|==|!=|[-+*/%&|^<>(),]")
_SUM_LESS = re.compile(r"(\w.*) \+ ([0-9]+)")


def launch_shown(grid: Sequence[str], block: Sequence[str], shared: str | None) -> str:
    """The launch with these sizes along its axes, and dynamic shared memory if there is any."""
    parts = [_triple(grid), _triple(block), *([] if shared in (None, "0") else [shown(str(shared))])]
    return f"<<<{', '.join(parts)}>>>"


def _triple(sizes: Sequence[str]) -> str:
    listed = ", ".join(map(shown, sizes))
    return listed if len(sizes) == 1 else f"({listed})"


def shown(written: str) -> str:
    """An expression of our syntax with the parentheses that it needs; `n + 255` for `(n + 256) - 1`."""
    tokens = _TOKEN.findall(written)
    if "".join(tokens) != "".join(written.split()):
        return written
    try:
        found, rest = _expression(tokens)
    except (IndexError, ValueError):
        return written
    return written if rest else found.text


def _expression(tokens: list[str]) -> tuple[InfixText, list[str]]:
    """An operand, or two with an operator between them, and what follows."""
    left, rest = _operand(tokens)
    while rest and rest[0] in BINDS:
        right, after = _operand(rest[1:])
        left, rest = _joined(left, rest[0], right), after
    return left, rest


def _operand(tokens: list[str]) -> tuple[InfixText, list[str]]:
    if tokens[0] == "(":
        inside, rest = _expression(tokens[1:])
        return inside, _after(rest, ")")
    if tokens[0] == "-":
        inner, rest = _operand(tokens[1:])
        return InfixText(f"-{inner.within(ATOM)}", BINDS["*"]), rest
    if tokens[1:2] == ["("]:
        given, rest = _expression(tokens[2:])
        listed = [given.text]
        while rest[0] == ",":
            given, rest = _expression(rest[1:])
            listed.append(given.text)
        return InfixText(f"{tokens[0]}({', '.join(listed)})"), _after(rest, ")")
    if not re.match(r"\w", tokens[0]):
        raise ValueError(tokens[0])
    return InfixText(tokens[0]), tokens[1:]


def _after(tokens: list[str], expected: str) -> list[str]:
    if tokens[0] != expected:
        raise ValueError(tokens[0])
    return tokens[1:]


def _joined(left: InfixText, operator: str, right: InfixText) -> InfixText:
    level = BINDS[operator]
    if operator == "-" and right.text.isdigit() and left.binds == level and (added := _SUM_LESS.fullmatch(left.text)):
        rest = int(added[2]) - int(right.text)
        if rest >= 0:
            return InfixText(f"{added[1]} + {rest}" if rest else added[1], level)
    return joined(left, operator, right)
