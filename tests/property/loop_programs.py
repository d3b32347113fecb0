"""Random loop nests and reorderings of them, right and wrong, as `.rw` text and as a Python function.

Owns the drawing and both renderings. The Python function replaces each right side by a hash of its label and of what it
reads: equal final arrays at every size is the truth about a reordering, found without any of the product's code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random


@dataclass(frozen=True)
class LoopHead:
    """`for name in low..high step step`; bounds are texts that both languages read alike."""

    name: str
    low: str
    high: str
    step: int = 1


@dataclass(frozen=True)
class Store:
    """`label: A[w] = A[r] + …`; subscripts are texts."""

    label: str
    writes: tuple[str, ...]
    reads: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Piece:
    """A nest of loops around statements, with a guard for each statement (empty for none)."""

    loops: tuple[LoopHead, ...]
    stores: tuple[tuple[str, Store], ...]


Program = tuple[Piece, ...]


def drawn(random: Random) -> Program:
    """A specification: one or two nests of one to four loops, with one to three statements, some of them guarded."""
    pieces: list[Piece] = []
    label = 0
    for _ in range(random.choice((1, 1, 2))):
        names: list[str] = []
        heads = []
        for name in "ijkl"[: random.choice((1, 2, 2, 3, 3, 4))]:
            low = random.choice(["0", "0", "1", *names])
            high = random.choice(["N", "N", "N - 1", *(f"{each} + 1" for each in names)])
            heads.append(LoopHead(name, low, high, random.choice((1, 1, 1, 2))))
            names.append(name)
        stores = []
        for _ in range(random.choice((1, 1, 2)) if pieces else random.choice((1, 1, 2, 2, 3))):
            if label == 3:
                break
            label += 1
            guard = random.choice(_conditions(random, names)) if random.random() < 0.15 else ""
            stores.append((guard, _store(random, f"S{label}", names)))
        if not stores:
            break
        pieces.append(Piece(tuple(heads), tuple(stores)))
    return tuple(pieces)


def _conditions(random: Random, names: list[str]) -> tuple[str, ...]:
    name, other = random.choice(names), random.choice(names)
    return f"{name} >= 1", f"{name} != 3", f"{name} < N or {name} > 2", f"{name} <= {other}", f"{name} + {other} < N"


def _store(random: Random, label: str, names: list[str]) -> Store:
    def subscripts() -> tuple[str, ...]:
        made = []
        for _ in range(2):
            offset = random.choice((0, 0, 0, -1, 1))
            made.append(f"{random.choice(names)}{f' + {offset}' if offset > 0 else f' - {-offset}' if offset else ''}")
        return tuple(made)

    return Store(label, subscripts(), tuple(subscripts() for _ in range(random.randint(1, 2))))


def reordered(random: Random, program: Program) -> Program:
    """The program after one to three changes, each of a kind that is legal at some programs."""
    for _ in range(random.randint(1, 3)):
        program = random.choice(CHANGES)(random, program)
    return program


def _at(random: Random, program: Program, made: list[Piece] | None, at: int) -> Program:
    return program if made is None else (*program[:at], *made, *program[at + 1 :])


def _interchange(random: Random, program: Program) -> Program:
    at = random.randrange(len(program))
    loops = list(program[at].loops)
    if len(loops) < 2:
        return program
    place = random.randrange(len(loops) - 1)
    one, other = loops[place], loops[place + 1]
    if one.name in (other.low + other.high):
        return program
    loops[place : place + 2] = [other, one]
    return _at(random, program, [replace(program[at], loops=tuple(loops))], at)


def _reverse(random: Random, program: Program) -> Program:
    at = random.randrange(len(program))
    loops = list(program[at].loops)
    place = random.randrange(len(loops))
    head = loops[place]
    if head.step != 1:
        return program
    loops[place] = LoopHead(head.name, f"{head.high} - 1", f"{head.low} - 1", -1)
    return _at(random, program, [replace(program[at], loops=tuple(loops))], at)


def _tile(random: Random, program: Program) -> Program:
    at = random.randrange(len(program))
    loops = list(program[at].loops)
    place = random.randrange(len(loops))
    head = loops[place]
    if head.step != 1 or len(loops) > 4:
        return program
    size = random.choice((2, 3))
    outer = LoopHead(head.name * 2, head.low, head.high, size)
    if any(each.name == outer.name for each in loops):
        return program
    last = size if random.random() < 0.85 else size - 1 + 2 * random.randrange(2)
    inner = LoopHead(head.name, outer.name, f"min({outer.name} + {last}, {head.high})")
    to = random.randint(0, place)
    if any(each.name in (outer.low + outer.high) for each in loops[to:place]):
        to = place
    loops[place : place + 1] = [inner]
    loops.insert(to, outer)
    return _at(random, program, [replace(program[at], loops=tuple(loops))], at)


def _distribute(random: Random, program: Program) -> Program:
    at = random.randrange(len(program))
    piece = program[at]
    if len(piece.stores) < 2:
        return program
    made = [replace(piece, stores=(each,)) for each in piece.stores]
    random.shuffle(made)
    return _at(random, program, made, at)


def _swap(random: Random, program: Program) -> Program:
    at = random.randrange(len(program))
    if len(program[at].stores) > 1:
        return _at(random, program, [replace(program[at], stores=program[at].stores[::-1])], at)
    return program[::-1] if len(program) == 2 else program


def _split(random: Random, program: Program) -> Program:
    at = random.randrange(len(program))
    loops = list(program[at].loops)
    head = loops[0]
    if head.step != 1 or head.low not in ("0", "1") or "min" in head.high:
        return program
    cut = str(random.randint(2, 4))
    first = [replace(head, high=f"min({cut}, {head.high})"), *loops[1:]]
    second = [replace(head, low=cut), *loops[1:]]
    return _at(random, program, [replace(program[at], loops=tuple(each)) for each in (first, second)], at)


def _bound(random: Random, program: Program) -> Program:
    at = random.randrange(len(program))
    loops = list(program[at].loops)
    place = random.randrange(len(loops))
    loops[place] = replace(loops[place], high=f"{loops[place].high} - 1")
    return _at(random, program, [replace(program[at], loops=tuple(loops))], at)


def _guard(random: Random, program: Program) -> Program:
    at = random.randrange(len(program))
    piece = program[at]
    name = random.choice(piece.loops).name
    condition = random.choice((f"{name} >= 0", f"{name} != 3", f"{name} < N or {name} > 2"))
    (_, first), *rest = piece.stores
    return _at(random, program, [replace(piece, stores=((condition, first), *rest))], at)


CHANGES = (_interchange, _interchange, _reverse, _tile, _tile, _distribute, _swap, _split, _bound, _guard)


def as_declarations(specification: Program, transformed: Program) -> str:
    """A file with both."""
    head = "loops spec(N) {\n  array A: f64[N + 4, N + 4]\n"
    return f"{head}{_declared(specification)}}}\n\ntransform other of spec {{\n{_declared(transformed)}}}\n"


def _declared(program: Program) -> str:
    return "".join(f"{line}\n" for piece in program for line in _declared_lines(piece))


def _declared_lines(piece: Piece) -> Iterator[str]:
    heads = ", ".join(
        f"{each.name} in {each.low}..{each.high}" + (f" step {each.step}" if each.step != 1 else "")
        for each in piece.loops
    )
    yield f"  for {heads} {{"
    for guard, store in piece.stores:
        reads = " + ".join(f"A[{', '.join(each)}]" for each in store.reads)
        line = f"{store.label}: A[{', '.join(store.writes)}] = {reads}"
        yield f"    if {guard} {{ {line} }}" if guard else f"    {line}"
    yield "  }"


Cells = dict[tuple[int, int], int]
Trace = list[tuple[str, tuple[int, int], tuple[tuple[int, int], ...]]]


def executed(program: Program, size: int) -> tuple[Cells, Trace]:
    """The final contents of the array, and each operation with what it writes and reads, at a size."""
    cells: Cells = {}
    trace: Trace = []
    exec("\n".join(_python_lines(program)), {"N": size, "cells": cells, "trace": trace})
    return cells, trace


def _python_lines(program: Program) -> Iterator[str]:
    for piece in program:
        indent = ""
        for head in piece.loops:
            yield f"{indent}for {head.name} in range({head.low}, {head.high}, {head.step}):"
            indent += " "
        for guard, store in piece.stores:
            reads = ", ".join(f"({', '.join(each)})" for each in store.reads)
            yield f"{indent}if {guard or 'True'}:"
            yield f"{indent} write, reads = ({', '.join(store.writes)}), ({reads},)"
            yield f"{indent} values = tuple([cells.get(at, at[0] * 1009 + at[1] * 7919 + 17) for at in reads])"
            yield f"{indent} cells[write] = hash(({len(store.reads)}, *values))"
            yield f"{indent} trace.append(({str(len(store.reads))!r}, write, reads))"
