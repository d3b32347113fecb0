"""Other bounds of a loop, and loops for the rest of one, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from rewright.fixes.loops.texts import ReadLoops
from rewright.syntax import nodes
from rewright.syntax.text import Span

_SUM = re.compile(r"(.*\S)\s*([-+])\s*(\d+)", re.DOTALL)


class BoundChange(Struct, frozen=True):
    """Another text of a bound or of a part of it; `is_wrapped` if the least, or greatest, with another is taken."""

    span: Span
    made: str
    is_low: bool
    is_wrapped: bool


def added(text: str, number: int) -> str:
    """An expression and a number more; `i - 1` and 1 more is `i`."""
    if re.fullmatch(r"-?\d+", text):
        return str(int(text) + number)
    found = _SUM.fullmatch(text)
    if found is not None and found[1].count("(") == found[1].count(")"):
        number += int(found[3]) if found[2] == "+" else -int(found[3])
        text = found[1]
    if number == 0:
        return text
    return f"{text} + {number}" if number > 0 else f"{text} - {-number}"


def bound_changes(asked: ReadLoops, head: nodes.ForHead, written: nodes.Range) -> Iterator[BoundChange]:
    """Bounds by one, by a tile, and by the bounds of the loop nest that is transformed."""
    for bound, is_low in ((written.high, False), (written.low, True)):
        for part in _parts(bound):
            text = asked.text.slice(part.span)
            for step in (1, -1):
                yield BoundChange(part.span, added(text, step), is_low, is_wrapped=False)
            for made in _by_tile(asked, part):
                yield BoundChange(part.span, made, is_low, is_wrapped=False)
        text = asked.text.slice(bound.span)
        for other in _bounds_of(asked, head, is_low):
            if other != text:
                yield BoundChange(bound.span, other, is_low, is_wrapped=False)
                which = "max" if is_low else "min"
                yield BoundChange(bound.span, f"{which}({text}, {other})", is_low, is_wrapped=True)


def _parts(bound: nodes.Expression) -> Iterator[nodes.Expression]:
    match bound:
        case nodes.Call(arguments=arguments):
            for each in arguments:
                if isinstance(each, nodes.Positional):
                    yield from _parts(each.value)
        case _:
            yield bound


def _by_tile(asked: ReadLoops, part: nodes.Expression) -> Iterator[str]:
    """`ii + 31` as `ii + 32`, if `ii` runs by 32."""
    match part:
        case nodes.Binary(left=nodes.Name(text=name), operator="+", right=right):
            for head in _heads(asked.node.items):
                match head:
                    case nodes.ForHead(name=nodes.Name(text=outer), range=nodes.Range(step=step)) if step is not None:
                        size = asked.text.slice(step.span)
                        if outer == name and size != asked.text.slice(right.span):
                            yield f"{name} + {size}"
                    case _:
                        pass
        case _:
            pass


def _bounds_of(asked: ReadLoops, head: nodes.ForHead, is_low: bool) -> Iterator[str]:
    """The bounds of the loops that are transformed: of the one with the same iterator first."""
    found: list[tuple[bool, str]] = []
    for each in _heads(asked.root.items):
        match each:
            case nodes.ForHead(name=nodes.Name(text=name), range=nodes.Range(low=low, high=high)):
                same = head.name is not None and name == head.name.text
                found.append((not same, asked.root_text.slice((low if is_low else high).span)))
            case _:
                pass
    yield from dict.fromkeys(text for _, text in sorted(found, key=lambda each: each[0]))


def _heads(items: tuple[nodes.LoopsItem | nodes.Statement, ...]) -> Iterator[nodes.ForHead]:
    for each in items:
        match each:
            case nodes.For(heads=heads, body=block):
                yield from heads
                yield from _heads(block.statements)
            case nodes.If(then=then, otherwise=otherwise):
                yield from _heads(then.statements)
                if isinstance(otherwise, nodes.Block):
                    yield from _heads(otherwise.statements)
                elif otherwise is not None:
                    yield from _heads((otherwise,))
            case _:
                pass


def rests(asked: ReadLoops, loop: nodes.For) -> Iterator[str]:
    """Loops for what is left behind one that runs in steps, or in whole tiles, each to stand after it."""
    text = asked.text.text.encode()[: loop.span.start].rpartition(b"\n")[2].decode()
    before = f"\n{text}" if not text.strip() else "; "
    for size in _sizes(asked, loop):
        for each in _nests(asked.root.items):
            for name, high, inner, body in _unnested(asked, each):
                yield f"{before}for {name} in {_whole(high, size)}..{high}{inner} {{ {body} }}"
                if len(loop.heads) > 1 or not loop.heads:
                    continue
                own = "; ".join(asked.text.slice(one.span) for one in loop.body.statements[:1])
                if loop.heads[0].name is not None and loop.heads[0].name.text == name:
                    yield f"{before}for {name} in {_whole(high, size)}..{high} {{ {own} }}"


def _whole(high: str, size: str) -> str:
    return f"{high} / {size} * {size}" if re.fullmatch(r"\w+", high) else f"({high}) / {size} * {size}"


def _sizes(asked: ReadLoops, loop: nodes.For) -> Iterator[str]:
    """The steps and the divisors of a loop, by which it leaves a rest."""
    found: dict[str, None] = {}
    for head in loop.heads:
        match head.range:
            case nodes.Range(high=high, step=step):
                if step is not None:
                    found[asked.text.slice(step.span)] = None
                divided = re.search(r"/\s*(\w+)", asked.text.slice(high.span))
                if divided is not None:
                    found[divided[1]] = None
            case _:
                pass
    yield from (each for each in found if not each.startswith("-"))


def _nests(items: tuple[nodes.LoopsItem | nodes.Statement, ...]) -> Iterator[nodes.For]:
    for each in items:
        if isinstance(each, nodes.For):
            yield each
            yield from _nests(each.body.statements)


def _unnested(asked: ReadLoops, loop: nodes.For) -> Iterator[tuple[str, str, str, str]]:
    """Each loop of a `for` whose start is 0: its iterator, its end, the loops in it, and its body."""
    body = "; ".join(asked.root_text.slice(each.span) for each in loop.body.statements)
    for place, head in enumerate(loop.heads):
        match head:
            case nodes.ForHead(name=nodes.Name(text=name), range=nodes.Range(low=low, high=high, step=None)):
                if asked.root_text.slice(low.span) == "0":
                    inner = "".join(f", {asked.root_text.slice(each.span)}" for each in loop.heads[place + 1 :])
                    yield name, asked.root_text.slice(high.span), inner, body
            case _:
                pass
