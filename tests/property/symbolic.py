"""The symbolic semantics of one side of a rule on one concrete input: is it valid, its shape, each of its elements.

Must not know where the input comes from, nor the replay's evaluation that this is compared with.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from term_values import World, value

from rewright.equality import EVERYWHERE, Fact
from rewright.meaning.forms import Entry, Meaning
from rewright.model.index import Name
from rewright.replay.elements import UNDEFINED, Element
from rewright.replay.enclosures import Enclosure
from rewright.replay.inputs import Inputs

Classes = Mapping[Name, str | None]


def holds(fact: Fact, world: World) -> bool:
    """Whether a fact holds on every axis of its rank class."""
    home, truth = fact
    if home == EVERYWHERE:
        return bool(value(truth, world))
    return all(value(truth, world.on(home, axis)) for axis in range(world.rank(home)))


def shape(meaning: Meaning, groups: Sequence[Name], classes: Classes, world: World) -> tuple[int, ...]:
    """The sizes on all axes of the groups."""
    return tuple(
        value(meaning.shape[group], world.on(classes[group], axis))
        for group in groups
        for axis in range(world.inputs.ranks[group])
    )


def element(entry: Entry, world: World) -> Element:
    """The element at the world's index."""
    found: Element = value(entry.value, world) if value(entry.defined, world) else UNDEFINED
    return found


def at(groups: Sequence[Name], position: tuple[int, ...], inputs: Inputs) -> World:
    """The world whose index is this position of a tensor over the groups."""
    remaining = iter(position)
    return World(inputs, {group: tuple(next(remaining) for _ in range(inputs.ranks[group])) for group in groups})


def same(left: Element, right: Element) -> bool:
    """Whether two elements are the same; a number that has no exact value is near the other."""
    if any(isinstance(number, Enclosure | float) for number in (left, right)):
        one, other = _near(left), _near(right)
        return one is not None and other is not None and (one == other or math.isclose(one, other, abs_tol=1e-12))
    return left is right if left is UNDEFINED or right is UNDEFINED else left == right


def _near(number: Element) -> float | None:
    match number:
        case Enclosure(low, high):
            return float((low + high) / 2)
        case bool() | str():
            return None
        case _ if number is UNDEFINED:
            return None
        case _:
            return float(number)  # type: ignore[arg-type]
