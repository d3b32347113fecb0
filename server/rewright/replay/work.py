"""How much this process has evaluated, counted: the same on every machine, however busy it is.

Owns what an evaluation counts for. A step is about a microsecond of a machine of 2026 that does nothing else.
"""

from __future__ import annotations

VALUE = 25
"""A value that is computed; an element of it, or a factor of a sum of products, counts for less than a step."""

ELEMENTS = 2
"""So many elements count for a step."""

_evaluated = 0


def count(elements: int) -> None:
    """Counts a value of so many elements, or made of so many."""
    global _evaluated
    _evaluated += VALUE + elements // ELEMENTS


def evaluated() -> int:
    """How many steps this process has evaluated."""
    return _evaluated


class EvaluationLimit:
    """So many steps from now on."""

    def __init__(self, steps: int) -> None:
        self._until = _evaluated + steps

    @property
    def over(self) -> bool:
        """Whether they are used up."""
        return _evaluated >= self._until
