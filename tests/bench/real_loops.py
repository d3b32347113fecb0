"""Pairs of files in C from a folder: is what a compiler made of a loop nest a legal reordering of it?

    python tests/bench/real_loops.py FOLDER [--mutants N]

A pair is `NAME.c` and `NAME.SUFFIX.c`, as `gemm.origin.c` and `gemm.origin.pluto.c`; the one with the region comes
first. Prints the verdict of each pair and the processor time, then what is found of N mutants of each: a bound that is
one less, a subscript with a half, a statement left out or written twice. One that is proved should lie in code
that no size of at least 1 reaches. Nothing in the folder is executed.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from rewright.checks import transformation
from rewright.frontends.c.reading import outline, read
from rewright.frontends.nests import NestRequest, NestSource
from rewright.frontends.preset import NO_PRESET
from rewright.model.index import Name
from rewright.model.nest import Nest, Transformation
from rewright.report import codes
from rewright.rules.decision import Budget
from rewright.verdict import InSource


def pairs(folder: Path) -> Iterator[tuple[Path, Path]]:
    """The specifications of a folder with what was made of them."""
    files = sorted(folder.rglob("*.c"))
    for file in files:
        before = [each for each in files if each != file and file.name.startswith(f"{each.stem}.")]
        if before and each_region(before[-1]):
            yield before[-1], file


def source(path: Path, text: str) -> NestSource:
    return NestSource(path.name, {path.name: text}, NO_PRESET)


def each_region(path: Path) -> tuple[str, ...]:
    """The names of the regions of a file."""
    return tuple(each.name for each in outline(source(path, path.read_text())).nests)


def nest(path: Path, text: str, entry: str, specification: Nest | None) -> Nest | str:
    """A nest, or why it is not taken."""
    found = read(source(path, text), entry, NestRequest(Name(entry), specification), lambda place: place.start)
    if found is None:
        return f"{path.name} has no `{entry}`"
    if found.nest is None:
        first = found.findings[0]
        line = text.encode()[: first.place.start].count(b"\n") + 1 if isinstance(first.place, InSource) else 0
        return f"{path.name}:{line}: {codes.message(first)}"
    return found.nest


def verdict(specification: Nest, path: Path, text: str, entry: str) -> str:
    """What is found out of a transform, in a word or with the reason."""
    made = nest(path, text, entry, specification)
    if isinstance(made, str):
        return f"unknown: {made}"
    answer = transformation.answer(Transformation(specification, made), Budget())
    return f"unknown: {answer.reason}" if answer.reason else str(answer.verdict)


LOOP = re.compile(r"for\s*\([^;()]*;\s*\w+\s*<=?\s*([^;]*);")
STATEMENT = re.compile(r"^[ \t]*\w+(?:\[[^;=]*\])+ *[-+*/]?=[^;{}]*;+", re.MULTILINE)
SUBSCRIPT = re.compile(r"\[(\w+)\]")


def mutants(text: str, entry: str, count: int) -> Iterator[tuple[str, str]]:
    """Texts in which one thing of a function is wrong, each with a word for it."""
    start = re.search(rf"\b{entry}\s*\(", text)
    end = text.find("\nint main", start.start() if start else 0)
    inside = slice(start.start() if start else 0, end if end > 0 else len(text))
    kinds = {
        "bound": [(m.span(1), f"({m[1]}) - 1") for m in LOOP.finditer(text, inside.start, inside.stop)],
        "subscript": [(m.span(1), f"{m[1]} / 2") for m in SUBSCRIPT.finditer(text, inside.start, inside.stop)],
        "dropped": [(m.span(), ";") for m in STATEMENT.finditer(text, inside.start, inside.stop)],
        "doubled": [(m.span(), m[0] + m[0]) for m in STATEMENT.finditer(text, inside.start, inside.stop)],
    }
    chosen = random.Random(1)
    for kind, edits in kinds.items():
        for (begin, stop), instead in chosen.sample(edits, min(len(edits), -(-count // len(kinds)))):
            yield kind, text[:begin] + instead + text[stop:]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--mutants", type=int, default=0, metavar="N")
    given = arguments.parse_args()
    counts: Counter[str] = Counter()
    for before, after in pairs(given.folder):
        for entry in each_region(before):
            start = time.process_time()
            specification = nest(before, before.read_text(), entry, None)
            found = (
                f"unknown: {specification}"
                if isinstance(specification, str)
                else verdict(specification, after, after.read_text(), entry)
            )
            print(f"{after.name}  {entry}  {found}  {time.process_time() - start:.2f} s")
            counts[found.partition(":")[0]] += 1
            if isinstance(specification, Nest):
                for kind, text in mutants(after.read_text(), entry, given.mutants):
                    heard = verdict(specification, after, text, entry)
                    counts[f"mutant {heard.partition(':')[0]}"] += 1
                    if heard != "refuted":
                        print(f"  {kind}: {heard}")
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
