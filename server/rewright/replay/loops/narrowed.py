"""Is one long run a legal reordering of another, as far as a few elements show? For runs that are too long to be kept.

Every run is executed again instead of being kept: once to find an element whose writes differ in what they read or how
often that was written before; once for what is read there; once to compare the writes to these elements alone. What
differs there differs in the whole runs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from rewright.model.index import Name
from rewright.model.nest import Nest, Transformation
from rewright.replay.loops.comparing import compared_operations
from rewright.replay.loops.losing import RunSoFar
from rewright.replay.loops.mismatch import Mismatch
from rewright.replay.loops.running import Element, ExecutedOperation, NestRun


def compared_narrowly(asked: Transformation, values: Mapping[Name, int], steps: int) -> Mismatch | None:
    """What is wrong first at these sizes with the writes to a few elements. Raises `RunTooLong`.

    None says nothing of the others. No relaxation is known here.
    """
    nests = (asked.specification, asked.transformed)
    due, found = (_histories(nest, values, steps) for nest in nests)
    differing = next((each for each in (*due, *found) if due.get(each) != found.get(each)), None)
    if differing is None:
        return None
    looked = {differing}
    for nest in nests:
        for operation in _writing(nest, values, steps, frozenset((differing,))):
            looked |= {each for each in operation.reads if isinstance(each, tuple)}
    one, other = (_writing(nest, values, steps, frozenset(looked)) for nest in nests)
    return compared_operations(one, other, RunSoFar(asked.transformed.body, dict(values), []))


def _histories(nest: Nest, values: Mapping[Name, int], steps: int) -> dict[Element, int]:
    """A hash of the writes to each element in their order: what each computes and reads, after how many writes."""
    written: dict[Element, int] = defaultdict(int)
    found: dict[Element, int] = {}
    for each in NestRun(dict(values), steps).operations(nest):
        versions = tuple([written.get(read, 0) if type(read) is tuple else 0 for read in each.reads])
        before = found.get(each.writes, 0)
        found[each.writes] = hash((before, each.statement.signature, each.reads, versions))
        written[each.writes] += 1
    return found


def _writing(
    nest: Nest, values: Mapping[Name, int], steps: int, elements: frozenset[Element]
) -> Iterator[ExecutedOperation]:
    return NestRun(dict(values), steps, only=elements).operations(nest)
