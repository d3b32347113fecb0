"""Contents changed so that what is assumed of them holds.

Owns which element is changed to what. Invariant: where an assumption holds already, nothing is changed; what cannot be
made to hold by changing one element after the other is left as it is. Must not know where contents come from.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Container
from fractions import Fraction

from rewright.model.formula import Assumption, Conjunction, Disjunction, ElementComparison, Formula
from rewright.model.index import Name
from rewright.model.tensor import Tensor, TensorReference
from rewright.replay.elements import Element, SpecialElement
from rewright.replay.formulas import Undefined, element, holds, places, references_in
from rewright.replay.index import IndexDivisionByZero
from rewright.replay.inputs import Excluded, Inputs

_GAPS: dict[str, tuple[int, ...]] = {
    "==": (0,),
    "<=": (0, 1, 3),
    "<": (1, 2),
    ">=": (0, -1, -3),
    ">": (-1, -2),
    "!=": (1, -1),
}
"""How much greater the right side of a comparison may be made than its left side."""


def make_hold(assumption: Assumption, inputs: Inputs, kept: Container[Name], rng: random.Random) -> None:
    """Changes elements of tensors other than those `kept`, where an assumption can so be made to hold."""
    for at in places(assumption, inputs):
        with contextlib.suppress(IndexDivisionByZero, Undefined, Excluded):
            _settle(assumption.body, at, kept, rng)


def _settle(body: Formula, at: Inputs, kept: Container[Name], rng: random.Random) -> None:
    if not isinstance(body, Conjunction) and holds(body, at):
        return
    match body:
        case ElementComparison(operator=operator, left=left, right=right):
            gap = rng.choice(_GAPS[operator])
            if _free(right, left, kept):
                _put(right, element(left, at), gap, at)
            elif _free(left, right, kept):
                _put(left, element(right, at), -gap, at)
        case Conjunction(left=first, right=second):
            _settle(first, at, kept, rng)
            _settle(second, at, kept, rng)
        case Disjunction(left=first, right=second):
            _settle(second, at, kept, rng)
            if not holds(body, at):
                _settle(first, at, kept, rng)
        case _:
            return


def _free(side: Tensor, other: Tensor, kept: Container[Name]) -> bool:
    """Whether a side is an element that may be changed without changing the other side."""
    return (
        isinstance(side, TensorReference)
        and side.name not in kept
        and all(side.name != each.name for each in references_in(other))
    )


def _put(side: Tensor, value: Element, gap: int, at: Inputs) -> None:
    if isinstance(side, TensorReference) and not isinstance(value, SpecialElement):
        array = at.tensors[side.name]
        if gap and isinstance(value, bool):
            value = not value
        elif gap and isinstance(value, int | Fraction):
            value = value + gap
        array.data[tuple(k for group in array.groups for k in at.bound[group])] = value
