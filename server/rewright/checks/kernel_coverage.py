"""What a check of a kernel speaks for, in words: launches, sizes, blocks, inputs, orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rewright.kernels.execution.taint import ACTIVE_LANES, FLOAT_FUNCTIONS, NOTHING
from rewright.kernels.launches.results import Covered, SearchResult
from rewright.kernels.launches.several import Together
from rewright.model.simt.violation import Setting, Triple
from rewright.verdict import Coverage

OTHER_BLOCKS = "blocks that were not run do not interfere"
ATOMICS = "threads perform atomics in ascending or in descending order"
FUNCTIONS = "control does not depend on the last places of functions of floats"
HOST = "the host does not change {}"
SOURCE = "nothing outside the source changes {}"
ACTIVE = "the active threads of a warp are those that lock step brings together"

_MOST_VALUES = 6
"""Values of one size that are listed; of more, the last one stands for the rest."""

_MOST_FAILURES = 3
"""Launches that are named as failing."""

_MOST_LEFT_OUT = 4
"""Launches that are named as left out."""


def coverage(together: Together, failed: Iterable[Setting] = ()) -> Coverage:
    """The launches that were run, first those that `failed`, and what is assumed of those that were not."""
    ran = [each.searched for each in together.ran if each.searched.covered]
    failures = dict.fromkeys(launch_of(each) for each in failed)
    if not ran and not failures:
        return Coverage("nothing", bounded=True)
    covered = all_launches(together) if ran else ""
    if failures and [covered] != list(failures):
        listed = " and ".join([*list(failures)[:_MOST_FAILURES], *["others"][: len(failures) - _MOST_FAILURES]])
        covered = f"fails at {listed}" + (f"; of {covered}" if covered else "")
    assumptions = dict.fromkeys(each for searched in ran for each in _assumptions(searched))
    return Coverage(covered, bounded=True, assumptions=tuple(assumptions))


def all_launches(together: Together) -> str:
    """The launches that were run, each with a number if there are several, and those that were left out."""
    ran = [each for each in together.ran if each.searched.covered]
    listed = [launches(each.searched) for each in ran]
    if len(set(listed)) < len(listed):
        listed = [f"{each} by {one.launch.written}" for each, one in zip(listed, ran, strict=True)]
    whole = listed[0] if len(listed) == 1 else " ".join(f"({number}) {each}" for number, each in enumerate(listed, 1))
    left_out = [f"{each.written} ({each.reason})" for each in together.left_out]
    shown = left_out[:_MOST_LEFT_OUT] + [f"{len(left_out) - _MOST_LEFT_OUT} more"] * (len(left_out) > _MOST_LEFT_OUT)
    return whole + (f"; left out: {', '.join(shown)}" if shown else "")


def launch_of(setting: Setting) -> str:
    """The launch of one run: its shape, and the values of sizes and parameters."""
    values = ", ".join(f"{name} = {value}" for name, value in setting.values)
    return f"grid {shape(setting.grid)}, block {shape(setting.block)}" + (f"; {values}" if values else "")


def launches(searched: SearchResult) -> str:
    """The sizes at which a launch was run: each by itself if they are few, else the values that occurred."""
    covered = searched.covered
    if len(covered) == 1:
        parts = [_shape(covered), *_values(covered), *_blocks(covered[0])]
    else:
        parts = [f"{len(covered)} launches: {_shape(covered)}", *_values(covered), *_several_blocks(covered)]
    return "; ".join([*parts, *_long(searched), *_choices(covered)]) + _chosen(searched)


def _shape(covered: Sequence[Covered]) -> str:
    grids, blocks = ({each.case.grid for each in covered}, {each.case.block for each in covered})
    written = (_listed([shape(triple) for triple in sorted(triples)]) for triples in (grids, blocks))
    return "grid {}, block {}".format(*written)


def _values(covered: Sequence[Covered]) -> Iterator[str]:
    """The values of each size and parameter over all launches."""
    columns: dict[str, dict[int | float, None]] = {}
    for each in covered:
        for name, value in each.case.values:
            columns.setdefault(str(name), {}).setdefault(value)
    if columns:
        separator = ", " if all(len(values) == 1 for values in columns.values()) else "; "
        yield separator.join(f"{name} = {_listed([str(v) for v in sorted(vs)])}" for name, vs in columns.items())


def _listed(texts: list[str]) -> str:
    if len(texts) <= _MOST_VALUES:
        return ", ".join(texts)
    return f"{', '.join(texts[: _MOST_VALUES - 1])}, … {texts[-1]}"


def _blocks(covered: Covered) -> Iterator[str]:
    if covered.case.blocks > len(covered.blocks):
        yield f"blocks {', '.join(shape_at(at, covered.case.grid) for at in covered.blocks)}"


def _several_blocks(covered: Sequence[Covered]) -> Iterator[str]:
    if any(each.case.blocks > len(each.blocks) for each in covered):
        yield "of large grids the first block, the last and one in the middle, with neighbours"


def _long(searched: SearchResult) -> Iterator[str]:
    """A launch that takes more steps than it may, and how many others do."""
    if searched.long:
        first, *others = searched.long
        sizes = ((name, value) for name, value in first.values if name in searched.chosen and isinstance(value, int))
        values = ", ".join(f"{name} = {value}" for name, value in sizes)
        yield f"not {values}{f' and {len(others)} more' if others else ''}, too many steps"


def _choices(covered: Sequence[Covered]) -> Iterator[str]:
    """How many contents were tried of the inputs that mattered, and with how many the run was given up."""
    names = sorted({name for each in covered for name in each.inputs})
    if names:
        counts = sorted({each.input_count for each in covered if each.inputs})
        listed = " and ".join(f"`{name}`" for name in names)
        number = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        cut_short = sum(each.cut_short for each in covered)
        more = f" ({cut_short} more cut short)" if cut_short else ""
        yield f"{number} choice{'' if counts == [1] else 's'} of {listed}{more}"


def _chosen(searched: SearchResult) -> str:
    return f" ({', '.join(map(str, searched.chosen))} chosen)" if searched.chosen else ""


def _assumptions(searched: SearchResult) -> Iterator[str]:
    if any(each.case.blocks > len(each.blocks) for each in searched.covered):
        yield OTHER_BLOCKS
    if any(each.both_orders for each in searched.covered):
        yield ATOMICS
    depends = NOTHING.union(*(each.depends for each in searched.covered))
    if not FLOAT_FUNCTIONS.isdisjoint(depends):
        yield FUNCTIONS
    if not ACTIVE_LANES.isdisjoint(depends):
        yield ACTIVE
    for names, assumed in ((searched.variables.constant, HOST), (searched.variables.kept, SOURCE)):
        if names:
            yield assumed.format(" and ".join(f"`{name}`" for name in names))
    if searched.unsized:
        listed = " and ".join(f"`{name}`" for name in searched.unsized)
        yield f"accesses of {listed} stay below the end, which is not declared"


def sizes(triple: Triple) -> tuple[int, ...]:
    """Sizes along x, y, z without trailing ones."""
    x, y, z = triple
    return (x, y, z) if z > 1 else (x, y) if y > 1 else (x,)


def index_within(index: Triple, within: Triple) -> tuple[int, ...]:
    """An index with as many numbers as the sizes that it lies within."""
    return index[: len(sizes(within))]


def shape(triple: Triple) -> str:
    """Sizes as in `16×16`."""
    return "×".join(map(str, sizes(triple)))


def shape_at(index: Triple, within: Triple) -> str:
    """An index as in `3` or `(3, 1)`."""
    used = index_within(index, within)
    return str(used[0]) if len(used) == 1 else f"({', '.join(map(str, used))})"
