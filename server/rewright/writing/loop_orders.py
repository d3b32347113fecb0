"""Which other orders are offered of a loop nest: what its shape has a use for. Must not know whether one is legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from rewright.model.nest import Nest, NestGuard, NestItem, NestLoop, NestStatement, loops_of, statements


class LoopOrder(Struct, frozen=True):
    """An order by its title and its steps."""

    title: str
    schedule: str


TILE = 32
COPIES = 4


def loop_orders(nest: Nest) -> tuple[LoopOrder, ...]:
    """The orders that are offered."""
    return tuple(_orders(nest))


def _orders(nest: Nest) -> Iterator[LoopOrder]:
    pairs = list(dict.fromkeys(_nested(nest.body)))
    if pairs:
        yield LoopOrder(f"Tiled by {TILE}", f"tile({TILE})")
        yield LoopOrder("Skewed so that it can be tiled", "skew")
        yield LoopOrder(f"Skewed, and tiled by {TILE}", f"skew; tile({TILE})")
    for one, other in pairs:
        yield LoopOrder(f"Loops `{one}` and `{other}` interchanged", f"interchange({one}, {other})")
    if next(loops_of(nest.body), None) is not None:
        yield LoopOrder(f"Innermost loops unrolled by {COPIES}", f"unroll({COPIES})")
        if len(list(statements(nest.body))) > 1:
            yield LoopOrder("Each statement in loops of its own", "distribute")
        if any(isinstance(one, NestLoop) and isinstance(other, NestLoop) for one, other in pairwise(nest.body)):
            yield LoopOrder("Loops that follow one another fused", "fuse")
        yield LoopOrder("The order that isl's scheduler finds", "best")


def _nested(body: tuple[NestItem, ...]) -> Iterator[tuple[str, str]]:
    """The loops that stand directly in one another."""
    for item in body:
        match item:
            case NestLoop(iterator=outer, body=(NestLoop(iterator=inner),)):
                yield str(outer), str(inner)
                yield from _nested(item.body)
            case NestLoop(body=inside):
                yield from _nested(inside)
            case NestGuard(then=then, otherwise=otherwise):
                yield from _nested(then)
                yield from _nested(otherwise)
            case NestStatement():
                pass
