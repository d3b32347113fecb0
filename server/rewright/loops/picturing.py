"""Iterations of a statement as a small picture, at sizes at which there are few. Enumerated, without isl."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rewright.loops.enumeration import TooManyOperations, holds, instances
from rewright.loops.guessing import looped
from rewright.model.index import Name
from rewright.model.nest import Nest
from rewright.model.nest_facts import IterationPicture

WIDTH = 12
"""Rows and columns."""

OPERATIONS = 20_000

USUAL = (6, 8, 5, 10, 12, 4, 3, 2, 1)
"""Sizes that are tried for all parameters alike."""

Values = tuple[tuple[Name, int], ...]


def pictures(nest: Nest, failing: Values, wrong: Values) -> list[IterationPicture | None]:
    """A picture for each statement of a nest, of all at the same sizes.

    If it fails at sizes they are those, and `wrong` is the iteration that is marked.
    """
    statements = looped(nest.body)
    for sizes in _sizes(nest, failing):
        try:
            found = instances(nest, sizes, OPERATIONS)
        except TooManyOperations:
            continue
        executed: list[list[tuple[int, ...]]] = [[] for _ in statements]
        for each in found:
            executed[each.statement].append(each.iterators)
        if any(executed) or failing:
            marked = dict(wrong) if failing and dict(sizes).items() <= dict(failing).items() else {}
            return [_picture(each.iterators, at, sizes, marked) for each, at in zip(statements, executed, strict=True)]
    return [None for _ in statements]


def _sizes(nest: Nest, failing: Values) -> Iterator[tuple[tuple[Name, int], ...]]:
    given = dict(failing)
    if failing and all(name in given for name in nest.parameters):
        yield tuple((name, given[name]) for name in nest.parameters)
    for size in USUAL if nest.parameters else USUAL[:1]:
        sizes = tuple((name, size) for name in nest.parameters)
        if all(holds(each, dict(sizes)) for each in nest.requires):
            yield sizes


def _picture(
    iterators: Sequence[Name], executed: Sequence[tuple[int, ...]], sizes: Values, marked: dict[Name, int]
) -> IterationPicture | None:
    if not iterators or not executed:
        return None
    outer, inner = iterators[:-2], iterators[-2:]
    is_marked = all(name in marked for name in iterators)
    fixed = tuple(marked[name] for name in outer) if is_marked else executed[0][: len(outer)]
    points = {each[len(outer) :] for each in executed if each[: len(outer)] == fixed}
    wrong = tuple(marked[name] for name in inner) if is_marked else None
    shown = points | ({wrong} if wrong is not None else set())
    if not shown:
        return None
    low = tuple(min(each[at] for each in shown) for at in range(len(inner)))
    high = tuple(max(each[at] for each in shown) for at in range(len(inner)))
    if any(last - first >= WIDTH for first, last in zip(low, high, strict=True)):
        return None
    leading = [(row,) for row in range(low[0], high[0] + 1)] if len(inner) == 2 else [()]
    rows = tuple(
        "".join(_letter((*row, column), points, wrong) for column in range(low[-1], high[-1] + 1)) for row in leading
    )
    at = (*sizes, *zip(outer, fixed, strict=True))
    return IterationPicture(at, tuple(inner), low, rows)


def _letter(point: tuple[int, ...], points: set[tuple[int, ...]], wrong: tuple[int, ...] | None) -> str:
    return "X" if point == wrong else "#" if point in points else "."
