"""What a person asks of the order of a loop nest, `skew; tile(32)`, as values.

Owns the words of a schedule. Must not know isl.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct


class Interchange(Struct, frozen=True):
    """Two loops in each other's place."""

    one: str
    other: str


class Reverse(Struct, frozen=True):
    """A loop that runs the other way."""

    loop: str


class Skew(Struct, frozen=True):
    """A loop over the sum of its iterator and so many times that of a loop around it."""

    loop: str
    by: str
    factor: int


class SkewToTile(Struct, frozen=True):
    """Inner loops skewed by those around them until all can be tiled together."""


class TileLoops(Struct, frozen=True):
    """Tiles of loops that stand directly in one another: a size for each, `loops` by name.

    Without names the outermost ones.
    """

    loops: tuple[str, ...]
    sizes: tuple[int, ...]


class TileAll(Struct, frozen=True):
    """Tiles of one size of as many loops as can be tiled together."""

    size: int


class Fuse(Struct, frozen=True):
    """Loops that follow one another as one; `loop` is their name, None for the outermost ones."""

    loop: str | None


class Distribute(Struct, frozen=True):
    """A loop for each part of the body of a loop; None: for each statement one nest of its own."""

    loop: str | None


class Unroll(Struct, frozen=True):
    """So many copies of the body of a loop, and a loop for the rest; None: the innermost loops."""

    loop: str | None
    factor: int


class Best(Struct, frozen=True):
    """The order that isl's scheduler finds, its outermost band in tiles of a size unless that is None."""

    tile: int | None


Step = Interchange | Reverse | Skew | SkewToTile | TileLoops | TileAll | Fuse | Distribute | Unroll | Best

FORMS = (
    "interchange(i, j), reverse(i), skew, skew(j, i), skew(j, i, 2), tile(32), tile(8, 8), tile(i = 8, j = 8), fuse, "
    "fuse(i), distribute, distribute(i), unroll(4), unroll(i, 4), best, best(32)"
)
"""Every form of a step."""

MOST = 4096
"""The largest tile size and factor that is taken."""


class ScheduleError(ValueError):
    """What is asked for cannot be read, or does not fit the nest; the text says why."""


_STEP = re.compile(r"\s*(\w+)\s*(?:\(([^()]*)\))?\s*")


def read_steps(written: str) -> tuple[Step, ...]:
    """The steps of a schedule, separated by `;`. Raises `ScheduleError`.

    >>> read_steps("interchange(i, j); tile(8, 8)")
    (Interchange(one='i', other='j'), TileLoops(loops=(), sizes=(8, 8)))
    """
    steps = tuple(_step(each) for each in written.split(";") if each.strip())
    if not steps:
        raise ScheduleError(f"the schedule is empty; a step is one of {FORMS}")
    for number, each in enumerate(steps):
        if isinstance(each, Unroll) and any(not isinstance(later, Unroll) for later in steps[number:]):
            raise ScheduleError("`unroll` comes last: no other step is taken after it")
        if isinstance(each, Best) and number:
            raise ScheduleError("`best` comes first: it takes no other step before it")
        if number and isinstance(steps[number - 1], Best) and not isinstance(each, Unroll):
            raise ScheduleError("after `best` only `unroll` is taken")
    return steps


def _step(written: str) -> Step:
    found = _STEP.fullmatch(written)
    form = _FORMS.get(found[1]) if found is not None else None
    given = [each.strip() for each in (found[2] or "").split(",") if each.strip()] if found is not None else []
    step = form(given) if form is not None else None
    if step is None:
        raise ScheduleError(f"`{written.strip()}` is no step of a schedule; a step is one of {FORMS}")
    return step


def _interchange(given: list[str]) -> Step | None:
    match given:
        case [one, other] if _is_name(one) and _is_name(other) and one != other:
            return Interchange(one, other)
        case _:
            return None


def _reverse(given: list[str]) -> Step | None:
    match given:
        case [loop] if _is_name(loop):
            return Reverse(loop)
        case _:
            return None


def _skew(given: list[str]) -> Step | None:
    match given:
        case []:
            return SkewToTile()
        case [loop, by, *factor] if _is_name(loop) and _is_name(by) and loop != by and len(factor) < 2:
            times = _number(factor[0], signed=True) if factor else 1
            return Skew(loop, by, times) if times else None
        case _:
            return None


def _tile(given: list[str]) -> Step | None:
    named = [each.partition("=") for each in given]
    sizes = [_number((size if equals else name).strip()) for name, equals, size in named]
    known = tuple(size for size in sizes if size is not None)
    if not given or len(known) < len(given):
        return None
    loops = tuple(name.strip() for name, equals, _ in named if equals)
    if loops:
        return TileLoops(loops, known) if len(loops) == len(given) and all(map(_is_name, loops)) else None
    return TileAll(known[0]) if len(known) == 1 else TileLoops((), known)


def _fuse(given: list[str]) -> Step | None:
    return Fuse(given[0] if given else None) if _is_at_most_a_name(given) else None


def _distribute(given: list[str]) -> Step | None:
    return Distribute(given[0] if given else None) if _is_at_most_a_name(given) else None


def _unroll(given: list[str]) -> Step | None:
    match given:
        case [*loop, factor] if _is_at_most_a_name(loop):
            times = _number(factor)
            return Unroll(loop[0] if loop else None, times) if times is not None and 2 <= times <= 64 else None
        case _:
            return None


def _best(given: list[str]) -> Step | None:
    match given:
        case []:
            return Best(None)
        case [size]:
            tile = _number(size)
            return Best(tile) if tile is not None else None
        case _:
            return None


_FORMS: dict[str, Callable[[list[str]], Step | None]] = {
    "interchange": _interchange,
    "reverse": _reverse,
    "skew": _skew,
    "tile": _tile,
    "fuse": _fuse,
    "distribute": _distribute,
    "unroll": _unroll,
    "best": _best,
}


def _is_name(written: str) -> bool:
    return re.fullmatch(r"[A-Za-z_]\w*", written) is not None


def _is_at_most_a_name(given: list[str]) -> bool:
    return not given or (len(given) == 1 and _is_name(given[0]))


def _number(written: str, *, signed: bool = False) -> int | None:
    if re.fullmatch(r"-?\d{1,4}" if signed else r"\d{1,4}", written) is None:
        return None
    value = int(written)
    return value if signed or 1 <= value <= MOST else None
