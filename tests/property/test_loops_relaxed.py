"""Parallel loops, private arrays and reductions: verdicts on random nests against execution.

Nothing of the product runs here but what is asked: bodies are executed as Python. Values are hashes of what is read; a
sum of a reduction is a sum, so its order leaves no trace. A race is looked for among all pairs of accesses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random

import pytest

from rewright.checks import nest, transformation
from rewright.model.file import check_file
from rewright.model.nest import Nest, Transformation
from rewright.rules.decision import Budget
from rewright.syntax.parsed import parse
from rewright.syntax.text import Text
from rewright.verdict import Answer, Verdict

SIZES = (1, 2, 3, 4, 6)
MODULUS = (1 << 61) - 1
Cell = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class Assigned:
    """`label: target = …` or `+=`; an access is an array with the texts of its subscripts."""

    label: str
    target: tuple[str, ...]
    adds: bool
    reads: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Looped:
    """Loops, by iterator and whether they run downward, around statements."""

    loops: tuple[tuple[str, bool], ...]
    body: tuple[Assigned, ...]


Program = tuple[Looped, ...]


def drawn(random: Random) -> Program:
    """One or two nests over `A`, `B` and the scalar `s`."""
    pieces, label = [], 0
    for _ in range(random.choice((1, 1, 2))):
        names = "ij"[: random.choice((1, 1, 2))]
        body = []
        for _ in range(random.choice((1, 2, 2, 3))):
            label += 1
            reads = tuple(_access(random, names) for _ in range(random.choice((1, 1, 2))))
            body.append(Assigned(f"S{label}", _access(random, names), random.random() < 0.4, reads))
        pieces.append(Looped(tuple((name, False) for name in names), tuple(body)))
    return tuple(pieces)


def _access(random: Random, names: str) -> tuple[str, ...]:
    array = random.choice("AABs")
    if array == "s":
        return ("s",)
    return (array, random.choice([*names, *names, "0", f"{names[-1]} + 1"]))


def changed(random: Random, program: Program) -> Program:
    """Loops reversed or exchanged, statements shuffled, nests distributed, fused or exchanged."""
    made = list(program)
    for _ in range(random.choice((1, 1, 2))):
        at = random.randrange(len(made))
        piece = made[at]
        match random.choice(("reverse", "exchange", "shuffle", "distribute", "fuse", "swap")):
            case "reverse":
                place = random.randrange(len(piece.loops))
                loops = [(name, down != (place == n)) for n, (name, down) in enumerate(piece.loops)]
                made[at] = replace(piece, loops=tuple(loops))
            case "exchange":
                made[at] = replace(piece, loops=piece.loops[::-1])
            case "shuffle":
                made[at] = replace(piece, body=tuple(random.sample(piece.body, len(piece.body))))
            case "distribute":
                made[at : at + 1] = [replace(piece, body=(each,)) for each in piece.body]
            case "fuse" if len(made) > 1 and made[0].loops == made[1].loops:
                made[:2] = [replace(made[0], body=made[0].body + made[1].body)]
            case _:
                random.shuffle(made)
    return tuple(made)


def text_of(program: Program, items: str, parallel: str = "") -> str:
    lines = [items] if items else []
    for piece in program:
        heads = [
            f"{'parallel ' if name == parallel else ''}for {name} in {'N - 1..-1 step -1' if down else '0..N'} {{"
            for name, down in piece.loops
        ]
        lines += heads
        for each in piece.body:
            value = " + ".join(written(read) for read in each.reads)
            lines.append(f"{each.label}: {written(each.target)} {'+=' if each.adds else '='} {value}")
        lines.append("}" * len(heads))
    return "\n".join(lines)


def written(access: tuple[str, ...]) -> str:
    return f"{access[0]}[{access[1]}]" if len(access) > 1 else access[0]


HEAD = "loops spec(N) {\n array A, B: f64[N + 1]\n array s: f64\n"


@dataclass(frozen=True)
class Operation:
    """An executed statement, with its nest and iterators, and the cells that it accesses."""

    statement: Assigned
    piece: int
    iterators: tuple[tuple[str, int], ...]
    writes: Cell
    reads: tuple[Cell, ...]


def operations(program: Program, size: int) -> Iterator[Operation]:
    for number, piece in enumerate(program):
        ranges = [range(size - 1, -1, -1) if down else range(size) for _, down in piece.loops]
        for values in product(*ranges):
            at = tuple(zip((name for name, _ in piece.loops), values, strict=True))
            for each in piece.body:
                reads = tuple(_cell(read, dict(at)) for read in each.reads)
                yield Operation(each, number, at, _cell(each.target, dict(at)), reads)


def _cell(access: tuple[str, ...], values: dict[str, int]) -> Cell:
    return access[0], tuple(eval(each, {}, dict(values)) for each in access[1:])


def final(program: Program, size: int, free: frozenset[str]) -> dict[Cell, int]:
    """The contents at the end; what statements of `free` add is added up as numbers, else an order leaves its trace."""
    cells: dict[Cell, int] = {}

    def value(cell: Cell) -> int:
        return cells.get(cell, hash(cell) % MODULUS)

    for each in operations(program, size):
        read = hash((len(each.reads), *map(value, each.reads))) % MODULUS
        if not each.statement.adds:
            cells[each.writes] = read
        elif each.statement.label in free:
            cells[each.writes] = (value(each.writes) + read) % MODULUS
        else:
            cells[each.writes] = hash((value(each.writes), read)) % MODULUS
    return cells


def races(program: Program, size: int, parallel: str, private: bool, free: frozenset[str]) -> bool:
    """Whether two iterations of a run of the loop interfere, or a private value passes, by looking at all pairs."""
    run: list[Operation] = list(operations(program, size))

    def around(each: Operation) -> tuple[object, object] | None:
        names = [name for name, _ in each.iterators]
        if parallel not in names:
            return None
        place = names.index(parallel)
        return (each.piece, each.iterators[:place]), each.iterators[place]

    for one, other in product(run, run):
        first, second = around(one), around(other)
        if first is None or second is None or first[0] != second[0] or first[1] == second[1]:
            continue
        both = one.statement.label in free and other.statement.label in free
        for cell in {one.writes} & {other.writes, *other.reads}:
            if private and cell[0] == "s":
                continue
            if both and cell == other.writes and cell not in other.reads:
                continue
            return True
        own_read = one.statement.adds and one.writes in (other.writes, *other.reads)
        assert not own_read or both or (private and one.writes[0] == "s")
    if private:
        writer: Operation | None = None
        for each in run:
            reads_it = ("s", ()) in each.reads or (each.statement.adds and each.writes == ("s", ()))
            if reads_it and (around(writer) if writer is not None else None) != around(each):
                return True
            if each.writes == ("s", ()):
                writer = each
    return False


def asked(text: str) -> Nest | Transformation:
    declared = check_file(parse(Text.of("drawn.rw", text)), lambda path: None).declarations[-1]
    assert isinstance(declared.value, Nest | Transformation), (text, declared.findings)
    return declared.value


def relaxations(random: Random, program: Program) -> tuple[str, bool, frozenset[str]]:
    private = random.random() < 0.5
    adding = [each.label for piece in program for each in piece.body if each.adds]
    free = frozenset(adding if random.random() < 0.7 else ())
    items = (["private s"] if private else []) + ([f"reduction {', '.join(sorted(free))}"] if free else [])
    return "\n".join(items), private, free


def held_of_transforms(seeds: range) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        random = Random(seed)
        program = drawn(random)
        items, private, free = relaxations(random, program)
        other = changed(random, program)
        text = f"{HEAD}{text_of(program, '')}\n}}\ntransform t of spec {{\n{text_of(other, items)}\n}}\n"
        value = asked(text)
        assert isinstance(value, Transformation)
        answer: Answer = transformation.answer(value, Budget())
        found[answer.verdict] += 1
        if answer.verdict is Verdict.PROVED:
            for size in SIZES:
                ends = [final(each, size, free) for each in (program, other)]
                if private:
                    ends = [{cell: value for cell, value in end.items() if cell[0] != "s"} for end in ends]
                assert ends[0] == ends[1], f"seed {seed}, N = {size}\n{text}"
    return found


def held_of_races(seeds: range) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        random = Random(seed)
        program = drawn(random)
        items, private, free = relaxations(random, program)
        parallel = random.choice("ij")
        text = f"{HEAD}{text_of(program, items, parallel)}\n}}\n"
        value = asked(text)
        assert isinstance(value, Nest)
        answer = nest.answer(value, Budget())
        found[answer.verdict] += 1
        true = any(races(program, size, parallel, private, free) for size in SIZES)
        wanted = Verdict.REFUTED if true else Verdict.PROVED
        assert answer.verdict in (wanted, Verdict.UNKNOWN), f"seed {seed}\n{text}{answer.findings}"
    return found


def test_relaxed_orders_leave_the_same_values() -> None:
    found = held_of_transforms(range(60))
    assert found["proved"] >= 12 and found["refuted"] >= 12 and found["unknown"] <= 6, found


def test_races_are_those_of_all_pairs_of_accesses() -> None:
    found = held_of_races(range(60))
    assert found["proved"] >= 12 and found["refuted"] >= 12 and found["unknown"] <= 3, found


@pytest.mark.soak
def test_many_relaxed_orders_and_races() -> None:
    orders, parallel = held_of_transforms(range(1000, 3000)), held_of_races(range(1000, 3000))
    for found in (orders, parallel):
        assert found["proved"] >= 400 and found["refuted"] >= 400 and found["unknown"] <= 150, (orders, parallel)
