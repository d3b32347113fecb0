"""A kernel's counterexample in a hover: the launch, and a picture of the barrier interval in which it fails.

The picture shows what the threads in question accessed, time downwards, one column per thread. Must not know how a
counterexample was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rewright.report.document import Located, Result
from rewright.report.tables import code, table
from rewright.syntax.text import Text
from rewright.verdict import KernelWitness, Moment

MOST_ROWS = 8
"""Moments that are shown, the last ones."""

DOES = {"read": "reads", "write": "writes", "atomic": "changes", "atomic in the block": "changes"}


def kernel_witness(witness: KernelWitness, result: Result, texts: Mapping[str, Text]) -> Iterator[str]:
    """The counterexample as Markdown: what was launched, and the interval as a table."""
    rows = [(name, _value(witness, name, value)) for name, value in witness.values]
    rows.append(("grid", code(_sizes(witness.grid))))
    rows.append(("block", code(_sizes(witness.block))))
    rows += [("thread", thread(witness, number)) for number in range(len(witness.threads))]
    if witness.array is not None:
        rows.append(("address", code(f"{witness.array}[{', '.join(map(str, witness.address))}]")))
    if witness.interval is not None:
        rows.append(("barriers passed", str(witness.interval)))
    replayed = ", replayed by running its threads' schedule" if witness.replayed else ""
    yield f"**Counterexample** ({witness.fails}){replayed}"
    yield table(("what", "value"), rows)
    if witness.moments:
        yield _interval(witness, result, texts)


def _value(witness: KernelWitness, name: str, value: str) -> str:
    return f"{code(value)}, which is not stated" if name in witness.unstated else code(value)


def _interval(witness: KernelWitness, result: Result, texts: Mapping[str, Text]) -> str:
    began = f", which begins at the barrier in {_line(result.opened, texts)}" if result.opened else ""
    head = f"**Barrier interval {witness.interval}**{began}; earlier events stand above"
    columns = ("", *(thread(witness, number) for number in range(len(witness.threads))))
    rows = list(_rows(witness, result.moments, texts))
    left_out = [("…", *("" for _ in witness.threads))] if len(rows) > MOST_ROWS else []
    return f"{head}\n\n{table(columns, [*left_out, *rows[-MOST_ROWS:]])}"


def _rows(witness: KernelWitness, places: Sequence[Located], texts: Mapping[str, Text]) -> Iterator[tuple[str, ...]]:
    """What happened together, row by row: where, and for each thread what it did."""
    pairs = zip(witness.moments, places, strict=True)
    for _, together in groupby(pairs, key=lambda pair: (pair[0].turn, pair[0].place, pair[0].kind)):
        listed = list(together)
        cells = [""] * len(witness.threads)
        for moment, _ in listed:
            cells[moment.thread] = _cell(moment)
        yield (_line(listed[0][1], texts), *cells)


def _cell(moment: Moment) -> str:
    step = f"{DOES[moment.kind]} {code(moment.element)}"
    return f"**→ {step}**" if moment.collides else step


def _line(at: Located, texts: Mapping[str, Text]) -> str:
    text = texts.get(at.path)
    return "" if text is None else f"line {text.position(at.span.start).line + 1}"


def thread(witness: KernelWitness, number: int) -> str:
    """`thread 3 of block 1`, with the passes of its loops."""
    found = witness.threads[number]
    block = f" of block {_index(found.block)}" if witness.grid != (1,) else ""
    passes = witness.iterations[number] if number < len(witness.iterations) else ()
    words = "passes" if len(passes) > 1 else "pass"
    looping = f" ({words} {', '.join(map(str, passes))})" if passes else ""
    return f"thread {_index(found.thread)}{block}{looping}"


def _index(index: tuple[int, ...]) -> str:
    return str(index[0]) if len(index) == 1 else f"({', '.join(map(str, index))})"


def _sizes(sizes: tuple[int, ...]) -> str:
    return "×".join(map(str, sizes))
