"""A launch as it is shown to a reader: `<<<(n + 255) / 256, 256>>>`, with no more parentheses than C needs.

Reads expressions as `host_expressions` writes them, each operation in parentheses; what it cannot read stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_TOKEN = re.compile(r"\w+(?:\.\w+)*|<<|>>|<=|>=|==|!=|[-+*/%&|^<>(),]")
_SUM_LESS = re.compile(r"(\w.*) \+ ([0-9]+)")
_TIGHTNESS = (
    ("or",),
    ("and",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_BINDS = {operator: level for level, operators in enumerate(_TIGHTNESS) for operator in operators}
_ATOM = len(_TIGHTNESS)

_Shown = tuple[str, int]
"""An expression, and how tightly its outermost operator binds."""


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
        (text, _), rest = _expression(tokens)
    except (IndexError, ValueError):
        return written
    return written if rest else text


def _expression(tokens: list[str]) -> tuple[_Shown, list[str]]:
    """An operand, or two with an operator between them, and what follows."""
    left, rest = _operand(tokens)
    while rest and rest[0] in _BINDS:
        right, after = _operand(rest[1:])
        left, rest = _joined(left, rest[0], right), after
    return left, rest


def _operand(tokens: list[str]) -> tuple[_Shown, list[str]]:
    if tokens[0] == "(":
        inside, rest = _expression(tokens[1:])
        return inside, _after(rest, ")")
    if tokens[0] == "-":
        inner, rest = _operand(tokens[1:])
        return (f"-{_within(inner, _ATOM)}", _ATOM - 1), rest
    if tokens[1:2] == ["("]:
        given, rest = _expression(tokens[2:])
        listed = [given[0]]
        while rest[0] == ",":
            given, rest = _expression(rest[1:])
            listed.append(given[0])
        return (f"{tokens[0]}({', '.join(listed)})", _ATOM), _after(rest, ")")
    if not re.match(r"\w", tokens[0]):
        raise ValueError(tokens[0])
    return (tokens[0], _ATOM), tokens[1:]


def _after(tokens: list[str], expected: str) -> list[str]:
    if tokens[0] != expected:
        raise ValueError(tokens[0])
    return tokens[1:]


def _joined(left: _Shown, operator: str, right: _Shown) -> _Shown:
    level = _BINDS[operator]
    if operator == "-" and right[0].isdigit() and left[1] == level and (added := _SUM_LESS.fullmatch(left[0])):
        rest = int(added[2]) - int(right[0])
        if rest >= 0:
            return (f"{added[1]} + {rest}", level) if rest else (added[1], level)
    return f"{_within(left, level)} {operator} {_within(right, level + 1)}", level


def _within(inner: _Shown, level: int) -> str:
    """An operand of an operator that binds so tightly."""
    return inner[0] if inner[1] >= level else f"({inner[0]})"
