"""Which word would allow an order that a transform changes.

It is `reduction`, if terms may be added up in any order, or `private`, if values only pass through an array.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rewright.checks.nest_answers import STEPS
from rewright.loops.decide import decide_by_runs, decide_by_text
from rewright.loops.decision import ReorderingProved
from rewright.model.index import Name
from rewright.model.nest import Nest, Relaxations, Transformation, combining_operator, statements
from rewright.replay.loops.comparing import compared
from rewright.replay.loops.running import RunTooLong
from rewright.replay.loops.sizes import Sizes, sizes_to_sample


def allowing(asked: Transformation, array: Name, sizes: Sizes, operations: int) -> str:
    """The item with which the transform is proved, empty if none was found.

    An element of `array` is out of order at `sizes`: where it still is with the item, nothing is left to prove.
    """
    for text, relaxed in candidates(asked.specification, asked.transformed.relaxed, array):
        with_it = replace(asked, transformed=replace(asked.transformed, relaxed=relaxed))
        if not _differs(with_it, sizes) and is_proved(with_it, operations):
            return text
    return ""


def _differs(asked: Transformation, sizes: Sizes) -> bool:
    try:
        return compared(asked, dict(sizes), STEPS) is not None
    except RunTooLong:
        return True


def is_proved(asked: Transformation, operations: int) -> bool:
    """Whether a transform is proved to be a reordering, in so many operations of isl for each guess."""
    if isinstance(decide_by_text(asked, operations), ReorderingProved):
        return True
    sampled = sizes_to_sample((asked.specification, asked.transformed))
    return isinstance(decide_by_runs(asked, sampled, operations), ReorderingProved)


def candidates(specification: Nest, known: Relaxations, array: Name) -> Iterator[tuple[str, Relaxations]]:
    """Items that allow another order of accesses to an array, each with what is relaxed then."""
    specified = tuple(statements(specification.body))
    writers = [each for each in specified if each.write.array == array]
    combining = [each.label for each in writers if each.label and combining_operator(each) is not None]
    labels = [label for label in dict.fromkeys(combining) if label not in known.reductions]
    if labels:
        yield f"reduction {', '.join(labels)}", replace(known, reductions=(*known.reductions, *labels))
    is_read = any(read.array == array for each in specified for read in each.reads)
    if writers and is_read and array not in known.private:
        yield f"private {array}", replace(known, private=(*known.private, array))
