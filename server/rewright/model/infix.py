"""Infix expressions as text: with the parentheses that they need, and no more.

Owns how tightly operators bind. Must not know what an expression means.
"""

from __future__ import annotations

from typing import NamedTuple

_LEVELS = (
    ("or",),
    ("and",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "//", "%", "@"),
)

BINDS = {operator: level for level, operators in enumerate(_LEVELS) for operator in operators}
"""How tightly an infix operator binds: as in C."""

PREFIX = len(_LEVELS)
ATOM = PREFIX + 1
LOOSE = -1
"""Binds less tightly than any operator: has parentheses wherever it is an operand."""


class InfixText(NamedTuple):
    """An expression, and how tightly its outermost operator binds."""

    text: str
    binds: int = ATOM

    def within(self, level: int) -> str:
        """As an operand of an operator that binds so tightly."""
        return self.text if self.binds >= level else f"({self.text})"


def joined(left: InfixText, operator: str, right: InfixText, *, regrouped: bool = False) -> InfixText:
    """Two operands of an operator. `regrouped`: `a + (b + c)` may be written as `a + b + c`."""
    level = BINDS[operator]
    return InfixText(f"{left.within(level)} {operator} {right.within(level if regrouped else level + 1)}", level)
