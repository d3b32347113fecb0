"""A kernel's counterexample in a panel: the launch, and what its threads do between two barriers as a timeline.

Must not know how a counterexample was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby

from rewright.report.document import Located, Result
from rewright.report.kernel_markdown import DOES, thread
from rewright.report.panel.shown import PanelEvent, PanelInput, PanelTurn, Timeline
from rewright.syntax.text import Text
from rewright.verdict import KernelWitness

MOST_TURNS = 40
"""Turns that are shown, the last ones."""


def inputs(witness: KernelWitness) -> Iterator[PanelInput]:
    """The launch, then the values of sizes and parameters."""
    yield PanelInput("grid", "×".join(map(str, witness.grid)), None)
    yield PanelInput("block", "×".join(map(str, witness.block)), None)
    for name, said in witness.values:
        yield PanelInput(name, f"{said}, which is not stated" if name in witness.unstated else said, None)


def timeline(witness: KernelWitness, result: Result, texts: Mapping[str, Text]) -> Timeline | None:
    """The interval in which the kernel fails, None if nothing is known to happen in it."""
    if not witness.moments:
        return None
    turns = tuple(_turns(witness, result, texts))
    number = witness.interval or 0
    opened = f"barrier {number}" if result.opened else "start of the kernel" if number == 0 else f"barrier {number}"
    where = f", {line(result.opened, texts)}" if result.opened else ""
    collide = sum(each.collides for turn in turns for each in turn.events) > 1
    ending = "no barrier between the marked accesses" if collide else ""
    threads = tuple(thread(witness, number) for number in range(len(witness.threads)))
    return Timeline(
        threads, f"{opened}{where}", result.opened, turns[-MOST_TURNS:], max(len(turns) - MOST_TURNS, 0), ending
    )


def _turns(witness: KernelWitness, result: Result, texts: Mapping[str, Text]) -> Iterator[PanelTurn]:
    pairs = zip(witness.moments, result.moments, strict=True)
    for _, together in groupby(pairs, key=lambda pair: (pair[0].turn, pair[0].place, pair[0].kind)):
        listed = list(together)
        events = tuple(
            PanelEvent(moment.thread, f"{DOES[moment.kind]} {moment.element}", moment.collides) for moment, _ in listed
        )
        at = listed[0][1]
        yield PanelTurn(line(at, texts), _source(at, texts), at, events)


def line(at: Located, texts: Mapping[str, Text]) -> str:
    """`line 12`, counted from 1; empty for a text that is not known."""
    text = texts.get(at.path)
    return "" if text is None else f"line {text.position(at.span.start).line + 1}"


def _source(at: Located, texts: Mapping[str, Text]) -> str:
    """The line of the text at a place."""
    text = texts.get(at.path)
    if text is None:
        return ""
    start = text.data.rfind(b"\n", 0, at.span.start) + 1
    end = text.data.find(b"\n", at.span.start)
    return text.data[start : end if end >= 0 else None].decode(errors="replace").strip()
