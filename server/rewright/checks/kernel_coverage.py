"""What a check of a kernel speaks for, in words: launches, sizes, blocks, inputs."""

from __future__ import annotations

from rewright.kernels.search import Covered, Searched
from rewright.model.violation import ThreadIndex
from rewright.verdict import Coverage

ASSUMPTION = "no other block interferes"


def coverage(searched: Searched) -> Coverage:
    """The launches that were run; that other blocks stay out of the way is assumed where there are several."""
    text = " / ".join(_launch(each) for each in searched.covered) or "nothing"
    alone = all(each.case.blocks == 1 for each in searched.covered)
    chosen = f" ({', '.join(searched.chosen)} chosen)" if searched.chosen and searched.covered else ""
    return Coverage(text + chosen, bounded=True, assumptions=() if alone else (ASSUMPTION,))


def _launch(covered: Covered) -> str:
    case = covered.case
    parts = [f"grid {shape(case.grid)}, block {shape(case.block)}"]
    if case.values:
        parts.append(", ".join(f"{name} = {value}" for name, value in case.values))
    if case.blocks > len(case.sampled()):
        parts.append(f"blocks {', '.join(shape_at(at, case.grid) for at in case.sampled())}")
    if covered.depends:
        names = " and ".join(f"`{name}`" for name in sorted(covered.depends))
        parts.append(f"{covered.fillings} choices of {names}")
    return "; ".join(parts)


def sizes(triple: ThreadIndex) -> tuple[int, ...]:
    """Sizes along x, y, z without trailing ones."""
    x, y, z = triple
    return (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)


def index_within(index: ThreadIndex, within: ThreadIndex) -> tuple[int, ...]:
    """An index with as many numbers as the sizes that it lies within."""
    return index[: len(sizes(within))]


def shape(triple: ThreadIndex) -> str:
    """Sizes as in `16×16`."""
    return "×".join(map(str, sizes(triple)))


def shape_at(index: ThreadIndex, within: ThreadIndex) -> str:
    """An index as in `3` or `(3, 1)`."""
    used = index_within(index, within)
    return str(used[0]) if len(used) == 1 else f"({', '.join(map(str, used))})"
